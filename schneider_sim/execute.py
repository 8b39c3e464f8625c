"""Running an experiment's deal ranges on threads; the sum does not depend on how many or in which order."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from .engine import play_range
from .experiment import Experiment
from .games import game
from .tally import Counts, Tally

Progress = Callable[[int], None]


def default_threads() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(
    experiment: Experiment, threads: int | None = None, size: int | None = None
) -> Iterator[tuple[int, int, Counts]]:
    """(start, stop, counts) of every range, in order, while `threads` of them are being played.

    size: deals in a range, by default the experiment's own `cut`.
    An error surfaces at its range, so which of several is reported does not depend on scheduling.
    """
    workers = threads or default_threads()
    ranges = experiment.ranges()
    if workers == 1:
        for start, stop in ranges:
            yield start, stop, play_range(experiment, start, stop)
        return
    start, stop = next(ranges)
    yield start, stop, play_range(experiment, start, stop)  # compiles or loads the kernel once, before the threads
    pool = ThreadPoolExecutor(workers)
    waiting: deque[tuple[int, int, Future[Counts]]] = deque()
    try:
        for start, stop in ranges:
            waiting.append((start, stop, pool.submit(play_range, experiment, start, stop)))
            if len(waiting) > 2 * workers:
                begun, ended, future = waiting.popleft()
                yield begun, ended, future.result()
        while waiting:
            begun, ended, future = waiting.popleft()
            yield begun, ended, future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def run(experiment: Experiment, threads: int | None = None, progress: Progress | None = None) -> Tally:
    """The tally of the whole experiment; `progress` hears the number of deals done after each range."""
    layout = game(experiment.game).layout
    total, done = layout.zeros(), 0
    for start, stop, counts in in_order(experiment, threads):
        total += counts
        done += stop - start
        if progress:
            progress(done)
    return Tally(layout, total)
