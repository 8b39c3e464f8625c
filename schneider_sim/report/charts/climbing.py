"""What is seen of a climb: where it stands against its panel after every round."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .style import BLUE, INK, MUTED, PAPER, VERMILLION

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def climb(ax: "Axes", rounds: Sequence[Mapping[str, Any]], unit: str) -> "Axes":
    """The value of every round with its interval, a line for each climb; rounds that took a change are filled.

    rounds: the keys round, climb, gain, value, low, high; unit: of the values.
    """
    from matplotlib.ticker import MaxNLocator

    climbs = dict.fromkeys(one["climb"] for one in rounds)
    for place, number in enumerate(climbs):
        some = [one for one in rounds if one["climb"] == number]
        x, y = [one["round"] for one in some], [one["value"] for one in some]
        colour = BLUE if place % 2 == 0 else VERMILLION
        errors = [[one["value"] - one["low"] for one in some], [one["high"] - one["value"] for one in some]]
        ax.errorbar(x, y, errors, color=colour, linewidth=1.4, elinewidth=0.9, capsize=2)
        for one in some:
            ax.plot([one["round"]], [one["value"]], marker="o", markersize=5, color=colour, zorder=3,
                    markerfacecolor=colour if one["gain"] else PAPER)
        ax.annotate(f"climb {number}", (x[0], y[0]), xytext=(4, -12), textcoords="offset points", color=colour,
                    fontsize=9)
    ax.axhline(0, color=MUTED, linewidth=0.8, linestyle=":")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel("round", color=INK)
    ax.set_ylabel(f"against the panel, {unit}")
    return ax
