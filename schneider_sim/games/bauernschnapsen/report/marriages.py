"""Normal games and marriages of Bauernschnapsen, policy by policy: how the games end, what becomes of the marriages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ....report.charts import figures
from ....report.charts.names import labels
from ....report.charts.numbers import count, rate
from ....report.charts.style import BLUE, PALE, VERMILLION
from ....report.findings import Findings
from ....report.pieces import Answer, Drawing
from ....report.reading import setting
from ....report.sections.leading_first import best_first
from ..results import self_play
from .contracts import FEWEST, basis

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def of_normal_games(findings: Findings) -> Answer:
    """How normal games end."""
    rows, said, few = [], [], []
    for one in best_first(findings):
        found, total = self_play.endings(one.result.tally, findings.level), int(one.result.tally["normal"].sum())
        if total < FEWEST:
            few.append(one.a)
            continue
        rows.append((one.a, *(rate(row.share) for row in found)))
        mine = self_play.share(int(one.result.tally["normal"][:, 0].sum()), total, findings.level)
        last = self_play.share(int(one.result.tally["normal"][:, :, 1].sum()), total, findings.level)
        said.append(f"{one.a}: of {count(total)} normal games the caller's side scores in {rate(mine)}; nobody reaches "
                    f"66 and the last trick decides in {rate(last)}.")
    if few:
        said.append(f"{', '.join(few)}: fewer than {FEWEST} normal games, too few to say anything.")
    head = tuple(f"{who} {text}" for who in ("caller's side:", "others:") for text in ("1", "2", "3", "last trick"))
    return Answer("normal", "How do normal games end?", tuple(said), ("policy", *head), tuple(rows),
                  f"{basis(findings)}; shares of normal games. 1, 2, 3: game points before doubling for reaching 66 "
                  "(2: the others are below 33; 3: they have no trick); last trick: nobody reached 66, 1 point.")


def of_marriages(findings: Findings) -> Answer:
    """What becomes of marriages: announced and counted, void, or kept."""
    said, rows, never = [], [], []
    for one in best_first(findings):
        found, plays = self_play.marriages(one.result.tally, findings.level), one.result.plays
        dealt, announced, cashed = (int(k) for k in one.result.tally["marriages"].sum(axis=(0, 1, 2)))
        if announced >= FEWEST:
            said.append(f"{one.a}: of {count(dealt)} marriages dealt, {dealt / plays:.2f} a deal, "
                        f"{rate(self_play.share(announced, dealt, findings.level))} were announced; "
                        f"{rate(self_play.share(cashed, announced, findings.level))} of these counted, the rest were "
                        "void, their side having won no trick.")
        else:
            never.append(one.a)
        rows += [(one.a, str(row.points), rate(row.counted), rate(row.void), rate(row.kept)) for row in found]
    if never:
        said.append(f"{', '.join(never)}: fewer than {FEWEST} marriages were announced.")
    return Answer(
        "marriages", "What becomes of marriages?", tuple(said),
        ("policy", "marriage", "announced, counted", "announced, void", "not announced"), tuple(rows),
        f"{basis(findings)}. Shares of the marriages dealt into one hand, whatever is played: contracts without "
        "marriages leave them unannounced. 40: in trumps.", "marriages" if any(rows) else "")


def drawings(findings: Findings) -> Iterator[Drawing]:
    """A bar for each policy's marriages of 20, and of 40."""
    short = labels(findings.study.policies)
    told = {short[one.a]: self_play.marriages(one.result.tally, findings.level) for one in best_first(findings)}
    if any(told.values()):
        yield Drawing(
            "marriages", "What becomes of marriages",
            "Each bar is all marriages that were dealt into one hand: announced and counted, announced in vain since "
            f"the side won no trick, not announced.{_some(sum(map(len, told.values())))}",
            f"n = {count(findings.study.deals)} independent deals a policy; intervals in the table above; "
            f"{findings.sure} Wilson; {setting(findings)}", lambda: _figure(told))


def _some(bars: int) -> str:
    return f" The first {figures.MOST} of {bars} bars." if bars > figures.MOST else ""


def _figure(told: Mapping[str, Sequence[self_play.Marriage]]) -> "Figure":
    rows = [(f"{name}: {row.points}", row) for name, found in told.items() for row in found][: figures.MOST]
    figure, ax = figures.new_figure(max(1.9, 0.3 * len(rows) + 1.0))
    figures.session_outcomes(ax, [label for label, _ in rows], [row.counted.value for _, row in rows],
                             [row.void.value for _, row in rows],
                             ("announced, counted", "announced, void", "not announced"), "share of marriages dealt",
                             (BLUE, VERMILLION, PALE))
    return figure
