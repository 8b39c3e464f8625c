"""The connection to a Dask scheduler: reaching it, giving it tasks, taking what ends; it knows no ranges of deals."""

import asyncio
import contextlib
import functools
import threading
import time
from collections.abc import Iterable, Sequence
from queue import Empty, SimpleQueue
from typing import Any

from ..errors import RequestError, RunError
from .threads import CheckSignals

_POLL = 0.1  # seconds between two looks whether the run is to stop
_ATTEMPT = 10.0  # seconds of one attempt to reach the scheduler

Ended = list[tuple[Any, Any]]


class Connection:
    """A client of the scheduler at `address`, and the futures in flight, each with a tag that says what it is for.

    patience: seconds without an answer until it fails; check_signals: called while anything is waited for.
    Raises RequestError where the address is none, RunError where no scheduler of a known version answers.
    """

    def __init__(self, address: str, patience: float, check_signals: CheckSignals) -> None:
        self.address = address
        self._patience, self._check_signals = patience, check_signals
        self._futures: set[Any] = set()
        self._ended = SimpleQueue[tuple[Any, Any]]()
        self._client = self._connect()

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

    def reconnect(self) -> None:
        """Connect again; what was in flight is forgotten."""
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)
        self._futures.clear()
        self._client = self._connect()

    def slots(self) -> int:
        """Threads of all workers; 0 while nobody answers."""
        try:
            return sum(self._client.nthreads().values())
        except Exception:
            return 0

    def idle(self) -> list[str]:
        """The workers that have nothing to do; none while nobody answers."""
        try:
            busy = {worker for worker, keys in self._client.processing().items() if keys}
            return [worker for worker in self._client.nthreads() if worker not in busy]
        except Exception:
            return []

    def submit(self, texts: Sequence[str], tags: Sequence[Any], priority: int, workers: list[str] | None) -> None:
        """Give out tasks, many at once since that costs the scheduler a fraction of one by one."""
        futures = self._client.map(eval, texts, pure=False, workers=workers, priority=priority)
        for tag, future in zip(tags, futures, strict=True):
            self._futures.add(future)
            future.add_done_callback(functools.partial(self._put, tag))

    def wait(self, seconds: float) -> Ended:
        """All futures in flight that have ended, with their tags, after at most `seconds`."""
        batch: Ended = []
        limit = time.monotonic() + seconds
        while not batch and time.monotonic() < limit:
            self._check_signals()
            with contextlib.suppress(Empty):
                batch.append(self._ended.get(timeout=_POLL))
                while True:
                    batch.append(self._ended.get_nowait())
        return [(future, tag) for future, tag in batch if future in self._futures]

    def results(self, futures: list[Any], seconds: float) -> list[Any]:
        """What finished futures returned; None where it cannot be had, as from a worker that has hung up since."""

        async def all_at_once() -> Any:
            return await self._client.gather(futures, asynchronous=True)

        try:
            return list(self._client.sync(all_at_once, callback_timeout=seconds))
        except Exception:
            return [_result(future) for future in futures]

    def forget(self, futures: Iterable[Any]) -> None:
        """These futures are no longer in flight."""
        self._futures.difference_update(futures)

    def _put(self, tag: Any, future: Any) -> None:
        self._ended.put((future, tag))

    def _connect(self) -> Any:
        """A client; Dask's own, when nobody or somebody else answers, may wait for ever and complains when it goes."""
        import distributed

        limit = time.monotonic() + self._patience
        while True:
            error = self._asked(min(_ATTEMPT, self._patience))
            with contextlib.suppress(OSError, TimeoutError):
                if error is None:
                    return distributed.Client(self.address, timeout=10.0, set_as_default=False)
            if isinstance(error, ValueError):
                raise RequestError(f"'{self.address}' is not the address of a scheduler, such as tcp://host:8786 "
                                   f"({error})")
            if error and not isinstance(error, OSError | TimeoutError):  # whatever Dask makes of strange bytes
                raise RunError(f"what answers at {self.address} is not a Dask scheduler of a version known here "
                               f"({type(error).__name__}): see that address and versions are right")
            if time.monotonic() > limit:
                raise RunError(f"no Dask scheduler answers at {self.address}: start one with 'dask scheduler', or "
                               "leave out --scheduler for workers on this machine")
            time.sleep(0.2)

    def _asked(self, seconds: float) -> Exception | None:
        """What is wrong with the scheduler, from shaking hands with it in a thread, so that one may stop meanwhile."""
        from distributed import Security
        from distributed.comm.core import connect

        async def shake() -> None:
            options = Security().get_connection_args("client")
            comm = await asyncio.wait_for(connect(self.address, timeout=seconds, **options), seconds)
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


def _result(future: Any) -> Any:
    try:
        return future.result(timeout=1)
    except Exception:
        return None
