"""Where do the policies lose their points? By trick and kind of decision, against the best card that was found."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.estimate import decimals, percent
from ..charts import figures
from ..charts.names import labels
from ..charts.numbers import amount, count, plain, shown
from ..findings import Findings
from ..pieces import Answer, Counted, Drawing, Table
from ..reading import setting
from ..strength import Lost, Strength

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PANELS = 6  # policies whose losses are drawn
_DIGITS = 4  # of a loss that rests on some hundred deals


class Cell(NamedTuple):
    """What a policy's decisions of a kind lose in a trick of a play; source: "worlds", or "counted", which is exact."""

    policy: str
    trick: int
    kind: str
    loss: float
    low: float
    high: float
    n: int
    source: str


def cells(lost: Lost) -> list[Cell]:
    """What a policy loses by trick and kind: exact where its game counts that, else as analysed."""
    known = {(trick, kind): one for trick, kind, one in lost.counted.cells} if lost.counted else {}
    found = [Cell(lost.policy, *place, *one.limits, one.n, "counted") for place, one in known.items()]
    for cell in lost.analysis.by_trick if lost.analysis else ():
        if cell.policy == "A" and (cell.trick, cell.kind) not in known:
            value, low, high, n = cell.a_play
            found.append(Cell(lost.policy, cell.trick, cell.kind, value, low, high, n, "worlds"))
    return sorted(found, key=lambda cell: cell.trick)


def loses(findings: Findings, lost: Lost) -> str:
    """What a policy's decisions lose in a play, and where most."""
    from ...analysis import errors_text as told

    assert lost.analysis is not None and findings.strength is not None
    loss, unit, rival = lost.analysis.loss["A"], findings.report.unit, findings.strength.yardstick
    if loss.low <= 0:
        return (f"Against {rival}, it is not known that {lost.policy} loses anything to the best card that was found: "
                f"{_loss(loss)} {unit} a play.")
    text = f"Against {rival}, {lost.policy} loses {_loss(loss)} {unit} a play to the best card that was found"
    place = _most(lost)
    if place is None:
        return f"{text}."
    kind, tricks, value = place
    return (f"{text}, most when it {_verbs(findings)[kind]}{told.in_tricks(tricks)} "
            f"({plain(value, decimals(loss.low, loss.high))}).")


def _loss(loss: Any) -> str:
    """A loss with its interval; without one where a single deal says nothing of others."""
    return shown(*loss[:3]) if loss.n > 1 else plain(loss.value, 3)


def _most(lost: Lost) -> tuple[str, tuple[int, int], float] | None:
    """The kind of decision and the part of the deal in which a policy loses most, and what a play loses there."""
    from ...analysis.errors_text import parts

    assert lost.analysis is not None
    most = max(parts(lost.analysis, "A"), key=lambda one: one.loss)
    return (most.kind, most.tricks, most.loss) if most.loss > 0 else None


def _verbs(findings: Findings) -> Any:
    from ...analysis.errors_of_play import offered_decisions

    return offered_decisions(findings.study.game).VERBS


def answer(findings: Findings, found: Strength) -> Iterator[Answer]:
    """What each policy's decisions lose in a play, most where, and exactly where the game counts it."""
    from ...analysis import errors_text as told

    some = _in_order(findings, found)
    if not some:
        return
    exact, verbs = _exact(some), _verbs(findings)
    rows = []
    for lost in some:
        if lost.analysis is None:
            continue
        place, whole, most = _most(lost), lost.analysis.loss["A"], "–"
        if place and whole.low > 0:
            share = percent(min(1, place[2] / whole.value))
            most = f"{verbs[place[0]]}{told.in_tricks(place[1])} ({share} % of it)"
        there = amount(lost.counted.total) if lost.counted else "–"
        rows.append((lost.policy, _loss(whole), most, *([there] if exact else [])))
    head = ("policy", f"lost a play, {findings.report.short}", "most when it",
            *([f"{exact.where}, exactly"] if exact else []))
    sentences = [loses(findings, some[0])] if some[0].analysis else []
    sentences += [_exactly(findings, some)] if exact else []
    refused = [f"{lost.policy}: {lost.refused}." for lost in some if lost.refused]
    yield Answer("losses", "Where do the policies lose their points?", (*sentences, *refused), head, tuple(rows),
                 _basis(found, exact), "losses")


