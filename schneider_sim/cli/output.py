"""What commands print: lines and JSON."""

import json
import sys
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
