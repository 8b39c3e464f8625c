"""The published statistics of a run of Bauernschnapsen, each with its interval and how that was made.

V is A's game points minus B's in a play; the rates of matches are worked out exactly from the laws of V with A and
with B as first leader. A policy that looks at the score of the match plays by another law at every score: then
there is nothing to estimate matches from. Source: rules section 9; the table of statistics in docs.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ...estimate import Named
from ...stats import intervals, paired, session_estimates
from ...stats.values import Estimate
from ...tally import Counts, Tally
from .. import Match
from .layout import V_VALUES
from .match import TARGET
from .policies import looks_at_score
from .rules import MAX_VALUE, Rules

VALUES = np.array(V_VALUES, float)
MATCH_NAMES = {"win": "session_win_rate", "draw": "session_draw_rate", "schneider": "schneider_rate",
               "schneider_a": "schneider_rate_a", "schneider_b": "schneider_rate_b", "retour": "retour_rate",
               "retour_a": "retour_rate_a", "retour_b": "retour_rate_b", "balance": "bummerl_balance",
               "length": "session_length"}


def most(rules: Rules) -> float:
    """The most game points that a play can yield under these rules."""
    played = max(value for value, on in zip(rules.values, rules.enabled, strict=True) if on)
    return float(min(MAX_VALUE, max(3, played)) * 2**rules.max_double)


def victory_pairs(tally: Tally, rules: Rules) -> paired.Pairs:
    """The duplicates' joint table as V in the two plays of a deal; pairs that these rules cannot yield are left out."""
    inside = np.abs(VALUES) <= most(rules)
    return paired.from_table(tally["joint"][np.ix_(inside, inside)], VALUES[inside])


def victory_counts(tally: Tally, rules: Rules) -> tuple[npt.NDArray[np.float64], Counts, Counts]:
    """Independent deals: the possible V, and how often each was seen with A, with B as first leader."""
    inside = np.abs(VALUES) <= most(rules)
    first, second = tally["by_first_leader"][:, inside]
    return VALUES[inside], first, second


def estimates(tally: Tally, match: Match, level: float = 0.95) -> list[Named]:
    """Every statistic of the run, in the order of the table."""
    made = _of_duplicates if match.design == "duplicate" else _of_independent
    named = [Named(name, *estimate) for name, estimate in made(tally, match.rules, level)]
    if looks_at_score(match.a) or looks_at_score(match.b):
        nothing = (math.nan, math.nan, math.nan, 0, "a policy plays by the score: see sessions")
        return named + [Named(name, *nothing) for name in MATCH_NAMES.values()]
    return named + match_statistics(tally, match, level)


def match_statistics(tally: Tally, match: Match, level: float = 0.95) -> list[Named]:
    """Rates of won matches, Schneider and Retourschneider, Bummerl and length, exactly from the law of a deal."""
    if match.design == "duplicate":
        found = session_estimates.match_estimates(_seen(tally, match.rules), TARGET, match.rules.retour, level)
    else:
        found = session_estimates.match_estimates_independent(
            *victory_counts(tally, match.rules), TARGET, match.rules.retour, level)
    return [Named(name, *found[key]) for key, name in MATCH_NAMES.items() if key in found]


def _seen(tally: Tally, rules: Rules) -> paired.Pairs:
    """The pairs of every V that was seen at all, and of the greatest possible ones."""
    joint = tally["joint"]
    kept = (joint.sum(axis=0) + joint.sum(axis=1) > 0) | (np.abs(VALUES) == most(rules))
    return paired.from_table(joint[np.ix_(kept, kept)], VALUES[kept])


def _of_duplicates(tally: Tally, rules: Rules, level: float) -> Iterator[tuple[str, Estimate]]:
    pairs, top = victory_pairs(tally, rules), most(rules)
    yield "vp_per_deal", paired.edge(*pairs, level, -top, top)
    yield "first_leader_advantage", paired.first_leader_advantage(*pairs, level, -top, top)
    for name, event in _events().items():
        yield name, paired.proportion(*paired.from_table(tally["joint"], event), level)
    yield "caller_win_rate", paired.proportion(*paired.from_table(tally["joint"], VALUES > 0, VALUES < 0), level)


def _of_independent(tally: Tally, rules: Rules, level: float) -> Iterator[tuple[str, Estimate]]:
    values, first, second = victory_counts(tally, rules)
    top = most(rules)
    yield "vp_per_deal", paired.edge_independent(values, first, second, level, -top, top)
    yield "first_leader_advantage", paired.first_leader_advantage_independent(values, first, second, level, -top, top)
    split, n = tally["by_first_leader"], int(tally["by_first_leader"].sum())
    for name, event in _events().items():
        yield name, intervals.proportion_estimate(int((split @ event).sum()), n, level)
    callers = int(split[0] @ (VALUES > 0)) + int(split[1] @ (VALUES < 0))
    yield "caller_win_rate", intervals.proportion_estimate(callers, n, level)


def _events() -> dict[str, npt.NDArray[Any]]:
    return {"win_rate": (VALUES > 0).astype(np.int64), "tie_rate": (VALUES == 0).astype(np.int64)}
