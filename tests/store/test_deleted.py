"""A run, a range or the whole file deleted while it is in use: no wrong count, and it is said what was not kept."""

import shutil
from dataclasses import replace

import pytest

from schneider_sim.engines.threads import run, serial, threaded
from schneider_sim.errors import RunError
from schneider_sim.runs.recipe import recipe_of
from schneider_sim.store import Changed, Store
from schneider_sim.store.reuse import StoreRunner
from store.kept import CUT, experiment, keep
from store.processes import apart, begun, schneider, simulate, tally, wait_for_deals

DEALS = 6 * CUT


def test_a_run_deleted_while_it_is_played_is_never_filed_under_another(tmp_path):
    wanted, other = experiment(DEALS), experiment(DEALS, seed=2)
    with Store(tmp_path / "runs.sqlite") as store, Store(tmp_path / "runs.sqlite") as theirs:
        player = StoreRunner(serial, store)
        playing = player(wanted)
        total = next(playing)[2] + next(playing)[2]
        [stored] = theirs.runs()
        theirs.delete(stored)
        run(replace(other, deals=2 * CUT), play=StoreRunner(serial, theirs))
        assert theirs.runs()[0].id == stored.id  # what made the mistake possible
        total = total + sum(counts for _, _, counts in playing)
        assert (total == run(wanted).vector).all()
        assert player.lost == {stored.key[:12]: DEALS} and player.played == DEALS
        [left] = store.runs()
        assert left.key != stored.key and sum(part.stop - part.start for part in store.parts(left)) == 2 * CUT
        assert run(other, play=StoreRunner(serial, store)).sha256 == run(other).sha256


def test_numbers_of_deleted_runs_and_ranges_mean_nothing_else_later(tmp_path):
    path = keep(tmp_path / "runs.sqlite", experiment(2 * CUT))
    with Store(path) as store:
        [old] = store.runs()
        parts = store.parts(old)
        store.delete(old)
        run(experiment(2 * CUT, seed=2), play=StoreRunner(serial, store))
        [new] = store.runs()
        assert (old.id, [part.id for part in parts]) == (new.id, [part.id for part in store.parts(new)])
        assert store.parts(old) == []
        for look in (lambda: store.recipe(old), lambda: store.counts(old, parts[0])):
            with pytest.raises(Changed, match="meanwhile"):
                look()
        store.drop(parts)
        store.delete(old)
        assert len(store.parts(new)) == 2


def test_a_stored_range_that_goes_while_it_is_read_is_played(tmp_path):
    path = keep(tmp_path / "runs.sqlite", experiment(4 * CUT))
    wanted = experiment(DEALS)
    with Store(path) as store, Store(path) as theirs:
        player = StoreRunner(threaded(2), store)
        playing = player(wanted)
        total = next(playing)[2]
        theirs.delete(theirs.runs()[0])
        total = total + sum(counts for _, _, counts in playing)
        assert (total == run(wanted).vector).all()
        assert (player.reused, player.played) == (CUT, DEALS - CUT)
        assert run(wanted, play=StoreRunner(serial, store)).sha256 == run(wanted).sha256


def test_a_run_deleted_and_made_again_is_continued(tmp_path):
    wanted = experiment(DEALS)
    with Store(tmp_path / "runs.sqlite") as store, Store(tmp_path / "runs.sqlite") as theirs:
        player = StoreRunner(serial, store)
        playing = player(wanted)
        next(playing)
        theirs.delete(theirs.runs()[0])
        next(playing)
        theirs.add_run(recipe_of(wanted))
        assert len(list(playing)) == DEALS // CUT - 2
        assert player.lost == {store.runs()[0].key[:12]: 2 * CUT}
        assert run(wanted, play=StoreRunner(serial, store)).sha256 == run(wanted).sha256


@pytest.mark.parametrize("deed", ["delete", "other store"])
def test_a_store_that_is_deleted_or_replaced_is_not_said_to_keep(tmp_path, deed):
    path, wanted = tmp_path / "runs.sqlite", experiment(DEALS)
    with Store(path) as store:
        player = StoreRunner(serial, store)
        playing = player(wanted)
        next(playing)
        if deed == "delete":
            path.unlink()
        else:
            shutil.move(keep(tmp_path / "other", experiment(CUT)), path)
        list(playing)
        assert list(player.lost.values()) == [DEALS]


def test_the_command_says_what_was_not_kept(tmp_path):
    store, deals = tmp_path / "runs.sqlite", 12_000_000
    with begun(*simulate(store, deals)) as process:
        wait_for_deals(store, 1, process)
        assert apart("runs", "delete", "--all", "--store", store).returncode == 0
        other = schneider("simulate", "random", "greedy", "--deals", 3_000, "--json", "--store", store)
        out, err = process.communicate(timeout=300)
    assert process.returncode == 0 and f'"deals": {deals}' in out
    assert f"while the store lacks {deals:,} of those that were played" in err
    again = schneider("simulate", "random", "greedy", "--deals", 3_000, "--json", "--store", store)
    assert tally(again) == tally(other) and "3,000 deals came from the store" in again.stderr


def test_a_failing_store_is_still_an_error(tmp_path):
    path = keep(tmp_path / "runs.sqlite", experiment(2 * CUT))
    with Store(path) as store:
        store._do("UPDATE part SET counts = x'00'")
        with pytest.raises(RunError, match="damaged"):
            run(experiment(2 * CUT), play=StoreRunner(serial, store))


def test_another_folder_is_not_another_store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Store("runs.sqlite") as store:
        player = StoreRunner(serial, store)
        monkeypatch.chdir("/")
        run(experiment(DEALS), play=player)
        assert player.lost == {} and store.extent()
