"""Running an experiment's deal ranges one after another or on threads; no count depends on how many or in which order.

An engine is one `map`: (work, experiment, ranges) -> (start, stop, outcome) of every range as it finishes. `ordered`
makes of it what everything that looks at counts takes: a `Runner`, which yields the ranges in order.
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np

from ..base.limits import checked_threads
from ..base.tally import Counts, Tally
from ..errors import RequestError
from ..games import load_game
from ..runs.experiment import Experiment, play_range

Progress = Callable[[int], None]
Work = Callable[[Experiment, int, int], Any]
Ranges = Iterable[tuple[int, int]]
Finished = Iterator[tuple[int, int, Any]]
Engine = Callable[[Work, Experiment, Ranges], Finished]
Runner = Callable[[Experiment], Iterator[tuple[int, int, Counts]]]
CheckSignals = Callable[[], None]
DeferSignals = Callable[[str], AbstractContextManager[CheckSignals]]

_AHEAD = 8  # ranges a worker may begin while an earlier one still runs: bounds what waits in memory
_POLL = 0.1  # seconds between two looks whether the run is to stop


def default_threads() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def signals_at_once(how: str) -> AbstractContextManager[CheckSignals]:
    """The DeferSignals that defers nothing: an interruption raises where it arrives, as usual in Python.

    Any other is a block which an interruption leaves only where the CheckSignals that it yields is called, or at its
    end; `how` tells the user how the run then stops: "after the ranges in flight".
    """
    return nullcontext(lambda: None)


def serial(work: Work, experiment: Experiment, ranges: Ranges) -> Finished:
    """The engine that plays one range after another in the calling thread."""
    for start, stop in ranges:
        yield start, stop, work(experiment, start, stop)


def threaded(threads: int | None = None, defer_signals: DeferSignals = signals_at_once) -> Engine:
    """The engine of `threads` threads of this process, by default one per processor.

    When a range fails, no more are begun and the earlier ones are finished and yielded before the error is raised:
    which of several errors that is does not depend on scheduling. An interruption likewise waits for what has begun.
    defer_signals: see `signals_at_once`.
    """
    workers = threads or default_threads()

    def engine(work: Work, experiment: Experiment, ranges: Ranges) -> Finished:
        with defer_signals("after the ranges in flight") as check_signals, _pool(workers) as pool:
            play_range(experiment, experiment.first, experiment.first + 1)  # loads the kernel once, before the threads
            check_signals()
            begun = _Begun(pool, work, experiment, iter(ranges), workers)
            try:
                while begun.more():
                    yield from begun.next_done(check_signals)
            finally:
                begun.cancel(0)
            if begun.failure:
                raise begun.failure[1]

    return engine


@contextmanager
def _pool(workers: int) -> Iterator[ThreadPoolExecutor]:
    """A pool of threads that is waited for at the end, unless the garbage collector ends it in one of its threads."""
    pool, owner = ThreadPoolExecutor(workers), threading.get_ident()
    try:
        yield pool
    finally:
        pool.shutdown(wait=threading.get_ident() == owner)


class _Begun:
    """The ranges that a pool has been given and not yet yielded, in the order of deal numbers."""

    def __init__(self, pool: ThreadPoolExecutor, work: Work, experiment: Experiment,
                 ranges: Iterator[tuple[int, int]], workers: int) -> None:
        self._pool, self._work, self._experiment, self._ranges, self._workers = pool, work, experiment, ranges, workers
        self._futures: dict[Future[Any], tuple[int, int, int]] = {}  # number, start, stop
        self._count = 0
        self.failure: tuple[int, BaseException] | None = None  # the number of the first range that failed, and how

    def more(self) -> bool:
        """Begin what may begin; whether anything is still to be waited for."""
        while not self.failure and len(self._futures) < 2 * self._workers:
            oldest = next(iter(self._futures.values()))[0] if self._futures else self._count
            following = next(self._ranges, None) if self._count - oldest < _AHEAD * self._workers else None
            if following is None:
                break
            future = self._pool.submit(self._work, self._experiment, *following)
            self._futures[future] = (self._count, *following)
            self._count += 1
        return bool(self._futures)

    def next_done(self, check_signals: CheckSignals) -> Finished:
        """Wait until some range is finished and yield all that are."""
        try:
            check_signals()
            while not (done := wait(self._futures, _POLL, FIRST_COMPLETED).done):
                check_signals()
        except BaseException as interruption:
            self._fail(self._count, interruption)
            done = set[Future[Any]]()
        for future in [future for future in self._futures if future in done]:
            number, start, stop = self._futures.pop(future)
            error = future.exception()
            if error:
                self._fail(number, error)
            else:
                yield start, stop, future.result()

    def _fail(self, number: int, error: BaseException) -> None:
        if self.failure is None or number < self.failure[0]:
            self.failure = (number, error)
        self.cancel(number if isinstance(error, Exception) else 0)

    def cancel(self, after: int) -> None:
        """Take back the ranges from number `after` on that have not begun."""
        for future in [future for future, entry in self._futures.items() if entry[0] >= after and future.cancel()]:
            del self._futures[future]


def ordered(engine: Engine) -> Runner:
    """The play that has every range of an experiment run by `engine` and yields (start, stop, counts) in deal order."""

    def play(experiment: Experiment) -> Iterator[tuple[int, int, Counts]]:
        return in_deal_order(experiment.first, engine(play_range, experiment, experiment.ranges()))

    return play


def in_deal_order(first: int, finished: Finished) -> Finished:
    """What `finished` yields of ranges that follow on each other from deal `first` on, in order."""
    early: dict[int, tuple[int, Any]] = {}
    for start, stop, outcome in finished:
        early[start] = (stop, outcome)
        while first in early:
            end, ready = early.pop(first)
            yield first, end, ready
            first = end


def in_order(experiment: Experiment, threads: int | None = None) -> Iterator[tuple[int, int, Counts]]:
    """(start, stop, counts) of every range, in order of the deals, while `threads` of them are being played."""
    return runner_of(None, threads)(experiment)


def runner_of(play: Runner | None, threads: int | None) -> Runner:
    """Who plays: `play`, or as many threads, by default one per processor; RequestError where both are given."""
    if threads is not None and play is not None:
        raise RequestError("threads and play exclude each other: `play` plays on threads of its own, such as "
                           "Player(threaded(2))")
    return play or ordered(threaded(threads if threads is None else checked_threads(threads)))


def joint_tables(play: Runner, experiment: Experiment) -> Iterator[tuple[Counts, Counts, Counts]]:
    """The ranges of an experiment in order, some at once: stops int64[k], joint tables int64[k, cells], their tally.

    A player that has a way of its own to give several ranges at once, such as one with a store, is asked for it.
    """
    if at_once := getattr(play, "joint_tables", None):
        yield from at_once(experiment)
        return
    part = load_game(experiment.game).layout.part("joint")
    for _, stop, counts in play(experiment):
        yield np.array([stop]), counts[part][None], counts


def run(
    experiment: Experiment, threads: int | None = None, progress: Progress | None = None, play: Runner | None = None
) -> Tally:
    """The tally of the whole experiment; `progress` hears the number of deals done after each range.

    play: who plays, by default `threads` threads of this process.
    """
    layout = load_game(experiment.game).layout
    total, done = layout.zeros(), 0
    for start, stop, counts in runner_of(play, threads)(experiment):
        total += counts
        done += stop - start
        if progress:
            progress(done)
    return Tally(layout, total)
