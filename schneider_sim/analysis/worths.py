"""What moves are worth on common worlds: a race that drops the ones shown to be behind, and its intervals.

Intervals are those of betting (stats/betting.py), which hold however often and whenever one looks. The differences of
all pairs of moves share the error, so that what is said of all moves at once holds, too, whichever is the best.
"""

import functools
import math
import queue
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..games.protocol import Appraiser, Outcomes
from ..stats.betting import betting_interval, log_wealth
from .bench import Bench

Integers = npt.NDArray[np.int64]

FIRST_LOOK = 1024  # worlds before the first look; every other look has twice as many
ERROR = 0.05


class Worth(NamedTuple):
    """What a move is worth: points with the interval of this move alone, chance to win, own honours in the end.

    behind: how far below the best move, with an interval for all moves at once.
    """

    card: str
    value: float
    low: float
    high: float
    honours: float | None
    win: float
    worlds: int
    behind: float
    behind_low: float
    behind_high: float

    def as_dict(self, kind: str = "card") -> dict[str, Any]:
        """The move as JSON has it; kind: what it is called there."""
        found = {kind: self.card} | {name: value for name, value in self._asdict().items() if name != "card"}
        return {name: value for name, value in found.items() if name != "honours" or value is not None}


class Appraisers:
    """One appraiser for each thread at work, made when it is needed."""

    def __init__(self, make: Callable[[], Appraiser], first: Appraiser) -> None:
        self._make, self._idle = make, queue.SimpleQueue[Appraiser]()
        self._idle.put(first)

    def play(self, moves: Sequence[str], block: int) -> Outcomes:
        """What becomes of moves on a block of worlds."""
        try:
            appraiser = self._idle.get_nowait()
        except queue.Empty:
            appraiser = self._make()
        try:
            return appraiser.play(moves, block)
        finally:
            self._idle.put(appraiser)


def exact_worth(moves: Sequence[str], known: Outcomes) -> tuple[Worth, ...]:
    """What moves are worth where that is known, the best first."""
    points, best = known.points[:, 0].tolist(), int(known.points.max())
    honours = [None] * len(moves) if known.honours is None else known.honours[:, 0].astype(float).tolist()
    found = [Worth(move, float(value), float(value), float(value), own, float(value > 0), 1, *[float(best - value)] * 3)
             for move, value, own in zip(moves, points, honours, strict=True)]
    return tuple(sorted(found, key=lambda one: (-one.value, -(one.honours or 0))))


