"""The tables of the store, one script for every step of its history, and opening a file at the newest step.

A part is the tally of deals `start` to `last` of a run, both included, so that the last of 2**63 deals fits SQLite's
signed integers; a seed may not, and is text. Parts of a run never overlap.

The SQL of the store is what SQLite 3.26 knows, without its optional parts. The first stores were made with STRICT
tables in place of the CHECKs, which only SQLite 3.37 or newer can open; they are read and continued as they are.
"""

import contextlib
import os
import shutil
import sqlite3
import time
from pathlib import Path

from ..base.files import beside, not_a_file
from ..errors import RequestError, RunError

APPLICATION = 0x5363686E  # "Schn": marks a file as a store of this program
STEPS = (
    """
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        a TEXT NOT NULL,
        b TEXT NOT NULL,
        seed TEXT NOT NULL,
        design TEXT NOT NULL,
        recipe TEXT NOT NULL,
        created TEXT NOT NULL,
        version TEXT NOT NULL,
        CHECK (typeof(key) = 'text' AND typeof(seed) = 'text' AND typeof(recipe) = 'text')
    );
    CREATE TABLE part (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
        start INTEGER NOT NULL,
        last INTEGER NOT NULL CHECK (last >= start),
        sha256 TEXT NOT NULL,
        counts BLOB NOT NULL,
        CHECK (typeof(start) = 'integer' AND typeof(last) = 'integer'),
        CHECK (typeof(sha256) = 'text' AND typeof(counts) = 'blob')
    );
    CREATE UNIQUE INDEX part_of_run ON part (run, start, last);
    """,
)


def connect(path: Path, wait: float, reading: bool = False) -> sqlite3.Connection:
    """The store at `path`, made if nothing is there, with tables of the newest step; `wait`: seconds for other writers.

    reading: a file that may only be read will do, as on a medium that cannot be written. Raises RequestError for a
    file that is none of ours or not writable, RunError when it is damaged, newer than this program, full or locked;
    what the file holds stays as it was.
    """
    if path.is_dir():
        raise RequestError(f"the store '{path}' is a folder: name a file")
    place = Path(os.path.realpath(path))  # where a symbolic link leads
    if not place.parent.is_dir():
        raise RequestError(f"the store's folder '{place.parent}' does not exist: make it, or choose another --store")
    try:
        _find_or_make(place, path)
    except sqlite3.Error as error:
        raise trouble(path, error) from None
    except OSError as error:
        raise RequestError(f"cannot make the store '{path}' ({error.strerror or error}): choose another "
                           "--store") from None
    only_reading = f"{place.as_uri()}?mode=ro"
    ways = [str(place), only_reading, f"{only_reading}&immutable=1"]  # the last where no log can be made beside it
    if not reading:
        ways = ways[:1]
    elif _log(place).exists():  # of which the last way would not see what is in it
        ways = ways[:2]
    for way in ways:
        try:
            return _open(way, path, wait)
        except sqlite3.Error as error:
            found = trouble(path, error)
            if not isinstance(found, RequestError):
                break
    raise found


def _log(place: Path) -> Path:
    """SQLite's write-ahead log of the file at `place`."""
    return place.with_name(f"{place.name}-wal")


def _find_or_make(place: Path, path: Path) -> None:
    """Make a store where nothing is; an error for what is there and can be seen to be no store, without opening it."""
    log = _log(place).exists()  # asked first: a store that another process makes is there before its log
    if not os.path.lexists(place):
        if log:  # SQLite would take it for the new store's
            raise RequestError(f"'{_log(place)}' is the log of a store that was moved or deleted: put the store back "
                               "beside it, or delete it")
        _make(place)
    elif what := not_a_file(place):
        raise RequestError(f"the store '{path}' is {what}: name a file")
    try:
        with place.open("rb") as file:
            head = file.read(100)
    except OSError:
        return  # as SQLite will say
    if not head:
        raise RequestError(f"'{path}' is an empty file, not a store: delete it, or choose another --store")
    if head[:16] != b"SQLite format 3\0":
        raise RunError(f"the store '{path}' is not a database: choose another --store")
    owner = int.from_bytes(head[68:72], "big")
    if owner != APPLICATION and (owner or not log):  # whose store it is may still stand in the log
        raise _foreign(path)


def _make(place: Path) -> None:
    """A new store, complete before it gets its name, so that a file of that name is a store at every moment."""
    with beside(place) as new:
        try:
            with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as database:
                database.execute("PRAGMA auto_vacuum = INCREMENTAL")
                _migrate(database)
        finally:
            with contextlib.suppress(OSError):
                Path(f"{new}-journal").unlink()
        with contextlib.suppress(FileExistsError):  # another process was faster
            try:
                os.link(new, place)
            except FileExistsError:
                raise
            except OSError:  # a file system without links
                _copy(new, place)


