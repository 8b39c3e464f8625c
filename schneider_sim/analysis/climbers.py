"""What `tune` lets play its rounds: a climb over lists of words, with what the log has to keep of it."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ..policy.grammar import Grammar, Policy
from . import climb
from .bench import Bench
from .climb import Climber, Round, State
from .moves import Vocabulary
from .panel import Panel

FINAL = 1 << 61  # the deals on which the last climb meets the best of those before


class Climbs(Protocol):
    """Rounds that can be kept and gone on with."""

    def play(self, at: Bench, number: int) -> Round:
        """Play round `number`, from 1 on; a round that is broken off changes nothing."""

    def kept(self) -> dict[str, Any]:
        """What the log keeps of the last round, as JSON, besides its Round."""

    def restore(self, kept: Mapping[str, Any], before: Round) -> None:
        """Go on after the round `before`, of which `kept` was kept; called for every round in order."""

    def found(self, at: Bench) -> Policy:
        """The best policy so far."""


class WordClimbs:
    """Climbs over the lists of words of a policy's sections."""

    def __init__(self, panel: Panel, known: Sequence[Vocabulary], start: Policy,
                 grammar: Grammar) -> None:
        self._climber = Climber(panel, known, climb.DEPTHS)
        self._state, self._grammar = State(start, start), grammar

    def play(self, at: Bench, number: int) -> Round:
        self._state, played = self._climber.round(at, self._state, number)
        return played

    def kept(self) -> dict[str, Any]:
        state = self._state
        return {"next_climb": state.climb, "next_depth": state.depth, "shaken": state.shaken,
                "current": str(state.current)}

    def restore(self, kept: Mapping[str, Any], before: Round) -> None:
        current, best = self._grammar.parse(kept["current"]), self._grammar.parse(before.best)
        self._state = State(current, best, kept["next_climb"], kept["next_depth"], kept["shaken"])

    def found(self, at: Bench) -> Policy:
        state, deals = self._state, self._climber.depths[-1].confirm
        if state.current == state.best:
            return state.best
        return self._climber.better(at, state.current, state.best, FINAL, deals)
