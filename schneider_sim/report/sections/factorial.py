"""Is it the lead rule or the follow rule? What the report says of a study's factorial table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...versus.factorial import Factorial
from ..charts import figures
from ..charts.names import LONGEST_RULE, key, labels
from ..charts.numbers import count, shown
from ..findings import Findings
from ..pieces import Drawing, Table
from ..reading import setting

if TYPE_CHECKING:
    from matplotlib.figure import Figure



def answer(findings: Findings) -> Iterator[str]:
    """What matters more, and the best combination with what it gains: the sentences that lead the figures."""
    played = findings.factorial
    if played is None:
        return
    which, _ = played.sentences()
    cells = played.cells
    said = [f"“{played.name(cell)}” {_gains(findings, played, cell)}" for cell in played.best[:3]]
    more = f"; and {len(played.best) - 3} more" if len(played.best) > 3 else ""
    total = cells.estimates.size
    best = f"Of {total} combinations the best is {said[0]}" if len(played.best) == 1 else (
        f"Which of {total} combinations is the best is not established; it may be {'; '.join(said)}{more}")
    yield f"Lead rule or follow rule? {which} {best}."


def _gains(findings: Findings, played: Factorial, cell: int) -> str:
    """What a combination gains, as a clause in brackets."""
    if _is_opponent(played, cell):
        return "(the opponent itself)"
    cells = played.cells
    gain = shown(float(cells.estimates[cell]), float(cells.low[cell]), float(cells.high[cell]))
    return f"(gains {gain} {findings.report.unit} per deal on {_opponent(findings)})"


def _is_opponent(played: Factorial, cell: int) -> bool:
    """Whether nothing had to be played for a cell: it is the opponent."""
    return not played.weights[cell].any()


def _opponent(findings: Findings) -> str:
    assert findings.study.factors is not None
    return findings.study.factors.opponent


def as_dict(findings: Findings) -> dict[str, Any] | None:
    """The factorial study as JSON, without what would depend on where the report was made."""
    if findings.factorial is None:
        return None
    return {key: value for key, value in findings.factorial.as_dict().items() if key not in ("command", "version")}


def drawings(findings: Findings) -> Iterator[Drawing]:
    """The heat map of the combinations, and the effects."""
    played = findings.factorial
    if played is None:
        return
    n = played.series[0].pairs
    basis = (f"n = {count(n)} pairs a combination, all on the same deals; {findings.sure} intervals for all at once "
             f"({played.edges.method}); {setting(findings)}")
    yield Drawing(
        "factorial", f"Every lead rule with every follow rule, against {_opponent(findings)}",
        f"{findings.report.unit.capitalize()} that each combination gains per deal. {played.sentences()[0]} A "
        f"hatched cell is open: its interval holds 0.{_grey(played)}", basis, lambda: _cells(findings, played))
    if sum(played.shape) <= figures.MOST:
        yield Drawing(
            "factorial_effects", "What each rule contributes",
            f"What a rule adds to the mean of all combinations, {findings.report.unit} per deal: lead rules averaged "
            "over the follow rules, and the other way round. Below: what combinations have beyond the sum of their two "
            "rules, the largest first. A hollow mark is open: its interval holds 0.",
            basis, lambda: _effects(findings, played))


def _grey(played: Factorial) -> str:
    own = any(_is_opponent(played, cell) for cell in range(played.cells.estimates.size))
    return " The grey cell is the opponent itself." if own else ""


def _cells(findings: Findings, played: Factorial) -> "Figure":
    k, m = played.shape
    own = np.array([_is_opponent(played, cell) for cell in range(k * m)])
    values, lows, highs = (np.where(own, np.nan, part).reshape(k, m)
                           for part in (played.cells.estimates, played.cells.low, played.cells.high))
    leads, follows = (list(labels(rules, LONGEST_RULE).values()) for rules in (played.leads, played.follows))
    figure, ax = figures.new_figure(figures.heat_map_height(leads, follows))
    figures.factorial_heat_map(ax, leads, follows, values, lows, highs, f"{findings.report.short} per deal")
    return figure


def _effects(findings: Findings, played: Factorial) -> "Figure":
    rows = played.effect_rows()
    short = labels(map(_effect, rows), LONGEST_RULE)
    lines = [figures.Line(short[_effect(row)], row["effect"], row["low"], row["high"], row["low"] <= 0 <= row["high"])
             for row in rows]
    k, m = played.shape
    main = [*_sorted(lines[:k]), *_sorted(lines[k : k + m])]
    both = sorted(lines[k + m :], key=lambda line: -abs(line.value))[:8]
    heights = [len(main) + 1.5, len(both) + 1.5]
    figure, axes = figures.new_figure(figures.pitch_of(lines) * sum(heights) + 1.2, 2, height_ratios=heights)
    unit = f"{findings.report.short} per deal"
    figures.forest(axes[0], main, unit, zero=0.0)
    figures.forest(axes[1], both, unit, zero=0.0)
    axes[0].set_title("lead rules and follow rules")
    axes[1].set_title("beyond the sum of both")
    return figure


def _sorted(lines: list[figures.Line]) -> list[figures.Line]:
    return sorted(lines, key=lambda line: -line.value)


def _effect(row: dict[str, Any]) -> str:
    """What an effect is of."""
    names = [f"{what}: {row[what]}" for what in ("lead", "follow") if row[what]]
    return names[0] if len(names) == 1 else f"{row['lead']} / {row['follow']}"


def cut_names(played: Factorial) -> dict[str, str]:
    """The labels of the figures that are cut, and what they stand for."""
    rules = [key(rules, LONGEST_RULE) for rules in (played.leads, played.follows)]
    effects = [_effect(row) for row in played.effect_rows()]
    return {**rules[0], **rules[1], **key(effects, LONGEST_RULE)}


def tables(findings: Findings) -> Iterator[Table]:
    """The combinations and the effects."""
    import pandas as pd

    played = findings.factorial
    if played is None:
        return
    n, limits = played.series[0].pairs, f"limits hold for all at once ({played.edges.method})"
    yield Table("factorial", "Lead rules with follow rules",
                f"points per deal that each combination gains on {_opponent(findings)}; {limits}; n counts pairs",
                pd.DataFrame(played.rows()).assign(n=n))
    effects = pd.DataFrame(played.effect_rows())
    effects[["lead", "follow"]] = effects[["lead", "follow"]].replace("", "all")
    yield Table("factorial_effects", "Effects of lead and follow rules",
                "what a rule adds to the mean of all combinations, and combinations to the sum of their rules; "
                f"{limits}; n counts pairs of a combination", effects.assign(n=n))
