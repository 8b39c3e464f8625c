"""Reading numbers at machine addresses: what a compiled loop reads millions of times must count no references."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _reader(bits: int, returns: Any, widen: Callable[..., Any]) -> Any:
    @intrinsic
    def read(typingctx: Any, address: Any, index: Any) -> Any:
        """The number at place `index` of the array that begins at `address`."""

        def load(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            start = builder.inttoptr(args[0], ir.IntType(bits).as_pointer())
            return widen(builder, builder.load(builder.gep(start, [args[1]])), ir.IntType(returns.bitwidth))

        return returns(types.int64, index), load

    return read


def _same(builder: Any, word: Any, kind: Any) -> Any:
    return word


read_int8 = _reader(8, types.int64, lambda builder, word, kind: builder.sext(word, kind))
read_uint32 = _reader(32, types.uint64, lambda builder, word, kind: builder.zext(word, kind))
read_int64 = _reader(64, types.int64, _same)
read_uint64 = _reader(64, types.uint64, _same)
