"""Forest plots: estimates with their intervals, one a line."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.estimate import decimals
from .fitting import size_within, text_inches, ticks_within
from .names import labels
from .numbers import plain
from .paper import is_narrow, layout_width
from .style import BLUE, INK, MUTED, PAPER, VERMILLION

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Line(NamedTuple):
    """A line of a forest plot; `is_open` draws a hollow mark."""

    label: str
    value: float
    low: float
    high: float
    is_open: bool = False


def forest(ax: "Axes", lines: Sequence[Line], unit: str, scale: str = "linear", zero: float | None = None,
           notes: bool = True, percent: bool = False, colour: str = BLUE) -> "Axes":
    """Estimates with intervals, the first line on top.

    unit: the axis label; scale: linear, log (for rare rates; an interval that reaches 0 ends in an arrow) or symlog;
    zero: where to draw a line; notes: print value and interval at the right; percent: print them in per cent.
    """
    floor, over = floor_of(lines, scale), stands_over([line.label for line in lines])
    for place, line in enumerate(lines):
        low, high = max(line.low, floor), max(line.high, floor)
        ax.plot([low, high], [place, place], color=colour, linewidth=2.2, solid_capstyle="butt")
        if line.low < floor:
            ax.plot([floor], [place], marker="<", color=colour, markersize=5, clip_on=False)
        if line.value >= floor:
            ax.plot([line.value], [place], marker="o", markersize=6, color=colour,
                    markerfacecolor=PAPER if line.is_open else colour)
        if over:
            said = f"{line.label}   {note(line, percent)}" if notes else line.label
            label_over(ax, said, place)
        elif notes:
            ax.annotate(note(line, percent), (1.01, place), xycoords=("axes fraction", "data"), va="center", fontsize=8,
                        color=INK, annotation_clip=False)
    ax.set_yticks(range(len(lines)), ["" if over else line.label for line in lines])
    ax.set_ylim(len(lines) - 0.4, -0.9 if over else -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    _set_scale(ax, scale, lines, floor, percent)
    if zero is not None:
        ax.axvline(zero, color=VERMILLION, linewidth=1.2, zorder=0.5)
    ax.xaxis.set_major_formatter(_percent if percent else _number)
    ax.set_xlabel(unit)
    return ax


MOST = 60
"""Lines of a forest plot or of stacked bars that can still be read."""


def height_of(lines: Sequence[Any]) -> float:
    """The height of a figure with these lines (a Line, or a row that begins with its label), in inches."""
    return max(1.7, pitch_of(lines) * len(lines) + 0.95)


def pitch_of(lines: Sequence[Any]) -> float:
    """The height of such a line, in inches."""
    return 0.44 if stands_over([line[0] for line in lines]) else 0.235


def stands_over(labels: Sequence[str]) -> bool:
    """Whether labels stand over their lines, since the figure is too narrow for them beside it."""
    return is_narrow() and text_inches(labels, 9, 99) > 0.3 * layout_width()


def label_over(ax: "Axes", text: str, place: float, rise: float = 6) -> None:
    """A label over the line at a place, at the left, made smaller where it is too long."""
    size = size_within([text], 72 * (layout_width() - 0.3), 8)
    ax.annotate(text, (0, place), xycoords=("axes fraction", "data"), xytext=(0, rise), textcoords="offset points",
                fontsize=size, color=INK, va="bottom", ha="left", annotation_clip=False)


def note(line: Line, percent: bool = False) -> str:
    """The estimate and its interval with the digits that the interval allows."""
    factor, sign = (100.0, " %") if percent else (1.0, "")
    low, high = factor * line.low, factor * line.high
    places = decimals(low, high)
    return f"{plain(factor * line.value, places)}{sign}  ({plain(low, places)} to {plain(high, places)})"


def _percent(value: float, _: Any = None) -> str:
    return f"{100 * value:.10f}".rstrip("0").rstrip(".") + " %"


def _number(value: float, _: Any = None) -> str:
    return f"{value:.6g}".replace("-", "−")


def floor_of(lines: Sequence[Line], scale: str) -> float:
    """On a log axis, below which an interval ends in an arrow, the smallest number that is drawn."""
    if scale != "log":
        return -math.inf
    positive = [number for line in lines for number in (line.low, line.value, line.high) if number > 0]
    seen = [number for line in lines for number in (line.low, line.value) if number > 0]
    return min(seen or positive or [1e-3]) / 1.8


def _set_scale(ax: "Axes", scale: str, lines: Sequence[Line], floor: float, percent: bool) -> None:
    top = max([line.high for line in lines] + [10 * floor])
    if scale == "log":
        from matplotlib.ticker import LogLocator

        small = percent and floor < 5e-7  # so small a share has a long label
        ticks = 3 if percent and is_narrow() else 4 if small else 7
        ax.set_xscale("log")
        ax.set_xlim(floor, min(1.35 * top, 1.0) if percent else 1.35 * top)
        ax.xaxis.set_major_locator(LogLocator(subs=(1,) if top > 300 * floor else (1, 2, 5), numticks=ticks))
    elif scale == "symlog":
        bottom = min(line.low for line in lines)
        linear = 10.0 ** math.ceil(math.log10(max([-bottom, *(line.high - line.low for line in lines), 1e-6])))
        ax.set_xscale("symlog", linthresh=linear, linscale=0.6)
        ax.set_xlim(-1.2 * linear if bottom < 0 else 0, max(1.5 * top, 1.2 * linear))
    if scale != "linear":
        ax.minorticks_off()


def band(ax: "Axes", x: Any, value: Any, low: Any, high: Any, colour: str, marker: str = "") -> "Axes":
    """A line with its band."""
    ax.fill_between(x, low, high, color=colour, alpha=0.25, linewidth=0)
    ax.plot(x, value, color=colour, linewidth=1.8, marker=marker, markersize=4)
    return ax


def option_curve(ax: "Axes", settings: Sequence[str], value: Sequence[float], low: Sequence[float],
                 high: Sequence[float], unit: str, option: str = "", colour: str = BLUE, named: bool = True) -> "Axes":
    """A statistic as one option of a policy is varied: marks with intervals.

    Settings that are growing numbers stand at their place on a number line and are joined; others are categories, in
    their order, and are not. named: whether the settings are written along the axis.
    """
    numbers = _growing(settings)
    places = numbers or list(range(len(settings)))
    thin = len(settings) > 30
    ax.vlines(places, low, high, color=colour, linewidth=1.4 if thin else 2.2)
    ax.plot(places, value, color=colour, marker="o", markersize=3.5 if thin else 6, linewidth=1 if numbers else 0,
            alpha=0.9)
    ax.axhline(0, color=MUTED, linewidth=0.8, zorder=0)
    if not numbers:
        ax.set_xlim(-0.6, len(settings) - 0.4)
        ax.set_xticks(places, list(labels(settings).values()), **_ticks(settings))
        ax.grid(axis="x", visible=False)
    if named:
        ax.set_xlabel(option)
    else:
        ax.tick_params(axis="x", labelbottom=False)
    ax.set_ylabel(unit)
    return ax


def curve_height(settings: Sequence[str]) -> float:
    """The height of a figure of two curves over these settings, in inches."""
    if _growing(settings):
        return 5.6
    ticks = _ticks(settings)
    return 5.4 + text_inches(settings, ticks["fontsize"]) * math.sin(math.radians(ticks["rotation"]))


def _growing(settings: Sequence[str]) -> list[float]:
    """The settings as growing numbers; none where they are something else."""
    try:
        numbers = [float(setting) for setting in settings]
    except ValueError:
        return []
    return numbers if all(math.isfinite(b) and a < b for a, b in pairwise(numbers)) else []


def _ticks(settings: Sequence[str]) -> dict[str, Any]:
    """How the labels of a number of categories stand so that they do not run into each other."""
    return ticks_within(list(labels(settings).values()), 72 * (layout_width() - 0.9) / len(settings))
