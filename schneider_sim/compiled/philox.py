"""Random words as a pure function of (seed, deal, block, stream): Philox4x32-10.

Counter = (deal low, deal high, block, stream), key = (seed low, seed high).
Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11 (2011).
"""

import numpy as np
from numba import uint32, uint64

from .jit import compiled
from .lanes import LANES, ONE, U, add, lt, mul, out_of_line, put, select

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = U(0x9E3779B9), U(0xBB67AE85)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


@compiled(part="expression")
def _round(c0, c1, c2, c3, k0, k1, r):
    """Round r on uint64 whose low halves are the words: one 64-bit product gives both halves of a 32-bit one."""
    p0, p1 = _M0 * (c0 & _LOW), _M1 * (c2 & _LOW)
    k0, k1 = add(k0, mul(_W0, r)), add(k1, mul(_W1, r))
    return (p1 >> _HALF) ^ c1 ^ uint64(k0), p1, (p0 >> _HALF) ^ c3 ^ uint64(k1), p0


@compiled(part="expression")
def ten_rounds(low, high, block, stream, k0, k1):
    """Unrolled by hand, since LLVM vectorises innermost loops only."""
    c0, c1, c2, c3 = _round(uint64(low), uint64(high), uint64(block), uint64(stream), k0, k1, U(0))
    c0, c1, c2, c3 = _round(c0, c1, c2, c3, k0, k1, U(1))
    c0, c1, c2, c3 = _round(c0, c1, c2, c3, k0, k1, U(2))
    c0, c1, c2, c3 = _round(c0, c1, c2, c3, k0, k1, U(3))
    c0, c1, c2, c3 = _round(c0, c1, c2, c3, k0, k1, U(4))
    c0, c1, c2, c3 = _round(c0, c1, c2, c3, k0, k1, U(5))
    c0, c1, c2, c3 = _round(c0, c1, c2, c3, k0, k1, U(6))
    c0, c1, c2, c3 = _round(c0, c1, c2, c3, k0, k1, U(7))
    c0, c1, c2, c3 = _round(c0, c1, c2, c3, k0, k1, U(8))
    c0, c1, c2, c3 = _round(c0, c1, c2, c3, k0, k1, U(9))
    return uint32(c0 & _LOW), uint32(c1 & _LOW), uint32(c2 & _LOW), uint32(c3 & _LOW)


@compiled(part="loop")
def random_words(low, high, block, stream, k0, k1, space, row):
    """Fill four rows of `space` from `row` on: lane i belongs to deal (high, low) + i, with carry."""
    out_of_line()
    for i in range(LANES):
        counter = add(low, uint32(i))
        carried = select(lt(counter, low), add(high, ONE), high)
        c0, c1, c2, c3 = ten_rounds(counter, carried, block, stream, k0, k1)
        put(space, row, i, c0)
        put(space, row + LANES, i, c1)
        put(space, row + 2 * LANES, i, c2)
        put(space, row + 3 * LANES, i, c3)


@compiled(part="loop")
def words_of_block(low, high, block, stream, k0, k1, space, row):
    """As random_words where low is a multiple of LANES: nothing is carried, and much of two rounds is the same for all.
    """
    out_of_line()
    for i in range(LANES):
        c0, c1, c2, c3 = ten_rounds(add(low, uint32(i)), high, block, stream, k0, k1)
        put(space, row, i, c0)
        put(space, row + LANES, i, c1)
        put(space, row + 2 * LANES, i, c2)
        put(space, row + 3 * LANES, i, c3)


@compiled(part="loop")
def four_words(deal, block, stream, seed):
    """The same four words for one deal (all arguments integers): a tuple of uint32, for games played one by one."""
    low, high = uint32(uint64(deal) & _LOW), uint32(uint64(deal) >> _HALF)
    k0, k1 = uint32(uint64(seed) & _LOW), uint32(uint64(seed) >> _HALF)
    return ten_rounds(low, high, uint32(block), uint32(stream), k0, k1)


@compiled
def words_of_deal(deal, block, stream, seed):
    """`four_words` for plain Python, which cannot call a part."""
    return four_words(deal, block, stream, seed)
