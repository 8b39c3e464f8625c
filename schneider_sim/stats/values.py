"""What the statistics take and return: intervals, estimates, histograms and the checks on them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.estimate import Estimate as Estimate
from ..errors import RequestError
from .normal import quantile

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

FEW = 1000
"""Below this number of independent observations no interval relies on a normal approximation."""
RARE = 100
"""Nor does one where fewer observations than this differ from the most frequent one."""
_LARGEST_COUNT = 2**63 - 1


class Interval(NamedTuple):
    """A confidence interval, `low <= high`."""

    low: float
    high: float


class Histogram(NamedTuple):
    """Distinct values in ascending order (float64) and how often each was seen (int64, zeros allowed)."""

    values: Floats
    counts: Counts


class Moments(NamedTuple):
    """Number of observations, mean and (divisor n) variance, each the exact rational rounded once."""

    n: int
    mean: float
    variance: float


def tail(level: float, alpha: float | None = None) -> float:
    """The error probability 1 - level, or `alpha` itself where it is too small to be written as a level.

    Raises RequestError unless it lies strictly between 0 and 1.
    """
    error = 1.0 - level if alpha is None else alpha
    if not 0.0 < error < 1.0:
        raise RequestError(f"level {level!r} is not a confidence level: give a number between 0 and 1, such as 0.95")
    return error


def two_sided_z(level: float, alpha: float | None = None) -> float:
    """The standard normal quantile that leaves half of the error probability in each tail."""
    return -quantile(tail(level, alpha) / 2)


def checked_counts(counts: ArrayLike) -> Counts:
    """Counts as int64; raises RequestError where one is negative, fractional or not finite."""
    array = np.asarray(counts)
    if array.dtype.kind not in "iu":
        as_float = np.asarray(array, dtype=np.float64)
        if not np.all(np.isfinite(as_float)) or np.any(as_float != np.floor(as_float)):
            raise RequestError("counts must be whole numbers")
    if np.any(array < 0):
        raise RequestError("counts must not be negative")
    if array.size and int(array.max()) > _LARGEST_COUNT:
        raise RequestError(f"counts must not exceed {_LARGEST_COUNT}")
    return array.astype(np.int64)


def histogram(values: ArrayLike, counts: ArrayLike) -> Histogram:
    """The histogram in its canonical form: equal values merged, sorted, so that no order of input can be seen.

    values: any shape, finite; counts: the same shape. Raises RequestError where they do not fit.
    """
    points = np.asarray(values, dtype=np.float64).ravel()
    numbers = checked_counts(counts).ravel()
    if points.shape != numbers.shape or points.size == 0:
        raise RequestError(f"{points.size} values do not go with {numbers.size} counts: give one count for each value")
    if not np.all(np.isfinite(points)):
        raise RequestError("values must be finite numbers")
    distinct, where = np.unique(points, return_inverse=True)
    merged = np.zeros(distinct.size, dtype=np.int64)
    np.add.at(merged, where.ravel(), numbers)
    return Histogram(distinct, merged)


def support(hist: Histogram, low: float | None, high: float | None) -> Interval:
    """The range of possible values: the bounds given, else the extremes of the values, never seen ones included."""
    bottom = float(hist.values[0]) if low is None else float(low)
    top = float(hist.values[-1]) if high is None else float(high)
    seen = hist.values[hist.counts > 0]
    if seen.size and (seen[0] < bottom or seen[-1] > top):
        raise RequestError(f"a value lies outside the bounds {bottom:g} to {top:g}")
    if not bottom < top:
        raise RequestError("one possible value only: give the range of values with low= and high=")
    return Interval(bottom, top)


def exact_moments(hist: Histogram) -> Moments:
    """Mean and variance of a histogram by integer arithmetic: no order of summation, no cancellation.

    Every float is an integer over a power of two, so both are rationals; each is rounded once. n = 0 gives (0, 0, 0).
    """
    ratios = [value.as_integer_ratio() for value in hist.values.tolist()]
    scale = max(denominator for _, denominator in ratios)
    numbers = hist.counts.tolist()
    n = sum(numbers)
    if n == 0:
        return Moments(0, 0.0, 0.0)
    scaled = [numerator * (scale // denominator) for numerator, denominator in ratios]
    first = sum(c * a for c, a in zip(numbers, scaled, strict=True))
    second = sum(c * a * a for c, a in zip(numbers, scaled, strict=True))
    return Moments(n, first / (n * scale), (n * second - first * first) / (n * n * scale * scale))


def standard_error(moments: Moments) -> float:
    """Standard error of the mean, sample variance with divisor n - 1; infinite below two observations."""
    return math.sqrt(moments.variance / (moments.n - 1)) if moments.n > 1 else math.inf