def _in_order(findings: Findings, found: Strength) -> list[Lost]:
    """What the policies lose, in the order of the page."""
    order = findings.payoff.order
    return sorted(found.losses, key=lambda lost: order.index(lost.policy))


def _exact(some: list[Lost]) -> Counted | None:
    """What is counted exactly, of the first policy of which it is."""
    return next((lost.counted for lost in some if lost.counted), None)


def _exactly(findings: Findings, some: list[Lost]) -> str:
    who, total, where = next((lost.policy, lost.counted.total, lost.counted.where) for lost in some if lost.counted)
    return (f"{where[:1].upper()}{where[1:]} losses are known exactly for every card: there {who} loses "
            f"{amount(total)} {findings.report.unit} a play.")


def _basis(found: Strength, exact: Counted | None) -> str:
    asked = found.asked
    text = (f"All against {found.yardstick}; n = {count(asked.analysed)} deals a policy, each played twice; "
            f"{count(asked.worlds)} imagined deals choose the best card, {count(asked.worlds)} others measure the "
            "loss; 95 % intervals over deals")
    if exact:
        sizes = sorted({lost.counted.total.n for lost in found.losses if lost.counted})
        text += f"; {exact.where} counted: n = {' or '.join(map(count, sizes))} deals"
    return f"{text}."


def drawings(findings: Findings, found: Strength) -> Iterator[Drawing]:
    """The losses of the best policies, a panel each."""
    some = [(lost, mine) for lost in _in_order(findings, found) if (mine := cells(lost))]
    if not some:
        return
    exact, left = _exact([lost for lost, _ in some]), len(some) - _PANELS
    known = f" {exact.where[:1].upper()}{exact.where[1:]} the bars are exact for every card." if exact else ""
    more = f" {left} more {'is' if left == 1 else 'are'} in tables/losses.csv." if left > 0 else ""
    yield Drawing("losses", "Where the points go, trick by trick",
                  f"What each policy's decisions lose in a play against {found.yardstick}. Every panel has its own "
                  f"scale.{known}{more}", f"{_basis(found, exact)[:-1]}; {setting(findings)}",
                  lambda: _panels(findings, some[:_PANELS]))


def _panels(findings: Findings, some: list[tuple[Lost, list[Cell]]]) -> "Figure":
    short, verbs = labels(findings.study.policies), _verbs(findings)
    columns = 1 if len(some) == 1 else 2
    rows = -(-len(some) // columns)
    figure, axes = figures.new_figure(2.5 * rows + 0.4, rows, columns, squeeze=False)
    for place, ax in enumerate(axes.flat):
        if place >= len(some):
            ax.set_axis_off()
            continue
        lost, mine = some[place]
        bars = [cell._asdict() | ({"low": cell.loss, "high": cell.loss} if cell.n < 2 else {}) for cell in mine]
        figures.losses_by_trick(ax, bars, verbs, f"{findings.report.short} a play" if place % columns == 0 else "")
        ax.set_title(short[lost.policy])
        if place:
            ax.get_legend().remove()
        if place + columns < len(some):
            ax.set_xlabel("")
        ax.tick_params(axis="x", labelsize=7)
    return figure


def tables(found: Strength) -> Iterator[Table]:
    """The losses by trick and kind."""
    import pandas as pd

    rows = [cell._asdict() for lost in found.losses for cell in cells(lost)]
    if rows:
        yield Table("losses", "Where points are lost",
                    f"points that a policy's decisions lose in a play against {found.yardstick}, by trick and kind; "
                    "95 % intervals; source: measured on imagined worlds (n counts deals) or counted exactly (n counts "
                    "plays)", pd.DataFrame(rows), _DIGITS)


def as_dict(lost: Lost) -> dict[str, Any]:
    """A policy's losses as JSON."""
    whole = lost.analysis.loss["A"]._asdict() if lost.analysis else None
    counted = {"where": lost.counted.where, **lost.counted.total._asdict()} if lost.counted else None
    return {"policy": lost.policy, "loss": whole, "counted": counted, "refused": lost.refused or None,
            "by_trick": [{name: value for name, value in cell._asdict().items() if name != "policy"}
                         for cell in cells(lost)]}
