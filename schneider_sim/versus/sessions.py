"""Whole sessions (matches) played deal by deal, and the same figures worked out exactly from the law of other deals.

What a game offers for this is described in games.protocol.Sessions.
"""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..base.estimate import Named
from ..base.limits import DEALS
from ..base.text import parse_int
from ..engines.threads import Engine, Progress, Runner, in_deal_order, run, threaded
from ..errors import RequestError
from ..games import load_game
from ..runs.experiment import Experiment, Files, make_experiment
from ..stats.values import Estimate, tail, two_sided_z
from ..version import __version__
from .repeat import command

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
    level: float = 0.95

    def as_dict(self) -> dict[str, Any]:
        """The outcome in the form of `sessions --json`."""
        match_up = self.experiment.match_up
        return {
            "game": self.experiment.game,
            "rules": match_up.rules.as_dict(),
            "policies": {"A": str(match_up.a), "B": str(match_up.b)},
            "seed": match_up.seed,
            "level": self.level,
            "unit": self.unit,
            "count": self.count,
            "deals": self.deals,
            "lengths": self.lengths._asdict() | {"mean": self.lengths.counted / self.count, **self._exact_mean()},
            "estimates": [estimate.as_dict() for estimate in self.played],
            "exact": [estimate.as_dict() for estimate in self.exact],
            "exact_deals": self.exact_deals,
            "z": self.agreement(),
            "command": self.command,
            "version": __version__,
        }

    @property
    def command(self) -> str:
        """The command that repeats the sessions, the policies in full."""
        return self.repeated(str(self.experiment.match_up.a), str(self.experiment.match_up.b))

    def repeated(self, a: str, b: str) -> str:
        """The same, the policies as they are given here."""
        return command("sessions", [a, b, "--count", str(self.count)], self.experiment)

    def _exact_mean(self) -> dict[str, float | None]:
        """The mean number of deals by theory, with its limits."""
        value, low, high = self.exact_length.limits if self.exact_length else (None, None, None)
        return {"exact_mean": value, "exact_low": low, "exact_high": high}

    def agreement(self) -> dict[str, float | None]:
        """How many standard errors each played figure lies from the exact one; None where neither could be another."""
        exact = {estimate.statistic: estimate for estimate in self.exact}
        return {e.statistic: distance(e, exact[e.statistic], self.level) for e in self.played if e.statistic in exact}


def sessions(
    a: str,
    b: str,
    count: int = 100_000,
    seed: int = 1,
    *,
    game: str = "bohemian",
    variant: str | None = None,
    rules: Mapping[str, Any] | None = None,
    load: Files = (),
    threads: int | None = None,
    progress: Progress | None = None,
    exactly: Progress | None = None,
    play: Runner | None = None,
    engine: Engine | None = None,
    level: float = 0.95,
) -> Sessions:
    """Play `count` whole sessions of policies `a` and `b` on consecutive deals from deal 0 on.

    progress: called with the number of sessions done; exactly: with that of the deals for the exact figures; engine:
    who plays the sessions, and play: the other deals, such as a StoreRunner, which takes from its store what is there;
    by default `threads` threads of this process. Sessions need what every deal came to, which no tally has, so that
    they are always played.
    Raises RequestError for a wrong request, RunError when a session
    does not end or a user's preference fails.
    """
    count = parse_int(count, "count", 1, LIMIT)
    tail(level)  # refuses what is no level
    experiment = make_experiment(a, b, game_name=game, variant=variant, rules=rules, deals=DEALS, seed=seed,
                                 load=load)
    module = load_game(game).sessions
    if module is None:
        raise RequestError(f"the game {game} has no sessions")
    walk = module.Walk(experiment.match_up, count)
    deals = _walk(module, walk, experiment, engine or threaded(threads), progress)
    exact_deals = min(max(deals, FEWEST), DEALS - deals)
    other = replace(experiment, first=deals, deals=exact_deals)
    tally = run(other, threads, exactly, play)
    return Sessions(experiment, module.UNIT, count, deals, Lengths(*walk.lengths), walk.estimates(level),
                    module.exact(tally, other.match_up, level), exact_deals,
                    module.exact_length(tally, other.match_up, level), level)


def _walk(module: Any, walk: Any, experiment: Experiment, engine: Engine, progress: Progress | None) -> int:
    """Play on until the walk has all its sessions; the number of deals that it took."""
    for start, results in _in_order(experiment, engine):
        used = walk.take(results)
        if progress:
            progress(walk.done)
        if walk.complete:
            return int(start + used)
    raise RequestError(f"there are not enough deals for this many {module.UNIT}s: ask for fewer with --count")


def results_of(experiment: Experiment, start: int, stop: int) -> tuple[Any]:
    """What sessions need of deals start … stop - 1: a piece of work for any engine, which packs none but tallies."""
    offered = load_game(experiment.game).sessions
    assert offered is not None
    return (offered.results(experiment.match_up, start, stop),)


def _in_order(experiment: Experiment, engine: Engine) -> Iterator[tuple[int, Any]]:
    """(start, results) of the deals from the first one on, cut into pieces that the engine plays."""
    starts = itertools.count(experiment.first, CUT)
    ranges = ((start, min(start + CUT, DEALS)) for start in itertools.takewhile(lambda start: start < DEALS, starts))
    for start, _, (results,) in in_deal_order(experiment.first, engine(results_of, experiment, ranges)):
        yield start, results


def distance(played: Named, exact: Named, level: float = 0.95) -> float | None:
    """(played - exact) / standard error, both errors taken from the intervals; for rates, from the exact binomial law.

    None where neither figure could have come out otherwise.
    """
    from scipy.special import bdtr, bdtrc, ndtri

    width = 2 * two_sided_z(level)
    error = (exact.high - exact.low) / width
    n, p = played.n, exact.value
    if played.method in ("Wilson", "Clopper-Pearson"):
        if n * p * (1 - p) < 9:
            k = round(played.value * n)
            below, above = float(bdtr(k, n, p)), float(bdtrc(k - 1, n, p)) if k else 1.0
            tail = min(1.0, 2 * min(below, above))
            return math.copysign(-float(ndtri(max(tail, 1e-300) / 2)), played.value - p) if tail < 1 else 0.0
        own = math.sqrt(p * (1 - p) / n)
    else:
        own = (played.high - played.low) / width
    both = math.hypot(own, error)
    return (played.value - exact.value) / both if both else None
