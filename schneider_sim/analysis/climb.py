"""Climbing from a list of words to better ones: one round, and what follows on it.

A round races small changes of the list against the list itself, confirms the best on fresh deals and takes those that
gain. Where a round finds nothing, the next looks closer, on more deals; where the closest look finds nothing, the climb
ends and another one starts from the best list with a few changes at random. Every round has deals of its own, and all
that happens depends on the request and the number of the round alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..policy.grammar import Policy
from .bench import Bench
from .moves import Edit, Vocabulary, fresh, nearby
from .panel import Paired, Panel, paired
from .race import Heats, race

if TYPE_CHECKING:
    from numpy.random import Generator

_ROUND = 1 << 40  # deals from the beginning of a round to that of the next
_CONFIRM, _COMPARE = 1 << 38, 1 << 39  # where in them the finalists, and the ends of climbs, are played
_SURE = 2.0  # standard errors that a change must gain
_SHAKEN = 3  # changes at random at the start of a climb that is not the first


class Depth(NamedTuple):
    """How closely a round looks: changes tried at most, the heats of their race, deals on which gains are confirmed."""

    changes: int
    heats: Heats
    confirm: int


DEPTHS = (
    Depth(2048, Heats((1 << 10, 1 << 12, 1 << 14, 1 << 16)), 1 << 18),
    Depth(3072, Heats((1 << 11, 1 << 13, 1 << 15, 1 << 17)), 1 << 19),
    Depth(1 << 20, Heats((1 << 11, 1 << 13, 1 << 15, 1 << 17, 1 << 19)), 1 << 20),  # every change
)


@dataclass(frozen=True)
class Round:
    """What a round did: how many changes it tried, what it took and by how much that gained on the confirming deals.

    round, climb: numbers from 1 on; depth: of the look, 1 is the quickest; deals: those that confirmed; gain: points a
    play over the list that the round began with; value, low, high: points a play against the panel after the round,
    95 %; policy: where the climb stands then; best: the best policy of all climbs so far.
    """

    round: int
    climb: int
    depth: int
    tried: int
    deals: int
    gain: float
    value: float
    low: float
    high: float
    policy: str
    best: str


@dataclass(frozen=True)
class State:
    """Where the climbs stand between two rounds: it decides, with the number, what the next round does."""

    current: Policy
    best: Policy
    climb: int = 1
    depth: int = 0
    shaken: bool = False  # whether the list is to be changed at random first


@dataclass(frozen=True)
class Climber:
    """What stays the same from round to round: the panel, and what may stand in the sections that are tuned."""

    panel: Panel
    known: Sequence[Vocabulary]
    depths: Sequence[Depth]

    def round(self, at: Bench, state: State, number: int) -> tuple[State, Round]:
        """Play round `number`."""
        chance = np.random.Generator(np.random.Philox(key=[self.panel.seed, number]))
        first, depth = number * _ROUND, self.depths[state.depth]
        base = self._shake(state.current, chance) if state.shaken else state.current
        edits = self._edits(base, depth.changes, chance)
        raced = race(at, self.panel, base, [_edited(base, edit) for edit in edits], first, depth.heats)
        idle = [edits[k] for k in raced.idle if edits[k].removes]
        finalists = [edits[k] for k in raced.left[: depth.heats.finalists]]
        found, gain, value = self._confirm(at, base, finalists, idle, first + _CONFIRM, depth.confirm)
        after = self._following(at, replace(state, current=found, shaken=False), found != base, number)
        return after, Round(number, state.climb, state.depth + 1, len(edits), depth.confirm, gain.mean,
                            *limits(value), str(found), str(after.best))

    def better(self, at: Bench, new: Policy, old: Policy, first: int, deals: int) -> Policy:
        """The one of two policies that does better against the panel, the old one where they do alike."""
        ours, theirs = self.panel.all_points(at, [new, old], first, first + deals)
        return new if paired(ours, theirs, self.panel.plays).total > 0 else old

    def _following(self, at: Bench, state: State, gained: bool, number: int) -> State:
        """The state after a round that left `state.current`."""
        if gained or state.depth + 1 < len(self.depths):
            best = state.current if state.climb == 1 else state.best
            return replace(state, best=best, depth=state.depth if gained else state.depth + 1)
        best = state.current
        if state.climb > 1:
            best = self.better(at, state.current, state.best, number * _ROUND + _COMPARE, self.depths[-1].confirm)
        return State(best, best, state.climb + 1, shaken=True)

    def _edits(self, policy: Policy, most: int, chance: "Generator") -> list[Edit]:
        """Changes to try: all of what stands in the lists, and of those that bring a word in a sample."""
        near = self._allowed(policy, chain.from_iterable(nearby(policy.sections[v.section], v) for v in self.known))
        new = self._allowed(policy, chain.from_iterable(fresh(policy.sections[v.section], v) for v in self.known))
        if len(near) > most // 2:
            near = [near[k] for k in sorted(chance.permutation(len(near))[: most // 2].tolist())]
        return near + [new[k] for k in sorted(chance.permutation(len(new))[: most - len(near)].tolist())]

    def _allowed(self, policy: Policy, edits: Any) -> list[Edit]:
        """The edits that make a list that may stand, one for each such list."""
        known = {v.section: v for v in self.known}
        made: dict[tuple[str, tuple[str, ...]], Edit] = {}
        for edit in edits:
            old = policy.sections[edit.section]
            words = edit.applied(old)
            if words != old and known[edit.section].allowed(words):
                made.setdefault((edit.section, words), edit)
        return list(made.values())

    def _shake(self, policy: Policy, chance: "Generator") -> Policy:
        """The policy with a few changes at random."""
        for _ in range(_SHAKEN):
            edits = self._edits(policy, 256, chance)
            if edits:
                policy = _edited(policy, edits[int(chance.integers(len(edits)))])
        return policy

    def _confirm(self, at: Bench, base: Policy, finalists: list[Edit], idle: list[Edit], first: int,
                 deals: int) -> tuple[Policy, Paired, Paired]:
        """The base with all changes that gain on fresh deals, by how much it gains in all, and how it then stands.

        The best comes first; each other one has to gain beside those that were taken. A removal need only lose
        nothing; `idle`: removals that seem to change nothing, taken last where that is so.
        """
        before, *points = self.panel.all_points(at, [base, *(_edited(base, edit) for edit in finalists)], first,
                                                first + deals)
        seen = [(edit, paired(mine, before, self.panel.plays)) for edit, mine in zip(finalists, points, strict=True)]
        hopeful = [edit for edit, gain in sorted(seen, key=lambda one: -one[1].mean) if _gains(edit, gain)]
        policy, now, taken = base, before, list[Edit]()
        for edit in [*hopeful, *reversed(idle)]:
            moved = _moved(edit, taken)
            if moved is None or not self._fits(policy, moved):
                continue
            (mine,) = self.panel.all_points(at, [_edited(policy, moved)], first, first + deals)
            if _gains(edit, paired(mine, now, self.panel.plays)):
                policy, now = _edited(policy, moved), mine
                taken.append(moved)
        return policy, paired(now, before, self.panel.plays), paired(now, np.zeros_like(now), self.panel.plays)

    def _fits(self, policy: Policy, edit: Edit) -> bool:
        return bool(self._allowed(policy, [edit]))


def limits(measured: Paired) -> tuple[float, float, float]:
    """The mean and its 95 % limits, of many deals."""
    half = 1.96 * measured.error
    return measured.mean, measured.mean - half, measured.mean + half


def _gains(edit: Edit, gain: Paired) -> bool:
    return gain.mean > _SURE * gain.error or (edit.removes and gain.total >= 0)


def _moved(edit: Edit, taken: Sequence[Edit]) -> Edit | None:
    """The edit for the list that the edits taken so far have left, one after the other; None where they clash."""
    moved: Edit | None = edit
    for earlier in taken:
        moved = moved.after(earlier) if moved else None
    return moved


def _edited(policy: Policy, edit: Edit) -> Policy:
    words: Mapping[str, tuple[str, ...]] = policy.sections
    return replace(policy, sections={**words, edit.section: edit.applied(words[edit.section])})
