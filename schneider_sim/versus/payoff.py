"""Who gains how much from whom: match-ups on common deals compared at once, and what solves the table of payoffs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..stats import ranking as solutions
from ..stats.paired import correlation
from .duplicates import Floats
from .field import Joint, Series, together
from .ranking import Bools

DRAWS = 200  # redrawn payoff tables, to see which policies an equilibrium needs


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


class Solution(NamedTuple):
    """What a table of payoffs comes to, the policies in its order.

    hodge: how far it is a ranking, and how far it goes round in circles; its ratings are mean gains over all, oneself
    included; weights: float64[k], of the mixture that no policy beats; support: float64[k], how often a policy has
    weight when the payoffs are redrawn within their errors.
    """

    hodge: solutions.Hodge
    weights: Floats
    support: Floats


@dataclass(frozen=True)
class Payoff:
    """Comparisons of the players, with the method of their simultaneous intervals."""

    names: tuple[str, ...]
    comparisons: tuple[Comparison, ...]
    method: str

    @cached_property
    def _met(self) -> dict[tuple[str, str], Comparison]:
        return {pair: one.seen_from(pair[0]) for one in self.comparisons for pair in ((one.a, one.b), (one.b, one.a))}

    def between(self, a: str, b: str) -> Comparison | None:
        """The comparison of a with b, as a sees it; None where they did not meet."""
        return self._met.get((a, b))

    def matrix(self, what: str, order: Sequence[str] | None = None, own: float = np.nan) -> Floats:
        """float64[names, names] of a column of the comparisons as the row's policy sees it; NaN where none was.

        order: the names of rows and columns, by default all in their order; own: what stands for a policy itself.
        """
        names = self.names if order is None else order
        found = [[self._met.get((a, b)) for b in names] for a in names]
        table = np.array([[np.nan if one is None else getattr(one, what) for one in row] for row in found], float)
        np.fill_diagonal(table, own)
        return table

    @cached_property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The players in sets between which nobody met, each by mean edge where all of it met, else as in the study."""
        left, found = list(self.names), []
        while left:
            together, new = {left[0]}, {left[0]}
            while new:
                new = {b for a, b in self._met if a in new} - together
                together |= new
            found.append(self._ordered([name for name in left if name in together]))
            left = [name for name in left if name not in together]
        return tuple(found)

    def all_met(self, names: Sequence[str]) -> bool:
        """Whether each met each other."""
        return all((a, b) in self._met for place, a in enumerate(names) for b in names[place + 1 :])

    def _ordered(self, names: Sequence[str]) -> tuple[str, ...]:
        if len(names) < 2 or not self.all_met(names):
            return tuple(names)
        means = dict(zip(names, np.nansum(self.matrix("value", names), axis=1), strict=True))
        return tuple(sorted(names, key=lambda name: -means[name]))

    @cached_property
    def is_complete(self) -> bool:
        """Whether everybody met everybody, so that the players can be ranked."""
        return len(self.names) > 1 and self.all_met(self.names)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The players, set by set: the best first by mean edge where all of a set met, else in the study's order."""
        return tuple(name for names in self.sets for name in names)

    @cached_property
    def solution(self) -> Solution:
        """Ratings, circles and equilibrium; raises RequestError unless it is complete."""
        values, errors = (self.matrix(what, own=0.0) for what in ("value", "error"))
        return Solution(solutions.hodge(values, errors), solutions.nash(values).weights,
                        solutions.support_frequency(values, errors, draws=DRAWS))

    def beats(self, names: Sequence[str]) -> Bools:
        """Who surely beats whom, by the intervals for all at once: bool[names, names]."""
        return np.asarray(self.matrix("all_low", names) > 0)


def compare_all(names: Sequence[str], match_ups: Sequence[tuple[str, str, Series]],
                joint: Joint | None = None, level: float = 0.95) -> Payoff:
    """The edges of match-ups on common deals with their own intervals, and those that hold for all at once.

    joint: the latter where they are known, by default those of `together`.
    """
    if not match_ups:
        return Payoff(tuple(names), (), "nothing compared")
    joint = joint or together([series for _, _, series in match_ups], level)
    comparisons = []
    for (a, b, series), low, high in zip(match_ups, joint.low.tolist(), joint.high.tolist(), strict=True):
        own, gain = series.estimate(level), correlation(*series.reader.pairs(series.tally.vector))
        comparisons.append(Comparison(a, b, *own.limits, low, high, own.n, own.method,
                                      series.error, gain.correlation, gain.factor))
    return Payoff(tuple(names), tuple(comparisons), joint.method)
