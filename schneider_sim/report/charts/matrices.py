"""Heat maps: who gains from whom, rules against rules, leads by rank and trick."""

import functools
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.estimate import decimals, percent
from .fitting import size_within, text_points, ticks_within
from .names import LONGEST
from .numbers import plain
from .paper import is_narrow, layout_width, now
from .style import BLUE, GRID, MUTED, PAPER, VERMILLION, readable_on

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

FEW = 30  # leads below which a cell is hatched


def diverging() -> "Colormap":
    """Vermillion for losses over white to blue for gains: told apart by every kind of eye, and in grey by the signs.

    For print: white for losses to black for gains.
    """
    return _map("#ffffff", "#bdbdbd", "#1a1a1a") if now().is_print else _map(VERMILLION, "#f7f7f7", BLUE)


@functools.cache
def _map(*colours: str) -> "Colormap":
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("gain", colours)


def payoff_heat_map(ax: "Axes", names: Sequence[str], values: Any, lows: Any, highs: Any, unit: str) -> "Axes":
    """What the row's policy gains from the column's, with its interval; hatched where that holds 0.

    values, lows, highs: float64[names, names], NaN where nothing was played; the diagonal is grey. Beyond 12 names
    the cells hold no numbers.
    """
    _matrix(ax, names, names, values, lows, highs, unit, self_play=True)
    ax.set_xlabel("against")
    return ax


def factorial_heat_map(ax: "Axes", rows: Sequence[str], columns: Sequence[str], values: Any, lows: Any, highs: Any,
                       unit: str, row_title: str = "lead", column_title: str = "follow") -> "Axes":
    """Every row rule with every column rule: value and interval in each cell; hatched where the interval holds 0.

    NaN, drawn grey: the opponent itself, so that nothing was played.
    """
    _matrix(ax, rows, columns, values, lows, highs, unit)
    ax.set_xlabel(column_title)
    ax.set_ylabel(row_title)
    return ax


def heat_map_height(rows: Sequence[str], columns: Sequence[str]) -> float:
    """The height of a figure of a heat map with these labels, in inches."""
    wrapped, ticks = _column_labels(columns, rows)
    few = 0.42 if len(rows) <= NUMBERED else 0.14
    pitch = _ROW if len(columns) <= NUMBERED else max(few, min(0.3, 5.2 / len(columns)))
    below = text_points(wrapped, ticks["fontsize"]) / 72 if ticks["rotation"] else 0.15
    return max(2.4, pitch * len(rows) + (0.6 if ticks["rotation"] == 35 else 1.0) * below + 0.8)


NUMBERED = 12
"""Columns up to which the cells of a heat map hold their numbers."""
_ROW = 0.55  # height of a row with numbers, in inches


def _pitch(columns: Sequence[str], rows: Sequence[str]) -> float:
    """About how wide a column is, in points."""
    beside = text_points([fill(row, LONGEST) for row in rows], 9) / 72
    return 72 * max(1.6 if is_narrow() else 2.5, layout_width() - 1.25 - beside) / len(columns)


