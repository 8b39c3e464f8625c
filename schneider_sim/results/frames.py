"""Tallies and estimates as tidy pandas frames: one row per observation, one column per variable."""

import html
from collections.abc import Iterable

import pandas as pd

from ..base.estimate import Named
from ..base.text import counted
from ..games import load_game
from ..runs.experiment import Experiment


def summary(estimates: Iterable[Named]) -> pd.DataFrame:
    """One row per statistic: statistic, value, low, high, n, method."""
    return pd.DataFrame([estimate.as_dict() for estimate in estimates],
                        columns=["statistic", "value", "low", "high", "n", "method"])


def as_html(experiment: Experiment, estimates: Iterable[Named], level: float = 0.95) -> str:
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
    head_row = ("statistic", f"value ({100 * level:g} % interval)", "n", "method")
    names = "".join(f'<th scope="col">{name}</th>' for name in head_row)
    return f"<p>{html.escape(head)}</p><table><thead><tr>{names}</tr></thead><tbody>{cells}</tbody></table>"
