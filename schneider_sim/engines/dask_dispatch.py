"""Giving out the ranges of one experiment on a Dask cluster, and taking each back exactly once, even when workers fail.

Workers get an experiment as its recipe and return packed counts. A task is a range, or several neighbouring ones where
they are short, so that the scheduler's work stays a small part of playing. A range is given out again when it is lost
with its worker or the scheduler, or waits behind a slow worker.
"""

import asyncio
import contextlib
import functools
import itertools
import math
import threading
import time
from collections.abc import Iterable
from queue import Empty, SimpleQueue
from typing import Any

from ..errors import RequestError, RunError
from ..runs.experiment import Experiment
from ..runs.recipe import as_text, recipe_of
from .dask_worker import received, task
from .threads import CheckSignals, Finished, Ranges, Work

_TASK = 0.3  # seconds of a task that is worth giving out: the scheduler spends less than a millisecond on it
MOST = 8  # ranges in a task
_AHEAD = 16  # ranges for a slot that may have been given out since the oldest that has not come back
_POLL = 0.1  # seconds between two looks whether the run is to stop
_ATTEMPT = 10.0  # seconds of one attempt to reach the scheduler
_TRIES = 3  # times that a range may end its workers, each time several of them

Numbers = tuple[int, ...]


def in_a_task(ranges: int, seconds: float) -> int:
    """How many ranges a task should have, from how many took how many seconds."""
    return max(1, min(MOST, math.ceil(_TASK * ranges / max(seconds, 1e-9))))


