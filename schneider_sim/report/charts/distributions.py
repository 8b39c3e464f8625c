"""How results are spread: honours by first leader, session outcomes, what becomes of replies."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.estimate import percent
from .fitting import text_points
from .intervals import label_over, stands_over
from .paper import is_narrow, layout_width
from .style import BLUE, GRID, INK, MUTED, PALE, SKY, VERMILLION, readable_on

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_FIRST_COLOURS = (BLUE, VERMILLION)


def honour_distribution(ax: "Axes", frame: "pd.DataFrame", labels: dict[str, str], schneider_at: int = 16,
                        zones: bool = True) -> "Axes":
    """Shares of plays by honours taken, a line and simultaneous band for each first leader.

    frame: columns first_leader, honours, share, low, high; labels: first_leader -> text; zones: name what the
    honours are worth.
    """
    top = float(frame["high"].max())
    for (leader, text), colour in zip(labels.items(), _FIRST_COLOURS, strict=False):
        part = frame[frame["first_leader"] == leader]
        x, share = part["honours"].to_numpy(), part["share"].to_numpy()
        ax.bar(x, part["high"] - part["low"], bottom=part["low"], width=0.86, color=colour, alpha=0.3, linewidth=0)
        ax.plot(x, share, color=colour, marker="o", markersize=3.5, linewidth=1.4)
        right = float(x @ share) >= 10
        place = int(np.argmax(share * ((x >= 11) if right else (x <= 9))))
        ax.annotate(text, (x[place], part["high"].iloc[place]), xytext=(4 if right else -4, 4), fontsize=9,
                    color=colour, textcoords="offset points", ha="left" if right else "right")
    if zones:
        _zones(ax, schneider_at, top)
    ax.set_xlim(-0.7, 20.7)
    ax.set_ylim(0, 1.28 * top)
    ax.set_xticks(range(0, 21, 2))
    ax.yaxis.set_major_formatter(_percent)
    ax.grid(axis="x", visible=False)
    ax.set_xlabel("honours taken (of 20)")
    ax.set_ylabel("share of plays")
    return ax


def _percent(value: float, _: Any = None) -> str:
    return f"{100 * value:.3g} %"


def _zones(ax: "Axes", schneider_at: int, top: float) -> None:
    """Thin lines between loss, tie, win, Schneider and Schwarz, and their names along the top."""
    edges = [0.5, 20.5 - schneider_at, 9.5, 10.5, schneider_at - 0.5, 19.5]
    names = ["Schwarz", "lost Schneider", "lost", "tie", "won", "Schneider won", "Schwarz"]
    for edge in edges:
        ax.axvline(edge, color=GRID, linewidth=1, zorder=0)
    middles = [(a + b) / 2 for a, b in zip([-0.7, *edges], [*edges, 20.7], strict=True)]
    for middle, name in zip(middles, names, strict=True):
        turned = name in ("Schwarz", "tie")
        ax.text(middle, 1.26 * top, name, rotation=90 if turned else 0, ha="center", va="top", fontsize=7.5,
                color=MUTED)


def session_outcomes(ax: "Axes", labels: Sequence[str], win: Sequence[float], draw: Sequence[float],
                     names: tuple[str, str, str] = ("won", "drawn", "lost"), unit: str = "share of sessions",
                     colours: tuple[str, str, str] = (BLUE, PALE, VERMILLION)) -> "Axes":
    """Sessions won, drawn and lost by the first-named, as one stacked bar a match-up, the first on top.

    An ending that never occurs is not in the legend.
    """
    places = np.arange(len(labels))
    shares = np.array([win, draw, 1 - np.asarray(win) - np.asarray(draw)], float)
    left, over = np.zeros(len(labels)), stands_over(labels)
    for colour, share, name in zip(colours, shares, names, strict=True):
        if not share.any():
            continue
        ax.barh(places, share, left=left, height=0.5 if over else 0.76, color=colour, linewidth=0, label=name)
        for place in places[share >= 0.055]:
            ax.text(left[place] + share[place] / 2, place, f"{percent(share[place])} %", ha="center", va="center",
                    fontsize=8, color=readable_on(*_rgb(colour)))
        left = left + share
    for place, label in enumerate(labels if over else ()):
        label_over(ax, label, place - 0.3, 1)
    ax.set_yticks(places, [""] * len(labels) if over else labels)
    ax.set_ylim(len(labels) - 0.5, -0.85 if over else -0.5)
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(_percent)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(unit)
    legend_above(ax)
    return ax


def legend_above(ax: "Axes") -> None:
    """The legend over the axes, in as many columns as the figure has room for."""
    names = [str(name) for name in ax.get_legend_handles_labels()[1]]
    room = 72 * (layout_width() - 1.2)
    columns = next((n for n in (3, 2) if n * (text_points(names, 9) + 40) <= room), 1) if is_narrow() else 3
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, borderaxespad=0.2, handlelength=1)


def _rgb(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    return to_rgb(colour)


def reply_kinds(ax: "Axes", frame: "pd.DataFrame", ranks: str) -> "Axes":
    """What became of each rank as a reply: captured, declined to capture, discarded; one stacked bar a rank.

    frame: columns rank, kind, count, one or more rows a bar. The legend says of a kind that it never occurs.
    """
    table = frame.pivot_table(index="rank", columns="kind", values="count", aggfunc="sum", fill_value=0)
    table = table.reindex(list(ranks), fill_value=0)
    totals = table.sum(axis=1)
    bottom = np.zeros(len(ranks))
    for kind, colour in (("captured", BLUE), ("declined", VERMILLION), ("discarded", SKY)):
        counts = table.get(kind, totals * 0).to_numpy()
        share = counts / np.maximum(totals.to_numpy(), 1)
        label = kind if counts.any() else f"{kind} (never)"
        ax.bar(range(len(ranks)), share, bottom=bottom, color=colour, width=0.8, label=label)
        for place in np.flatnonzero(share >= 0.05):
            ax.text(float(place), bottom[place] + share[place] / 2, f"{percent(share[place])} %", ha="center",
                    va="center", fontsize=8, color=readable_on(*_rgb(colour)))
        bottom = bottom + share
    ax.set_xticks(range(len(ranks)), list(ranks))
    ax.set_ylim(0, 1)
    ax.yaxis.set_major_formatter(_percent)
    ax.grid(axis="x", visible=False)
    ax.set_xlabel("rank of the reply")
    ax.set_ylabel("share of replies")
    legend_above(ax)
    ax.tick_params(axis="x", length=0, labelcolor=INK)
    return ax
