"""What a user's preference is shown at a decision: as masks, or as card names."""

from typing import NamedTuple

ROLES = ("declarer", "partner", "defender")


class MaskView(NamedTuple):
    """What a player may know, as bit masks (bit 8 * suit + rank, suits S H D C, ranks J Q K T A).

    A preference returns the cards it wants, as a mask within `hand`.
    """

    candidates: int  # the legal cards that the words before have left
    hand: int
    known: int  # remembered cards, own hand and the cards on the table
    table: int  # the cards on the table, 0 when leading
    led: int  # the first of them
    beats: int  # the cards that would win the trick so far; all of them when leading
    trick: int  # 1 to 5
    contract: int  # its place in the table of contracts, 0 for the normal game
    trumps: int  # all cards of the trump suit, 0 in a contract without trumps
    role: int  # 0 declarer, 1 partner, 2 defender; in the normal game the caller is the declarer


class CardView(NamedTuple):
    """The same as card names such as 'TS'; sets of cards are tuples in pack order. Returns cards of the hand."""

    candidates: tuple[str, ...]
    hand: tuple[str, ...]
    known: tuple[str, ...]
    table: tuple[str, ...]
    led: str | None
    beats: tuple[str, ...]
    trick: int
    contract: str  # such as 'NORMAL'
    trump: str | None  # a suit, or None in a contract without trumps
    role: str  # 'declarer', 'partner' or 'defender'
