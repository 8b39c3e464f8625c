"""The page of deals worth seeing: one self-contained HTML file, to be read on a screen or printed."""

from collections.abc import Iterator
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from ..analysis import deals_text
from ..base.cards import pretty
from ..base.terminal import Style
from ..games import load_game
from ..results.plain_page import plain_page
from ..results.text_tables import rules_in_words
from ..version import __version__
from .pieces import game_report

if TYPE_CHECKING:
    from ..analysis.deals import Deals, Seen
    from ..games.steps import Line

_STYLE = Style(symbols=True)


class Piece(NamedTuple):
    """Text on the page; kind: "red" or "black" for a card, "word" for other text; width: in characters, at least."""

    text: str
    kind: str = "word"
    width: int = 0


class Row(NamedTuple):
    """A trick in both plays; here: whether they part in it."""

    left: list[Piece]
    right: list[Piece]
    here: bool


class Block(NamedTuple):
    """A deal on the page."""

    title: str
    parting: str
    hands: list[tuple[str, list[Piece]]]
    heads: tuple[str, str]
    rows: list[Row]
    replays: list[tuple[str, str]]


def render(found: "Deals") -> str:
    """The page as HTML. Whatever comes from users is escaped; nothing is loaded from elsewhere."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    here = resources.files(__package__)
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(here.joinpath("deals.html").read_text(encoding="utf-8"))
    match_up = found.experiment.match_up
    policies = {"A": match_up.a, "B": match_up.b} | ({} if found.instead is None else {"C": found.instead})
    typed = dict(zip("ABC", found.typed, strict=False))
    return template.render(
        style=Markup(here.joinpath("page.css").read_text(encoding="utf-8")), version=__version__,
        title=f"Deals worth seeing: {' and '.join(_short(typed[side], side) for side in policies)}",
        sentence=deals_text.sentence(found), game=game_report(found.experiment.game).title,
        rules=rules_in_words(found.experiment.game, match_up.rules.as_dict()), seed=match_up.seed,
        policies=[(side, typed[side], str(policy)) for side, policy in policies.items()],
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
    hands = [(name, [_card(card) for card in cards]) for name, cards in deals_text.cards_of(found, one)]
    heads = deals_text.headings(found, one)
    return Block(deals_text.title(found, one), deals_text.parted(one.parting, found.other, _STYLE), hands, heads, rows,
                 list(_replays(found, one, heads)))


def _replays(found: "Deals", one: "Seen", heads: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Both plays as `replay` shows them, with what decided every trick."""
    page = load_game(found.experiment.game).replay_page or plain_page
    for head, trace, names in zip(heads, (one.left, one.right), deals_text.names_in(found), strict=True):
        told = head if names["A"] == "A" else f"{head} (C is called A here)"
        yield told, "\n".join(page(trace, _STYLE))


def _pieces(line: "Line | None") -> list[Piece]:
    if line is None:
        return []
    return [_card(piece.text, piece.width) if piece.card else
            Piece(piece.text.strip(), "word" if line.trick > 0 else "", piece.width or len(piece.text))
            for piece in line.parts]


def _card(name: str, width: int = 0) -> Piece:
    return Piece(pretty(name), "red" if name[1] in "HD" else "black", width)
