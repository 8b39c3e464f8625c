"""Bands that hold for a whole histogram at once: for its cells and for its distribution function."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from .values import Floats, checked_counts, tail, two_sided_z


class Band(NamedTuple):
    """Lower and upper limits, float64, one for each cell."""

    low: Floats
    high: Floats


def dkw(n: int, level: float = 0.95) -> float:
    """Half-width within which the whole empirical distribution function of n observations lies; at most 1.

    Source: Dvoretzky, Kiefer, Wolfowitz with Massart's constant, Ann. Probab. 18 (1990) 1269-1283.
    """
    error = tail(level)
    if n < 0:
        raise RequestError(f"{n} observations are impossible: give a count")
    return min(1.0, math.sqrt(math.log(2 / error) / (2 * n))) if n else 1.0


def cdf_band(counts: ArrayLike, level: float = 0.95) -> Band:
    """Band for the distribution function at each cell, cells in ascending order; the last is 1 by definition."""
    numbers = checked_counts(counts).ravel()
    n = sum(numbers.tolist())
    cdf = np.cumsum(numbers) / n if n else np.zeros(numbers.size)
    width = dkw(n, level)
    low, high = np.clip(cdf - width, 0.0, 1.0), np.clip(cdf + width, 0.0, 1.0)
    low[-1:] = high[-1:] = 1.0
    return Band(low, high)


def simultaneous_pmf(counts: ArrayLike, level: float = 0.95) -> Band:
    """Limits for the probability of every cell, all of which hold at once: Wilson at alpha / cells.

    counts: any shape; the limits come back in it. Without observations every limit is (0, 1).
    Source: Goodman, Technometrics 7 (1965) 247-254.
    """
    numbers = checked_counts(counts)
    n = float(numbers.sum())
    if n == 0:
        return Band(np.zeros(numbers.shape), np.ones(numbers.shape))
    z = two_sided_z(level, tail(level) / max(numbers.size, 1))
    k = numbers.astype(np.float64)
    return Band(_wilson_lows(k, n, z), 1.0 - _wilson_lows(n - k, n, z))


def _wilson_lows(k: Floats, n: float, z: float) -> Floats:
    """Wilson's lower limit for each cell, without cancellation (k = 0 gives exactly 0)."""
    return (k / n) * k / (k + z * z / 2 + z * np.sqrt(k * ((n - k) / n) + z * z / 4))
