"""The engine that plays on Dask: worker processes of this machine, or an existing cluster."""

import contextlib
import logging
import os
import signal
import weakref
from collections.abc import Iterator
from multiprocessing import resource_tracker
from pathlib import Path

from ..errors import RequestError
from ..runs.experiment import Experiment
from .dask_dispatch import Dispatch
from .threads import DeferSignals, Engine, Finished, Ranges, Work, default_threads, signals_at_once

PATIENCE = 60.0  # seconds without scheduler or without any worker until the run fails
SLOW = 30.0  # seconds after which a range may be given to a second worker, if it takes far longer than all others


@contextlib.contextmanager
def cluster(
    scheduler: str | None = None, workers: int | None = None, patience: float = PATIENCE, slow: float = SLOW,
    defer_signals: DeferSignals = signals_at_once,
) -> Iterator[Engine]:
    """The engine on the cluster at `scheduler`, an address or a scheduler file, or on `workers` processes started here.

    defer_signals: see engines.threads.signals_at_once; an interruption drops the ranges in flight, since workers
    may need long for them.
    Raises RequestError where Dask is not installed or there is no such file, RunError where no scheduler answers.
    """
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise RequestError("the engine dask needs Dask: pip install '.[dask]' in the folder of schneider-sim's "
                           "source") from None
    with _quiet(), contextlib.ExitStack() as running:
        address = _address(scheduler) if scheduler else _started(running, workers or default_threads(), defer_signals)
        sessions = weakref.WeakSet[Dispatch]()

        def end() -> None:  # those whose generators a traceback holds, which would wait for a loop that has ended
            for session in sessions:
                session.close()

        running.callback(end)

        def engine(work: Work, experiment: Experiment, ranges: Ranges) -> Finished:
            with defer_signals("without the ranges in flight") as check_signals:
                session = Dispatch(address, work, experiment, ranges, patience, slow, check_signals)
                sessions.add(session)
                with contextlib.closing(session):
                    yield from session.finished()

        yield engine


def _started(running: contextlib.ExitStack, workers: int, defer_signals: DeferSignals) -> str:
    """The address of a cluster of `workers` processes of this machine, which ends when `running` is left."""
    from distributed import LocalCluster

    def end() -> None:
        with defer_signals("once the workers have ended"):
            local.close()

    with defer_signals("once the workers have started"), _interrupts_held_back():
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


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Dask's log stays silent, and that of asyncio about what Dask has dropped: what matters is said as one line."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed.")]  # have own levels
    loggers = [logging.getLogger(name) for name in ("distributed", "asyncio", *names)]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


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
