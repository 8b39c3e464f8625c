"""What the cards of a position are worth in Bohemian Schneider: what is offered here is said in games/protocol.py."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...base.terminal import Style
from ...compiled.lanes import LANES
from ...errors import RequestError
from .. import MatchUp
from ..protocol import Outcomes
from . import positions
from . import state as at
from .positions import Position
from .rules import HAND, PACK, STOCK, TRICKS, Rules, legal_replies, value_of_honours

BLOCK = LANES
REST = "The rest is played by both policies' words to the end of the stock, then perfectly."
moves = positions.legal_cards


def typed(rules: Rules, hand: Sequence[str], led: str | None, played: Sequence[str],
          won: tuple[int, int] | None) -> Position:
    """A position from cards as people write them; won: honours so far, own and the other's, which are checked."""
    if not played and len(hand) < HAND:
        raise RequestError(f"in trick 1 a hand has {HAND} cards, not {len(hand)}: later on, give the cards "
                           "of the completed tricks with --played")
    found = positions.read_position(hand, led, played)
    found = replace(found, seat=0 if positions.leaders(rules, found)[0] else 1)
    _check_replies(rules, found)
    right = positions.honours(rules, found)
    if won is not None and won != right:
        raise RequestError(f"the played cards give {right[0]}:{right[1]} honours, own first, not {won[0]}:{won[1]}")
    return found


def _check_replies(rules: Rules, position: Position) -> None:
    """RequestError where a reply of the last six tricks, in which both hands are known, was not legal."""
    own, played = positions.leaders(rules, position), position.played
    hands = [list(position.hand), [*_other_hand(position), *filter(None, [position.led])]]
    for number in range(len(played) // 2 - 1, at.DRAWS - 1, -1):
        led, reply = played[2 * number : 2 * number + 2]
        hands[0 if own[number] else 1].append(led)
        hands[1 if own[number] else 0].append(reply)
        legal = legal_replies(rules, hands[1 if own[number] else 0], led, 0)
        if reply not in legal:
            raise RequestError(f"trick {number + 1}: {reply} may not be replied to {led}, since follow={rules.follow} "
                               f"asks for the suit led: {' or '.join(legal)}")


def _other_hand(position: Position) -> list[str]:
    """The other's cards once the stock is empty."""
    known = {*position.hand, *position.played, position.led}
    return [card for card in PACK.cards if card not in known]


def in_trace(rules: Rules, trace: Mapping[str, Any], trick: int, seat: int | None) -> Position:
    """The position in which a seat, by default the first leader, plays to a trick of a trace."""
    if not 1 <= trick <= TRICKS:
        raise RequestError(f"--trick must be from 1 to {TRICKS}, not {trick}")
    if seat not in (None, 0, 1):
        raise RequestError(f"--seat must be 0 (the first leader) or 1, not {seat}")
    return positions.position_of(dict(trace), trick, seat or 0)


def first_leader(deal: int, seat: int | None) -> str:
    """Who leads first when A has seat 0, the first leader's, or 1."""
    return "B" if seat == 1 else "A"


def at_call(rules: Rules, trace: Mapping[str, Any], call: int, side: str | None) -> Position:
    """There are no calls in this game."""
    raise RequestError("--call belongs to games with calls before the first lead: Bohemian Schneider has none")


def kind(position: Position) -> str:
    """What a move is."""
    return "card"


def values(match_up: MatchUp, position: Position) -> list[int]:
    """Every number of victory points that a deal may be worth, ascending."""
    return sorted(set(value_of_honours(match_up.rules)))


def advice(position: Position, move: str, style: Style) -> str:
    """A card as advice."""
    return f"{'Reply' if position.led else 'Lead'} {style.card(move)}"


def named(position: Position, move: str, style: Style) -> str:
    """A card by its name."""
    return style.card(move)


def described(rules: Rules, position: Position, style: Style) -> str:
    """The position as a sentence."""
    led = f", {style.card(position.led)} was led" if position.led else ""
    own, other = positions.honours(rules, position)
    return f"Trick {position.trick}{led}; the hand: {style.cards(list(position.hand))}; honours so far {own}:{other}."


def evidence(position: Position, inference: int) -> str:
    """How worlds are weighted."""
    return f"weighted by the other's last {inference} card plays" if inference else ""


def as_dict(rules: Rules, position: Position) -> dict[str, Any]:
    """The position as JSON has it."""
    own, other = positions.honours(rules, position)
    return {"trick": position.trick, "hand": list(position.hand), "led": position.led,
            "played": list(position.played), "honours": {"own": own, "other": other}}


def again(rules: Rules, position: Position) -> list[str]:
    """The position as options of the command."""
    words = ["--hand", " ".join(position.hand)]
    words += ["--led", position.led] if position.led else []
    return words + (["--played", " ".join(position.played)] if position.played else [])


class Appraiser:
    """Tries the cards of one position on worlds; A of the match-up is to move."""

    def __init__(self, match_up: MatchUp, position: Position, deal: int, seed: int, inference: int) -> None:
        self._evaluator = positions.Evaluator(match_up, "b", inference)
        self._rules, self._position, self._luck = match_up.rules, position, (deal, seed)
        self._points = np.array(value_of_honours(match_up.rules), np.int64)
        self._inference = inference

    def play(self, cards: Sequence[str], block: int) -> Outcomes:
        """What becomes of `cards` on the worlds of a block; with evidence, worlds of one hand go together."""
        honours, hands = self._evaluator.played_on(self._position, cards, block, *self._luck)
        groups = hands.astype(np.int64) + (np.int64(block) << 32) if self._inference else None
        return Outcomes(self._points[honours], honours, groups)

    def exact(self) -> Outcomes | None:
        """What the legal cards are worth once the stock is empty."""
        if self._position.trick <= STOCK // 2:
            return None
        from .endgame.rules import solve

        own = positions.honours(self._rules, self._position)[0]
        found = solve(self._rules, self._position.hand, _other_hand(self._position), self._position.led)
        honours = np.array([[own + found.cards[card]] for card in moves(self._rules, self._position)], np.int64)
        return Outcomes(self._points[honours], honours, None)

    def choice(self) -> str:
        """The card that A plays here, with its search if it has one."""
        return self._evaluator.choice(self._position, *self._luck)
