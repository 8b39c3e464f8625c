"""Deals worth seeing, both of their plays side by side: of the two best policies of a study with a table [strength]."""

import re
from typing import NamedTuple

from ...analysis import deals_text
from ...games.steps import Line
from ..cards import STYLE, Hands, Piece, card, explained, hands
from ..charts.numbers import count
from ..findings import Findings
from ..strength import Choice

_WHY = {  # the first deal of its kind, another one
    "swing": ("The largest swing", "Another large swing"),
    "loss": ("The largest loss in the last six tricks", "Another large loss in the last six tricks"),
    "schneider": ("The most honours", "Many honours too"),
    "parting": ("The earliest parting", "Another early parting"),
}


class Block(NamedTuple):
    """A deal on the page; left, right: the lines of both plays, and whether they part there."""

    title: str
    told: str
    parting: str
    hands: Hands
    heads: tuple[str, str]
    left: list[tuple[list[Piece], bool]]
    right: list[tuple[list[Piece], bool]]
    replays: list[tuple[str, str]]


def sentence(findings: Findings) -> str:
    """Whose deals they are, and among how many they were found."""
    found = findings.strength
    if found is None or not found.deals:
        return ""
    a, b = found.pair
    number = found.deals[0].found.experiment.deals
    return (f"A is {a}, B is {b}. Among {count(number)} deals, each played twice with sides changed, these are "
            f"{'the one' if len(found.deals) == 1 else 'those'} most worth seeing.")


def blocks(findings: Findings) -> list[Block]:
    """The deals in the order of the page."""
    some = findings.strength.deals if findings.strength else ()
    kinds = [one.found.key for one in some]
    return [_block(one, _WHY[one.found.key][one.found.key in kinds[:place]]) for place, one in enumerate(some)]


def _block(one: Choice, why: str) -> Block:
    found, seen, parted = one.found, one.seen, False
    left, right = list[tuple[list[Piece], bool]](), list[tuple[list[Piece], bool]]()
    for mine, theirs in deals_text.pairs(found, seen):
        trick = next(line.trick for line in (mine, theirs) if line is not None)
        here = seen.parting is not None and trick == seen.parting.trick and not parted
        parted = parted or here
        left.append((_pieces(mine), here))
        right.append((_pieces(theirs), here))
    heads = deals_text.headings(found, seen)
    replays = [(f"{head}, every trick explained", explained(found.experiment.game, trace))
               for head, trace in zip(heads, (seen.left, seen.right), strict=True)]
    told = re.sub(r"-(?=\d)", "−", deals_text.title(found, seen))
    return Block(f"{why}: deal {seen.deal}", told,
                 deals_text.parted(seen.parting, found.other, STYLE), hands(deals_text.cards_of(found, seen)), heads,
                 left, right, replays)


def _pieces(line: Line | None) -> list[Piece]:
    return [] if line is None else [
        card(piece.text, piece.width) if piece.card else
        Piece(piece.text.strip(), "word" if line.trick > 0 else "", piece.width or len(piece.text))
        for piece in line.parts]