def _column_labels(columns: Sequence[str], rows: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """The column labels, on several lines where there is room for that, and how they stand."""
    pitch = _pitch(columns, rows)
    wrapped = [fill(name, LONGEST) for name in columns]
    ticks = ticks_within(wrapped, pitch)
    return (list(columns), ticks_within(columns, pitch)) if ticks["rotation"] == 90 else (wrapped, ticks)


def _matrix(ax: "Axes", rows: Sequence[str], columns: Sequence[str], values: Any, lows: Any, highs: Any, unit: str,
            self_play: bool = False) -> None:
    values, lows, highs = (np.asarray(table, float) for table in (values, lows, highs))
    largest = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 1.0
    grid(ax, len(rows), len(columns), 1.5 if len(columns) <= NUMBERED else 0.5)
    scale = _root(largest or 1.0)
    image = ax.imshow(np.ma.masked_invalid(scale(values)), cmap=diverging(), vmin=-1, vmax=1, aspect="auto")
    for i, j in np.ndindex(values.shape):
        if not np.isfinite(values[i, j]):
            cell(ax, i, j, hatch="..." if self_play and i != j else "", face=GRID)
        elif lows[i, j] <= 0 <= highs[i, j]:
            cell(ax, i, j, hatch="////")
    if _has_numbers(columns, rows):
        _numbers(ax, values, lows, highs, scale, _pitch(columns, rows))
    wrapped, ticks = _column_labels(columns, rows)
    ax.set_xticks(range(len(columns)), wrapped, **ticks)
    tall = min(len(columns), len(rows)) <= NUMBERED
    ax.set_yticks(range(len(rows)), [fill(row, LONGEST) if tall else row for row in rows],
                  fontsize=9 if tall else min(9, max(6.0, 350 / len(rows))))
    marks = [largest * part for part in (-1, -0.25, 0, 0.25, 1)]
    bar = ax.figure.colorbar(image, ax=ax, fraction=0.04, pad=0.02, ticks=[float(scale(mark)) for mark in marks])
    bar.ax.set_yticklabels([f"{mark:+.2g}".replace("-", "−") if mark else "0" for mark in marks])
    bar.set_label(f"{unit}\n(colour by its square root)", fontsize=8)
    bar.outline.set_visible(False)


def _has_numbers(columns: Sequence[str], rows: Sequence[str]) -> bool:
    """Whether the cells have room for numbers that can be read."""
    return len(columns) <= NUMBERED and (not is_narrow() or _pitch(columns, rows) >= 24)


def _numbers(ax: "Axes", values: Any, lows: Any, highs: Any, scale: Any, pitch: float) -> None:
    """Value and half-width in each cell, as large as the cells allow."""
    told = {}
    for i, j in np.argwhere(np.isfinite(values)).tolist():
        places = decimals(lows[i, j], highs[i, j])
        half = plain((highs[i, j] - lows[i, j]) / 2, places)
        told[i, j] = plain(values[i, j], places, sign=True), f"±{half}"
    size = size_within([text for both in told.values() for text in both], 0.92 * pitch, 8.5)
    for (i, j), (value, half) in told.items():
        colour = readable_on(*diverging()((1 + float(scale(values[i, j]))) / 2)[:3])
        style: Any = {"ha": "center", "fontsize": size, "color": colour}
        ax.text(j, i - 0.03, value, va="bottom", **style)
        ax.text(j, i + 0.03, half, va="top", **style)


def _root(largest: float) -> Any:
    """A signed root scale to -1..1, so that small differences show beside large ones."""
    return lambda value: np.sign(value) * np.sqrt(np.abs(value) / largest)


def grid(ax: "Axes", rows: int, columns: int, gap: float = 1.5) -> None:
    """Axes of a table: no frame, thin gaps between the cells."""
    ax.grid(visible=False)
    ax.set_xticks(np.arange(columns - 1) + 0.5, minor=True)
    ax.set_yticks(np.arange(rows - 1) + 0.5, minor=True)
    ax.grid(visible=True, which="minor", color=PAPER, linewidth=gap)
    ax.tick_params(which="both", length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)


def cell(ax: "Axes", row: int, column: int, hatch: str, face: str = "none") -> None:
    """Mark the cell of a heat map by a hatch, or fill it."""
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=face != "none", facecolor=face, edgecolor=MUTED,
                           hatch=hatch, linewidth=0))


def lead_success(ax: "Axes", frame: "pd.DataFrame", ranks: str) -> "Axes":
    """How often a led card won its trick, rank by trick; hatched below 30 leads, empty where there was none.

    frame: columns trick, rank, held, n, one row a cell; ranks: from low to high, drawn from the bottom up.
    """
    tricks = int(frame["trick"].max()) if len(frame) else 1
    held, n = (np.zeros((len(ranks), tricks)) for _ in range(2))
    rows = frame["rank"].map(ranks[::-1].index).to_numpy()
    np.add.at(held, (rows, frame["trick"].to_numpy() - 1), frame["held"].to_numpy())
    np.add.at(n, (rows, frame["trick"].to_numpy() - 1), frame["n"].to_numpy())
    shares = np.divide(held, n, out=np.full_like(held, np.nan), where=n > 0)
    grid(ax, len(ranks), tricks)
    colours = _map("#2b2b2b", "#ffffff") if now().is_print else "cividis"
    image = ax.imshow(np.ma.masked_invalid(shares), cmap=colours, vmin=0, vmax=1, aspect="auto")
    for i, j in np.ndindex(shares.shape):
        if n[i, j] == 0:
            continue
        colour = readable_on(*image.cmap(shares[i, j])[:3])
        if n[i, j] < FEW:
            _few(ax, i, j, colour)
        else:
            ax.text(j, i, percent(float(shares[i, j])), ha="center", va="center", fontsize=7.5, color=colour)
    ax.set_xticks(range(tricks), [str(trick + 1) for trick in range(tricks)])
    ax.set_yticks(range(len(ranks)), list(ranks[::-1]))
    ax.set_xlabel("trick")
    ax.set_ylabel("rank led")
    bar = ax.figure.colorbar(image, ax=ax, fraction=0.03, pad=0.01, ticks=[0, 0.5, 1])
    bar.ax.set_yticklabels(["0 %", "50 %", "100 %"])
    bar.outline.set_visible(False)
    return ax


def _few(ax: "Axes", row: int, column: int, colour: str) -> None:
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=colour, hatch="/////", linewidth=0))
