"""Per-play records: one row for every play, saying what the tally counts and the replay shows."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import schneider_sim as ss
from schneider_sim.engines.threads import run, serial, threaded
from schneider_sim.errors import RequestError, RunError
from schneider_sim.games import load_game
from schneider_sim.runs.experiment import make_experiment
from schneider_sim.store import Store
from schneider_sim.store.records import write_records
from schneider_sim.store.reuse import StoreRunner
from store.processes import peak_of

PLAYERS = {"bohemian": ("careful", "greedy"), "bauernschnapsen": ("cautious", "random")}
DEALS, FIRST = 1_000, 700


def experiment(name: str, design: str = "duplicate", deals: int = DEALS, cut: int = 256):
    a, b = PLAYERS[name]
    return replace(make_experiment(a, b, game_name=name, deals=deals, first=FIRST, design=design, seed=3), cut=cut)


@pytest.mark.parametrize("design", ["duplicate", "independent"])
@pytest.mark.parametrize("name", PLAYERS)
def test_rows_come_in_order_and_their_counts_are_the_tally(tmp_path, name, design):
    wanted = experiment(name, design)
    tally = write_records(wanted, tmp_path / "plays.parquet", StoreRunner(threaded(2)))
    assert tally.sha256 == run(wanted).sha256
    rows = pd.read_parquet(tmp_path / "plays.parquet")
    assert len(rows) == wanted.plays
    deals = np.arange(FIRST, FIRST + DEALS)
    if design == "duplicate":
        assert rows.deal.tolist() == np.repeat(deals, 2).tolist() and rows.first_leader.tolist() == ["A", "B"] * DEALS
    else:
        assert rows.deal.tolist() == deals.tolist()
        assert (rows.first_leader == np.where(rows.deal % 2, "B", "A")).all()
    mean = next(e for e in load_game(name).estimates(tally, wanted.match_up) if e.statistic == "vp_per_deal")
    assert (rows.points_a - rows.points_b).mean() == pytest.approx(mean.value)


@pytest.mark.parametrize("name", PLAYERS)
def test_a_row_says_what_the_replay_shows(tmp_path, name):
    write_records(experiment(name, deals=40), tmp_path / "plays.parquet", StoreRunner(serial))
    a, b = PLAYERS[name]
    for row in pd.read_parquet(tmp_path / "plays.parquet").itertuples():
        trace = ss.replay(a, b, seed=3, deal=row.deal, first_leader=row.first_leader, game=name)
        if name == "bohemian":
            shown = [trace[key][who] for key in ("honours", "tricks_won", "victory_points") for who in "AB"]
            assert shown == [row.honours_a, row.honours_b, row.tricks_a, row.tricks_b, row.points_a, row.points_b]
            continue
        points = {"A": row.points_a, "B": row.points_b}
        assert points[trace["scoring_team"]] == trace["game_points"] and sum(points.values()) == trace["game_points"]
        said = {key: getattr(row, key) for key in ("dealer", "trump", "contract", "declarer", "multiplier", "ended")}
        assert said == {key: trace[key] for key in said}
        assert row.redeals == trace["redeals"]


def test_a_run_that_fails_leaves_no_file(tmp_path):
    plugin = tmp_path / "fails.py"
    plugin.write_text("from schneider_sim import preference\n\n\n@preference('fails', over='cards')\n"
                      "def fails(view):\n    raise ValueError('no')\n")
    wanted = make_experiment("lead: fails", "greedy", deals=5_000, load=(str(plugin),))
    with pytest.raises(RunError):
        write_records(wanted, tmp_path / "plays.parquet", StoreRunner(threaded(2)))
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".py" and path.is_file()] == []


@pytest.mark.parametrize("name", ["plays.csv", "missing/plays.parquet", "folder.parquet"])
def test_a_file_that_cannot_be_is_a_wrong_request(tmp_path, name):
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(RequestError, match=r"parquet|cannot write"):
        write_records(experiment("bohemian"), tmp_path / name, StoreRunner(serial))


def test_the_tallies_are_kept_and_what_is_stored_is_compared(tmp_path):
    with Store(tmp_path / "runs.sqlite") as store:
        earlier = experiment("bohemian", deals=333)  # ends within a range
        run(earlier, play=StoreRunner(serial, store))
        wanted = experiment("bohemian")
        player = StoreRunner(threaded(2), store)
        sha = write_records(wanted, tmp_path / "plays.parquet", player).sha256
        assert (sha, player.reused, player.played) == (run(wanted).sha256, 0, DEALS)
        again = StoreRunner(serial, store)
        assert (run(wanted, play=again).sha256, again.reused) == (sha, DEALS)
        assert pd.read_parquet(tmp_path / "plays.parquet").deal.tolist() == np.repeat(np.arange(700, 1700), 2).tolist()
        [stored] = store.runs()
        part = store.parts(stored)[1]
        counts = store.counts(stored, part)
        store.drop([part])
        counts[5] += 1
        store.put(stored, part.start, part.stop, counts)
        with pytest.raises(RunError, match=f"deals {part.start} to {part.stop - 1} of run .* stored with other counts"):
            write_records(wanted, tmp_path / "other.parquet", StoreRunner(serial, store))
        assert not (tmp_path / "other.parquet").exists()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_deals(tmp_path):
    peaks = []
    for deals in (10**6, 6 * 10**6):
        words = ["simulate", *PLAYERS["bohemian"], "--deals", deals, "--no-store", "--json", "--records",
                 tmp_path / "plays.parquet"]
        peaks.append(peak_of(*words))
    assert pq.ParquetFile(tmp_path / "plays.parquet").metadata.num_rows == 12 * 10**6
    assert peaks[1] < 1.15 * peaks[0]
