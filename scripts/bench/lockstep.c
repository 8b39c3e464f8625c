/* The rival of the lane kernel in its own design: 256 deals side by side, every step a short branch-free loop over the
 * lanes, in C with one policy compiled in: `lead: safe honour; follow: capture dead pip` against itself, duplicates,
 * core tally, standard rules, the kernel's generator. The joint table must be the kernel's. No detail, no other rules,
 * no memory short of full, no noise.
 * Usage: lockstep DEALS SEED, DEALS a multiple of 256  ->  seconds, then the 441 counts of the joint table. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint32_t u32;
typedef uint64_t u64;
#define LANES 256
#define EACH for (int i = 0; i < LANES; i++)
#define HONOURS 0xF8F8F8F8u
#define ACES 0x80808080u
#define SEVENS 0x01010101u

typedef u32 Row[LANES] __attribute__((aligned(64)));
static Row pack[32], words[32], ties[2][16], dealt[2], hold[2], score[2], pool, seen, turn, led, reply, killer, final[2];
static int64_t joint[21][21], outcome[2][17][21];

static inline u32 below(u32 word, u32 n) { return (u32)(((u64)word * n) >> 32); }
static inline u32 prefer(u32 candidates, u32 wanted) { return candidates & wanted ? candidates & wanted : candidates; }

static inline u32 nth_of_32(u32 m, u32 k) { /* the k-th set bit, by halving */
    u32 position = 0;
#define HALVE(width, mask) { u32 n = __builtin_popcount(m & mask), up = k >= n; \
        m = up ? m >> width : m, k = up ? k - n : k, position |= up ? width : 0; }
    HALVE(16, 0xFFFF) HALVE(8, 0xFF) HALVE(4, 0xF) HALVE(2, 3) HALVE(1, 1)
    return 1u << position;
}

static inline u32 pick(u32 m, u32 word) { /* one of at most six set bits */
    u32 k = below(word, __builtin_popcount(m));
#define DROP(n) m = k > n ? m & (m - 1) : m;
    DROP(0) DROP(1) DROP(2) DROP(3) DROP(4)
    return m & -m;
}

static void random_words(u64 first, u32 block, u32 stream, u64 seed, Row *out) { /* Philox4x32-10 */
    EACH {
        u64 c0 = (u32)(first + i), c1 = (first + i) >> 32, c2 = block, c3 = stream;
        u32 k0 = (u32)seed, k1 = (u32)(seed >> 32);
#define ROUND { u64 p0 = 0xD2511F53ull * (u32)c0, p1 = 0xCD9E8D57ull * (u32)c2; \
            c0 = (p1 >> 32) ^ c1 ^ k0, c2 = (p0 >> 32) ^ c3 ^ k1, c1 = p1, c3 = p0, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u; }
        ROUND ROUND ROUND ROUND ROUND ROUND ROUND ROUND ROUND ROUND
        out[0][i] = (u32)c0, out[1][i] = (u32)c1, out[2][i] = (u32)c2, out[3][i] = (u32)c3;
    }
}

static void deal(u64 first, u64 seed) {
    for (int b = 0; b < 8; b++) random_words(first, b, 0, seed, &words[4 * b]);
    for (int seat = 0; seat < 2; seat++)
        for (int b = 0; b < 4; b++) random_words(first, b, 1 + seat, seed, &ties[seat][4 * b]);
    EACH pool[i] = 0xFFFFFFFFu;
    for (int n = 0; n < 31; n++) EACH {
        u32 card = nth_of_32(pool[i], below(words[n][i], 32 - n));
        pool[i] ^= card, pack[n][i] = card;
    }
    EACH pack[31][i] = pool[i];
    for (int seat = 0; seat < 2; seat++) {
        Row *six = &pack[6 * seat];
        EACH dealt[seat][i] = six[0][i] | six[1][i] | six[2][i] | six[3][i] | six[4][i] | six[5][i];
    }
}

static void play(void) {
    EACH hold[0][i] = dealt[0][i], hold[1][i] = dealt[1][i], score[0][i] = score[1][i] = seen[i] = turn[i] = 0;
    for (int t = 0; t < 16; t++) {
        EACH {
            u32 known = seen[i] | hold[0][i], c = prefer(prefer(hold[0][i], (known >> 1) | ACES), HONOURS);
            u32 word = turn[i] ? ties[1][t][i] : ties[0][t][i];
            led[i] = pick(c, word), killer[i] = (led[i] << 1) & ~SEVENS;
        }
        EACH {
            u32 known = seen[i] | hold[1][i] | led[i];
            u32 c = prefer(prefer(prefer(hold[1][i], killer[i]), (known << 1) | SEVENS), ~HONOURS);
            u32 word = turn[i] ? ties[0][t][i] : ties[1][t][i];
            reply[i] = pick(c, word);
        }
        u32 drawing = t < 10 ? 0xFFFFFFFFu : 0;
        const u32 *top = pack[t < 10 ? 12 + 2 * t : 12], *next = pack[t < 10 ? 13 + 2 * t : 13];
        EACH {
            u32 both = led[i] | reply[i], captured = reply[i] & killer[i] ? 0xFFFFFFFFu : 0;
            u32 leader = hold[0][i] ^ led[i], other = hold[1][i] ^ reply[i], change = (leader ^ other) & captured;
            u32 swap = (score[0][i] ^ score[1][i]) & captured, winner = score[0][i] ^ swap;
            hold[0][i] = (leader ^ change) | (top[i] & drawing), hold[1][i] = (other ^ change) | (next[i] & drawing);
            score[1][i] ^= swap, score[0][i] = winner + __builtin_popcount(both & HONOURS) + 256;
            seen[i] |= both, turn[i] ^= captured & 1;
        }
    }
}

int main(int argc, char **argv) {
    u64 deals = argc > 1 ? strtoull(argv[1], 0, 10) : 1 << 20, seed = argc > 2 ? strtoull(argv[2], 0, 10) : 1;
    struct timespec a, b;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (u64 first = 0; first < deals; first += LANES) {
        deal(first, seed);
        for (int seat = 0; seat < 2; seat++) { /* A in seat 0, then B */
            play();
            EACH final[seat][i] = turn[i] == (u32)seat ? score[0][i] : score[1][i];
            EACH outcome[seat][final[seat][i] >> 8][final[seat][i] & 255]++;
        }
        EACH joint[final[0][i] & 255][final[1][i] & 255]++;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    printf("%.6f\n", (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec));
    for (int i = 0; i < 441; i++) printf("%lld ", (long long)joint[i / 21][i % 21]);
    printf("\n%lld\n", (long long)outcome[0][8][10]);
    return 0;
}