def _copy(new: Path, place: Path) -> None:
    body = new.read_bytes()
    with place.open("xb") as file:
        try:
            file.write(body)
        except OSError:
            place.unlink()
            raise


def _foreign(path: Path) -> RequestError:
    return RequestError(f"'{path}' is a database of another program: choose another --store")


def _open(way: str, path: Path, wait: float) -> sqlite3.Connection:
    """The database by its file or address; SQLite's errors are as they come."""
    database = sqlite3.connect(way, timeout=wait, isolation_level=None, uri=way.startswith("file:"))
    try:
        step = _check(database, path)
        if not way.startswith("file:"):
            _prepare(database, wait)
        elif step < len(STEPS):
            raise RunError(f"the store '{path}' has an older form and cannot be written: copy it to where it can")
    except BaseException:
        database.close()
        raise
    return database


def _check(database: sqlite3.Connection, path: Path) -> int:
    """At which step the file is; an error where it is none of ours, or of a step not known here."""
    database.execute("BEGIN")  # one view of the file, which another process may be making
    application = database.execute("PRAGMA application_id").fetchone()[0]
    step = database.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION:
        raise _foreign(path)
    if step > len(STEPS):
        raise RunError(f"the store '{path}' was written by a newer schneider-sim (its form {step}, known here "
                       f"{len(STEPS)}): update schneider-sim, or choose another --store")
    database.execute("SELECT count(*) FROM sqlite_master")  # an error now where this SQLite cannot read the tables
    database.execute("COMMIT")
    return int(step)


def _prepare(database: sqlite3.Connection, wait: float) -> None:
    _log_ahead(database, wait)
    database.execute("PRAGMA synchronous = NORMAL")
    database.execute("PRAGMA foreign_keys = ON")
    if database.execute("PRAGMA user_version").fetchone()[0] < len(STEPS):
        _migrate(database)
    else:
        database.execute("UPDATE run SET id = id WHERE 0")  # an error now where the file cannot be written


def _log_ahead(database: sqlite3.Connection, wait: float) -> None:
    """Switch the write-ahead log on; at this SQLite itself does not wait for another process that is doing it."""
    limit = time.monotonic() + wait
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > limit:
                raise
            time.sleep(0.01)


def _migrate(database: sqlite3.Connection) -> None:
    """Take every missing step in one transaction, unless another process was faster."""
    database.execute("BEGIN IMMEDIATE")
    try:
        step = database.execute("PRAGMA user_version").fetchone()[0]
        for script in STEPS[step:]:
            for statement in script.split(";"):
                database.execute(statement)
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {max(step, len(STEPS))}")
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def trouble(path: Path, error: sqlite3.Error) -> RunError | RequestError:
    """What went wrong with the store at `path`, and what helps."""
    name = getattr(error, "sqlite_errorname", "")
    kind = "_".join(name.split("_")[:2])
    if '"STRICT"' in str(error):
        return RunError(f"the store '{path}' was made by an older schneider-sim and needs SQLite 3.37 or newer, while "
                        f"this Python has {sqlite3.sqlite_version}: choose another --store, which any can open, and "
                        "carry the runs over with `runs export` there and `runs import` here")
    if kind == "SQLITE_FULL":
        return RunError(f"no room for the store '{path}' ({_free(path)}): make room and repeat the command, which "
                        "continues where it stopped, or choose another --store")
    if kind in ("SQLITE_BUSY", "SQLITE_LOCKED"):
        return RunError(f"the store '{path}' is held by another process: wait for it to end, or choose another --store")
    if kind in ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"):
        return RequestError(f"the store '{path}' cannot be written: allow writing to it and its folder, choose another "
                            "--store, or give --no-store")
    if kind in ("SQLITE_CORRUPT", "SQLITE_NOTADB") or (isinstance(error, sqlite3.DatabaseError) and not name):
        return RunError(f"the store '{path}' is damaged or not a database ({error}): put a copy in its place, or "
                        "choose another --store")
    return RunError(f"the store '{path}' failed ({name or type(error).__name__}: {error}; {_free(path)}): choose "
                    "another --store, or give --no-store")


def _free(path: Path) -> str:
    try:
        return f"{shutil.disk_usage(path.parent).free / 2**20:,.0f} MiB free"
    except OSError:
        return "room unknown"
