"""What is seen while deals are played: the running estimate with its bands, the trace of a sequential test."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...stats.betting import betting_interval
from ...stats.intervals import mean_estimate
from ...stats.sprt import sprt
from .style import BLUE, GREEN, INK, MUTED, VERMILLION

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


def looks(counts: Any, most: int = 60) -> Any:
    """Which prefixes of the ranges to look at: int64[<= most], even in the log of their length, the last among them."""
    ranges = len(counts)
    return np.unique(np.geomspace(1, ranges, min(most, ranges)).round().astype(int)) - 1


def running(means: Any, counts: Any, level: float = 0.95, most: int = 60) -> "pd.DataFrame":
    """The edge after a growing number of pairs: n, value, low, high (fixed n), any_low, any_high (valid at every look).

    means: float64[k], the possible means of a pair; counts: int64[ranges, k] in the order they were played.
    """
    import pandas as pd

    sums, bound = np.cumsum(counts, axis=0), float(np.abs(means).max())
    rows = []
    for place in looks(counts, most):
        fixed = mean_estimate(means, sums[place], level, -bound, bound)
        any_low, any_high = betting_interval(means, sums[place], level, -bound, bound)
        rows.append((fixed.n, *fixed.limits, any_low, any_high))
    return pd.DataFrame(rows, columns=["n", "value", "low", "high", "any_low", "any_high"])


def running_estimate(ax: "Axes", frame: "pd.DataFrame", unit: str) -> "Axes":
    """The estimate as deals grow, with the band for a number of deals fixed beforehand and the one valid at any look.

    frame: columns n, value, low, high, any_low, any_high.
    """
    n = frame["n"]
    if len(frame) == 1:  # one look: bars in place of bands, which have no width
        ax.vlines(n, frame["any_low"], frame["any_high"], color=GREEN, linewidth=9, alpha=0.35)
        ax.vlines(n, frame["low"], frame["high"], color=BLUE, linewidth=4, alpha=0.6)
        ax.set_xlim(0, 2 * float(n.iloc[0]))
    else:
        ax.fill_between(n, frame["any_low"], frame["any_high"], color=GREEN, alpha=0.22, linewidth=0)
        ax.fill_between(n, frame["low"], frame["high"], color=BLUE, alpha=0.35, linewidth=0)
    ax.plot(n, frame["value"], color=INK, linewidth=1.3, marker="o" if len(frame) < 5 else "", markersize=5)
    ax.axhline(float(frame["value"].iloc[-1]), color=MUTED, linewidth=0.8, linestyle=":")
    start = frame.iloc[0]
    labels = (("any_high", GREEN, "valid at every look (betting)"), ("low", BLUE, "fixed number of deals"))
    for side, colour, text in labels:
        above = side == "any_high"
        ax.annotate(text, (start["n"], start[side]), xytext=(10, 8 if above else -8), textcoords="offset points",
                    color=colour, fontsize=9, va="bottom" if above else "top")
    spread = float(start["any_high"] - start["any_low"]) or 1.0
    ax.set_ylim(float(start["any_low"]) - 0.18 * spread, float(start["any_high"]) + 0.18 * spread)
    if float(n.iloc[-1]) > 10 * float(n.iloc[0]):
        ax.set_xscale("log")
        ax.xaxis.set_minor_formatter("")
    ax.xaxis.set_major_formatter(_count)
    ax.set_xlabel("pairs of plays")
    ax.set_ylabel(unit)
    return ax


def _count(value: float, _: Any = None) -> str:
    return f"{value:,.0f}".replace(",", "\u202f")


def sprt_steps(means: Any, counts: Any, h0: float, h1: float, alpha: float = 0.05,
               beta: float = 0.05) -> "pd.DataFrame":
    """The test's log likelihood ratio after every range up to its verdict: n, llr, lower, upper, verdict."""
    import pandas as pd

    rows = []
    for cumulated in np.cumsum(counts, axis=0):
        state = sprt(means, cumulated, h0, h1, alpha, beta)
        rows.append((state.n, state.llr, state.lower, state.upper, state.verdict))
        if state.verdict != "undecided":
            break
    return pd.DataFrame(rows, columns=["n", "llr", "lower", "upper", "verdict"])


def sprt_trace(ax: "Axes", n: Sequence[float], llr: Sequence[float], lower: float, upper: float, h0: float = 0.0,
               h1: float = 0.0, unit: str = "") -> "Axes":
    """The log likelihood ratio of H1 over H0 as pairs grow, between the bounds at which one of them is accepted."""
    pairs, ratio = np.concatenate([[0], np.asarray(n)]), np.concatenate([[0], np.asarray(llr)])
    ax.axhline(upper, color=BLUE, linewidth=1.4)
    ax.axhline(lower, color=VERMILLION, linewidth=1.4)
    ax.plot(pairs, ratio, color=INK, linewidth=1.4, marker="o", markersize=3)
    ax.plot(pairs[-1:], ratio[-1:], color=INK, marker="o", markersize=7)
    ax.annotate(f"accept H1: {h1:g} {unit}", (0.01, upper), xycoords=("axes fraction", "data"), xytext=(0, 4),
                textcoords="offset points", color=BLUE, fontsize=9)
    ax.annotate(f"accept H0: {h0:g} {unit}", (0.01, lower), xycoords=("axes fraction", "data"), xytext=(0, -4),
                textcoords="offset points", color=VERMILLION, fontsize=9, va="top")
    span = upper - lower
    ax.set_ylim(min(lower, float(ratio.min())) - 0.22 * span, max(upper, float(ratio.max())) + 0.22 * span)
    ax.set_xlim(0, 1.06 * pairs[-1] if pairs[-1] else 1)
    ax.xaxis.set_major_formatter(_count)
    ax.set_xlabel("pairs of plays")
    ax.set_ylabel("log likelihood ratio")
    return ax
