"""Elo, for readers who think in it: conversions, and an Elo difference with its error from scores."""

from __future__ import annotations

import math
from typing import NamedTuple

from numpy.typing import ArrayLike

from ..errors import RequestError
from .normal import below
from .values import exact_moments, histogram, two_sided_z

NORMALISED_ELO = 800.0 / math.log(10.0)
"""Normalised Elo per unit of mean / standard deviation of one play."""


class Elo(NamedTuple):
    """Elo difference and normalised Elo difference, each with half the width of its interval; `los`: the likelihood
    of superiority, the normal probability that the true score is above one half."""

    elo: float
    error: float
    normalised: float
    normalised_error: float
    los: float


def elo_to_score(elo: float) -> float:
    """Expected score, 0..1, at an Elo difference. Source: Elo, The Rating of Chessplayers (1978), logistic form."""
    return 1.0 / (1.0 + 10.0 ** (-elo / 400.0))


def score_to_elo(score: float) -> float:
    """Elo difference at an expected score; infinite at 0 and 1. Raises RequestError outside 0..1."""
    if not 0.0 <= score <= 1.0:
        raise RequestError(f"a score of {score:g} is impossible: scores run from 0 to 1")
    if score in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    return 400.0 * (math.log10(score) - math.log10(1.0 - score))


def normalised_elo_to_t(elo: float, plays: int = 2) -> float:
    """Mean over standard deviation of one unit of `plays` plays (2: a pair) at a normalised Elo of one play."""
    return elo / NORMALISED_ELO * math.sqrt(plays)


def t_to_normalised_elo(t: float, plays: int = 2) -> float:
    """The inverse of `normalised_elo_to_t`."""
    return t * NORMALISED_ELO / math.sqrt(plays)


def elo_estimate(scores: ArrayLike, counts: ArrayLike, plays: int = 2, level: float = 0.95) -> Elo:
    """Elo from a histogram of scores 0..1, one for each unit of `plays` plays (2: the mean score of a pair).

    Normal theory, for comparison with other programs; victory points are this library's own scale. Without variance
    the normalised figures are infinite or 0, and the errors 0 or infinite, as they are elsewhere.
    """
    hist = histogram(scores, counts)
    if hist.values[0] < 0.0 or hist.values[-1] > 1.0:
        raise RequestError("scores must lie between 0 and 1")
    n, mean, variance = exact_moments(hist)
    if n == 0:
        return Elo(0.0, math.inf, 0.0, math.inf, 0.5)
    z = two_sided_z(level)
    sd = math.sqrt(variance)
    half = z * sd / math.sqrt(n)
    low, high = max(0.0, mean - half), min(1.0, mean + half)
    error = (score_to_elo(high) - score_to_elo(low)) / 2 if low < high else 0.0
    if sd == 0.0:
        side = math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0
        return Elo(score_to_elo(mean), error, side, math.inf, float(mean > 0.5) if mean != 0.5 else 0.5)
    t = (mean - 0.5) / sd
    return Elo(score_to_elo(mean), error, t_to_normalised_elo(t, plays),
               t_to_normalised_elo(z / math.sqrt(n), plays), below(t * math.sqrt(n)))
