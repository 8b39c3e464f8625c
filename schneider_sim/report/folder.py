"""The folder of a report: made beside its place, moved there when whole; what is not ours is never touched."""

import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from ..errors import RequestError, RunError

SCHEMA = "schneider-sim report 1"
_DROPPINGS = {".DS_Store", "Thumbs.db", "desktop.ini"}  # what file managers leave in any folder they show


def slug(name: str) -> str:
    """A file name for any text: what is left of it in plain letters, then a short hash that keeps names apart."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    kept = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-")
    return f"{kept or 'policy'}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def files_of(folder: Path) -> list[str]:
    """The files below a folder, as paths with slashes, in order."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def report_in(folder: Path) -> dict[str, object] | None:
    """The result.json of a report that this program wrote there, or None."""
    try:
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return result if isinstance(result, dict) and result.get("schema") == SCHEMA else None


def check_place(target: Path) -> None:
    """Raises RequestError unless `target` is free, an empty folder, or holds a report and nothing else."""
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise RequestError(f"{target} is a file: give a folder with --out")
    found = files_of(target)
    if not found and not any(target.iterdir()):
        return
    result = report_in(target)
    if result is None:
        raise RequestError(f"{target} exists and is not a report: give a new folder with --out")
    listed = result.get("files")
    ours = {*(listed if isinstance(listed, list) else []), "result.json"}
    foreign = [path for path in found if path not in ours and path.rpartition("/")[2] not in _DROPPINGS]
    if foreign:
        raise RequestError(f"{target} holds what no report wrote ({foreign[0]}): move it away, or give another --out")


@contextlib.contextmanager
def new_folder(target: str | Path) -> Iterator[Path]:
    """A folder to fill, which takes the place of `target` at the end; nothing is left of it when that is not reached.

    It lies beside `target`, or above where folders on the way are still to be made. Raises RequestError at once where
    `target` may not be replaced or nothing can be written, RunError where writing fails later.
    """
    place = Path(target).absolute()
    place = place.resolve() if place.is_symlink() else place
    try:
        check_place(place)
        above = next(folder for folder in place.parents if os.path.lexists(folder))
        beside = above / f".{place.name[:40]}-{secrets.token_hex(4)}.new"
        beside.mkdir()
    except OSError as error:
        raise RequestError(f"cannot write {target}: {error.strerror or error}; choose a folder with --out") from None
    try:
        yield beside
        place.parent.mkdir(parents=True, exist_ok=True)
        _move(beside, place)
    except OSError as error:
        raise RunError(f"cannot write {target}: {error.strerror or error}") from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _move(beside: Path, place: Path) -> None:
    """Put a finished folder in its place; an old report there goes when the new one stands."""
    check_place(place)
    if not place.exists():
        beside.rename(place)
        return
    old = beside.with_suffix(".old")
    place.rename(old)
    try:
        beside.rename(place)
    except OSError:
        old.rename(place)
        raise
    shutil.rmtree(old, ignore_errors=True)
