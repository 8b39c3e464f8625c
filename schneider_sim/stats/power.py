"""Planning: how many pairs show a difference, and what difference a run could have missed."""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy.typing import ArrayLike

from ..errors import RequestError
from .normal import quantile
from .sprt import bounds
from .values import FEW, exact_moments, histogram, support, tail

SMALLEST = 1e-10
"""Points per deal: all 2^63 deals of a seed together measure an edge to some 1e-9."""
TOO_SMALL = "the 2^63 deals that there are could not show so little: give 1e-10 or more"


class Spread(NamedTuple):
    """Standard deviation of a pair's mean with an interval, from a pilot of n pairs."""

    value: float
    low: float
    high: float
    n: int


class Plan(NamedTuple):
    """Pairs for a fixed-sample test of a difference, for the pilot's standard deviation and for the limits of it.

    sequential_h0, sequential_h1: expected pairs of the sequential test of 0 against the difference if the one or the
    other is true; sequential_worst: if the truth lies half-way; seconds: for `pairs`, where a speed was given.
    """

    pairs: int
    low: int
    high: int
    sequential_h0: int
    sequential_h1: int
    sequential_worst: int
    seconds: float | None


def spread(values: ArrayLike, counts: ArrayLike, level: float = 0.95, low: float | None = None,
           high: float | None = None) -> Spread:
    """Standard deviation of one observation and an interval for it that allows for heavy tails.

    values, counts: a pilot's histogram, the values never seen included (or low and high given). Log-normal interval
    with the variance of a sample variance from the fourth moment. Where the pilot has no variance, or fewer than 1000
    observations, the upper limit also allows that 3/n of all observations lie at the far bound.
    Source: Cramer, Mathematical Methods of Statistics (1946), section 27.4.
    """
    hist = histogram(values, counts)
    bounds_ = support(hist, low, high)
    n, mean, variance = exact_moments(hist)
    if n < 2:
        return Spread(0.0, 0.0, (bounds_.high - bounds_.low) / 2, n)
    sd = math.sqrt(variance * n / (n - 1))
    reach = max(bounds_.high - mean, mean - bounds_.low)
    unseen = math.sqrt(min(1.0, -math.log(tail(level) / 2) / n)) * reach
    limit = (bounds_.high - bounds_.low) / 2 * math.sqrt(n / (n - 1))
    if variance == 0.0:
        return Spread(0.0, 0.0, min(unseen, limit), n)
    fourth = float(hist.counts @ (hist.values - mean) ** 4) / n
    relative = math.sqrt(max(fourth / variance**2 - 1.0, 2.0 / n) / n) / 2
    factor = math.exp(-quantile(tail(level) / 2) * relative)
    top = max(sd * factor, unseen) if n < FEW else sd * factor
    return Spread(sd, sd / factor, min(top, limit), n)


def plan(pilot: Spread, difference: float, alpha: float = 0.05, power: float = 0.9,
         pairs_per_second: float | None = None) -> Plan:
    """Pairs needed to find a difference (VP per deal) with a two-sided error alpha and the given power.

    n = (z(1 - alpha/2) + z(power))^2 sd^2 / difference^2, and Wald's expected sample sizes for the sequential test
    with errors alpha/2 and 1 - power, which is one-sided. Raises RequestError for a difference of 0.
    Source: Wald, Sequential Analysis (1947), section 3.5.
    """
    z = check(difference, alpha, power)

    def pairs(sd: float) -> int:
        return max(1, math.ceil((z * sd / difference) ** 2))

    lower, upper = bounds(alpha / 2, 1.0 - power)
    unit = (pilot.value / difference) ** 2
    # Expected log likelihood ratio at the end over that of a pair, which is -+ difference^2 / (2 sd^2).
    h0 = -2.0 * unit * ((1.0 - alpha / 2) * lower + alpha / 2 * upper)
    h1 = 2.0 * unit * (power * upper + (1.0 - power) * lower)
    needed = pairs(pilot.value)
    return Plan(needed, pairs(pilot.low), pairs(pilot.high), math.ceil(h0), math.ceil(h1),
                math.ceil(-lower * upper * unit), None if pairs_per_second is None else needed / pairs_per_second)


def check(difference: float | None, alpha: float, power: float) -> float:
    """z(1 - alpha/2) + z(power); raises RequestError for a difference, error or power that no plan can be made for."""
    z = _sum_of_quantiles(alpha, power)
    if difference is None:
        return z
    if not difference or not math.isfinite(difference):
        raise RequestError("no number of deals shows a difference of nothing: give a difference other than 0")
    if abs(difference) < SMALLEST:
        raise RequestError(f"a difference of {difference:g}: {TOO_SMALL}")
    return z


def detectable(standard_deviation: float, n: int, alpha: float = 0.05, power: float = 0.9) -> float:
    """The smallest difference that n pairs would have found with the given power; infinite for n = 0."""
    z = _sum_of_quantiles(alpha, power)
    if n < 0 or standard_deviation < 0:
        raise RequestError("neither the number of pairs nor a standard deviation can be negative")
    return z * standard_deviation / math.sqrt(n) if n else math.inf


def _sum_of_quantiles(alpha: float, power: float) -> float:
    """z(1 - alpha/2) + z(power), checked."""
    if not 0.0 < alpha < power < 1.0:
        raise RequestError(f"an error of {alpha} and a power of {power} make no plan: give 0 < alpha < power < 1")
    return -quantile(alpha / 2) + quantile(power)
