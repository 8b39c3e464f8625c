"""A deal trick by trick: where the honours go, and when the first leader's gain is made."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .intervals import band
from .style import BLUE, EIGHT, MUTED, PALE, VERMILLION

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def honour_flow(ax: "Axes", frame: "pd.DataFrame", stock_tricks: int = 10) -> "Axes":
    """Mean honours captured in each trick by the first leader and by the other player, with their intervals.

    frame: columns side (first, second), trick, honours, low, high; stock_tricks: tricks until the stock is empty.
    """
    ends = []
    for side, colour, text in (("first", BLUE, "first leader"), ("second", VERMILLION, "other player")):
        part = frame[frame["side"] == side]
        band(ax, part["trick"].to_numpy(), part["honours"].to_numpy(), part["low"].to_numpy(), part["high"].to_numpy(),
             colour, marker="o")
        ends.append((float(part["honours"].iloc[-1]), text, colour))
    ax.set_ylim(bottom=0)
    _tricks(ax, frame, stock_tricks)
    _label_ends(ax, ends)
    ax.set_ylabel("honours per trick")
    return ax


def lead_gain(ax: "Axes", frames: "Mapping[str, pd.DataFrame]", stock_tricks: int = 10) -> "Axes":
    """Honours that the first leader is ahead after each trick, a line for each policy against itself.

    frames: policy -> the frame of `honour_flow`. Later lines are thinner and every second one dashed, so that those
    which coincide are all seen; a line far above all others leaves the axes, and its label says where it ends. Beyond
    the first eight, which are named, lines are pale.
    """
    lines = {name: _ahead(frame) for name, frame in frames.items()}
    cut = _cut(lines)
    ends = []
    for line in list(lines.values())[len(EIGHT) :]:
        ax.plot(range(1, len(line) + 1), line, color=PALE, linewidth=0.9, zorder=1)
    for place, ((name, line), colour) in enumerate(zip(lines.items(), EIGHT, strict=False)):
        ax.plot(range(1, len(line) + 1), line, color=colour, linewidth=3.0 - min(0.35 * place, 1.4),
                linestyle=(0, (2.2, 1.4)) if place % 2 else "-", dash_capstyle="butt", zorder=2 + 0.1 * place)
        ends.append((float(line[-1]), name if line[-1] <= 1.2 * cut else f"↑ {name}: {line[-1]:.1f}", colour))
    ax.set_ylim(min(0.0, *(float(line.min()) for line in lines.values())) - 0.05 * cut, 1.15 * cut)
    _tricks(ax, next(iter(frames.values())), stock_tricks)
    top = ax.get_ylim()[1]
    _label_ends(ax, [(min(height, 0.97 * top), name, colour) for height, name, colour in ends])
    ax.axhline(0, color=MUTED, linewidth=0.8)
    ax.set_ylabel("honours ahead")
    return ax


def leaves_axes(frames: "Mapping[str, pd.DataFrame]") -> bool:
    """Whether `lead_gain` lets a line end above its axes."""
    lines = {name: _ahead(frame) for name, frame in frames.items()}
    return any(float(line[-1]) > 1.2 * _cut(lines) for line in lines.values())


def _cut(lines: "Mapping[str, npt.NDArray[np.float64]]") -> float:
    """The highest that the axes must show: the top line, or the next one where that is not half as high."""
    tops = sorted((float(line.max()) for line in lines.values()), reverse=True)
    return tops[1] if len(tops) > 1 and 0 < 2 * tops[1] < tops[0] else tops[0]


def _ahead(frame: "pd.DataFrame") -> "npt.NDArray[np.float64]":
    by_side = frame.pivot(index="trick", columns="side", values="honours")
    found: npt.NDArray[np.float64] = (by_side["first"] - by_side["second"]).cumsum().to_numpy()
    return found


def _label_ends(ax: "Axes", ends: list[tuple[float, str, str]]) -> None:
    """Names at the right ends of lines, moved apart where they would overlap."""
    ends = sorted(ends)
    low, high = ax.get_ylim()
    gap, place = (high - low) / 11, -np.inf
    for height, name, colour in ends:
        place = max(height, place + gap)
        ax.annotate(name, (1.0, height), xycoords=("axes fraction", "data"), xytext=(1.012, place),
                    textcoords=("axes fraction", "data"), va="center", color=colour, fontsize=9, annotation_clip=False)


def _tricks(ax: "Axes", frame: "pd.DataFrame", stock_tricks: int) -> None:
    last = int(frame["trick"].max())
    ax.axvline(stock_tricks + 0.5, color=MUTED, linewidth=0.9, linestyle="--")
    ax.annotate("stock runs out", (stock_tricks + 0.5, 1), xycoords=("data", "axes fraction"), xytext=(4, -2),
                textcoords="offset points", fontsize=8, color=MUTED, va="top")
    ax.set_xticks(range(1, last + 1))
    ax.set_xlim(0.7, last + 0.3)
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + 0.1 * (high - low))
    ax.set_xlabel("trick")
