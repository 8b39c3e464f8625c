"""Match-ups on common deals keep their short ranges in few rows, and find in them what they need."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from schneider_sim.engines.threads import joint_tables, ordered, run, serial, threaded
from schneider_sim.errors import RunError
from schneider_sim.runs.experiment import Experiment, make_experiment, usual_cut
from schneider_sim.store import Store, reuse
from schneider_sim.store.reuse import StoreRunner
from schneider_sim.store.series import Ranges, decode, encode
from schneider_sim.versus.field import Series, play_series

DEALS = 5_000


def made(deals: int = DEALS) -> Experiment:
    return make_experiment("careful", "greedy", deals=deals, seed=3)


def same(one: Series, other: Series) -> bool:
    return (one.tally.sha256 == other.tally.sha256 and one.sums.tolist() == other.sums.tolist()
            and one.sizes.tolist() == other.sizes.tolist())


def rows(path: Path) -> list[tuple[int, int]]:
    with sqlite3.connect(path) as database:
        return database.execute("SELECT start, last + 1 FROM part ORDER BY run, start").fetchall()


@pytest.mark.parametrize("game", ["bohemian", "bauernschnapsen"])
@pytest.mark.parametrize("engine", [serial, threaded(2)])
def test_a_match_up_is_one_row_and_found_again(tmp_path, game, engine):
    experiment = make_experiment("random", "random", deals=DEALS, seed=3, game_name=game)
    plain = play_series(experiment)
    with Store(tmp_path / "runs.sqlite") as store:
        first, again = StoreRunner(engine, store), StoreRunner(engine, store)
        assert same(play_series(experiment, first), plain) and first.played == DEALS
        assert same(play_series(experiment, again), plain) and (again.reused, again.played) == (DEALS, 0)
        assert again.reused_plays == 2 * DEALS
        assert same(play_series(experiment, StoreRunner(engine, store, fresh=True)), plain)
    assert rows(tmp_path / "runs.sqlite") == [(0, DEALS)] and plain.sizes.size > 200


def test_rows_of_before_are_packed_when_they_are_touched(tmp_path):
    """As every range was kept before: a row each. The longer match-up continues them."""
    path = tmp_path / "runs.sqlite"
    with Store(path) as store:
        for _ in StoreRunner(serial, store)(replace(made(), cut=8)):
            pass
        store.shrink()
        before, size = len(rows(path)), path.stat().st_size
        runner = StoreRunner(serial, store)
        assert same(play_series(made(), runner), play_series(made())) and runner.reused == DEALS
        assert before > 200 and rows(path) == [(0, DEALS)] and path.stat().st_size < size / 2
        runner = StoreRunner(serial, store)
        assert same(play_series(made(2 * DEALS), runner), play_series(made(2 * DEALS)))
        assert (runner.reused, runner.played) == (DEALS, DEALS) and rows(path) == [(0, 2 * DEALS)]


def test_others_see_a_long_range(tmp_path):
    """A simulation takes the row whole; who looks on the way plays its deals again, and neither loses anything."""
    path, plain = tmp_path / "runs.sqlite", run(made(2 * DEALS)).sha256
    with Store(path) as store:
        play_series(made(), StoreRunner(serial, store))
        whole = StoreRunner(serial, store)
        assert run(made(2 * DEALS), play=whole).sha256 == plain and (whole.reused, whole.played) == (DEALS, DEALS)
        looking = StoreRunner(serial, store)
        assert run(replace(made(), cut=1024), play=looking).sha256 == run(made()).sha256
        assert same(play_series(made(), StoreRunner(serial, store)), play_series(made()))
        assert run(made(2 * DEALS), play=StoreRunner(serial, store)).sha256 == plain
    assert sum(stop - start for start, stop in rows(path)) == 2 * DEALS


def test_no_row_takes_longer_to_play_than_a_range_of_work(tmp_path, monkeypatch):
    """Slow policies keep their ranges apart, so that nobody has to wait for them again."""
    monkeypatch.setattr(reuse, "usual_cut", lambda experiment: 1024)
    with Store(tmp_path / "runs.sqlite") as store:
        play_series(made(), StoreRunner(serial, store))
        assert same(play_series(made(), StoreRunner(serial, store)), play_series(made()))
    assert rows(tmp_path / "runs.sqlite") == [(0, 1024), (1024, 2048), (2048, 3072), (3072, 4096), (4096, 5000)]
    slow = make_experiment("careful; search: rollout; samples: 20", "greedy")
    assert usual_cut(slow) == slow.cut < usual_cut(made()) / 100


def test_ranges_that_do_not_agree_with_their_row_are_not_believed(tmp_path):
    path = tmp_path / "runs.sqlite"
    with Store(path) as store:
        play_series(made(), StoreRunner(serial, store))
    with sqlite3.connect(path) as database:
        data = database.execute("SELECT counts FROM part").fetchone()[0]
        database.execute("UPDATE part SET counts = ?", (data[:-1] + bytes([data[-1] ^ 1]),))
    with Store(path) as store:
        runner = StoreRunner(serial, store)
        assert same(play_series(made(), runner), play_series(made())) and (runner.reused, runner.played) == (0, DEALS)
    with sqlite3.connect(path) as database:
        data = database.execute("SELECT counts FROM part").fetchone()[0]
        database.execute("UPDATE part SET counts = ?", (data[:50],))
    with Store(path) as store, pytest.raises(RunError, match="damaged"):
        play_series(made(), StoreRunner(serial, store))


def test_what_was_played_is_kept_when_the_run_stops(tmp_path):
    path = tmp_path / "runs.sqlite"
    with Store(path) as store:
        some = StoreRunner(serial, store).joint_tables(replace(made(), cut=64))
        for _ in range(10):
            next(some)
        some.close()
    kept = rows(path)
    assert sum(stop - start for start, stop in kept) == 640 and len(kept) <= 10 and kept[-1][1] == 640


def test_ranges_are_read_as_they_were_written():
    generator = np.random.default_rng(1)
    ranges = Ranges(np.array([5, 9, 2**62]), generator.integers(0, 3, (3, 40)) * generator.integers(0, 2**40, 40))
    data, joint = encode(ranges, "sha"), ranges.joint.sum(axis=0)
    found = decode(data, "sha", joint)
    assert found and all(np.array_equal(a, b) for a, b in zip(found, ranges, strict=True))
    assert decode(data, "other", joint) is None and decode(data, "sha", joint + 1) is None
    assert encode(Ranges(ranges.stops[:1], ranges.joint[:1]), "sha") == b"" and decode(b"", "sha", joint) is None


def test_joint_tables_of_any_player_are_the_same():
    tables = [table for _, several, _ in joint_tables(ordered(serial), replace(made(), cut=512)) for table in several]
    assert len(tables) == 10 and np.array_equal(sum(tables), run(made())["joint"].ravel())
