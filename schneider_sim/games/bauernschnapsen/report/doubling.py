"""Doubling in Bauernschnapsen, policy by policy: what doubled deals bring, and how much of it the doubling made."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ....report.charts import figures
from ....report.charts.names import labels
from ....report.charts.numbers import amount, count, rate
from ....report.findings import Findings
from ....report.pieces import Answer, Drawing
from ....report.reading import setting
from ....report.sections.leading_first import best_first
from ..results import self_play
from .contracts import FEWEST, basis, rules_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DONE = ("not doubled", "doubled", "redoubled", "doubled a third time")


def by_policy(findings: Findings) -> dict[str, list[self_play.Doubling]]:
    """The doublings of every policy, the best policy first; nothing for one that never doubles."""
    return {one.a: self_play.doubling(one.result.tally, rules_of(one), findings.level) for one in best_first(findings)}


def answer(findings: Findings) -> Answer:
    """What doubling earns."""
    found = by_policy(findings)
    said = [f"{name}: {sentence}" for name, rows in found.items() for sentence in _sentences(rows)]
    seldom = [name for name, rows in found.items() if not _doubled(rows)]
    if seldom:
        said.append(f"Never doubled, or in fewer than {FEWEST} deals: {', '.join(seldom)}.")
    return Answer(
        "doubling", "What does doubling earn?", tuple(said),
        ("policy", "game", "raised", "seen by", "of deals", "they score in", "game points a deal",
         "gained by raising"),
        tuple((name, row.game, _DONE[row.step], row.side, rate(row.of_plays), rate(row.scores), amount(row.earns),
               amount(row.gain) if row.gain else "–") for name, rows in found.items() for row in rows
              if row.n >= FEWEST and _doubled(rows)),
        f"{basis(findings)}. Players who double hold good cards, so doubled deals differ from the others. The last "
        "column says what raising gained: the same deals and cards are compared with not raising; the answers of the "
        "other side count. Doubled deals hold those that were redoubled later, and so on.",
        "doubling" if _lines(findings) else "")


def _doubled(rows: Sequence[self_play.Doubling]) -> bool:
    """Whether a doubling was seen often enough to say something."""
    return any(row.gain and row.n >= FEWEST for row in rows)


def _sentences(rows: Sequence[self_play.Doubling]) -> Iterator[str]:
    usual = {row.game: row for row in rows if row.step == 0}
    for row in rows:
        if row.gain is None or row.n < FEWEST:
            continue
        verdict = "it pays" if row.gain.low > 0 else "it costs" if row.gain.high < 0 else "whether it pays is open"
        before = ""
        if row.step == 1 and row.game in usual:
            before = f" (those not doubled bring them {amount(usual[row.game].earns)})"
        games = "normal games" if row.game == "normal game" else row.game
        yield (f"{games} {_DONE[row.step]}, {rate(row.of_plays)} of deals, bring the {row.side} that raised "
               f"{amount(row.earns)} game points a deal{before}; {amount(row.gain)} of that by raising: {verdict}.")


def _lines(findings: Findings) -> list[figures.Line]:
    short = labels(findings.study.policies)
    return [figures.Line(f"{short[name]}: {row.game}, {_DONE[row.step]}", *row.gain.limits,
                         row.gain.low <= 0 <= row.gain.high)
            for name, rows in by_policy(findings).items() for row in rows if row.gain and row.n >= FEWEST]


def drawings(findings: Findings) -> Iterator[Drawing]:
    """What raising gained, by policy and step."""
    every = _lines(findings)
    lines = every[: figures.MOST]
    some = f" The first {len(lines)} of {len(every)}; all are in tables/own_doubling.csv." if every[len(lines):] else ""

    def draw() -> "Figure":
        figure, ax = figures.new_figure(figures.height_of(lines))
        figures.forest(ax, lines, "game points gained per deal that was raised", zero=0.0)
        return figure

    if lines:
        yield Drawing(
            "doubling", "What doubling gains",
            "Game points per deal that raising gained, compared with the same deals and cards without "
            f"raising. Left of the line it costs. A hollow mark is open: its interval holds 0.{some}",
            f"n = {count(findings.study.deals)} independent deals a policy; {findings.sure} intervals; "
            f"{setting(findings)}", draw)
