"""Contracts of Bauernschnapsen, policy by policy: how often each is bid and made, and what it earns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ....report.charts import figures
from ....report.charts.names import labels
from ....report.charts.numbers import amount, count, rate
from ....report.charts.style import EIGHT, MUTED
from ....report.findings import Findings, Played
from ....report.pieces import Answer, Drawing
from ....report.reading import setting
from ....report.sections.leading_first import best_first
from ..results import self_play

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FEWEST = 30  # plays below which a row is left to the table files
_MARKS = "osD^vP<>"


def rules_of(one: Played) -> Any:
    """The rules that a match-up was played by."""
    return one.result.experiment.match_up.rules


def basis(findings: Findings) -> str:
    """What numbers about policies against themselves rest on."""
    return (f"Every policy against itself, n = {count(findings.study.deals)} independent deals each; {findings.sure} "
            "intervals")


def by_policy(findings: Findings) -> dict[str, list[self_play.Contract]]:
    """The contracts of every policy, the best policy first."""
    return {one.a: self_play.contracts(one.result.tally, rules_of(one), findings.level) for one in best_first(findings)}


def answer(findings: Findings) -> Answer:
    """How often each contract is bid and made, and what it earns."""
    found = by_policy(findings)
    few = sum(row.n < FEWEST for rows in found.values() for row in rows)
    return Answer(
        "contracts", "How often is each contract bid and made, and what does it earn?",
        tuple(f"{name}: {_sentence(rows, findings.level)}." for name, rows in found.items()),
        ("policy", "contract", "bid, of deals", "played, of deals", "made, of those played", "game points a play"),
        tuple((name, row.contract, rate(row.bid) if row.contract != "NORMAL" else "–", rate(row.played),
               rate(row.made), amount(row.earns))
              for name, rows in found.items() for row in rows if row.n >= FEWEST),
        f"{basis(findings)}. Game points are those of the side that plays the contract, failures as minus; the normal "
        "game is the caller's side's and counts as made when that side scores."
        + (f" Rows of fewer than {FEWEST} plays ({few}) are in tables/own_contracts.csv only." if few else ""),
        "contracts")


def _sentence(rows: Sequence[self_play.Contract], level: float) -> str:
    normal = next((row for row in rows if row.contract == "NORMAL" and row.n), None)
    if normal is None:
        said = "it plays no normal games"
    elif normal.played.value == 1:
        said = f"all of its {count(normal.n)} deals are normal games"
    else:
        said = f"{rate(normal.played)} of its deals are normal games"
    special = [row for row in rows if row.contract != "NORMAL" and row.n >= FEWEST]
    if special:
        frequent = _most_frequent(special, level)
        top = frequent[0]
        said += (f"; its most frequent contract is {top.contract}, in {rate(top.played)} of deals, made in "
                 f"{rate(top.made)}, worth {amount(top.earns)} game points a play to the side that plays it"
                 ) if len(frequent) == 1 else (
            "; which contract is the most frequent is not established: "
            f"{', '.join(f'{row.contract} in {rate(row.played)}' for row in frequent)}")
        losing = [row for row in special if row.earns.high < 0 and [row] != frequent]
        if losing:
            said += "; it loses by " + ", ".join(f"{row.contract} ({amount(row.earns)})" for row in losing)
    return said


def _most_frequent(rows: Sequence[self_play.Contract], level: float) -> list[self_play.Contract]:
    """The contracts that may be the most frequent: limits for all at once (Bonferroni)."""
    limits = [self_play.share(row.n, row.played.n, 1 - (1 - level) / len(rows)) for row in rows]
    return [row for row, limit in zip(rows, limits, strict=True) if limit.high >= max(one.low for one in limits)]


def drawings(findings: Findings) -> Iterator[Drawing]:
    """A mark for every policy and contract in three panels."""
    short = labels(findings.study.policies)
    seen = by_policy(findings)
    found = {short[name]: [row for row in rows if row.n >= FEWEST] for name, rows in list(seen.items())[: len(EIGHT)]}
    left_out = f" Only the first {len(EIGHT)} of {len(seen)} policies are drawn." if len(seen) > len(EIGHT) else ""
    frequent = {row.contract: max(one.n for rows in found.values() for one in rows if one.contract == row.contract)
                for rows in found.values() for row in rows}
    names = sorted(frequent, key=lambda name: -frequent[name])
    if names:
        yield Drawing(
            "contracts", "The contracts, policy by policy",
            "Left: how often each contract is played, on a logarithmic axis. Middle: how often its side makes it. "
            "Right: what a play of it earns that side; left of the line it loses. "
            f"A {'grey' if findings.study.figures.is_print else 'colour'} and mark for each policy "
            f"against itself; contracts of fewer than {FEWEST} plays are left out (they and all policies: "
            f"tables/own_contracts.csv).{left_out}",
            f"n = {count(findings.study.deals)} independent deals a policy; {findings.sure} intervals; "
            f"{setting(findings)}",
            lambda: _figure(found, names))


def _figure(found: Mapping[str, Sequence[self_play.Contract]], names: Sequence[str]) -> "Figure":
    row = max(0.36, 0.075 * len(found))
    figure, axes = figures.new_figure(max(2.6, row * len(names) + 1.3), 1, 3, sharey=True)
    columns = (("played", "share of deals"), ("made", "made, of those played"), ("earns", "game points a play"))
    for ax, (what, unit) in zip(axes, columns, strict=True):
        _dots(ax, found, names, what)
        ax.set_xlabel(figures.broken(unit))
    axes[0].set_xscale("log")
    for ax in axes[:2]:
        ax.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.4g} %")
    axes[1].set_xlim(right=1.02)
    axes[2].axvline(0, color=MUTED, linewidth=1, zorder=0.5)
    axes[0].set_yticks(range(len(names)), names)
    axes[0].set_ylim(len(names) - 0.4, -0.6)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=4 if len(found) > 6 else 6,
                  handlelength=1)
    return figure


def _dots(ax: "Axes", found: Mapping[str, Sequence[self_play.Contract]], names: Sequence[str], what: str) -> None:
    """A mark with its interval for every policy and contract, the policies a little below each other."""
    step = 0.7 / max(1, len(found))
    for number, (policy, rows) in enumerate(found.items()):
        colour, mark = EIGHT[number], _MARKS[number]
        places = [names.index(row.contract) + (number - (len(found) - 1) / 2) * step for row in rows]
        values = [getattr(row, what) for row in rows]
        ax.hlines(places, [one.low for one in values], [one.high for one in values], color=colour, linewidth=1.8)
        ax.plot([one.value for one in values], places, mark, color=colour, markersize=4.5, label=policy)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    for edge in range(len(names) - 1):
        ax.axhline(edge + 0.5, color=MUTED, linewidth=0.3, alpha=0.5, zorder=0)
