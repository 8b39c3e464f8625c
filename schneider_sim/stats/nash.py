"""Nash averaging: the mixture of policies that no policy beats, made unique by maximum entropy."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from .hodge import antisymmetric
from .values import Floats

_TINY = 1e-9
_CLEAR = 1e-6  # of the largest payoff: what a linear program surely tells from nothing


class Nash(NamedTuple):
    """Equilibrium of a zero-sum game.

    weights: float64[k], of the row player; values: float64[k], payoff of each row against the equilibrium of the
    column player (`columns`, float64[m]; the same as weights for an antisymmetric matrix); value: of the game.
    """

    weights: Floats
    values: Floats
    columns: Floats
    value: float


def nash(matrix: ArrayLike) -> Nash:
    """The equilibrium of largest entropy: policies that are equal share equally, and cycles share as they must.

    matrix: float64[k, m], payoff of row i against column j in a zero-sum game, antisymmetric for a tournament. Every
    matrix has exactly one such equilibrium, degenerate ones (equal rows, all zeros) included.
    Source: Balduzzi, Tuyls, Perolat, Graepel, arXiv 1806.02643, section 4; strict complementarity after Goldman and
    Tucker, Ann. Math. Stud. 38 (1956) 53-97.
    """
    payoff = np.asarray(matrix, dtype=np.float64)
    if payoff.ndim != 2 or payoff.size == 0 or not np.all(np.isfinite(payoff)):
        raise RequestError("a payoff matrix must be two-dimensional and finite")
    scale = float(np.abs(payoff).max())
    if scale == 0.0:
        rows, columns = (np.full(size, 1.0 / size) for size in payoff.shape)
        return Nash(rows, np.zeros(rows.size), columns, 0.0)
    if payoff.shape[0] == payoff.shape[1] and np.array_equal(payoff, -payoff.T) and (best := _beats_all(payoff)).any():
        alone = best.astype(np.float64)
        return Nash(alone, payoff @ alone, alone, 0.0)
    scaled = payoff / scale
    p, q, value = _complementary(scaled)
    in_p, in_q = p > np.maximum(value - scaled @ q, 0.0), q > np.maximum(p @ scaled - value, 0.0)
    rows = _max_entropy(scaled, in_p, in_q)
    columns = _max_entropy(-scaled.T, in_q, in_p)
    return Nash(rows, payoff @ columns, columns, float(rows @ payoff @ columns))


def support_frequency(matrix: ArrayLike, standard_errors: ArrayLike, draws: int = 200, seed: int = 0) -> Floats:
    """How often each policy carries weight when the payoffs are redrawn within their errors: float64[k].

    matrix: float64[k, k] antisymmetric; standard_errors: float64[k, k]. The equilibrium of measured payoffs jumps
    with their noise, so a weight without this frequency says little. The draws depend on `seed` alone.
    """
    payoff = antisymmetric(matrix)
    errors = np.asarray(standard_errors, dtype=np.float64)
    if errors.shape != payoff.shape or not np.all(errors >= 0.0) or draws < 1:
        raise RequestError("standard errors must be a matrix like the payoffs, none negative, and draws 1 or more")
    generator = np.random.default_rng(seed)
    seen = np.zeros(payoff.shape[0])
    for _ in range(draws):
        noise = np.triu(generator.standard_normal(payoff.shape) * errors, 1)
        drawn = payoff + noise - noise.T
        seen += nash(drawn).weights > _TINY
    return seen / draws


def _beats_all(payoff: Floats) -> np.ndarray:
    """Who gains from every other, clearly above rounding: alone in the only equilibrium. bool[k]; antisymmetric payoff.

    It spares a linear program, which takes the most of a tournament's time, where it can say nothing else.
    """
    clear = payoff > _CLEAR * float(np.abs(payoff).max())
    return np.asarray((clear | np.eye(len(payoff), dtype=bool)).all(axis=1) & (payoff.shape[0] > 1))


def _complementary(payoff: Floats) -> tuple[Floats, Floats, float]:
    """An equilibrium in which each strategy either has weight or does worse than the value, never neither.

    One linear program: maximise the smallest of weight + shortfall over all strategies, subject to equilibrium.
    """
    from scipy.optimize import linprog

    k, m = payoff.shape
    # Variables: row weights, column weights, value, the smallest sum. Shortfalls: v - Aq for rows, A'p - v for columns.
    rows = np.hstack([np.zeros((k, k)), payoff, -np.ones((k, 1)), np.zeros((k, 1))])
    columns = np.hstack([-payoff.T, np.zeros((m, m)), np.ones((m, 1)), np.zeros((m, 1))])
    own = np.eye(k + m, k + m + 2)
    sums = np.vstack([rows, columns]) - own
    sums[:, -1] = 1.0
    equal = np.zeros((2, k + m + 2))
    equal[0, :k] = equal[1, k:k + m] = 1.0
    best = linprog(-np.eye(k + m + 2)[-1], A_ub=np.vstack([rows, columns, sums]), b_ub=np.zeros(2 * (k + m)),
                   A_eq=equal, b_eq=np.ones(2), bounds=[(0, None)] * (k + m) + [(None, None), (0, None)],
                   method="highs", options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10})
    if best.x is None:
        raise RequestError(f"no equilibrium was found: {best.message}")
    return best.x[:k], best.x[k:k + m], float(best.x[-2])


def _max_entropy(payoff: Floats, support: np.ndarray, opponents: np.ndarray) -> Floats:
    """The weights of largest entropy on the support that earn the same against every one of the opponents' support.

    Columns outside the opponents' support must not pay less than that. The two supports are those of a strictly
    complementary equilibrium, so some weights meet all of this with room to spare.
    """
    inside = payoff[support]
    reference = inside[:, [int(np.flatnonzero(opponents)[0])]]
    equal, unequal = (inside[:, opponents] - reference).T, (inside[:, ~opponents] - reference).T
    weights = np.zeros(support.size)
    weights[support] = _entropy_on(equal, unequal)
    return weights


def _entropy_on(equal: Floats, unequal: Floats) -> Floats:
    """The largest entropy distribution p > 0 with equal @ p = 0 and unequal @ p >= 0.

    Where the equalities leave one point it is solved for. Otherwise p is proportional to exp(equal' y + unequal' z),
    and y and z >= 0 minimise the log of the sum. Newton's method over y and those z that are in use: a z comes into
    use when it wants above 0 and nothing else can be gained, and goes out of use when it reaches 0 again.
    """
    size = equal.shape[1]
    system = np.vstack([equal, np.ones(size)])
    if np.linalg.matrix_rank(system, tol=1e-9) == size:
        target = np.append(np.zeros(equal.shape[0]), 1.0)
        point = np.maximum(np.linalg.lstsq(system, target, rcond=None)[0], 0.0)
        return point / point.sum()
    _, roots, basis = np.linalg.svd(equal, full_matrices=False)
    kept = basis[roots > 1e-9]
    rows = np.vstack([kept, unequal])
    signed = np.arange(rows.shape[0]) >= kept.shape[0]
    at, used = np.zeros(rows.shape[0]), ~signed
    height, p = _log_sum(at, rows)
    for _ in range(1000):
        gradient = rows @ p
        settled = np.abs(gradient[used]).max(initial=0.0) < 1e-13
        step, length = np.zeros(at.size), 0.0
        if not settled:
            moved = rows[used]
            curvature = (moved * p) @ moved.T - np.outer(gradient[used], gradient[used])
            step[used] = -np.linalg.lstsq(curvature, gradient[used], rcond=1e-12)[0]
            straight = gradient[used] + curvature @ step[used]
            if np.abs(straight).max() > 1e-10:
                # Along this direction the height falls in a straight line, until a z reaches 0.
                step[used] = -straight / np.abs(straight).max() ** 2
            falling = used & signed & (step < 0.0)
            reach = float(np.min(-at[falling] / step[falling], initial=math.inf))
            length = min(1.0, reach)
            gain = -float(gradient @ step)
            # Where the gain drowns in rounding errors Newton's full step is right, and the last.
            settled = gain < 1e-14 and reach >= 1.0
            while gain >= 1e-14 and _log_sum(at + length * step, rows)[0] > height - 1e-4 * length * gain:
                length /= 2
            at = at + length * step
            stopped = falling & (at <= 1e-15 * (1.0 + np.abs(step)))
            at[stopped] = 0.0
            used = used & ~stopped
            height, p = _log_sum(at, rows)
        if settled:
            wanting = np.where(used, 0.0, rows @ p)
            if wanting.min(initial=0.0) > -1e-12:
                break
            used[int(np.argmin(wanting))] = True
    return p


def _log_sum(at: Floats, rows: Floats) -> tuple[float, Floats]:
    """Log of the sum of exp(at @ rows), and the shares of its terms."""
    logs = at @ rows
    largest = float(logs.max())
    shares = np.exp(logs - largest)
    total = float(shares.sum())
    return largest + float(np.log(total)), shares / total
