"""Reading traces from a file, one JSON object a line, as `replay --json` prints them."""

import json
import sys
from pathlib import Path
from typing import Any

from ..base.text import shown
from ..errors import RequestError


def read_traces(file: str) -> list[dict[str, Any]]:
    """The objects of a file's lines (`-`: standard input); RequestError names the first line that is none."""
    name = "standard input" if file == "-" else f"'{file}'"
    if file == "-" and sys.stdin is None:
        raise RequestError("cannot read standard input: it is closed")
    try:
        body = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        lines = body.decode("utf-8-sig").splitlines()
    except OSError as error:
        raise RequestError(f"cannot read {name}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise RequestError(f"{name} is no text in UTF-8: give one JSON object a line, as replay --json "
                           "prints") from None
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise RequestError(f"line {number} of {name} is not JSON: give one object a line, as replay --json "
                               "prints") from None
        if not isinstance(value, dict):
            raise RequestError(f"line {number} of {name}: a trace is an object, not {shown(value)}")
        found.append(value)
    if not found:
        raise RequestError(f"there is no trace in {name}: give one JSON object a line, as replay --json prints")
    return found
