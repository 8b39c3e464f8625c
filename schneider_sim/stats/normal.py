"""The normal law without SciPy, whose import takes longer than most answers: one number at a time."""

import math
import statistics

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

_STANDARD = statistics.NormalDist()
_FAR = -20.0  # below, the asymptotic series is exact to the last digit; above, erfc is a normal number
_TERMS = 9


def quantile(p: float) -> float:
    """The x that a standard normal number stays below with probability p, 0 <= p <= 1.

    Source: Wichura, Algorithm AS 241, Applied Statistics 37 (1988) 477-484; relative error about 1e-16.
    """
    return _STANDARD.inv_cdf(p) if 0.0 < p < 1.0 else math.inf if p == 1.0 else -math.inf if p == 0.0 else math.nan


def below(x: float) -> float:
    """The probability that a standard normal number is below x."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def log_below(x: ArrayLike) -> Floats:
    """The logarithm of `below`, of every element, with full relative precision however far out.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 7.1.23, for the far tail.
    """
    points = np.asarray(x, dtype=np.float64)
    return np.array([_log_below(each) for each in points.ravel().tolist()], np.float64).reshape(points.shape)


def _log_below(x: float) -> float:
    if x > 0.0:
        return math.log1p(-0.5 * math.erfc(x / math.sqrt(2.0)))
    if x > _FAR or math.isnan(x):
        return math.log(below(x))
    term, series = 1.0, 0.0
    for k in range(1, _TERMS):
        term *= -(2 * k - 1) / (x * x)
        series += term
    return -0.5 * x * x - math.log(-x) - 0.5 * math.log(2.0 * math.pi) + math.log1p(series)
