"""Dask: the same counts whatever happens to workers and scheduler, and clear words where nothing can be done."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from schneider_sim.engines import dask_ledger as ledger
from schneider_sim.engines import dask_worker as remote
from schneider_sim.engines.dask import cluster
from schneider_sim.engines.dask_dispatch import Dispatch
from schneider_sim.engines.threads import ordered, run, serial
from schneider_sim.errors import RequestError, RunError
from schneider_sim.runs.experiment import make_experiment, play_range
from schneider_sim.runs.recipe import as_text, recipe_of
from store.processes import ROOT, begun, command, deals_in, schneider, simulate, tally, wait_for_deals

pytest.importorskip("distributed", reason="the extra 'dask' is not installed")

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX signals and process groups")
A, B = "lead: safe honour; follow: capture dead pip", "greedy"


def experiment(deals: int, cut: int = 1 << 14, **more):
    return replace(make_experiment(A, B, deals=deals, **more), cut=cut)


@contextlib.contextmanager
def started(*words: object, package: Path = ROOT) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask's own command line, with the package that is in a folder."""
    _, env = command(PYTHONPATH=str(package))
    line = [sys.executable, "-m", "dask", *map(str, words)]
    process = subprocess.Popen(line, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=package)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def scheduler(file: Path, port: int = 0):
    return started("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard", "--scheduler-file", file)


def worker(file: Path, package: Path = ROOT):
    return started("worker", "--scheduler-file", file, "--nthreads", 1, "--no-dashboard", "--no-nanny",
                   "--death-timeout", 60, package=package)


def wait_for(file: Path) -> str:
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        with contextlib.suppress(OSError, ValueError):
            return str(json.loads(file.read_text())["address"])
        time.sleep(0.1)
    raise AssertionError("no scheduler came up")


def test_a_worker_does_what_it_is_told_and_nothing_for_another_version(monkeypatch):
    wanted = experiment(3_000)
    ranges = [(100, 900), (900, 1_000)]
    text = remote.task(ranges, play_range, as_text(recipe_of(wanted)))
    packed, seconds = eval(text)
    for (start, stop), outcome in zip(ranges, packed, strict=True):
        assert isinstance(outcome, bytes) and (remote.received(outcome) == play_range(wanted, start, stop)).all()
    assert seconds > 0
    monkeypatch.setattr(remote, "identity", lambda: "0.0.0 (other)")
    with pytest.raises(RunError, match=r"has schneider-sim 0\.0\.0 \(other\), this side .*: both need the same"):
        eval(text)


@pytest.mark.parametrize("where", ["missing.json", "host:8786", "folder"])
def test_a_scheduler_that_is_none(tmp_path, where):
    (tmp_path / "folder").mkdir()
    with pytest.raises(RequestError, match="--scheduler must be an address such as"), cluster(str(tmp_path / where)):
        pass


def test_a_scheduler_that_does_not_answer():
    with socket.create_server(("127.0.0.1", 0)) as mute:
        for port in (9, mute.getsockname()[1]):
            with cluster(f"tcp://127.0.0.1:{port}", patience=1) as engine, pytest.raises(RunError, match="no Dask sch"):
                run(experiment(1_000), play=ordered(engine))


def test_another_program_that_answers():
    def answer() -> None:
        called = other.accept()[0]
        called.sendall(b"SSH-2.0-Other_1.0\r\n" * 20)
        called.recv(1 << 20)
        called.close()

    with socket.create_server(("127.0.0.1", 0)) as other, ThreadPoolExecutor(1) as pool:
        pool.submit(answer)
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        with cluster(address) as engine, pytest.raises(RunError, match="is not a Dask scheduler"):
            run(experiment(1_000), play=ordered(engine))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1", "http://127.0.0.1:8786"])
def test_an_address_that_is_none(address):
    with cluster(address) as engine, pytest.raises(RequestError, match="is not the address of a scheduler, such as"):
        run(experiment(1_000), play=ordered(engine))


LEFT = """
from schneider_sim.cluster import cluster
from schneider_sim.execute import ordered
from schneider_sim.runs.experiment import make_experiment

with cluster(workers=1) as engine:
    begun = ordered(engine)(make_experiment("random", "greedy", deals=10**9))
    next(begun)
"""


