"""The command as a process: what it imports, pipes, encodings, hidden inputs, signals, the progress bar."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from commandline import call, environment, spawn
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
    assert after.rstrip().endswith(b"schneider-sim: interrupted")


def test_without_a_terminal_a_long_run_says_how_far_it_is(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    moments = iter([100.0, 101.0, 109.9, 110.0, 119.0, 120.0, 140.0])
    monkeypatch.setattr("schneider_sim.cli.progress.time.monotonic", lambda: next(moments))
    with progress.progress("playing", 1_000_000, start=lambda: 20_000) as hear:
        for done in (1, 30_000, 60_000, 70_000, 220_000, 1_000_000):
            hear(done)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == ["playing: 60,000 of 1,000,000 deals, 4k deals/s, 3:55 left",
                                "playing: 220,000 of 1,000,000 deals, 10k deals/s, 1:18 left"]


@posix
def test_termination_is_143() -> None:
    with on_a_terminal(*ENDLESS) as (process, terminal):
        shown_until(terminal, b"starting")
        process.terminate()
        after = shown_until(terminal, b"terminated")
        assert process.wait(timeout=60) == 143
    assert b"\x1b[?25h" in after
