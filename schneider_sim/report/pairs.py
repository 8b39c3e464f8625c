"""Two plays of a deal side by side on a page, trick by trick, with the reason of every trick to unfold."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..analysis import deals_text
from .cards import STYLE, Hands, Piece, card, explained, hands

if TYPE_CHECKING:
    from ..analysis.deals import Deals, Seen
    from ..games.steps import Line

Lines = list[tuple[list[Piece], bool]]  # the lines of a play, and whether the plays part there


class Pair(NamedTuple):
    """A deal with two plays of it."""

    title: str
    parting: str
    hands: Hands
    heads: tuple[str, str]
    left: Lines
    right: Lines
    replays: list[tuple[str, str]]


def pair(found: "Deals", seen: "Seen") -> Pair:
    """A deal that was found worth seeing."""
    left, right, marked = Lines(), Lines(), False
    for mine, theirs in deals_text.pairs(found, seen):
        trick = next(line.trick for line in (mine, theirs) if line is not None)
        here = seen.parting is not None and trick == seen.parting.trick and not marked
        marked = marked or here
        left.append((_pieces(mine), here))
        right.append((_pieces(theirs), here))
    heads = deals_text.headings(found, seen)
    return Pair(deals_text.title(found, seen), deals_text.parted(seen.parting, found.other, STYLE),
                hands(deals_text.cards_of(found, seen)), heads, left, right, list(_replays(found, seen, heads)))


def _replays(found: "Deals", seen: "Seen", heads: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Both plays as `replay` shows them, with what decided every trick."""
    for head, trace, names in zip(heads, (seen.left, seen.right), deals_text.names_in(found), strict=True):
        told = head if names["A"] == "A" else f"{head} (C is called A here)"
        yield told, explained(found.experiment.game, trace)


def _pieces(line: "Line | None") -> list[Piece]:
    if line is None:
        return []
    return [card(piece.text, piece.width) if piece.card else
            Piece(piece.text.strip(), "word" if line.trick > 0 else "", piece.width or len(piece.text))
            for piece in line.parts]
