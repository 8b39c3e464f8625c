"""Where points are lost: a bar for each trick and kind of decision, with its interval."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .style import BLUE, GREEN, INK, MUTED, ORANGE, VERMILLION

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_COLOURS = (BLUE, VERMILLION, INK, GREEN, ORANGE)


def losses_by_trick(ax: "Axes", rows: Sequence[Mapping[str, Any]], names: Mapping[str, str], unit: str) -> "Axes":
    """Bars of what a play loses in each trick, side by side for each kind of decision.

    rows: the keys trick, kind, loss, low, high; names: kind -> what its bars are called, in order; unit: of a loss.
    """
    width = 0.8 / len(names)
    for place, ((kind, name), colour) in enumerate(zip(names.items(), _COLOURS, strict=False)):
        some = [row for row in rows if row["kind"] == kind]
        x = [row["trick"] + (place - (len(names) - 1) / 2) * width for row in some]
        y = [row["loss"] for row in some]
        errors = [[row["loss"] - row["low"] for row in some], [row["high"] - row["loss"] for row in some]]
        ax.bar(x, y, width, color=colour, label=name, hatch="" if place % 2 == 0 else "///", edgecolor="white",
               linewidth=0.3)
        ax.errorbar(x, y, errors, fmt="none", ecolor=INK, elinewidth=0.8, capsize=1.5)
    ax.axhline(0, color=MUTED, linewidth=0.8)
    tricks = sorted({row["trick"] for row in rows})
    ax.set_xticks(tricks, [str(trick) if trick else "calls" for trick in tricks])
    ax.set_xlabel("trick")
    ax.set_ylabel(unit)
    ax.legend(frameon=False, fontsize=9)
    return ax
