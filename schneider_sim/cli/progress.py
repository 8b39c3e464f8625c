"""How far something long is, on standard error: a bar with rate and time left, or a line at times off a terminal."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

Hear = Callable[[int], None]
_EVERY = 10.0  # seconds between two plain lines, and before the first


def aside() -> contextlib.redirect_stdout[Any]:
    """A block in which users' code may run: what it prints goes to standard error, so that results stay pure."""
    return contextlib.redirect_stdout(sys.stderr)


@contextlib.contextmanager
def progress(label: str, total: int | None, unit: str = "deals",
             start: Callable[[], int] = lambda: 0) -> Iterator[Hear]:
    """Show a bar until the block ends; the block calls what it is given with the number of units done so far.

    total: None when it is not known; start: how many of the units came from a store, which the rate leaves out. Where
    standard error is not a terminal a line is printed every ten seconds, which is none in a short run. What a user's
    plug-in prints meanwhile goes to standard error.
    """
    with aside():
        if sys.stderr is None or not sys.stderr.isatty():
            yield _lines(label, total, unit, start)
            return
        with _bar(unit, start) as bar:
            task = bar.add_task(label, total=total)
            yield lambda done: bar.update(task, completed=done)


def _lines(label: str, total: int | None, unit: str, start: Callable[[], int]) -> Hear:
    """What hears of progress and prints a line when ten seconds have passed since the last, or since the beginning."""
    begun = said = time.monotonic()

    def hear(done: int) -> None:
        nonlocal said
        now = time.monotonic()
        if sys.stderr is None or now - said < _EVERY or done == total:
            return
        said = now
        of = "" if total is None else f" of {total:,}"
        with contextlib.suppress(OSError, ValueError):
            print(f"{label}: {done:,}{of} {unit}, {_pace(done - start(), done, total, now - begun, unit)}",
                  file=sys.stderr, flush=True)

    return hear


def _bar(unit: str, start: Callable[[], int]) -> Any:
    """A rich progress bar that disappears when it is done; rich shows the cursor again however the block is left."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TextColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """Units a second and time left, both from what was done, not reused."""

        def render(self, task: Any) -> Text:
            return Text(_pace(task.completed - start(), task.completed, task.total, task.elapsed, unit))

    console = Console(file=sys.stderr)
    return Progress(TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), Rate(),
                    console=console, transient=True, redirect_stdout=False, redirect_stderr=False)


def _pace(fresh: float, done: float, total: float | None, seconds: float | None, unit: str) -> str:
    """Units a second and time left, both from what was played afresh."""
    if fresh <= 0 or not seconds:
        return "starting"
    rate = fresh / seconds
    left = "" if total is None else f", {clock((total - done) / rate)} left"
    return f"{short(rate)} {unit}/s{left}"


def short(number: float) -> str:
    """A number in three digits: 950, 12.3k, 4.56M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"


def clock(seconds: float) -> str:
    """Seconds as 0:07, 12:34 or 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
