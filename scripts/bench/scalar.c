/* The scalar rival of the lane kernel: `lead: safe honour; follow: capture dead pip` against itself, duplicates,
 * core tally, standard rules, all compiled in. With PHILOX it draws the words of the kernel, so that the joint tables
 * must be equal; without, it draws from xoshiro128++. Where the processor has pdep it finds the k-th card in one instruction,
 * by an intrinsic; with PLAIN it does so in a loop, as C does by itself.
 * Usage: scalar DEALS SEED  ->  seconds, then the 441 counts of the joint table. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#if defined(__BMI2__) && !defined(PLAIN)
#include <immintrin.h>
#endif

typedef uint32_t u32;
typedef uint64_t u64;
#define HONOURS 0xF8F8F8F8u
#define ACES 0x80808080u
#define SEVENS 0x01010101u

static u32 nth(u32 m, u32 k) { /* the k-th set bit */
#if defined(__BMI2__) && !defined(PLAIN)
    return _pdep_u32(1u << k, m);
#else
    while (k--) m &= m - 1;
    return m & -m;
#endif
}

static u32 below(u32 word, u32 n) { return (u32)(((u64)word * n) >> 32); }

#ifdef PHILOX
static void four(u64 deal, u32 block, u32 stream, u64 seed, u32 *out) {
    u32 c0 = (u32)deal, c1 = (u32)(deal >> 32), c2 = block, c3 = stream, k0 = (u32)seed, k1 = (u32)(seed >> 32);
    for (int r = 0; r < 10; r++) {
        u64 p0 = 0xD2511F53ull * c0, p1 = 0xCD9E8D57ull * c2;
        u32 n0 = (u32)(p1 >> 32) ^ c1 ^ k0, n2 = (u32)(p0 >> 32) ^ c3 ^ k1;
        c0 = n0, c1 = (u32)p1, c2 = n2, c3 = (u32)p0;
        k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
    }
    out[0] = c0, out[1] = c1, out[2] = c2, out[3] = c3;
}
static void words(u64 deal, u64 seed, u32 stream, int blocks, u32 *out) {
    for (int b = 0; b < blocks; b++) four(deal, b, stream, seed, out + 4 * b);
}
#else
static u32 s[4] = {1, 2, 3, 4};
static u32 rotl(u32 x, int k) { return (x << k) | (x >> (32 - k)); }
static u32 next(void) {
    u32 result = rotl(s[0] + s[3], 7) + s[0], t = s[1] << 9;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t, s[3] = rotl(s[3], 11);
    return result;
}
static void words(u64 deal, u64 seed, u32 stream, int blocks, u32 *out) {
    (void)deal, (void)seed, (void)stream;
    for (int b = 0; b < 4 * blocks; b++) out[b] = next();
}
#endif

static u32 prefer(u32 candidates, u32 wanted) { return candidates & wanted ? candidates & wanted : candidates; }
static u32 pick(u32 m, u32 word) { return nth(m, below(word, __builtin_popcount(m))); }

/* Honours of seat 0 and tricks of seat 0. */
static void play(const u32 *dealt, const u32 *stock, u32 ties[2][16], int *honours, int *tricks) {
    u32 hand[2] = {dealt[0], dealt[1]}, seen = 0;
    int score[2] = {0, 0}, won[2] = {0, 0}, turn = 0;
    for (int t = 0; t < 16; t++) {
        u32 mine = hand[turn], theirs = hand[!turn], known = seen | mine;
        u32 c = prefer(prefer(mine, (known >> 1) | ACES), HONOURS), led = pick(c, ties[turn][t]);
        u32 killer = (led << 1) & ~SEVENS;
        known = seen | theirs | led;
        c = prefer(prefer(prefer(theirs, killer), (known << 1) | SEVENS), ~HONOURS);
        u32 reply = pick(c, ties[!turn][t]), both = led | reply;
        seen |= both, hand[turn] ^= led, hand[!turn] ^= reply;
        if (reply & killer) turn = !turn;
        score[turn] += __builtin_popcount(both & HONOURS), won[turn]++;
        if (t < 10) hand[turn] |= stock[2 * t], hand[!turn] |= stock[2 * t + 1];
    }
    *honours = score[0], *tricks = won[0];
}

int main(int argc, char **argv) {
    static int64_t joint[21][21], outcome[2][17][21];
    u64 deals = argc > 1 ? strtoull(argv[1], 0, 10) : 1000000, seed = argc > 2 ? strtoull(argv[2], 0, 10) : 1;
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (u64 deal = 0; deal < deals; deal++) {
        u32 w[32], ties[2][16], dealt[2] = {0, 0}, stock[20], pool = 0xFFFFFFFFu;
        words(deal, seed, 0, 8, w);
        words(deal, seed, 1, 4, ties[0]);
        words(deal, seed, 2, 4, ties[1]);
        for (int n = 0; n < 32; n++) {
            u32 card = n < 31 ? nth(pool, below(w[n], 32 - n)) : pool;
            pool ^= card;
            if (n < 12) dealt[n >= 6] |= card; else stock[n - 12] = card;
        }
        int h[2], tr[2];
        for (int first = 0; first < 2; first++) { /* A in seat 0, then B: ties belong to seats */
            play(dealt, stock, ties, &h[first], &tr[first]);
            int honours = first ? 20 - h[1] : h[0], tricks = first ? 16 - tr[1] : tr[0];
            h[first] = honours;
            outcome[first][tricks][honours]++;
        }
        joint[h[0]][h[1]]++;
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%.6f\n", (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec));
    for (int i = 0; i < 441; i++) printf("%lld ", (long long)joint[i / 21][i % 21]);
    printf("\n%lld\n", (long long)outcome[0][8][10]);
    return 0;
}
