"""Confidence intervals for one number: rates, differences of rates, means of histograms, ratios, whole histograms."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from .bands import cdf_band, dkw, simultaneous_pmf
from .betting import betting_interval
from .ratios import ratio, ratio_estimate
from .values import (
    FEW,
    RARE,
    Estimate,
    Histogram,
    Interval,
    exact_moments,
    histogram,
    standard_error,
    support,
    tail,
    two_sided_z,
)

__all__ = [
    "cdf_band", "clopper_pearson", "dkw", "histogram_mean", "jeffreys", "mcnemar_exact", "mean_estimate",
    "newcombe_difference", "paired_difference", "proportion_estimate", "ratio", "ratio_estimate", "simultaneous_pmf",
    "wilson",
]


def wilson(k: float, n: float, level: float = 0.95, *, alpha: float | None = None) -> Interval:
    """Wilson's score interval for a rate: k of n, both of which may be effective, that is fractional, counts.

    Always within 0..1; k = 0 gives low = 0, k = n gives high = 1, n = 0 gives (0, 1). `alpha` replaces 1 - level
    where that would round. Raises RequestError unless 0 <= k <= n.
    Source: Wilson, J. Am. Statist. Assoc. 22 (1927) 209-212; Brown, Cai, DasGupta, Statist. Sci. 16 (2001) 101-133.
    """
    z = two_sided_z(level, alpha)
    k, n = _checked_rate(k, n)
    if n == 0:
        return Interval(0.0, 1.0)
    return Interval(_wilson_low(k, n, z), _wilson_high(k, n, z))


def _wilson_low(k: float, n: float, z: float) -> float:
    """The smaller root of (n + z^2) p^2 - (2k + z^2) p + k^2/n = 0, as product of the roots over the larger one."""
    if k == 0:
        return 0.0
    half = z * math.sqrt(k * ((n - k) / n) + z * z / 4)
    return (k / n) * k / (k + z * z / 2 + half)


def _wilson_high(k: float, n: float, z: float) -> float:
    """The larger root of the same equation, without the cancellation that 1 - p would bring for rare events."""
    if 2 * k > n:
        return 1.0 - _wilson_low(n - k, n, z)
    return (k + z * z / 2 + z * math.sqrt(k * ((n - k) / n) + z * z / 4)) / (n + z * z)


def clopper_pearson(k: float, n: float, level: float = 0.95, *, alpha: float | None = None) -> Interval:
    """The exact interval for a rate: it covers with probability `level` at least, for every true rate.

    Arguments and edges as for `wilson`. The upper limit of 0 of n is 1 - (alpha/2)^(1/n) at any alpha.
    Source: Clopper and Pearson, Biometrika 26 (1934) 404-413.
    """
    error = tail(level, alpha)
    k, n = _checked_rate(k, n)
    if n == 0:
        return Interval(0.0, 1.0)
    low = 0.0 if k == 0 else _beta_quantile(k, n - k + 1, error / 2)
    high = 1.0 if k == n else _beta_quantile(k + 1, n - k, error / 2, upper=True)
    return Interval(low, high)


def jeffreys(k: float, n: float, level: float = 0.95, *, alpha: float | None = None) -> Interval:
    """Equal-tailed interval of Jeffreys' Beta(1/2, 1/2) prior, with low = 0 at k = 0 and high = 1 at k = n.

    Arguments and edges as for `wilson`. Source: Brown, Cai, DasGupta, Statist. Sci. 16 (2001) 101-133, section 4.
    """
    error = tail(level, alpha)
    k, n = _checked_rate(k, n)
    if n == 0:
        return Interval(0.0, 1.0)
    low = 0.0 if k == 0 else _beta_quantile(k + 0.5, n - k + 0.5, error / 2)
    high = 1.0 if k == n else _beta_quantile(k + 0.5, n - k + 0.5, error / 2, upper=True)
    return Interval(low, high)


def _beta_quantile(a: float, b: float, p: float, upper: bool = False) -> float:
    """The x below (above, if upper) which a Beta(a, b) lies with probability p.

    SciPy's inverse fails for some tiny p; its distribution function does not, so where they disagree bisection decides.
    """
    from scipy.special import betainc, betaincc, betainccinv, betaincinv

    x = float(betainccinv(a, b, p) if upper else betaincinv(a, b, p))
    mass = betaincc if upper else betainc
    if 0.0 < x < 1.0 and abs(float(mass(a, b, x)) / p - 1.0) < 1e-6:
        return x
    below_half = p > float(betaincc(a, b, 0.5)) if upper else p < float(betainc(a, b, 0.5))
    if below_half:
        return _beta_bisection(a, b, p, upper)
    return 1.0 - _beta_bisection(b, a, p, not upper)


def _beta_bisection(a: float, b: float, p: float, upper: bool) -> float:
    """The same for a quantile below one half, on the scale of log x."""
    from scipy.special import betainc, betaincc

    mass = betaincc if upper else betainc
    low, high = -745.0, math.log(0.5)
    for _ in range(80):
        middle = (low + high) / 2
        beyond = float(mass(a, b, math.exp(middle))) < p
        low, high = (low, middle) if beyond == upper else (middle, high)
    return math.exp(high if upper else low)


def proportion_estimate(k: int, n: int, level: float = 0.95) -> Estimate:
    """The rate k of n independent plays: Wilson, or Clopper-Pearson where n is below 1000 or k below 100 or so near n.

    n = 0 gives value 0.5 with the interval (0, 1): nothing is known.
    """
    value = k / n if n else 0.5
    if n < FEW or min(k, n - k) < RARE:
        return Estimate(value, *clopper_pearson(k, n, level), int(n), "Clopper-Pearson")
    return Estimate(value, *wilson(k, n, level), int(n), "Wilson")


def newcombe_difference(k1: float, n1: float, k2: float, n2: float, level: float = 0.95) -> Interval:
    """Hybrid score interval for the difference k1/n1 - k2/n2 of two independent rates.

    Always within -1..1. Raises RequestError unless 0 <= k <= n for both.
    Source: Newcombe, Statist. Med. 17 (1998) 873-890, method 10.
    """
    first, second = wilson(k1, n1, level), wilson(k2, n2, level)
    if n1 == 0 or n2 == 0:
        return Interval(first.low - second.high, first.high - second.low)
    p1, p2 = k1 / n1, k2 / n2
    down = math.hypot(p1 - first.low, second.high - p2)
    up = math.hypot(first.high - p1, p2 - second.low)
    return Interval(max(-1.0, p1 - p2 - down), min(1.0, p1 - p2 + up))


def paired_difference(b: int, c: int, n: int, level: float = 0.95) -> Interval:
    """Score interval for the difference (b - c)/n of two rates seen on the same n deals.

    b: deals on which only the first happened; c: only the second; the other n - b - c agree. Without any
    disagreement it is +-z^2/(n + z^2), never a point. For large counts it is the usual
    (b - c)/n +- z sqrt(b + c - (b - c)^2/n)/n. n = 0 gives (-1, 1). Raises RequestError where the counts do not fit.
    Source: Tango, Statist. Med. 17 (1998) 891-908.
    """
    z = two_sided_z(level)
    _checked_pairs(b, c, n)
    if n == 0:
        return Interval(-1.0, 1.0)
    return Interval(-_tango_high(c, b, n, z), _tango_high(b, c, n, z))


def _tango_high(b: int, c: int, n: int, z: float) -> float:
    """The difference above (b - c)/n at which Tango's score statistic is -z, by bisection (it falls monotonely)."""
    inside, outside = (b - c) / n, 1.0
    for _ in range(80):
        middle = (inside + outside) / 2
        linear = (2 * n - b + c) * middle - b - c
        discordant = (math.sqrt(max(linear * linear + 8 * n * c * middle * (1 - middle), 0.0)) - linear) / (4 * n)
        variance = max(n * (2 * discordant + middle * (1 - middle)), 0.0)
        if b - c - n * middle > -z * math.sqrt(variance):
            inside = middle
        else:
            outside = middle
    return outside


