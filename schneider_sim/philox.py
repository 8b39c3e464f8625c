"""Random words as a pure function of (seed, deal, block, stream): Philox4x32-10.

Counter = (deal low, deal high, block, stream), key = (seed low, seed high).
Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11.
"""

from numba import uint32, uint64

from .jit import compiled
from .lanes import LANES, ONE, ZERO, U, add, bxor, lt, mul, mulhi, select

M0, M1 = U(0xD2511F53), U(0xCD9E8D57)
W0, W1 = U(0x9E3779B9), U(0xBB67AE85)


@compiled(inline=True)
def _round(words, k0, k1):
    for i in range(LANES):
        c0, c1, c2, c3 = words[0, i], words[1, i], words[2, i], words[3, i]
        words[0, i] = bxor(bxor(mulhi(M1, c2), c1), k0)
        words[1, i] = mul(M1, c2)
        words[2, i] = bxor(bxor(mulhi(M0, c0), c3), k1)
        words[3, i] = mul(M0, c0)


@compiled
def random_words(low, high, block, stream, k0, k1, words):
    """Fill uint32[4, LANES]: lane i belongs to deal (high, low) + i, with carry.

    A round is a pass of its own, since ten rounds in one loop body do not vectorise.
    """
    for i in range(LANES):
        counter = add(low, uint32(i))
        words[0, i] = counter
        words[1, i] = add(high, select(lt(counter, low), ONE, ZERO))
        words[2, i] = block
        words[3, i] = stream
    for _ in range(10):
        _round(words, k0, k1)
        k0, k1 = add(k0, W0), add(k1, W1)


@compiled
def four_words(deal, block, stream, seed):
    """The same four words for one deal (all arguments integers): a tuple of uint32, for games played one by one."""
    c0, c1 = uint32(uint64(deal)), uint32(uint64(deal) >> uint64(32))
    c2, c3 = uint32(block), uint32(stream)
    k0, k1 = uint32(uint64(seed)), uint32(uint64(seed) >> uint64(32))
    for _ in range(10):
        c0, c1, c2, c3 = bxor(bxor(mulhi(M1, c2), c1), k0), mul(M1, c2), bxor(bxor(mulhi(M0, c0), c3), k1), mul(M0, c0)
        k0, k1 = add(k0, W0), add(k1, W1)
    return c0, c1, c2, c3
