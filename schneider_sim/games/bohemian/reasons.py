"""Which word of a policy chose each card of a play, asked of the kernel itself: the first words of its list, then one
word more, until the list is complete. What is offered here is described in games.protocol.Reasons.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...compiled.jit import compiled
from ...compiled.lanes import LANES, get, make_space, rows
from ...compiled.philox import words_of_deal
from ...policy.grammar import Policy, read_word
from .. import MatchUp
from ..reasons import NOISE, ONLY, SEARCH, WORDS, Reason, narrowed_by
from . import plugins
from . import state as at
from .callbacks import callback, check
from .game import GAME, seated
from .kernel import NOISE_STREAM, TIES_STREAM, narrow_all
from .positions import Position, legal_cards, position_of
from .rules import PACK, captures, is_honour

ENDGAME = "endgame: exact"
_OTHER = {"A": "B", "B": "A"}


@compiled
def narrowed(space, table, a, b, trick, side):
    """The candidates in lane 0 that the words of the table leave of its row LEGAL."""
    space = rows(space)
    return get(space, narrow_all(space, table, table.words, a, b, trick, side, at.LEGAL), 0)


def reasons(match_up: MatchUp, trace: Mapping[str, Any]) -> list[Reason] | None:
    """What chose each card of a trace in the order of play; None where the match-up's policies did not play it."""
    if any(trace[name] != value for name, value in GAME.trace(match_up, trace["deal"], trace["first_leader"]).items()
           if name in ("hands", "stock", "tricks")):
        return None
    asked = {who: _Words(match_up, policy) for who, policy in (("A", match_up.a), ("B", match_up.b))}
    first, found = trace["first_leader"], []
    for number, trick in enumerate(trace["tricks"]):
        for side, card in enumerate((trick["led"], trick["reply"])):
            who = trick["leader"] if side == 0 else _OTHER[trick["leader"]]
            seat = int(who != first)
            found.append(asked[who].reason(trace, number, side, seat, who, card))
    return found


def _word_of(trace: Mapping[str, Any], stream: int, trick: int) -> int:
    """The random word of a stream for a trick."""
    seed = np.uint64(trace["seed"]).astype(np.int64)
    return int(words_of_deal(np.int64(trace["deal"]), np.int64(trick >> 2), np.int64(stream), seed)[trick & 3])


class _Words:
    """The lists of one policy, each cut after every word, as the kernel reads them."""

    def __init__(self, match_up: MatchUp, policy: Policy) -> None:
        self.match_up, self.policy = match_up, policy
        self.backs = [callback(item, match_up.rules) for item in match_up.plugins]
        self.tables: dict[tuple[str, int], Any] = {}
        self.space = make_space(at.SIZE)

    def reason(self, trace: Mapping[str, Any], trick: int, side: int, seat: int, who: str, card: str) -> Reason:
        """What chose the card of a decision; trick from 0."""
        position = position_of(dict(trace), trick + 1, seat)
        legal = legal_cards(self.match_up.rules, position)
        options, tie = self.policy.options, _word_of(trace, TIES_STREAM + seat, trick)
        if len(legal) == 1:
            return Reason(ONLY, "", tuple(legal), 1)
        if self.policy.noise_threshold and _word_of(trace, NOISE_STREAM + seat, trick) < self.policy.noise_threshold:
            return Reason(NOISE, "", tuple(legal), len(legal))
        searches = options["search"] != "none"
        choices = legal
        if trick >= at.DRAWS and (options["endgame"] == "exact" or searches):
            choices = _lossless(self.match_up, position)
        self._set(trace, position, trick, side, seat, who, choices)
        section = "follow" if side else "lead"
        words = [word for word in self.policy.sections[section] if read_word(word).tricks >> trick & 1]
        left = [PACK.to_mask(choices), *(self._after(section, count, trick, side)
                                         for count in range(1, len(words) + 1))] if words else [PACK.to_mask(choices)]
        cards, first = PACK.names(left[-1]), options["ties"] == "first"
        if searches and trick < at.DRAWS and cards[0 if first else tie * len(cards) >> 32] != card:
            return Reason(SEARCH, "", (card,), len(legal))
        word = narrowed_by(words, left) or (ENDGAME if len(choices) < len(legal) else "")
        return Reason(WORDS, word, tuple(cards), len(legal), first)

    def _after(self, section: str, count: int, trick: int, side: int) -> int:
        """The candidates that the first `count` words that act in this trick leave."""
        acting = [n for n, word in enumerate(self.policy.sections[section]) if read_word(word).tricks >> trick & 1]
        table, player = self._table(section, acting[count - 1] + 1)
        left = int(narrowed(self.space, table, player, player, trick, side))
        check(self.match_up.plugins, self.backs, table.fault.array)
        return left

    def _table(self, section: str, count: int) -> tuple[Any, Any]:
        """Rules and policy with the list cut after `count` words."""
        if (section, count) not in self.tables:
            some = {**self.policy.sections, section: self.policy.sections[section][:count]}
            options = {**self.policy.options, "search": "none", "endgame": "words"}
            cut = replace(self.policy, sections=some, options=options)
            table, player, _ = seated(replace(self.match_up, a=cut, b=cut), self.backs)
            table.fault.array[plugins.STOP_LANE] = 1
            self.tables[section, count] = table, player
        return self.tables[section, count]

    def _set(self, trace: Mapping[str, Any], position: Position, trick: int, side: int, seat: int, who: str,
             choices: list[str]) -> None:
        """Lane 0 of the space = a decision, as the kernel has it when it asks the words."""
        lane = self.space.reshape(-1, LANES)[:, 0]

        def put(row: int, value: int) -> None:
            lane[row // LANES] = value

        seen, won = 0, {"A": 0, "B": 0}
        for number, past in enumerate(trace["tricks"][:trick]):
            put(at.SEEN + number * LANES, seen)
            seen |= PACK.to_mask([past["led"], past["reply"]])
            won[past["winner"]] += is_honour(past["led"]) + is_honour(past["reply"])
        put(at.SEEN + trick * LANES, seen)
        put(at.FIRST, int(trace["first_leader"] == "B"))
        put(at.TURN, seat ^ side)
        put(at.HOLD + side * LANES, PACK.to_mask(position.hand))
        put(at.SCORE + side * LANES, won[who])
        put(at.SCORE + (1 - side) * LANES, won[_OTHER[who]])
        put(at.LED, PACK.to_mask([position.led] if position.led else []))
        rules, led = self.match_up.rules, position.led
        put(at.KILLERS, PACK.to_mask([c for c in PACK.cards if c != led and captures(rules, led, c)] if led else []))
        put(at.LEGAL, PACK.to_mask(choices))


def _lossless(match_up: MatchUp, position: Position) -> list[str]:
    """The legal cards that lose no honour once the stock is empty."""
    from .endgame.rules import solve

    gone = {*position.hand, *position.played, position.led}
    cards = solve(match_up.rules, position.hand, [card for card in PACK.cards if card not in gone], position.led).cards
    return [card for card in PACK.cards if card in cards and cards[card] == max(cards.values())]
