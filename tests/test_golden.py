"""Golden playthroughs: one deal and some tallies of each game, which fail loudly when play changes.

If one fails and the change of play is meant, raise the game's version, which is part of every stored run's key, and
write the file anew: `python tests/test_golden.py`.
"""

import json
from pathlib import Path

import pytest

import schneider_sim as ss
from schneider_sim.games import BUILT_IN, load_game

FOLDER = Path(__file__).parent / "golden"
RUNS: dict[str, list[tuple[str, str, dict[str, str], str]]] = {
    "bohemian": [("champion", "careful", {}, "duplicate"), ("random", "greedy; noise: 0.5", {}, "independent"),
                 ("thrifty; memory: last-2", "plain; ties: first", {"beat_rule": "any_higher_same_suit"}, "duplicate")],
    "bauernschnapsen": [("cautious", "random", {}, "duplicate"), ("random", "random", {}, "independent")],
}


def golden(name: str) -> dict:
    a, b = RUNS[name][0][:2]
    return {
        "version": load_game(name).version,
        "tallies": [{"A": a, "B": b, "rules": rules, "design": design, "sha256": ss.simulate(
            a, b, deals=2000, seed=3, game=name, rules=rules, design=design).tally_sha256}
            for a, b, rules, design in RUNS[name]],
        "trace": ss.replay(a, b, deal=17, seed=3, game=name),
    }


@pytest.mark.parametrize("name", BUILT_IN)
def test_play_has_not_changed(name):
    expected = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(golden(name))) == expected


if __name__ == "__main__":
    for each in BUILT_IN:
        (FOLDER / f"{each}.json").write_text(json.dumps(golden(each), indent=1) + "\n", encoding="utf-8")
