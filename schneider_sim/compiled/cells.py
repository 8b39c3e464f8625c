"""Cells: the int64 numbers of an array as compiled functions pass them on, one pointer and nothing else.

Numba counts references to an array in every function that gets one, which costs a short deal more than its play, and
it tests every index for a negative one. Cells do neither: whoever makes them keeps the array alive, and every index
is a place in the vector. They exist in compiled code only: `cells(array)`, `c[i]`, `c[i] = x`.
"""

import operator
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, register_model

_I64 = ir.IntType(64)


class CellsType(types.Type):
    """The Numba type of cells."""

    def __init__(self) -> None:
        super().__init__(name="Cells")


CELLS = CellsType()


@register_model(CellsType)
class _CellsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _I64.as_pointer())


@infer_global(operator.getitem)
class _Get(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if args[0] is CELLS and isinstance(args[1], types.Integer):
            return signature(types.int64, CELLS, types.int64)
        return None


@infer_global(operator.setitem)
class _Set(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if args[0] is CELLS and isinstance(args[1], types.Integer):
            return signature(types.none, CELLS, types.int64, types.int64)
        return None


@lower_builtin(operator.getitem, CellsType, types.Integer)
def _load(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(builder.gep(args[0], [args[1]]))


@lower_builtin(operator.setitem, CellsType, types.Integer, types.Integer)
def _store(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    builder.store(args[2], builder.gep(args[0], [args[1]]))
    return context.get_dummy_value()


@intrinsic
def cells(typingctx: Any, array: Any, place: Any) -> Any:
    """The cells of a contiguous int64 array from `place` on."""

    def address(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        return cgutils.gep_inbounds(builder, data, args[1])

    return CELLS(array, types.int64), address


class Address(int):
    """Where an int64 array lies, for compiled code (see `cells_at`); it keeps the array alive."""

    array: npt.NDArray[np.int64]

    @classmethod
    def of(cls, array: npt.NDArray[np.int64]) -> "Address":
        """The address of a contiguous array."""
        address = cls(array.ctypes.data)
        address.array = array
        return address


@intrinsic
def cells_at(typingctx: Any, address: Any) -> Any:
    """The cells of the int64 array at an Address."""

    def pointer(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], _I64.as_pointer())

    return CELLS(types.int64), pointer


@intrinsic
def keep_alive(typingctx: Any, *arrays: Any) -> Any:
    """Stands at the end of a function so that the arrays of its cells live until then."""
    return types.void(types.StarArgTuple(arrays)), lambda context, builder, sig, args: context.get_dummy_value()
