"""Sessions and matches from counts of deals: the exact outcome of the observed law, with an interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from . import chains
from .bands import cdf_band
from .paired import Pairs
from .sessions import session_kind, solve_race, solve_session
from .values import FEW, Counts, Estimate, Floats, checked_counts, two_sided_z

_LARGEST_LOGIT_ERROR = 0.75


class _Sample(NamedTuple):
    """Observed deals: the laws' counts over one support, and how to get a variance from derivatives."""

    values: Counts
    first: Counts
    second: Counts
    n: int
    smallest: int
    variance: Callable[[Floats, Floats], float]


_Solver = Callable[[chains.Law], chains.Solved]


def session_estimates(pairs: Pairs, session: str = "deals-6", tie: str = "no_score",
                      level: float = 0.95) -> dict[str, Estimate]:
    """A's session_win_rate, session_draw_rate and session_lose_rate from duplicates; empty under `stakes`.

    pairs: A's victory points minus B's in the two plays of each deal, all possible values listed; session and tie as
    for `sessions.bohemian_session`. The value is exact for the observed law of deals. Interval: delta method on the
    logit scale, with the pair as unit; where that cannot be trusted (below 1000 pairs, rates too near 0 or 1) the
    extremes over the Dvoretzky-Kiefer-Wolfowitz bands of both laws, which hold for every sample size.
    """
    return _bohemian(_from_pairs(pairs), session, tie, level)


def session_estimates_independent(values: ArrayLike, first_counts: ArrayLike, second_counts: ArrayLike,
                                  session: str = "deals-6", tie: str = "no_score",
                                  level: float = 0.95) -> dict[str, Estimate]:
    """The same from independent deals: how often each value was seen with A, with B as first leader."""
    return _bohemian(_from_counts(values, first_counts, second_counts), session, tie, level)


def match_estimates(pairs: Pairs, target: int = 24, retour: str = "exact_23_0",
                    level: float = 0.95) -> dict[str, Estimate]:
    """Outcomes of matches of Bauernschnapsen from duplicates; pairs as for `session_estimates`.

    Keys: win, draw, lose, schneider, schneider_a, schneider_b, retour, retour_a, retour_b: probabilities of a match;
    length: mean number of deals; balance: mean Bummerl that A wins minus those it loses, at 1, 2 and 4.
    "draw" is 0 unless a deal may yield nothing. Intervals of rates as for sessions; those of the Retourschneider fall
    back on 0 and the upper limit of winning at all. Intervals of the two means: delta method, else what the rules and
    the limits of winning and losing allow.
    """
    return _match(_from_pairs(pairs), target, retour, level)


def match_estimates_independent(values: ArrayLike, first_counts: ArrayLike, second_counts: ArrayLike,
                                target: int = 24, retour: str = "exact_23_0",
                                level: float = 0.95) -> dict[str, Estimate]:
    """The same from independent deals: how often each value was seen with A, with B as first leader."""
    return _match(_from_counts(values, first_counts, second_counts), target, retour, level)


def length_estimate(pairs: Pairs, session: str, tie: str = "no_score", level: float = 0.95) -> Estimate:
    """Mean number of deals that count in a session `target-N` of Bohemian Schneider; arguments as there."""
    sample, (kind, number) = _from_pairs(pairs), session_kind(session) or ("stakes", 1)
    if kind != "target":
        raise RequestError(f"session {session!r} has no length to estimate: give target-N")
    solved = _solve(sample, lambda law: solve_session(law, kind, number, tie))
    return _mean(sample, solved, 3, *_lengths(sample, number), level)


def _bohemian(sample: _Sample, session: str, tie: str, level: float) -> dict[str, Estimate]:
    kind = session_kind(session)
    if kind is None:
        return {}
    names = {"session_win_rate": 0, "session_draw_rate": 1, "session_lose_rate": 2}

    def bounds(down: Floats, up: Floats) -> Floats:
        if kind[0] == "target":
            draw = [min(down[1], up[1]), max(down[1], up[1])]
        else:
            draw = [max(0.0, down[0] + down[1] - up[0]), min(1.0, up[0] + up[1] - down[0])]
        return np.array([[down[0], up[0]], draw, [up[2], down[2]]])

    def solver(law: chains.Law) -> chains.Solved:
        return solve_session(law, *kind, tie)

    solved = _rates(sample, solver, _solve(sample, solver), range(3), bounds, level)
    return {name: solved[i] for name, i in names.items()}


