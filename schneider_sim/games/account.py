"""An account of a play, trick by trick, from which pages are made: who laid which card, who takes the trick and why.

What a game offers for this is described in games.protocol.Accounts.
"""

from typing import NamedTuple


class Laid(NamedTuple):
    """A card laid: by whom as readers are told ("A", "seat 2 (B)"), and the player's hand before it, sorted."""

    who: str
    card: str
    hand: tuple[str, ...]


class Trick(NamedTuple):
    """A trick: its number from 1, what was announced before it, its cards, and what became of it.

    takes: "A takes 2 honours"; why: the reason in words; score: the count after it; drawn: the new cards by player.
    """

    number: int
    said: str
    laid: tuple[Laid, ...]
    takes: str
    why: str
    score: str
    drawn: tuple[tuple[str, str], ...] = ()
