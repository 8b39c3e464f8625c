"""A panel of opponents, and candidates measured against it on common deals."""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..base.tally import Counts
from ..games import MatchUp
from ..policy.grammar import Policy
from .bench import Bench

CHUNK = 1 << 14  # deals in a piece of work at most
Points = npt.NDArray[np.int32]


class Paired(NamedTuple):
    """A candidate's points minus those of another on the same deals: exact sums, over both plays and all opponents.

    changed: deals on which the two differ; plays: of one candidate on one deal.
    """

    deals: int
    total: int
    squares: int
    changed: int
    plays: int

    @property
    def mean(self) -> float:
        """Points a play by which the candidate is ahead."""
        return self.total / (self.deals * self.plays)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        variance = (self.squares - self.total * self.total / self.deals) / max(1, self.deals - 1)
        return math.sqrt(max(variance, 0.0) / self.deals) / self.plays

    def plus(self, more: "Paired") -> "Paired":
        """The comparison on these deals and on those of `more`."""
        return Paired(self.deals + more.deals, self.total + more.total, self.squares + more.squares,
                      self.changed + more.changed, self.plays)


def paired(points: Points, others: Points, plays: int) -> Paired:
    """Points of two candidates on the same deals, compared."""
    apart = points.astype(np.int64) - others
    return Paired(apart.size, int(apart.sum()), int(apart @ apart), int(np.count_nonzero(apart)), plays)


@dataclass(frozen=True)
class Panel:
    """Opponents under rules, and the seed of the deals on which candidates meet all of them in both seats."""

    game: Any
    rules: Any
    opponents: tuple[Policy, ...]
    seed: int
    plugins: tuple[Any, ...] = ()

    @property
    def plays(self) -> int:
        """Plays of a candidate on one deal."""
        return 2 * len(self.opponents)

    def match(self, policy: Policy, opponent: Policy) -> MatchUp:
        """A candidate against an opponent."""
        return MatchUp(self.rules, policy, opponent, self.seed, plugins=used(self.plugins, policy, opponent))

    def points(self, policy: Policy, start: int, stop: int) -> Points:
        """The candidate's points minus its opponents' in all plays of each deal start..stop-1, int32[deals]."""
        total = np.zeros(stop - start, np.int32)
        for opponent in self.opponents:
            by_deal: Counts = self.game.points_by_deal(self.match(policy, opponent), start, stop)
            total += by_deal.sum(axis=1, dtype=np.int32)
        return total

    def all_points(self, at: Bench, policies: Sequence[Policy], start: int, stop: int) -> list[Points]:
        """The points of several candidates, each in pieces on all threads."""
        pieces = chunks(start, stop)
        work = [(policy, *piece) for policy in policies for piece in pieces]
        found = at.map(lambda item: self.points(*item), work)
        return [np.concatenate(found[k : k + len(pieces)]) for k in range(0, len(found), len(pieces))]

    def compared(self, at: Bench, policies: Sequence[Policy], base: Points, start: int) -> list[Paired]:
        """Several candidates compared with one whose points on the deals from `start` on are `base`."""
        pieces = chunks(start, start + base.size)

        def measure(item: tuple[Policy, int, int]) -> Paired:
            policy, begin, end = item
            return paired(self.points(policy, begin, end), base[begin - start : end - start], self.plays)

        found = at.map(measure, [(policy, *piece) for policy in policies for piece in pieces])
        return [_sum(found[k : k + len(pieces)]) for k in range(0, len(found), len(pieces))]


def _sum(parts: Sequence[Paired]) -> Paired:
    return functools.reduce(Paired.plus, parts)


def chunks(start: int, stop: int) -> list[tuple[int, int]]:
    """The deals cut into pieces of work."""
    return [(begin, min(stop, begin + CHUNK)) for begin in range(start, stop, CHUNK)]


def used(plugins: Sequence[Any], *policies: Policy) -> tuple[Any, ...]:
    """The users' preferences that the policies name."""
    if not plugins:
        return ()
    from ..policy.grammar import read_word

    names = {name for policy in policies for words in policy.sections.values() for word in words
             for name in (word, read_word(word).name)}
    return tuple(item for item in plugins if item.name in names)
