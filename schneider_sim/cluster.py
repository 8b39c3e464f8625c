"""The engine that plays on Dask: worker processes of this machine, or a cluster that is there.

Workers get an experiment as its recipe and return packed counts. A range counts once, whatever becomes of workers: it
is given out again when it is lost with its worker or the scheduler, or waits behind a slow worker.
"""

import contextlib
import functools
import itertools
import logging
import os
import signal
import time
import weakref
from collections.abc import Iterator
from multiprocessing import resource_tracker
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from .errors import RequestError, RunError
from .execute import Engine, Finished, Heed, Holding, Ranges, Work, at_once, default_threads
from .experiment import Experiment
from .recipe import as_text, recipe_of
from .remote import identity, play_remotely, received

PATIENCE = 60.0  # seconds without scheduler or without any worker until the run fails
SLOW = 30.0  # seconds after which a range may be given to a second worker, if it takes far longer than all others
_AHEAD = 16  # ranges for a slot that may have been given out since the oldest that has not come back
_POLL = 0.1  # seconds between two looks whether the run is to stop
_TRIES = 3  # times that a range may end its workers, each time several of them


@contextlib.contextmanager
def cluster(
    scheduler: str | None = None, workers: int | None = None, patience: float = PATIENCE, slow: float = SLOW,
    holding: Holding = at_once,
) -> Iterator[Engine]:
    """The engine on the cluster at `scheduler`, an address or a scheduler file, or on `workers` processes started here.

    holding: see `execute.at_once`; an interruption drops the ranges in flight, since workers may need long for them.
    Raises RequestError where Dask is not installed or there is no such file, RunError where nobody answers.
    """
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise RequestError("the engine dask needs Dask: pip install 'schneider-sim[dask]'") from None
    with _quiet(), contextlib.ExitStack() as running:
        address = _address(scheduler) if scheduler else _started(running, workers or default_threads(), holding)
        sessions = weakref.WeakSet[_Session]()

        def end() -> None:  # those whose generators a traceback holds, which would wait for a loop that has ended
            for session in sessions:
                session.close()

        running.callback(end)

        def engine(work: Work, experiment: Experiment, ranges: Ranges) -> Finished:
            session = _Session(address, work, experiment, ranges, patience, slow)
            sessions.add(session)
            with holding("without the ranges in flight") as heed, contextlib.closing(session):
                yield from session.finished(heed)

        yield engine


def _started(running: contextlib.ExitStack, workers: int, holding: Holding) -> str:
    """The address of a cluster of `workers` processes of this machine, which ends when `running` is left."""
    from distributed import LocalCluster

    def end() -> None:
        with holding("once the workers have ended"):
            local.close()

    with holding("once the workers have started"), _interrupts_held_back():
        quiet = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}  # no words about a port that is taken
        local = LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, memory_limit=0,
                             dashboard_address=None, scheduler_kwargs=quiet, silence_logs=logging.CRITICAL)
        running.callback(end)
    return str(local.scheduler_address)


def _address(scheduler: str) -> str:
    """The address itself, or what the scheduler's file says."""
    import json

    if "://" in scheduler:
        return scheduler
    try:
        return str(json.loads(Path(scheduler).read_text(encoding="utf-8"))["address"])
    except (OSError, ValueError, KeyError, TypeError):
        raise RequestError(f"--scheduler must be an address such as tcp://host:8786, or the file that 'dask scheduler "
                           f"--scheduler-file FILE' has written, not '{scheduler}'") from None


