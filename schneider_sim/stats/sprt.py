"""The generalised sequential probability ratio test on the outcomes of pairs."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from .roots import root
from .values import Floats, histogram

_UNSEEN = 1e-3
MODELS = ("mean", "normalised")


class Sprt(NamedTuple):
    """State of a sequential test.

    llr: log likelihood ratio of h1 over h0; lower, upper: the bounds at which h0, h1 is accepted; verdict: "H0", "H1"
    or "undecided"; n: pairs.
    """

    llr: float
    lower: float
    upper: float
    verdict: str
    n: int


def bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """Wald's bounds of the log likelihood ratio for the error probabilities alpha (h1 taken) and beta (h0 taken).

    Source: Wald, Sequential Analysis (1947), section 3.2.
    """
    if not (0.0 < alpha < 1.0 and 0.0 < beta < 1.0 and alpha + beta < 1.0):
        raise RequestError(f"error probabilities {alpha} and {beta} make no test: give two in 0..1 with sum below 1")
    return math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)


def sprt(values: ArrayLike, counts: ArrayLike, h0: float, h1: float, alpha: float = 0.05, beta: float = 0.05,
         model: str = "mean", reference: float = 0.0) -> Sprt:
    """Generalised sequential probability ratio test of h0 against h1 > h0 for the law of a pair's outcome.

    values: possible outcomes of a pair (for duplicates its mean, in VP per deal), those never seen included; counts:
    how often each was seen. model "mean": h0 and h1 are values of the mean, in the unit of `values`; "normalised":
    values of (mean - reference) / (standard deviation of a pair). The ratio is that of the likelihoods, each
    maximised over all laws on `values` that meet the hypothesis; outcomes never seen weigh a thousandth of a pair.
    The ratio is asymptotic: look for the first time at some hundred pairs, not at the first.
    Raises RequestError where a hypothesis lies outside what the values allow.
    Source: Van den Bergh, The support of the MLE of a multinomial distribution and Normalized Elo (cantate.be).
    """
    if model not in MODELS:
        raise RequestError(f"model={model!r} is unknown: give one of {', '.join(MODELS)}")
    if not h0 < h1:
        raise RequestError(f"the hypotheses {h0:g} and {h1:g} are not in order: h0 must be below h1")
    lower, upper = bounds(alpha, beta)
    hist = histogram(values, counts)
    n = int(sum(hist.counts.tolist()))
    _check_hypotheses(hist.values, h0, h1, model, reference)
    if n == 0:
        return Sprt(0.0, lower, upper, "undecided", 0)
    weights, shares = regularised(hist.counts)
    if model == "mean":
        logs = [_log_tilt_to_mean(hist.values, shares, h) for h in (h0, h1)]
    else:
        logs = [_log_tilt_to_t(hist.values, shares, h, reference) for h in (h0, h1)]
    llr = weights * float(shares @ (logs[1] - logs[0]))
    verdict = "H1" if llr >= upper else "H0" if llr <= lower else "undecided"
    return Sprt(llr, lower, upper, verdict, n)


def regularised(counts: ArrayLike) -> tuple[float, Floats]:
    """Total weight and shares of the cells, a cell never seen weighing a thousandth of a pair, or 1e-15 of all."""
    seen = np.asarray(counts, dtype=np.float64)
    weights = np.maximum(seen, max(_UNSEEN, 1e-15 * float(seen.sum())))  # a share of 1e-16 would be lost beside 1
    return float(weights.sum()), weights / weights.sum()


def _check_hypotheses(values: Floats, h0: float, h1: float, model: str, reference: float) -> None:
    """Raises RequestError unless some law on the values can meet each hypothesis."""
    low, high = (values[0], values[-1]) if model == "mean" else (-math.inf, math.inf)
    if not low < h0 < h1 < high:
        raise RequestError(f"the hypotheses {h0:g} and {h1:g} must lie between the possible values {low:g} and "
                           f"{high:g}: list the outcomes never seen too")
    if not values[0] < reference < values[-1] and model == "normalised":
        raise RequestError(f"the reference {reference:g} must lie between the possible values")


def _log_tilt_to_mean(values: Floats, shares: Floats, mean: float) -> Floats:
    """Log of (most likely law with the given mean) / (observed law), cell by cell."""
    return -np.log1p(_multiplier(values - mean, shares) * (values - mean))


def _multiplier(deviations: Floats, shares: Floats) -> float:
    """The x at which sum of shares * d / (1 + x d) is 0: the Lagrange multiplier of "the deviations average 0".

    The sum falls with x. No cell of the solution exceeds 1, which puts x between the poles, away from both.
    """
    top, bottom = int(np.argmax(deviations)), int(np.argmin(deviations))
    low = (shares[top] - 1.0) / deviations[top]
    high = (shares[bottom] - 1.0) / deviations[bottom]

    def average(x: float) -> float:
        return float(shares @ (deviations / (1.0 + x * deviations)))

    if average(low) <= 0.0:
        return float(low)
    if average(high) >= 0.0:
        return float(high)
    return root(average, float(low), float(high), xtol=1e-300)


def _log_tilt_to_t(values: Floats, shares: Floats, t: float, reference: float) -> Floats:
    """Log of (most likely law with (mean - reference)/sd = t) / (observed law), by fixed point from the flat law."""
    law = np.full(values.size, 1.0 / values.size)
    logs = np.zeros(values.size)
    for _ in range(50):
        mean = float(law @ values)
        sd = math.sqrt(float(law @ (values - mean) ** 2))
        deviations = values - reference - 0.5 * t * sd * (1.0 + ((values - mean) / sd) ** 2)
        if not deviations.min() < 0.0 < deviations.max():
            raise RequestError(f"no law on the possible values has a normalised mean of {t:g}")
        logs = -np.log1p(_multiplier(deviations, shares) * deviations)
        following = shares * np.exp(logs)
        if np.abs(following - law).max() < 1e-12:
            break
        law = following
    return logs
