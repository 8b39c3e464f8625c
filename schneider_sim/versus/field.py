"""Several match-ups on common deals: play them, and what their edges say together."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ..base.tally import Counts, Tally
from ..engines.threads import Runner, in_order, joint_tables
from ..errors import RequestError
from ..runs.experiment import Experiment
from ..stats import multiple, power
from ..stats.betting import betting_interval
from ..stats.intervals import mean_estimate
from ..stats.values import Estimate, Interval, exact_moments, histogram, standard_error
from .duplicates import Duplicates, Floats, duplicates

LARGEST = 50  # policies that all meet each other: more would take minutes and gigabytes to compare at once
MOST = 100  # policies that meet one opponent
RANGES = 200  # of deals, from which on the correlations between match-ups are estimated
Hear = Callable[[int], None]


@dataclass(frozen=True, eq=False)
class Series:
    """A match-up of policies on deals in order: its tally, and the sum of the pair means in each range of deals.

    sums: float64[ranges]; sizes: int64[ranges], pairs in a range; by_range: int64[ranges, k], how often each possible
    pair mean was seen in it, kept where `play_series` was asked to.
    """

    experiment: Experiment
    reader: Duplicates
    tally: Tally
    sums: Floats
    sizes: Counts
    by_range: Counts | None = None

    @property
    def pairs(self) -> int:
        return self.experiment.deals

    @property
    def counts(self) -> Counts:
        """How often each possible pair mean was seen, int64[k], in the order of `reader.values`."""
        return self.reader.counts(self.tally.vector)

    @property
    def bound(self) -> float:
        """The largest possible |V| of a play."""
        return max(abs(self.reader.low), abs(self.reader.high))

    @property
    def mean(self) -> float:
        """A's edge in VP per deal."""
        return exact_moments(histogram(self.reader.values, self.counts)).mean

    @property
    def error(self) -> float:
        """The standard error of A's edge."""
        spread = power.spread(self.reader.values, self.counts, low=-self.bound, high=self.bound)
        return float(spread.value / np.sqrt(spread.n))

    def estimate(self, level: float = 0.95) -> Estimate:
        """A's edge in VP per deal with the interval for a number of deals that was fixed beforehand."""
        return mean_estimate(self.reader.values, self.counts, level)

    def anytime(self, level: float) -> Interval:
        """The interval for A's edge that holds at every look."""
        return betting_interval(self.reader.values, self.counts, level)

    def __add__(self, later: "Series") -> "Series":
        """The match-up on these deals and on those of `later`, which follow them."""
        return replace(self, experiment=replace(self.experiment, deals=self.pairs + later.pairs),
                       tally=self.tally + later.tally, sums=np.concatenate([self.sums, later.sums]),
                       sizes=np.concatenate([self.sizes, later.sizes]), by_range=None)


class Joint(NamedTuple):
    """Edges of several match-ups that are read together.

    estimates: float64[k]; low, high: float64[k], limits that all hold at once; normal: bool[k], which of them rest on
    the normal law; covariance: float64[k, k], 0 for the others; method: how the limits were made.
    """

    estimates: Floats
    low: Floats
    high: Floats
    normal: np.ndarray
    covariance: Floats
    method: str


