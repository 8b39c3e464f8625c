"""Duplicates: what a joint table of the two plays of each deal says about two policies, and what pairing bought."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from .betting import betting_interval
from .intervals import clopper_pearson, mean_estimate, wilson
from .values import (
    FEW,
    RARE,
    Counts,
    Estimate,
    Floats,
    Histogram,
    Interval,
    checked_counts,
    exact_moments,
    histogram,
    two_sided_z,
)


class Pairs(NamedTuple):
    """A joint table as columns: `first` for A as first leader, `second` for the same deal with B as first leader.

    One entry for each possible pair of outcomes, those never seen included: float64, float64, int64 of one length.
    """

    first: Floats
    second: Floats
    counts: Counts


class Correlation(NamedTuple):
    """Correlation of the two plays of a deal and what pairing made of it.

    factor: the number of independent deals that tell as much as one deal played as half of a duplicate, or infinity
    where the two plays of every pair cancelled; sentence: the same for a reader.
    """

    correlation: float
    factor: float
    n: int
    sentence: str


def from_table(joint: ArrayLike, values: ArrayLike, second_values: ArrayLike | None = None) -> Pairs:
    """A dense joint table as columns.

    joint: counts[k, k], rows A's outcome as first leader, columns A's outcome when B was; values: float64[k], what an
    outcome is worth to A (victory points, honours, 0 and 1 for an event); second_values: the same for the columns,
    where it differs. Raises RequestError where the sizes do not fit.
    """
    counts = checked_counts(joint)
    rows = np.asarray(values, dtype=np.float64)
    columns = rows if second_values is None else np.asarray(second_values, dtype=np.float64)
    if counts.ndim != 2 or counts.shape != (rows.size, columns.size):
        raise RequestError(f"a joint table of shape {counts.shape} does not go with {rows.size} and {columns.size} "
                           "values: give one value for each row and column")
    return Pairs(np.repeat(rows, columns.size), np.tile(columns, rows.size), counts.ravel())


def as_pairs(first: ArrayLike, second: ArrayLike, counts: ArrayLike) -> Pairs:
    """Columns of a joint table, checked; raises RequestError where their lengths differ."""
    a, b = np.asarray(first, dtype=np.float64).ravel(), np.asarray(second, dtype=np.float64).ravel()
    numbers = checked_counts(counts).ravel()
    if not a.shape == b.shape == numbers.shape or a.size == 0:
        raise RequestError("a joint table needs two values and one count for each kind of pair")
    if not (np.all(np.isfinite(a)) and np.all(np.isfinite(b))):
        raise RequestError("values must be finite numbers")
    return Pairs(a, b, numbers)


def pair_mean(first: ArrayLike, second: ArrayLike, counts: ArrayLike, level: float = 0.95, low: float | None = None,
              high: float | None = None) -> Estimate:
    """Mean over plays of a quantity seen in both plays of each deal, with the pair as the independent unit.

    first, second: the quantity in the two plays, for each kind of pair; counts: how often each kind was seen;
    low, high: bounds of the quantity in one play, by default the extremes that are listed. The interval is that of
    `intervals.mean_estimate` for the pair means: betting below 1000 pairs or near zero variance, else normal.
    """
    a, b, numbers = as_pairs(first, second, counts)
    bottom = (a.min() + b.min()) / 2 if low is None else low
    top = (a.max() + b.max()) / 2 if high is None else high
    return mean_estimate((a + b) / 2, numbers, level, float(bottom), float(top))


def edge(first: ArrayLike, second: ArrayLike, counts: ArrayLike, level: float = 0.95, low: float | None = None,
         high: float | None = None) -> Estimate:
    """A's edge: mean victory points per deal, A's minus B's, over both plays of each deal.

    Arguments as for `pair_mean`, with A's points minus B's as the quantity.
    """
    return pair_mean(first, second, counts, level, low, high)


def first_leader_advantage(first: ArrayLike, second: ArrayLike, counts: ArrayLike, level: float = 0.95,
                           low: float | None = None, high: float | None = None) -> Estimate:
    """What leading first is worth: (mean with A first - mean with B first) / 2, from the pairs of a duplicate.

    Arguments as for `edge`. What pairing takes from the error of the edge it adds to that of the advantage:
    independent deals (`first_leader_advantage_independent`) are the better design for it.
    """
    a, b, numbers = as_pairs(first, second, counts)
    bottom = min(a.min(), b.min()) if low is None else low
    top = max(a.max(), b.max()) if high is None else high
    span = (float(top) - float(bottom)) / 2
    return mean_estimate((a - b) / 2, numbers, level, -span, span)


def edge_independent(values: ArrayLike, first_counts: ArrayLike, second_counts: ArrayLike, level: float = 0.95,
                     low: float | None = None, high: float | None = None) -> Estimate:
    """A's edge as mean over the plays of an independent design; arguments as for the advantage below."""
    one, two, bounds = _strata(values, first_counts, second_counts, low, high)
    total = exact_moments(one).n + exact_moments(two).n
    share = exact_moments(one).n / total if total else 0.5
    return _combined(one, two, share, 1.0 - share, bounds, level)


