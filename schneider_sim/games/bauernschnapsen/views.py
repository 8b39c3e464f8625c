"""What a user's preference is shown at a decision, by section: as masks, or as names of cards and contracts."""

from typing import NamedTuple

ROLES = ("declarer", "partner", "defender")


class MaskView(NamedTuple):
    """What a player may know, as bit masks (bit 8 * suit + rank, suits S H D C, ranks J Q K T A).

    candidates: the legal cards that the words before this one have left; never 0
    hand: the player's own cards
    known: the own hand, the cards on the table, and the played cards that the policy's `memory` keeps (full and
    honours: all; last-K: those of the last K completed tricks; none: none); under first_trick_open=on also each side's
    first trick
    table: the cards on the table, 0 when the player leads
    led: the first of them, 0 when the player leads
    beats: the cards of the game that would win the trick so far; all of them when the player leads
    trick: 1 to 5
    contract: its place in contracts.NAMES, 0 for the normal game
    trumps: all cards of the trump suit, 0 in a contract without trumps
    role: 0 declarer, 1 partner, 2 defender; in the normal game the caller is the declarer

    A preference returns the cards it wants, as a mask within `hand`; 0 leaves the candidates as they are.
    """

    candidates: int
    hand: int
    known: int
    table: int
    led: int
    beats: int
    trick: int
    contract: int
    trumps: int
    role: int


class CardView(NamedTuple):
    """The same as card names such as 'TS'; sets of cards are tuples in pack order, and `led` is None when leading.

    contract: such as 'NORMAL'; trump: a suit of S H D C, or None in a contract without trumps; role: 'declarer',
    'partner' or 'defender'. A preference returns the cards of its hand that it wants: none, one or several.
    """

    candidates: tuple[str, ...]
    hand: tuple[str, ...]
    known: tuple[str, ...]
    table: tuple[str, ...]
    led: str | None
    beats: tuple[str, ...]
    trick: int
    contract: str
    trump: str | None
    role: str


class TrumpMasks(NamedTuple):
    """A preference of `trump` returns cards of the suit it names, `turn_up`, `new_deal`, or 0 to leave it to others."""

    seen: int  # the caller's own cards that it has seen when it names trumps
    suits: int  # all cards of the suits that may be named
    turn_up: int  # the answer that turns a card up, 0 where that is not allowed
    new_deal: int  # the answer that asks for a new deal, likewise
    score: int  # game points of the own side in the match
    rival_score: int


class TrumpCards(NamedTuple):
    """The same by name; returns one of the choices, or None."""

    seen: tuple[str, ...]
    choices: tuple[str, ...]  # suits such as 'S', 'turn-up', 'new-deal'
    score: int
    rival_score: int


class BidMasks(NamedTuple):
    """A preference of `bid` returns the contracts it would bid, as a mask within `legal`; 0 for none.

    Contracts are bits by their place in the table of contracts, seats are counted from the caller, 0.
    """

    hand: int
    trumps: int  # all cards of the trump suit
    seat: int
    legal: int  # the contracts that may be bid now
    standing: int  # the contract that stands, 0 for the normal game
    holder: int  # whose it is, 0 while no bid stands
    score: int
    rival_score: int


class BidCards(NamedTuple):
    """The same by name; returns the name of a contract, several, or None."""

    hand: tuple[str, ...]
    trump: str
    seat: int
    legal: tuple[str, ...]  # such as ('BETTLER', 'GANG')
    standing: str
    holder: int
    score: int
    rival_score: int


class DoubleMasks(NamedTuple):
    """A preference of `double` returns whether to double now; seats are counted from the caller, 0."""

    hand: int
    trumps: int  # 0 in a contract without trumps
    contract: int
    role: int  # 0 declarer, 1 partner, 2 defender
    multiplier: int  # 1, 2 or 4: what the game counts so far
    seat: int
    declarer: int
    score: int
    rival_score: int


class DoubleCards(NamedTuple):
    """The same by name."""

    hand: tuple[str, ...]
    trump: str | None
    contract: str
    role: str
    multiplier: int
    seat: int
    declarer: int
    score: int
    rival_score: int
