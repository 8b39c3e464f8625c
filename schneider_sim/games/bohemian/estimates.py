"""The published statistics of a run of Bohemian Schneider, each with its interval and how that was made.

Source: docs/statistics.md, "The statistics, one by one"; victory points V are A's minus B's.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.estimate import Named, missing
from ...base.tally import Counts, Tally
from ...stats import intervals, paired, session_estimates
from ...stats.values import Estimate
from .rules import HONOURS, Rules, value_of_honours

Vector = npt.NDArray[Any]
SESSIONS = ("session_win_rate", "session_draw_rate")
_H = np.arange(HONOURS + 1)
_MORE, _FEWER = (_H > HONOURS // 2).astype(np.int64), (_H < HONOURS // 2).astype(np.int64)
# name -> the event in A's honours where A is first leader, and where B is
_OF_FIRST_LEADER = (("first_leader_win_rate", _MORE, _FEWER), ("first_leader_loss_rate", _FEWER, _MORE))


def events(rules: Rules) -> dict[str, Vector]:
    """The rates as events of A's honours: name -> int64[21] of 0 and 1."""
    schneider, schwarz = (rules.schneider_at <= _H) & (_H < HONOURS), _H == HONOURS
    return {
        "win_rate": _as_counts(_H > HONOURS // 2),
        "tie_rate": _as_counts(_H == HONOURS // 2),
        "schneider_rate": _as_counts(schneider | schneider[::-1]),
        "schneider_rate_a": _as_counts(schneider),
        "schneider_rate_b": _as_counts(schneider[::-1]),
        "schwarz_rate": _as_counts(schwarz | schwarz[::-1]),
        "schwarz_rate_a": _as_counts(schwarz),
        "schwarz_rate_b": _as_counts(schwarz[::-1]),
    }


def estimates(tally: Tally, rules: Rules, design: str, level: float = 0.95) -> list[Named]:
    """Every statistic of the run, in the order of the table; session rates are missing under session=stakes."""
    made = _of_duplicates if design == "duplicate" else _of_independent
    named = [estimate.named(name) if estimate.method != "no data" else missing(name, "one side never led first")
             for name, estimate in made(tally, rules, level)]
    if rules.session == "stakes":
        named += [missing(name, "no sessions under stakes") for name in SESSIONS]
    return named


def victory_pairs(tally: Tally, rules: Rules) -> paired.Pairs:
    """The duplicates' joint table as A's victory points minus B's in the two plays of a deal."""
    return paired.from_table(tally["joint"], np.array(value_of_honours(rules), float))


def victory_counts(tally: Tally, rules: Rules) -> tuple[npt.NDArray[np.float64], Counts, Counts]:
    """Independent deals: the possible victory points (A's minus B's), and how often each was seen with A, B first."""
    first, second = tally["outcome"].sum(axis=1)
    return np.array(value_of_honours(rules), float), first, second


def _as_counts(flags: Vector) -> Vector:
    return flags.astype(np.int64)


def _of_duplicates(tally: Tally, rules: Rules, level: float) -> Iterator[tuple[str, Estimate]]:
    joint, most = tally["joint"], float(rules.win_points[2])
    victory = victory_pairs(tally, rules)
    yield "vp_per_deal", paired.edge(*victory, level, -most, most)
    yield "first_leader_advantage", paired.first_leader_advantage(*victory, level, -most, most)
    for name, event in events(rules).items():
        yield name, paired.proportion(*paired.from_table(joint, event), level)
    for name, mine, others in _OF_FIRST_LEADER:
        yield name, paired.proportion(*paired.from_table(joint, mine, others), level)
    leaders = paired.from_table(joint, _H, HONOURS - _H)
    yield "mean_honours_first_leader", paired.pair_mean(*leaders, level, 0.0, float(HONOURS))
    sessions = session_estimates.session_estimates(victory, rules.session, rules.tie_10_10, level)
    yield from _published(sessions)


def _of_independent(tally: Tally, rules: Rules, level: float) -> Iterator[tuple[str, Estimate]]:
    first, second = tally["outcome"].sum(axis=1)
    values, most = np.array(value_of_honours(rules), float), float(rules.win_points[2])
    yield "vp_per_deal", paired.edge_independent(values, first, second, level, -most, most)
    yield "first_leader_advantage", paired.first_leader_advantage_independent(values, first, second, level, -most, most)
    both = first + second
    for name, event in events(rules).items():
        yield name, intervals.proportion_estimate(int(both @ event), int(both.sum()), level)
    leaders = first + second[::-1]  # the first leader's honours
    for name, mine, _ in _OF_FIRST_LEADER:
        yield name, intervals.proportion_estimate(int(leaders @ mine), int(leaders.sum()), level)
    yield "mean_honours_first_leader", intervals.mean_estimate(_H, leaders, level, 0.0, float(HONOURS))
    sessions = session_estimates.session_estimates_independent(
        values, first, second, rules.session, rules.tie_10_10, level)
    yield from _published(sessions)


def _published(sessions: dict[str, Estimate]) -> Iterator[tuple[str, Estimate]]:
    for name in SESSIONS:
        if name in sessions:
            yield name, sessions[name]
