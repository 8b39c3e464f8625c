"""A progress bar with rate and time left on standard error, while something long is done."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

Hear = Callable[[int], None]


def aside() -> contextlib.redirect_stdout[Any]:
    """A block in which users' code may run: what it prints goes to standard error, so that results stay pure."""
    return contextlib.redirect_stdout(sys.stderr)


@contextlib.contextmanager
def progress(label: str, total: int | None, unit: str = "deals",
             start: Callable[[], int] = lambda: 0) -> Iterator[Hear]:
    """Show a bar until the block ends; the block calls what it is given with the number of units done so far.

    total: None when it is not known; start: how many of the units came from a store, which the rate leaves out. Nothing
    is shown when standard error is not a terminal. What a user's plug-in prints meanwhile goes to standard error.
    """
    with aside():
        if sys.stderr is None or not sys.stderr.isatty():
            yield lambda done: None
            return
        with _bar(unit, start) as bar:
            task = bar.add_task(label, total=total)
            yield lambda done: bar.update(task, completed=done)


def _bar(unit: str, start: Callable[[], int]) -> Any:
    """A rich progress bar that disappears when it is done; rich shows the cursor again however the block is left."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TextColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        """Units a second and time left, both from what was done, not reused."""

        def render(self, task: Any) -> Text:
            done = task.completed - start()
            if not done or not task.elapsed:
                return Text("starting")
            rate = done / task.elapsed
            left = "" if task.total is None else f", {clock((task.total - task.completed) / rate)} left"
            return Text(f"{short(rate)} {unit}/s{left}")

    console = Console(file=sys.stderr)
    return Progress(TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), Rate(),
                    console=console, transient=True, redirect_stdout=False, redirect_stderr=False)


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
