"""Racing: which of many policies are already separated, looked at as often as one likes."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import RequestError
from .multiple import checked_covariance
from .values import Floats, tail


class Separation(NamedTuple):
    """What is established among k quantities at this look; every statement ever made holds together with `level`.

    order: int64[k], best first; low, high: float64[k, k], limits of quantity i minus quantity j; tied: bool[k - 1],
    whether the neighbours at places p and p + 1 of the order are not separated; contenders: bool[k], who may still be
    the best; undecided: bool[k], who is in a pair of neighbours that is tied and not yet shown to be within `margin`.
    """

    order: NDArray[np.int64]
    low: Floats
    high: Floats
    tied: NDArray[np.bool_]
    contenders: NDArray[np.bool_]
    undecided: NDArray[np.bool_]


def anytime_radius(standard_deviation: ArrayLike, n: int, n_best: int, alpha: float) -> Floats:
    """Half-width of the asymptotic confidence sequence for a mean at n observations, float64 of the shape given.

    standard_deviation: of one observation; n_best: the n at which it shall be narrowest; alpha: error at any look.
    Source: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, Ann. Statist. 52 (2024) 2613-2640, theorem 2.2.
    """
    if n < 1 or n_best < 1:
        raise RequestError("a confidence sequence needs one observation or more")
    error = tail(1.0 - alpha, alpha)
    two_logs = -2.0 * math.log(error)
    rho2 = (two_logs + math.log(two_logs + 1.0)) / n_best
    scale = n * rho2 + 1.0
    factor = math.sqrt(2.0 * scale / (n * n * rho2) * math.log(math.sqrt(scale) / error))
    return np.asarray(standard_deviation, dtype=np.float64) * factor


def separation(estimates: ArrayLike, covariance: ArrayLike, n: int, level: float = 0.95, n_best: int = 100_000,
               margin: float = 0.0) -> Separation:
    """Which of k quantities are separated after n pairs each, on common deals, at any number of looks.

    estimates: float64[k], larger is better; covariance: float64[k, k], theirs, as from `multiple.from_chunks`;
    n_best: the number of pairs at which the intervals shall be narrowest (about where one expects to stop); margin: a
    difference that does not matter. The k (k - 1) / 2 differences share the error equally (Bonferroni), and each has
    an asymptotic confidence sequence, so that playing on until the order is clear does not invent an order. Without
    variance in a difference, as of a policy with itself, its limits are +-infinity: it stays a tie.
    Play on while `undecided.any()`; only quantities marked there, or `contenders` if only the best matters, need it.
    """
    values = np.asarray(estimates, dtype=np.float64).ravel()
    size = values.size
    matrix = checked_covariance(covariance, size)
    alpha = tail(level) / max(1, size * (size - 1) // 2)
    variance = np.diag(matrix)[:, None] + np.diag(matrix)[None, :] - 2.0 * matrix
    known = variance > 1e-12 * np.maximum(np.diag(matrix)[:, None], np.diag(matrix)[None, :])
    spread = np.sqrt(np.where(known, variance, 0.0) * n)
    radius = np.where(known, anytime_radius(spread, n, n_best, alpha), np.inf)
    np.fill_diagonal(radius, 0.0)
    difference = values[:, None] - values[None, :]
    low, high = difference - radius, difference + radius
    order = np.argsort(-values, kind="stable")
    first, second = order[:-1], order[1:]
    tied = low[first, second] <= 0.0
    close = (high[first, second] <= margin) & (low[first, second] >= -margin)
    undecided = np.zeros(size, dtype=bool)
    for side in (first, second):
        undecided[side[tied & ~close & known[first, second]]] = True
    return Separation(order, low, high, tied, ~np.any(high < 0.0, axis=1), undecided)