def race(at: Bench, appraisers: Appraisers, moves: Sequence[str], block: int, most: int,
         values: Sequence[int]) -> tuple[Worth, ...]:
    """What moves are worth, the best first, on at most `most` worlds; values: those that a deal may have.

    A move drops out as soon as another is shown to be better; the race ends when one is left or the worlds are spent.
    """
    running = _Race(len(moves), values)
    done, stop = 0, min(FIRST_LOOK, most)
    while True:
        there = running.contenders
        play = functools.partial(appraisers.play, [moves[k] for k in there])
        blocks = range(done // block, -(-stop // block))
        for found in at.map(play, blocks):
            running.add(there, found, min(block, stop - done))
            done += block
        running.look()
        if stop == most or len(running.contenders) == 1 < len(moves):
            return running.worths(moves)
        done, stop = stop, min(2 * stop, most)


class _Race:
    """The worlds that each move was played on, and which moves may still be the best."""

    def __init__(self, size: int, values: Sequence[int]) -> None:
        self.contenders = list(range(size))
        self._points: list[list[Integers]] = [[] for _ in range(size)]
        self._honours: list[list[Integers]] = [[] for _ in range(size)]
        self._groups: list[Integers] = []
        self._beaten_by: dict[int, int] = {}
        self._bounds = float(values[0]), float(values[-1])
        self._error = ERROR / max(1, size * (size - 1) // 2)

    def add(self, moves: Sequence[int], found: Outcomes, worlds: int) -> None:
        """Add the first `worlds` worlds of a block."""
        for place, move in enumerate(moves):
            self._points[move].append(found.points[place, :worlds])
            if found.honours is not None:
                self._honours[move].append(found.honours[place, :worlds])
        if found.groups is not None:
            self._groups.append(found.groups[:worlds])

    def look(self) -> None:
        """Drop the contenders that another one is shown to be better than."""
        there = self.contenders
        self._beaten_by |= {worse: better for better in there for worse in there
                            if worse != better and self._is_better(better, worse)}
        self.contenders = [move for move in there if move not in self._beaten_by]

    def worths(self, moves: Sequence[str]) -> tuple[Worth, ...]:
        """What is known of every move, the best first."""
        means = [float(self._all(move).mean()) for move in range(len(moves))]
        best = max(self.contenders, key=lambda move: means[move])
        limits = self._limits()
        order = sorted(range(len(moves)), key=lambda move: (move != best, self._behind(move, best)))
        return tuple(self._worth(moves[move], move, best, limits[move]) for move in order)

    def _worth(self, name: str, move: int, best: int, behind: tuple[float, float]) -> Worth:
        points = self._all(move)
        low, high = self._interval(points, ERROR, *self._bounds)
        honours = float(np.concatenate(self._honours[move]).mean()) if self._honours[move] else None
        return Worth(name, float(points.mean()), low, high, honours, float((points > 0).mean()), points.size,
                     self._behind(move, best), *behind)

    def _behind(self, move: int, best: int) -> float:
        return max(0.0, float(self._apart(best, move).mean())) if move != best else 0.0

    def _limits(self) -> list[tuple[float, float]]:
        """For every move, how far it is at least and at most below the best one, whichever that is."""
        pairs = {*combinations(self.contenders, 2)} | {(better, worse) for worse, better in self._beaten_by.items()}
        pairs |= {(better, worse) for better in self.contenders for worse in self._beaten_by}
        found = [(0.0, 0.0)] * len(self._points)
        for better, worse in sorted(pairs):
            low, high = self._interval(self._apart(better, worse), self._error, *self._span)
            least, largest = found[worse]
            found[worse] = max(least, low), max(largest, high) if better in self.contenders else largest
            if worse in self.contenders:
                least, largest = found[better]
                found[better] = max(least, -high), max(largest, -low)
        return found

    @property
    def _span(self) -> tuple[float, float]:
        low, high = self._bounds
        return low - high, high - low

    def _all(self, move: int) -> Integers:
        return np.concatenate(self._points[move])

    def _apart(self, move: int, other: int) -> Integers:
        """By how much a move is worth more than another, on the worlds that both were played on."""
        mine, theirs = self._all(move), self._all(other)
        both = min(mine.size, theirs.size)
        return mine[:both] - theirs[:both]

    def _is_better(self, move: int, other: int) -> bool:
        """Whether a move is shown to be worth more than another."""
        apart = self._apart(move, other)
        mean = float(apart.mean())
        if mean <= 0:
            return False
        values, counts = np.unique(apart, return_counts=True)
        nearer = mean * (1 - 1 / self._widening(apart))
        return log_wealth(values, counts, nearer, *self._span) > -math.log(self._error)

    def _interval(self, values: Integers, error: float, low: float, high: float) -> tuple[float, float]:
        """An interval for a mean that holds at any look."""
        if low == high:
            return low, high
        distinct, counts = np.unique(values, return_counts=True)
        found = betting_interval(distinct, counts, low=low, high=high, alpha=error)
        mean, wider = float(values.mean()), self._widening(values)
        return max(low, mean - wider * (mean - found.low)), min(high, mean + wider * (found.high - mean))

    def _widening(self, values: Integers) -> float:
        """How much wider intervals are because worlds of one group, drawn in the light of plays, go together."""
        if not self._groups:
            return 1.0
        off = values - values.mean()
        alone = float(off @ off)
        _, group = np.unique(np.concatenate(self._groups)[: values.size], return_inverse=True)
        together = np.bincount(group.ravel(), off)
        return math.sqrt(max(1.0, float(together @ together) / alone)) if alone > 0 else 1.0
