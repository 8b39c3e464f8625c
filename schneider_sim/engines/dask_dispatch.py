"""Giving out the ranges of one experiment on a Dask cluster, and taking each back exactly once, even when workers fail.

Workers get an experiment as its recipe and return packed counts. A task is a range, or several neighbouring ones where
they are short, so that the scheduler's work stays a small part of playing. A range is given out again when it is lost
with its worker or the scheduler, or waits behind a slow worker.
"""

import contextlib
import time

from ..errors import RequestError, RunError
from ..runs.experiment import Experiment
from ..runs.recipe import as_text, check_held, recipe_of
from .dask_connection import Connection, Ended
from .dask_ledger import Ledger, Numbers
from .dask_worker import received, task
from .threads import CheckSignals, Finished, Ranges, Work


class Dispatch:
    """One experiment on a cluster: its ledger says what is to be given out, the connection gives and takes.

    check_signals: called while anything is waited for; what it raises ends the run, without what is in flight.
    """

    def __init__(self, address: str, work: Work, experiment: Experiment, ranges: Ranges, patience: float,
                 slow: float, check_signals: CheckSignals) -> None:
        check_held(experiment)
        self._work, self._recipe = work, as_text(recipe_of(experiment))
        self._patience, self._slow = patience, slow
        self._ledger = Ledger(experiment, ranges)
        self._connection = Connection(address, patience, check_signals)

    def close(self) -> None:
        """Drop what is in flight and leave the cluster."""
        self._connection.close()

    def finished(self) -> Finished:
        """Every range as it finishes. The first to fail in order of the deals decides the error."""
        ledger, address = self._ledger, self._connection.address
        alone_since = time.monotonic()
        slots = self._connection.slots()
        while self._fill(slots):
            batch = self._connection.wait(1.0)
            if batch:
                yield from self._take(batch)
            if batch and slots:
                continue
            slots = self._connection.slots()
            if slots:
                alone_since = time.monotonic()
                self._help_slow()
            elif time.monotonic() - alone_since > self._patience:
                start, stop = ledger.open[min(ledger.open)]
                raise RunError(f"the cluster at {address} has no worker for deals {start} to {stop - 1}: start "
                               f"some with 'dask worker {address}', or, if there were some and these deals ended "
                               "them, look at their memory and at preferences of your own")
        if ledger.failure:
            raise ledger.failure[1]

    def _fill(self, slots: int) -> bool:
        """Give out what is due; whether anything is still to be waited for."""
        self._submit(self._ledger.due(slots))
        return bool(self._ledger.open)

    def _submit(self, tasks: list[Numbers], workers: list[str] | None = None) -> None:
        """Give out open ranges."""
        if tasks:
            texts = [task([self._ledger.open[number] for number in numbers], self._work, self._recipe)
                     for numbers in tasks]
            self._ledger.begin(tasks)
            self._connection.submit(texts, tasks, -tasks[0][0], workers)

    def _take(self, batch: Ended) -> Finished:
        """What the futures of `batch` have to say, each range once; gives out again what was lost."""
        good = [(future, numbers) for future, numbers in batch if future.status == "finished"]
        results = self._connection.results([future for future, _ in good], self._slow)
        for (_, numbers), played in zip(good, results, strict=True):
            if played is None:
                self._submit(self._ledger.alone(numbers))
                continue
            outcomes, seconds = played
            self._ledger.took(len(numbers), seconds)
            for number, outcome in zip(numbers, outcomes, strict=True):
                if deals := self._ledger.close(number):
                    yield *deals, received(outcome)
        for future, numbers in batch:
            if future.status == "error":
                self._judge(numbers, future.exception())
        lost = any(future.status not in ("finished", "error") for future, _ in batch)
        self._connection.forget(future for future, _ in batch)
        if lost:  # the scheduler has forgotten us
            self._connection.reconnect()
            self._submit(self._ledger.alone(list(self._ledger.open)))

    def _judge(self, numbers: Numbers, error: Exception) -> None:
        """An error of a task: given out again, range by range; of a range alone: the run ends after the earlier ones.

        A range whose workers died is given out again some times.
        """
        if len(numbers) > 1 or numbers[0] not in self._ledger.open:
            self._submit(self._ledger.alone(numbers))
            return
        [number] = numbers
        start, stop = self._ledger.open[number]
        if type(error).__name__ == "KilledWorker":
            if self._ledger.may_try_again(number):
                self._submit([numbers])
                return
            error = RunError(f"deals {start} to {stop - 1} have ended every worker they were given to: look at the "
                             "workers' logs, and see that they have memory")
        elif isinstance(error, ModuleNotFoundError):
            error = RunError(f"a worker of {self._connection.address} has no {error.name}: install schneider-sim there "
                             "with its extra, pip install '.[dask]' in the folder of its source")
        elif not isinstance(error, RunError | RequestError):
            error = RunError(f"deals {start} to {stop - 1} failed on a worker: {type(error).__name__}: {error}")
        self._ledger.fail(number, error)

    def _help_slow(self) -> None:
        """Give ranges that take far longer than any other has to workers that have nothing to do."""
        overdue = self._ledger.overdue(self._slow)
        idle = self._connection.idle() if overdue else []
        if idle:
            with contextlib.suppress(Exception):  # the scheduler may be gone: what is lost is given out again then
                self._submit(self._ledger.alone(overdue[: 2 * len(idle)]), idle)
