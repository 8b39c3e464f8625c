"""The page of an analysis: what policies lose and where, and deals with their errors marked; to be read or printed."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..analysis import errors_text as told
from ..analysis.errors_of_play import offered_decisions
from ..analysis.parting import steps_of
from ..base.estimate import percent
from ..games import load_game
from ..results.text_tables import rules_in_words
from .cards import Hands, Piece, card, explained, hands, sides
from .charts import figures
from .charts.pictures import picture
from .pieces import game_report
from .templates import fill

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..analysis.errors_of_play import Analysis, Annotated, Error

class Row(NamedTuple):
    """A trick, and what is said of its errors."""

    pieces: list[Piece]
    notes: list[list[Piece]]


class Block(NamedTuple):
    """A deal on the page."""

    title: str
    hands: Hands
    rows: list[Row]
    replay: str


def render(found: "Analysis") -> str:
    """The page as HTML."""
    from markupsafe import Markup

    match_up = found.experiment.match_up
    dubious, wrong = offered_decisions(found.experiment.game).MARKS
    return fill(
        "errors.html", f"Where points are lost: {_title(found)}",
        sentences=[told.sentence(found, who) for who in found.loss], game=game_report(found.experiment.game).title,
        rules=rules_in_words(found.experiment.game, match_up.rules.as_dict()),
        unit=game_report(found.experiment.game).short, figure=Markup(picture("analyse", lambda: draw(found)).svg),
        policies=sides(found.typed, (match_up.a, match_up.b)),
        situations=[(one.policy, one.words, told.shown(one.loss), f"{one.decisions:,}",
                     "–" if one.share is None else f"{percent(one.share)} %") for one in found.by_situation],
        blocks=[_block(found, one) for one in found.annotated], dubious=dubious, wrong=wrong,
        grounds=told.grounds(found), again=found.again)


def draw(found: "Analysis") -> "Figure":
    """What A and B lose in a play, by trick and kind of decision."""
    verbs = offered_decisions(found.experiment.game).VERBS
    figure, axes = figures.new_figure(5.6, 2, 1, sharex=True, sharey=True)
    for ax, who in zip(axes, "AB", strict=True):
        rows = [{"trick": cell.trick, "kind": cell.kind, "loss": cell.a_play.value, **_limits(cell.a_play)}
                for cell in found.by_trick if cell.policy == who]
        if rows:
            names = {kind: f"{told.name_of(found, who)} {verb}" for kind, verb in verbs.items()}
            figures.losses_by_trick(ax, rows, names, f"{found.unit} lost in a play")
    axes[0].set_xlabel("")
    return figure


def _limits(loss: Any) -> dict[str, float]:
    """The limits of a bar; none where a single deal says nothing of others."""
    return {"low": loss.low, "high": loss.high} if loss.n > 1 else {"low": loss.value, "high": loss.value}


def _title(found: "Analysis") -> str:
    if found.given:
        return f"{found.plays:,} play{'' if found.plays == 1 else 's'} from {found.given}"
    return " and ".join(told.name_of(found, who) for who in "AB")


def _block(found: "Analysis", one: "Annotated") -> Block:
    trace, lines = one.trace, list(steps_of(found.experiment.game).lines(one.trace, {"A": "A", "B": "B"}))
    errors = {error.played: error for error in one.errors if told.is_card(error.played)}
    shown = {part.text for line in lines for part in line.parts if part.card}
    rest = [error for error in one.errors if error.played not in shown]  # calls, and marriages that ended the deal
    rows = []
    for number, line in enumerate(lines):
        pieces = [card(part.text, part.width, errors[part.text].mark if part.text in errors else "") if part.card else
                  Piece(part.text.strip(), "word", part.width or len(part.text)) for part in line.parts]
        here = [errors[part.text] for part in line.parts if part.card and part.text in errors]
        if number + 1 == len(lines) or lines[number + 1].trick != line.trick:
            here += [error for error in rest if error.trick == line.trick]
        rows.append(Row(pieces, [_note(found, error) for error in here]))
    lost = {who: sum(error.loss for error in one.errors if error.policy == who) for who in "AB"}
    said = ", ".join(f"{who} {loss:.1f} {found.unit}" for who, loss in lost.items() if loss > 0)
    marked = "cards" if all(error.trick for error in one.errors) else "cards and calls"
    title = f"Deal {trace['deal']}, {trace['first_leader']} first: the marked {marked} cost {said}"
    return Block(title, hands(_holdings(found, trace)), rows, explained(found.experiment.game, trace))


def _note(found: "Analysis", error: "Error") -> list[Piece]:
    """What is said of an error: the card played, the better one, the cost, and what could be played."""
    seat = [Piece(f"seat {seat}") for name, seat in error.place if name == "seat"]
    return [Piece(error.policy), *seat, _piece(error.played, error.mark), Piece("instead of"), _piece(error.better),
            Piece(f"costs {told.limits(error)} {found.unit}; from"), *map(_piece, error.choices)]


def _piece(choice: str, mark: str = "") -> Piece:
    """A card, or a call in words."""
    return card(choice, mark=mark) if told.is_card(choice) else Piece(f"{choice} {mark}".strip())


def _holdings(found: "Analysis", trace: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The cards before the first lead."""
    pack = load_game(found.experiment.game).pack
    held = trace["hands"]
    for name, hand in held.items() if isinstance(held, Mapping) else enumerate(held):
        yield str(name), sorted(map(pack.parse, hand), key=pack.bit)
    stock = list(map(pack.parse, trace.get("stock") or ()))
    for start in range(0, len(stock), 10):
        yield "" if start else "stock", stock[start : start + 10]