_LENGTH, _BALANCE = 9, 10  # rows of a match's outcomes, after its nine rates


def _match(sample: _Sample, target: int, retour: str, level: float) -> dict[str, Estimate]:
    # Rows: win, draw, lose, then Schneider by either, A, B, then Retourschneider by either, A, B; then the two means.
    ways = np.zeros((11, 7))
    ways[0, :3] = ways[2, 3:6] = 1.0
    ways[3, [1, 4]] = ways[4, 1] = ways[5, 4] = 1.0
    ways[6, [2, 5]] = ways[7, 2] = ways[8, 5] = 1.0
    ways[_LENGTH, chains.DEALS] = 1.0
    ways[_BALANCE, :6] = 1.0, 2.0, 4.0, -1.0, -2.0, -4.0
    names = ("win", "draw", "lose", "schneider", "schneider_a", "schneider_b", "retour", "retour_a", "retour_b")

    def solver(law: chains.Law) -> chains.Solved:
        race = solve_race(law, target, "no_score", retour)
        outcomes = ways @ race.outcomes
        outcomes[1] = 1.0 if race.outcomes[chains.DEALS] == 0.0 else 0.0
        return chains.Solved(outcomes, ways @ race.by_first, ways @ race.by_second)

    def bounds(down: Floats, up: Floats) -> Floats:
        return np.array([[down[0], up[0]], [down[1] * up[1], max(down[1], up[1])], [up[2], down[2]],
                         [down[4] + up[5], up[4] + down[5]], [down[4], up[4]], [up[5], down[5]],
                         [0.0, 1.0], [0.0, up[0]], [0.0, down[2]]])

    solved = _solve(sample, solver)
    ends = solved is not None and solved.outcomes[1] == 0.0  # if points were seen, every match ends
    rows = [row for row in range(9) if row != 1 or not ends]
    rates = _rates(sample, solver, solved, rows, bounds, level)
    found = {names[row]: rate for row, rate in zip(rows, rates, strict=True)}
    if ends:
        found["draw"] = Estimate(0.0, 0.0, 0.0, sample.n, "by the rules")
    win, lose = found["win"], found["lose"]
    found["length"] = _mean(sample, solved, _LENGTH, *_lengths(sample, target), level)
    found["balance"] = _mean(sample, solved, _BALANCE, win.low - 4 * lose.high, 4 * win.high - lose.low, level)
    return found


