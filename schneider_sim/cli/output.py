"""What commands print: lines, JSON, and tables as wide as they are."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click


def forgive_encodings() -> None:
    """A character that standard output or error cannot encode is printed as an escape; it is never an error."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and getattr(stream, "errors", "") == "strict" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def say(text: str = "") -> None:
    """Print lines of a result on standard output."""
    click.echo(text)


def say_json(value: Any, indent: int | None = None) -> None:
    """Print a value as JSON: ASCII, the same in every locale; NaN is a fault and raises."""
    click.echo(json.dumps(value, allow_nan=False, indent=indent))


def table(header: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[int] = ()) -> str:
    """Aligned columns as wide as their text, whatever the terminal; `right`: the columns set flush right."""
    cells = [list(header), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]

    def line(row: Sequence[str]) -> str:
        parts = [cell.rjust(width) if k in right else cell.ljust(width)
                 for k, (cell, width) in enumerate(zip(row, widths, strict=True))]
        return "  ".join(parts).rstrip()

    return "\n".join([line(cells[0]), line(["-" * width for width in widths]), *map(line, cells[1:])])
