"""What a sequential test says about the size of the effect: a median-unbiased estimate after it stopped.

A test that stops when it looks good looks too good: the plain mean is biased away from the middle, and its interval
is too narrow. The estimate here asks instead for which true value half of all such tests would have ended worse.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from .betting import betting_interval
from .normal import log_below
from .roots import root
from .sprt import bounds, regularised
from .values import FEW, RARE, Estimate, Floats, Histogram, exact_moments, histogram, tail

_TAILS = 9.0
_FAR = 1.5


def stopped_estimate(values: ArrayLike, counts: ArrayLike, h0: float, h1: float, alpha: float = 0.05,
                     beta: float = 0.05, level: float = 0.95) -> Estimate:
    """Median-unbiased mean of a pair, with interval, after a sequential test of h0 against h1 ended or was given up.

    Arguments as for `sprt.sprt` with the model "mean". The log likelihood ratio is taken for a Brownian motion
    between its bounds; outcomes are ordered from a quick acceptance of h0 over late ones to a quick acceptance of h1.
    Value and limits are the means under which the outcome that was seen, or a worse one, has probability 1/2 and
    1/2 +- level/2. Where that approximation has no ground (below 1000 pairs, next to no variance, or a ratio more than
    half as far again as the bound, as when the first look comes late), the mean with its betting interval, which
    holds whatever made the test stop.
    Source: Siegmund, Sequential Analysis (1985), chapter 3; Van den Bergh's analysis of sequential chess tests.
    """
    error = tail(level)
    hist = histogram(values, counts)
    low, high = float(hist.values[0]), float(hist.values[-1])
    n = int(sum(hist.counts.tolist()))
    if n == 0:
        return Estimate((low + high) / 2, low, high, 0, "no data")
    mean, spread, step = _drift(hist, h0, h1)
    lower, upper = bounds(alpha, beta)
    if n < FEW or n - int(hist.counts.max()) < RARE or not _FAR * lower <= n * step <= _FAR * upper:
        return Estimate(exact_moments(hist).mean, *betting_interval(hist.values, hist.counts, level), n, "betting")
    edge = min(mean, h0) - 12 * spread, max(mean, h1) + 12 * spread
    bracket = max(low, edge[0]), min(high, edge[1])

    def quantile(p: float) -> float:
        def excess(truth: float) -> float:
            return worse_outcome(hist.values, hist.counts, h0, h1, truth, alpha, beta) - p

        if excess(bracket[0]) <= 0.0:
            return bracket[0]
        if excess(bracket[1]) >= 0.0:
            return bracket[1]
        return root(excess, *bracket, xtol=1e-12 * (high - low))

    return Estimate(quantile(0.5), quantile(1.0 - error / 2), quantile(error / 2), n, "median-unbiased")


def worse_outcome(values: ArrayLike, counts: ArrayLike, h0: float, h1: float, truth: float, alpha: float = 0.05,
                  beta: float = 0.05) -> float:
    """Probability of a worse outcome of the test than the one seen, were the mean `truth`; it falls with `truth`.

    At the value that means "equal" (0 VP, a score of one half) this is the likelihood of superiority.
    """
    if not h0 < h1:
        raise RequestError(f"the hypotheses {h0:g} and {h1:g} are not in order: h0 must be below h1")
    lower, upper = bounds(alpha, beta)
    hist = histogram(values, counts)
    n, _ = regularised(hist.counts)
    mean, spread, step = _drift(hist, h0, h1)
    # A test that looks rarely overshoots: it counts as stopped where its line crossed the bound.
    time = n if lower <= n * step <= upper else (lower if step < 0 else upper) / step
    place = min(upper, max(lower, n * step))
    variance = n * spread**2 + (truth - mean) ** 2
    drift = (h1 - h0) * (truth - (h0 + h1) / 2) / variance
    return two_barriers(drift, (h1 - h0) / math.sqrt(variance), time, place, lower, upper)


def two_barriers(drift: float, sd: float, time: float, place: float, lower: float, upper: float) -> float:
    """P(absorbed at `lower` by `time`, or alive and below `place` then) for Brownian motion from 0.

    drift, sd: per unit of time; lower < 0 < upper absorb; place = upper makes this P(not absorbed at upper yet).
    Source: the method of images, with the drift put in by Girsanov's theorem: Siegmund, Sequential Analysis (1985),
    chapter 3.
    """
    if place >= upper:
        result = 1.0 - _absorbed(-drift, sd, time, -upper, -lower)
    else:
        result = _absorbed(drift, sd, time, lower, upper)
        if place > lower:
            result += _alive_below(drift, sd, time, place, lower, upper)
    return min(1.0, max(0.0, result))


def _images(drift: float, sd: float, time: float, width: float) -> Floats:
    """Shifts 2kA of the images that can matter within `time`."""
    furthest = _TAILS * sd * math.sqrt(time) + abs(drift) * time
    count = min(math.ceil(furthest / (2 * width)) + 1, 100_000)
    return 2.0 * width * np.arange(-count, count + 1, dtype=np.float64)


def _absorbed(drift: float, sd: float, time: float, lower: float, upper: float) -> float:
    """P(absorbed at `lower` by `time`): a sum of inverse Gaussian distribution functions, one for each image."""
    gamma, scale = drift / sd**2, sd * math.sqrt(time)
    distance = _images(drift, sd, time, upper - lower) - lower
    size = np.abs(distance)
    terms = (np.exp(gamma * (lower - size) + log_below((drift * time - size) / scale))
             + np.exp(gamma * (lower + size) + log_below((-drift * time - size) / scale)))
    return float(np.sign(distance) @ terms)


def _alive_below(drift: float, sd: float, time: float, place: float, lower: float, upper: float) -> float:
    """P(not absorbed by `time` and then between `lower` and `place`)."""
    gamma, scale = drift / sd**2, sd * math.sqrt(time)
    shifts = _images(drift, sd, time, upper - lower)

    def mass(source: Floats) -> float:
        top, bottom = (place - source - drift * time) / scale, (lower - source - drift * time) / scale
        flip = bottom > 0
        near, far = np.where(flip, -bottom, top), np.where(flip, -top, bottom)
        larger, smaller = log_below(near), log_below(far)
        return float(np.sum(np.exp(gamma * source + larger) * -np.expm1(smaller - larger)))

    return mass(shifts) - mass(2.0 * lower + shifts)


def _drift(hist: Histogram, h0: float, h1: float) -> tuple[float, float, float]:
    """Mean of a pair, its standard error, and what a pair adds to the log likelihood ratio on average."""
    n, shares = regularised(hist.counts)
    mean = float(shares @ hist.values)
    variance = float(shares @ (hist.values - mean) ** 2)
    return mean, math.sqrt(variance / n), (h1 - h0) * (mean - (h0 + h1) / 2) / variance