class _Session:
    """One experiment on a cluster: the ranges given out and not yet yielded, by their number."""

    def __init__(self, address: str, work: Work, experiment: Experiment, ranges: Ranges, patience: float,
                 slow: float) -> None:
        self._address, self._work, self._patience, self._slow = address, work, patience, slow
        self._recipe, self._ranges = as_text(recipe_of(experiment)), iter(ranges)
        self._open: dict[int, tuple[int, int]] = {}
        self._begun: dict[int, float] = {}
        self._failed: dict[int, int] = {}  # how often a range has ended its workers
        self._error: tuple[int, Exception] | None = None
        self._count, self._longest, self._done = 0, 0.0, SimpleQueue[tuple[Any, int]]()
        self._heed: Heed = lambda: None
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

    def finished(self, heed: Heed) -> Finished:
        """Every range as it finishes. The first to fail in order of the deals decides the error; `heed` may raise."""
        self._heed = heed
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
                raise RunError(f"the cluster at {self._address} has no worker: start some with "
                               f"'dask worker {self._address}'")
        if self._error:
            raise self._error[1]

    def _connect(self) -> Any:
        import distributed

        limit = time.monotonic() + self._patience
        while True:
            self._heed()
            try:
                return distributed.Client(self._address, timeout=min(10.0, self._patience), set_as_default=False)
            except (OSError, TimeoutError, ValueError) as error:
                if isinstance(error, ValueError) or time.monotonic() > limit:
                    raise RunError(f"no Dask scheduler answers at {self._address}: start one with 'dask scheduler', or "
                                   "leave out --scheduler for workers on this machine") from None
                time.sleep(0.2)

    def _slots(self) -> int:
        """Threads of all workers; 0 while nobody answers."""
        try:
            return sum(self._client.nthreads().values())
        except Exception:
            return 0

    def _fill(self, slots: int) -> bool:
        """Give out ranges where fewer than two wait for each slot; whether any is still to be waited for."""
        oldest = min(self._open, default=self._count)
        if not self._error and len(self._open) <= 2 * slots and self._count - oldest < _AHEAD * max(slots, 1):
            following = dict(enumerate(itertools.islice(self._ranges, 2 * max(slots, 1)), self._count))
            self._open |= following
            self._count += len(following)
            self._submit(list(following))
        return bool(self._open)

    def _submit(self, numbers: list[int], workers: list[str] | None = None) -> None:
        """Give out open ranges, many at once since that costs the scheduler a fraction of one by one."""
        if not numbers:
            return
        limits = [self._open[number] for number in numbers]
        futures = self._client.map(play_remotely, *zip(*limits, strict=True), work=self._work, recipe=self._recipe,
                                   client=identity(), pure=False, workers=workers, priority=-numbers[0])
        for number, future in zip(numbers, futures, strict=True):
            self._futures.add(future)
            self._begun[number] = time.monotonic()
            future.add_done_callback(functools.partial(self._ended, number))

    def _ended(self, number: int, future: Any) -> None:
        self._done.put((future, number))

    def _wait(self, seconds: float) -> list[tuple[Any, int]]:
        """All futures that have ended, after at most `seconds`."""
        batch: list[tuple[Any, int]] = []
        limit = time.monotonic() + seconds
        while not batch and time.monotonic() < limit:
            self._heed()
            with contextlib.suppress(Empty):
                batch.append(self._done.get(timeout=_POLL))
                while True:
                    batch.append(self._done.get_nowait())
        return [(future, number) for future, number in batch if future in self._futures]

    def _take(self, batch: list[tuple[Any, int]]) -> Finished:
        """What the futures of `batch` have to say, each range once; gives out again what was lost."""
        good = [(future, number) for future, number in batch if future.status == "finished" and number in self._open]
        for (_, number), outcome in zip(good, self._fetched([future for future, _ in good]), strict=True):
            if number not in self._open:  # another worker was faster
                continue
            if outcome is None:
                self._submit([number])
                continue
            start, stop = self._open.pop(number)
            self._longest = max(self._longest, time.monotonic() - self._begun.pop(number))
            yield start, stop, received(outcome)
        for future, number in batch:
            if future.status == "error" and number in self._open:
                self._judge(number, future.exception())
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

    def _judge(self, number: int, error: Exception) -> None:
        """An error of a range: given out again if its workers died; else the run ends, after the earlier ranges."""
        start, stop = self._open[number]
        if type(error).__name__ == "KilledWorker":
            self._failed[number] = self._failed.get(number, 0) + 1
            if self._failed[number] < _TRIES:
                self._submit([number])
                return
            error = RunError(f"deals {start} to {stop - 1} have ended every worker they were given to: look at the "
                             "workers' logs, and see that they have memory")
        elif isinstance(error, ModuleNotFoundError):
            error = RunError(f"a worker of {self._address} has no {error.name}: it needs schneider-sim[dask]")
        elif not isinstance(error, RunError | RequestError):
            error = RunError(f"deals {start} to {stop - 1} failed on a worker: {type(error).__name__}: {error}")
        if self._error is None or number < self._error[0]:
            self._error = (number, error)
        self._open = {n: limits for n, limits in self._open.items() if n < number}

    def _start_again(self) -> None:
        """The scheduler has forgotten us: connect anew and give out everything that has not come back."""
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)
        self._futures.clear()
        self._client = self._connect()
        self._submit(list(self._open))

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
                self._submit(overdue[: 2 * len(idle)], idle)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Dask's log stays silent: what matters of it is said as one line."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextlib.contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Threads and processes started meanwhile never get a terminal's Ctrl-C: this process alone stops them."""
    if os.name != "posix":
        yield
        return
    resource_tracker.ensure_running()  # it would let them through again after its start
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