def test_a_run_left_in_the_middle_does_not_outlive_its_cluster():
    """As an error leaves it, whose traceback holds the generator until the interpreter ends."""
    done = subprocess.run([sys.executable, "-c", LEFT], env=command()[1], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


def test_short_ranges_share_a_task_and_come_back_each_by_itself(monkeypatch):
    tasks = []
    submit = Dispatch._submit

    def watched(self, given, workers=None):
        tasks.extend(given)
        submit(self, given, workers)

    monkeypatch.setattr(Dispatch, "_submit", watched)
    wanted = experiment(300_000, 1 << 10)
    with cluster(workers=1) as engine:
        found = [(start, stop, counts.tobytes()) for start, stop, counts in ordered(engine)(wanted)]
    assert found == [(start, stop, counts.tobytes()) for start, stop, counts in ordered(serial)(wanted)]
    assert sorted(number for numbers in tasks for number in numbers) == list(range(len(found)))
    assert len(tasks) < len(found) / 2 and max(map(len, tasks)) <= ledger.MOST and len(tasks[-1]) == 1


@pytest.mark.parametrize("ranges, seconds, wanted", [(1, 0.08, 4), (4, 0.32, 4), (2, 4.0, 1), (1, 0.0, ledger.MOST)])
def test_a_task_is_worth_giving_out(ranges, seconds, wanted):
    assert ledger.in_a_task(ranges, seconds) == wanted


@pytest.mark.slow
@pytest.mark.parametrize("what, said", [("none", "has no schneider_sim"), ("another", "both need the same")])
def test_a_worker_that_has_not_what_it_needs_is_named(tmp_path, what, said):
    if what == "another":
        shutil.copytree(Path(remote.__file__).parents[1], tmp_path / "schneider_sim")
        (tmp_path / "schneider_sim" / "more.py").write_text('"""More."""\n')
    else:
        (tmp_path / "schneider_sim.py").write_text("")
    file = tmp_path / "scheduler.json"
    with scheduler(file):
        wait_for(file)
        with worker(file, tmp_path), cluster(str(file)) as engine, pytest.raises(RunError, match=said):
            run(experiment(100_000), play=ordered(engine))


@pytest.mark.slow
def test_plug_ins_travel_and_their_errors_come_back(tmp_path):
    for name, body in (("fine", "return view.candidates & 0x00FF00FF"), ("bad", "return 1 << 40")):
        (tmp_path / f"{name}.py").write_text("from schneider_sim import preference\n\n\n"
                                             f"@preference('{name}')\ndef {name}(view):\n    {body}\n")
    with cluster(workers=2) as engine:
        wanted = replace(make_experiment("lead: fine", B, deals=60_000, load=(str(tmp_path / "fine.py"),)), cut=1 << 13)
        assert run(wanted, play=ordered(engine)).sha256 == run(wanted).sha256
        broken = replace(make_experiment("lead: bad", B, deals=60_000, load=(str(tmp_path / "bad.py"),)), cut=1 << 13)
        with pytest.raises(RunError, match=r"preference 'bad' of bad\.py answered"):
            run(broken, play=ordered(engine))


@pytest.mark.slow
def test_a_killed_worker_changes_no_count(tmp_path):
    file = tmp_path / "scheduler.json"
    wanted = experiment(3_000_000, 1 << 16)
    plain = run(wanted).sha256
    with scheduler(file):
        wait_for(file)
        with worker(file) as one, worker(file), cluster(str(file)) as engine:
            def kill_one(done: int) -> None:
                if done > 500_000:
                    one.kill()

            assert run(wanted, progress=kill_one, play=ordered(engine)).sha256 == plain
            assert one.poll() is not None


@pytest.mark.slow
def test_a_worker_that_hangs_changes_no_count(tmp_path):
    file = tmp_path / "scheduler.json"
    wanted = experiment(3_000_000, 1 << 16)
    plain = run(wanted).sha256
    with scheduler(file):
        wait_for(file)
        with worker(file) as one, worker(file), cluster(str(file), slow=2) as engine:

            def stop_one(done: int) -> None:
                if done > 500_000:
                    one.send_signal(signal.SIGSTOP)

            assert run(wanted, progress=stop_one, play=ordered(engine)).sha256 == plain


@pytest.mark.slow
def test_a_scheduler_that_starts_again_changes_no_count(tmp_path):
    file, port = tmp_path / "scheduler.json", 0
    plain = tally(schneider(*simulate(None, 3_000_000)))
    with contextlib.ExitStack() as processes:
        first = processes.enter_context(scheduler(file))
        port = int(wait_for(file).rpartition(":")[2])
        processes.enter_context(worker(file))
        process = processes.enter_context(begun(*simulate(tmp_path / "runs.sqlite", 3_000_000, "--scheduler", file)))
        wait_for_deals(tmp_path / "runs.sqlite", 500_000, process)
        first.kill()
        first.wait()
        processes.enter_context(scheduler(file, port))
        processes.enter_context(worker(file))
        out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert json.loads(out)["tally_sha256"] == plain


@posix
@pytest.mark.slow
def test_no_worker_lives_on_after_a_forced_stop(tmp_path):
    store = tmp_path / "runs.sqlite"
    with begun(*simulate(store, 10**10, "--engine", "dask", "--threads", 2)) as process:
        wait_for_deals(store, 1, process)
        group = os.getpgid(process.pid)
        process.kill()
        process.communicate()
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.2)
    os.killpg(group, signal.SIGKILL)
    raise AssertionError("worker processes are still there")


@posix
@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
def test_interrupted_on_a_cluster(tmp_path):
    store = tmp_path / "runs.sqlite"
    with cluster(workers=1), begun(*simulate(store, 10**10, "--engine", "dask", "--threads", 2)) as process:
        wait_for_deals(store, 1, process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers, too
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and out == ""
    said = [line for line in err.splitlines() if not line.startswith("playing: ")]
    assert said[0] == "schneider-sim: stopping without the ranges in flight; Ctrl-C again stops at once"
    assert "deals are safe" in said[1] and said[2:] == ["schneider-sim: interrupted"], err
    deals = deals_in(store)
    assert tally(schneider(*simulate(store, deals))) == tally(schneider(*simulate(None, deals)))
