"""The figures and tables that every game's report has."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...stats.values import FEW, Counts, Floats
from ...versus.payoff import Comparison
from ..charts import figures, running
from ..charts.names import labels
from ..charts.numbers import count
from ..findings import Findings, Played
from ..pieces import Drawing, Table
from ..reading import ahead, leading, pair, setting, statistic, towards, winner_first
from . import leading_first

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

def drawings(findings: Findings) -> Iterator[Drawing]:
    """The generic figures, in the order of the page: who gains from whom first."""
    basis = setting(findings)
    pairs = f"n = {count(findings.study.deals)} pairs a match-up"
    best = leading(findings)
    if best:
        yield Drawing(
            "payoff", "Who gains from whom",
            f"{findings.report.unit.capitalize()} that the policy of the row gains per deal from the policy of the "
            f"column. {_colours(findings)} by the square root, so that small gains show. A hatched "
            f"cell is open: its interval holds 0.{_without_numbers(findings)}",
            f"{pairs}; ± half-width of the {findings.sure} interval for all at once "
            f"({findings.payoff.method}); {basis}",
            lambda: _payoff(findings))
        yield Drawing(
            "comparisons", "Every comparison",
            "Each match-up from the side that is ahead. A hollow mark is open: its interval holds 0."
            f"{AXES[_scale(_closest(findings))]}{_left_out(findings)}",
            f"{pairs}; {findings.sure} intervals for all at once ({findings.payoff.method}); {basis}",
            lambda: _comparisons(findings))
        yield from _sessions(findings, basis)
    yield from leading_first.drawings(findings, basis)
    yield from _rare(findings, basis)
    if best:
        yield from _settling(findings, *best, basis)


def _payoff(findings: Findings) -> "Figure":
    payoff = findings.payoff
    order = payoff.order
    values, lows, highs = (payoff.matrix(what, order) for what in ("value", "all_low", "all_high"))
    short = labels(findings.study.policies)
    names = [short[name] for name in order]
    figure, ax = figures.new_figure(figures.heat_map_height(names, names))
    figures.payoff_heat_map(ax, names, values, lows, highs, f"{findings.report.short} per deal")
    return figure


def _colours(findings: Findings) -> str:
    """What the colours of a heat map say."""
    if findings.study.figures.is_print:
        return "The darker, the greater the gain; light cells are losses; the shade goes"
    return "Blue: a gain, orange: a loss, the colour"


def _without_numbers(findings: Findings) -> str:
    return " The numbers are in tables/comparisons.csv." if len(findings.payoff.names) > figures.NUMBERED else ""


def _closest(findings: Findings) -> list[Comparison]:
    """The match-ups that are drawn one by one: all, or the closest; the largest gain first."""
    rows = sorted(map(ahead, findings.payoff.comparisons), key=lambda one: one.value)
    return rows[: figures.MOST][::-1]


def _left_out(findings: Findings) -> str:
    total = len(findings.payoff.comparisons)
    return (f" Of {total} match-ups only the {figures.MOST} with the smallest gains are drawn."
            if total > figures.MOST else "")


AXES = {
    "linear": "",
    "log": " All are settled, so the axis can be logarithmic: equal distances are equal factors.",
    "symlog": " Towards the right the axis is logarithmic; around 0 it is not.",
}


def _scale(rows: Sequence[Comparison]) -> str:
    return scale_of([one.is_settled for one in rows])


def scale_of(settled: Sequence[bool]) -> str:
    """The axis for gains from the side that is ahead; settled: which of them surely are gains."""
    return "linear" if len(settled) < 3 else "log" if all(settled) else "symlog"


def _comparisons(findings: Findings) -> "Figure":
    rows = _closest(findings)
    lines = [figures.Line(pair(findings, one.a, one.b), one.value, one.all_low, one.all_high, not one.is_settled)
             for one in rows]
    scale = _scale(rows)
    figure, ax = figures.new_figure(figures.height_of(lines))
    figures.forest(ax, lines, f"{findings.report.short} per deal", scale, zero=None if scale == "log" else 0.0)
    return figure


def _sessions(findings: Findings, basis: str) -> Iterator[Drawing]:
    rows = []
    for seen in _closest(findings):
        one = findings.find(seen.a, seen.b)
        win, draw = (statistic(one, name) if one else None for name in ("session_win_rate", "session_draw_rate"))
        if one is not None and win is not None:
            drawn = draw.value if draw else 0.0
            won = win.value if one.a == seen.a else 1 - win.value - drawn
            rows.append((pair(findings, seen.a, seen.b), won, drawn, win.high - win.low))
    if rows:
        rows.sort(key=lambda row: -row[1])
        widest = max(row[3] for row in rows) / 2
        yield Drawing(
            "sessions", f"What it means for a {findings.report.session}",
            f"How a {findings.report.session} ends, from the side that is ahead per deal: single deals are mostly "
            f"luck, a {findings.report.session} much less so.{_left_out(findings)}",
            f"n = {count(findings.study.deals)} pairs a match-up; computed exactly from the distribution of deals; "
            f"{findings.sure} intervals at most ± {100 * widest:.2g} percentage points; {basis}",
            lambda: _session_bars(rows, findings.report.sessions))


def _session_bars(rows: list[tuple[str, float, float, float]], sessions: str) -> "Figure":
    figure, ax = figures.new_figure(figures.height_of(rows) + 0.2)
    labels, win, draw, _ = zip(*rows, strict=True)
    figures.session_outcomes(ax, labels, win, draw, unit=f"share of {sessions}")
    return figure


def _forest(lines: list[Any], unit: str, **options: Any) -> "Figure":
    figure, ax = figures.new_figure(figures.height_of(lines))
    figures.forest(ax, lines, unit, **options)
    return figure


def _rare(findings: Findings, basis: str) -> Iterator[Drawing]:
    """Schneider and its like, of either side, on log axes."""
    for name, title, whole in findings.report.rates:
        found = [(one, statistic(one, name)) for one in findings.played]
        rows = [(pair(findings, *winner_first(findings, one)), *e.estimate.limits) for one, e in found if e]
        if rows:
            lines = [figures.Line(*row) for row in sorted(rows, key=lambda row: -row[1])[: figures.MOST]]
            some = f" Only the {figures.MOST} highest of {len(rows)} are drawn." if len(rows) > figures.MOST else ""
            floor = figures.floor_of(lines, "log")
            arrow = " An arrow: none, or too few to bound from below." if any(e.low < floor for e in lines) else ""
            yield Drawing(
                name.removesuffix("_rate"), f"How often {title} happens",
                f"Share of {whole} that end in {title} for either side, in every match-up. The axis is logarithmic: "
                f"equal distances are equal factors.{arrow}{some}",
                f"n = {count(findings.study.deals)} pairs a match-up, independent deals of a policy with itself; "
                f"{findings.sure} intervals of each; {basis}",
                _later(lines, f"share of {whole} ending in {title}"))


def _later(lines: list[Any], unit: str) -> "Callable[[], Figure]":
    return lambda: _forest(lines, unit, scale="log", percent=True)


def _settling(findings: Findings, one: Played, comparison: Comparison, basis: str) -> Iterator[Drawing]:
    means, counts = towards(one, comparison.a)
    who = f"{comparison.a} – {comparison.b}"
    unit = f"{findings.report.short} per deal"
    yield Drawing(
        "running", f"How the answer settles: {who}",
        "The running estimate as deals are played. The inner band holds for a number of deals fixed beforehand, the "
        "outer one also for someone who looks after every range and stops at will.",
        f"n = up to {count(comparison.n)} pairs; {findings.sure} bands: normal or betting interval at fixed n, betting "
        f"confidence sequence at any look; {basis}",
        lambda: _running(means, counts, unit, findings.level))
    if comparison.n < FEW:
        return  # the test is not meant for so few pairs
    h0, h1 = findings.study.sprt
    steps = running.sprt_steps(means, counts, h0, h1, 1 - findings.level, 1 - findings.level)
    last = steps.iloc[-1]
    asked = [f"“a gain of {number:g} {unit}”" if number else "“no gain”" for number in (h0, h1)]
    verdicts = {"H1": f"accepts {asked[1]}", "H0": f"accepts {asked[0]}", "undecided": "is undecided"}
    yield Drawing(
        "sprt", f"When a sequential test would have stopped: {who}",
        f"The test of {asked[0]} against {asked[1]}, looked at after every range of deals: it "
        f"{verdicts[last['verdict']]} after {count(int(last['n']))} pairs of the {count(comparison.n)} played.",
        f"n = {count(int(last['n']))} pairs; generalised sequential probability ratio test on pair means, both error "
        f"probabilities {100 * (1 - findings.level):.3g} %; the study set both hypotheses beforehand; {basis}",
        lambda: _sprt(steps, h0, h1, unit))


def _running(means: Floats, counts: Counts, unit: str, level: float) -> "Figure":
    figure, ax = figures.new_figure(3.4)
    frame = running.running(means, counts, level)
    if frame["n"].iloc[-1] > 20 * FEW:
        frame = frame[frame["n"] >= FEW]
    figures.running_estimate(ax, frame, unit)
    return figure


def _sprt(steps: "pd.DataFrame", h0: float, h1: float, unit: str) -> "Figure":
    figure, ax = figures.new_figure(3.0)
    figures.sprt_trace(ax, steps["n"], steps["llr"], steps["lower"].iloc[0], steps["upper"].iloc[0], h0, h1, unit)
    return figure


def tables(findings: Findings) -> Iterator[Table]:
    """The generic tables."""
    import pandas as pd

    rows = [{"a": one.a, "b": one.b, "design": one.result.experiment.match_up.design, **estimate.as_dict(),
             "tally_sha256": one.result.tally_sha256} for one in findings.played for estimate in one.result.estimates]
    yield Table("estimates", "Every statistic of every match-up",
                f"one row per match-up and statistic, with its {findings.sure} interval; n counts pairs, or "
                "independent plays",
                pd.DataFrame(rows))
    if findings.payoff.comparisons:
        yield Table("comparisons", "Comparisons",
                    f"points per deal, A's minus B's; all_low, all_high: for all at once ({findings.payoff.method}); "
                    "factor: independent deals that one deal of a duplicate is worth",
                    pd.DataFrame([one._asdict() for one in findings.payoff.comparisons]))
    yield leading_first.table(findings)
    best = leading(findings)
    if best:
        yield Table("running", f"Running estimate of {best[1].a} – {best[1].b}", "as in the figure",
                    running.running(*towards(best[0], best[1].a), findings.level))
