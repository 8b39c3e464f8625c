"""Named fields: the int64 numbers of a NumPy structured dtype, as compiled functions read and write them by name.

`s.contract` is a number, `s.hand[seat]` one of an array, `me.bid.words[i]` one of a field within a field. The dtype is
the layout: names, sizes and offsets come from NumPy. Like cells (cells.py) they are one pointer and nothing else, so
the caller that makes them keeps the array alive (docs/decisions/005-named-fields.md has what that costs).
"""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import lower_setattr_generic
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_getattr_generic, register_model

from ....compiled.cells import CELLS

_I64 = ir.IntType(64)


class FieldsType(types.Type):
    """The Numba type of the fields of a dtype that holds int64, arrays of them, and dtypes of that kind."""

    def __init__(self, dtype: "np.dtype[Any]") -> None:
        self.size, self.places = dtype.itemsize // 8, {}
        self.kinds: dict[str, types.Type] = {}
        for name, (kind, offset, *_) in (dtype.fields or {}).items():
            self.places[name] = offset // 8
            base, several = kind.base, kind.shape != ()
            if base.fields:
                self.kinds[name] = SeriesType(FieldsType(base)) if several else FieldsType(base)
            else:
                self.kinds[name] = CELLS if several else types.int64
        super().__init__(name=f"Fields({self.places}, {self.kinds})")


class SeriesType(types.Type):
    """The Numba type of several fields of one dtype, one after the other: `some[i]` are the fields of one."""

    def __init__(self, each: FieldsType) -> None:
        self.each = each
        super().__init__(name=f"Series({each.name})")


@register_model(FieldsType)
@register_model(SeriesType)
class _PointerModel(models.PrimitiveModel):
    def __init__(self, manager: Any, fe_type: Any) -> None:
        super().__init__(manager, fe_type, _I64.as_pointer())


@infer_getattr
class _Names(AttributeTemplate):
    key = FieldsType

    def generic_resolve(self, some: FieldsType, name: str) -> Any:
        return some.kinds.get(name)


def _place(builder: Any, some: FieldsType, pointer: Any, name: str) -> Any:
    return builder.gep(pointer, [_I64(some.places[name])])


@lower_getattr_generic(FieldsType)
def _get(context: Any, builder: Any, some: FieldsType, pointer: Any, name: str) -> Any:
    place = _place(builder, some, pointer, name)
    return builder.load(place) if some.kinds[name] is types.int64 else place


@lower_setattr_generic(FieldsType)
def _set(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    some, value = sig.args
    assert some.kinds[name] is types.int64, f"{name} is an array: one place of it can be set"
    number = context.cast(builder, args[1], value, types.int64)
    builder.store(number, _place(builder, some, args[0], name))


@infer_global(operator.getitem)
class _OneOfSeries(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], SeriesType) and isinstance(args[1], types.Integer):
            return signature(args[0].each, args[0], types.int64)
        return None


@lower_builtin(operator.getitem, SeriesType, types.Integer)
def _one(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.gep(args[0], [builder.mul(args[1], _I64(sig.args[0].each.size))])


@intrinsic
def numbers(typingctx: Any, some: Any) -> Any:
    """The cells of some fields, for loops over neighbours."""
    return CELLS(some), lambda context, builder, sig, args: args[0]


@intrinsic
def address_of(typingctx: Any, some: Any) -> Any:
    """The address of some fields as an int64, for a unit."""
    return types.int64(some), lambda context, builder, sig, args: builder.ptrtoint(args[0], _I64)


def fields_of(kind: types.Type) -> tuple[Any, Any]:
    """Two functions for compiled code: the fields in a contiguous int64 array from a place on, those at an address."""

    @intrinsic
    def in_array(typingctx: Any, array: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            data = context.make_array(sig.args[0])(context, builder, args[0]).data
            return cgutils.gep_inbounds(builder, data, args[1])

        return kind(array, types.int64), generate

    @intrinsic
    def at_address(typingctx: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], _I64.as_pointer())

        return kind(types.int64), generate

    return in_array, at_address
