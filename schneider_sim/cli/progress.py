"""How far something long is, on standard error: a bar with rate and time left, or a line at times off a terminal."""

import contextlib
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from ..base.text import remaining

Hear = Callable[[int], None]
_EVERY = 10.0  # seconds between two plain lines, and before the first
_ENOUGH = 0.8  # seconds of play that a rate is taken from, at least
_APART = 0.1  # seconds between two moments that are remembered
_WINDOW = 20.0  # seconds of play that it is taken from, at most,
_STEPS = 8  # where that is more than this many moments: a pause for compiling, for instance, is no measure by itself
_LONG = 3600.0  # seconds to go that are said at once


def aside() -> contextlib.redirect_stdout[Any]:
    """A block in which users' code may run: what it prints goes to standard error, so that results stay pure."""
    return contextlib.redirect_stdout(sys.stderr)


@contextlib.contextmanager
def progress(label: str, total: int | None, unit: str = "deals",
             start: Callable[[], int] = lambda: 0) -> Iterator[Hear]:
    """Show a bar until the block ends; the block calls what it is given with the number of units done so far.

    total: None when it is not known; start: how many of the units came from a store, which the rate leaves out. If
    standard error is not a terminal, a line is printed every ten seconds (none in a short run), and within two seconds
    of play if the run will take hours. What a user's plug-in prints meanwhile goes to standard error.
    """
    with aside():
        if sys.stderr is None or not sys.stderr.isatty():
            yield _lines(label, total, unit, start)
            return
        pace = Pace(total, unit, start)
        with _bar(pace) as bar:
            task = bar.add_task(label, total=total)

            def hear(done: int) -> None:
                pace.hear(time.monotonic(), done)
                bar.update(task, completed=done)

            yield hear


class Pace:
    """Units a second and the time left, from what was played afresh in the last while.

    The first units that were played afresh begin the measurement, so that compiling and loading are no part of it; a
    time left is given from a second of play on.
    """

    def __init__(self, total: int | None, unit: str, start: Callable[[], int]) -> None:
        self._total, self._unit, self._start = total, unit, start
        self._seen: deque[tuple[float, int, int]] = deque(maxlen=200)  # when, units done, of those played afresh

    def hear(self, now: float, done: int) -> None:
        """Note that `done` units are done."""
        if not self._seen or done > self._seen[-1][1]:
            if len(self._seen) > 1 and now - self._seen[-2][0] < _APART:
                self._seen.pop()
            fresh = done - self._start()
            if self._seen and self._seen[-1][2] <= 0 < fresh:
                self._seen.clear()
            self._seen.append((now, done, fresh))
        while len(self._seen) > _STEPS and now - self._seen[1][0] > _WINDOW:
            self._seen.popleft()

    @property
    def left(self) -> float | None:
        """Seconds to go, None where nothing can be said yet."""
        rate = self._rate()
        return (self._total - self._seen[-1][1]) / rate if rate and self._total is not None else None

    def __str__(self) -> str:
        rate, left = self._rate(), self.left
        if rate is None:
            return "starting"
        return f"{short(rate)} {self._unit}/s" + ("" if left is None else f", {remaining(left)} left")

    def _rate(self) -> float | None:
        if not self._seen:
            return None
        (begun, _, before), (now, _, fresh) = self._seen[0], self._seen[-1]
        return (fresh - before) / (now - begun) if now - begun >= _ENOUGH and fresh > before else None


def _lines(label: str, total: int | None, unit: str, start: Callable[[], int]) -> Hear:
    """What hears of progress and prints a line every ten seconds, and at once where it will take hours."""
    said, pace, warned = time.monotonic(), Pace(total, unit, start), False

    def hear(done: int) -> None:
        nonlocal said, warned
        now = time.monotonic()
        pace.hear(now, done)
        long = not warned and (pace.left or 0.0) > _LONG
        if sys.stderr is None or (now - said < _EVERY and not long) or done == total:
            return
        said, warned = now, warned or long
        of = "" if total is None else f" of {total:,}"
        with contextlib.suppress(OSError, ValueError):
            print(f"{label}: {done:,}{of} {unit}, {pace}", file=sys.stderr, flush=True)

    return hear


def _bar(pace: "Pace") -> Any:
    """A rich progress bar that disappears when it is done; rich shows the cursor again however the block is left."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TextColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(str(pace))

    console = Console(file=sys.stderr)
    return Progress(TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), Rate(),
                    console=console, transient=True, redirect_stdout=False, redirect_stderr=False)


def short(number: float) -> str:
    """A number in three digits: 950, 12.3k, 4.56M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"
