"""The command as a process: what it imports, pipes, encodings, hidden inputs, signals, the progress bar."""

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commandline import call, environment, spawn
from schneider_sim.base.text import remaining
from schneider_sim.cli import progress

HEAVY = ("numpy", "pandas", "numba", "scipy", "matplotlib", "rich", "dask", "pyarrow", "jinja2")
ENDLESS = ("simulate", "careful", "greedy", "--deals", "1_000_000_000")

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX signals and terminals")


def test_help_imports_nothing_heavy() -> None:
    script = f"""
import contextlib, io, sys
from schneider_sim.cli.app import app
import click
with contextlib.redirect_stdout(io.StringIO()):
    for words in [["--help"], *([name, "--help"] for name in app.list_commands(click.Context(app)))]:
        try:
            app.main(words)
        except SystemExit as end:
            assert end.code == 0, words
        found = [name for name in {HEAVY!r} if name in sys.modules]
        assert not found, (words, found)
"""
    subprocess.run([sys.executable, "-c", script], check=True, env=environment(), timeout=120)


def test_python_m_is_the_command_and_knows_its_name() -> None:
    result = spawn("simulat")
    assert result.returncode == 2 and result.stdout == b""
    assert result.stderr.startswith(b"schneider-sim: unknown command 'simulat'; did you mean 'simulate'?")


@posix
def test_a_reader_that_has_had_enough_is_no_error() -> None:
    process = subprocess.Popen([sys.executable, "-m", "schneider_sim", "replay", "plain", "plain", "--deal", "0",
                                "--until", "100000", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=environment())
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b'{"game"')
        process.stdout.close()
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, b"")
    finally:
        process.kill()


@posix
def test_a_full_disk_is_one_line() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("needs /dev/full")
    with open("/dev/full", "wb") as full:
        result = subprocess.run([sys.executable, "-m", "schneider_sim", "policies"], stdout=full,
                                stderr=subprocess.PIPE, env=environment(), check=False, timeout=60)
    assert result.returncode == 1
    assert result.stderr.decode().splitlines() == [
        "schneider-sim: the system refuses to read or write: No space left on device"]


def test_hidden_inputs_change_nothing() -> None:
    words = ("simulate", "plain", "careful", "--deals", "900")
    one = spawn(*words, PYTHONHASHSEED="1", TZ="Asia/Kathmandu", COLUMNS="20", LC_ALL="C.UTF-8")
    two = spawn(*words, PYTHONHASHSEED="2", TZ="UTC", COLUMNS="200", LC_ALL="C", PYTHONIOENCODING="ascii", NO_COLOR="1")
    assert one.returncode == two.returncode == 0
    assert one.stdout == two.stdout != b""
    assert one.stderr == two.stderr == b""


def test_a_poor_encoding_gets_plain_letters() -> None:
    result = spawn("replay", "plain", "plain", "--deal", "1", PYTHONIOENCODING="ascii:strict", PYTHONUTF8="0")
    assert result.returncode == 0 and result.stderr == b""
    assert b"10S" in result.stdout and result.stdout.isascii()
    assert spawn("policies", "--game", "köln", PYTHONIOENCODING="ascii:strict").returncode == 2


def test_suits_are_symbols_where_the_encoding_has_them() -> None:
    assert "♠" in call("replay", "plain", "plain", "--deal", "1", LC_ALL="en_US.UTF-8").stdout


@contextlib.contextmanager
def on_a_terminal(*words: str, **env: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A command whose standard error is a terminal: the process and the terminal's other end."""
    import pty

    master, slave = pty.openpty()
    process = subprocess.Popen([sys.executable, "-m", "schneider_sim", *words], stdout=subprocess.PIPE, stderr=slave,
                               env=environment(TERM="xterm", **env))
    os.close(slave)
    try:
        yield process, master
    finally:
        process.kill()
        process.communicate()
        os.close(master)


def shown_until(terminal: int, *ends: bytes) -> bytes:
    """What appears on a terminal until all of `ends` have been there, or nothing more comes; two minutes at most."""
    shown, limit = b"", time.monotonic() + 120
    with contextlib.suppress(OSError):
        while not all(end in shown for end in ends):
            assert select.select([terminal], [], [], max(0.0, limit - time.monotonic()))[0], (ends, shown[-500:])
            if not (more := os.read(terminal, 1 << 16)):
                break
            shown += more
    return shown


@posix
@pytest.mark.usefixtures("interruptible")
def test_progress_without_colours_and_the_cursor_after_an_interruption() -> None:
    with on_a_terminal(*ENDLESS, NO_COLOR="1", COLUMNS="100") as (process, terminal):
        shown = shown_until(terminal, b"deals/s", b" left")
        assert b"\x1b[?25l" in shown and b"deals/s" in shown and b"%" in shown
        assert b"\x1b[3" not in shown
        process.send_signal(signal.SIGINT)
        after = shown_until(terminal, b"interrupted")
        assert process.wait(timeout=60) == 130
    assert b"\x1b[?25h" in after
    assert re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", after).rstrip().endswith(b"schneider-sim: interrupted")


def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], total: int | None,
         heard: list[tuple[float, int]], reused: int = 0) -> list[str]:
    """The lines that progress off a terminal prints when it hears these (moment, units done), from moment 100 on."""
    moments = iter([100.0, *(moment for moment, _ in heard)])
    monkeypatch.setattr("schneider_sim.cli.progress.time.monotonic", lambda: next(moments))
    with progress.progress("playing", total, start=lambda: reused) as hear:
        for _, done in heard:
            hear(done)
    out, err = capsys.readouterr()
    assert out == ""
    return err.splitlines()


