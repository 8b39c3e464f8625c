"""The figure that goes with the answer of a command: compare, tournament, factorial, tune, simulate, sessions."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..analysis.tune import Tuned
    from ..results.result import Result
    from ..versus.curve import Curve
    from ..versus.factorial import Factorial
    from ..versus.sessions import Sessions
    from ..versus.settings import RulesVaried
    from ..versus.tournament import Tournament
    from ..versus.verdict import Verdict


def verdict_trace(verdict: "Verdict") -> "Figure":
    """The log likelihood ratio between its bounds, or the running estimate with its interval, over the deals."""
    import pandas as pd

    from ..versus.question import Sprt
    from .charts import figures

    question, rows, unit = verdict.question, verdict.trace(), f"{verdict.reader.unit} per deal"
    figure, ax = figures.new_figure()
    if isinstance(question, Sprt) and verdict.test is not None:
        llr = [row["llr"] for row in rows]
        figures.sprt_trace(ax, [row["pairs"] for row in rows], llr, verdict.test.lower, verdict.test.upper,
                           question.h0, question.h1, unit)
    else:
        names = {"pairs": "n", "low": "any_low", "high": "any_high", "fixed_low": "low", "fixed_high": "high"}
        frame = pd.DataFrame(rows).rename(columns=names | {"estimate": "value"})
        figures.running_estimate(ax, frame, unit)
    return figure


def payoffs(played: "Tournament") -> "Figure":
    """The payoff matrix in the order of the ranking."""
    import numpy as np

    from .charts import figures
    from .charts.names import labels

    order = [place.policy for place in played.ranking]
    short = labels(played.names)
    names = [short[played.names[i]] for i in order]
    figure, ax = figures.new_figure(figures.heat_map_height(names, names))
    blank = np.where(np.eye(played.size, dtype=bool), np.nan, 0.0)
    values, low, high = ((blank + table)[np.ix_(order, order)] for table in (played.payoffs, *played.limits))
    figures.payoff_heat_map(ax, names, values, low, high, _unit(played))
    return figure


def ratings(played: "Tournament") -> "Figure":
    """The mean edge of each policy against all, the best on top."""
    rows = [(played.names[place.policy], place.rating, place.low, place.high) for place in played.ranking]
    return forest(rows, f"mean edge against all, {_unit(played)}")


def cells(study: "Factorial") -> "Figure":
    """The heat map of lead rules with follow rules."""
    from .charts import figures
    from .charts.names import LONGEST_RULE, labels

    k, m = study.shape
    leads, follows = (list(labels(rules, LONGEST_RULE).values()) for rules in (study.leads, study.follows))
    figure, ax = figures.new_figure(figures.heat_map_height(leads, follows))
    values, low, high = (numbers.reshape(k, m) for numbers in (study.cells.estimates, study.cells.low,
                                                               study.cells.high))
    figures.factorial_heat_map(ax, leads, follows, values, low, high, _unit(study))
    return figure


def effects(study: "Factorial") -> "Figure":
    """The effects of lead rules and of follow rules."""
    rows = [(f"{row['kind']}: {row['lead'] or row['follow']}", row["effect"], row["low"], row["high"])
            for row in study.effect_rows() if row["kind"] != "interaction"]
    return forest(rows, _unit(study))


def curve(played: "Curve | RulesVaried") -> "Figure":
    """The edge and the first leader's advantage over the settings."""
    from .charts import figures

    figure, axes = figures.new_figure(figures.curve_height(played.settings), 2, 1)
    rows, unit = played.rows(), _unit(played)
    titles = (unit, f"first leader's advantage, {unit}")
    for ax, kind, title in zip(axes, ("edge", "advantage"), titles, strict=True):
        value, low, high = ([row[name] for row in rows] for name in (kind, f"{kind}_low", f"{kind}_high"))
        figures.option_curve(ax, played.settings, value, low, high, title, played.name, named=ax is axes[1])
    return figure


def differences(played: "Curve | Factorial | RulesVaried") -> "Figure":
    """The differences that were asked for."""
    rows = [(f"{row['first']} − {row['second']}", row["difference"], row["low"], row["high"])
            for row in played.contrast_rows()]
    return forest(rows, _unit(played))


def climb(tuned: "Tuned") -> "Figure":
    """The gain over the start, round by round."""
    from .charts import figures

    figure, ax = figures.new_figure()
    figures.climb(ax, tuned.as_dict()["rounds"], f"{tuned.unit} per deal")
    return figure


def honours(result: "Result") -> "Figure":
    """How many honours A takes, by first leader."""
    from .charts import figures

    figure, ax = figures.new_figure(3.5)
    labels = {"A": "A leads first", "B": "B leads first"}
    figures.honour_distribution(ax, result.honours, labels, result.experiment.match_up.rules.schneider_at)
    return figure


def rates(result: "Result | Sessions") -> "Figure":
    """The rates among the statistics, with their intervals."""
    estimates = result.played if hasattr(result, "played") else result.estimates
    rows = [(one.statistic, one.value, one.low, one.high) for one in estimates
            if one.given and one.statistic.endswith("_rate")]
    return forest(rows, "rate", zero=None)


def forest(rows: Sequence[tuple[str, float, float, float]], unit: str, zero: float | None = 0.0) -> "Figure":
    """Estimates with their intervals, one a line; a hollow mark where the interval holds `zero`."""
    from .charts import figures
    from .charts.names import labels

    short = labels([name for name, *_ in rows])
    lines: list[Any] = [figures.Line(short[name], value, low, high, zero is not None and low <= zero <= high)
                        for name, value, low, high in rows]
    figure, ax = figures.new_figure(figures.height_of(lines))
    figures.forest(ax, lines, unit, zero=zero)
    return figure


def small_print(value: Any) -> "Callable[[str], str]":
    """What gives the small print of a figure of a command's value."""
    from .charts.names import LONGEST_RULE
    from .small_print import of_document

    document = value.as_dict()
    if "rounds" in document:  # of a climb, whose rounds play numbers of deals of their own
        return of_document({**document, "deals": None}, {"start": document["start"]})
    rules = [*document.get("leads", ()), *document.get("follows", ())]
    if rules:
        return of_document(document, labels=rules, longest=LONGEST_RULE)
    named = document.get("policies", {})
    return of_document(document, labels=[*map(str, document.get("settings", ())), *named])


def _unit(played: "Curve | Factorial | RulesVaried | Tournament") -> str:
    return f"{played.series[0].reader.unit} per deal"


def losses(found: Any) -> "Figure":
    """What each policy loses, by trick and kind."""
    from .errors_page import draw

    return draw(found)
