"""The page of deals worth seeing: one self-contained HTML file, to be read on a screen or printed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..analysis import deals_text
from ..results.text_tables import rules_in_words
from .cards import STYLE, Hands, Piece, card, explained, hands, sides
from .pieces import game_report
from .templates import fill

if TYPE_CHECKING:
    from ..analysis.deals import Deals, Seen
    from ..games.steps import Line

class Row(NamedTuple):
    """A trick in both plays; here: whether they part in it."""

    left: list[Piece]
    right: list[Piece]
    here: bool


class Block(NamedTuple):
    """A deal on the page."""

    title: str
    parting: str
    hands: Hands
    heads: tuple[str, str]
    rows: list[Row]
    replays: list[tuple[str, str]]


def render(found: "Deals") -> str:
    """The page as HTML."""
    match_up = found.experiment.match_up
    policies = sides(found.typed, [match_up.a, match_up.b, *([] if found.instead is None else [found.instead])])
    return fill(
        "deals.html", f"Deals worth seeing: {' and '.join(_short(typed, side) for side, typed, _ in policies)}",
        sentence=deals_text.sentence(found), game=game_report(found.experiment.game).title,
        rules=rules_in_words(found.experiment.game, match_up.rules.as_dict()), seed=match_up.seed, policies=policies,
        blocks=[_block(found, one) for one in found.seen], again=found.again)


def _short(typed: str, side: str) -> str:
    return typed if 0 < len(typed) <= 24 and ":" not in typed else side


def _block(found: "Deals", one: "Seen") -> Block:
    rows, marked = list[Row](), False
    for left, right in deals_text.pairs(found, one):
        trick = next(line.trick for line in (left, right) if line is not None)
        here = one.parting is not None and trick == one.parting.trick and not marked
        marked = marked or here
        rows.append(Row(_pieces(left), _pieces(right), here))
    heads = deals_text.headings(found, one)
    return Block(deals_text.title(found, one), deals_text.parted(one.parting, found.other, STYLE),
                 hands(deals_text.cards_of(found, one)), heads, rows, list(_replays(found, one, heads)))


def _replays(found: "Deals", one: "Seen", heads: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Both plays as `replay` shows them, with what decided every trick."""
    for head, trace, names in zip(heads, (one.left, one.right), deals_text.names_in(found), strict=True):
        told = head if names["A"] == "A" else f"{head} (C is called A here)"
        yield told, explained(found.experiment.game, trace)


def _pieces(line: "Line | None") -> list[Piece]:
    if line is None:
        return []
    return [card(piece.text, piece.width) if piece.card else
            Piece(piece.text.strip(), "word" if line.trick > 0 else "", piece.width or len(piece.text))
            for piece in line.parts]
