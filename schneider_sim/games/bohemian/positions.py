"""A position of Bohemian Schneider as one player sees it, and what its cards are worth on sampled worlds.

For analysis: sums over common worlds from which means, paired differences and their errors follow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...compiled.lanes import LANES
from ...errors import RequestError
from .. import MatchUp
from . import state as at
from .rules import HAND, PACK, STOCK, TRICKS, Rules, captures, is_honour, legal_replies

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Position:
    """What a player sees when a card is due: ASCII card names, in pack order or in order of play.

    led: the card that the other player has led to this trick, None when the player leads; played: the cards of the
    completed tricks, led and reply in turn. seat: 0 for the first leader of the deal.
    """

    hand: tuple[str, ...]
    led: str | None = None
    played: tuple[str, ...] = ()
    seat: int = 0

    @property
    def trick(self) -> int:
        """The number of the present trick, from 1."""
        return len(self.played) // 2 + 1


def read_position(hand: Sequence[str], led: str | None = None, played: Sequence[str] = (), seat: int = 0) -> Position:
    """A position from cards as people write them; RequestError for one that cannot be, with the reason."""
    mine, past = (tuple(PACK.parse(card) for card in cards) for cards in (hand, played))
    table = PACK.parse(led) if led else None
    cards = [*mine, *past, *([table] if table else [])]
    if twice := sorted({card for card in cards if cards.count(card) > 1}):
        raise RequestError(f"a card lies in two places: {' '.join(twice)}")
    if len(past) % 2:
        raise RequestError(f"completed tricks have two cards each, so {len(past)} played cards cannot be")
    trick = len(past) // 2 + 1
    if trick > TRICKS:
        raise RequestError(f"after {len(past)} cards the deal is over")
    size = min(HAND, TRICKS + 1 - trick)
    if len(mine) != size:
        raise RequestError(f"in trick {trick} a hand has {size} cards, not {len(mine)}")
    return Position(mine, table, past, seat)


def leaders(rules: Rules, position: Position) -> list[bool]:
    """For each completed trick and the present one, whether the player led it: backwards, since winners lead next."""
    own = [position.led is None]
    for led, reply in reversed(list(zip(position.played[::2], position.played[1::2], strict=True))):
        own.insert(0, own[0] != captures(rules, led, reply))
    return own


def honours(rules: Rules, position: Position) -> tuple[int, int]:
    """The honours that the player and the other have won so far."""
    own, won = leaders(rules, position), [0, 0]
    for number, pair in enumerate(zip(position.played[::2], position.played[1::2], strict=True)):
        won[0 if own[number + 1] else 1] += sum(map(is_honour, pair))
    return won[0], won[1]


def legal_cards(rules: Rules, position: Position) -> list[str]:
    """The cards that may be played, in pack order."""
    cards = [card for card in PACK.cards if card in position.hand]
    if position.led is None:
        return cards
    return legal_replies(rules, cards, position.led, max(STOCK - 2 * (position.trick - 1), 0))


class Sums(NamedTuple):
    """Sums over `worlds` common worlds, by card: victory points (own minus other's), own honours, deals won; and of the
    products of every two cards' victory points, int64[cards, cards], from which paired errors follow."""

    cards: tuple[str, ...]
    worlds: int
    values: Integers
    honours: Integers
    wins: Integers
    products: Integers


class Block(NamedTuple):
    """What became of cards on 256 common worlds: own honours in the end int64[cards, 256], the other's hand
    uint32[256] as a mask."""

    honours: Integers
    hands: npt.NDArray[np.uint32]


class Evaluator:
    """Rooms and compiled code for one pair of policies: POLICY sits in the position's seat, the other is the rest.

    match: `a` is the player's policy, `b` the other's. assumed: whose words the evidence of the other's plays is judged
    by ("a" or "b"); inference: how many of its last plays are evidence.
    """

    def __init__(self, match_up: MatchUp, assumed: str = "b", inference: int = 0) -> None:
        from .callbacks import callback
        from .game import opens_cards, seated
        from .search.policies import thinking

        self.match_up, self.inference = match_up, inference
        self.backs = [callback(item, match_up.rules) for item in match_up.plugins]
        self.table, self.a, self.b = seated(match_up, self.backs)
        self.assumed = self.a if assumed == "a" else self.b
        self.rooms = thinking(self.table, True)
        self.search = thinking(self.table, match_up.informed, opens_cards(match_up))

    def worth(self, position: Position, cards: Sequence[str], first: int, worlds: int, deal: int = 0,
              seed: int = 1) -> Sums:
        """Sums for `cards` on worlds first … first + worlds - 1, the same whenever they are asked for again.

        first must be a multiple of 256. Tricks 1 to 10; from trick 11 on every card's worth is known: `solve`.
        """
        from .search.policies import CARDS, measure

        if position.trick > at.DRAWS or first % LANES:
            raise ValueError("worlds are drawn while there is a stock, from a multiple of 256 on")
        outer, side = self._recorded(position), int(position.led is not None)
        masks = np.array([PACK.to_mask([card]) for card in cards], np.int64)
        measure(self.rooms, outer, position.trick - 1, side, position.seat, self.a, self.b, self.assumed,
                self.inference, masks, first, worlds, deal, np.uint64(seed))
        self._check()
        n, sums = len(cards), self.rooms.sums
        products = sums[1 + 3 * CARDS :].reshape(CARDS, CARDS)[:n, :n]
        values, wins_at = sums[1 : 1 + n].copy(), 1 + 2 * CARDS
        return Sums(tuple(cards), int(sums[0]), values, sums[1 + CARDS : 1 + CARDS + n].copy(),
                    sums[wins_at : wins_at + n].copy(), np.tril(products) + np.tril(products, -1).T)

    def played_on(self, position: Position, cards: Sequence[str], block: int, deal: int = 0, seed: int = 1) -> Block:
        """Own honours in the end of `cards` on worlds 256 * block … 256 * block + 255: those of `worth`, one by one."""
        self.worth(position, cards, block * LANES, LANES, deal, seed)
        honours = self.rooms.honours.reshape(-1, LANES)[: len(cards)].astype(np.int64)
        return Block(honours, self.rooms.worlds[at.HAND : at.HAND + LANES].copy())

    def choice(self, position: Position, deal: int = 0, seed: int = 1) -> str:
        """The card that the player's policy plays in this position of that deal, with its search if it has one."""
        from .search.policies import consider

        outer, side = self._recorded(position), int(position.led is not None)
        lane = deal % LANES
        outer.reshape(-1, LANES)[:] = outer.reshape(-1, LANES)[:, :1]
        consider(self.search, outer, self.table, self.a, self.b, position.trick - 1, side, lane, deal // LANES,
                 np.uint64(seed))
        self._check()
        row = at.REPLY if side else at.LED
        return PACK.names(int(outer[row + lane]))[0]

    def _check(self) -> None:
        from .callbacks import check

        for fault in (self.table.fault, self.rooms.table.fault):
            check(self.match_up.plugins, self.backs, fault.array)

    def _recorded(self, position: Position) -> npt.NDArray[np.uint32]:
        """A space whose lane 0 holds the position as the kernel records it; the other hand is what is left, if known.
        """
        outer = np.zeros(at.SIZE, np.uint32)
        rules, own, trick = self.match_up.rules, leaders(self.match_up.rules, position), position.trick - 1
        side = int(position.led is not None)

        def put(row: int, value: int, number: int = 0) -> None:
            outer[row + number * LANES] = value

        seen = 0
        for number in range(trick + 1):
            put(at.TURN_IN, position.seat ^ (not own[number]), number)
            put(at.SEEN, seen, number)
            if number < trick:
                led, reply = position.played[2 * number : 2 * number + 2]
                put(at.LED_IN, PACK.to_mask([led]), number)
                put(at.REPLY_IN, PACK.to_mask([reply]), number)
                seen |= PACK.to_mask([led, reply])
        hand, table = PACK.to_mask(position.hand), PACK.to_mask([position.led] if position.led else [])
        put(at.FIRST, position.seat)
        put(at.TURN, position.seat ^ side)
        put(at.LED, table)
        put(at.HOLD, hand, side)
        if trick >= at.DRAWS:
            put(at.HOLD, PACK.mask & ~(hand | seen), 1 - side)
        mine, theirs = honours(rules, position)
        put(at.SCORE, mine, side)
        put(at.SCORE, theirs, 1 - side)
        return outer


def position_of(trace: dict[str, Any], trick: int, seat: int) -> Position:
    """The position in which `seat` of a trace's deal plays to `trick` (from 1), lead or reply."""
    who = trace["first_leader"] if seat == 0 else {"A": "B", "B": "A"}[trace["first_leader"]]
    hand, played = list(trace["hands"][who]), []
    for past in trace["tricks"][: trick - 1]:
        played += [past["led"], past["reply"]]
        hand.remove(past["led"] if past["leader"] == who else past["reply"])
        if past["drawn"]:
            hand.append(past["drawn"][who])
    now = trace["tricks"][trick - 1]
    return read_position(hand, None if now["leader"] == who else now["led"], played, seat)
