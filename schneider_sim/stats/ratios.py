"""Ratios of two means seen together, such as honours per trick led or captures per opportunity."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from .betting import log_wealth
from .values import (
    FEW,
    RARE,
    Counts,
    Estimate,
    Floats,
    Interval,
    checked_counts,
    exact_moments,
    histogram,
    tail,
    two_sided_z,
)


def ratio(y: ArrayLike, x: ArrayLike, counts: ArrayLike, level: float = 0.95) -> Interval:
    """Interval for mean(y) / mean(x); arguments and method as in `ratio_estimate`."""
    estimate = ratio_estimate(y, x, counts, level)
    return Interval(estimate.low, estimate.high)


def ratio_estimate(y: ArrayLike, x: ArrayLike, counts: ArrayLike, level: float = 0.95) -> Estimate:
    """mean(y) / mean(x) with an interval for ratios of means of dependent quantities.

    y, x, counts: one shape; unit i of the joint histogram has numerator y[i] and denominator x[i] >= 0 and was seen
    counts[i] times; list the possible pairs that were not seen too, as they bound what may come. Fieller's interval;
    below 1000 units, or where fewer than 100 differ from the most frequent pair, the ratios r for which a bet that
    y - r x has mean 0 has not been refuted, which is exact. Where no denominator was ever positive the interval is the
    whole possible range, its middle (or its finite end, or 0) the value. Raises RequestError for negative x.
    Source: Fieller, J. R. Statist. Soc. B 16 (1954) 175-185; for the second see `betting.log_wealth`.
    """
    tops, bottoms, numbers = _joint(y, x, counts)
    n = sum(numbers.tolist())
    possible = _possible(tops, bottoms)
    top, bottom = _total(tops, numbers), _total(bottoms, numbers)
    if bottom == 0.0:
        limits = [limit for limit in possible if math.isfinite(limit)]
        return Estimate(math.fsum(limits) / max(1, len(limits)), *possible, n, "no data")
    value = top / bottom
    if n < FEW or n - int(numbers.max()) < RARE:
        return Estimate(value, *_betting(tops, bottoms, numbers, value, possible, level), n, "betting")
    low, high = _fieller(tops, bottoms, numbers, level)
    return Estimate(value, max(low, possible.low), min(high, possible.high), n, "Fieller")


def _joint(y: ArrayLike, x: ArrayLike, counts: ArrayLike) -> tuple[Floats, Floats, Counts]:
    """The joint histogram, flat and checked."""
    tops, bottoms = np.asarray(y, dtype=np.float64).ravel(), np.asarray(x, dtype=np.float64).ravel()
    numbers = checked_counts(counts).ravel()
    if not tops.shape == bottoms.shape == numbers.shape or tops.size == 0:
        raise RequestError("a ratio needs one numerator, one denominator and one count for each unit")
    if not (np.all(np.isfinite(tops)) and np.all(np.isfinite(bottoms)) and np.all(bottoms >= 0)):
        raise RequestError("numerators must be finite and denominators finite and not negative")
    return tops, bottoms, numbers


def _total(values: Floats, counts: Counts) -> float:
    """Mean of one column, exactly rounded."""
    return exact_moments(histogram(values, counts)).mean


def _possible(tops: Floats, bottoms: Floats) -> Interval:
    """The ratios that any mixture of the listed pairs can have; unbounded where x = 0 goes with y != 0."""
    some = bottoms > 0
    quotients = tops[some] / bottoms[some]
    free = tops[~some]
    low = -math.inf if quotients.size == 0 or np.any(free < 0) else float(quotients.min())
    high = math.inf if quotients.size == 0 or np.any(free > 0) else float(quotients.max())
    return Interval(low, high)


def _fieller(tops: Floats, bottoms: Floats, counts: Counts, level: float) -> Interval:
    """Roots of Fieller's quadratic; the whole line where the denominator may be 0."""
    n = int(counts.sum())
    weights = counts / n
    y, x = float(weights @ tops), float(weights @ bottoms)
    factor = two_sided_z(level) ** 2 / (n - 1)
    s_yy = factor * float(weights @ (tops - y) ** 2)
    s_xx = factor * float(weights @ (bottoms - x) ** 2)
    s_xy = factor * float(weights @ ((tops - y) * (bottoms - x)))
    a, b, c = x * x - s_xx, y * x - s_xy, y * y - s_yy
    if a <= 0.0:
        return Interval(-math.inf, math.inf)
    root = math.sqrt(max(b * b - a * c, 0.0))
    return Interval((b - root) / a, (b + root) / a)


def _betting(tops: Floats, bottoms: Floats, counts: Counts, value: float, possible: Interval,
             level: float) -> Interval:
    """Ratios around the value that the bets on y - r x do not refute, by bisection in each direction."""
    threshold = -math.log(tail(level))

    def refuted(r: float) -> bool:
        rest = tops - r * bottoms
        if not float(rest.min()) < 0.0 < float(rest.max()):
            return True
        return log_wealth(rest, counts, 0.0) > threshold

    return Interval(_edge(refuted, value, possible.low), _edge(refuted, value, possible.high))


def _edge(refuted: Callable[[float], bool], inside: float, limit: float) -> float:
    """The furthest ratio between `inside` and `limit` that is not refuted, from outside."""
    outside, step = limit, max(abs(inside), 1e-3)
    if math.isinf(limit):
        while True:
            outside = inside + math.copysign(step, limit)
            if refuted(outside):
                break
            step *= 2
            if step > 1e12:
                return limit
    for _ in range(30):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if refuted(middle) else (middle, outside)
    return outside
