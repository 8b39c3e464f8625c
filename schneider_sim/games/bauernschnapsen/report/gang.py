"""When a Gang is worth bidding: the chance it has and needs, by what the bidder sees, against the normal game."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ....base.tally import Counts
from ....engines.threads import threaded
from ....report.charts import figures
from ....report.charts.names import labels
from ....report.charts.numbers import amount, count, rate
from ....report.charts.style import BLUE, PAPER, VERMILLION
from ....report.findings import Findings, Played, first_range
from ....report.pieces import Answer, Drawing, Table
from ....report.reading import setting
from ....report.sections.leading_first import best_first
from ....report.study import Study
from ....runs.experiment import Experiment
from ..grammar import searches
from ..kernel import state as v
from ..results import gang_trials as whatif
from ..results.gang_trials import GangClass

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LINES = 2 * len(whatif.CLASSES)


_WORDS = ("Sure: a card that no card in other hands can beat in its suit. Above: how many cards the others hold over "
          "the rest of the hand. So ♠ A T K ♥ A K is 4 sure, 1 above: only the ♥ ten beats the ♥ king.")


def _is_asked(study: Study) -> bool:
    """Whether a Gang may be bid, and on five cards."""
    rules = study.experiment(study.players[0], study.players[0]).match_up.rules
    return bool(rules.enabled[v.GANG]) and rules.trump_timing == "caller_first3"


def deals_of(study: Study, name: str) -> int:
    """Deals that are played both ways: the study's, or a twentieth where the policy searches, which takes long."""
    return max(1, study.deals // 20) if searches(study.experiment(name, name).match_up.a) else study.deals


def plays(study: Study) -> int:
    """Plays of all policies."""
    return sum(whatif.PLAYS * deals_of(study, name) for name in study.players) if _is_asked(study) else 0


def play(study: Study, threads: int | None, hear: Callable[[int], None]) -> dict[str, Counts]:
    """whatif.gangs of every policy on the study's first deals; nothing where the rules know no Gang."""
    found: dict[str, Counts] = {}
    done = 0
    for name in study.players if _is_asked(study) else ():
        experiment, deals = study.experiment(name, name), deals_of(study, name)
        stop, step = study.first + deals, first_range(deals)
        ranges = ((start, min(start + step, stop)) for start in range(study.first, stop, step))
        parts = []
        for start, end, counts in threaded(threads)(_work, experiment, ranges):
            parts.append(counts)
            done += whatif.PLAYS * (end - start)
            hear(done)
        found[name] = np.sum(parts, axis=0)
    return found


def _work(experiment: Experiment, start: int, stop: int) -> Counts:
    return whatif.gangs(experiment.match_up, start, stop)


def classes(findings: Findings) -> dict[str, list[GangClass]]:
    """The rows of every policy; intervals for all rows of a policy at once.

    The best policy first, but those that search last, as they play few deals.
    """
    found = findings.more.gangs
    level = 1 - (1 - findings.level) / _LINES  # Bonferroni: all lines of a policy hold at once
    return {one.a: whatif.gang_classes(found[one.a], one.result.experiment.match_up, level)
            for one in sorted(best_first(findings), key=_is_slow) if one.a in found}


def _is_slow(one: Played) -> bool:
    return searches(one.result.experiment.match_up.a)


def _basis(findings: Findings, name: str) -> str:
    return (f"{name} at every seat, {count(deals_of(findings.study, name))} deals, each played without bids as a "
            f"normal game and as a Gang of each seat; {findings.sure} intervals for all lines at once (Bonferroni)")


def answer(findings: Findings) -> Iterator[Answer]:
    """The answer from the play of the first policy in `classes`."""
    found = classes(findings)
    if not found:
        return
    name, rows = next(iter(found.items()))
    by_hand = {hand: {row.side: row for row in rows if row.hand == hand} for hand in reversed(whatif.CLASSES)}
    columns = [f"{who} {what}" for who in ("caller:", "others:") for what in ("makes it", "needs", "gains")]
    yield Answer(
        "gang", "When is a Gang worth bidding?", (_WORDS, *_sentences(name, rows), *_others(found)),
        ("hand", *columns),
        tuple((hand, *(cell for side in whatif.SIDES for cell in _cells(seen.get(side))))
              for hand, seen in by_hand.items() if seen),
        f"{_basis(findings, name)}. Needs: the chance at which the Gang earns what the normal game of the same deals "
        "does. Caller: held on the caller's side. Gains: game points over that normal game, for the "
        "holder's side. Where the alternative is another contract, the Gang must beat that. What both earn is in "
        "tables/gang.csv.",
        "gang")


def _cells(row: GangClass | None) -> tuple[str, str, str]:
    """What a side's three columns say of a hand."""
    return (rate(row.made), rate(row.break_even), amount(row.gain)) if row else ("–", "–", "–")


def _sentences(name: str, rows: Sequence[GangClass]) -> Iterator[str]:
    for side in whatif.SIDES:
        own = [row for row in rows if row.side == side]
        pays = [row for row in own if row.gain.low > 0]
        open_ones = [row for row in own if row.gain.low <= 0 <= row.gain.high]
        where = f"on the {side}"
        if not pays:
            yield f"With {name} at every seat, {where} no hand is known to gain by a Gang."
            continue
        least = min(pays, key=lambda row: row.gain.value)
        text = (f"With {name} at every seat, {where} a Gang pays with {_listed(pays)}: with “{least.hand}” it is made "
                f"in {rate(least.made)} where {rate(least.break_even)} is needed, and gains {amount(least.gain)} game "
                "points over the normal game of the same deals")
        yield text + (f"; open: {_listed(open_ones)}; all other hands lose by it." if open_ones else
                      "; all other hands lose by it.")


def _listed(rows: Sequence[GangClass]) -> str:
    return " or ".join(f"“{row.hand}”" for row in reversed(rows))


def _others(found: dict[str, list[GangClass]]) -> Iterator[str]:
    """Whether the other policies would have to bid otherwise."""
    verdicts = {name: {(row.side, row.hand): (row.gain.low > 0) - (row.gain.high < 0) for row in rows}
                for name, rows in found.items()}
    best = next(iter(found))
    against = [name for name, own in verdicts.items()
               if any(own[key] * verdicts[best].get(key, 0) < 0 for key in own)]
    rest = len(found) - 1
    if rest and not against:
        yield (f"With the other {'policy' if rest == 1 else f'{rest} policies'} at every seat no hand that gains here "
               "loses, or the other way round (tables/gang.csv).")
    elif rest:
        yield (f"With {', '.join(against)} at every seat some hands gain that lose here, or the other way round "
               "(tables/gang.csv).")


def drawings(findings: Findings) -> Iterator[Drawing]:
    """Chance and gain by hand, in two panels."""
    found = classes(findings)
    if found:
        name, rows = next(iter(found.items()))
        yield Drawing(
            "gang", f"When a Gang is worth bidding: {labels(findings.study.policies)[name]} at every seat",
            "Left: how often a hand makes a Gang; the upright strokes are the chance that it needs to earn what the "
            "normal game would. Right: what the Gang gains over the normal game of the same deals: bid where the mark "
            f"is right of the line. A hollow mark is open: its interval holds 0. {_WORDS}",
            f"n = {count(min(row.n for row in rows))} to {count(max(row.n for row in rows))} hands a line; "
            f"{_basis(findings, name)}; {setting(findings)}", lambda: _figure(rows))


def _figure(rows: Sequence[GangClass]) -> "Figure":
    hands = [hand for hand in reversed(whatif.CLASSES) if any(row.hand == hand for row in rows)]
    figure, axes = figures.new_figure(0.34 * len(hands) + 1.3, 1, 2, sharey=True)
    for number, (side, colour) in enumerate(zip(whatif.SIDES, (BLUE, VERMILLION), strict=True)):
        own = [row for row in rows if row.side == side]
        places = [hands.index(row.hand) + (0.17 if number else -0.17) for row in own]
        _chances(axes[0], own, places, colour, side)
        _gains(axes[1], own, places, colour)
    axes[0].set_yticks(range(len(hands)), hands)
    axes[0].set_ylim(len(hands) - 0.5, -0.5)
    axes[0].set_xlim(-0.02, 1.02)
    axes[0].xaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
    axes[0].set_xlabel(figures.broken("makes the Gang (stroke: needs)"))
    axes[1].axvline(0, color=VERMILLION, linewidth=1.2, zorder=0.5)
    axes[1].set_xlabel(figures.broken("game points gained"))
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=2, handlelength=1)
    return figure


