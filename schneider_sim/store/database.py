"""The store: one SQLite file with the tally of every finished deal range of every run.

Several processes may use one file; each change is one transaction, so that a process may die at any moment.
"""

import contextlib
import datetime
import functools
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..base.packing import pack, unpack_from
from ..base.tally import Counts, Layout
from ..errors import RequestError, RunError
from ..runs.recipe import Recipe, as_text, key_of
from ..version import __version__
from .plays import cut_alike, filled, unlike
from .schema import connect, trouble
from .series import Ranges, decode, encode, joined, joint_of, one_range

WAIT = 30.0  # seconds for other processes to finish writing
_OFF = ("0", "off", "no")


class Stored(NamedTuple):
    """A run in the store: its number there, its key, and what it is; seed and recipe as in recipe.py.

    Once it has been deleted, its number may be that of another run: only its key says which run is meant.
    """

    id: int
    key: str
    game: str
    a: str
    b: str
    seed: int
    design: str
    created: str
    version: str

    def __str__(self) -> str:
        return f"run {self.key[:12]}"


class Part(NamedTuple):
    """The tally of deals start … stop - 1 of the run of that key, by the number of its row and its counts' SHA-256."""

    id: int
    start: int
    stop: int
    sha256: str
    key: str

    def begins_or_ends_with(self, start: int, stop: int) -> bool:
        """Whether deals start … stop - 1 are the first, the last or all of its deals."""
        return self.start <= start and stop <= self.stop and (self.start == start or self.stop == stop)


class Damaged(RunError):
    """A stored run or range is not what was written; `how`: in what way, in a few words."""

    def __init__(self, line: str, how: str) -> None:
        super().__init__(line)
        self.how = how


class Changed(RunError):
    """A stored range, or its run, was deleted or divided by another process since it was looked up."""


