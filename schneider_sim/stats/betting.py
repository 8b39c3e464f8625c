"""The histogram betting confidence sequence: an interval for a bounded mean that may be looked at any time."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from .values import Floats, Histogram, Interval, exact_moments, histogram, support, tail

_SMALLEST, _KNEE, _LARGEST, _BETS, _FADE = 1e-6, 3e-3, 0.95, 72, 0.4
_NEWTON_STEPS = 200
_NOTHING = 1e-140  # of the range: a limit below is 0, since what is bet against it would overflow


def bets() -> tuple[Floats, Floats]:
    """The fractions of wealth that are staked, and the log of the capital each starts with, both float64[72].

    The half-width at n observations is about sqrt(2 ln(1 / (alpha p))) standard errors, p being the prior mass on
    the stakes near the best one, which is about 3.5 / (sd sqrt(n)) for values scaled to 0..1. A prior flat in
    ln(stake) from .003 to .95 holds the best stakes of 10^3 to 10^7 observations for a standard deviation of 1/12 to
    1/4 of the range (a pair mean of .5 to 1.5 VP on -3..3), and pays for a factor of 300 only: 1.77 to 1.80 times the
    fixed-n normal width. Below, the density falls off as stake^.4, so that 10^10 observations pay for their small
    stakes with a width ratio of 2.0 without taxing the others. 72 stakes lie .2 apart in ln(stake), finer
    than the width (about .3) of the peak they have to hit.
    """
    stakes = np.geomspace(_SMALLEST, _LARGEST, _BETS)
    weights = np.minimum(1.0, (stakes / _KNEE) ** _FADE)
    return stakes, np.log(weights / (2.0 * weights.sum()))


_STAKES, _LOG_CAPITAL = bets()


def _log_wealth_and_slope(x: Floats, counts: Floats, m: float) -> tuple[float, float]:
    """Log of the mixture's wealth when the mean is supposed to be m, and its derivative in m; x in 0..1, 0 < m < 1."""
    up_odds, down_odds = x / m, (1.0 - x) / (1.0 - m)
    up = _STAKES[:, None] * (up_odds - 1.0)
    down = _STAKES[:, None] * (down_odds - 1.0)
    logs = np.concatenate([_summed(np.log1p(up), counts), _summed(np.log1p(down), counts)])
    logs += np.tile(_LOG_CAPITAL, 2)
    up_slope = _summed(-_STAKES[:, None] * (up_odds / m) / (1.0 + up), counts)
    down_slope = _summed(_STAKES[:, None] * (down_odds / (1.0 - m)) / (1.0 + down), counts)
    largest = float(logs.max())
    shares = np.exp(logs - largest)
    total = float(shares.sum())
    slope = float(shares @ np.concatenate([up_slope, down_slope])) / total
    return largest + math.log(total), slope


def _summed(terms: Floats, counts: Floats) -> Floats:
    """Each row times the counts, in an order that no number of threads changes (a matrix product may split it)."""
    return np.einsum("gv,v->g", terms, counts)


def log_wealth(values: ArrayLike, counts: ArrayLike, mean: float, low: float | None = None,
               high: float | None = None) -> float:
    """Natural log of the wealth of someone who bets against `mean`, starting from 1.

    A gambler who stakes the share g of the wealth on "more than m" multiplies it by 1 - g + g x/m at each value x
    (scaled to 0..1), on "less than m" by 1 - g + g (1-x)/(1-m). If the mean is m, neither can be expected to win,
    whatever the law of x, so the wealth is a martingale, and 1/alpha is ever reached with probability alpha at most
    (Ville). Staking the same share throughout, the wealth depends on the counts alone.
    values, counts: as in `betting_interval`; mean: strictly between the bounds.
    Source: Waudby-Smith and Ramdas, J. R. Statist. Soc. B 86 (2024) 1-27, section 4; Orabona and Jun, IEEE Trans.
    Inf. Theory 70 (2024) 436-455.
    """
    hist = histogram(values, counts)
    x, seen, bounds = _scaled(hist, low, high)
    return _log_wealth_and_slope(x, seen, (mean - bounds.low) / (bounds.high - bounds.low))[0]


def betting_interval(values: ArrayLike, counts: ArrayLike, level: float = 0.95, low: float | None = None,
                     high: float | None = None, alpha: float | None = None) -> Interval:
    """Interval for the mean of bounded values that holds at every look at once, for any number of observations.

    values: the possible values, those never seen included (with count 0), or give the bounds of the possible values
    as low and high; counts: how often each was seen. No normality, no smallest n, and the law of the values does
    not matter: with probability `level` the interval never misses, however often and whenever one looks. It depends
    on the counts alone, so order, chunks and threads change nothing. Without observations it is the whole range.
    Source: as in `log_wealth`; the set of means m whose wealth stays below 1/alpha.
    """
    hist = histogram(values, counts)
    x, seen, bounds = _scaled(hist, low, high)
    error = tail(level, alpha)
    if seen.size == 0:
        return bounds
    mean = (exact_moments(hist).mean - bounds.low) / (bounds.high - bounds.low)
    mean = min(max(mean, 0.0), 1.0)
    threshold = -math.log(error)
    bottom = _limit_below(x, seen, mean, threshold)
    top = 1.0 - _limit_below(1.0 - x, seen, 1.0 - mean, threshold)
    width = bounds.high - bounds.low
    return Interval(bounds.low + width * bottom, bounds.high - width * (1.0 - top))


def _scaled(hist: Histogram, low: float | None, high: float | None) -> tuple[Floats, Floats, Interval]:
    """The values seen, scaled to 0..1, their counts as float64, and the range that was scaled."""
    bounds = support(hist, low, high)
    seen = hist.counts > 0
    x = (hist.values[seen] - bounds.low) / (bounds.high - bounds.low)
    return np.clip(x, 0.0, 1.0), hist.counts[seen].astype(np.float64), bounds


def _limit_below(x: Floats, counts: Floats, mean: float, threshold: float) -> float:
    """The smallest m <= mean whose log wealth stays at or below the threshold.

    Each gambler's log wealth is ln((1-g)m + gx) - ln m or its mirror image, convex in m, hence so is the mixture's.
    Newton from a point outside therefore never crosses the limit: every step is a valid, wider interval.
    """
    if mean <= 0.0:
        return 0.0
    m = mean
    while True:
        m *= 0.5
        if m < _NOTHING:
            return 0.0
        wealth, slope = _log_wealth_and_slope(x, counts, m)
        if wealth > threshold:
            break
    for _ in range(_NEWTON_STEPS):
        step = (wealth - threshold) / -slope
        following = m + step
        if not m < following < mean:
            break
        m = following
        wealth, slope = _log_wealth_and_slope(x, counts, m)
        if wealth <= threshold or step < 1e-15 * m:
            break
    return m
