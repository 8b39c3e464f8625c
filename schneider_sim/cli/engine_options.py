"""Options of every command that plays: where runs are kept, and who plays them."""

import contextlib
import functools
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.text import counted
from ..errors import RequestError
from .options import Plain, chain, threads_option
from .signals import Terminated, defer_signals

if TYPE_CHECKING:
    from ..engines.threads import Engine
    from ..store import Store
    from ..store.reuse import StoreRunner

_OPTIONS = chain(
    threads_option,
    click.option("--store", type=click.Path(path_type=Path), metavar="FILE",
                 help="Where runs are kept; by default what SCHNEIDER_SIM_STORE names, else your data folder."),
    click.option("--no-store", is_flag=True, help="Do not use the store: keep nothing, take nothing from it."),
    click.option("--fresh", is_flag=True, help="Play again what is stored and compare; a difference is an error."),
    click.option("--engine", type=Plain("threads", "serial", "dask"), help="Who plays; by default threads."),
    click.option("--scheduler", type=Plain(), metavar="ADDRESS|FILE",
                 help="A Dask cluster in place of this machine: tcp://host:port, or the scheduler's file."),
)


def engine_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command these options and --threads; it gets `play`, a StoreRunner, in their place.

    Standard error says what came from the store and, after an interruption, how to continue.
    """

    @functools.wraps(function)
    def command(*args: Any, store: Path | None, no_store: bool, fresh: bool, engine: str | None, scheduler: str | None,
                threads: int | None, **request: Any) -> Any:
        if no_store and (store or fresh):
            raise RequestError(f"--no-store and {'--store' if store else '--fresh'} exclude each other: leave one out")
        from ..store import switched_off
        from ..store.reuse import StoreRunner

        kept = not (no_store or (store is None and switched_off()))
        if fresh and not kept:
            raise RequestError("--fresh compares with a store, and there is none: name one with --store")
        with contextlib.ExitStack() as opened, _engine(engine, scheduler, threads) as map_ranges:
            play = StoreRunner(map_ranges, functools.partial(_open, store, fresh, opened) if kept else None, fresh,
                               1 if engine == "serial" else threads)
            try:
                status = function(*args, play=play, **request)
            except (KeyboardInterrupt, Terminated):
                _say_how_to_go_on(play, "the file of records" if request.get("records") else "")
                raise
            _report(play)
            return status

    return _OPTIONS(command)


def _say_how_to_go_on(play: "StoreRunner", restarts: str) -> None:
    """What an interruption left in the store; restarts: what the command makes from the first deal on each time."""
    if not play.reused + play.played or play.store is None:
        return
    _say_what_is_lost(play)
    restarts = restarts or ("the comparison" if play.fresh else "")
    again = f"{restarts} starts over with" if restarts else "to continue"
    _say(f"{play.reused + play.played - sum(play.lost.values()):,} deals are safe in '{play.store.path}'; {again}: "
         f"{shlex.join(['schneider-sim', *sys.argv[1:]])}")


def _report(play: "StoreRunner") -> None:
    if not play.reused + play.played or play.store is None:
        return
    _say_what_is_lost(play)
    if play.fresh:
        _say(f"played {counted(play.played, 'deal')} afresh: nothing in '{play.store.path}' differs")
    elif play.reused:
        _say(f"{counted(play.reused, 'deal')} came from the store '{play.store.path}', {play.played:,} were played")


def _say_what_is_lost(play: "StoreRunner") -> None:
    """The runs that somebody deleted while they were being played."""
    assert play.store is not None
    for key, deals in play.lost.items():
        _say(f"run {key} was deleted from '{play.store.path}' while it was being played: what is printed here counts "
             f"all deals, while the store lacks {deals:,} of those that were played")


def _open(path: Path | None, fresh: bool, opened: contextlib.ExitStack) -> "Store | None":
    """The store to use, closed with `opened`; None where none was named or needed and no place can be written."""
    from ..store import Store, chosen_path, usual_path

    path = path or chosen_path()
    try:
        return opened.enter_context(Store(path or usual_path()))
    except RequestError as error:
        if path or fresh:
            raise
        _say(f"{error}; this run is not kept")
        return None


@contextlib.contextmanager
def _engine(name: str | None, scheduler: str | None, threads: int | None) -> "Iterator[Engine]":
    from ..engines.threads import serial, threaded

    if scheduler and name not in (None, "dask"):
        raise RequestError(f"--scheduler needs --engine dask, not {name}")
    if (scheduler and threads) or (name == "serial" and threads):
        other = "--scheduler" if scheduler else "--engine serial"
        raise RequestError(f"--threads has no effect with {other}: leave it out")
    if name == "dask" or scheduler:
        from ..engines.dask import cluster

        with cluster(scheduler, threads, defer_signals=defer_signals) as engine:
            yield engine
    else:
        yield serial if name == "serial" else threaded(threads, defer_signals)


def _say(message: str) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print("schneider-sim:", message, file=sys.stderr, flush=True)
