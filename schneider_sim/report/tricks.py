"""A deal trick by trick: where the honours go, and when the first leader's gain is made."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from .intervals import band
from .style import BLUE, COLOURS, MUTED, VERMILLION

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

    frames: policy -> the frame of `honour_flow`.
    """
    ends = []
    for (name, frame), colour in zip(frames.items(), COLOURS * len(frames), strict=False):
        by_side = frame.pivot(index="trick", columns="side", values="honours")
        ahead = (by_side["first"] - by_side["second"]).cumsum()
        ax.plot(ahead.index, ahead.to_numpy(), color=colour, linewidth=1.8)
        ends.append((float(ahead.iloc[-1]), name, colour))
    _tricks(ax, frame, stock_tricks)
    _label_ends(ax, ends)
    ax.axhline(0, color=MUTED, linewidth=0.8)
    ax.set_ylabel("honours ahead")
    return ax


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
