"""Export, import and merge: every part arrives once, or nothing does."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schneider_sim.engines.threads import run, serial
from schneider_sim.errors import RequestError, RunError
from schneider_sim.runs.experiment import make_experiment
from schneider_sim.runs.recipe import as_text, experiment_of, key_of, recipe_of
from schneider_sim.store import Store
from schneider_sim.store.exchange import export, merge, pieces, read_export
from schneider_sim.store.reuse import StoreRunner
from store.kept import PLUGIN, change, everything, experiment, keep
from store.processes import A, B, schneider, simulate, tally

HEAD = {"format": "schneider-sim runs", "form": 1}
PART = {"start": 0, "stop": 1, "sha256": "", "size": 1, "places": [], "counts": []}


def merged(into: Path, other: Path, **more):
    with Store(into) as store, Store(other) as source:
        return merge(store, pieces(source, source.runs()), **more)


@pytest.mark.parametrize("suffix", [".parquet", ".json"])
def test_what_is_exported_arrives(tmp_path, suffix):
    plugin = tmp_path / "spades.py"
    plugin.write_text(PLUGIN)
    own = make_experiment("lead: spades", "random", deals=3_000, load=(str(plugin),))
    one = keep(tmp_path / "one.sqlite", experiment(7_000, seed=2**64 - 1), experiment(3_000, 2**63 - 3_000), own)
    file, two = tmp_path / f"runs{suffix}", tmp_path / "two.sqlite"
    with Store(one) as store:
        parts = export(pieces(store, store.runs()), file)
    with Store(two) as store:
        assert merge(store, read_export(file)) == (parts, 0, 0)
        assert merge(store, read_export(file)) == (0, parts, 0)
    assert everything(one) == everything(two) and len(everything(one)) == parts


def test_an_export_is_a_table_that_others_read(tmp_path):
    one = keep(tmp_path / "one.sqlite", experiment(7_000))
    with Store(one) as store:
        export(pieces(store, store.runs()), tmp_path / "runs.parquet")
        export(pieces(store, store.runs()), tmp_path / "runs.json")
    rows = pd.read_parquet(tmp_path / "runs.parquet")
    assert np.stack(rows["counts"].to_list()).sum(axis=0).tolist() == run(experiment(7_000)).vector.tolist()
    told = json.loads((tmp_path / "runs.json").read_text())
    assert [part["start"] for part in told["runs"][0]["parts"]] == rows.start.tolist()


def test_halves_that_meet_merge_and_halves_that_overlap_do_not(tmp_path):
    one, two = keep(tmp_path / "1", experiment(5_000)), keep(tmp_path / "2", experiment(4_000, 4_500))
    before = everything(one)
    with pytest.raises(RequestError, match=r"deals 4500 to 6143 of run \w+, of which the store has 500;.*skip-over"):
        merged(one, two)
    assert everything(one) == before
    assert merged(one, two, skip_overlaps=True) == (2, 0, 1)
    player = StoreRunner(serial, store := Store(one))
    assert run(experiment(8_500), play=player).sha256 == run(experiment(8_500)).sha256
    assert player.played == 6_144 - 5_000
    store.close()


def test_the_same_deals_cut_otherwise_are_passed_over(tmp_path):
    one = keep(tmp_path / "1", experiment(9_000))
    two = keep(tmp_path / "2", replace(experiment(9_000), cut=1 << 9))
    assert merged(one, two) == (0, 18, 0) and merged(two, one) == (0, 5, 0)
    with Store(two) as store:  # two counts change places between neighbours, and their sum stays
        [stored] = store.runs()
        change(store, stored, 6, 1)
        change(store, stored, 7, -1)
    assert merged(one, two) == (0, 18, 0)
    with Store(two) as store:
        change(store, stored, 17, 1)
    before = everything(one)
    for into, other in ((one, two), (two, one)):
        with pytest.raises(RunError, match=r"deals 8192 to 8999 of run \w+ are stored with other counts"):
            merged(into, other)
    assert everything(one) == before


def test_deals_that_cannot_be_compared_are_not_said_to_be_the_same(tmp_path):
    one = keep(tmp_path / "1", experiment(9_000))
    two = keep(tmp_path / "2", replace(experiment(1_500, 4_096), cut=1 << 9), experiment(500, 6_144 + 500))
    with pytest.raises(RequestError, match=r"deals 4096 to 4607 of run \w+, which the store has cut otherwise"):
        merged(one, two)
    assert merged(one, two, skip_overlaps=True) == (0, 0, 4)


def test_counts_that_contradict_each_other_are_an_error(tmp_path):
    one, two = keep(tmp_path / "1", experiment(3_000)), keep(tmp_path / "2", experiment(3_000))
    with Store(two) as store:
        [stored] = store.runs()
        part = store.parts(stored)[0]
        counts = store.counts(stored, part)
        store.drop([part])
        counts[0] += 1
        store.put(stored, part.start, part.stop, counts)
    before = everything(one)
    with pytest.raises(RunError, match=r"deals 0 to 2047 of run \w+ are stored with other counts"):
        merged(one, two)
    assert everything(one) == before


@pytest.mark.parametrize("name, content, said", [
    ("runs.json", "{}", "not an export"), ("runs.json", "no", "not an export"), ("runs.parquet", "no", "not an export"),
    ("runs.csv", "", "NAME.parquet or NAME.json"), ("runs.json", json.dumps(HEAD | {"form": 9}), "newer"),
    ("runs.json", json.dumps(HEAD | {"runs": [{"recipe": {}, "version": "", "parts": [PART]}]}), "not an export"),
])
def test_other_files_are_refused(tmp_path, name, content, said):
    (tmp_path / name).write_text(content)
    with Store(tmp_path / "1") as store:
        with pytest.raises(RequestError, match=said):
            merge(store, read_export(tmp_path / name))
        assert store.runs() == []


def test_a_damaged_export_is_found(tmp_path):
    one = keep(tmp_path / "1", experiment(3_000))
    with Store(one) as store:
        export(pieces(store, store.runs()), tmp_path / "runs.json")
    text = (tmp_path / "runs.json").read_text()
    (tmp_path / "runs.json").write_text(text.replace('"counts":[', '"counts":[9', 1))
    with Store(tmp_path / "2") as store, pytest.raises(RunError, match="damaged in what is to be merged"):
        merge(store, read_export(tmp_path / "runs.json"))


@pytest.mark.parametrize("suffix", [".parquet", ".json"])
@pytest.mark.parametrize("game", ["bohemian", "bauernschnapsen"])
@pytest.mark.parametrize("design", ["duplicate", "independent"])
@pytest.mark.parametrize("column, said", [("recipe", "was altered"), ("key", "was altered"),
                                          ("stop", "these deals have"), ("start", "these deals have")])
def test_an_altered_export_is_refused(tmp_path, suffix, game, design, column, said):
    file = tmp_path / f"runs{suffix}"
    with Store(keep(tmp_path / "1", experiment(300, 10, game_name=game, design=design))) as store:
        export(pieces(store, store.runs()), file)
    if suffix == ".json":
        data = json.loads(file.read_text())
        holder = data["runs"][0] if column in ("recipe", "key") else data["runs"][0]["parts"][0]
        holder[column] = other(holder[column])
        file.write_text(json.dumps(data))
    else:
        table = pq.read_table(file)
        [row] = table.to_pylist()
        row[column] = as_text(other(json.loads(row[column]))) if column == "recipe" else other(row[column])
        pq.write_table(pa.Table.from_pylist([row], schema=table.schema), file)
    with Store(tmp_path / "2") as store:
        with pytest.raises(RequestError, match=said) as error:
            merge(store, read_export(file))
        assert store.runs() == [] and "\n" not in str(error.value)


@pytest.mark.parametrize("change", [
    {"design": "triple"}, {"game": ["bohemian"]}, {"a": 1}, {"seed": "1"}, {"plugins": 5}, {"rules": None, "a": None},
], ids=str)
def test_a_recipe_of_other_kinds_is_refused_though_its_key_names_it(tmp_path, change):
    with Store(keep(tmp_path / "1", experiment(300))) as store:
        export(pieces(store, store.runs()), tmp_path / "runs.json")
    data = json.loads((tmp_path / "runs.json").read_text())
    [told] = data["runs"]
    told["recipe"] |= change
    told["key"] = "0" * 64 if "plugins" in change else key_of(told["recipe"])
    (tmp_path / "runs.json").write_text(json.dumps(data))
    with Store(tmp_path / "2") as store:
        with pytest.raises(RequestError, match="not an export"):
            merge(store, read_export(tmp_path / "runs.json"))
        assert store.runs() == []


def other(value):
    """Another value of its kind."""
    if isinstance(value, dict):
        return value | {"seed": value["seed"] + 1}
    return value + 1 if isinstance(value, int) else value[::-1]


def test_a_range_that_was_given_other_counts_is_noticed(tmp_path):
    with Store(keep(tmp_path / "1", experiment(3_000))) as store:
        [stored] = store.runs()
        first, second = store.parts(stored)
        store._do("UPDATE part SET counts = (SELECT counts FROM part WHERE id = ?), sha256 = ? WHERE id = ?",
                  second.id, second.sha256, first.id)
        with pytest.raises(RunError, match=r"deals 0 to 2047 .*damaged \(these deals have 4096 plays, not 1904"):
            run(experiment(3_000), play=StoreRunner(serial, store))


def test_a_recipe_is_its_experiment(tmp_path):
    plugin = tmp_path / "spades.py"
    plugin.write_text(PLUGIN)
    for wanted in (
        experiment(500, seed=2**64 - 1, rules={"follow": "must_follow", "win_points": "1,3,9"}, design="independent"),
        make_experiment("lead: spades", "greedy", deals=500, load=(str(plugin),)),
        make_experiment("cautious", "random", game_name="bauernschnapsen", variant="common", deals=500, score=(5, 12)),
    ):
        recipe = json.loads(as_text(recipe_of(wanted)))
        again = experiment_of(recipe, wanted.first, wanted.deals)
        assert key_of(recipe_of(again)) == key_of(recipe_of(wanted))
        assert run(again).sha256 == run(wanted).sha256


def test_the_commands(tmp_path):
    one, two, file = tmp_path / "one.sqlite", tmp_path / "two.sqlite", tmp_path / "runs.parquet"

    def runs(*words: object, status: int = 0) -> str:
        done = schneider("runs", *words)
        assert done.returncode == status, done.stderr
        return done.stdout if status == 0 else done.stderr

    sha = tally(schneider(*simulate(one, 5_000)))
    [listed] = json.loads(runs("list", "--json", "--store", one))["runs"]
    assert (listed["deals"], listed["first"], listed["last"], listed["seed"]) == (5_000, 0, 4_999, 1)
    assert listed["a"] == A and listed["b"] == B and listed["key"][:12] in runs("list", "--store", one)
    shown = json.loads(runs("show", listed["key"][:8], "--json", "--store", one))
    assert shown["stretches"] == [{"first": 0, "deals": 5_000, "ranges": 1, "tally_sha256": sha}]
    assert f"simulate '{A}' '{B}' --deals 5000 --store" in runs("show", listed["key"][:8], "--store", one)
    runs("export", file, "--store", one)
    assert json.loads(runs("import", file, "--json", "--store", two))["added"] == 1
    assert json.loads(runs("merge", one, "--json", "--store", two))["same"] == 1
    assert "0 differ" in runs("verify", "--store", two)
    assert "by their keys, or give --all" in runs("delete", "--store", two, status=2)
    assert "there is no store" in runs("list", "--store", tmp_path / "none", status=2)
    assert "unknown command of runs 'lst'; did you mean 'list'" in runs("lst", status=2)
    assert json.loads(runs("delete", listed["key"], "--json", "--store", two))["deleted"] == [listed["key"]]
    with Store(two) as store:
        assert store.runs() == []
