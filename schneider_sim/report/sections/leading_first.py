"""What leading first is worth: every policy against itself, on independent deals."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.estimate import decimals, percent
from ...games import load_game
from ...stats.intervals import proportion_estimate
from ...stats.paired import first_leader_advantage_independent
from ...stats.values import Estimate
from ..charts import figures
from ..charts.names import labels
from ..charts.numbers import amount, count
from ..findings import Findings, Played
from ..pieces import Drawing, Table
from ..reading import in_order, statistic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OUTCOMES = ("won", "tied", "lost")


class Row(NamedTuple):
    """A line of the page's table, its numbers ready to be read; percentages are of the first leader's plays."""

    name: str
    gain: str
    won: str
    tied: str
    lost: str
    honours: str


def best_first(findings: Findings) -> list[Played]:
    """The policies' plays against themselves, in the order of the table of policies."""
    order = findings.payoff.order
    return sorted(findings.self_plays, key=lambda one: order.index(one.a))


def advantages(findings: Findings) -> dict[str, Estimate]:
    """The first leader's advantage of each policy against itself; the limits of all hold at once (Bonferroni)."""
    plays = [one for one in best_first(findings) if statistic(one, "first_leader_advantage")]
    found = {}
    for one in plays:
        experiment, tally = one.result.experiment, one.result.tally
        values, first, second = load_game(experiment.game).victory_counts(tally, experiment.match_up)
        found[one.a] = first_leader_advantage_independent(values, first, second,
                                                         1 - (1 - findings.level) / len(plays))
    return found


def outcomes(one: Played) -> dict[str, tuple[int, Any]]:
    """Plays that the first leader won, tied and lost: how many, and the share with its interval."""
    match_up = one.result.experiment.match_up
    values, first, second = load_game(one.result.experiment.game).victory_counts(one.result.tally, match_up)
    n = int((first + second).sum())
    counts = [int(first[sign * values > 0].sum() + second[sign * values < 0].sum()) for sign in (1, -1)]
    by_name = zip(OUTCOMES, (counts[0], n - sum(counts), counts[1]), strict=True)
    return {name: (k, proportion_estimate(k, n, one.result.level)) for name, k in by_name}


def rows(findings: Findings) -> list[Row]:
    """The table of the page, the policies in their order."""
    found = []
    for one in best_first(findings):
        gain, honours = statistic(one, "first_leader_advantage"), statistic(one, "mean_honours_first_leader")
        shares = [estimate for _, estimate in outcomes(one).values()]
        places = min(3, *(decimals(100 * share.low, 100 * share.high) for share in shares))
        if gain:
            won, tied, lost = (percent(share.value, places) for share in shares)
            found.append(Row(one.a, amount(gain.estimate), won, tied, lost,
                             amount(honours.estimate) if honours else "–"))
    return found


def table(findings: Findings) -> Table:
    """How the first leader's plays ended, a row for each policy and ending."""
    import pandas as pd

    found = [{"policy": one.a, "first_leader": name, "count": k, "n": share.n, "share": share.value, "low": share.low,
              "high": share.high} for one in best_first(findings) for name, (k, share) in outcomes(one).items()]
    return Table("first_leader", findings.report.leading_title, "plays that the first leader won, tied and lost when a "
                 f"policy plays itself; {findings.sure} intervals; n counts independent plays", pd.DataFrame(found))


def drawings(findings: Findings, basis: str) -> Iterator[Drawing]:
    """The forest plot of the first leader's advantages, the policies in their order."""
    found = [(one.a, statistic(one, "first_leader_advantage")) for one in best_first(findings)]
    short = labels(findings.study.policies)
    lines = [figures.Line(short[name], one.value, one.low, one.high, one.low <= 0 <= one.high)
             for name, one in found if one]

    def draw() -> "Figure":
        figure, ax = figures.new_figure(figures.height_of(lines))
        figures.forest(ax, lines, f"{findings.report.short} per deal, {findings.report.advantage}", zero=0.0)
        return figure

    if lines:
        is_open = " A hollow mark is open: its interval holds 0." if any(line.is_open for line in lines) else ""
        yield Drawing(
            "first_leader", f"What {findings.report.leading_short} is worth",
            f"Each policy against itself, {in_order(findings)}: what its {findings.report.first} gains per deal. The "
            f"answer depends on how well both play, so there is no single number.{is_open}",
            f"n = {count(findings.study.deals)} independent deals a policy; {findings.sure} intervals; {basis}", draw)
