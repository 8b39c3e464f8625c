"""How far a payoff matrix is a ranking: the Hodge split into a transitive and a cyclic part."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from .values import Floats

_SEED = 1_806_026


class Hodge(NamedTuple):
    """A payoff matrix as ratings plus cycles.

    ratings: float64[k], mean payoff against all; transitive, cyclic: float64[k, k], parts that add to the matrix;
    transitive_share, cyclic_share: of the sum of squares; noise_floor: the cyclic share that the standard errors
    alone would give on average; cyclic_net: the cyclic share with it taken off, never below 0; cyclic_p: probability
    of as much cyclic part if there were none (1 without standard errors).
    """

    ratings: Floats
    transitive: Floats
    cyclic: Floats
    transitive_share: float
    cyclic_share: float
    noise_floor: float
    cyclic_net: float
    cyclic_p: float


def hodge(matrix: ArrayLike, standard_errors: ArrayLike | None = None, draws: int = 2000) -> Hodge:
    """Splits an antisymmetric payoff matrix into r_i - r_j and the rest, which is made of cycles.

    matrix: float64[k, k], payoff of i against j; standard_errors: float64[k, k], of independent match-ups (on common
    deals the floor is approximate). A matrix of zeros is transitive. The test of no cycles draws its noise from a
    generator of fixed seed. Raises RequestError where the matrix is not antisymmetric.
    Source: Jiang, Lim, Yao, Ye, Math. Program. 127 (2011) 203-244; Balduzzi et al., arXiv 1806.02643.
    """
    payoff = antisymmetric(matrix)
    ratings, transitive = _transitive(payoff)
    cyclic = payoff - transitive
    total, cycles = float(np.sum(payoff**2)), float(np.sum(cyclic**2))
    floor, p = 0.0, 1.0
    net = cycles
    if standard_errors is not None:
        errors = np.asarray(standard_errors, dtype=np.float64)
        if errors.shape != payoff.shape or not np.all(errors >= 0.0):
            raise RequestError("standard errors must be a matrix like the payoffs, and none negative")
        size = payoff.shape[0]
        pairs = np.triu_indices(size, 1)
        # The ratings of k policies absorb 2/k of the noise of every match-up.
        floor = 2.0 * float(np.sum(errors[pairs] ** 2)) * (1.0 - 2.0 / size) if size else 0.0
        net = max(0.0, cycles - floor)
        p = _chance_of_cycles(errors, cycles, draws)
    if total == 0.0:
        return Hodge(ratings, transitive, cyclic, 1.0, 0.0, 0.0, 0.0, p)
    share = cycles / total
    return Hodge(ratings, transitive, cyclic, 1.0 - share, share, floor / total, net / total, p)


def antisymmetric(matrix: ArrayLike) -> Floats:
    """A payoff matrix as float64[k, k]; raises RequestError unless it is finite, square and antisymmetric."""
    payoff = np.asarray(matrix, dtype=np.float64)
    if payoff.ndim != 2 or payoff.shape[0] != payoff.shape[1] or payoff.size == 0:
        raise RequestError("a payoff matrix must be square")
    if not np.all(np.isfinite(payoff)):
        raise RequestError("payoffs must be finite")
    if np.abs(payoff + payoff.T).max() > 1e-9 * max(1e-300, float(np.abs(payoff).max())):
        raise RequestError("payoffs must be antisymmetric: what i wins from j, j loses to i")
    return (payoff - payoff.T) / 2


def _transitive(payoff: Floats) -> tuple[Floats, Floats]:
    """Ratings and the part of the payoffs that they explain; payoff: float64[..., k, k]."""
    ratings = payoff.mean(axis=-1)
    return ratings, ratings[..., :, None] - ratings[..., None, :]


def _chance_of_cycles(errors: Floats, cycles: float, draws: int) -> float:
    """Share of noise matrices with at least so much cyclic part (one is added to both counts, so it is never 0)."""
    noise = np.triu(np.random.default_rng(_SEED).standard_normal((draws, *errors.shape)) * errors, 1)
    noise = noise - noise.transpose(0, 2, 1)
    rest = noise - _transitive(noise)[1]
    return (1 + int(np.sum(np.sum(rest**2, axis=(1, 2)) >= cycles * (1 - 1e-12)))) / (draws + 1)