def _chances(ax: "Axes", rows: Sequence[GangClass], places: Sequence[float], colour: str, side: str) -> None:
    ax.hlines(places, [row.made.low for row in rows], [row.made.high for row in rows], color=colour, linewidth=2)
    ax.plot([row.made.value for row in rows], places, "o", color=colour, markersize=5, label=f"held on the {side}")
    ax.plot([row.break_even.value for row in rows], places, "|", color=colour, markersize=11, markeredgewidth=1.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)


def _gains(ax: "Axes", rows: Sequence[GangClass], places: Sequence[float], colour: str) -> None:
    ax.hlines(places, [row.gain.low for row in rows], [row.gain.high for row in rows], color=colour, linewidth=2)
    for row, place in zip(rows, places, strict=True):
        hollow = row.gain.low <= 0 <= row.gain.high
        ax.plot([row.gain.value], [place], "o", color=colour, markersize=5, markerfacecolor=PAPER if hollow else colour)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)


def tables(findings: Findings) -> Iterator[Table]:
    """Every policy's rows."""
    import pandas as pd

    found = classes(findings)
    if found:
        frames = [whatif.gang_frame(rows).assign(policy=name) for name, rows in found.items()]
        frame = pd.concat(frames, ignore_index=True)
        yield Table("gang", "When a Gang pays", "hands by side and class: chance made, game points as a Gang, as a "
                    "normal game of the same deals, their difference, the chance needed; intervals for all rows of a "
                    "policy at once; n counts hands", frame[["policy", *frame.columns.drop("policy")]])
