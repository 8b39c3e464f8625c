"""The games: what each one gives to the rest of the house, and the one line that registers it."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ..base.cards import Pack
from ..base.tally import Counts, Layout, Tally
from ..base.text import unknown
from ..policy.grammar import Grammar, Policy

MODULES = {
    "bohemian": "schneider_sim.games.bohemian.game",
    "bauernschnapsen": "schneider_sim.games.bauernschnapsen.game",
}


class Rules(Protocol):
    """A game's rules: a frozen value whose `as_dict` gives every switch in JSON form."""

    def as_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class MatchUp:
    """Two policies under rules on numbered deals: all that a tally depends on besides the deal range.

    design: "duplicate" (each deal twice, policies changing seats) or "independent" (even deals A first, odd B);
    detail: "sample" (about one deal in sixteen) or "all"; score: game points A:B before the deal (Bauernschnapsen).
    informed: whether a searching A knows B's words, plays B on by them and takes B's plays as evidence of them; else
    it takes B for another of its kind.
    """

    rules: Any
    a: Policy
    b: Policy
    seed: int = 1
    design: str = "duplicate"
    detail: str = "sample"
    score: tuple[int, int] = (0, 0)
    plugins: tuple[Any, ...] = ()
    informed: bool = False

    @property
    def score_by_policy(self) -> dict[str, int]:
        """The score before each deal, as JSON has it."""
        return dict(zip("AB", self.score, strict=True))


class Game(Protocol):
    """What a game's module `game` offers under the name GAME."""

    name: str
    version: int  # raised whenever play changes; part of a run's key
    unit: str  # what a play is worth is counted in, such as VP
    pack: Pack
    grammar: Grammar
    layout: Layout
    variants: Mapping[str, Mapping[str, str]]
    switches: Mapping[str, str]  # switch -> form and meaning, default first
    scored: bool  # whether policies may look at the score of the match

    def rules(self, variant: str | None, overrides: Mapping[str, str]) -> Any:
        """The Rules of a named variant with single switches overridden; RequestError for what is rejected."""

    def play(self, match_up: MatchUp, start: int, stop: int) -> Counts:
        """The tally vector of deals start..stop-1, int64[layout.size]; releases the GIL."""

    def slowness(self, match_up: MatchUp) -> int:
        """How often the usual range of deals must be halved so that it takes seconds at most."""

    def points_by_deal(self, match_up: MatchUp, start: int, stop: int) -> Counts:
        """V in both plays of each deal start..stop-1, with A, with B as first leader: int64[deals, 2]."""

    def meanings(self, match_up: MatchUp) -> dict[str, str]:
        """Statistic -> what it means under the rules of the match, in a line for players."""

    def remarks(self, match_up: MatchUp, a: str = "A", b: str = "B") -> tuple[str, ...]:
        """What a reader must know of the match-up beside its numbers, a sentence each; a, b: what to call the two."""

    def victory_pairs(self, tally: Tally, match_up: MatchUp) -> Any:
        """Duplicates as stats.paired.Pairs of V (A's victory points minus B's), pairs never seen included."""

    def victory_counts(self, tally: Tally, match_up: MatchUp) -> Any:
        """Independent deals: possible V float64[k], how often each was seen with A first, with B first, int64[k]."""

    def trace(self, match_up: MatchUp, deal: int, first_leader: str) -> dict[str, Any]:
        """The trace of one play, in the form of `replay --json`, from the code path that counts it."""

    def judge(self, trace: Mapping[str, Any]) -> None:
        """Replay a trace by the plain rules; raises RequestError naming the first thing that is wrong."""


def game(name: str) -> Any:
    """The game called `name`; loaded when first asked for."""
    if name not in MODULES:
        raise unknown("game", name, MODULES)
    return importlib.import_module(MODULES[name]).GAME
