"""From a Match to the kernel and back: vectors of rules and policies, the units they need, counts and states."""

from typing import Any

import numpy as np

from ...errors import RequestError
from ...tally import Counts
from .. import Match
from . import vectors as v
from .auction import calls_unit
from .kernel import play_range, play_results, play_single
from .layout import LAYOUT
from .match import TARGET
from .policies import policy_vector, uses_search
from .preferences import cards_unit
from .search import search_unit
from .units import address
from .vectors import Vector, rules_vector


def prepared(match: Match) -> tuple[Vector, Vector, Vector, np.int64, int]:
    """What the kernel takes: rules, int64[2, 2 * POLICY_SIZE] with A, with B first, unit addresses, seed, tracking."""
    if match.plugins:
        raise RequestError("bauernschnapsen takes no preferences of your own yet: leave out --load")
    if not all(isinstance(points, int) and 0 <= points < TARGET for points in match.score):
        raise RequestError(f"score must be A:B with each from 0 to {TARGET - 1}, not {match.score[0]}:{match.score[1]}")
    a, b = policy_vector(match.a), policy_vector(match.b)
    both = np.stack([np.concatenate([a, b]), np.concatenate([b, a])])
    track = int(a[v.SEARCH] or b[v.SEARCH])
    return rules_vector(match.rules), both, _units(a, b), np.uint64(match.seed).astype(np.int64), track


def _units(*policies: Vector) -> Vector:
    """int64[3]: the addresses of the units that the policies need, 0 for the rest."""
    needed = [any(p[v.P_TRUMP] or p[v.P_BID] or p[v.P_DOUBLE] for p in policies),
              any(p[v.P_LEAD] or p[v.P_FOLLOW] for p in policies), any(uses_search(p) for p in policies)]
    parts: tuple[Any, ...] = (calls_unit, cards_unit, search_unit)
    return np.array([address(part) if need else 0 for part, need in zip(parts, needed, strict=True)], np.int64)


def count(match: Match, start: int, stop: int) -> Counts:
    """The tally vector of deals start..stop-1."""
    counts = LAYOUT.zeros()
    rules, both, units, seed, track = prepared(match)
    scores = np.array(match.score, np.int64)
    play_range(rules, both, units, scores, seed, start, stop - start, int(match.design == "duplicate"), track, counts)
    return counts


def results(match: Match, start: int, stop: int) -> Counts:
    """V of deals start..stop-1 with A, with B as first leader: int64[deals, 2]."""
    found = np.empty((stop - start, 2), np.int64)
    rules, both, units, seed, track = prepared(match)
    play_results(rules, both, units, np.array(match.score, np.int64), seed, start, track, found)
    return found


def play_one(match: Match, deal: int, first_leader: str) -> Vector:
    """The state vector of one play, from the code that counts it."""
    state = np.zeros(v.STATE_SIZE, np.int64)
    rules, both, units, seed, track = prepared(match)
    ours, theirs = match.score if first_leader == "A" else match.score[::-1]
    play_single(rules, both[int(first_leader == "B")], units, ours, theirs, seed, deal, track, state)
    return state
