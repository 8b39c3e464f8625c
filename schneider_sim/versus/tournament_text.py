"""A tournament in words and tables: ranking, payoffs, match-ups, equilibrium."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..estimate import decimals, show
from ..stats import paired
from .ranking import match_ups
from .repeat import changed_rules
from .tournament import Tournament

Table = Callable[[Sequence[str], Sequence[Sequence[Any]], Sequence[int]], str]


def report(played: Tournament, table: Table) -> str:
    """The whole tournament as text; `table` lays out a header and rows, the columns named flush right."""
    experiment, deals = played.series[0].experiment, [one.pairs for one in played.series]
    rules = " ".join(changed_rules(experiment.game, experiment.match.rules)) or "standard rules"
    count = f"{deals[0]:,}" if min(deals) == max(deals) else f"{min(deals):,} to {max(deals):,}"
    settings = (f"{experiment.game}, {rules}; {len(deals)} match-ups of {count} deals from {experiment.first} on, seed "
                f"{experiment.match.seed}, each deal played twice")
    texts = [f"{name}: {text}" for name, text in zip(played.names, played.policies, strict=True) if name != text]
    parts = ["\n".join([settings, *texts]), _ranking(played, table), "\n".join(played.sentences()),
             _payoffs(played, table), _match_ups(played, table), f"again: {played.command}"]
    return "\n\n".join(part for part in parts if part)


def _ranking(played: Tournament, table: Table) -> str:
    weights, support = played.nash
    unit = played.series[0].reader.unit
    rows = []
    for place in played.ranking:
        span = f"{place.best}" if place.best == place.worst else f"{place.best}–{place.worst}"
        rows.append((span, played.names[place.policy], show(place.rating, place.low, place.high),
                     f"{weights[place.policy]:.2f}", f"{support[place.policy]:.0%}"))
    return table(("place", "policy", f"mean edge against all, {unit} per deal", "Nash", "in support"), rows, (3, 4))


def _payoffs(played: Tournament, table: Table) -> str:
    """The payoff matrix in the order of the ranking; payoffs that are not told from 0 in brackets."""
    order = [place.policy for place in played.ranking]
    values, (low, high), unit = played.payoffs, played.limits, played.series[0].reader.unit
    rows = []
    for i in order:
        cells = ["" if i == j else _cell(values[i, j], low[i, j], high[i, j]) for j in order]
        rows.append((played.names[i], *cells))
    title = (f"Payoffs, {unit} per deal of the row's policy, ± what holds for all at once at {100 * played.level:g} % "
             f"({played.edges.method}); in brackets: not told from 0")
    header = ("", *(played.names[i] for i in order))
    return f"{title}\n{table(header, rows, range(1, len(order) + 1))}"


def _cell(value: float, low: float, high: float) -> str:
    places = decimals(low, high)
    text = f"{round(value, places) or 0:+.{places}f}±{(high - low) / 2:.{places}f}"
    return f"({text})" if low <= 0 <= high else text


def _match_ups(played: Tournament, table: Table) -> str:
    rows, with_sessions = [], False
    for series, (i, j) in zip(played.series, match_ups(played.size), strict=True):
        plays = series.experiment.plays
        places = decimals(-1 / plays**0.5, 1 / plays**0.5)  # two standard errors of a rate are that at most
        rates_of_plays = [f"{count / plays:.{places}f}" for count in series.reader.plays(series.tally.vector)]
        gain = paired.correlation(*series.reader.pairs(series.tally.vector))
        rates = {named.statistic: named for named in played.sessions(series)}
        session = ["-", "-"]
        if "session_win_rate" in rates:
            with_sessions = True
            session = [show(*named[1:4]) if named.low < named.high else f"{named.value:g}" for named in rates.values()]
        factor = f"{gain.factor:.{2 if gain.factor < 10 else 0}f}" if np.isfinite(gain.factor) else "cancel"
        rows.append((played.names[i], played.names[j], *rates_of_plays, *session, f"{gain.correlation:.2f}", factor))
    header = ("A", "B", "A wins", "ties", "B wins", "A's sessions won", "drawn", "correlation", "counts as")
    columns = [k for k in range(len(header)) if with_sessions or k not in (5, 6)]
    title = ("Match-ups: rates of plays; sessions (matches) exactly from the law of deals; the two plays of a deal "
             "correlate, so that a match-up counts as so many times as many independent deals")
    shown = table([header[k] for k in columns], [[row[k] for k in columns] for row in rows], range(2, len(columns)))
    return f"{title}\n{shown}"
