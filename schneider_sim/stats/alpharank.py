"""Alpha-rank: how often an evolving population would be found playing each policy."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from .values import Floats

_STRONGEST = 1e100


def alpha_rank(matrix: ArrayLike, alpha: float = 100.0, population: int = 50) -> Floats:
    """Stationary distribution float64[k] of the policies in one population of imitators with rare mutants.

    matrix: float64[k, k], payoff of i against j, of any symmetric game; alpha >= 0: how strongly success is imitated;
    population: its size, 2 or more. All is done with logarithms, so that no alpha is too large: rates too small for a
    float still count, and the limit of strict ranking comes out. Equal policies share equally.
    Source: Omidshafiei et al., Sci. Rep. 9, 9937 (2019); elimination after Grassmann, Taksar, Heyman, Oper. Res. 33
    (1985) 1107-1116, which subtracts nothing.
    """
    payoff = np.asarray(matrix, dtype=np.float64)
    if payoff.ndim != 2 or payoff.shape[0] != payoff.shape[1] or payoff.size == 0 or not np.all(np.isfinite(payoff)):
        raise RequestError("alpha-rank needs a square matrix of finite payoffs")
    if not (np.isfinite(alpha) and alpha >= 0) or population < 2:
        raise RequestError("alpha-rank needs alpha >= 0 and a population of 2 or more")
    return _stationary(_log_fixation(payoff, alpha, population))


def _log_fixation(payoff: Floats, alpha: float, population: int) -> Floats:
    """Log probability, at [s, r], that one r among s takes over: 1 / (1 + sum over l of exp(-alpha * lead up to l))."""
    own = np.diag(payoff)
    mutants = np.arange(1, population)[:, None, None]
    others = population - 1
    # Mean payoff of a mutant r (first) and of a resident s among `mutants` of r, at [., s, r].
    mutant = ((mutants - 1) * own[None, None, :] + (population - mutants) * payoff.T[None]) / others
    resident = (mutants * payoff[None] + (others - mutants) * own[None, :, None]) / others
    lead = mutant - resident
    scale = float(np.abs(payoff).max())
    # A lead of rounding errors is none, however strongly it is imitated.
    lead[np.abs(lead) < 1e-13 * scale] = 0.0
    strength = min(alpha, _STRONGEST / scale) if scale > 0.0 else 0.0
    logs = np.concatenate([np.zeros((1, *payoff.shape)), -strength * np.cumsum(lead, axis=0)])
    return -np.logaddexp.reduce(logs, axis=0)


def _stationary(log_rates: Floats) -> Floats:
    """Stationary distribution of the chain with these log rates from row to column (the diagonal is not used)."""
    size = log_rates.shape[0]
    rates = log_rates.copy()
    left = np.zeros(size)
    for k in range(size - 1, 0, -1):
        left[k] = np.logaddexp.reduce(rates[k, :k])
        via = rates[:k, k, None] + rates[None, k, :k] - left[k]
        rates[:k, :k] = np.logaddexp(rates[:k, :k], via)
    logs = np.zeros(size)
    for k in range(1, size):
        logs[k] = np.logaddexp.reduce(logs[:k] + rates[:k, k]) - left[k]
    shares = np.exp(logs - logs.max())
    return shares / shares.sum()