class Dispatch:
    """One experiment on a cluster: the ranges given out and not yet yielded, by their number.

    check_signals: called while waiting; what it raises ends the run and drops the ranges in flight.
    """

    def __init__(self, address: str, work: Work, experiment: Experiment, ranges: Ranges, patience: float,
                 slow: float, check_signals: CheckSignals) -> None:
        self._address, self._work, self._patience, self._slow = address, work, patience, slow
        self._recipe, self._ranges = as_text(recipe_of(experiment)), iter(ranges)
        self._end, self._together = experiment.first + experiment.deals, 1
        self._open: dict[int, tuple[int, int]] = {}
        self._begun: dict[int, float] = {}
        self._failed: dict[int, int] = {}  # how often a range has ended its workers
        self._error: tuple[int, Exception] | None = None
        self._count, self._longest, self._done = 0, 0.0, SimpleQueue[tuple[Any, Numbers]]()
        self._check_signals = check_signals
        self._client = self._connect()
        self._futures: set[Any] = set()

    def close(self) -> None:
        """Drop what is in flight and leave the cluster."""

        async def drop() -> None:
            await self._client.cancel(list(self._futures), asynchronous=True, force=True)

        if self._client.status == "closed":
            return
        with contextlib.suppress(Exception):
            self._client.sync(drop, callback_timeout=2)
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)

    def finished(self) -> Finished:
        """Every range as it finishes. The first to fail in the order of deal numbers decides the error."""
        alone_since = time.monotonic()
        slots = self._slots()
        while self._fill(slots):
            batch = self._wait(1.0)
            if batch:
                yield from self._take(batch)
            if batch and slots:
                continue
            slots = self._slots()
            if slots:
                alone_since = time.monotonic()
                self._help_slow()
            elif time.monotonic() - alone_since > self._patience:
                start, stop = self._open[min(self._open)]
                raise RunError(f"the cluster at {self._address} has no worker for deals {start} to {stop - 1}: start "
                               f"some with 'dask worker {self._address}', or, if there were some and these deals ended "
                               "them, look at their memory and at preferences of your own")
        if self._error:
            raise self._error[1]

    def _connect(self) -> Any:
        """A client; Dask's own, when nobody or somebody else answers, may wait for ever and complains when it goes."""
        import distributed

        limit = time.monotonic() + self._patience
        while True:
            error = self._asked(min(_ATTEMPT, self._patience))
            with contextlib.suppress(OSError, TimeoutError):
                if error is None:
                    return distributed.Client(self._address, timeout=10.0, set_as_default=False)
            if isinstance(error, ValueError):
                raise RequestError(f"'{self._address}' is not the address of a scheduler, such as tcp://host:8786 "
                                   f"({error})")
            if error and not isinstance(error, OSError | TimeoutError):  # whatever Dask makes of strange bytes
                raise RunError(f"what answers at {self._address} is not a Dask scheduler of a known version "
                               f"({type(error).__name__}): check address and versions")
            if time.monotonic() > limit:
                raise RunError(f"no Dask scheduler answers at {self._address}: start one with 'dask scheduler', or "
                               "leave out --scheduler for workers on this machine")
            time.sleep(0.2)

    def _asked(self, seconds: float) -> Exception | None:
        """What is wrong with the scheduler, from shaking hands with it in a thread, so that one may stop meanwhile."""
        from distributed import Security
        from distributed.comm.core import connect

        async def shake() -> None:
            options = Security().get_connection_args("client")
            comm = await asyncio.wait_for(connect(self._address, timeout=seconds, **options), seconds)
            comm.abort()

        def ask() -> None:
            try:
                asyncio.run(shake())
            except Exception as error:
                found.append(error)

        found: list[Exception] = []
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        while asking.is_alive():
            self._check_signals()
            asking.join(_POLL)
        return found[0] if found else None

    def _slots(self) -> int:
        """Threads of all workers; 0 while nobody answers."""
        try:
            return sum(self._client.nthreads().values())
        except Exception:
            return 0

    def _fill(self, slots: int) -> bool:
        """Give out ranges where fewer than two tasks wait for each slot; whether any is still to be waited for."""
        oldest = min(self._open, default=self._count)
        if (not self._error and len(self._open) <= 2 * slots * self._together
                and self._count - oldest < _AHEAD * max(slots, 1)):
            wanted = 2 * max(slots, 1) * self._together
            following = dict(enumerate(itertools.islice(self._ranges, wanted), self._count))
            self._open |= following
            self._count += len(following)
            size = min(self._together, self._shared(list(following.values()), slots))
            numbers = tuple(following)
            self._submit([numbers[place : place + size] for place in range(0, len(numbers), size)])
        return bool(self._open)

    def _shared(self, following: list[tuple[int, int]], slots: int) -> int:
        """Ranges for a task so that all still to be played, if they are like the last, give each slot four tasks."""
        if not following:
            return 1
        start, stop = following[-1]
        return max(1, (self._end - start) // (stop - start) // (4 * max(slots, 1)))

    def _submit(self, tasks: list[Numbers], workers: list[str] | None = None) -> None:
        """Give out open ranges, many at once since that costs the scheduler a fraction of one by one."""
        if not tasks:
            return
        texts = [task([self._open[number] for number in numbers], self._work, self._recipe) for numbers in tasks]
        futures = self._client.map(eval, texts, pure=False, workers=workers, priority=-tasks[0][0])
        for numbers, future in zip(tasks, futures, strict=True):
            self._futures.add(future)
            self._begun |= dict.fromkeys(numbers, time.monotonic())
            future.add_done_callback(functools.partial(self._ended, numbers))

    def _submit_alone(self, numbers: Iterable[int], workers: list[str] | None = None) -> None:
        self._submit([(number,) for number in numbers if number in self._open], workers)

    def _ended(self, numbers: Numbers, future: Any) -> None:
        self._done.put((future, numbers))

    def _wait(self, seconds: float) -> list[tuple[Any, Numbers]]:
        """All futures that have ended, after at most `seconds`."""
        batch: list[tuple[Any, Numbers]] = []
        limit = time.monotonic() + seconds
        while not batch and time.monotonic() < limit:
            self._check_signals()
            with contextlib.suppress(Empty):
                batch.append(self._done.get(timeout=_POLL))
                while True:
                    batch.append(self._done.get_nowait())
        return [(future, numbers) for future, numbers in batch if future in self._futures]

    def _take(self, batch: list[tuple[Any, Numbers]]) -> Finished:
        """What the futures of `batch` have to say, each range once; gives out again what was lost."""
        good = [(future, numbers) for future, numbers in batch if future.status == "finished"]
        for (_, numbers), played in zip(good, self._fetched([future for future, _ in good]), strict=True):
            if played is None:
                self._submit_alone(numbers)
                continue
            outcomes, seconds = played
            self._together = in_a_task(len(numbers), seconds)
            for number, outcome in zip(numbers, outcomes, strict=True):
                if number in self._open:  # else another worker was faster
                    start, stop = self._open.pop(number)
                    self._longest = max(self._longest, time.monotonic() - self._begun.pop(number))
                    yield start, stop, received(outcome)
        for future, numbers in batch:
            if future.status == "error":
                self._judge(numbers, future.exception())
        lost = any(future.status not in ("finished", "error") for future, _ in batch)
        self._futures.difference_update(future for future, _ in batch)
        if lost:
            self._start_again()

    def _fetched(self, futures: list[Any]) -> list[Any]:
        """What finished futures returned; None where it cannot be had, as from a worker that has hung up since."""

        async def all_at_once() -> Any:
            return await self._client.gather(futures, asynchronous=True)

        try:
            return list(self._client.sync(all_at_once, callback_timeout=self._slow))
        except Exception:
            return [self._fetched_alone(future) for future in futures]

    @staticmethod
    def _fetched_alone(future: Any) -> Any:
        try:
            return future.result(timeout=1)
        except Exception:
            return None

    def _judge(self, numbers: Numbers, error: Exception) -> None:
        """An error of a task: given out again, range by range; of a range alone: the run ends after the earlier ones.

        A range whose workers died is given out again some times.
        """
        if len(numbers) > 1 or numbers[0] not in self._open:
            self._submit_alone(numbers)
            return
        [number] = numbers
        start, stop = self._open[number]
        if type(error).__name__ == "KilledWorker":
            self._failed[number] = self._failed.get(number, 0) + 1
            if self._failed[number] < _TRIES:
                self._submit([numbers])
                return
            error = RunError(f"deals {start} to {stop - 1} have ended every worker they were given to: look at the "
                             "workers' logs, and see that they have memory")
        elif isinstance(error, ModuleNotFoundError):
            error = RunError(f"a worker of {self._address} does not have {error.name}: install schneider-sim there "
                             "with its extra, pip install '.[dask]' in the folder of its source")
        elif not isinstance(error, RunError | RequestError):
            error = RunError(f"deals {start} to {stop - 1} failed on a worker: {type(error).__name__}: {error}")
        if self._error is None or number < self._error[0]:
            self._error = (number, error)
        self._open = {n: limits for n, limits in self._open.items() if n < number}

    def _start_again(self) -> None:
        """The scheduler has forgotten us: connect again and give out everything that has not come back."""
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)
        self._futures.clear()
        self._client = self._connect()
        self._submit_alone(list(self._open))

    def _help_slow(self) -> None:
        """Give ranges that take far longer than any other has to workers that have nothing to do."""
        late = time.monotonic() - max(self._slow, 4 * self._longest)
        overdue = [number for number in sorted(self._open) if self._begun[number] < late]
        if not overdue:
            return
        with contextlib.suppress(Exception):
            busy = {worker for worker, keys in self._client.processing().items() if keys}
            idle = [worker for worker in self._client.nthreads() if worker not in busy]
            if idle:
                self._submit_alone(overdue[: 2 * len(idle)], idle)
