"""Ctrl-C and SIGTERM: held while a run stops in order and said at once; the second ends whatever hangs."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commandline import environment
from schneider_sim.cli import signals as stopping

pytestmark = [pytest.mark.skipif(os.name != "posix", reason="POSIX signals"), pytest.mark.usefixtures("interruptible")]
BOTH = pytest.mark.parametrize("number, raised, name", [(signal.SIGINT, KeyboardInterrupt, "Ctrl-C"),
                                                        (signal.SIGTERM, stopping.Terminated, "SIGTERM")])

HANGS = """
import threading, time
from schneider_sim import preference


@preference('hangs', over='cards')
def hangs(view):
    while ENGINE == 'serial' or threading.current_thread() is not threading.main_thread():
        try:
            print('asked', flush=True)
            time.sleep(0.1)
        except BaseException:
            pass
    return view.candidates
"""


@pytest.fixture
def heard(interruptible: None) -> Iterator[None]:
    with stopping.signals(leaving=False):
        yield


@BOTH
@pytest.mark.usefixtures("heard")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_that_is_lost_in_a_callback_raises_where_work_heeds_it(
        number: int, raised: type[BaseException], name: str) -> None:
    lose = ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), number))  # as LLVM calls back while it compiles
    lose()
    with pytest.raises(raised), stopping.defer_signals("somehow") as check_signals:
        check_signals()


@BOTH
@pytest.mark.usefixtures("heard")
def test_a_signal_raises_where_it_comes(number: int, raised: type[BaseException], name: str) -> None:
    with pytest.raises(raised):
        os.kill(os.getpid(), number)


@BOTH
@pytest.mark.usefixtures("heard")
def test_a_held_signal_is_said_and_raises_where_it_is_heeded(
        number: int, raised: type[BaseException], name: str, capfd: pytest.CaptureFixture[str]) -> None:
    reached = []

    def work(check_signals: Callable[[], None]) -> None:
        check_signals()
        for _ in range(3):  # as wrappers send a signal on that its group has had already
            os.kill(os.getpid(), number)
            reached.append(1)
        check_signals()
        reached.append(2)

    with pytest.raises(raised), stopping.defer_signals("in order") as check_signals:
        work(check_signals)
    assert reached == [1, 1, 1]
    assert capfd.readouterr().err == f"schneider-sim: stopping in order; {name} again stops at once\n"


@BOTH
@pytest.mark.usefixtures("heard")
def test_a_held_signal_is_never_lost(number: int, raised: type[BaseException], name: str) -> None:
    with pytest.raises(raised), stopping.defer_signals("in order"):
        os.kill(os.getpid(), number)


def test_nothing_is_held_where_no_command_runs() -> None:
    with pytest.raises(KeyboardInterrupt), stopping.defer_signals("in order"):
        os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("engine, number", [
    ("threads", signal.SIGINT), pytest.param("threads", signal.SIGTERM, marks=pytest.mark.slow),
    pytest.param("serial", signal.SIGINT, marks=pytest.mark.slow)])
def test_the_second_signal_ends_a_plug_in_that_hangs(tmp_path: Path, engine: str, number: int) -> None:
    (tmp_path / "hangs.py").write_text(HANGS.replace("ENGINE", repr(engine)))
    line = [sys.executable, "-m", "schneider_sim", "simulate", "lead: hangs", "random", "--deals", "5000", "--engine",
            engine, "--load", str(tmp_path / "hangs.py")]
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        try:
            assert process.stderr is not None and process.stderr.readline().startswith("asked")
            process.send_signal(number)
            time.sleep(1)
            assert process.poll() is None
            process.send_signal(number)
            assert process.wait(timeout=10) == (130 if number == signal.SIGINT else 143)
        finally:
            process.kill()
