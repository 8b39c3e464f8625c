"""The ledger of one experiment's ranges: which are given out, since when, what failed. It knows no Dask."""

import itertools
import math
import time
from collections.abc import Iterable

from ..runs.experiment import Experiment
from .threads import Ranges

_TASK = 0.3  # seconds of a task that is worth giving out: the scheduler spends less than a millisecond on it
MOST = 8  # ranges in a task
_AHEAD = 16  # ranges for a slot that may have been given out since the oldest that has not come back
_TRIES = 3  # times that a range may end its workers, each time several of them

Numbers = tuple[int, ...]


def in_a_task(ranges: int, seconds: float) -> int:
    """How many ranges a task should have, judged by the seconds that a number of them took."""
    return max(1, min(MOST, math.ceil(_TASK * ranges / max(seconds, 1e-9))))


class Ledger:
    """The ranges that have been given out and not come back, by their number in order of the deals.

    open: number -> start, stop; failure: the first range that failed, by number, and how.
    """

    def __init__(self, experiment: Experiment, ranges: Ranges) -> None:
        self.open: dict[int, tuple[int, int]] = {}
        self.failure: tuple[int, Exception] | None = None
        self._ranges, self._end = iter(ranges), experiment.first + experiment.deals
        self._begun: dict[int, float] = {}
        self._deaths: dict[int, int] = {}  # how often a range has ended its workers
        self._count, self._together, self._longest = 0, 1, 0.0

    def due(self, slots: int) -> list[Numbers]:
        """Tasks of new ranges, where fewer than two tasks wait for each slot."""
        oldest = min(self.open, default=self._count)
        if (self.failure or len(self.open) > 2 * slots * self._together
                or self._count - oldest >= _AHEAD * max(slots, 1)):
            return []
        following = dict(enumerate(itertools.islice(self._ranges, 2 * max(slots, 1) * self._together), self._count))
        self.open |= following
        self._count += len(following)
        size = min(self._together, self._shared(list(following.values()), slots))
        numbers = tuple(following)
        return [numbers[place : place + size] for place in range(0, len(numbers), size)]

    def _shared(self, following: list[tuple[int, int]], slots: int) -> int:
        """Ranges for a task so that all still to be played, if they are like the last, give each slot four tasks."""
        if not following:
            return 1
        start, stop = following[-1]
        return max(1, (self._end - start) // (stop - start) // (4 * max(slots, 1)))

    def alone(self, numbers: Iterable[int]) -> list[Numbers]:
        """A task for each of the ranges that is still open."""
        return [(number,) for number in numbers if number in self.open]

    def begin(self, tasks: list[Numbers]) -> None:
        """The tasks are given out now."""
        self._begun |= dict.fromkeys(itertools.chain.from_iterable(tasks), time.monotonic())

    def took(self, ranges: int, seconds: float) -> None:
        """Note how long a task of a number of ranges took: later ones are made to fit."""
        self._together = in_a_task(ranges, seconds)

    def close(self, number: int) -> tuple[int, int] | None:
        """The deals of a range that has come back; None where it has before, since another worker was faster."""
        if number not in self.open:
            return None
        self._longest = max(self._longest, time.monotonic() - self._begun.pop(number))
        return self.open.pop(number)

    def may_try_again(self, number: int) -> bool:
        """Whether a range that has just ended its workers may be given to others."""
        self._deaths[number] = self._deaths.get(number, 0) + 1
        return self._deaths[number] < _TRIES

    def fail(self, number: int, error: Exception) -> None:
        """The run fails at this range: those before it are played to the end, those after it dropped."""
        if self.failure is None or number < self.failure[0]:
            self.failure = (number, error)
        self.open = {n: limits for n, limits in self.open.items() if n < number}

    def overdue(self, slow: float) -> list[int]:
        """The ranges that take longer than `slow` seconds and far longer than any other has."""
        late = time.monotonic() - max(slow, 4 * self._longest)
        return [number for number in sorted(self.open) if self._begun[number] < late]
