"""The one shape of everything that a command finds: a summary, named tables, figures, JSON, a page in a notebook."""

import html
import json
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..base.estimate import show
from ..base.text import unknown
from ..errors import RequestError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Drawings = Mapping[str, "Callable[..., Figure]"]  # each takes width, style and small_print
_CLOCK = ("deals_per_second", "seconds", "sentences")  # what the clock decides, not the deals


class Outcome:
    """What a function of the library returns.

    Two outcomes are equal where their JSON is, but for what the clock of the machine decides. They can be pickled.
    """

    def as_dict(self) -> dict[str, Any]:
        """The outcome in the form of the command's `--json`."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The outcome in the form of the command's `--json`: plain numbers, texts, lists and dicts."""
        return self.as_dict()

    @property
    def tables(self) -> "dict[str, pd.DataFrame]":
        """Every list of objects in `to_dict()` as a DataFrame, by the name that it has there.

        An object within a row becomes columns: `estimate` with `value` and `low` gives `estimate_value`,
        `estimate_low`. Numbers are int64 or float64; what is null in JSON is NaN.
        """
        return {name: frame(rows) for name, rows in self.to_dict().items() if is_table(rows)}

    def table(self, name: str) -> "pd.DataFrame":
        """The table called `name`; RequestError where there is none."""
        tables = self.tables
        if name not in tables:
            raise unknown("table", name, tables)
        return tables[name]

    @property
    def summary(self) -> "pd.DataFrame":
        """The main table: what one looks at first."""
        return next(iter(self.tables.values()))

    def _drawings(self) -> Drawings:
        return {}

    @property
    def figures(self) -> list[str]:
        """The names that `figure` takes."""
        return list(self._drawings())

    def figure(self, name: str | None = None, *, width: float | str | None = None, style: str | None = None,
               small_print: bool = True) -> "Figure":
        """The Matplotlib figure called `name`, by default the first of `figures`; a new one in each call.

        width: 80 to 500 in millimetres, or text such as "3.5in"; by default 178, the width of the page. style:
        "screen" (default), or for black-and-white print "print" or "print-serif". small_print: game, rules,
        policies, n, level and seed below the figure. It shows itself in a notebook; its axes (`figure.axes`) may be
        changed before it is shown or saved.
        Raises RequestError for a setting that cannot be, or where there is no figure of that name.
        """
        drawings = self._drawings()
        if not drawings:
            raise RequestError("this outcome has no figure")
        if name is not None and name not in drawings:
            raise unknown("figure", name, drawings)
        return drawings[name or next(iter(drawings))](width=width, style=style, small_print=small_print)

    def _html_head(self) -> str:
        return ""

    def _repr_html_(self) -> str:
        head = "".join(f"<p>{html.escape(line)}</p>" for line in self._html_head().splitlines())
        shown: str = with_intervals(self.summary).to_html(index=False, border=0, na_rep="",
                                                          float_format=lambda x: f"{x:.4g}")
        return head + shown

    def _compared(self) -> str:
        return json.dumps(_timeless(self.to_dict()), sort_keys=True)

    def __eq__(self, other: object) -> bool:
        return self._compared() == other._compared() if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._compared())


def is_table(value: Any) -> bool:
    """Whether a value of a JSON document is a list of objects."""
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def frame(rows: list[dict[str, Any]]) -> "pd.DataFrame":
    """Objects as the rows of a DataFrame, objects within them as columns."""
    import pandas as pd

    return pd.json_normalize(rows, sep="_").infer_objects()


def with_intervals(table: "pd.DataFrame") -> "pd.DataFrame":
    """A table to be read: a value and its limits become one column, with no more digits than the interval allows."""
    shown = table.copy()
    for low in [name for name in table.columns if name == "low" or name.endswith("_low")]:
        prefix = low.removesuffix("low")
        candidates = (f"{prefix}value", prefix.removesuffix("_"), table.columns[table.columns.get_loc(low) - 1])
        value = next((name for name in candidates if name in table and table[name].dtype == float), None)
        if value is None or f"{prefix}high" not in table or shown[value].dtype != float:
            continue
        triples = zip(table[value], table[low], table[f"{prefix}high"], strict=True)
        shown[value] = [show(*three) if all(map(math.isfinite, three)) else f"{three[0]:.3g}" for three in triples]
        shown = shown.drop(columns=[low, f"{prefix}high"])
    return shown


def _timeless(value: Any) -> Any:
    """A JSON value without what the clock decides."""
    if isinstance(value, dict):
        return {key: _timeless(part) for key, part in value.items() if key not in _CLOCK}
    return [_timeless(part) for part in value] if isinstance(value, list) else value
