"""A tournament in words and tables: ranking, payoffs, match-ups, equilibrium."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.estimate import Named, decimals, show
from ..base.text import counted
from ..games import load_game
from ..stats import paired
from .contrasts import p_text
from .ranking import match_ups
from .repeat import changed_rules
from .tournament import Tournament

Table = Callable[[Sequence[str], Sequence[Sequence[Any]], Sequence[int]], str]


def report(played: Tournament, table: Table, typed: Sequence[str] = ()) -> str:
    """The whole tournament as text; `table` lays out a header and rows, the columns named flush right.

    typed: the policies as they were typed, by default their full texts.
    """
    typed = typed or played.policies
    experiment, deals = played.series[0].experiment, [one.pairs for one in played.series]
    rules = " ".join(changed_rules(experiment.game, experiment.match_up.rules)) or "standard rules"
    count = f"{deals[0]:,}" if min(deals) == max(deals) else f"{min(deals):,} to {max(deals):,}"
    count += " deal" if max(deals) == 1 else " deals"
    settings = (f"{experiment.game}, {rules}; {counted(len(deals), 'match-up')} of {count} from {experiment.first} on, "
                f"seed {experiment.match_up.seed}, each deal played twice")
    texts = ["  =  ".join(dict.fromkeys(three)) for three in zip(played.names, typed, played.policies, strict=True)
             if three[0] != three[2]]
    parts = ["\n".join(played.sentences()), _ranking(played, table), "\n".join([settings, *texts]),
             _payoffs(played, table), _match_ups(played, table), f"again: {played.repeated(typed)}"]
    return "\n\n".join(part for part in parts if part)


_NASH = ("Nash: the shares in which to mix policies so that no opponent gains on the mixture; in support: how often a "
         "policy has\na share in it when the payoffs vary within their errors.")
_TINY = 1e-5  # a rate nearer to 0 or 1 is not written out


def _ranking(played: Tournament, table: Table) -> str:
    _, weights, support = played.payoff.solution
    unit = played.series[0].reader.unit
    rows = []
    for place in played.ranking:
        span = f"{place.best}" if place.best == place.worst else f"{place.best}–{place.worst}"
        rows.append((span, played.names[place.policy], show(place.rating, place.low, place.high),
                     f"{weights[place.policy]:.2f}", f"{support[place.policy]:.0%}"))
    shown = table(("place", "policy", f"mean edge against all, {unit} per deal", "Nash", "in support"), rows, (3, 4))
    return f"{shown}\n{_NASH}"


def _payoffs(played: Tournament, table: Table) -> str:
    """The payoff matrix in the order of the ranking; payoffs whose interval holds 0 in brackets."""
    order = [place.policy for place in played.ranking]
    values, (low, high), unit = played.payoffs, played.limits, played.series[0].reader.unit
    rows = []
    for i in order:
        cells = ["" if i == j else _cell(values[i, j], low[i, j], high[i, j]) for j in order]
        rows.append((played.names[i], *cells))
    title = (f"Payoffs, {unit} per deal of the row's policy, ± the half-width of intervals that all hold at once at "
             f"{100 * played.level:g} % ({played.edges.method}); in brackets: the interval holds 0")
    header = ("", *(played.names[i] for i in order))
    return f"{title}\n{table(header, rows, range(1, len(order) + 1))}"


def _cell(value: float, low: float, high: float) -> str:
    places = decimals(low, high)
    text = f"{round(value, places) or 0:+.{places}f}±{(high - low) / 2:.{places}f}"
    return f"({text})" if low <= 0 <= high else text


def _match_ups(played: Tournament, table: Table) -> str:
    """A row for each match-up, the policy that is ahead first."""
    order = {place.policy: number for number, place in enumerate(played.ranking)}
    rows, with_sessions = dict[tuple[int, int], tuple[str, ...]](), False
    for series, p, (i, j) in zip(played.series, played.p_adjusted, match_ups(played.size), strict=True):
        plays, behind = series.experiment.plays, series.mean < 0
        places = decimals(-1 / plays**0.5, 1 / plays**0.5)  # two standard errors of a rate are that at most
        rates = [f"{count / plays:.{places}f}" for count in series.reader.plays(series.tally.vector)]
        gain = paired.correlation(*series.reader.pairs(series.tally.vector))
        session = _sessions(played.sessions(series), behind)
        with_sessions |= session[0] != "-"
        factor = f"{gain.factor:.{2 if gain.factor < 10 else 0}f}" if np.isfinite(gain.factor) else "cancel"
        ahead, other = (j, i) if behind else (i, j)
        rows[order[ahead], order[other]] = (played.names[ahead], played.names[other],
                                            *(rates[::-1] if behind else rates), *session,
                                            f"{gain.correlation:.2f}", factor, p_text(p))
    sessions = load_game(played.series[0].experiment.game).sessions
    unit = sessions.UNITS if sessions else "sessions"
    header = ("ahead", "behind", "won", "ties", "lost", f"{unit} won", "drawn", "correlation", "counts as",
              "adjusted p")
    seen = [k for k in range(len(header)) if with_sessions or k not in (5, 6)]
    columns = [k for k in seen if k not in (3, 6) or any(row[k].strip("0.-") for row in rows.values())]
    title = ("Match-ups from the side that gains on these deals (the payoffs say whether that is sure): rates of "
             f"plays;\n{unit} exactly from the distribution of deals; counts as: a match-up is as precise as that many "
             "times\nas many independent deals; adjusted p: of the edge being 0, allowing for all match-ups")
    shown = table([header[k] for k in columns], [[rows[place][k] for k in columns] for place in sorted(rows)],
                  range(2, len(columns)))
    return f"{title}\n{shown}"


def _sessions(rates: Sequence[Named], behind: bool) -> list[str]:
    """A's rates of sessions won and drawn, or B's where A is behind, in the digits that their errors allow."""
    found = {named.statistic: named for named in rates}
    if "session_win_rate" not in found:
        return ["-", "-"]
    won, drawn = found["session_win_rate"], found.get("session_draw_rate")
    places = decimals(won.low, won.high)
    value = max(0.0, 1.0 - won.value - (drawn.value if drawn else 0.0)) if behind else won.value
    return [_rate(value, places), _rate(drawn.value, decimals(drawn.low, drawn.high)) if drawn else "-"]


def _rate(value: float, places: int) -> str:
    """A rate with `places` decimals, five at most; a rate closer to 0 or 1 is shown as a bound."""
    if 0 < value < _TINY:
        return f"< {_TINY:.5f}"
    if 1 > value > 1 - _TINY:
        return f"> {1 - _TINY:.5f}"
    return f"{value:.{min(places, 5)}f}"