def _lengths(sample: _Sample, target: int) -> tuple[float, float]:
    """The fewest and most deals that a race to `target` can take; without end where a deal may yield nothing."""
    most = int(np.abs(sample.values).max())
    if most == 0:
        return 1.0, math.inf
    endless = bool((sample.first + sample.second)[sample.values == 0].any())
    return float(-(-target // most)), math.inf if endless else 2.0 * target - 1.0


def _solve(sample: _Sample, solver: _Solver) -> chains.Solved | None:
    """The outcomes of the observed law; None where nothing was observed."""
    if sample.smallest == 0:
        return None
    return solver(_law(sample.values, sample.first / sample.first.sum(), sample.second / sample.second.sum()))


def _mean(sample: _Sample, solved: chains.Solved | None, row: int, low: float, high: float, level: float) -> Estimate:
    """An outcome that is a mean between `low` and `high`: by the delta method, or just between them."""
    if solved is None:
        return Estimate((low + high) / 2 if math.isfinite(high) else low, low, high, sample.n, "no data")
    value = float(solved.outcomes[row])
    error = math.sqrt(max(0.0, sample.variance(solved.by_first[row], solved.by_second[row])))
    if sample.smallest >= FEW and error > 0.0:
        half = two_sided_z(level) * error
        return Estimate(value, max(low, value - half), min(high, value + half), sample.n, "delta method")
    return Estimate(value, min(low, value), max(high, value), sample.n, "by the rules")


def _rates(sample: _Sample, solver: _Solver, solved: chains.Solved | None, rows: Sequence[int],
           bounds: Callable[[Floats, Floats], Floats], level: float) -> list[Estimate]:
    """Estimates of some outcomes; `bounds` makes limits of the outcomes of the worst and the best law."""
    if solved is None:
        return [Estimate(0.5, 0.0, 1.0, sample.n, "no data")] * len(rows)
    z = two_sided_z(level)
    result: list[Estimate] = []
    limits: Floats | None = None
    for i in rows:
        value = min(1.0, max(0.0, float(solved.outcomes[i])))
        spread = value * (1.0 - value)
        error = math.sqrt(max(0.0, sample.variance(solved.by_first[i], solved.by_second[i])))
        if sample.smallest >= FEW and 0.0 < error <= _LARGEST_LOGIT_ERROR * spread:
            centre, half = math.log(value / (1.0 - value)), z * error / spread
            result.append(Estimate(value, _logistic(centre - half), _logistic(centre + half), sample.n, "delta method"))
            continue
        if limits is None:
            limits = bounds(*(solver(law).outcomes for law in _extreme_laws(sample, level)))
        low, high = limits[i].tolist()
        result.append(Estimate(value, max(0.0, min(low, value)), min(1.0, max(high, value)), sample.n,
                               "DKW band" if low < high else "by the rules"))
    return result


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(-x))


def _law(values: Counts, first: Floats, second: Floats) -> chains.Law:
    return chains.Law(values, first, second)


def _extreme_laws(sample: _Sample, level: float) -> tuple[chains.Law, chains.Law]:
    """The laws worst and best for A that a band for each of the two distribution functions allows."""
    half = 1.0 - (1.0 - level) / 2
    bands = [cdf_band(counts, half) for counts in (sample.first, sample.second)]
    worst = [np.diff(band.high, prepend=0.0) for band in bands]
    best = [np.diff(band.low, prepend=0.0) for band in bands]
    return _law(sample.values, *worst), _law(sample.values, *best)


def _from_pairs(pairs: Pairs) -> _Sample:
    """A sample of duplicates: the pair is the unit."""
    values = np.unique(np.concatenate([pairs.first, pairs.second, [0.0]]))
    rows, columns = np.searchsorted(values, pairs.first), np.searchsorted(values, pairs.second)
    first, second = (np.zeros(values.size, dtype=np.int64) for _ in range(2))
    np.add.at(first, rows, pairs.counts)
    np.add.at(second, columns, pairs.counts)
    n = int(pairs.counts.sum())

    def variance(by_first: Floats, by_second: Floats) -> float:
        moved = by_first[rows] + by_second[columns]
        shares = pairs.counts / n
        return float(shares @ (moved - shares @ moved) ** 2) / max(n - 1, 1)

    return _Sample(values.astype(np.int64), first, second, n, n, variance)


def _from_counts(values: ArrayLike, first_counts: ArrayLike, second_counts: ArrayLike) -> _Sample:
    """A sample of independent deals: each play is a unit."""
    support = np.asarray(values, dtype=np.int64).ravel()
    distinct, where = np.unique(np.append(support, 0), return_inverse=True)
    columns = []
    for counts in (first_counts, second_counts):
        column = np.zeros(distinct.size, dtype=np.int64)
        np.add.at(column, where.ravel()[:-1], checked_counts(counts).ravel())
        columns.append(column)
    sizes = [int(column.sum()) for column in columns]

    def variance(by_first: Floats, by_second: Floats) -> float:
        total = 0.0
        for by, column, n in zip((by_first, by_second), columns, sizes, strict=True):
            shares = column / n
            total += float(shares @ (by - shares @ by) ** 2) / max(n - 1, 1)
        return total

    return _Sample(distinct, columns[0], columns[1], sum(sizes), min(sizes), variance)
