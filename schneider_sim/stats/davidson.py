"""Bradley-Terry ratings with ties (Davidson) and a term for leading first, for readers who want one number each."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from .values import Floats

_RIDGE = 0.25
_DIVERGED = 25.0


class Davidson(NamedTuple):
    """Ratings from wins, ties and losses.

    ratings: float64[k], logarithms of strength with mean 0; standard_errors: float64[k], as from independent plays;
    elo: float64[k], 400/ln 10 of the ratings; ties: nu, the weight of a tie between equals (0 without ties);
    first_leader: gamma, by what leading first multiplies strength (1 if not asked for); penalised: whether the results
    determine no finite ratings (somebody never lost to some group), so that a normal prior of standard deviation 2 on
    every parameter was put in.
    """

    ratings: Floats
    standard_errors: Floats
    elo: Floats
    ties: float
    first_leader: float
    penalised: bool


def davidson(wins: ArrayLike, ties: ArrayLike, losses: ArrayLike | None = None) -> Davidson:
    """Maximum likelihood ratings in P(win) : P(tie) : P(loss) = a : nu sqrt(a b) : b with strengths a and b.

    With losses: wins, ties, losses[i, j] are the results of i as first leader against j, and the first leader's
    strength is multiplied by gamma. Without: wins[i, j] counts how often i beat j, whoever led, ties is symmetric, and
    gamma is 1. All are counts (or expected counts) of shape [k, k]. In a balanced round robin without the first
    leader's term the ratings order the policies as the points 2, 1, 0 do. Victory points see more than results; prefer
    the payoff matrix where it matters.
    Raises RequestError for tables that do not fit or hold no results.
    Source: Davidson, J. Am. Statist. Assoc. 65 (1970) 317-328; Davidson and Beaver, Biometrics 33 (1977) 693-702.
    """
    results = _results(wins, ties, losses)
    size = results.shape[0]
    played = results.sum(axis=2)
    pairs = np.argwhere(played > 0)
    if pairs.size == 0:
        raise RequestError("there are no results to rate")
    counts = results[pairs[:, 0], pairs[:, 1]]
    with_ties, with_lead = bool(counts[:, 1].sum() > 0), losses is not None
    design, basis = _design(pairs, size, with_ties, with_lead)
    penalised = not _exists(results, counts, with_ties, with_lead)
    fitted = None if penalised else _fit(design, counts, 0.0)
    if fitted is None:
        penalised = True
        fitted = _fit(design, counts, _RIDGE)
    if fitted is None:
        raise RequestError("the ratings could not be fitted")
    parameters, covariance = fitted
    ratings = basis @ parameters[:size - 1]
    spread = basis @ covariance[:size - 1, :size - 1] @ basis.T
    rest = parameters[size - 1:].tolist()
    nu = math.exp(rest.pop(0)) if with_ties else 0.0
    gamma = math.exp(rest.pop(0)) if with_lead else 1.0
    return Davidson(ratings, np.sqrt(np.maximum(np.diag(spread), 0.0)), ratings * 400.0 / math.log(10.0), nu, gamma,
                    penalised)


def _results(wins: ArrayLike, ties: ArrayLike, losses: ArrayLike | None) -> Floats:
    """Wins, ties and losses of i (as first leader where that is known) against j: float64[k, k, 3]."""
    won, tied = np.asarray(wins, dtype=np.float64), np.asarray(ties, dtype=np.float64)
    if losses is None:
        if won.ndim != 2 or tied.shape != won.shape or not np.array_equal(tied, tied.T):
            raise RequestError("without losses, wins must be a square matrix and ties a symmetric one")
        upper = np.triu(np.ones_like(won), 1)
        table = np.stack([won * upper, tied * upper, won.T * upper], axis=2)
    else:
        lost = np.asarray(losses, dtype=np.float64)
        if not won.shape == tied.shape == lost.shape or won.ndim != 2:
            raise RequestError("wins, ties and losses must be square matrices of one size")
        table = np.stack([won, tied, lost], axis=2)
    if table.shape[0] != table.shape[1] or not np.all(np.isfinite(table)) or np.any(table < 0):
        raise RequestError("results must be square matrices of counts that are not negative")
    if losses is None and np.any(np.diag(won) + np.diag(tied) > 0):
        raise RequestError("results of a policy against itself rate nobody: leave the diagonal 0")
    return table


def _design(pairs: np.ndarray, size: int, with_ties: bool, with_lead: bool) -> tuple[Floats, Floats]:
    """Log weights of the three outcomes as linear functions of the parameters: float64[pairs, 3, parameters].

    The second is the basis float64[k, k - 1] of ratings with mean 0 in which they are parametrised.
    """
    centred = np.eye(size) - 1.0 / size
    basis = np.linalg.svd(centred)[0][:, :size - 1]
    own, other = basis[pairs[:, 0]], basis[pairs[:, 1]]
    parts = [np.stack([own, (own + other) / 2, other], axis=1)]
    for wanted, weights in ((with_ties, (0.0, 1.0, 0.0)), (with_lead, (1.0, 0.5, 0.0))):
        if wanted:
            parts.append(np.broadcast_to(np.array(weights)[None, :, None], (len(pairs), 3, 1)))
    return np.concatenate(parts, axis=2), basis


def _exists(results: Floats, counts: Floats, with_ties: bool, with_lead: bool) -> bool:
    """Whether finite ratings can be expected: everybody scored, through others if need be, against everybody."""
    scored = (results[:, :, 0] + results[:, :, 1] + results[:, :, 1].T + results[:, :, 2].T) > 0
    reach = scored | np.eye(scored.shape[0], dtype=bool)
    for _ in range(scored.shape[0].bit_length()):
        reach = (reach.astype(np.int64) @ reach.astype(np.int64)) > 0
    total = counts.sum(axis=0)
    decided = total[0] + total[2] > 0 or not with_ties
    either = min(total[0], total[2]) > 0 or total[1] > 0 or not with_lead
    return bool(reach.all() and decided and either)


def _fit(design: Floats, counts: Floats, ridge: float) -> tuple[Floats, Floats] | None:
    """Parameters and their covariance by Newton's method, or None where they run away."""
    size = design.shape[2]
    parameters = np.zeros(size)
    totals = counts.sum(axis=1)
    height = _log_likelihood(design, counts, parameters, ridge)
    for _ in range(100):
        shares = _shares(design, parameters)
        mean = np.einsum("po,pok->pk", shares, design)
        gradient = np.einsum("po,pok->k", counts - totals[:, None] * shares, design) - ridge * parameters
        information = (np.einsum("p,po,pok,pol->kl", totals, shares, design, design)
                       - np.einsum("p,pk,pl->kl", totals, mean, mean) + ridge * np.eye(size))
        step = np.linalg.lstsq(information, gradient, rcond=None)[0]
        length = 1.0
        while _log_likelihood(design, counts, parameters + length * step, ridge) < height and length > 1e-10:
            length /= 2
        parameters = parameters + length * step
        height = _log_likelihood(design, counts, parameters, ridge)
        if np.abs(parameters).max(initial=0.0) > _DIVERGED:
            return None
        if np.abs(length * step).max(initial=0.0) < 1e-12:
            break
    return parameters, np.linalg.pinv(information)


def _shares(design: Floats, parameters: Floats) -> Floats:
    """Probabilities of the three outcomes, float64[pairs, 3]; a tie has none where ties are left out of the design."""
    logs = _log_shares(design, parameters)
    return np.exp(logs)


def _log_shares(design: Floats, parameters: Floats) -> Floats:
    logs = design @ parameters
    if not np.any(design[:, 1] - (design[:, 0] + design[:, 2]) / 2):
        logs[:, 1] = -np.inf
    return logs - np.logaddexp.reduce(logs, axis=1, keepdims=True)


def _log_likelihood(design: Floats, counts: Floats, parameters: Floats, ridge: float) -> float:
    """Log likelihood, less the penalty."""
    logs = np.where(counts > 0, _log_shares(design, parameters), 0.0)
    return float(np.sum(counts * logs)) - ridge / 2 * float(parameters @ parameters)
