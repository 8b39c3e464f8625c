"""The log of a climb: JSON lines, the request first, then a line for every round as it is finished."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from ..base.files import replacing
from ..errors import RequestError, RunError
from .climb import Round

NAME = "tune.jsonl"


class Log:
    """The log in a folder, which is made; what it holds of the same request is gone on with.

    Raises RequestError where the folder cannot be written or holds the climb of another request.
    """

    def __init__(self, folder: str | Path, request: Mapping[str, Any]) -> None:
        self._path = Path(folder) / NAME
        self.rounds: list[tuple[Round, dict[str, Any]]] = []
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            lines = list(_whole_lines(self._path)) if self._path.exists() else []
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no log of a climb"
            raise RequestError(f"cannot use '{self._path}': {why}; give another folder with --out") from None
        if lines:
            _check(self._path, lines[0], request)
        self.rounds = [_read(self._path, line) for line in lines[1:]]
        kept = [dict(request), *lines[1:]]
        with replacing(self._path) as beside:  # without a line that was cut off
            beside.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")

    def add(self, played: Round, kept: Mapping[str, Any]) -> None:
        """Append a round; the line is whole on the disk or will not be read."""
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**asdict(played), **kept}, allow_nan=False) + "\n")
        except OSError as error:
            raise RunError(f"cannot write '{self._path}': {error.strerror or error}") from None


def _whole_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of the file; what follows on the last end of line was cut off. ValueError for anything but objects."""
    text = path.read_text(encoding="utf-8")
    for line in text[: text.rfind("\n") + 1].splitlines():
        value = json.loads(line)
        if not isinstance(value, dict):
            raise ValueError("not an object")
        yield value


def _check(path: Path, begun: Mapping[str, Any], request: Mapping[str, Any]) -> None:
    for key, value in request.items():
        if begun.get(key) != value:
            raise RequestError(f"'{path}' holds the climb of another request ({key} differs): give another folder "
                               "with --out, or repeat that request to continue it")


def _read(path: Path, line: Mapping[str, Any]) -> tuple[Round, dict[str, Any]]:
    names = [field.name for field in fields(Round)]
    try:
        return Round(**{name: line[name] for name in names}), {k: v for k, v in line.items() if k not in names}
    except KeyError as error:
        raise RequestError(f"'{path}' is damaged: a round has no {error}; give another folder with --out") from None
