"""`runs verify` reads what is stored and plays a sample again."""

import json

from schneider_sim.engines.threads import run, serial
from schneider_sim.runs.experiment import make_experiment
from schneider_sim.store import Store
from schneider_sim.store.reuse import StoreRunner
from schneider_sim.store.verify import sample, verify
from store.kept import PLUGIN, change, everything, experiment, keep
from store.processes import schneider


def test_verify_plays_a_sample_again_and_finds_what_was_changed(tmp_path):
    one = keep(tmp_path / "1", experiment(20_000), experiment(20_000, seed=2))
    with Store(one) as store:
        drawn = sample(store, store.runs(), 6)
        assert drawn == sample(store, store.runs(), 6) != sample(store, store.runs(), 6, pick=1)
        assert all(checked.same for checked in verify(store, drawn.chosen, serial))
        stored, part = drawn.chosen[3]
        counts = store.counts(stored, part)
        store.drop([part])
        counts[0] += 1
        store.put(stored, part.start, part.stop, counts)
        drawn = sample(store, store.runs(), 100)
        wrong = [one for one in verify(store, drawn.chosen, serial) if not one.same]
        assert list(map(str, wrong)) == [f"deals {part.start} to {part.stop - 1} of {stored}"]


def test_verify_finds_all_that_is_damaged_and_drops_that_alone(tmp_path):
    one = keep(tmp_path / "1", experiment(20_000), experiment(20_000, seed=2))
    whole = everything(one)
    with Store(one) as store:
        first, second = store.runs()
        numbers = [part.id for part in store.parts(first)]
        store._do("UPDATE part SET counts = x'00' WHERE id IN (?, ?)", numbers[1], numbers[4])
        change(store, second, 3, 1)
    done = schneider("runs", "verify", "--sample", 100, "--json", "--store", one)
    told = json.loads(done.stdout)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1 and "--drop" in done.stderr
    assert told["wrong"] == [f"deals 6144 to 8191 of {second}"] and told["dropped"] == 0
    assert [line.split(": ")[0] for line in told["damaged"]] == [
        f"deals 2048 to 4095 of {first}", f"deals 8192 to 10239 of {first}"]
    assert len(everything(one)) == len(whole)
    done = schneider("runs", "verify", "--sample", 100, "--drop", "--store", one)
    assert done.returncode == 1 and "3 ranges forgotten" in done.stderr
    assert done.stdout.count("\nDamaged: ") == 2 and done.stdout.count("\nWrong: ") == 1
    assert len(everything(one)) == len(whole) - 3
    assert schneider("runs", "verify", "--sample", 0, "--store", one).returncode == 0
    with Store(one) as store:
        for seed in (1, 2):
            run(experiment(20_000, seed=seed), play=StoreRunner(serial, store))
    assert everything(one) == whole


def test_verify_goes_on_after_a_run_whose_recipe_is_damaged(tmp_path):
    with Store(keep(tmp_path / "1", experiment(3_000), experiment(3_000, seed=2))) as store:
        first, second = store.runs()
        store._do("UPDATE run SET recipe = '{}' WHERE id = ?", first.id)
        drawn = sample(store, store.runs(), 5)
        assert [(one.run, one.part) for one in drawn.damaged] == [(first, None)]
        assert {stored for stored, _ in drawn.chosen} == {second}


def test_verify_runs_stored_source_only_when_told(tmp_path):
    plugin = tmp_path / "spades.py"
    plugin.write_text(PLUGIN)
    own = make_experiment("lead: spades", "random", deals=3_000, load=(str(plugin),))
    with Store(keep(tmp_path / "1", own)) as store:
        drawn = sample(store, store.runs(), 5)
        assert drawn.chosen == [] and "--run-plugins" in drawn.left_out[0][1]
        drawn = sample(store, store.runs(), 5, plugins=True)
        assert [one.same for one in verify(store, drawn.chosen, serial)] == [True]