def first_leader_advantage_independent(values: ArrayLike, first_counts: ArrayLike, second_counts: ArrayLike,
                                       level: float = 0.95, low: float | None = None,
                                       high: float | None = None) -> Estimate:
    """The first leader's advantage from independent deals, half of them with A as first leader.

    values: A's points minus B's, the possible ones (or their bounds as low and high); first_counts, second_counts:
    how often each was seen with A, with B as first leader. Normal interval; where one of the two samples has fewer
    than 1000 plays or hardly varies, the two betting intervals at half the error each. n counts plays.
    """
    one, two, bounds = _strata(values, first_counts, second_counts, low, high)
    return _combined(one, two, 0.5, -0.5, bounds, level)


def _strata(values: ArrayLike, first_counts: ArrayLike, second_counts: ArrayLike, low: float | None,
            high: float | None) -> tuple[Histogram, Histogram, Interval]:
    """The two samples of an independent design and the bounds of their values."""
    one, two = histogram(values, first_counts), histogram(values, second_counts)
    bottom = float(one.values[0]) if low is None else low
    top = float(one.values[-1]) if high is None else high
    return one, two, Interval(bottom, top)


def _combined(one: Histogram, two: Histogram, a: float, b: float, bounds: Interval, level: float) -> Estimate:
    """a * mean(one) + b * mean(two) of independent samples, a >= 0."""
    half_level = 1.0 - (1.0 - level) / 2
    first = mean_estimate(one.values, one.counts, half_level, *bounds)
    second = mean_estimate(two.values, two.counts, half_level, *bounds)
    value = a * first.value + b * second.value
    if first.method == second.method == "normal":
        ones, twos = exact_moments(one), exact_moments(two)
        variance = a * a * ones.variance / (ones.n - 1) + b * b * twos.variance / (twos.n - 1)
        half = two_sided_z(level) * math.sqrt(variance)
        return Estimate(value, value - half, value + half, ones.n + twos.n, "normal")
    below, above = (second.low, second.high) if b >= 0 else (second.high, second.low)
    method = first.method if first.method == second.method else "betting" if first.n and second.n else "no data"
    return Estimate(value, a * first.low + b * below, a * first.high + b * above, first.n + second.n, method)


def proportion(first: ArrayLike, second: ArrayLike, counts: ArrayLike, level: float = 0.95) -> Estimate:
    """The rate of an event over both plays of each deal; n counts pairs.

    first, second: 1 where the event happened in that play, else 0; counts: how often each kind of pair was seen.
    Plays of one deal are not independent, so 2n plays count as n_eff = 2n / (1 + rho) in Wilson's interval, where
    1 + rho is twice the variance of the pair's mean over p(1-p) (the design effect). Guards: below 1000 pairs, or
    with no event or nothing else, every pair counts as one observation of Clopper-Pearson, which holds for any rho;
    with fewer than 100 pairs off the usual result a gain from rho < 0 is not credited (Clopper-Pearson, n_eff at most
    2n) where that result is "never" or "twice", and the betting interval is used where it is "once" (self-play).
    Source: Korn and Graubard, Survey Methodology 24 (1998) 193-201.
    """
    a, b, numbers = as_pairs(first, second, counts)
    if not np.all(np.isin(a, (0.0, 1.0)) & np.isin(b, (0.0, 1.0))):
        raise RequestError("an event either happened (1) or not (0)")
    hist = histogram(np.append((a + b) / 2, [0.0, 0.5, 1.0]), np.append(numbers, [0, 0, 0]))
    n, p, variance = exact_moments(hist)
    if n == 0:
        return Estimate(0.5, 0.0, 1.0, 0, "no data")
    if n < FEW or p in (0.0, 1.0):
        return Estimate(p, *clopper_pearson(p * n, n, level), n, "Clopper-Pearson on pairs")
    usual = int(np.argmax(hist.counts))
    few_others = n - int(hist.counts[usual]) < RARE
    if few_others and hist.values[usual] == 0.5:
        return Estimate(p, *betting_interval(hist.values, hist.counts, level), n, "betting")
    effective = p * (1.0 - p) / (variance / (n - 1))
    if few_others:
        effective = min(effective, 2.0 * n)
        return _around(p, clopper_pearson(p * effective, effective, level), n, "Clopper-Pearson, effective n")
    return _around(p, wilson(p * effective, effective, level), n, "Wilson, effective n")


