"""Deals worth seeing in lines for people: a sentence first, then each deal's plays side by side in 80 columns."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..base.cards import SYMBOLS
from ..base.terminal import Style
from ..games import load_game
from ..games.steps import Line, Part
from ..results.text_tables import heading
from .parting import steps_of

if TYPE_CHECKING:
    from .deals import Deals, Seen
    from .parting import Parting

_HALF = 38  # columns of a play
_KEYS = {  # of one deal, of several
    "swing": ("the largest swing", "the largest swings"),
    "parting": ("the earliest parting", "the earliest partings"),
    "loss": ("the largest loss in the last six tricks", "the largest losses in the last six tricks"),
    "schneider": ("a Schneider", "the Schneiders of most honours"),
}


def report(found: "Deals", style: Style | None = None) -> str:
    """The whole as text."""
    style = style or Style()
    last = "\n".join([*grounds(found), f"again: {found.again}"])
    blocks = [sentence(found), *("\n".join(deal(found, one, style)) for one in found.seen), last]
    return "\n\n".join(blocks)


def sentence(found: "Deals") -> str:
    """What was looked for and found."""
    experiment = found.experiment
    range_ = f"{experiment.deals:,} deals from {experiment.first} on"
    passing = f"; {found.matching:,} of {experiment.plays:,} plays match {found.where}" if found.where else ""
    if not found.seen:
        return f"Nothing to see in {range_}{passing or ': the plays are alike'}."
    number = len(found.seen)
    return f"{number} deal{'s' if number > 1 else ''}: {_KEYS[found.key][number > 1]} in {range_}{passing}."


def title(found: "Deals", one: "Seen") -> str:
    """A deal in a sentence: its number, what the plays were worth, the key."""
    unit = found.unit
    if found.instead is None:
        told = f"A scores {_signed(one.points['A'])} {unit} in this seat and {_signed(_swing(one))} over both"
    else:
        told = f"A scores {_signed(one.points['A'])} {unit}, C in its place {_signed(one.points['C'])}"
    extra = (f", the winner's honours are {one.value}" if found.key == "schneider" else
             f"; it lost {one.value} in the last six tricks" if found.key == "loss" else "")
    return f"Deal {one.deal}, {one.first_leader} first: {told}{extra}."


def _swing(one: "Seen") -> int:
    """A's points over both plays of a duplicate."""
    return one.points["A"] + points_of(one.right, "A")


def points_of(trace: Mapping[str, Any], side: str) -> int:
    """A side's points in a trace minus the other's."""
    other = "BA"["AB".index(side)]
    if "victory_points" in trace:
        return int(trace["victory_points"][side] - trace["victory_points"][other])
    return int(trace["game_points"]) * (1 if trace["scoring_team"] == side else -1)


def parted(apart: "Parting | None", other: str, style: Style) -> str:
    """Where the plays part, in a sentence."""
    if apart is None:
        return "The two plays are alike."
    first, second = (text_of(what, apart.card, style) for what in (apart.first, apart.second))
    if apart.card:
        return f"They part in trick {apart.trick}: A plays {first}, {other} {second}."
    where = f"in trick {apart.trick}" if apart.trick else "before the first lead"
    return f"They part {where}. A: {first}; {other}: {second}."


def text_of(what: str, card: bool, style: Style) -> str:
    """A decision for people: a card by its symbol, words with suits as symbols."""
    if card and len(what) == 2:
        return style.card(what)
    head, _, suit = what.rpartition(" ")
    return f"{head} {SYMBOLS[suit]}" if style.symbols and suit in SYMBOLS else what


def names_in(found: "Deals") -> tuple[Mapping[str, str], Mapping[str, str]]:
    """What the sides of the left and the right play are called."""
    return {"A": "A", "B": "B"}, {"A": "A" if found.instead is None else "C", "B": "B"}


def headings(found: "Deals", one: "Seen") -> tuple[str, str]:
    """What stands above the two plays."""
    if found.instead is not None:
        return "A against B", "C against B"
    return f"{one.first_leader} first", "B first" if one.first_leader == "A" else "A first"


def pairs(found: "Deals", one: "Seen") -> Iterator[tuple[Line | None, Line | None]]:
    """The lines of the two plays beside each other, those of a trick in one row."""
    lines = steps_of(found.experiment.game).lines
    sides = [list(lines(trace, names)) for trace, names in zip((one.left, one.right), names_in(found), strict=True)]
    tricks = dict.fromkeys(line.trick for side in sides for line in side if line.trick >= 0)
    for trick in [*sorted(tricks), -1]:
        left, right = ([line for line in side if line.trick == trick] for side in sides)
        for k in range(max(len(left), len(right))):
            yield left[k] if k < len(left) else None, right[k] if k < len(right) else None


def deal(found: "Deals", one: "Seen", style: Style) -> Iterator[str]:
    """A deal with both of its plays."""
    yield style.strong(title(found, one))
    yield parted(one.parting, found.other, style)
    yield from (f"{name:10}{style.cards(cards)}" for name, cards in cards_of(found, one))
    left, right = headings(found, one)
    yield f"{left:{_HALF}}    {right}"
    marked = False
    for mine, theirs in pairs(found, one):
        trick = next(line.trick for line in (mine, theirs) if line is not None)
        here = one.parting is not None and trick == one.parting.trick and not marked
        marked = marked or here
        between = " <> " if here else "    "
        yield f"{_padded(mine, style)}{between}{_told(theirs, style)}".rstrip()


def _told(line: Line | None, style: Style) -> str:
    return "" if line is None else " ".join(_piece(piece, style) for piece in line.parts)


def _piece(piece: Part, style: Style) -> str:
    return style.card(piece.text, piece.width) if piece.card else piece.text.ljust(piece.width)


def _padded(line: Line | None, style: Style) -> str:
    bare = _told(line, Style(style.symbols))
    return _told(line, style) + " " * (_HALF - len(bare))


def cards_of(found: "Deals", one: "Seen") -> Iterator[tuple[str, list[str]]]:
    """The cards before the first lead: hands by who holds them in the left and the right play, and the stock."""
    pack = load_game(found.experiment.game).pack
    left, right = names_in(found)
    swapped = found.instead is None
    if isinstance(one.left["hands"], Mapping):
        for side, hand in one.left["hands"].items():
            other = right["BA"["AB".index(side)] if swapped else side]
            name = left[side] if other == left[side] else f"{left[side]} / {other}"
            yield name, sorted(hand, key=pack.bit)
        yield "stock", one.left["stock"][:10]
        yield "", one.left["stock"][10:]
        return
    for seat, hand in enumerate(one.left["hands"]):
        side = next(who for who, seats in one.left["teams"].items() if seat in seats)
        other = right["BA"["AB".index(side)] if swapped else side]
        name = left[side] if other == left[side] else f"{left[side]} / {other}"
        yield f"{seat} ({name})", sorted(hand, key=pack.bit)


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def grounds(found: "Deals") -> list[str]:
    """The game with its rules, and the policies."""
    match_up = found.experiment.match_up
    policies = {"A": match_up.a, "B": match_up.b} | ({} if found.instead is None else {"C": found.instead})
    typed = dict(zip("ABC", found.typed, strict=False))
    return heading(found.experiment.game, match_up.rules.as_dict(), typed, policies)