class Store:
    """An open store; use as a context manager. Errors are RunError in one line, RequestError for an unknown run.

    reading: nothing is to be changed, so that a file that may only be read will do.
    """

    def __init__(self, path: str | os.PathLike[str], wait: float = WAIT, reading: bool = False) -> None:
        self.path = Path(path)
        self._database = connect(self.path, wait, reading)
        self._place = os.path.realpath(self.path)
        self._file = self._identity()
        self._recipe_of = functools.cache(self.recipe)  # of one open store: a key never gets another recipe

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._database.close()

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """One transaction, alone among all processes: all of it happens or nothing."""
        if self._database.in_transaction:
            yield
            return
        self._do("BEGIN IMMEDIATE")
        try:
            yield
            self._do("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            raise

    def runs(self) -> list[Stored]:
        """Every run, the oldest first."""
        return [_stored(row) for row in self._do(f"{_SELECT_RUN} ORDER BY id")]

    def find(self, key: str) -> Stored:
        """The run with a key that begins with `key`."""
        found = [run for run in self.runs() if run.key.startswith(key.strip().lower())] if key.strip() else []
        if len(found) != 1:
            what = "no run" if not found else f"{len(found)} runs"
            raise RequestError(f"{what} in '{self.path}' with a key that begins with '{key}': `runs list` shows "
                               "the keys")
        return found[0]

    def of(self, recipe: Recipe) -> Stored | None:
        """The run of a recipe, if there is one."""
        rows = self._do(f"{_SELECT_RUN} WHERE key = ?", key_of(recipe))
        return _stored(rows[0]) if rows else None

    def add_run(self, recipe: Recipe, version: str = __version__) -> Stored:
        """The run of a recipe, made if there is none."""
        with self.changing():
            self._do("INSERT INTO run (key, game, a, b, seed, design, recipe, created, version) "
                     "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING", key_of(recipe), recipe["game"],
                     recipe["a"], recipe["b"], str(recipe["seed"]), recipe["design"], as_text(recipe), _now(), version)
            run = self.of(recipe)
        assert run is not None
        return run

    def recipe(self, run: Stored) -> Recipe:
        """The recipe of a run; RunError where it is not the one that its key names."""
        rows = self._do("SELECT recipe FROM run WHERE key = ?", run.key)
        if not rows:
            raise Changed(f"{run} was deleted from '{self.path}' meanwhile: try again")
        with contextlib.suppress(ValueError, KeyError, TypeError):
            recipe: Recipe = json.loads(rows[0][0])
            if key_of(recipe) == run.key:
                return recipe
        raise self._damaged(run, "its recipe does not agree with its key")

    def parts(self, run: Stored, first: int = 0, stop: int = 2**63) -> list[Part]:
        """The parts of a run that touch deals first … stop - 1, in order."""
        rows = self._do(f"SELECT id, start, last, sha256 FROM part WHERE run = {_ROW} AND start <= ? AND start >= "
                        f"coalesce((SELECT max(start) FROM part WHERE run = {_ROW} AND start <= ?), 0) ORDER BY start",
                        run.key, stop - 1, run.key, first)
        return [Part(number, start, last + 1, sha, run.key) for number, start, last, sha in rows if last >= first]

    def settings(self) -> dict[str, str | None]:
        """For every run, by its key: rules, detail, score and plug-ins as a JSON list; None if they are damaged.

        Runs with the same settings have the same text.
        """
        return {key: _settings(text) for key, text in self._do("SELECT key, recipe FROM run")}

    def extent(self) -> dict[str, tuple[int, int, int, int]]:
        """For every run that has parts, by its key: how many parts, how many deals, the first deal, the last + 1."""
        found: dict[str, tuple[int, int, int, int]] = {}
        for key, start, last in self._do("SELECT key, start, last FROM part JOIN run ON run.id = run ORDER BY run, "
                                         "start"):
            parts, deals, first, _ = found.get(key, (0, 0, start, 0))
            found[key] = (parts + 1, deals + last + 1 - start, first, last + 1)
        return found

    def counts(self, run: Stored, part: Part, size: int | None = None) -> Counts:
        """The tally of a part; Changed when it is no longer there, Damaged when it was altered.

        size: how many counts it must have; those that came later than the part was written read zero.
        """
        return self._row(run, part, size)[0]

    def series(self, run: Stored, part: Part, layout: Layout) -> tuple[Counts, Ranges | None]:
        """The tally of a part as `counts` gives it, and the short ranges that were packed into it, if there are."""
        counts, behind = self._row(run, part, layout.size)
        return counts, decode(behind, part.sha256, joint_of(layout, counts)) if behind else None

    def _row(self, run: Stored, part: Part, size: int | None) -> tuple[Counts, bytes]:
        """The tally of a part, and the bytes behind it."""
        rows = self._do(f"SELECT counts FROM part WHERE {_PART}", *_place(part))
        if not rows:
            raise Changed(f"deals {part.start} to {part.stop - 1} of {run} were changed meanwhile: try again")
        try:
            counts, behind = unpack_from(rows[0][0])
        except RunError as error:
            raise self._damaged(run, str(error), part) from None
        recipe = self._recipe_of(run)
        whole = counts if size is None else filled(recipe, counts)
        if sha256(counts) != part.sha256 or whole.size != (size or counts.size):
            raise self._damaged(run, "its counts have been changed", part)
        if wrong := unlike(recipe, part.start, part.stop, counts):
            raise self._damaged(run, wrong, part)
        return whole, behind

    def put(self, run: Stored, start: int, stop: int, counts: Counts) -> bool:
        """Keep the tally of deals start … stop - 1; where the store has them already, see that it says the same.

        False, and nothing is kept, where the run or the whole file was deleted meanwhile.

        What begins or ends a part divides it, since counts subtract as they add. Deals that partly overlap what is
        there, as another process may have put meanwhile, are left out.
        """
        with self.changing():
            if not self._is_there(run):
                return False
            there = self.parts(run, start, stop)
            if not there:
                self._insert(run, start, stop, counts)
            elif len(there) == 1 and there[0].begins_or_ends_with(start, stop):
                self._divide(run, there[0], start, stop, counts)
            return True

    def put_series(self, run: Stored, start: int, ranges: Ranges, counts: Counts) -> bool:
        """Keep short ranges from deal `start` on in one row, `counts` being their tally together; else as `put`."""
        stop = int(ranges.stops[-1])
        with self.changing():
            if self.parts(run, start, stop):
                return self.put(run, start, stop, counts)
            there = self._is_there(run)
            if there:
                self._insert(run, start, stop, counts, ranges)
            return there

    def pack(self, run: Stored, parts: list[Part], layout: Layout) -> None:
        """Make one row of neighbouring parts, each of which is a range from then on, or the ranges packed in it."""
        with self.changing():
            total, found = layout.zeros(), list[Ranges]()
            for part in parts:
                counts, ranges = self.series(run, part, layout)
                total += counts
                found.append(ranges or one_range(layout, part.stop, counts))
            self.drop(parts)
            self._insert(run, parts[0].start, parts[-1].stop, total, joined(found))

    def _divide(self, run: Stored, part: Part, start: int, stop: int, counts: Counts) -> None:
        whole, counts = cut_alike(self.counts(run, part), counts)
        rest = whole - counts
        if (part.start, part.stop) == (start, stop):
            if rest.any():
                raise RunError(mismatch(self, run, start, stop))
            return
        if (rest < 0).any():
            raise RunError(mismatch(self, run, start, stop))
        self.drop([part])
        self._insert(run, start, stop, counts)
        if part.start == start:
            self._insert(run, stop, part.stop, rest)
        else:
            self._insert(run, part.start, start, rest)

    def _insert(self, run: Stored, start: int, stop: int, counts: Counts, ranges: Ranges | None = None) -> None:
        sha = sha256(counts)
        self._do(f"INSERT INTO part (run, start, last, sha256, counts) VALUES ({_ROW}, ?, ?, ?, ?)", run.key, start,
                 stop - 1, sha, pack(counts) + (encode(ranges, sha) if ranges else b""))

    def drop(self, parts: list[Part]) -> None:
        """Forget some parts, as far as they are still what they were."""
        with self.changing():
            for part in parts:
                self._do(f"DELETE FROM part WHERE {_PART}", *_place(part))

    def delete(self, run: Stored) -> None:
        """Forget a run with all its parts."""
        self._do("DELETE FROM run WHERE key = ?", run.key)

    def shrink(self) -> None:
        """Give the room of what was forgotten back to the disk."""
        try:  # as a script, since it has to be stepped through although it has no rows
            self._database.executescript("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            raise trouble(self.path, error) from None

    def _is_there(self, run: Stored) -> bool:
        """Whether neither the run nor the whole file was deleted meanwhile."""
        return self._identity() == self._file and bool(self._do("SELECT 1 FROM run WHERE key = ?", run.key))

    def _identity(self) -> tuple[int, int] | None:
        """Which file has the store's name; None where there is none."""
        try:
            found = os.stat(self._place)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _do(self, statement: str, *values: Any) -> list[Any]:
        try:
            return self._database.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise trouble(self.path, error) from None

    def _damaged(self, run: Stored, how: str, part: Part | None = None) -> "Damaged":
        key = run.key[:12]
        if part is None:
            return Damaged(f"{run} in '{self.path}' is damaged ({how}): `runs delete {key}` forgets it", how)
        return Damaged(f"deals {part.start} to {part.stop - 1} of {run} in '{self.path}' are damaged ({how}): `runs "
                       f"verify --drop {key}` forgets such ranges alone", how)


_SELECT_RUN = "SELECT id, key, game, a, b, seed, design, created, version FROM run"
_ROW = "(SELECT id FROM run WHERE key = ?)"  # in the same transaction as what is done with it
_PART = f"id = ? AND run = {_ROW} AND start = ? AND last = ? AND sha256 = ?"


def _place(part: Part) -> tuple[int, str, int, int, str]:
    """The values that _PART asks for."""
    return part.id, part.key, part.start, part.stop - 1, part.sha256


def _settings(text: str) -> str | None:
    with contextlib.suppress(ValueError, KeyError, TypeError):
        recipe = json.loads(text)
        return json.dumps([recipe[name] for name in ("rules", "detail", "score", "plugins")])
    return None


def _stored(row: tuple[Any, ...]) -> Stored:
    run = Stored(*row)
    return run._replace(seed=int(run.seed))


def sha256(counts: Counts) -> str:
    """SHA-256 of counts as a tally has it."""
    return hashlib.sha256(np.ascontiguousarray(counts, "<i8").data).hexdigest()


def mismatch(store: Store, run: Stored, start: int, stop: int) -> str:
    """The line for counts that differ from what is stored; names the users' preferences that may be the reason."""
    own = [f"'{' '.join(entry['words'])}' of {entry['file']}" for entry in store.recipe(run)["plugins"]]
    why = (f"most likely preference {', '.join(own)} depends on more than its file and the modules it imports from its "
           "folder, such as a file that it reads, and that has changed" if own else
           "if the program was not changed, tell its authors")
    return (f"deals {start} to {stop - 1} of {run} are stored with other counts in '{store.path}' than they have now: "
            f"{why}; `runs delete {run.key[:12]}` forgets them")


def chosen_path() -> Path | None:
    """The store that SCHNEIDER_SIM_STORE names; None when it says nothing."""
    wanted = os.environ.get("SCHNEIDER_SIM_STORE", "").strip()
    if not wanted:
        return None
    path = Path(os.path.expandvars(wanted)).expanduser()
    if "$" in str(path) or "~" in path.parts[:1]:
        raise RequestError(f"SCHNEIDER_SIM_STORE is '{wanted}', where a variable has no value: name a file, or 0")
    return path


def switched_off() -> bool:
    """Whether SCHNEIDER_SIM_STORE is 0, off or no."""
    return os.environ.get("SCHNEIDER_SIM_STORE", "").strip().lower() in _OFF


def usual_path() -> Path:
    """The store in the user's data folder, which is made if need be; RequestError where nothing can be written."""
    import platformdirs

    folder = Path(platformdirs.user_data_dir("schneider_sim", appauthor=False))
    try:
        if not folder.is_absolute():
            raise OSError("there is no home folder")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RequestError(f"no place for a store ({error.strerror or error}): name a file with --store") from None
    return folder / "runs.sqlite"


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