def _around(value: float, limits: Interval, n: int, method: str) -> Estimate:
    """An estimate with limits that rounding has not put on the wrong side of it."""
    return Estimate(value, min(limits.low, value), max(limits.high, value), n, method)


def correlation(first: ArrayLike, second: ArrayLike, counts: ArrayLike) -> Correlation:
    """Correlation of A's results in the two plays of a deal, and how many independent deals the run counts as.

    Arguments as for `edge`. The factor is the variance of the edge from as many independent deals, half of them with
    A first, over that from the duplicates: (s1^2 + s2^2) / (s1^2 + s2^2 + 2 s12). The correlation is 0 where a play
    has no variance.
    """
    a, b, numbers = as_pairs(first, second, counts)
    one, two = exact_moments(histogram(a, numbers)), exact_moments(histogram(b, numbers))
    both = exact_moments(histogram(a + b, numbers))
    separate = one.variance + two.variance
    product = math.sqrt(one.variance * two.variance)
    rho = (both.variance - separate) / (2 * product) if product else 0.0
    rho = min(1.0, max(-1.0, rho))
    factor = separate / both.variance if both.variance else (math.inf if separate else 1.0)
    return Correlation(rho, factor, one.n, _gain(rho, factor, one.n, separate > 0.0))


def _gain(rho: float, factor: float, n: int, varied: bool) -> str:
    """What pairing bought, in a sentence."""
    if n == 0:
        return "No pairs were played."
    if not varied:
        return f"Every deal had the same result{'' if n > 1 else ' (there was one)'}: pairing had nothing to save."
    if math.isinf(factor):
        which = f"each of the {n:,} deals" if n > 1 else "the deal"
        return f"The two plays of {which} cancelled exactly, as when a policy meets itself."
    return (f"The two plays of a deal have correlation {rho:.2f}: "
            f"this run is as precise as {factor:.{2 if factor < 10 else 0}f} times as many independent deals.")


def remarks(first: ArrayLike, second: ArrayLike, counts: ArrayLike) -> tuple[str, ...]:
    """Plain sentences a reader needs beside the numbers: too few pairs, no variance, identical play, one-sidedness.

    Arguments as for `edge`; an ordinary run gives none.
    """
    a, b, numbers = as_pairs(first, second, counts)
    n = int(numbers.sum())
    if n == 0:
        return ("No pairs were played: nothing can be said.",)
    said = []
    if n < FEW:
        said.append(f"Only {n:,} pair{'s' * (n > 1)}: the intervals rely on no approximation and are wide; "
                    f"{FEW:,} pairs or more narrow them.")
    seen = numbers > 0
    means = np.unique(a[seen] + b[seen])
    if means.size == 1 and means[0] == 0.0:
        said.append("Every pair cancelled exactly: the two policies made the same choices; their edge has no variance.")
    elif means.size == 1:
        said.append(f"Every pair had the same mean, {means[0] / 2:g}: "
                    "the interval says what rarer results could still change.")
    elif n - int(np.max(histogram(a + b, numbers).counts)) < RARE:
        said.append(f"Fewer than {RARE} pairs differ from the usual one: the interval is the betting interval.")
    if n >= 10 and (np.all(a[seen] > 0) and np.all(b[seen] > 0)):
        said.append("A won every play: such an opponent measures little.")
    if n >= 10 and (np.all(a[seen] < 0) and np.all(b[seen] < 0)):
        said.append("B won every play: such an opponent measures little.")
    return tuple(said)
