"""How a command ends: the exit status of every kind of failure, one line for each, no traceback.

0 done; 1 the run failed; 2 the request was wrong; 130 interrupted; 143 terminated. A command may return its own
status (a verdict). With SCHNEIDER_SIM_DEBUG=1 the traceback is shown as well.
"""

import contextlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import click

from ..errors import RequestError, RunError

DONE, FAILED, WRONG, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143


class Carried(BaseException):
    """An exception on its way out of a command, which click leaves alone."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


class Terminated(BaseException):
    """SIGTERM as an exception, so that everything that is open is closed in order."""


def run(work: Callable[[], Any], leaving: bool = False) -> int:
    """Call `work` and return the exit status; whatever it raises has been said on standard error.

    leaving: the process ends next, so that a late Ctrl-C no longer matters.
    """
    try:
        with _signals(leaving):
            status = work()
            if sys.stdout is not None:
                sys.stdout.flush()
            return status if isinstance(status, int) else DONE
    except BaseException as raised:
        error = raised.error if isinstance(raised, Carried) else raised
        status, message = _verdict(error)
        if message:
            _say(message, error)
        if leaving and isinstance(error, OSError):
            _close_output()
        return status


def _verdict(error: BaseException) -> tuple[int, str]:
    """The exit status and the line for an exception."""
    match error:
        case SystemExit():
            return (error.code if isinstance(error.code, int) else FAILED if error.code else DONE), ""
        case BrokenPipeError():  # the reader, such as `head`, has had enough
            return DONE, ""
        case KeyboardInterrupt() | click.Abort():
            return INTERRUPTED, "interrupted"
        case Terminated():
            return TERMINATED, "terminated"
        case RequestError():
            return WRONG, str(error)
        case RunError():
            return FAILED, str(error)
        case click.UsageError():
            command = error.ctx.command_path if error.ctx else "schneider-sim"
            return WRONG, f"{error.format_message().rstrip('.')}; '{command} --help' shows what there is"
        case click.ClickException():
            return WRONG, error.format_message()
        case OSError():
            where = f" '{error.filename}'" if error.filename else ""
            return FAILED, f"the system refuses to read or write{where}: {error.strerror or error}"
        case MemoryError():
            return FAILED, "out of memory; fewer --threads need less"
    return FAILED, f"{type(error).__name__}: {error} (a fault of the program: SCHNEIDER_SIM_DEBUG=1 shows where)"


def _say(message: str, error: BaseException) -> None:
    """One line on standard error, whatever the message holds; what a terminal would obey is written out."""
    if sys.stderr is None:  # closed; print would take standard output
        return
    with contextlib.suppress(OSError, ValueError):
        if os.environ.get("SCHNEIDER_SIM_DEBUG", "") not in ("", "0"):
            traceback.print_exception(error)
        line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(message.split()))
        print("schneider-sim:", line, file=sys.stderr, flush=True)


def _close_output() -> None:
    """Send what is still to be written nowhere, so that the interpreter does not complain when it ends."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextlib.contextmanager
def _signals(leaving: bool) -> Iterator[None]:
    """SIGTERM raises; so does the first Ctrl-C, and the second ends the process at once with the cursor shown."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = False

    def terminate(*_: object) -> NoReturn:
        raise Terminated

    def interrupt(*_: object) -> NoReturn:
        nonlocal pressed
        if pressed:
            if sys.stderr is not None and sys.stderr.isatty():
                os.write(2, b"\x1b[?25h\n")
            os._exit(INTERRUPTED)
        pressed = True
        raise KeyboardInterrupt

    before = [(number, signal.getsignal(number)) for number in (signal.SIGTERM, signal.SIGINT)]
    if before[1][1] is not signal.SIG_IGN:  # a background job's Ctrl-C is ignored, and stays so
        signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, signal.SIG_IGN if leaving else handler)
