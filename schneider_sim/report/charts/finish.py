"""The last steps of a figure: its small print, the look of the paper that it is for, and its final size."""

import re
from collections.abc import Callable, Iterable, Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from . import paper as papers
from .names import key, width
from .style import MUTED, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SMALL_PRINT = "small-print"  # the id of its group in SVG
_SIZE, _LEADING, _LETTER = 6.5, 1.3, 0.56  # of the small print: points, line height, a letter's mean width
_MARGIN = 0.06  # inches


def finished(draw: "Callable[[], Figure]", paper: papers.Paper, note: "str | Callable[[str], str]" = "") -> "Figure":
    """The figure that `draw` makes for a paper.

    note: its small print, a text, or what gives it for the texts in the figure.
    """
    with style(paper):
        figure = draw()
        said = note if isinstance(note, str) else note("\n".join(texts_of(figure)))
        if said:
            sign(figure, said)
        if paper.is_print:
            from .greys import in_greys

            in_greys(figure)
        if paper.scale != 1:
            shrink(figure, paper.scale)
        return figure


def texts_of(figure: "Figure") -> list[str]:
    """All texts of a figure."""
    from matplotlib.text import Text

    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def key_in(blob: str, names: Iterable[str], longest: int | None = None) -> str:
    """The names that a figure with these texts cuts, with what they stand for, as a sentence; "" for none."""
    cut: Mapping[str, str] = key(names) if longest is None else key(names, longest)
    found = [f"{label} = {name}" for label, name in cut.items() if label in blob or _wrapped(label, blob)]
    return f"Names cut: {'; '.join(found)}." if found else ""


def _wrapped(label: str, blob: str) -> bool:
    """Whether a label stands in the texts on several lines."""
    return re.search(r"\s+".join(map(re.escape, label.split())), blob) is not None


def named_in(blob: str, names: Iterable[str]) -> list[str]:
    """The names, or their labels, that stand in some texts."""
    from .names import labels

    every = list(names)
    short = labels(every)
    return [name for name in every if any(re.search(rf"(?<!\w){_spaced(text)}(?!\w)", blob)
                                          for text in {name, short[name]})]


def _spaced(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split()))


def sign(figure: "Figure", text: str) -> None:
    """Set small print below a figure, which grows by as much."""
    wide, high = figure.get_size_inches()
    columns = int(72 * (wide - 2 * _MARGIN) / (_LETTER * _SIZE))
    lines = [line for part in text.splitlines() for line in _broken(part, columns)]
    extra = (len(lines) * _SIZE * _LEADING + 4) / 72
    figure.set_size_inches(wide, high + extra)
    engine: Any = figure.get_layout_engine()
    if engine is not None:
        engine.set(rect=(0, extra / (high + extra), 1, high / (high + extra)))
    figure.text(_MARGIN / wide, 0.3 * _MARGIN / (high + extra), "\n".join(lines), fontsize=_SIZE, color=MUTED,
                va="bottom", ha="left", linespacing=_LEADING, gid=SMALL_PRINT)
    figure.small_print_inches = extra  # type: ignore[attr-defined]


def _broken(text: str, columns: int) -> list[str]:
    """A text in lines of a number of columns; characters of full width count twice."""
    broad = max(1.0, width(text) / max(1, len(text)))
    return wrap(text, int(columns / broad), break_on_hyphens=False) or [""]


def shrink(figure: "Figure", scale: float) -> None:
    """Make a figure smaller in all its parts: letters, lines, marks and distances."""
    from matplotlib.collections import Collection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.text import Annotation, Text

    wide, high = figure.get_size_inches().tolist()
    figure.set_size_inches(wide * scale, high * scale)
    if hasattr(figure, "small_print_inches"):
        figure.small_print_inches *= scale
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            axis.labelpad = scale * float(axis.labelpad)
    for text in figure.findobj(Text):
        text.set_fontsize(float(text.get_fontsize()) * scale)
        if isinstance(text, Annotation) and text.anncoords == "offset points":
            text.xyann = (scale * text.xyann[0], scale * text.xyann[1])
    for line in figure.findobj(Line2D):
        line.set_linewidth(line.get_linewidth() * scale)
        line.set_markersize(line.get_markersize() * scale)
        line.set_markeredgewidth(float(line.get_markeredgewidth()) * scale)
    for patch in figure.findobj(Patch):
        patch.set_linewidth(patch.get_linewidth() * scale)
    for some in figure.findobj(Collection):
        some.set_linewidth([scale * one for one in np.atleast_1d(some.get_linewidth()).tolist()])
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            _shrink_ticks(axis, scale)


def _shrink_ticks(axis: Any, scale: float) -> None:
    """The settings of ticks, for those that are there and those to come; their labels are small already."""
    first = axis.get_major_ticks(1)[0]
    axis.set_tick_params(which="major", pad=first.get_pad() * scale, length=first._size * scale,
                         width=first._width * scale, labelsize=first.label1.get_size())
