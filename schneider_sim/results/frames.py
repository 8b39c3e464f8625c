"""Tallies and estimates as tidy pandas frames: one row per observation, one column per variable."""

import html
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from ..base.estimate import Named
from ..base.tally import Counts
from ..base.text import counted
from ..games import load_game
from ..runs.experiment import Experiment


def summary(estimates: Iterable[Named]) -> pd.DataFrame:
    """One row per statistic: statistic, value, low, high, n, method."""
    return pd.DataFrame([estimate.as_dict() for estimate in estimates],
                        columns=["statistic", "value", "low", "high", "n", "method"])


def honours(by_first_leader: Mapping[str, Counts]) -> pd.DataFrame:
    """One row per (first_leader, honours of A): count, share and the simultaneous 95 % band of the 21 shares."""
    from ..stats.bands import simultaneous_pmf

    rows: list[dict[str, Any]] = []
    for leader, counts in by_first_leader.items():
        band, total = simultaneous_pmf(counts), int(counts.sum())
        for k, count in enumerate(counts.tolist()):
            rows.append({"first_leader": leader, "honours": k, "count": count, "share": count / total if total else 0.0,
                         "low": float(band.low[k]), "high": float(band.high[k])})
    return pd.DataFrame(rows)


def as_html(experiment: Experiment, estimates: Iterable[Named]) -> str:
    """The statistics of a run as an HTML table with digits that the errors allow, under a line of settings.

    What a statistic means shows where the mouse rests on its row.
    """
    match_up = experiment.match_up
    head = (f"A: {match_up.a} — B: {match_up.b} — {counted(experiment.deals, 'deal')} ({match_up.design}), "
            f"{counted(experiment.plays, 'play')}, seed {match_up.seed}")
    meanings = load_game(experiment.game).meanings(match_up)
    cells = "".join(
        f'<tr title="{html.escape(meanings[e.statistic])}"><td>{e.statistic}</td>'
        f"<td>{e.shown}</td><td>{e.n:,}</td><td>{e.method}</td></tr>"
        for e in estimates
    )
    names = "".join(f'<th scope="col">{name}</th>' for name in ("statistic", "value (95 % interval)", "n", "method"))
    return f"<p>{html.escape(head)}</p><table><thead><tr>{names}</tr></thead><tbody>{cells}</tbody></table>"
