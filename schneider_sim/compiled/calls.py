"""Compiled functions that are called at their address: each is compiled apart, once, whoever calls it.

An intrinsic knows the types of what it is given; the function at the address must have been compiled for the same ones.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def address_of(typingctx: Any, pointer: Any) -> Any:
    """The address of cells (cells.py) or of rows (lanes.py)."""
    return types.int64(pointer), lambda context, builder, sig, args: builder.ptrtoint(args[0], ir.IntType(64))


@intrinsic
def call_at(typingctx: Any, address: Any, *arguments: Any) -> Any:
    """Call the compiled function at an address, which returns nothing and raises nothing."""
    given = tuple(types.unliteral(each) for each in arguments)

    def call(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        convention = context.call_conv
        pointer = builder.inttoptr(args[0], convention.get_function_type(types.none, given).as_pointer())
        values = [context.cast(builder, value, before, after) for value, before, after in zip(
            cgutils.unpack_tuple(builder, args[1]), signature.args[1].types, given, strict=True)]
        convention.call_function(builder, pointer, types.none, given, values)
        return context.get_dummy_value()

    return types.void(types.int64, types.StarArgTuple(arguments)), call


def entry(function: Any, arguments: tuple[Any, ...]) -> int:
    """The address of a compiled function for arguments of some types, compiled or read from the cache."""
    function.compile(arguments)
    made = function.overloads[arguments]
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))
