"""The cache of compiled code: kept where it can be, and neither a full disk nor a torn file stops a run."""

import errno
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numba.core.caching import IndexDataCacheFile

import compiling
from commandline import environment, no_file_beyond
from schneider_sim.compiled import jit


def plus(a: int, b: int) -> int:
    return a + b


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """Makes a compiled function that has a cache of its own in tmp_path, as a new process would."""
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path)
    jit._not_kept.cache_clear()
    return lambda: jit.compiled(plus)


def hits(function: Any) -> int:
    return sum(function.stats.cache_hits.values())


def test_compiled_code_is_kept(made: Callable[[], Any]) -> None:
    for expected in (0, 1, 1):
        function = made()
        assert function(2, 3) == 5 and hits(function) == expected


@pytest.mark.parametrize("pattern", ["*.nbi", "*.nbc"])
@pytest.mark.parametrize("rest", [0, 0.5])
def test_a_torn_file_is_replaced(made: Callable[[], Any], tmp_path: Path, pattern: str, rest: float) -> None:
    made()(2, 3)
    [file] = tmp_path.rglob(pattern)
    whole = file.read_bytes()
    file.write_bytes(whole[: int(rest * len(whole))])
    for expected in (0, 1):
        function = made()
        assert function(2, 3) == 5 and hits(function) == expected


def test_a_full_disk_is_one_warning(
        made: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(IndexDataCacheFile, "_save_data", full)
    for _ in range(2):
        assert made()(2, 3) == 5
    [line] = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert "cannot be kept" in line and "No space left on device" in line and "SCHNEIDER_SIM_CACHE=FOLDER" in line


def test_a_folder_that_cannot_be_written_is_one_warning(
        made: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
        caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path / "file")
    for _ in range(2):
        assert made()(2, 3) == 5
    [line] = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert "it cannot be written" in line
    assert not list(Path(__file__).parent.glob("__pycache__/*.nb?")), "Numba must not fall back on a folder of its own"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX systems")
def test_a_run_that_may_write_no_cache_says_so_in_one_line() -> None:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "schneider_sim", "simulate", "careful", "greedy", "--deals", "1000", "--json"],
            env=environment(SCHNEIDER_SIM_CACHE=folder), capture_output=True, text=True, check=True,
            preexec_fn=no_file_beyond(20_000))
    assert done.stdout.startswith("{")
    [line] = [line for line in done.stderr.splitlines() if "compiling, once" not in line]
    assert line.startswith(f"schneider-sim: compiled code cannot be kept in '{folder}")


def test_parallel_tests_find_the_code_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[str] = []
    monkeypatch.setattr(jit, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(compiling, "_run", run.append)
    compiling.compile_all()
    compiling.compile_all()
    assert sorted(run) == sorted(compiling.PROGRAMS)
    monkeypatch.setattr(jit, "cache_folder", lambda: None)
    compiling.compile_all()
    assert len(run) == len(compiling.PROGRAMS)


def test_sources_and_tables_name_the_folder(tmp_path: Path) -> None:
    """Compiled code holds the numbers of tables, too: with another table it must be compiled again."""
    code = ("import sys; from schneider_sim.compiled import jit\n"
            "jit.__file__ = sys.argv[1]; print(jit.source_checksum())")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SCHNEIDER_")}

    def checksum() -> str:
        return subprocess.run([sys.executable, "-c", code, str(tmp_path / "compiled" / "jit.py")], env=clean, text=True,
                              capture_output=True, check=True).stdout

    (tmp_path / "games").mkdir()
    (tmp_path / "compiled").mkdir()
    seen = [checksum()]
    for file, text in (("compiled/jit.py", "1"), ("games/rules.py", "1"), ("games/rules.py", "2"),
                       ("games/chances.json", "[1]"), ("games/chances.json", "[2]")):
        (tmp_path / file).write_text(text)
        seen.append(checksum())
    assert len(set(seen)) == len(seen)
