"""What a user's preference is shown at a decision: as masks, or as names of cards."""

from collections.abc import Callable
from typing import NamedTuple


class MaskView(NamedTuple):
    """What a player may know at a decision, as bit masks (bit 8 * suit + rank, suits S H D C, ranks 7 to A).

    candidates: the legal cards that the words before this one have left; never 0
    hand: the player's own cards
    known: all cards whose place the player knows: the own hand, the card on the table, and the played cards that its
    `memory` keeps (full: all; honours: the honours; last-K: those of the last K completed tricks; none: none)
    led: the card on the table, 0 when the player leads
    trick: 1 to 16
    stock: cards left in the stock, 20 in the first trick, 2 fewer in each after it, 0 from the eleventh on
    honours, opponent_honours: T J Q K A in the tricks that the player, the opponent has taken so far, 0 to 20

    A preference returns the cards it wants, as a mask within `hand`; 0 leaves the candidates as they are.
    """

    candidates: int
    hand: int
    known: int
    led: int
    trick: int
    stock: int
    honours: int
    opponent_honours: int


class CardView(NamedTuple):
    """The same as card names such as 'TS'; sets of cards are tuples in pack order, and `led` is None when leading.

    `killers(card)` are the cards that capture a card when it is led, `prey(card)` those it captures when they are led,
    by the rules in force. A preference returns the cards of its hand that it wants, as names: none, one or several.
    """

    candidates: tuple[str, ...]
    hand: tuple[str, ...]
    known: tuple[str, ...]
    led: str | None
    trick: int
    stock: int
    honours: int
    opponent_honours: int
    killers: Callable[[str], tuple[str, ...]]
    prey: Callable[[str], tuple[str, ...]]
