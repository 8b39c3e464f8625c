"""Tallies of before a part was added to the layout: read, continued, divided, verified, merged, exported."""

from pathlib import Path

import numpy as np
import pytest

from schneider_sim.base.tally import Tally
from schneider_sim.engines.threads import run, serial
from schneider_sim.errors import RunError
from schneider_sim.games import load_game
from schneider_sim.store import Store
from schneider_sim.store.exchange import export, merge, pieces, read_export
from schneider_sim.store.reuse import StoreRunner
from schneider_sim.store.verify import sample, verify
from store.kept import CUT, experiment, keep

LAYOUT = load_game("bohemian").layout


def of_before(path: Path, *experiments) -> Path:
    """A store of these experiments as a program without the added parts left it."""
    with Store(keep(path, *experiments)) as store:
        for stored in store.runs():
            for part in store.parts(stored):
                counts = store.counts(stored, part)
                store.drop([part])
                store.put(stored, part.start, part.stop, counts[: LAYOUT.core])
    return path


def test_old_tallies_are_read_and_continued(tmp_path):
    with Store(of_before(tmp_path / "old.sqlite", experiment(2 * CUT))) as store:
        player = StoreRunner(serial, store)
        tally = run(experiment(5 * CUT), play=player)
        assert (player.reused, player.played) == (2 * CUT, 3 * CUT)
        plain = run(experiment(5 * CUT))
        assert tally.sha256 == plain.sha256
        assert tally["endgame_deals"][0] < plain["endgame_deals"][0]
        assert (tally["event"] == plain["event"]).all()
        sizes = {store.counts(stored, part).size for stored in store.runs() for part in store.parts(stored)}
        assert sizes == {LAYOUT.core, LAYOUT.size}


def test_old_tallies_are_divided_and_played_again(tmp_path):
    with Store(of_before(tmp_path / "old.sqlite", experiment(2 * CUT))) as store:
        run(experiment(300), play=StoreRunner(serial, store, fresh=True))
        stored = store.runs()[0]
        assert [part.start for part in store.parts(stored)] == [0, 300, CUT]
        chosen = sample(store, [stored], 9).chosen
        assert [checked.same for checked in verify(store, chosen, serial)] == [True] * 3


def test_old_tallies_travel_and_meet_new_ones(tmp_path):
    with Store(of_before(tmp_path / "old.sqlite", experiment(2 * CUT))) as old:
        for name in ("runs.json", "runs.parquet"):
            export(pieces(old, old.runs()), tmp_path / name)
    with Store(keep(tmp_path / "new.sqlite", experiment(3 * CUT))) as new:
        for name in ("runs.json", "runs.parquet"):
            assert merge(new, read_export(tmp_path / name))[:2] == (0, 2)
        stored = new.runs()[0]
        part = new.parts(stored)[0]
        counts = new.counts(stored, part)
        new.drop([part])
        counts[LAYOUT.offset("event")] += 1
        new.put(stored, part.start, part.stop, counts)
        with pytest.raises(RunError, match="with other counts"):
            merge(new, read_export(tmp_path / "runs.json"))


def test_the_hash_is_that_of_before(tmp_path):
    tally = run(experiment(300))
    assert tally.vector[LAYOUT.core :].any()
    tally = Tally(LAYOUT, np.where(np.arange(LAYOUT.size) < LAYOUT.core, tally.vector, 0))
    assert tally.sha256 == run(experiment(300)).sha256
