"""Bauernschnapsen as the rest of the house sees it: GAME."""

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...cards import Pack
from ...policy import Grammar
from ...tally import Counts, Layout
from .. import Match
from . import vectors as v
from .auction import calls_unit
from .counting import LAYOUT
from .kernel import play_range, play_single
from .policies import grammar, policy_vector, uses_search
from .preferences import cards_unit
from .referee import PACK, judge
from .rules import SWITCHES, VARIANTS, Rules, make_rules
from .search import search_unit
from .trace import read_trace
from .units import address
from .vectors import Vector, rules_vector


class Bauernschnapsen:
    """The game: rules, policy text, kernel, traces and referee under one name; see the protocol Game."""

    name = "bauernschnapsen"
    version = 1
    pack: Pack = PACK
    layout: Layout = LAYOUT
    variants: Mapping[str, Mapping[str, str]] = VARIANTS
    switches: Mapping[str, str] = SWITCHES

    @functools.cached_property
    def grammar(self) -> Grammar:
        return grammar()

    def rules(self, variant: str | None = None, overrides: Mapping[str, Any] | None = None) -> Rules:
        return make_rules(variant, overrides)

    def play(self, match: Match, start: int, stop: int) -> Counts:
        tally = self.layout.zeros()
        a, b = policy_vector(match.a), policy_vector(match.b)
        both = np.stack([np.concatenate([a, b]), np.concatenate([b, a])])
        scores = np.array(match.score, np.int64)
        play_range(rules_vector(match.rules), both, units(a, b), scores, signed(match.seed), start, stop - start,
                   int(match.design == "duplicate"), tracks(a, b), tally)
        return tally

    def trace(self, match: Match, deal: int, first_leader: str) -> dict[str, Any]:
        state = play_one(match, deal, first_leader)
        head = {"game": self.name, "rules": match.rules.as_dict(),
                "policies": {"A": str(match.a), "B": str(match.b)}, "seed": match.seed}
        return head | read_trace(state, deal, first_leader)

    def judge(self, trace: Mapping[str, Any]) -> None:
        judge(trace)


def signed(seed: int) -> np.int64:
    """The 64 bits of a seed as the int64 that the kernel takes."""
    return np.uint64(seed).astype(np.int64)


def tracks(*policies: Vector) -> int:
    """Whether some policy needs what the play has shown of the hands."""
    return int(any(p[v.SEARCH] for p in policies))


def units(*policies: Vector) -> Vector:
    """int64[3]: the addresses of the units that the policies need, 0 for the rest."""
    needed = [any(p[v.P_TRUMP] or p[v.P_BID] or p[v.P_DOUBLE] for p in policies),
              any(p[v.P_LEAD] or p[v.P_FOLLOW] for p in policies), any(uses_search(p) for p in policies)]
    parts = (calls_unit, cards_unit, search_unit)
    return np.array([address(part) if need else 0 for part, need in zip(parts, needed, strict=True)], np.int64)


def play_one(match: Match, deal: int, first_leader: str) -> Vector:
    """The state vector of one play, from the code that counts it."""
    s = np.zeros(v.STATE_SIZE, np.int64)
    a, b = policy_vector(match.a), policy_vector(match.b)
    players = np.concatenate([a, b] if first_leader == "A" else [b, a])
    ours, theirs = match.score if first_leader == "A" else match.score[::-1]
    play_single(rules_vector(match.rules), players, units(a, b), ours, theirs, signed(match.seed), deal, tracks(a, b), s)
    return s


GAME = Bauernschnapsen()
