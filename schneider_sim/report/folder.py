"""The folder of a report: made beside its place, moved there when whole; what is not ours is never touched."""

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from ..errors import RequestError, RunError

SCHEMA = "schneider-sim report 1"
_DROPPINGS = {".DS_Store", "Thumbs.db", "desktop.ini"}  # what file managers leave in any folder they show


def default_folder(study: Path | None) -> Path:
    """`report` for the built-in study, else `reports/` and the name of the study's file, or of its folder."""
    if study is None:
        return Path("report")
    name = study.stem if study.stem != "study" else study.resolve().parent.name
    return Path("reports") / (name or "study")


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


def check_place(target: Path, own: Mapping[str, bytes]) -> None:
    """Raises RequestError unless `target` is free, an empty folder, or holds a report and nothing else.

    own: files, by their paths, that the report will hold: one that is there already with the same bytes loses nothing.
    """
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise RequestError(f"{target} is a file: give a folder with --out")
    found = [path for path in files_of(target) if path.rpartition("/")[2] not in _DROPPINGS]
    found = [path for path in found if path not in own or (target / path).read_bytes() != own[path]]
    if not found:
        return
    result = report_in(target)
    if result is None:
        raise RequestError(f"{target} exists and is not a report: give a new folder with --out")
    listed = result.get("files")
    ours = {*(listed if isinstance(listed, list) else []), "result.json"}
    foreign = [path for path in found if path not in ours]
    if foreign:
        raise RequestError(f"{target} holds what no report wrote ({foreign[0]}): move it away, or give another --out")


@contextlib.contextmanager
def new_folder(target: str | Path, own: Mapping[str, bytes]) -> Iterator[Path]:
    """A folder to fill, which takes the place of `target` at the end; nothing is left of it when that is not reached.

    It lies beside `target`, links followed, or above where folders on the way are still to be made, and holds the files
    `own` (by path, see `check_place`) from the start. Raises RequestError at once where `target` may not be replaced or
    nothing can be written, RunError where writing fails later. Where the folder is complete and only cannot be moved,
    it stays, and the error says where it is.
    """
    place = Path(os.path.realpath(target))  # before anything is moved, since `target` may lead through it
    try:
        check_place(place, own)
        if os.path.ismount(place):
            raise OSError(None, f"it is a file system of its own and cannot be replaced; try {Path(target) / 'report'}")
        above = next(folder for folder in place.parents if os.path.lexists(folder))
        beside = above / f".{place.name[:40]}-{secrets.token_hex(4)}.new"
        beside.mkdir()
    except OSError as error:
        raise RequestError(f"cannot write {target}: {error.strerror or error}; choose a folder with --out") from None
    try:
        try:
            for path, content in own.items():
                copy = beside.joinpath(*PurePosixPath(path).parts)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)
            yield beside
        except OSError as error:
            raise RunError(f"cannot write {target}: {error.strerror or error}") from None
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    _move(beside, place, own)


def _move(beside: Path, place: Path, own: Mapping[str, bytes]) -> None:
    """Put a finished folder in its place; an old report there goes when the new one stands, and stays otherwise."""
    old = beside.with_suffix(".old")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        check_place(place, own)
        if place.exists():
            place.rename(old)
        beside.rename(place)
    except BaseException as error:
        before = _back(old, place)
        if not isinstance(error, (OSError, RequestError)):
            raise
        why = getattr(error, "strerror", None) or error
        raise RunError(f"the report is complete and cannot be moved to {place} ({why}): it is in {beside}{before}; "
                       "move it yourself") from None
    shutil.rmtree(old, ignore_errors=True)


def _back(old: Path, place: Path) -> str:
    """Put the old report back in its place; what is to be said of where it is, if there was one and was moved."""
    if not old.exists():
        return ""
    with contextlib.suppress(OSError):
        old.rename(place)
        return ", the one that was there is in its place again"
    return f", the one that was there is in {old}"
