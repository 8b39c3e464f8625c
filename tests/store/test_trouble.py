"""A store that is damaged, newer, full, locked, somebody else's or not writable: one clear line, nothing changed."""

import importlib.util
import os
import sqlite3
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from commandline import no_file_beyond
from schneider_sim.base.packing import pack, unpack
from schneider_sim.base.tally import Counts
from schneider_sim.errors import RequestError, RunError
from schneider_sim.games import load_game
from schneider_sim.runs.experiment import make_experiment
from schneider_sim.runs.recipe import recipe_of
from schneider_sim.store import Store, schema
from store.processes import command, schneider, simulate

RECIPE = recipe_of(make_experiment("random", "greedy"))
COUNTS = np.arange(load_game("bohemian").layout.size, dtype=np.int64) % 7
OUTCOME = slice(load_game("bohemian").layout.offset("outcome"), load_game("bohemian").layout.offset("event"))
COUNTS[OUTCOME] = 0
COUNTS[OUTCOME.start] = 200  # the plays of 100 deals


def varied(k: int) -> Counts:
    """Counts of 100 deals, others for every k."""
    counts = COUNTS + k
    counts[OUTCOME] = COUNTS[OUTCOME]
    return counts


def filled(path: Path, parts: int = 3) -> bytes:
    """A store with some parts, closed; its bytes."""
    with Store(path) as store:
        run = store.add_run(RECIPE)
        for k in range(parts):
            store.put(run, 100 * k, 100 * k + 100, varied(k))
    return path.read_bytes()


