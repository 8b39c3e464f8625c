"""`schneider-sim judge`: checks traces against the rules, one JSON object a line."""

import contextlib
import sys
from collections.abc import Iterator
from typing import BinaryIO

import click

from ..base.text import counted
from ..errors import RequestError
from . import options
from .output import say, say_json


@click.command()
@click.argument("file", metavar="FILE", type=click.Path())
@options.json_option
def command(file: str, as_json: bool) -> None:
    """Judge the traces in FILE (`-`: standard input), one verdict a line; all must be right for exit status 0."""
    from ..library.judging import fault

    judged, wrong, first = 0, 0, ""
    with _opened(file) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            judged += 1
            reason = fault(line)
            if reason:
                wrong += 1
                first = first or f"line {number}: {reason}"
            if as_json:
                say_json({"line": number, "verdict": "wrong" if reason else "right", "reason": reason or None})
            else:
                say(f"line {number}: wrong: {reason}" if reason else f"line {number}: right")
    if not judged:
        raise RequestError(f"there is no trace in {_name(file)}: give one JSON object a line, as replay --json prints")
    if wrong:
        raise RequestError(f"{wrong:,} of {counted(judged, 'trace')} in {_name(file)} {'is' if wrong == 1 else 'are'} "
                           f"wrong; the first: {first}")
    click.echo(f"{judged:,} trace{'s' * (judged != 1)}, all right", err=True)


@contextlib.contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-" and sys.stdin is None:
        raise RequestError("cannot read standard input: it is closed")
    try:
        with contextlib.ExitStack() as stack:
            yield sys.stdin.buffer if file == "-" else stack.enter_context(open(file, "rb"))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise RequestError(f"cannot read {_name(file)}: {error.strerror or error}") from None


def _name(file: str) -> str:
    return "standard input" if file == "-" else f"'{file}'"
