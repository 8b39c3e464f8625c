"""Whole sessions (matches) played deal by deal, and the same figures worked out exactly from the law of other deals.

What a game offers for this is described in games.protocol.Sessions.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..base.estimate import Named
from ..base.text import parse_int
from ..engines.threads import Progress, run, threaded
from ..errors import RequestError
from ..games import load_game
from ..runs.experiment import LAST, Experiment, make_experiment
from ..stats.values import Estimate
from ..version import __version__

CUT = 1 << 14  # deals in a piece of work
FEWEST = 1000  # deals behind the exact figures, at least
LIMIT = 10**12  # sessions in one run


class Lengths(NamedTuple):
    """Deals that counted: all in all, in the shortest and the longest session; and deals dealt again."""

    counted: int
    shortest: int
    longest: int
    void: int


@dataclass(frozen=True, eq=False)
class Sessions:
    """What `count` sessions on deals 0 … deals-1 came to; `exact` rests on the `exact_deals` deals after these."""

    experiment: Experiment
    unit: str
    count: int
    deals: int
    lengths: Lengths
    played: list[Named]
    exact: list[Named]
    exact_deals: int
    exact_length: Estimate | None

    def as_dict(self) -> dict[str, Any]:
        """The outcome in the form of `sessions --json`."""
        match_up = self.experiment.match_up
        return {
            "game": self.experiment.game,
            "rules": match_up.rules.as_dict(),
            "policies": {"A": str(match_up.a), "B": str(match_up.b)},
            "seed": match_up.seed,
            "unit": self.unit,
            "count": self.count,
            "deals": self.deals,
            "lengths": self.lengths._asdict() | {"mean": self.lengths.counted / self.count, **self._exact_mean()},
            "estimates": [estimate.as_dict() for estimate in self.played],
            "exact": [estimate.as_dict() for estimate in self.exact],
            "exact_deals": self.exact_deals,
            "z": self.agreement(),
            "version": __version__,
        }

    def _exact_mean(self) -> dict[str, float | None]:
        """The mean number of deals by theory, with its limits."""
        value, low, high = self.exact_length[:3] if self.exact_length else (None, None, None)
        return {"exact_mean": value, "exact_low": low, "exact_high": high}

    def agreement(self) -> dict[str, float | None]:
        """How many standard errors each played figure lies from the exact one; None where neither could be another."""
        exact = {estimate.statistic: estimate for estimate in self.exact}
        return {e.statistic: distance(e, exact[e.statistic]) for e in self.played if e.statistic in exact}


def sessions(
    a: str,
    b: str,
    count: int = 100_000,
    seed: int = 1,
    *,
    game: str = "bohemian",
    variant: str | None = None,
    rules: dict[str, Any] | None = None,
    load: tuple[str, ...] | list[str] = (),
    threads: int | None = None,
    progress: Progress | None = None,
    exactly: Progress | None = None,
) -> Sessions:
    """Play `count` whole sessions of policies `a` and `b` on consecutive deals from deal 0 on.

    progress: called with the number of sessions done; exactly: with that of the deals for the exact figures.
    Raises RequestError for a wrong request, RunError when a session
    does not end or a user's preference fails.
    """
    count = parse_int(count, "count", 1, LIMIT)
    experiment = make_experiment(a, b, game_name=game, variant=variant, rules=rules, deals=LAST, seed=seed,
                                 load=tuple(load))
    module = load_game(game).sessions
    if module is None:
        raise RequestError(f"the game {game} has no sessions")
    walk = module.Walk(experiment.match_up, count)
    deals = _walk(module, walk, experiment, threads, progress)
    exact_deals = min(max(deals, FEWEST), LAST - deals)
    other = replace(experiment, first=deals, deals=exact_deals)
    tally = run(other, threads, exactly)
    return Sessions(experiment, module.UNIT, count, deals, Lengths(*walk.lengths), walk.estimates(),
                    module.exact(tally, other.match_up), exact_deals, module.exact_length(tally, other.match_up))


def _walk(module: Any, walk: Any, experiment: Experiment, threads: int | None, progress: Progress | None) -> int:
    """Play on until the walk has all its sessions; the number of deals that it took."""
    for start, results in _in_order(module, experiment, threads):
        used = walk.take(results)
        if progress:
            progress(walk.done)
        if walk.complete:
            return int(start + used)
    raise RequestError(f"there are not enough deals for this many {module.UNIT}s: ask for fewer with --count")


def _in_order(module: Any, experiment: Experiment, threads: int | None) -> Iterator[tuple[int, Any]]:
    """(start, results) of the deals from the first one on, cut into pieces that threads play."""
    early: dict[int, Any] = {}
    starts = itertools.count(experiment.first, CUT)
    ranges = ((start, min(start + CUT, LAST)) for start in itertools.takewhile(lambda start: start < LAST, starts))

    def work(experiment: Experiment, start: int, stop: int) -> Any:
        return module.results(experiment.match_up, start, stop)

    place = experiment.first
    for start, stop, results in threaded(threads)(work, experiment, ranges):
        early[start] = (stop, results)
        while place in early:
            stop, ready = early.pop(place)
            yield place, ready
            place = stop


def distance(played: Named, exact: Named) -> float | None:
    """(played - exact) / standard error, both errors taken from the intervals; for rates, from the exact binomial law.

    None where neither figure could have come out otherwise.
    """
    from scipy.special import bdtr, bdtrc, ndtri

    error = (exact.high - exact.low) / (2 * 1.959964)
    n, p = played.n, exact.value
    if played.method in ("Wilson", "Clopper-Pearson"):
        if n * p * (1 - p) < 9:
            k = round(played.value * n)
            below, above = float(bdtr(k, n, p)), float(bdtrc(k - 1, n, p)) if k else 1.0
            tail = min(1.0, 2 * min(below, above))
            return math.copysign(-float(ndtri(max(tail, 1e-300) / 2)), played.value - p) if tail < 1 else 0.0
        own = math.sqrt(p * (1 - p) / n)
    else:
        own = (played.high - played.low) / (2 * 1.959964)
    both = math.hypot(own, error)
    return (played.value - exact.value) / both if both else None
