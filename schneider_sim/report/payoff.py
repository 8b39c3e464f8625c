"""Who gains how much from whom: all match-ups of a study compared at once."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..stats.paired import correlation
from ..stats.values import Floats
from ..versus.field import Series, together


class Comparison(NamedTuple):
    """A's points per deal minus B's: value, its own 95 % interval, and the one that holds for all at once.

    error: the standard error of the value; correlation, factor: of the two plays of a deal, and how many independent
    deals one duplicate's deal is worth.
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
    error: float
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


def compare_all(names: Sequence[str], match_ups: Sequence[tuple[str, str, Series]]) -> Payoff:
    """The edges of match-ups on common deals with their own 95 % intervals, and those that hold for all at once."""
    if not match_ups:
        return Payoff(tuple(names), (), "nothing compared")
    joint = together([series for _, _, series in match_ups])
    comparisons = []
    for (a, b, series), low, high in zip(match_ups, joint.low.tolist(), joint.high.tolist(), strict=True):
        own, gain = series.estimate(), correlation(*series.reader.pairs(series.tally.vector))
        comparisons.append(Comparison(a, b, own.value, own.low, own.high, low, high, own.n, own.method,
                                      series.error, gain.correlation, gain.factor))
    return Payoff(tuple(names), tuple(comparisons), joint.method)
