"""Playing on until an order is clear: which match-ups need more deals, with an error that looking does not raise."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ..engines.threads import Runner
from ..runs.experiment import Experiment
from ..stats.racing import separation
from .duplicates import Floats
from .field import Series, covariance_of, play_series
from .ranking import Bools, closure, match_ups, rating_weights

_GROWTH = 2  # the deals of a match-up at a look over those at the look before


@dataclass(frozen=True, eq=False)
class Settled:
    """What is settled between policies.

    better: bool[k, k], the row than the column; close: bool[k, k], apart by the margin at most, or without a difference
    that more deals could show.
    """

    better: Bools
    close: Bools

    @property
    def open(self) -> Bools:
        """Who is in a pair that is not settled: bool[k]."""
        known = self.better | self.better.T | self.close
        np.fill_diagonal(known, True)
        return np.asarray(~known.all(axis=1))


class Heard(Protocol):
    """Hears, at every look, the deals of a match-up so far and how many policies are in pairs that are not settled."""

    def __call__(self, deals: int, unsettled: int) -> None: ...


def nothing_settled(policies: int) -> Settled:
    return Settled(np.zeros((policies, policies), bool), np.zeros((policies, policies), bool))


def settle(before: Settled, ratings: Floats, covariance: Floats, pairs: int, level: float, n_best: int,
           margin: float) -> Settled:
    """What is settled after a look, given what was before: nothing that was is taken back.

    ratings: float64[k], covariance: float64[k, k], theirs after `pairs` pairs of every match-up that counts. Only
    pairs of policies that are both open are judged, since only their match-ups have all been played on; they share
    the error with all others equally, and each has an asymptotic confidence sequence.
    """
    rest = np.flatnonzero(before.open)
    size = len(ratings)
    share = (1.0 - level) * len(rest) * (len(rest) - 1) / max(1, size * (size - 1))
    seen = separation(ratings[rest], covariance[np.ix_(rest, rest)], pairs, 1.0 - share, n_best, margin)
    better, close = before.better.copy(), before.close.copy()
    alike = ~np.isfinite(seen.low)  # no variance in the difference: more deals will not tell them apart
    where = np.ix_(rest, rest)
    better[where] |= seen.low > 0
    close[where] |= alike | ((seen.low >= -margin) & (seen.high <= margin) & (margin > 0))
    return Settled(closure(better), close)


def race(series: Sequence[Series], policies: int, max_deals: int, play: Runner, level: float = 0.95,
         margin: float = 0.0, hear: Heard | None = None) -> tuple[list[Series], Settled, int]:
    """Play on where the order is unclear: the match-ups, what is settled, and the number of looks.

    series: the match-ups of `ranking.match_ups`, all on the same deals. Those of policies that are in an open pair
    are doubled until no pair is open or `max_deals` a match-up are played.
    """
    weights, settled, looks = rating_weights(policies), nothing_settled(policies), 0
    played, n_best = list(series), 4 * series[0].pairs
    while True:
        looks += 1
        deals = max(one.pairs for one in played)
        active = settled.open
        places = [k for k, (i, j) in enumerate(match_ups(policies)) if active[i] or active[j]]
        edges = np.array([one.mean for one in played])
        covariance = weights[:, places] @ covariance_of([played[k] for k in places])[0] @ weights[:, places].T
        settled = settle(settled, weights @ edges, (covariance + covariance.T) / 2, deals, level, n_best, margin)
        active = settled.open
        if hear:
            hear(deals, int(active.sum()))
        if not active.any() or deals >= max_deals:
            return played, settled, looks
        more = min(max_deals, _GROWTH * deals) - deals
        for k, (i, j) in enumerate(match_ups(policies)):
            if active[i] or active[j]:
                played[k] += play_series(_following(played[k], more), play)


def _following(series: Series, deals: int) -> Experiment:
    experiment = series.experiment
    return replace(experiment, first=experiment.first + experiment.deals, deals=deals)
