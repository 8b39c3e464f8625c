"""Commands that are killed, interrupted and given again: only what was in flight is lost, nothing counts twice."""

import contextlib
import importlib.util
import os
import random
import signal
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from schneider_sim.base.files import replacing
from schneider_sim.runs.experiment import RANGE
from store.processes import apart, begun, deals_in, schneider, simulate, tally, wait_for_deals

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX signals and process groups")

DEALS = 5 * RANGE + 12_345


@pytest.fixture(scope="module")
def plain() -> str:
    """The tally without a store."""
    return tally(schneider(*simulate(None, DEALS)))


def test_killed_and_given_again(tmp_path, plain):
    store = tmp_path / "runs.sqlite"
    with begun(*simulate(store, DEALS, "--threads", 1)) as process:
        wait_for_deals(store, RANGE, process)
    left = deals_in(store)
    assert RANGE <= left < DEALS
    again = schneider(*simulate(store, DEALS))
    assert tally(again) == plain
    assert f"{left:,} deals came from the store" in again.stderr and "{" not in again.stderr
    assert deals_in(store) == DEALS


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_it_says_how_to_go_on(tmp_path, number, status):
    store = tmp_path / "runs.sqlite"
    with begun(*simulate(store, 10**11)) as process:
        wait_for_deals(store, 1, process)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == status and out == ""
    stopping, safe, end = [line for line in err.splitlines() if not line.startswith("playing: ")]
    again = "Ctrl-C" if number == signal.SIGINT else "SIGTERM"
    assert stopping == f"schneider-sim: stopping after the ranges in flight; {again} again stops at once"
    assert f"deals are safe in '{store}'; to continue: schneider-sim simulate" in safe
    assert end == f"schneider-sim: {'interrupted' if number == signal.SIGINT else 'terminated'}"
    assert deals_in(store) == int(safe.split(" deals are safe")[0].split()[-1].replace(",", "")) > 0


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("more, again", [("--records", "the file of records"), ("--fresh", "the comparison")])
def test_interrupted_it_says_what_starts_over(tmp_path, more, again):
    store, file = tmp_path / "runs.sqlite", tmp_path / "plays.parquet"
    with begun(*simulate(store, 10**11, more, *([file] if more == "--records" else []))) as process:
        wait_for_deals(store, 1, process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert f"deals are safe in '{store}'; {again} starts over with: schneider-sim simulate" in err
    assert "to continue" not in err and [entry.name for entry in tmp_path.iterdir()] == [store.name]


def test_what_a_killed_process_was_writing_is_removed_by_the_next(tmp_path):
    store, file = tmp_path / "runs.sqlite", tmp_path / "plays.parquet"
    with begun(*simulate(store, 10**11, "--records", file)) as process:
        wait_for_deals(store, 1, process)
        with replacing(file) as living:
            [left] = [entry for entry in tmp_path.glob(".plays.parquet.*") if entry != living]
    with replacing(tmp_path / "other.parquet"):
        assert left.exists()
    with replacing(file):
        assert not left.exists()


@pytest.mark.slow
def test_killed_twenty_times_at_random_moments(tmp_path):
    store, deals = tmp_path / "runs.sqlite", 30 * RANGE
    moments = random.Random(1)
    killed = 0
    while killed < 20:
        with begun(*simulate(store, deals, "--threads", 1 + killed % 4)) as process:
            time.sleep(0.5 + 2.0 * moments.random())
            if process.poll() is not None:
                deals += 10 * RANGE
                continue
        killed += 1
        with contextlib.closing(sqlite3.connect(store)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert tally(schneider(*simulate(store, deals))) == tally(schneider(*simulate(None, deals)))


@pytest.mark.slow
def test_the_tally_is_the_same_for_every_engine_and_any_number_of_workers(plain, tmp_path):
    ways = ["--engine serial", "--threads 1", "--threads 2", "--threads 3", "--threads 4"]
    if importlib.util.find_spec("distributed"):
        ways.append("--engine dask --threads 2")
    for number, way in enumerate(ways):
        assert tally(apart(*simulate(None, DEALS, *way.split()))) == plain, way
        assert tally(apart(*simulate(tmp_path / f"{number}.sqlite", DEALS, *way.split()))) == plain, way


@pytest.mark.slow
def test_two_halves_on_two_stores_merge_into_the_whole(plain, tmp_path):
    one, two = tmp_path / "one.sqlite", tmp_path / "two.sqlite"
    half = DEALS // 2
    schneider(*simulate(one, half))
    schneider(*simulate(two, DEALS - half, "--first", half))
    assert schneider("runs", "merge", two, "--store", one).returncode == 0
    whole = schneider(*simulate(one, DEALS))
    assert tally(whole) == plain and f"{DEALS:,} deals came from the store" in whole.stderr


@pytest.mark.slow
def test_three_processes_on_one_store(plain, tmp_path):
    store = tmp_path / "runs.sqlite"
    with ThreadPoolExecutor(3) as pool:
        done = [pool.submit(apart, *simulate(store, deals)) for deals in (DEALS, DEALS // 2, DEALS)]
    assert tally(done[0].result()) == tally(done[2].result()) == plain
    assert tally(schneider(*simulate(store, DEALS, "--fresh"))) == plain
    assert deals_in(store) == DEALS
