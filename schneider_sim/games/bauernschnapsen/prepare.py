"""From a match-up to the kernel and back: vectors of rules and policies, the units they need, counts and states."""

import functools
from typing import Any, NamedTuple

import numpy as np

from ...base.tally import Counts
from ...compiled.aside import Wanted, compile_aside
from ...errors import RequestError
from ...policy.callbacks import Callback
from ...policy.grammar import Policy
from .. import MatchUp
from .decide.auction import calls_unit
from .decide.callbacks import callback, check, outside
from .decide.card_words import cards_unit
from .grammar import policy_vector, rolls_out, uses_search
from .kernel import state as v
from .kernel.layout import LAYOUT
from .kernel.loops import RANGE_TYPES, RESULTS_TYPES, SINGLE_TYPES, play_range, play_results, play_single
from .kernel.state import Vector, rules_vector
from .kernel.units import ARGUMENTS, address
from .rules.match import TARGET
from .rules.switches import Rules
from .search.rollouts import ROOM_SIZE, rollout_unit
from .search.sampling import search_unit


@functools.lru_cache(maxsize=64)
def _rules(rules: Rules) -> Vector:
    return rules_vector(rules)


@functools.lru_cache(maxsize=256)
def _policy(policy: Policy, names: tuple[str, ...]) -> Vector:
    return policy_vector(policy, names)


class Prepared(NamedTuple):
    """What the kernel takes: rules; int64[2, 2 * POLICY_SIZE] with A, with B first; what comes from outside, the seed's
    bits; and what must stay alive meanwhile."""

    rules: Vector
    both: Vector
    outside: Vector
    seed: np.int64
    match_up: MatchUp
    backs: list[Callback]
    room: Vector | None  # of searches that play on; its address is in `outside`

    def check(self) -> None:
        """Raise RunError when a user's preference was at fault."""
        check(self.match_up.plugins, self.backs, self.outside[v.FAULT_AT :])


def prepared(match_up: MatchUp, loop: Wanted | None = None, calls: bool = False) -> Prepared:
    """A match-up made ready for the kernel; RequestError for a score or a preference that cannot be.

    loop: what will play it and the types that it takes, to be compiled beside what the policies need; calls: whether
    the auction may be held for policies that say nothing in it.
    """
    if not all(0 <= points < TARGET for points in match_up.score):  # the kernel looks it up in a table
        score = ":".join(map(str, match_up.score))
        raise RequestError(f"score must be A:B with each from 0 to {TARGET - 1}, not {score}")
    names = tuple(item.name for item in match_up.plugins)
    a, b = _policy(match_up.a, names), _policy(match_up.b, names)
    if match_up.informed:
        a = a.copy()
        a[v.P_INFORMED] = 1
    both = np.stack([np.concatenate([a, b]), np.concatenate([b, a])])
    backs = [callback(item) for item in match_up.plugins]
    seed = np.uint64(match_up.seed).astype(np.int64)
    units = _units(calls, a, b, loop=loop)
    room = np.zeros(ROOM_SIZE, np.int64) if rolls_out(a) or rolls_out(b) else None
    if room is not None:
        units[v.MOST_UNITS] = room.ctypes.data
    return Prepared(_rules(match_up.rules), both, outside(units, backs), seed, match_up, backs, room)


def _units(calls: bool, *policies: Vector, loop: Wanted | None) -> Vector:
    """int64[OUTSIDE_SIZE]: first the addresses of the units that the policies need, 0 for the rest."""
    rollouts = any(rolls_out(p) for p in policies)
    needed = [calls or rollouts or any(p[v.P_TRUMP] or p[v.P_BID] or p[v.P_DOUBLE] for p in policies),
              any(p[v.P_LEAD] or p[v.P_FOLLOW] for p in policies), any(uses_search(p) for p in policies), rollouts]
    parts: tuple[Any, ...] = (calls_unit, cards_unit, search_unit, rollout_unit)
    found = np.zeros(v.OUTSIDE_SIZE, np.int64)
    wanted: list[Wanted] = [(part, ARGUMENTS) for part, need in zip(parts, needed, strict=True) if need]
    compile_aside(reversed([*wanted, loop] if loop else wanted))  # searches take longest
    found[: v.MOST_UNITS] = [address(part) if need else 0 for part, need in zip(parts, needed, strict=True)]
    return found


def count(match_up: MatchUp, start: int, stop: int) -> Counts:
    """The tally vector of deals start..stop-1."""
    ready, counts = prepared(match_up, (play_range, RANGE_TYPES)), LAYOUT.zeros()
    scores, duplicate = np.array(match_up.score, np.int64), int(match_up.design == "duplicate")
    play_range(ready.rules, ready.both, ready.outside, scores, ready.seed, start, stop - start, duplicate, counts)
    ready.check()
    return counts


def results(match_up: MatchUp, start: int, stop: int) -> Counts:
    """V of deals start..stop-1 with A, with B as first leader: int64[deals, 2]."""
    ready, found = prepared(match_up, (play_results, RESULTS_TYPES)), np.empty((stop - start, 2), np.int64)
    scores = np.array(match_up.score, np.int64)
    play_results(ready.rules, ready.both, ready.outside, scores, ready.seed, start, found)
    ready.check()
    return found


def play_one(match_up: MatchUp, deal: int, first_leader: str) -> Vector:
    """The state vector of one play, from the code that counts it."""
    ready, state = prepared(match_up, (play_single, SINGLE_TYPES)), np.zeros(v.STATE_SIZE, np.int64)
    ours, theirs = match_up.score if first_leader == "A" else match_up.score[::-1]
    players = ready.both[int(first_leader == "B")]
    play_single(ready.rules, players, ready.outside, ours, theirs, ready.seed, deal, state)
    ready.check()
    return state