def range_size(deals: int) -> int:
    """Deals in a range, a power of two: some 400 ranges, fewer where that many would be very short."""
    return max(8, 1 << max(0, (deals // (2 * RANGES)).bit_length() - 1))


def play_series(experiment: Experiment, play: Runner = in_order, hear: Hear | None = None, *,
                size: int | None = None, keep: bool = False) -> Series:
    """Play a match-up in ranges of `size` deals at first, by default `range_size`; they grow as the experiment's do.

    hear: called with the number of deals done; keep: whether the counts of every range are kept.
    """
    return read_series([experiment], play, hear, size=size, keep=keep)[0]


def read_series(experiments: Sequence[Experiment], play: Runner = in_order, hear: Hear | None = None, *,
                size: int | None = None, keep: bool = False) -> list[Series]:
    """Play the first of experiments whose plays are the same card by card, and read its tallies by the rules of each.

    The rest as in `play_series`.
    """
    readers, experiment = [duplicates(one) for one in experiments], experiments[0]
    total, sizes = readers[0].game.layout.zeros(), list[int]()
    seen: list[list[Counts]] = [[] for _ in readers]
    size = size or range_size(experiment.deals)
    ends = (stop for _, stop in replace(experiment, cut=size).ranges())
    begun, end = experiment.first, next(ends)
    partly = [np.zeros(reader.values.size, np.int64) for reader in readers]
    work = replace(experiment, cut=min(size, experiment.cut))  # stays in short pieces
    for stops, tables, counts in joint_tables(play, work):
        total += counts
        for stop, table in zip(stops.tolist(), tables, strict=True):
            partly = [some + reader.counts_of(table) for some, reader in zip(partly, readers, strict=True)]
            if stop == end:
                for several, some in zip(seen, partly, strict=True):
                    several.append(some)
                sizes.append(stop - begun)
                partly = [np.zeros_like(some) for some in partly]
                begun, end = stop, next(ends, stop)
        if hear:
            hear(int(stops[-1]) - experiment.first)
    return [Series(one, reader, Tally(reader.game.layout, total), np.array([reader.values @ some for some in several]),
                   np.array(sizes, np.int64), np.stack(several) if keep else None)
            for one, reader, several in zip(experiments, readers, seen, strict=True)]


def play_field(experiments: Iterable[Experiment], play: Runner = in_order, hear: Hear | None = None) -> list[Series]:
    """Play match-ups one after another; `hear` is called with the number of deals done in all of them."""
    done, played = 0, []
    for experiment in experiments:
        def heard(deals: int, before: int = done) -> None:
            if hear:
                hear(before + deals)

        played.append(play_series(experiment, play, heard))
        done += experiment.deals
    return played


def together(series: Sequence[Series], level: float = 0.95) -> Joint:
    """The edges of match-ups on the same deals with limits that all hold at once.

    Where a normal interval is honest these are max-T intervals, with correlations from the ranges of deals if there
    are 200 of them, else as if match-ups were independent, which is wider (Šidák's inequality). The other match-ups,
    too short or too uniform, get their share of the error by Bonferroni and the betting interval.
    """
    own = [one.estimate() for one in series]
    share = (1.0 - level) / len(series)
    normal = np.array([estimate.method == "normal" for estimate in own])
    estimates = np.array([estimate.value for estimate in own])
    low, high = np.empty(len(series)), np.empty(len(series))
    for place in np.flatnonzero(~normal).tolist():
        _, low[place], high[place] = series[place].estimate(1.0 - share).limits
    matrix = np.zeros((len(series), len(series)))
    method = "betting intervals, Bonferroni"
    if normal.any():
        some = [one for one, usual in zip(series, normal, strict=True) if usual]
        matrix[np.ix_(normal, normal)], method = covariance_of(some)
        every = multiple.max_t(estimates[normal], matrix[np.ix_(normal, normal)], 1.0 - share * len(some))
        low[normal], high[normal] = every.low, every.high
    method = "one comparison" if len(series) == 1 else method
    return Joint(estimates, low, high, normal, matrix, method)


def combined(joint: Joint, weights: Floats, level: float = 0.95) -> Joint:
    """Linear combinations of edges with limits that all hold at once; weights: float64[combinations, k].

    The normal part has max-T intervals; what is not normal adds the width of its own limits, which hold at once too.
    """
    estimates = weights @ joint.estimates
    odd = ~joint.normal
    half = np.abs(weights[:, odd]) @ np.maximum(joint.high - joint.estimates, joint.estimates - joint.low)[odd]
    covariance = weights @ joint.covariance @ weights.T
    covariance = (covariance + covariance.T) / 2
    moving = np.diag(covariance) > 1e-14 * max(float(np.diag(joint.covariance).max(initial=0.0)), 1e-300)
    if moving.any():
        share = (1.0 - level) * joint.normal.sum() / joint.normal.size
        every = multiple.max_t(estimates[moving], covariance[np.ix_(moving, moving)], 1.0 - share)
        half[moving] += (every.high - every.low) / 2
    return Joint(estimates, estimates - half, estimates + half, moving, covariance, joint.method)


def check_size(policies: int, each_other: bool) -> None:
    """Raises RequestError where there are too many policies to be compared all at once."""
    if policies > (most := LARGEST if each_other else MOST):
        how = "against each other" if each_other else "against one opponent"
        raise RequestError(f"{policies} policies {how} are too many to compare at once: name {most} at most")


def check_common(experiments: Sequence[Experiment]) -> None:
    """Raises RequestError unless all are duplicates of the same deals."""
    if any(experiment.match_up.design != "duplicate" for experiment in experiments):
        raise RequestError("match-ups are compared on duplicates: leave out the design")
    if len({(e.match_up.seed, e.first, e.deals) for e in experiments}) > 1:
        raise RequestError("match-ups that are compared must have the same deals: one seed, first and number")


def covariance_of(series: Sequence[Series]) -> tuple[Floats, str]:
    """The covariance of the edges, float64[k, k], and how it came about; the errors are those of the whole tables."""
    errors = [standard_error(exact_moments(histogram(one.reader.values, one.counts))) for one in series]
    ranges = min(one.sums.size for one in series)
    if ranges < RANGES or any(one.sizes.tolist() != series[0].sizes.tolist() for one in series):
        return np.diag(np.square(errors)), "max-T as if match-ups were independent"
    chunks = multiple.from_chunks(np.stack([one.sums for one in series], axis=1), series[0].sizes)
    return multiple.with_errors(chunks.covariance, errors), f"max-T with correlations from {ranges} ranges of deals"
