"""Who plays, where runs are kept, and how far something is: what every function that plays can be told."""

import contextlib
import html
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..base.text import parse_int, shown, unknown
from ..engines.threads import Engine, serial, threaded
from ..errors import RequestError
from ..store import Store, usual_path
from ..store.reuse import StoreRunner

Heard = Callable[[int], None]
Progress = bool | Heard | None
Kept = Store | str | Path | bool | None
Player = Engine | str | None
ENGINES = ("threads", "serial", "dask")


@contextlib.contextmanager
def playing(engine: Player = None, threads: int | None = None, store: Kept = None, fresh: bool = False,
            scheduler: str | None = None) -> Iterator[StoreRunner]:
    """What plays experiments: an engine and a store, closed in the end if they were opened here.

    engine: "threads" (default), "serial", "dask", or an Engine such as threaded(2); store: None for no store, True for
    the user's own, a Store, or the path of one; fresh: play again what is stored and compare.
    """
    kept = store is not None and store is not False
    if fresh and not kept:
        raise RequestError("fresh compares with a store, and there is none: name one with store")
    with contextlib.ExitStack() as opened:
        play = opened.enter_context(_engine(engine, scheduler, checked_threads(threads)))
        if kept and not isinstance(store, Store):
            assert store is not None
            place = usual_path() if store is True else Path(store)  # type: ignore[arg-type]
            yield StoreRunner(play, lambda: opened.enter_context(Store(place)), fresh)
        else:
            yield StoreRunner(play, store if isinstance(store, Store) else None, fresh)


def checked_threads(threads: int | None) -> int | None:
    """The number of threads, None for one per processor; RequestError for what is no such number."""
    return None if threads is None else parse_int(threads, "threads", 1, 1024)


@contextlib.contextmanager
def _engine(engine: Player, scheduler: str | None, threads: int | None) -> Iterator[Engine]:
    if isinstance(engine, str) and engine not in ENGINES:
        raise unknown("engine", engine, ENGINES)
    if scheduler is not None and engine not in (None, "dask"):
        raise RequestError("scheduler needs engine=\"dask\"")
    if threads is not None and (engine == "serial" or callable(engine) or scheduler):
        raise RequestError("threads has no effect with this engine: leave it out")
    if engine == "dask" or scheduler is not None:
        from ..engines.dask import cluster

        with cluster(scheduler, threads) as dask:
            yield dask
    elif callable(engine):
        yield engine
    elif engine is None or isinstance(engine, str):
        yield serial if engine == "serial" else threaded(threads)
    else:
        raise RequestError(f"engine must be threads, serial, dask or an engine such as threaded(2), not "
                           f"{shown(engine)}")


@contextlib.contextmanager
def bar(progress: Progress, label: str, total: int | None) -> Iterator[Heard | None]:
    """What hears how many units are done: nothing, the caller's own function, or a bar.

    progress: True shows a bar, in a notebook as HTML below the cell, elsewhere on standard error.
    """
    if progress is None or progress is False:
        yield None
    elif progress is not True:
        if not callable(progress):
            raise RequestError(f"progress must be True, or a function of the number done, not {shown(progress)}")
        yield progress
    elif in_notebook():
        yield from _notebook_bar(label, total)
    else:
        from rich.console import Console
        from rich.progress import Progress as Bars

        with Bars(console=Console(file=sys.stderr), transient=True) as bars:
            task = bars.add_task(label, total=total)
            yield lambda done: bars.update(task, completed=done)


def in_notebook() -> bool:
    """Whether a kernel of Jupyter runs this process."""
    if "IPython" not in sys.modules:
        return False
    shell = sys.modules["IPython"].get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def _notebook_bar(label: str, total: int | None) -> Iterator[Heard]:
    """The browser's own progress bar; it goes when the work is done."""
    from IPython.display import HTML, display

    def drawn(done: int) -> Any:
        share = "" if total is None else f' max="{total}" value="{done}"'
        of = "" if total is None else f" of {total:,}"
        return HTML(f"<progress{share}></progress> {html.escape(label)}: {done:,}{of}")

    shown_bar = display(drawn(0), display_id=True)
    said = 0

    def hear(done: int) -> None:
        nonlocal said
        if total is None or done - said >= total / 200 or done >= total:
            said = done
            shown_bar.update(drawn(done))

    try:
        yield hear
    finally:
        shown_bar.update(HTML(""))