def test_without_a_terminal_a_long_run_says_how_far_it_is(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    heard = [(101.0, 20_001), (109.9, 55_601), (110.0, 60_001), (119.0, 96_000), (120.0, 110_001), (140.0, 1_000_000)]
    assert told(monkeypatch, capsys, 1_000_000, heard, reused=20_000) == [
        "playing: 60,001 of 1,000,000 deals, 4.44k deals/s, 3:32 left",
        "playing: 110,001 of 1,000,000 deals, 4.74k deals/s, 3:08 left"]


def test_compiling_before_the_first_deals_is_no_part_of_the_time_left(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    heard = [(140.0, 1000), (151.0, 12_000), (200.0, 60_000)]  # 40 s of compiling, then 1,000 deals a second
    assert told(monkeypatch, capsys, 60_000, heard) == ["playing: 1,000 of 60,000 deals, starting",
                                                        "playing: 12,000 of 60,000 deals, 1k deals/s, 0:48 left"]


def test_many_short_pieces_have_a_pace_too(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    heard = [(100 + k / 1000, 64 * k) for k in range(10_500)]
    assert told(monkeypatch, capsys, 10**6, heard) == ["playing: 640,000 of 1,000,000 deals, 64k deals/s, 0:06 left"]


def test_what_takes_ages_is_said_within_two_seconds_of_play(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    heard = [(100.4, 1 << 19), (101.4, 1 << 20), (102.4, 3 << 19)]
    assert told(monkeypatch, capsys, 9 * 10**18, heard) == [
        "playing: 1,048,576 of 9,000,000,000,000,000,000 deals, 524k deals/s, some 540,000 years left"]


@pytest.mark.parametrize("seconds, said", [(0.2, "0:01"), (65, "1:05"), (3723, "1:02:03"), (4 * 86_400, "some 4 days"),
                                           (700 * 86_400, "some 700 days"), (1.05e13, "some 330,000 years"),
                                           (1e300, "longer than the world will last"),
                                           (float("inf"), "longer than the world will last")])
def test_times_to_wait(seconds: float, said: str) -> None:
    assert remaining(seconds) == said


@posix
@pytest.mark.parametrize("line", [
    "simulate careful greedy", "tournament careful greedy", "compare careful greedy --precision 1e-9 --max-deals"])
def test_as_many_deals_as_there_are_begin_and_say_what_they_take(line: str) -> None:
    words = [*line.split(), "9e18"] if line.endswith("deals") else [*line.split(), "--deals", "9e18"]
    with subprocess.Popen([sys.executable, "-m", "schneider_sim", *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=environment(), text=True) as process:
        try:
            assert process.stderr is not None
            heard = next(text for text in process.stderr if re.search(r"some [\d,]+ years left$", text))
            assert "deals" in heard
        finally:
            process.kill()


@posix
def test_compiling_is_said_when_piped() -> None:
    script = ("import time; from schneider_sim.compiled import jit; from schneider_sim.cli.notices import notices\n"
              "with notices():\n    jit._TOLD.begins(kept=True); time.sleep(1.5); jit._TOLD.ends()")
    piped = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment(), check=True,
                           text=True)
    assert piped.stdout == "" and re.fullmatch(r"schneider-sim: compiling, once, about \d+ s\n", piped.stderr)


@pytest.mark.slow
@posix
def test_a_cold_start_says_that_it_compiles(tmp_path: Path) -> None:
    for cache, how in ((str(tmp_path), "once, "), ("0", "")):
        done = spawn("simulate", "careful", "random", "--deals", "300", SCHNEIDER_SIM_CACHE=cache)
        assert done.returncode == 0
        assert re.fullmatch(rf"schneider-sim: compiling, {how}about \d+ s\n", done.stderr.decode())
    assert spawn("simulate", "careful", "random", "--deals", "300", SCHNEIDER_SIM_CACHE=str(tmp_path)).stderr == b""


@posix
def test_termination_is_143() -> None:
    with on_a_terminal(*ENDLESS) as (process, terminal):
        shown_until(terminal, b"starting")
        process.terminate()
        after = shown_until(terminal, b"terminated")
        assert process.wait(timeout=60) == 143
    assert b"\x1b[?25h" in after


@pytest.mark.parametrize("stored", [0, 6_000_000])
def test_a_pause_for_compiling_is_no_measure_of_the_time_left(stored: int) -> None:
    """A report that compiled a search after 6 million plays said that it would take 29 hours; it took minutes."""
    pace = progress.Pace(21_000_000, "plays", lambda: stored)
    if stored:
        pace.hear(0.0, stored)
        pace.hear(25.0, stored + 1_000)  # the first play, after compiling
        assert pace.left is None
    for step in range(20):  # a million a second
        pace.hear(25.0 + step / 10, stored + 1_000 + 100_000 * step)
    left = pace.left
    assert left is not None and 12 < left < 21
    pace.hear(55.0, stored + 2_000_000)  # thirty seconds for a search to be compiled
    assert pace.left is not None and pace.left < 1_000
