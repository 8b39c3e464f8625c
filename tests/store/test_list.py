"""`runs list` tells runs apart, the newest first, by names of presets, no more than can be read, and finds some."""

import json
from pathlib import Path

import pytest

from commandline import call, refused
from schneider_sim.cli.short_policies import cut_apart, short_policy
from schneider_sim.games import load_game
from schneider_sim.runs.experiment import make_experiment
from schneider_sim.runs.recipe import recipe_of
from schneider_sim.store import Store
from store.kept import PLUGIN


def listed(store: Path, *words: str) -> list[str]:
    """The lines below the head, each without the stretch of dashes."""
    done = call("runs", "list", *words, "--store", str(store))
    assert done.exit_code == 0, done.output
    return done.stdout.splitlines()[2:]


def told(store: Path, *words: str) -> list[dict[str, object]]:
    done = call("runs", "list", *words, "--json", "--store", str(store))
    found: list[dict[str, object]] = json.loads(done.stdout)["runs"]
    return found


def test_the_list_tells_runs_apart(tmp_path: Path) -> None:
    plugin = tmp_path / "spades.py"
    plugin.write_text(PLUGIN)
    wanted = {
        "": make_experiment("random", "greedy"),
        "follow=must_follow detail all": make_experiment("random", "greedy", detail="all",
                                                         rules={"follow": "must_follow"}),
        "plug-ins spades": make_experiment("lead: spades", "greedy", load=(str(plugin),)),
        "score 12:7": make_experiment("random", "cautious", game_name="bauernschnapsen", score=(12, 7)),
        "recipe damaged": make_experiment("random", "greedy", seed=2),
    }
    with Store(tmp_path / "1") as store:
        made = [store.add_run(recipe_of(one)) for one in wanted.values()]
        store._do("UPDATE run SET recipe = 'no' WHERE id = ?", made[-1].id)
    head = call("runs", "list", "--store", str(tmp_path / "1")).stdout.splitlines()[0]
    lines = listed(tmp_path / "1")
    assert [line[head.index("non-default settings"):] for line in lines] == list(wanted)[::-1]
    assert [(one["rules"], one["detail"], one["score"], one["plugins"]) for one in told(tmp_path / "1")][::-1] == [
        ({}, "sample", [0, 0], []), ({"follow": "must_follow"}, "all", [0, 0], []), ({}, "sample", [0, 0], ["spades"]),
        ({}, "sample", [12, 7], []), (None, None, None, None)]
    for words, found in ((("spades",), 1), (("follow=MUST",), 1), (("bauern", "random"), 1), (("seed=2",), 1),
                         (("greedy", "detail"), 1), (("greedy",), 4), (("nothing",), 0)):
        assert len(told(tmp_path / "1", *words)) == len(listed(tmp_path / "1", *words)) == found, words


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the runs of a tournament of 20 policies, which begin alike."""
    path = tmp_path_factory.mktemp("many") / "runs.sqlite"
    policies = ["careful", *(f"champion; noise: {k / 100}; memory: last-{k}" for k in range(1, 20))]
    with Store(path) as store, store.changing():
        for k, a in enumerate(policies):
            for b in policies[:k]:
                store.add_run(recipe_of(make_experiment(a, b)))
    return path


def test_a_long_list_is_cut_and_says_so(many: Path) -> None:
    *lines, more = listed(many)
    assert len(lines) == 20 and more.startswith("… and 170 more: --all lists them")
    every = listed(many, "--all")
    assert len(every) == 190 and every[:20] == lines
    assert len(listed(many, "--limit", "3")) == 4 and len(listed(many, "careful", "--limit", "19")) == 19
    assert len(told(many)) == 190 and len(told(many, "--limit", "2")) == 2
    assert "exclude each other" in refused("runs", "list", "--all", "--limit", "2", "--store", str(many))


def test_policies_are_named_and_never_look_alike(many: Path) -> None:
    rows = [line.split("  bohemian  ")[1].split("  1  duplicate")[0] for line in listed(many, "--all")]
    assert len(set(rows)) == 190
    assert rows[-1].split("  ")[0] == "champion; memory: last-1; noise: 0.01"
    assert told(many)[-1]["names"] == {"A": "champion; memory: last-1; noise: 0.01", "B": "careful"}


@pytest.mark.parametrize("name", ["bohemian", "bauernschnapsen"])
def test_a_short_policy_is_the_same_policy(name: str) -> None:
    grammar = load_game(name).grammar
    for preset in grammar.presets:
        text = str(grammar.parse(preset))
        assert grammar.parse(short_policy(name, text)) == grammar.parse(text)
        other = str(grammar.parse(f"{preset}; noise: 0.125; lead: low"))
        assert str(grammar.parse(short_policy(name, other))) == other and len(short_policy(name, other)) <= len(other)
    assert short_policy("whist", "lead: x") == "lead: x"


def test_texts_are_cut_where_they_differ() -> None:
    texts = ["a" * 100 + "b", "a" * 100 + "c", "short"]
    assert len(set(cut_apart(texts).values())) == 3
    assert cut_apart(["a" * 100, "b" * 100]) == {letter * 100: letter * 39 + "…" for letter in "ab"}
    assert cut_apart([]) == {}
