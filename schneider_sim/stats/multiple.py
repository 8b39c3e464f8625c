"""Many comparisons at once: adjusted p-values and intervals that hold simultaneously."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from .betting import betting_interval
from .normal import below
from .roots import root
from .values import Floats, tail

_POINTS_LOG2 = 15
_GROUPS = 2048
_SEED = 20_240_229


class Simultaneous(NamedTuple):
    """Intervals low..high (float64[k]) that all hold at once, and p-values (float64[k]) adjusted in the same way.

    critical: the common multiple of the standard errors (float64[k]).
    """

    estimates: Floats
    low: Floats
    high: Floats
    p_values: Floats
    standard_errors: Floats
    critical: float


def bonferroni(p_values: ArrayLike) -> Floats:
    """p-values times their number, at most 1: controls the chance of any false finding, under any dependence."""
    p = _checked_p(p_values)
    return np.minimum(1.0, p * p.size)


def holm(p_values: ArrayLike) -> Floats:
    """Step-down adjustment: as safe as Bonferroni, never weaker. Source: Holm, Scand. J. Statist. 6 (1979) 65-70."""
    p = _checked_p(p_values)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    return _back(np.minimum(1.0, stepped), order)


def benjamini_hochberg(p_values: ArrayLike) -> Floats:
    """Adjustment that controls the expected share of false findings among independent or positively dependent ones.

    Source: Benjamini and Hochberg, J. R. Statist. Soc. B 57 (1995) 289-300.
    """
    return _step_up(_checked_p(p_values), 1.0)


def benjamini_yekutieli(p_values: ArrayLike) -> Floats:
    """As Benjamini-Hochberg, under any dependence. Source: Benjamini, Yekutieli, Ann. Statist. 29 (2001) 1165-1188."""
    p = _checked_p(p_values)
    return _step_up(p, math.fsum(1 / i for i in range(1, p.size + 1)))


def _step_up(p: Floats, factor: float) -> Floats:
    """Smallest over the larger p-values of factor * p * number / rank, at most 1."""
    order = np.argsort(p, kind="stable")
    scaled = p[order] * (factor * p.size / np.arange(1, p.size + 1))
    return _back(np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1]), order)


def max_t(estimates: ArrayLike, covariance: ArrayLike, level: float = 0.95, n: int | None = None,
          low: float | None = None, high: float | None = None) -> Simultaneous:
    """Simultaneous intervals for correlated estimates: each +- c standard errors, c from the law of the largest |t|.

    estimates: float64[k]; covariance: float64[k, k], theirs (see `from_chunks`, `with_errors`). Estimates on common
    deals are correlated, which makes c smaller than Bonferroni's. An estimate without variance, as of a policy
    against itself, gets the betting interval at level 1 - alpha/k instead, for which n, the number of pairs, and the
    bounds low and high of a pair must be given.
    Source: Hothorn, Bretz, Westfall, Biometrical J. 50 (2008) 346-363.
    """
    error = tail(level)
    values = np.asarray(estimates, dtype=np.float64).ravel()
    matrix = checked_covariance(covariance, values.size)
    errors = np.sqrt(np.diag(matrix))
    sure = errors > 0.0
    half = np.zeros(values.size)
    p_values = np.ones(values.size)
    critical = 0.0
    if sure.any():
        correlation = matrix[np.ix_(sure, sure)] / np.outer(errors[sure], errors[sure])
        law = _LargestT(correlation)
        critical = law.quantile(error * sure.sum() / values.size)
        half[sure] = critical * errors[sure]
        p_values[sure] = [law.exceeded(t) for t in np.abs(values[sure] / errors[sure])]
    bottom, top = values - half, values + half
    for i in np.flatnonzero(~sure):
        if n is None or low is None or high is None:
            raise RequestError("an estimate has no variance: give n= and the bounds low= and high= of a pair")
        bottom[i], top[i] = betting_interval([values[i]], [n], low=low, high=high, alpha=error / values.size)
        p_values[i] = 1.0 if bottom[i] <= 0.0 <= top[i] else error
    return Simultaneous(values, bottom, top, p_values, errors, critical)


def max_t_quantile(correlation: ArrayLike, level: float = 0.95) -> float:
    """The c that the largest of correlated standard normal |t| stays below with probability `level`.

    correlation: float64[k, k]. Independent ones and the all-pairs differences of equal independent groups (Tukey) are
    known laws; otherwise a quasi-random sum over directions with the same points in every call, good to about .001.
    """
    matrix = np.asarray(correlation, dtype=np.float64)
    return _LargestT(checked_covariance(matrix, matrix.shape[0])).quantile(tail(level))


class Chunks(NamedTuple):
    """Estimates float64[k] and their covariance float64[k, k] from `chunks` ranges of deals."""

    estimates: Floats
    covariance: Floats
    chunks: int


def from_chunks(sums: ArrayLike, sizes: ArrayLike) -> Chunks:
    """Means of several quantities on common deals with their covariance, from sums over disjoint ranges of deals.

    sums: float64[chunks, k]: each quantity summed over the pairs of a range; sizes: int64[chunks] or one number: pairs
    in it. Needs two ranges or more; some 200 make the correlations good.
    Source: ratio-of-sums (batch means) variance, Asmussen and Glynn, Stochastic Simulation (2007), section IV.5.
    """
    table = np.asarray(sums, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 2:
        raise RequestError("correlations need the sums of two ranges of deals or more")
    pairs = np.broadcast_to(np.asarray(sizes, dtype=np.float64), table.shape[:1])
    total = float(pairs.sum())
    if np.any(pairs < 0) or total <= 0:
        raise RequestError("a range of deals must not have a negative number of pairs, nor all of them none")
    means = table.sum(axis=0) / total
    rest = table - np.outer(pairs, means)
    rest[np.abs(rest) < 1e-12 * (1.0 + np.abs(table))] = 0.0
    chunks = table.shape[0]
    return Chunks(means, rest.T @ rest * (chunks / (chunks - 1) / total**2), chunks)


def with_errors(covariance: ArrayLike, standard_errors: ArrayLike) -> Floats:
    """A covariance with the correlations of one and the standard errors of another source, such as joint tables."""
    errors = np.asarray(standard_errors, dtype=np.float64).ravel()
    matrix = checked_covariance(covariance, errors.size)
    own = np.sqrt(np.diag(matrix))
    scale = np.divide(errors, own, out=np.zeros_like(errors), where=own > 0)
    result = matrix * np.outer(scale, scale)
    np.fill_diagonal(result, errors**2)
    return result


class _LargestT:
    """The law of the largest |t|: t = r u L' with a direction u on the sphere and a radius r whose law is known.

    Given u, the largest |t| exceeds c with probability P(chi_d > c / max|L u|), which is smooth, so that a few
    thousand quasi-random directions give what a million random draws would. The points are the same in every call.
    """

    def __init__(self, correlation: Floats) -> None:
        size = correlation.shape[0]
        roots, vectors = np.linalg.eigh(correlation)
        kept = roots > 1e-9 * roots[-1]
        self._dimension = int(kept.sum())
        self._groups = _tukey_groups(correlation)
        self._independent = size if np.allclose(correlation, np.eye(size), atol=1e-12) else 0
        if self._groups or self._independent:
            return
        factor = vectors[:, kept] * np.sqrt(roots[kept])
        largest = np.concatenate([np.abs(part @ factor.T).max(axis=1) for part in _directions(self._dimension)])
        # Neighbours in size are so close that their mean stands for them.
        groups = min(_GROUPS, largest.size)
        self._largest = np.sort(largest).reshape(groups, -1).mean(axis=1)

    def exceeded(self, c: float) -> float:
        """P(largest |t| > c)."""
        if self._independent:
            return -math.expm1(self._independent * math.log1p(-2.0 * below(-c)))
        if self._groups:
            from scipy.stats import studentized_range

            return float(studentized_range.sf(c * math.sqrt(2.0), self._groups, np.inf))
        from scipy.special import gammaincc

        return float(gammaincc(self._dimension / 2, (c / self._largest) ** 2 / 2).mean())

    def quantile(self, error: float) -> float:
        """The c with P(largest |t| > c) = error."""
        return root(lambda c: self.exceeded(c) - error, 1e-3, 40.0, xtol=1e-9)


@lru_cache(maxsize=4)
def _directions(dimension: int) -> tuple[Floats, ...]:
    """Directions float64[points, dimension] in a few parts, evenly over the sphere; quasi-random from 4 dimensions on.

    Source: Swinbank and Purser, Q. J. R. Meteorol. Soc. 132 (2006) 1769-1793, for the spiral on the sphere of three.
    """
    if dimension == 1:
        return (np.ones((1, 1)),)
    if dimension < 4:  # where a grid is better, and SciPy's generators would take longer to load than to use
        place = (np.arange(1 << _POINTS_LOG2) + 0.5) / (1 << _POINTS_LOG2)
        if dimension == 2:
            return (np.column_stack([np.cos(np.pi * place), np.sin(np.pi * place)]),)
        height, turn = 2.0 * place - 1.0, np.pi * (1.0 + math.sqrt(5.0)) * np.arange(place.size)
        around = np.sqrt(1.0 - height**2)
        return (np.column_stack([around * np.cos(turn), around * np.sin(turn), height]),)
    from scipy.special import ndtri
    from scipy.stats import qmc

    sobol = qmc.Sobol(dimension, scramble=True, seed=np.random.default_rng(_SEED))
    parts = []
    for _ in range(8):
        normal = ndtri(np.clip(sobol.random(2 ** (_POINTS_LOG2 - 3)), 1e-12, 1 - 1e-12))
        parts.append(normal / np.linalg.norm(normal, axis=1, keepdims=True))
    return tuple(parts)


def _tukey_groups(correlation: Floats) -> int:
    """Number of groups if these are the correlations of their `pairwise_contrasts`, equal and independent, else 0."""
    size = correlation.shape[0]
    groups = (1 + math.isqrt(1 + 8 * size)) // 2
    if groups < 3 or groups * (groups - 1) // 2 != size:
        return 0
    contrasts = pairwise_contrasts(groups)
    return groups if np.allclose(correlation, contrasts @ contrasts.T / 2, atol=1e-9) else 0


def pairwise_contrasts(groups: int) -> Floats:
    """All differences of two of `groups` quantities as rows: float64[groups (groups - 1) / 2, groups], i before j."""
    rows, columns = np.triu_indices(groups, 1)
    contrasts = np.zeros((rows.size, groups))
    contrasts[np.arange(rows.size), rows] = 1.0
    contrasts[np.arange(rows.size), columns] = -1.0
    return contrasts


def _checked_p(p_values: ArrayLike) -> Floats:
    """p-values as float64[k]; raises RequestError for anything that is none."""
    p = np.asarray(p_values, dtype=np.float64).ravel()
    if not np.all((p >= 0.0) & (p <= 1.0)):
        raise RequestError("p-values must lie between 0 and 1")
    return p


def _back(adjusted: Floats, order: np.ndarray) -> Floats:
    """Adjusted values in the order the p-values came in."""
    result = np.empty_like(adjusted)
    result[order] = adjusted
    return result


def checked_covariance(covariance: ArrayLike, size: int) -> Floats:
    """A covariance of `size` estimates as float64[size, size]; raises RequestError where it cannot be one."""
    matrix = np.asarray(covariance, dtype=np.float64)
    if matrix.shape != (size, size) or size == 0:
        raise RequestError(f"a covariance of shape {matrix.shape} does not go with {size} estimates")
    if not np.all(np.isfinite(matrix)) or not np.allclose(matrix, matrix.T, rtol=1e-8, atol=1e-300):
        raise RequestError("a covariance must be finite and symmetric")
    if np.any(np.diag(matrix) < 0):
        raise RequestError("a variance must not be negative")
    return matrix
