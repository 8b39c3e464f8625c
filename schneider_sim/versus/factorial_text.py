"""A factorial study, or the curve of an option, in words and tables."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.estimate import show
from ..base.text import counted
from ..runs.experiment import Experiment
from ..stats.paired import correlation
from .contrasts import p_text
from .curve import Curve
from .factorial import EACH_OTHER, Factorial
from .field import Joint, Series
from .repeat import changed_rules
from .settings import RulesVaried

Table = Callable[[Sequence[str], Sequence[Sequence[Any]], Sequence[int]], str]


def study(played: Factorial, table: Table) -> str:
    """The cells, the main effects and interactions with simultaneous limits, and the answer."""
    opponent = "each other (mean over all cells)" if played.against == EACH_OTHER else f"'{played.against}'"
    k, m = played.shape
    unit = played.series[0].reader.unit
    head = (f"{_settings(played.series[0].experiment)}\n{k} lead rules with {m} follow rules in '{played.base}', "
            f"against {opponent}; {counted(len(played.series), 'match-up')}")
    rows, columns, _ = played.parts
    cells = _grid(played.leads, played.follows, played.cells, slice(0, None), table)
    beyond = _grid(played.leads, played.follows, played.effects, played.parts[2], table)
    limits = f"limits hold for all at once at {100 * played.level:g} %, {played.edges.method}"
    return "\n\n".join([
        "\n".join(played.sentences()), head, f"Edge, {unit} per deal ({limits})\n{cells}",
        f"Effect of a lead rule\n{_effects(played, 'lead', rows, table)}",
        f"Effect of a follow rule\n{_effects(played, 'follow', columns, table)}",
        f"Interaction: what a cell has beyond both\n{beyond}", *contrasts(played, table),
        bought(played.series), f"again: {played.command}"])


def curve(played: Curve, table: Table) -> str:
    """The settings with their edge and the first leader's advantage, and what changes."""
    rows = [(row[played.name], _number(row["edge"], row["edge_low"], row["edge_high"]), p_text(row["p_adjusted"]),
             show(row["advantage"], row["advantage_low"], row["advantage_high"])) for row in played.rows()]
    head = (f"{_settings(played.self_plays[0][0])}\n{played.name} of '{played.base}' varied, against "
            f"'{played.against}'; the first leader's advantage of each with itself, on independent deals")
    unit = played.series[0].reader.unit
    shown = table((played.name, f"edge, {unit} per deal", "adjusted p", f"first leader's advantage, {unit}"), rows, ())
    limits = f"Limits hold for all settings at once at {100 * played.level:g} %; edges: {played.edges.method}."
    return "\n\n".join(["\n".join(played.sentences()), head, f"{shown}\n{limits}", *contrasts(played, table),
                        bought(played.series), f"again: {played.command}"])


def rules_varied(played: RulesVaried, table: Table) -> str:
    """The settings of a switch with their edge and the first leader's advantage, and the differences."""
    rows = [(row[played.name], _number(row["edge"], row["edge_low"], row["edge_high"]), p_text(row["p_adjusted"]),
             show(row["advantage"], row["advantage_low"], row["advantage_high"])) for row in played.rows()]
    unit, count = played.series[0].reader.unit, len(played.series)
    again = "" if played.played == count else (
        f"; {counted(played.played, 'match-up')} played, the other settings score the same plays")
    head = f"{_settings(played.usual)}\n{played.name} varied: '{played.base}' against '{played.against}'{again}"
    shown = table((played.name, f"edge, {unit} per deal", "adjusted p", f"first leader's advantage, {unit}"), rows, ())
    limits = f"Limits hold for all settings at once at {100 * played.level:g} %; edges: {played.edges.method}."
    return "\n\n".join(["\n".join(played.sentences()), head, f"{shown}\n{limits}", *contrasts(played, table),
                        f"again: {played.command}"])


def contrasts(played: Factorial | Curve | RulesVaried, table: Table) -> list[str]:
    """The differences that were asked for, as one block; none where nothing was."""
    rows = [(row["first"], row["second"], show(row["difference"], row["low"], row["high"]), p_text(row["p_adjusted"]))
            for row in played.contrast_rows()]
    head = f"Differences, {played.series[0].reader.unit} per deal, first minus second (limits hold for all at once)"
    return [f"{head}\n{table(('first', 'second', 'difference', 'adjusted p'), rows, ())}"] if rows else []


def bought(series: Sequence[Series]) -> str:
    """What pairing bought in several match-ups, in a sentence."""
    gains = [correlation(*one.reader.pairs(one.tally.vector)) for one in series]
    between = _span([f"{rho:.2f}" for rho in sorted(gain.correlation for gain in gains)])
    times = _span([f"{factor:.{2 if factor < 10 else 0}f}" if np.isfinite(factor) else "infinitely many"
                   for factor in sorted(gain.factor for gain in gains)])
    return (f"The two plays of a deal have correlation {between}: a match-up is as precise as {times} times as many "
            "independent deals.")


def _span(texts: Sequence[str]) -> str:
    return texts[0] if texts[0] == texts[-1] else f"{texts[0]} to {texts[-1]}"


def _number(value: float, low: float, high: float) -> str:
    """An estimate with its limits; exactly 0 is that of a policy against itself."""
    return "0, the opponent itself" if value == low == high == 0 else show(value, low, high)


def _settings(experiment: Experiment) -> str:
    rules = " ".join(changed_rules(experiment.game, experiment.match_up.rules)) or "standard rules"
    return (f"{experiment.game}, {rules}; {counted(experiment.deals, 'deal')} from {experiment.first} on, seed "
            f"{experiment.match_up.seed}, the same for every match-up")


def _numbers(joint: Joint, part: slice) -> list[str]:
    limits = zip(joint.estimates[part].tolist(), joint.low[part].tolist(), joint.high[part].tolist(), strict=True)
    return [_number(*three) for three in limits]


def _grid(leads: Sequence[str], follows: Sequence[str], joint: Joint, part: slice, table: Table) -> str:
    every = iter(_numbers(joint, part))
    rows = [(lead, *(next(every) for _ in follows)) for lead in leads]
    return table(("lead \\ follow", *follows), rows, range(1, len(follows) + 1))


def _effects(played: Factorial, kind: str, part: slice, table: Table) -> str:
    rules = [(row[kind], p_text(row["p_adjusted"])) for row in played.effect_rows() if row["kind"] == kind]
    numbers = _numbers(played.effects, part)
    return table(("rule", "per deal", "adjusted p"), [(rule, number, p) for (rule, p), number in
                                                      zip(rules, numbers, strict=True)], ())