def read_all(path: Path) -> list[Counts]:
    """The counts of all parts of a store."""
    with Store(path) as store:
        return [store.counts(run, part) for run in store.runs() for part in store.parts(run)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a folder – über" / "runs.sqlite"


@pytest.fixture(autouse=True)
def folder(path):
    path.parent.mkdir()


def test_packing_keeps_every_vector():
    for counts in (COUNTS, np.zeros(5, np.int64), np.array([2**62, 0, -(2**62)]), np.zeros(0, np.int64)):
        assert (unpack(pack(counts)) == counts).all()
    for data in (b"", b"no", pack(COUNTS)[:50]):
        with pytest.raises(RunError, match="cannot be read"):
            unpack(data)


def test_a_store_of_a_newer_program_is_left_alone(path):
    filled(path)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    before = path.read_bytes()
    with pytest.raises(RunError, match=r"written by a newer schneider-sim.*update"):
        Store(path)
    assert path.read_bytes() == before


def database(path: Path, *statements: str) -> bytes:
    """Another program's database; its bytes."""
    with sqlite3.connect(path) as opened:
        for statement in statements:
            opened.execute(statement)
    opened.close()
    return path.read_bytes()


@pytest.mark.parametrize("content, said", [
    (b"not a database, but long enough to look at it\n" * 50, "is not a database"), (b"x", "is not a database"),
    (b"", "is an empty file, not a store"), ("CREATE TABLE theirs (x)", "database of another program"),
    ("VACUUM", "database of another program"), ("PRAGMA user_version = 1", "database of another program"),
    ("PRAGMA application_id = 7", "database of another program"),
    ("PRAGMA journal_mode = WAL", "database of another program"),
], ids=lambda value: str(value)[:25])
@pytest.mark.parametrize("reading", [False, True])
def test_only_a_store_is_written(path, content, said, reading):
    if isinstance(content, str):
        content = database(path, content)
    else:
        path.write_bytes(content)
    link = path.with_name("link")
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises((RequestError, RunError), match=said):
            Store(name, reading=reading)
    assert path.read_bytes() == content and sorted(os.listdir(path.parent)) == ["link", path.name]


def test_the_command_leaves_an_empty_file_empty(path):
    path.touch()
    for words in (simulate(path, 1_000), ["runs", "list", "--store", path], ["runs", "merge", path, "--store", path]):
        done = schneider(*words)
        assert done.returncode == 2 and "empty file, not a store" in done.stderr, done.stderr
    assert path.read_bytes() == b""


def test_a_database_with_a_log_is_left_alone(path):
    with sqlite3.connect(path) as theirs:
        theirs.execute("PRAGMA journal_mode = WAL")
        theirs.execute("CREATE TABLE theirs (x)")
        theirs.commit()
        before = path.read_bytes()
        with pytest.raises(RequestError, match="another program"):
            Store(path)
        assert path.read_bytes() == before and theirs.execute("SELECT * FROM theirs").fetchall() == []
    theirs.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_no_store(path):
    os.mkfifo(path)
    with pytest.raises(RequestError, match="is a pipe: name a file"):
        Store(path)
    with pytest.raises(RequestError, match="is a device: name a file"):
        Store(Path(os.devnull))


def test_a_link_leads_to_the_store(path, tmp_path):
    (tmp_path / "disk").mkdir()
    path.symlink_to(tmp_path / "disk" / "kept")
    filled(path)
    assert path.is_symlink() and os.listdir(tmp_path / "disk") == ["kept"] and os.listdir(path.parent) == [path.name]
    assert len(read_all(tmp_path / "disk" / "kept")) == 3


def test_the_log_of_a_store_that_is_gone_does_not_get_into_a_new_one(path):
    """SQLite would replay it, or throw it away with what it holds."""
    filled(path)
    with Store(path) as store:
        store.put(store.runs()[0], 500, 600, COUNTS)
        log = path.with_name(f"{path.name}-wal")
        left = log.read_bytes()
    path.rename(path.with_name("moved"))
    log.write_bytes(left)
    with pytest.raises(RequestError, match="log of a store that was moved or deleted: put the store back"):
        Store(path)
    assert log.read_bytes() == left and not path.exists()


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_a_store_has_its_name_when_it_is_complete(path, monkeypatch, links):
    def refuse(*_: object) -> None:
        raise OSError(38, "Function not implemented")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    really = schema._migrate
    if not links:
        monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(schema, "_migrate", killed)
    with pytest.raises(KeyboardInterrupt):
        Store(path)
    assert os.listdir(path.parent) == []
    monkeypatch.setattr(schema, "_migrate", really)
    filled(path)
    assert len(read_all(path)) == 3 and os.listdir(path.parent) == [path.name]


def test_a_damaged_store_is_said_to_be(path):
    whole = filled(path, 200)
    path.write_bytes(whole[: len(whole) // 2 // 4096 * 4096])
    with pytest.raises(RunError, match="damaged"):
        read_all(path)


def test_many_may_make_a_store_at_the_same_time(tmp_path):
    def opened(path: Path) -> int:
        together.wait()
        with Store(path) as store:
            return len(store.runs())

    together = threading.Barrier(8)
    with ThreadPoolExecutor(8) as pool:
        for number in range(25):
            assert list(pool.map(opened, [tmp_path / f"{number}.sqlite"] * 8)) == [0] * 8


def test_an_older_store_is_brought_up_to_date(path, monkeypatch):
    filled(path)
    more = (*schema.STEPS, "ALTER TABLE run ADD COLUMN note TEXT; CREATE TABLE extra (x)")
    monkeypatch.setattr(schema, "STEPS", more)
    with Store(path) as store:
        assert len(store.parts(store.runs()[0])) == 3
        assert store._do("PRAGMA user_version") == [(2,)] and store._do("SELECT note FROM run") == [(None,)]
    monkeypatch.setattr(schema, "STEPS", (*more, "CREATE TABLE extra (x)"))  # fails half-way: nothing changes
    with pytest.raises(RunError):
        Store(path)
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (2,)
    database.close()


def test_a_full_disk_keeps_what_there_was(path):
    filled(path)
    with Store(path) as store:
        [run] = store.runs()
        store._do(f"PRAGMA max_page_count = {store._do('PRAGMA page_count')[0][0] + 2}")
        big = np.random.default_rng(1).integers(0, 2**40, 40_000)
        with pytest.raises(RunError, match=r"no room for the store .* MiB free\): make room"):
            store.put(run, 300, 400, big)
    assert all((counts == varied(k)).all() for k, counts in enumerate(read_all(path)))


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX systems")
def test_a_command_that_may_write_no_more_says_so_in_one_line(path):
    filled(path)
    schneider(*simulate(None, 1_000))  # has the compiled code on disk, whose files are larger than the limit below
    line, env = command(*simulate(path, 3_000_000))
    done = subprocess.run(line, env=env, capture_output=True, text=True, timeout=300, check=False,
                          preexec_fn=no_file_beyond(60_000))
    assert done.returncode == 1 and done.stdout == ""
    assert "failed" in done.stderr and str(path) in done.stderr and len(done.stderr.splitlines()) == 1
    with Store(path) as store:
        assert len(store.parts(store.runs()[0])) == 3


def test_what_is_forgotten_gives_its_room_back(path):
    size = len(filled(path, 200))
    with Store(path) as store:
        store.delete(store.runs()[0])
        store.shrink()
        assert store.extent() == {} and path.stat().st_size < size / 5


def test_a_locked_store_is_waited_for_and_then_said_to_be(path):
    filled(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(RunError, match="held by another process"):
        Store(path, wait=0.1)
    other.execute("ROLLBACK")
    with Store(path, wait=0.1) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RunError, match="held by another process"):
            store.put(store.runs()[0], 500, 600, COUNTS)
    other.close()


def test_a_folder_and_a_missing_folder_are_wrong_requests(path):
    with pytest.raises(RequestError, match="is a folder"):
        Store(path.parent)
    with pytest.raises(RequestError, match="does not exist"):
        Store(path.parent / "missing" / "runs.sqlite")
    assert not (path.parent / "missing").exists()


@pytest.fixture
def powerless() -> Iterator[Path]:
    """A folder of another user's, in which this process may read and not write for as long as it wants."""
    if os.name != "posix" or os.geteuid() != 0:
        pytest.skip("becomes another user, which only root may")
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)
        os.seteuid(0)


def test_a_store_that_may_only_be_read_is_left_alone(powerless):
    path = powerless / "runs.sqlite"
    before = filled(path)
    os.seteuid(65534)
    with pytest.raises(RequestError, match="cannot be written: allow writing"):
        Store(path)
    assert path.read_bytes() == before


def test_a_store_that_may_only_be_read_can_be_read(powerless, monkeypatch):
    path = powerless / "runs.sqlite"
    before = filled(path)
    with Store(path):  # which keeps a log beside the file
        os.seteuid(65534)
        with Store(path, reading=True) as store:
            assert len(store.parts(store.runs()[0])) == 3
        os.seteuid(0)
    assert [file.name for file in powerless.iterdir()] == ["runs.sqlite"]
    os.seteuid(65534)
    with Store(path, reading=True) as store:
        assert len(store.parts(store.runs()[0])) == 3
        with pytest.raises(RequestError, match="cannot be written"):
            store.delete(store.runs()[0])
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, "CREATE TABLE extra (x)"))
    with pytest.raises(RunError, match="has an older form"):
        Store(path, reading=True)
    assert path.read_bytes() == before


