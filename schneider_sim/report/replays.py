"""Deals replayed on a page: hands, every trick, who takes it and why, and which word of the policy chose each card.

`deal_html` gives the HTML of one deal for any page of this folder: it needs nothing but the styles of page.css.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..analysis.deals_text import parted
from ..analysis.parting import Parting, parting_of
from ..errors import RequestError
from ..games import MatchUp, load_game
from ..games.account import Trick
from ..games.reasons import Reason
from ..runs.experiment import Files, make_experiment
from .cards import STYLE, Hands, Piece, card, explained, hands
from .templates import part

if TYPE_CHECKING:
    from markupsafe import Markup

AS_NAMED = {"A": "A", "B": "B"}
C_FOR_A = {"A": "C", "B": "B"}
_CARD = re.compile(r"((?:10|[2-9TJQKA])[♠♥♦♣])")


class Line(NamedTuple):
    """A card on the page: who lays it, the verb, the card, what chose it, and the hand from which it comes."""

    who: str
    verb: str
    card: Piece
    reason: str
    hand: list[Piece]
    here: bool


class Told(NamedTuple):
    """A trick on the page; here: whether the two plays part in it."""

    number: int
    said: str
    lines: list[Line]
    takes: str
    why: list[Piece]
    score: str
    drawn: list[tuple[str, Piece]]
    here: bool


class Column(NamedTuple):
    """A play on the page, or half of it beside another.

    text: for games that do not tell their plays; here: whether the two plays part before the first lead.
    """

    head: str
    opening: list[list[Piece]]
    tricks: list[Told]
    result: str
    text: str
    here: bool = False


def deal_html(trace: Mapping[str, Any], beside: Mapping[str, Any] | None = None, *,
              names: Mapping[str, str] = AS_NAMED, beside_names: Mapping[str, str] = C_FOR_A, swapped: bool = False,
              heading: str = "", match_up: MatchUp | None = None, beside_match_up: MatchUp | None = None,
              load: Files = ()) -> "Markup":
    """The HTML of a deal: a section for a page, from a trace as `Game.trace` and `replay --json` give it.

    beside: another play of the same deal, which stands beside the first with their first difference marked. names,
    beside_names: what A and B are called in each, by default A, B and C for a policy in A's place. swapped: A and B
    have changed seats in the play beside. heading: above it, by default which deal it is. The words that chose the
    cards are those of the policies in the trace, or of a match-up, which a policy with words of one's own needs (or
    load); a play that they did not make has none.
    """
    game = load_game(trace["game"])
    apart = None if beside is None else parting_of(game.name, trace, beside, swapped)
    columns = [_column(trace, names, match_up, load, apart, bare=beside is not None)]
    accounts = game.accounts
    if beside is not None:
        columns.append(_column(beside, beside_names, beside_match_up, load, apart, bare=True))
    holdings: Hands = hands(accounts.holdings(trace, _both(names, beside_names, beside, swapped))) if accounts else []
    return part("replays.html", "deal", {
        "title": heading or (accounts.title(trace) if accounts else f"Deal {trace['deal']}"), "hands": holdings,
        "columns": columns, "rows": list(_rows(columns)),
        "parting": _spelled(parted(apart, beside_names["A" if not swapped else "B"], STYLE)) if beside else []})


def _both(names: Mapping[str, str], others: Mapping[str, str], beside: object, swapped: bool) -> dict[str, str]:
    """What to call who holds a hand in both plays."""
    if beside is None:
        return dict(names)
    there = {side: others["BA"["AB".index(side)] if swapped else side] for side in "AB"}
    return {side: names[side] if names[side] == there[side] else f"{names[side]} / {there[side]}" for side in "AB"}


def _column(trace: Mapping[str, Any], names: Mapping[str, str], match_up: MatchUp | None, load: Files,
            apart: Parting | None, bare: bool) -> Column:
    accounts = load_game(trace["game"]).accounts
    if accounts is None:
        return Column("", [], [], "", explained(trace["game"], trace))
    chosen = reasons_of(trace, match_up, load)
    why = iter(chosen) if chosen is not None else None
    marked, tricks = False, []
    for trick in accounts.tricks(trace, STYLE, names):
        here = apart is not None and trick.number == apart.trick and not marked
        marked = marked or here
        tricks.append(_told(trick, why, apart if here else None, bare))
    opening = [_spelled(text) for text in accounts.opening(trace, STYLE, names)]
    return Column(f"{names['A']} against {names['B']}", opening, tricks, accounts.result(trace, names), "",
                  apart is not None and apart.trick == 0)


def _told(trick: Trick, why: Iterator[Reason] | None, apart: Parting | None, bare: bool) -> Told:
    lines = []
    for place, laid in enumerate(trick.laid):
        reason = str(next(why)) if why is not None else ""
        here = apart is not None and apart.card and laid.card in (apart.first, apart.second)
        hand = [] if bare else [card(one, mark="here" if one == laid.card else "") for one in laid.hand]
        lines.append(Line(laid.who, "plays" if place else "leads", card(laid.card), reason, hand, here))
    return Told(trick.number, trick.said, lines, trick.takes, _spelled(trick.why), trick.score.replace("  ", " "),
                [(who, card(one)) for who, one in trick.drawn], apart is not None)


def _rows(columns: list[Column]) -> Iterator[tuple[Told | None, ...]]:
    """The tricks of all plays beside each other."""
    for number in range(max(len(column.tricks) for column in columns)):
        yield tuple(column.tricks[number] if number < len(column.tricks) else None for column in columns)


def _spelled(text: str) -> list[Piece]:
    """A text with its cards as pieces."""
    return [Piece(one, ("red" if one[-1] in "♥♦" else "black") if _CARD.fullmatch(one) else "text")
            for one in _CARD.split(text) if one]


def reasons_of(trace: Mapping[str, Any], match_up: MatchUp | None = None, load: Files = ()) -> list[Reason] | None:
    """What chose each card of a trace, in the order of play; None where its policies are unknown or did not play it."""
    game = load_game(trace["game"])
    if game.reasons is None:
        return None
    if match_up is None:
        try:
            match_up = make_experiment(
                trace["policies"]["A"], trace["policies"]["B"], game_name=game.name, rules=trace["rules"], deals=1,
                seed=trace["seed"], first=trace["deal"], load=load,
                score=tuple(trace.get("score", {}).values()) or (0, 0)).match_up
        except (RequestError, KeyError):  # words that nobody knows here, or a play of people
            return None
    return game.reasons.reasons(match_up, trace)
