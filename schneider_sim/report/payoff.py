"""Who gains how much from whom: all match-ups of a study compared at once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..stats import multiple
from ..stats.paired import correlation, edge
from ..stats.values import Floats, Interval, exact_moments, histogram, standard_error

if TYPE_CHECKING:
    from .playing import Series

RANGES = 200
"""From so many ranges of deals on, the correlations between match-ups are estimated."""


class Comparison(NamedTuple):
    """A's points per deal minus B's: value, its own 95 % interval, and the one that holds for all at once.

    correlation, factor: of the two plays of a deal, and how many independent deals one duplicate's deal is worth.
    """

    a: str
    b: str
    value: float
    low: float
    high: float
    all_low: float
    all_high: float
    n: int
    method: str
    correlation: float
    factor: float

    @property
    def is_settled(self) -> bool:
        """Whether the simultaneous interval leaves no doubt who is ahead."""
        return self.all_low > 0 or self.all_high < 0

    def seen_from(self, name: str) -> "Comparison":
        """The comparison with `name` as A."""
        if name == self.a:
            return self
        return self._replace(a=self.b, b=self.a, value=-self.value, low=-self.high, high=-self.low,
                             all_low=-self.all_high, all_high=-self.all_low)


class Payoff(NamedTuple):
    """Comparisons of the players, with the method of their simultaneous intervals."""

    names: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    method: str

    def between(self, a: str, b: str) -> Comparison | None:
        """The comparison of a with b, as a sees it; None where they did not meet."""
        found = (one for one in self.comparisons if {one.a, one.b} == {a, b} and a != b)
        return next((one.seen_from(a) for one in found), None)

    def matrix(self, what: str) -> Floats:
        """float64[names, names] of a column of the comparisons as the row's policy sees it; NaN where none was."""
        table = np.full((len(self.names), len(self.names)), np.nan)
        for i, a in enumerate(self.names):
            for j, b in enumerate(self.names):
                one = self.between(a, b)
                if one:
                    table[i, j] = getattr(one, what)
        return table

    @property
    def order(self) -> tuple[str, ...]:
        """The players by their mean edge over those they met, best first."""
        means = {a: np.nanmean([*self.matrix("value")[i], 0.0]) for i, a in enumerate(self.names)}
        return tuple(sorted(self.names, key=lambda name: -means[name]))


def compare_all(names: Sequence[str], match_ups: "Sequence[tuple[str, str, Series]]") -> Payoff:
    """The edges of match-ups on common deals with their own and with simultaneous 95 % intervals.

    The latter are max-T intervals: with correlations from ranges of deals where there are RANGES of them, else as if
    independent, which is wider (Šidák's inequality). A match-up too short or too uniform for a normal interval gets its
    share of the error by Bonferroni and the betting interval.
    """
    series = [one for _, _, one in match_ups]
    bounds = [float(np.abs(one.means).max()) for one in series]
    own = [edge(*one.pairs, 0.95, -bound, bound) for one, bound in zip(series, bounds, strict=True)]
    share = 0.05 / max(len(own), 1)
    limits = [Interval(*edge(*one.pairs, 1.0 - share, -bound, bound)[1:3])
              for one, bound in zip(series, bounds, strict=True)]
    normal = [place for place, estimate in enumerate(own) if estimate.method == "normal"]
    method = "betting intervals, Bonferroni"
    if normal:
        covariance, method = _covariance([series[place] for place in normal])
        every = multiple.max_t([own[place].value for place in normal], covariance, 1.0 - share * len(normal))
        for place, low, high in zip(normal, every.low, every.high, strict=True):
            limits[place] = Interval(float(low), float(high))
    comparisons = []
    for (a, b, one), estimate, limit in zip(match_ups, own, limits, strict=True):
        value, low, high, n, how = estimate
        gain = correlation(*one.pairs)
        comparisons.append(Comparison(a, b, value, low, high, *limit, n, how, gain.correlation, gain.factor))
    return Payoff(tuple(names), tuple(comparisons), method)


def _covariance(series: "Sequence[Series]") -> tuple[Floats, str]:
    """The covariance of the edges and how it came about; their errors are those of the whole tables."""
    errors = [standard_error(exact_moments(histogram(one.means, one.counts.sum(axis=0)))) for one in series]
    ranges = min(len(one.counts) for one in series)
    if ranges < RANGES or len({len(one.counts) for one in series}) > 1:
        one = len(series) == 1
        return np.diag(np.square(errors)), "one comparison" if one else "max-T as if match-ups were independent"
    sums = np.stack([one.counts @ one.means for one in series], axis=1)
    chunks = multiple.from_chunks(sums, series[0].counts.sum(axis=1))
    return multiple.with_errors(chunks.covariance, errors), f"max-T with correlations from {ranges} ranges of deals"
