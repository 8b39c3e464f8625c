"""32-bit building blocks for loops over lanes.

All state of a block of deals lies in one flat uint32 array, its space, as rows of LANES words; a row is named by where
it begins. LLVM then sees constant distances between rows and vectorises without alias checks, and no slice costs a
reference count. Numba promotes uint32 with uint32 to uint64, which halves the SIMD width and blocks narrowing, so lane
loops use these intrinsics instead of operators; no branch, no call that is not inlined, `select` instead of `if`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, register_model

from .jit import compiled

LANES = 256
U = np.uint32
ZERO, ONE = U(0), U(1)
_LINE = 16  # words in a cache line

_I32, _I64 = ir.IntType(32), ir.IntType(64)


def _one(build: Callable[..., Any]) -> Any:
    @intrinsic
    def op(typingctx, x):
        return types.uint32(types.uint32), lambda ctx, builder, sig, args: build(builder, *args)

    return op


def _two(build: Callable[..., Any], returns: Any = types.uint32) -> Any:
    @intrinsic
    def op(typingctx, x, y):
        return returns(types.uint32, types.uint32), lambda ctx, builder, sig, args: build(builder, *args)

    return op


def _high_half(b: Any, x: Any, y: Any) -> Any:
    product = b.mul(b.zext(x, _I64), b.zext(y, _I64))
    return b.trunc(b.lshr(product, ir.Constant(_I64, 32)), _I32)


add = _two(lambda b, x, y: b.add(x, y))
sub = _two(lambda b, x, y: b.sub(x, y))
mul = _two(lambda b, x, y: b.mul(x, y))
band = _two(lambda b, x, y: b.and_(x, y))
bor = _two(lambda b, x, y: b.or_(x, y))
bxor = _two(lambda b, x, y: b.xor(x, y))
shl = _two(lambda b, x, y: b.shl(x, y))
shr = _two(lambda b, x, y: b.lshr(x, y))
inv = _one(lambda b, x: b.not_(x))
eq = _two(lambda b, x, y: b.icmp_unsigned("==", x, y), types.boolean)
lt = _two(lambda b, x, y: b.icmp_unsigned("<", x, y), types.boolean)
popcount = _one(lambda b, x: b.call(b.module.declare_intrinsic("llvm.ctpop", [_I32]), [x]))
mulhi = _two(_high_half)


@intrinsic
def select(typingctx, condition, x, y):
    """`x` where `condition`, else `y`: a blend, never a branch."""
    returns = types.uint32(types.boolean, types.uint32, types.uint32)
    return returns, lambda ctx, b, sig, args: b.select(*args)


@intrinsic
def out_of_line(typingctx):
    """Keep the function in which this stands out of its callers, so that its code exists once, and let it use 512 bits.

    LLVM would stay at 256 where 512 are there; llvmlite's set of attributes knows no such name, hence `set.add`.
    """

    def mark(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.function.attributes.add("noinline")
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')
        return context.get_dummy_value()

    return types.void(), mark


def make_space(size: int) -> npt.NDArray[np.uint32]:
    """A space of zeros: uint32[size], aligned with cache lines, since vectors across two of them cost twice."""
    words = np.zeros(size + _LINE, np.uint32)
    begin = -words.ctypes.data % (4 * _LINE) // 4
    return words[begin : begin + size]


class RowsType(types.Type):
    """The Numba type of a space inside compiled code: where it begins, and nothing else."""

    def __init__(self) -> None:
        super().__init__(name="Rows")


_ROWS = RowsType()


@register_model(RowsType)
class _RowsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _I32.as_pointer())


@intrinsic
def rows(typingctx, space):
    """The rows of a space, a uint32 array that whoever calls compiled code keeps alive.

    Numba counts the references to an array wherever it is passed on, with atomic operations: a tenth of a play.
    """

    def address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, args[0]).data

    return _ROWS(space), address


@intrinsic
def rows_at(typingctx, address):
    """The rows of the space that begins at an address."""
    return _ROWS(types.int64), lambda context, builder, sig, args: builder.inttoptr(args[0], _I32.as_pointer())


def _address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Where lane args[2] of row args[1] lies: no wrap-around of negative indices, which would make loads gathers."""
    data = args[0]
    if isinstance(signature.args[0], types.Array):
        data = context.make_array(signature.args[0])(context, builder, data).data
    row, lane = (builder.sext(x, _I64) if x.type.width < 64 else x for x in args[1:3])
    return cgutils.pointer_add(builder, data, builder.mul(builder.add(row, lane), ir.Constant(_I64, 4)))


@intrinsic
def get(typingctx, space, row, lane):
    """The word of `lane` in the row that begins at `row`."""

    def load(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_address(context, builder, signature, args))

    return types.uint32(space, types.int64, types.int64), load


@intrinsic
def put(typingctx, space, row, lane, word):
    """Write the word of `lane` in the row that begins at `row`."""

    def store(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[3], _address(context, builder, signature, args))

    return types.void(space, types.int64, types.int64, types.uint32), store


@compiled(part="loop")
def fill(space, row, word):
    """The same word in every lane of a row."""
    for i in range(LANES):
        put(space, row, i, word)


@compiled(part="loop")
def copy(space, source, target):
    """A row copied to another."""
    for i in range(LANES):
        put(space, target, i, get(space, source, i))


@compiled(part="expression")
def prefer(candidates, wanted):
    """The candidates that are wanted, or all of them when none is."""
    narrowed = band(candidates, wanted)
    return select(eq(narrowed, ZERO), candidates, narrowed)


@compiled(part="expression")
def lowest_bit(m):
    return band(m, sub(ZERO, m))


@compiled(part="expression")
def _halve(m, k, position, width, mask):
    n = popcount(band(m, mask))
    below = lt(k, n)
    step = select(below, ZERO, width)
    return shr(m, step), select(below, k, sub(k, n)), bor(position, step)


@compiled(part="expression")
def nth_of_32(m, k):
    """The k-th set bit (from 0) of `m`, as a mask; unrolled by hand, since LLVM vectorises innermost loops only."""
    m, k, position = _halve(m, k, ZERO, U(16), U(0xFFFF))
    m, k, position = _halve(m, k, position, U(8), U(0xFF))
    m, k, position = _halve(m, k, position, U(4), U(0xF))
    m, k, position = _halve(m, k, position, U(2), U(3))
    m, k, position = _halve(m, k, position, U(1), U(1))
    return shl(ONE, position)


@compiled(part="expression")
def _drop_lowest(m, when):
    return band(m, add(m, select(when, U(0xFFFFFFFF), ZERO)))


@compiled(part="expression")
def nth_of_hand(m, k):
    """The k-th set bit of `m` as a mask, for at most six set bits."""
    m = _drop_lowest(m, lt(ZERO, k))
    m = _drop_lowest(m, lt(ONE, k))
    m = _drop_lowest(m, lt(U(2), k))
    m = _drop_lowest(m, lt(U(3), k))
    m = _drop_lowest(m, lt(U(4), k))
    return lowest_bit(m)


@compiled(part="expression")
def below(word, n):
    """A number below n < 2**16 by a random word: the high half of their product, from 32-bit products alone.

    LLVM would compare the 64-bit product wherever the result is compared, at twice the work.
    """
    low = shr(mul(band(word, U(0xFFFF)), n), U(16))
    return shr(add(mul(shr(word, U(16)), n), low), U(16))


@compiled(part="expression")
def pick(m, word):
    """One of at most six set bits of `m`, by a random word (multiply-shift)."""
    return nth_of_hand(m, below(word, popcount(m)))
