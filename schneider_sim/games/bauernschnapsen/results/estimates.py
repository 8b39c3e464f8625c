"""The published statistics of a run of Bauernschnapsen, each with its interval and how that was made.

V is A's game points minus B's in a play; the rates of matches are worked out exactly from the laws of V with A and
with B as first leader. A policy that looks at the score of the match plays by another law at every score: then
there is nothing to estimate matches from.
Source: docs/rules-bauernschnapsen.md section 9; docs/statistics.md, "The statistics, one by one".
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ....base.estimate import Named, missing
from ....base.tally import Counts, Tally
from ....stats import intervals, paired, session_estimates
from ....stats.values import Estimate
from ... import MatchUp
from ..grammar import looks_at_score
from ..kernel.layout import V_VALUES
from ..rules.match import TARGET
from ..rules.switches import MAX_VALUE

VALUES = np.array(V_VALUES, float)
MATCH_NAMES = {"win": "session_win_rate", "draw": "session_draw_rate", "schneider": "schneider_rate",
               "schneider_a": "schneider_rate_a", "schneider_b": "schneider_rate_b", "retour": "retour_rate",
               "retour_a": "retour_rate_a", "retour_b": "retour_rate_b", "balance": "bummerl_balance",
               "length": "session_length"}


def most(match_up: MatchUp) -> float:
    """The most game points that a play of these policies can yield under these rules.

    Without words for bids there are normal games only. A doubling that one policy alone would make is never answered.
    """
    rules, policies = match_up.rules, (match_up.a, match_up.b)
    played = max(value for value, on in zip(rules.values, rules.enabled, strict=True) if on)
    worth = min(MAX_VALUE, max(3, played)) if any(policy.sections["bid"] for policy in policies) else 3
    doubling = sum(bool(policy.sections["double"]) for policy in policies)
    return float(worth * 2 ** min(rules.max_double, (0, 1, 3)[doubling]))


def victory_pairs(tally: Tally, match_up: MatchUp) -> paired.Pairs:
    """The duplicates' joint table as V in the two plays of a deal; pairs that cannot come out are left out."""
    inside = np.abs(VALUES) <= most(match_up)
    return paired.from_table(tally["joint"][np.ix_(inside, inside)], VALUES[inside])


def victory_counts(tally: Tally, match_up: MatchUp) -> tuple[npt.NDArray[np.float64], Counts, Counts]:
    """Independent deals: the possible V, and how often each was seen with A, with B as first leader."""
    inside = np.abs(VALUES) <= most(match_up)
    first, second = tally["by_first_leader"][:, inside]
    return VALUES[inside], first, second


def estimates(tally: Tally, match_up: MatchUp, level: float = 0.95) -> list[Named]:
    """Every statistic of the run, in the order of the table."""
    made = _of_duplicates if match_up.design == "duplicate" else _of_independent
    named = [estimate.named(name) for name, estimate in made(tally, match_up, level)]
    if looks_at_score(match_up.a) or looks_at_score(match_up.b):
        return named + [missing(name, "a policy plays by the score: see sessions") for name in MATCH_NAMES.values()]
    return named + match_statistics(tally, match_up, level)


def match_statistics(tally: Tally, match_up: MatchUp, level: float = 0.95) -> list[Named]:
    """Rates of won matches, Schneider and Retourschneider, Bummerl and length, exactly from the law of a deal."""
    if match_up.design == "duplicate":
        found = session_estimates.match_estimates(_seen(tally, match_up), TARGET, match_up.rules.retour, level)
    else:
        found = session_estimates.match_estimates_independent(
            *victory_counts(tally, match_up), TARGET, match_up.rules.retour, level)
    return [found[key].named(name) for key, name in MATCH_NAMES.items() if key in found]


def _seen(tally: Tally, match_up: MatchUp) -> paired.Pairs:
    """The pairs of every V that was seen at all, and of the greatest possible ones."""
    joint = tally["joint"]
    kept = (joint.sum(axis=0) + joint.sum(axis=1) > 0) | (np.abs(VALUES) == most(match_up))
    return paired.from_table(joint[np.ix_(kept, kept)], VALUES[kept])


def _of_duplicates(tally: Tally, match_up: MatchUp, level: float) -> Iterator[tuple[str, Estimate]]:
    pairs, top = victory_pairs(tally, match_up), most(match_up)
    yield "vp_per_deal", paired.edge(*pairs, level, -top, top)
    yield "first_leader_advantage", paired.first_leader_advantage(*pairs, level, -top, top)
    yield "win_rate", paired.proportion(*paired.from_table(tally["joint"], VALUES > 0), level)
    yield "tie_rate", no_ties(pairs.counts.sum())
    wins = paired.proportion(*paired.from_table(tally["joint"], VALUES > 0, VALUES < 0), level)
    yield "first_leader_win_rate", wins
    yield "first_leader_loss_rate", wins.complement


def _of_independent(tally: Tally, match_up: MatchUp, level: float) -> Iterator[tuple[str, Estimate]]:
    values, first, second = victory_counts(tally, match_up)
    top = most(match_up)
    yield "vp_per_deal", paired.edge_independent(values, first, second, level, -top, top)
    yield "first_leader_advantage", paired.first_leader_advantage_independent(values, first, second, level, -top, top)
    split, n = tally["by_first_leader"], int(tally["by_first_leader"].sum())
    yield "win_rate", intervals.proportion_estimate(int((split @ (VALUES > 0)).sum()), n, level)
    yield "tie_rate", no_ties(n)
    callers = int(split[0] @ (VALUES > 0)) + int(split[1] @ (VALUES < 0))
    wins = intervals.proportion_estimate(callers, n, level)
    yield "first_leader_win_rate", wins
    yield "first_leader_loss_rate", wins.complement


def no_ties(n: int) -> Estimate:
    """The rate of ties and of drawn matches: somebody always scores."""
    return Estimate(0.0, 0.0, 0.0, int(n), "by the rules")
