"""Differences between cells or settings, and p-values that allow for how many comparisons are made at once."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.text import clean, unknown
from ..errors import RequestError
from ..stats import multiple
from .duplicates import Floats
from .field import Joint, Series, combined
from .ranking import match_ups

ALL = "all"
_MOST = 50  # names of which all pairs are compared
_SMALLEST, _STEPS = 1e-12, 40  # of a p-value that is looked for, and halvings of its logarithm


def pairs_asked(names: Sequence[str], asked: str, what: str = "contrasts") -> list[tuple[int, int]]:
    """The pairs that `all`, or the name of one that is compared with every other, asks for.

    Raises RequestError for a name that is none of `names`.
    """
    wanted = " ".join(clean(asked).casefold().split())
    if wanted == ALL:
        if len(names) > _MOST:
            raise RequestError(f"{what} all of {len(names)} are too many to compare at once: name one of them")
        return match_ups(len(names))
    plain = [name.casefold() for name in names]
    if wanted not in plain:
        raise unknown(f"{what} name", asked, [ALL, *names])
    one = plain.index(wanted)
    return [(one, other) for other in range(len(names)) if other != one]


def contrast_rows(names: Sequence[str], series: Sequence[Series], edges: Joint, weights: Floats, asked: str,
                  level: float) -> list[dict[str, Any]]:
    """The differences as rows: first, second, difference (first minus second) with limits that all hold at once.

    weights: float64[names, series], what makes the edges of the names from those of the series.
    """
    pairs = pairs_asked(names, asked)
    rows = np.array([weights[i] - weights[j] for i, j in pairs])
    joint, p = combined(edges, rows, level), p_values(series, edges, rows)
    every = zip(pairs, joint.estimates.tolist(), joint.low.tolist(), joint.high.tolist(), p, strict=True)
    return [{"first": names[i], "second": names[j], "difference": value, "low": low, "high": high, "p_adjusted": one}
            for (i, j), value, low, high, one in every]


def p_values(series: Sequence[Series], edges: Joint, weights: Floats) -> list[float | None]:
    """p-values of linear combinations being 0, adjusted as the limits of `field.combined` are (max-T).

    The normal part has the law of the largest |t|, and its share of the error where other edges need some; an edge
    that is not normal has the p-value of its own interval times their number. None where such an edge is mixed with
    others: there is no such p-value.
    """
    size, odd = len(series), ~edges.normal
    found: list[float | None] = [1.0] * len(weights)
    estimates, covariance = weights @ edges.estimates, weights @ edges.covariance @ weights.T
    covariance = (covariance + covariance.T) / 2
    moving = np.diag(covariance) > 1e-14 * max(float(np.diag(edges.covariance).max(initial=0.0)), 1e-300)
    if moving.any():
        every = multiple.max_t(estimates[moving], covariance[np.ix_(moving, moving)]).p_values
        for place, p in zip(np.flatnonzero(moving).tolist(), every.tolist(), strict=True):
            found[place] = min(1.0, p * size / int(edges.normal.sum()))
    for place in np.flatnonzero(np.abs(weights[:, odd]).sum(axis=1) > 0).tolist():
        used = np.flatnonzero(weights[place]).tolist()
        found[place] = min(1.0, size * _own(series[used[0]])) if len(used) == 1 else None
    return found


def _own(series: Series) -> float:
    """The smallest error probability at which the interval of an edge leaves 0 out."""
    if not _leaves_out(series, 0.5):
        return 1.0
    low, high = np.log(_SMALLEST), np.log(0.5)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _leaves_out(series, float(np.exp(middle))):
            high = middle
        else:
            low = middle
    return float(np.exp(high))


def _leaves_out(series: Series, error: float) -> bool:
    _, low, high, _, _ = series.estimate(1.0 - error)
    return not low <= 0.0 <= high


def p_text(p: float | None) -> str:
    """An adjusted p-value for people."""
    return "-" if p is None else "< 0.0001" if p < 1e-4 else f"{p:.4f}" if p < 0.1 else f"{p:.2f}"
