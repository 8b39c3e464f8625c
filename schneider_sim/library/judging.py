"""Traces before the referee: one, or many from a file, an object a line."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..base.text import shown
from ..errors import RequestError
from ..games import load_game
from .arguments import in_arguments

Trace = Mapping[str, Any]


@in_arguments
def judge(traces: "Trace | Iterable[Trace] | str | Path") -> "dict[str, Any] | list[dict[str, Any]]":
    """Put traces before the referee, who replays them by the plain rules.

    traces: one trace, as `replay` gives it; several; or the name of a file of them, one JSON object a line. One trace
    gives {"verdict": "right" or "wrong", "reason": text or None}; several give a list of these, each with its number
    as "line", counted from 1. Raises RequestError where a file cannot be read or holds no trace.
    """
    if isinstance(traces, Mapping):
        return _verdict(fault_of_trace(traces))
    if isinstance(traces, (str, Path)):
        return [{"line": number, **_verdict(reason)} for number, reason in _judged(Path(traces))]
    return [{"line": number, **_verdict(fault_of_trace(trace))} for number, trace in enumerate(traces, start=1)]


def _judged(path: Path) -> "list[tuple[int, str]]":
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise RequestError(f"cannot read '{path}': {error.strerror or error}") from None
    found = [(number, fault(line)) for number, line in enumerate(lines, start=1) if line.strip()]
    if not found:
        raise RequestError(f"there is no trace in '{path}': give one JSON object a line, as replay --json prints")
    return found


def _verdict(reason: str) -> dict[str, Any]:
    return {"verdict": "wrong" if reason else "right", "reason": reason or None}


def fault(line: bytes) -> str:
    """What is wrong with a line that should be a trace, or an empty text."""
    try:
        trace = json.loads(line.decode("utf-8-sig").strip(), object_pairs_hook=_object)
    except RequestError as error:
        return str(error)
    except json.JSONDecodeError as error:
        return f"not JSON ({error.msg} at column {error.colno})"
    except (ValueError, RecursionError) as error:
        return f"not JSON that can be read ({type(error).__name__})"
    return fault_of_trace(trace)


def fault_of_trace(trace: Any) -> str:
    """What is wrong with a value that should be a trace, or an empty text."""
    if not isinstance(trace, Mapping):
        return f"a trace is an object, not {shown(trace)}"
    name: Any = trace.get("game")
    if not isinstance(name, str):
        return "the trace lacks 'game'" if name is None else f"game must be a name, not {shown(name)}"
    try:
        load_game(name).judge(trace)
    except RequestError as error:
        return " ".join(str(error).split())
    return ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a name that stands in it twice would hide a value."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RequestError(f"'{shown(twice)}' is named twice in one object")
    return found
