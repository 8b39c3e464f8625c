"""Ctrl-C and SIGTERM: the first ends a command in order, the second the process at once.

The first raises where it arrives, unless work defers it: then a line says at once how the work stops, and the exception
comes where the work checks for it. An exception between any two steps may be lost, in a `__del__` or in what LLVM calls
back while it compiles, or leave a lock held.
"""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator

INTERRUPTED, TERMINATED = 130, 143
_SAME = 0.3  # seconds in which another signal is the first once more, as wrappers send it twice


class Terminated(BaseException):
    """SIGTERM as an exception, so that everything that is open is closed in order."""


class _Signals:
    """The handler of both signals while a command runs."""

    def __init__(self) -> None:
        self._how = ""  # how the work that holds the signals stops
        self._came: float | None = None  # when the first came
        self._waiting: type[BaseException] | None = None  # what it shall raise

    def __call__(self, number: int, _: object) -> None:
        interrupted, now = number == signal.SIGINT, time.monotonic()
        if self._came is not None:
            if now - self._came > _SAME:
                _leave(INTERRUPTED if interrupted else TERMINATED)
            return
        self._came = now
        self._waiting = kind = KeyboardInterrupt if interrupted else Terminated
        if not self._how:
            raise kind  # and again where work checks for it, if this is lost in a `__del__` or during compilation
        again = "Ctrl-C" if interrupted else "SIGTERM"
        _write(f"schneider-sim: stopping {self._how}; {again} again stops at once\n", "\r\x1b[2K")

    @contextlib.contextmanager
    def deferred(self, how: str) -> Iterator[Callable[[], None]]:
        before, self._how = self._how, how
        try:
            yield self._check_signals
        finally:
            self._how = before
        self._check_signals()

    def _check_signals(self) -> None:
        if self._waiting:
            kind, self._waiting = self._waiting, None
            raise kind


@contextlib.contextmanager
def signals(leaving: bool) -> Iterator[None]:
    """A block in which the signals do what this file says; leaving: the process ends next, late ones are ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = _Signals()
    before = [(number, signal.getsignal(number)) for number in (signal.SIGTERM, signal.SIGINT)]
    if before[1][1] is not signal.SIG_IGN:  # a background job's Ctrl-C is ignored, and stays so
        signal.signal(signal.SIGINT, handler)
    signal.signal(signal.SIGTERM, handler)
    try:
        yield
    finally:
        for number, was in before:
            signal.signal(number, signal.SIG_IGN if leaving else was)


def defer_signals(how: str) -> contextlib.AbstractContextManager[Callable[[], None]]:
    """A block that Ctrl-C and SIGTERM leave only where it calls what it is given, or at its end.

    how: what follows "stopping" in the line that the first signal prints.
    """
    handler = signal.getsignal(signal.SIGTERM)
    return handler.deferred(how) if isinstance(handler, _Signals) else contextlib.nullcontext(lambda: None)


def _leave(status: int) -> None:
    _write("", "\x1b[?25h\n")  # shows the cursor, which a progress bar hides
    os._exit(status)


def _write(text: str, before: str) -> None:
    """Past Python's buffers, in which a signal's handler may not write; before: what a terminal gets first."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        os.write(sys.stderr.fileno(), f"{before if sys.stderr.isatty() else ''}{text}".encode())
