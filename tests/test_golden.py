"""Golden playthroughs: one deal and some tallies of each game, which fail loudly when play changes.

Every preset is among them under its full text. A preset's text may change; the play of a text may not, unless the
game's version is raised, which is part of every stored run's key: the store would mix two behaviours. After a change
that is meant, `python tests/test_golden.py` writes the files again, and refuses while the version is the old one.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import schneider_sim as ss
from schneider_sim.games import BUILT_IN, load_game

FOLDER = Path(__file__).parent / "golden"
RUNS: dict[str, list[tuple[str, str, dict[str, str], str]]] = {
    "bohemian": [("classic", "careful", {}, "duplicate"), ("random", "greedy; noise: 0.5", {}, "independent"),
                 ("thrifty; memory: last-2", "plain; ties: first", {"beat_rule": "any_higher_same_suit"}, "duplicate")],
    "bauernschnapsen": [("cautious", "random", {}, "duplicate"), ("random", "random", {}, "independent")],
}
RULES: dict[str, list[dict[str, str]]] = {  # under which each preset plays against itself
    "bohemian": [{}], "bauernschnapsen": [{}, {"contracts": "common"}],
}
SCORES = {"bauernschnapsen": (20, 9)}  # of the match, so that policies that look at it have something to see
MORE = {  # words without a plain twin, and presets of before
    "bohemian": ["plain; search: pimc; samples: 16", "classic; search: pimc; samples: 16; memory: last-3"],
    "bauernschnapsen": [
        "classic; trump: mc; bid: mc; samples: 3", "classic; search: pimc",
        "classic; bid: ringerl outbid score-aware; double: threshold score-aware",
        "classic; search: pimc; samples: 3; memory: last-1", "expert; search: rollout; samples: 8; inference: 2"]}
DEALS, SEARCHED = 2000, 4  # a policy that searches takes some thousand times as long


def texts(name: str) -> list[str]:
    """The full text of every preset of a game, and of MORE."""
    grammar = load_game(name).grammar
    return [str(grammar.parse(text)) for text in (*grammar.presets, *MORE[name])]


def play(name: str, text: str) -> list[str]:
    """Checksums of the tallies of a text against itself, one for each of RULES."""
    deals = SEARCHED if "search:" in text or " mc" in text else DEALS
    more: dict[str, Any] = {"score": SCORES[name]} if name in SCORES else {}
    return [ss.simulate(text, text, deals=deals, seed=3, game=name, rules=rules, **more).tally_sha256
            for rules in RULES[name]]


def golden(name: str) -> dict:
    a, b = RUNS[name][0][:2]
    return {
        "version": load_game(name).version,
        "tallies": [{"A": a, "B": b, "rules": rules, "design": design, "sha256": ss.simulate(
            a, b, deals=2000, seed=3, game=name, rules=rules, design=design).tally_sha256}
            for a, b, rules, design in RUNS[name]],
        "trace": ss.replay(a, b, deal=17, seed=3, game=name),
        "texts": {text: play(name, text) for text in texts(name)},
    }


def recorded(name: str) -> dict:
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def changed(old: dict, new: dict) -> list[str]:
    """What plays otherwise in `new` than in `old`, though the version is the same."""
    if old["version"] != new["version"]:
        return []
    found = [text for text, played in new["texts"].items() if old["texts"].get(text, played) != played]
    before = {json.dumps([run[key] for key in ("A", "B", "rules", "design")]): run["sha256"] for run in old["tallies"]}
    return found + [f"{run['A']} against {run['B']}" for run in new["tallies"] if before.get(
        json.dumps([run[key] for key in ("A", "B", "rules", "design")]), run["sha256"]) != run["sha256"]]


@pytest.mark.parametrize("name", BUILT_IN)
def test_play_has_not_changed(name):
    expected = recorded(name)
    assert json.loads(json.dumps(golden(name))) == expected


@pytest.mark.parametrize("name", BUILT_IN)
def test_play_cannot_be_recorded_again_under_the_same_version(name):
    """The rule of this file: only a text that is new may be added without raising the version."""
    old = recorded(name)
    text = next(iter(old["texts"]))
    other = {**old, "texts": {**old["texts"], text: ["0"]}}
    assert changed(old, old) == []
    assert changed(old, other) == [text]
    assert changed(old, {**other, "version": old["version"] + 1}) == []
    assert changed(old, {**old, "texts": {**old["texts"], "a new text": ["0"]}}) == []


if __name__ == "__main__":
    for each in BUILT_IN:
        file, found = FOLDER / f"{each}.json", golden(each)
        if file.exists() and (wrong := changed({"texts": {}, **recorded(each)}, found)):
            raise SystemExit(f"{each} plays otherwise, so its version must be raised: {'; '.join(wrong)}")
        file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