def mcnemar_exact(b: int, c: int) -> float:
    """Two-sided exact p-value that both kinds of disagreement, b and c, are equally frequent; 1 without any.

    Source: McNemar, Psychometrika 12 (1947) 153-157, as the binomial test of b in b + c at 1/2.
    """
    from scipy.special import bdtr

    _checked_pairs(b, c, b + c)
    if b == c:
        return 1.0
    return min(1.0, 2.0 * float(bdtr(min(b, c), b + c, 0.5)))


def histogram_mean(values: ArrayLike, counts: ArrayLike, level: float = 0.95, low: float | None = None,
                   high: float | None = None) -> Interval:
    """Interval for the mean of independent bounded observations, given as a histogram.

    values: the possible values, those never seen included (with count 0), or give their bounds as low and high;
    counts: how often each was seen. The method is that of `mean_estimate`.
    """
    estimate = mean_estimate(values, counts, level, low, high)
    return Interval(estimate.low, estimate.high)


def mean_estimate(values: ArrayLike, counts: ArrayLike, level: float = 0.95, low: float | None = None,
                  high: float | None = None) -> Estimate:
    """Mean of independent bounded observations with an interval that stays honest when there is little to go by.

    Below 1000 observations, and where fewer than 100 of them differ from the most frequent value (zero variance is
    the extreme case), an interval that needs no approximation: Clopper-Pearson where the bounds are the only values,
    else the betting interval. Otherwise the normal interval, with mean and variance from exact integer moments.
    Without observations: the middle of the range, and the whole range.
    """
    hist = histogram(values, counts)
    bounds = support(hist, low, high)
    moments = exact_moments(hist)
    if moments.n == 0:
        return Estimate((bounds.low + bounds.high) / 2, *bounds, 0, "no data")
    if moments.n < FEW or _deviating(hist, moments.n) < RARE:
        if set(hist.values.tolist()) <= set(bounds):
            rate = clopper_pearson(int(hist.counts[hist.values == bounds.high].sum()), moments.n, level)
            span = bounds.high - bounds.low
            return Estimate(moments.mean, min(bounds.low + span * rate.low, moments.mean),
                            max(bounds.low + span * rate.high, moments.mean), moments.n, "Clopper-Pearson")
        interval = betting_interval(hist.values, hist.counts, level, *bounds)
        return Estimate(moments.mean, *interval, moments.n, "betting")
    half = two_sided_z(level) * standard_error(moments)
    return Estimate(moments.mean, max(bounds.low, moments.mean - half), min(bounds.high, moments.mean + half),
                    moments.n, "normal")


def _deviating(hist: Histogram, n: int) -> int:
    """How many observations are not the most frequent value."""
    return n - int(np.max(hist.counts))


def _checked_rate(k: float, n: float) -> tuple[float, float]:
    """k and n as floats; raises RequestError unless they are finite and 0 <= k <= n."""
    if not (math.isfinite(k) and math.isfinite(n) and 0 <= k <= n):
        raise RequestError(f"a rate of {k} in {n} is impossible: give counts with 0 <= k <= n")
    return float(k), float(n)


def _checked_pairs(b: int, c: int, n: int) -> None:
    """Raises RequestError unless b and c are counts of disjoint parts of n."""
    if b < 0 or c < 0 or b + c > n:
        raise RequestError(f"{b} and {c} disagreements in {n} pairs are impossible: give b, c >= 0 with b + c <= n")
