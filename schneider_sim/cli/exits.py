"""How a command ends: the exit status of every kind of failure, one line for each, no traceback.

0 done; 1 the run failed; 2 the request was wrong; 130 interrupted; 143 terminated. A command may return its own
status (a verdict). With SCHNEIDER_SIM_DEBUG=1 the traceback is shown as well.
"""

import contextlib
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

import click

from ..errors import RequestError, RunError
from .signals import INTERRUPTED, TERMINATED, Terminated, signals

DONE, FAILED, WRONG = 0, 1, 2


class Carried(BaseException):
    """An exception on its way out of a command, which click leaves alone."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error


def run(work: Callable[[], Any], leaving: bool = False) -> int:
    """Call `work` and return the exit status; whatever it raises has been said on standard error.

    leaving: the process ends next, so that a late Ctrl-C no longer matters.
    """
    try:
        with signals(leaving):
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
