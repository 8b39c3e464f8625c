"""What pages that show cards have in common: cards and words as pieces, policies by side, every trick explained."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.cards import pretty
from ..base.terminal import Style
from ..games import load_game
from ..results.plain_page import plain_page

if TYPE_CHECKING:
    from ..policy.grammar import Policy

STYLE = Style(symbols=True)


class Piece(NamedTuple):
    """Text on the page; kind: "red" or "black" for a card, "word" for other text; mark: what a card is marked with."""

    text: str
    kind: str = "word"
    width: int = 0  # in characters, at least
    mark: str = ""


Hands = list[tuple[str, list[Piece]]]


def card(name: str, width: int = 0, mark: str = "") -> Piece:
    """A card by its name."""
    return Piece(pretty(name), "red" if name[1] in "HD" else "black", width, mark)


def hands(holdings: Iterable[tuple[str, Iterable[str]]]) -> Hands:
    """Cards by who holds them."""
    return [(who, [card(one) for one in some]) for who, some in holdings]


def explained(game: str, trace: Mapping[str, Any]) -> str:
    """A play as `replay` shows it, with what decided every trick."""
    return "\n".join((load_game(game).replay_page or plain_page)(trace, STYLE))


def sides(typed: Iterable[str], policies: "Iterable[Policy]") -> list[tuple[str, str, str]]:
    """The policies A, B, … as they were typed and in full."""
    return [(side, short, str(policy)) for side, short, policy in zip("ABC", typed, policies, strict=False)]