def test_no_place_for_a_store_does_not_stop_a_run(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    env = {"SCHNEIDER_SIM_STORE": "", "XDG_DATA_HOME": str(blocked), "HOME": str(blocked)}
    done = schneider("simulate", "random", "greedy", "--deals", 1_000, "--json", **env)
    assert done.returncode == 0 and done.stdout.startswith("{")
    assert "no place for a store" in done.stderr and "this run is not kept" in done.stderr


@pytest.mark.parametrize("words, env, said", [
    (["--no-store", "--fresh"], {}, "exclude each other"),
    (["--fresh"], {}, "there is none"),
    (["--store", "/proc/none/runs.sqlite"], {}, "does not exist"),
    ([], {"SCHNEIDER_SIM_STORE": "${NO_SUCH_VARIABLE}/runs.sqlite"}, "has no value"),
    pytest.param(["--scheduler", "missing.json"], {}, "--scheduler must be", marks=pytest.mark.skipif(
        importlib.util.find_spec("distributed") is None, reason="the extra 'dask' is not installed")),
    (["--scheduler", "tcp://127.0.0.1:1", "--engine", "serial"], {}, "needs --engine dask"),
    (["--engine", "serial", "--threads", "2"], {}, "has no effect"),
    (["--engine", "gpu"], {}, "threads"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else None)
def test_wrong_requests_are_one_line_and_status_two(words, env, said, tmp_path):
    done = schneider("simulate", "random", "greedy", "--deals", 1_000, *words, **env)
    assert done.returncode == 2 and said in done.stderr and len(done.stderr.splitlines()) == 1
    assert done.stdout == "" and not list(Path.cwd().glob("*NO_SUCH*"))
