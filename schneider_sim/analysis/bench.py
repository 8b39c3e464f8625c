"""Where candidates are played: threads that share out work until it is done, the time is up, or somebody stops it."""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from ..engines.threads import CheckSignals, DeferSignals, default_threads, signals_at_once

_POLL = 0.1  # seconds between two looks whether to stop

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


class OutOfTime(Exception):
    """The time that was given is up."""


class Bench:
    """A pool of threads; `map` gives outcomes in the order of the items, whatever the threads."""

    def __init__(self, pool: ThreadPoolExecutor, check_signals: CheckSignals) -> None:
        self._pool, self._check_signals = pool, check_signals
        self.deadline: float | None = None  # of time.monotonic

    def map(self, work: Callable[[Item], Outcome], items: Iterable[Item]) -> list[Outcome]:
        """`work` of every item; raises OutOfTime when the deadline has passed, and what `check_signals` raises."""
        futures = [self._pool.submit(work, item) for item in items]
        try:
            found = []
            for future in futures:
                self.check()
                while not wait([future], _POLL).done:
                    self.check()
                found.append(future.result())
            return found
        except BaseException:
            for future in futures:
                future.cancel()
            raise

    def check(self) -> None:
        """Raise what stops the work, if anything does."""
        self._check_signals()
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise OutOfTime


@contextmanager
def bench(threads: int | None = None, defer_signals: DeferSignals = signals_at_once) -> Iterator[Bench]:
    """A bench of `threads` threads, by default one per processor; defer_signals: as engines.threads has it."""
    workers = threads or default_threads()
    with defer_signals("after the deals in flight") as check_signals, ThreadPoolExecutor(workers) as pool:
        yield Bench(pool, check_signals)
