"""What a comparison asks, and whether the counts at a look answer it: pure functions of counts.

A question is looked at many times, so its cheap bounds come first: the exact ratio or interval is worked out only
where a normal approximation says that it may decide. Skipping a look never makes an answer less sure.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..base.tally import Counts
from ..errors import RequestError
from ..stats import power, sequential
from ..stats.intervals import mean_estimate
from ..stats.values import FEW, Estimate, Interval, exact_moments, histogram, two_sided_z
from .duplicates import Floats
from .repeat import number

H0, H1, PRECISE, UNDECIDED = "H0", "H1", "precise", "undecided"
STATUS = {H1: 0, PRECISE: 0, H0: 3, UNDECIDED: 4}  # the exit status of a verdict

_NEAR_BOUND = 0.75  # of a bound: where the approximate log likelihood ratio is nearer to 0, the exact one stays inside
_NARROWEST = 1.5  # the anytime interval over the fixed-n one; it is never as narrow


class Look(NamedTuple):
    """What was seen at a look: how many pairs, and how often each possible pair mean, int64[k]."""

    pairs: int
    counts: Counts


@dataclass(frozen=True)
class Sprt:
    """Is the edge h1 rather than h0 (VP per deal)? alpha: probability of taking h1 where h0 is true; beta: of h0."""

    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05

    def check(self, values: Floats) -> None:
        """Raises RequestError where the hypotheses or errors are impossible for these values."""
        if not (math.isfinite(self.h0) and math.isfinite(self.h1)):
            raise RequestError("the hypotheses of --sprt must be finite numbers of points per deal, such as 0 0.02")
        if 0 < self.h1 - self.h0 < power.SMALLEST:
            raise RequestError(f"--sprt {self.h0:g} {self.h1:g}: {power.TOO_SMALL}")
        self.state(values, np.zeros(values.size, np.int64))

    def state(self, values: Floats, counts: Counts) -> sequential.Sprt:
        """The exact log likelihood ratio between its bounds."""
        return sequential.sprt(values, counts, self.h0, self.h1, self.alpha, self.beta)

    def answer(self, values: Floats, counts: Counts) -> str:
        """H0, H1 or UNDECIDED at this look; always undecided below 1000 pairs, as the ratio is an asymptotic one."""
        if counts.sum() < FEW:
            return UNDECIDED
        lower, upper = sequential.bounds(self.alpha, self.beta)
        if _NEAR_BOUND * lower < self._approximately(values, counts) < _NEAR_BOUND * upper:
            return UNDECIDED
        return {"H0": H0, "H1": H1}.get(self.state(values, counts).verdict, UNDECIDED)

    def by_symmetry(self) -> str:
        """The answer where the edge is known to be 0."""
        return H0 if self.h0 >= 0 else H1 if self.h1 <= 0 else UNDECIDED

    def estimate(self, values: Floats, counts: Counts, level: float = 0.95) -> Estimate:
        """The edge after the test: median-unbiased, since a test that stops when it looks good looks too good."""
        return sequential.stopped_estimate(values, counts, self.h0, self.h1, self.alpha, self.beta, level)

    def pairs_left(self, values: Floats, counts: Counts) -> float:
        """Pairs to go if the log likelihood ratio keeps its course; infinite where it has none."""
        state = self.state(values, counts)
        course = state.llr / state.n if state.n else 0.0
        bound = state.upper if course > 0 else state.lower
        return max(0.0, (bound - state.llr) / course) if course else math.inf

    def as_dict(self) -> dict[str, Any]:
        return {"kind": "sprt", "h0": self.h0, "h1": self.h1, "alpha": self.alpha, "beta": self.beta}

    def options(self) -> tuple[str, ...]:
        """The options of `compare` that ask this."""
        words = ["--sprt", number(self.h0), number(self.h1)]
        words += ["--alpha", number(self.alpha)] if self.alpha != 0.05 else []
        words += ["--beta", number(self.beta)] if self.beta != 0.05 else []
        return tuple(words)

    def _approximately(self, values: Floats, counts: Counts) -> float:
        """The log likelihood ratio for a normal law, infinite where nothing varies.

        Source: Van den Bergh, Comments on normalized Elo (cantate.be), section 3, the GSPRT approximation.
        """
        n, mean, variance = _moments(values, counts)
        gain = n * (self.h1 - self.h0) * (2 * mean - self.h0 - self.h1)
        return gain / (2 * variance) if variance > 0 else math.inf


@dataclass(frozen=True)
class Precision:
    """What is the edge, to within half_width (VP per deal) either way, whenever one looks?"""

    half_width: float = 0.01
    level: float = 0.95

    def check(self, values: Floats) -> None:
        """Raises RequestError where no interval has such a width."""
        if not (math.isfinite(self.half_width) and self.half_width > 0):
            raise RequestError(f"--precision must be a positive number of points per deal, not {self.half_width:g}")
        if self.half_width < power.SMALLEST:
            raise RequestError(f"--precision {self.half_width:g}: {power.TOO_SMALL}")
        if not 0 < self.level < 1:
            raise RequestError(f"a confidence level must lie between 0 and 1, not {self.level:g}")

    def answer(self, values: Floats, counts: Counts) -> str:
        """PRECISE or UNDECIDED at this look."""
        n, _, variance = _moments(values, counts)
        if _NARROWEST * two_sided_z(self.level) * math.sqrt(variance / n) > self.half_width:
            return UNDECIDED
        return PRECISE if _half(anytime(values, counts, self.level)) <= self.half_width else UNDECIDED

    def by_symmetry(self) -> str:
        """The answer where the edge is known to be 0."""
        return PRECISE

    def estimate(self, values: Floats, counts: Counts, level: float = 0.95) -> Estimate:
        """The edge with the interval that holds at every look."""
        mean = exact_moments(histogram(values, counts)).mean
        return Estimate(mean, *anytime(values, counts, level), int(counts.sum()), "betting, valid at every look")

    def pairs_left(self, values: Floats, counts: Counts) -> float:
        """Pairs to go, the interval narrowing with the square root of their number."""
        n, _, variance = _moments(values, counts)
        half = max(_half(anytime(values, counts, self.level)), _NARROWEST * math.sqrt(variance / n))
        return max(0.0, n * ((half / self.half_width) ** 2 - 1.0))

    def as_dict(self) -> dict[str, Any]:
        return {"kind": "precision", "half_width": self.half_width, "level": self.level}

    def options(self) -> tuple[str, ...]:
        """The options of `compare` that ask this."""
        return ("--precision", number(self.half_width))


Question = Sprt | Precision


def anytime(values: Floats, counts: Counts, level: float = 0.95) -> Interval:
    """The interval for the edge that holds at every look at once."""
    return sequential.betting_interval(values, counts, level)


def fixed(values: Floats, counts: Counts, level: float = 0.95) -> Estimate:
    """The edge as if the number of deals had been fixed beforehand; not for a run that looked."""
    return mean_estimate(values, counts, level)


def _half(interval: Interval) -> float:
    return (interval.high - interval.low) / 2


def _moments(values: Floats, counts: Counts) -> tuple[int, float, float]:
    """Number, mean and variance in floating point: good enough to say whether the exact answer is worth its time."""
    n = int(counts.sum())
    mean = float(values @ counts) / n
    return n, mean, float((values - mean) ** 2 @ counts) / n
