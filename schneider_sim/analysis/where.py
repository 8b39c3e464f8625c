"""Filters on plays: comparisons of columns with numbers or text, joined by and, or, not and parentheses.

    points_a >= 2 and not (first_leader == "A" or 4 < tricks_a <= 8)
"""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.text import clean, shown, unknown
from ..errors import RequestError

Columns = Mapping[str, Any]  # name -> NumPy dtype, or the texts that a column's numbers stand for
Mask = npt.NDArray[np.bool_]
Filter = Callable[[Mapping[str, Any]], Mask]

_COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge}
_TURNED: dict[type, type] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq}
_LONGEST = 2000  # characters


def parse_filter(text: str, columns: Columns) -> Filter:
    """The filter of an expression over `columns`: from name -> values to a mask, bool[plays].

    Raises RequestError for anything but comparisons of columns with numbers or text and `and or not ( )`.
    """
    plain = clean(text).strip()
    if not plain or len(plain) > _LONGEST:
        raise _wrong("it is empty" if not plain else f"it is longer than {_LONGEST} characters", columns)
    try:
        tree = ast.parse(plain, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _wrong(f"'{shown(plain)}' cannot be read", columns) from None
    return _Reader(columns).read(tree)


def _wrong(what: str, columns: Columns) -> RequestError:
    return RequestError(f"--where: {what}; compare columns with numbers or text, such as points_a >= 2 and "
                        f"first_leader == \"A\" (columns: {', '.join(columns)})")


class _Reader:
    """Turns the parts of an expression into filters; knows the columns."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    def read(self, node: ast.expr) -> Filter:
        match node:
            case ast.BoolOp(op=op, values=values):
                parts = [self.read(value) for value in values]
                join = np.logical_and if isinstance(op, ast.And) else np.logical_or
                return lambda row: join.reduce([part(row) for part in parts])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                part = self.read(operand)
                return lambda row: ~part(row)
            case ast.Compare():
                return self._comparison(node)
        raise _wrong(f"'{shown(ast.unparse(node))}' is no comparison", self._columns)

    def _comparison(self, node: ast.Compare) -> Filter:
        """A comparison, or a chain of them such as 3 < tricks_a <= 8."""
        sides = [node.left, *node.comparators]
        parts = [self._pair(left, op, right)
                 for left, op, right in zip(sides, node.ops, sides[1:], strict=False)]
        return lambda row: np.logical_and.reduce([part(row) for part in parts])

    def _pair(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Filter:
        kind: type = type(op)
        if kind not in _COMPARE:
            raise _wrong("compare with == != < <= > >=", self._columns)
        if isinstance(right, ast.Name) and not isinstance(left, ast.Name):
            left, right, kind = right, left, _TURNED[kind]
        if not isinstance(left, ast.Name) or isinstance(right, ast.Name):
            text = f"{ast.unparse(left)} and {ast.unparse(right)}"
            raise _wrong(f"'{shown(text)}' are not a column and a number or text", self._columns)
        return self._column(left.id, kind, self._constant(right))

    def _column(self, name: str, kind: type, value: int | float | str) -> Filter:
        if name not in self._columns:
            raise unknown("column", name, self._columns)
        texts, compare = self._columns[name], _COMPARE[kind]
        if isinstance(texts, tuple) != isinstance(value, str):
            form = f"text, such as \"{texts[0]}\"" if isinstance(texts, tuple) else "numbers"
            raise RequestError(f"--where: {name} holds {form} and cannot be compared with {shown(value)}")
        if isinstance(value, str):
            if kind not in (ast.Eq, ast.NotEq):
                raise _wrong(f"{name} holds text, which can only be compared with == or !=", self._columns)
            if value not in texts:
                raise unknown(f"value of {name}", value, texts)
            value = texts.index(value)
        return lambda row: np.asarray(compare(row[name], value), bool)

    def _constant(self, node: ast.expr) -> int | float | str:
        match node:
            case ast.Constant(value=bool()):
                pass
            case ast.Constant(value=int() | float() | str() as value):
                return value
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=ast.Constant(value=int() | float() as value)):
                return -value if isinstance(sign, ast.USub) else value
        raise _wrong(f"'{shown(ast.unparse(node))}' is neither a number nor text", self._columns)
