"""`policies`, `preferences` and `rules`: everything there is, as text and as JSON."""

import json
from typing import Any

import pytest

from commandline import call
from schneider_sim.games import load_game

GAMES = ["bohemian", "bauernschnapsen"]


def listed(*words: str) -> Any:
    result = call(*words, "--json")
    assert result.exit_code == 0 and result.stderr == ""
    return json.loads(result.stdout)


@pytest.mark.parametrize("name", GAMES)
def test_policies(name: str) -> None:
    found = listed("policies", "--game", name)["policies"]
    grammar = load_game(name).grammar
    assert [policy["name"] for policy in found] == list(grammar.presets)
    assert all(grammar.parse(policy["policy"]) == grammar.parse(policy["name"]) for policy in found)
    text = call("policies", "--game", name).stdout
    assert all(policy["policy"] in text and policy["about"] in text for policy in found)


@pytest.mark.parametrize("name", GAMES)
def test_preferences(name: str) -> None:
    found = listed("preferences", "--game", name)
    words = {(section, entry["name"]) for entry in found["preferences"] for section in entry["sections"]}
    assert words == {(section.name, word) for section in load_game(name).grammar.sections for word in section.words}
    grammar = load_game(name).grammar
    assert [option["name"] for option in found["options"]] == [option.name for option in grammar.options]
    assert (found["tricks"], found["stages"]) == (grammar.tricks, {k: list(v) for k, v in grammar.stages.items()})
    text = call("preferences", "--game", name).stdout
    assert f"(of 1 to {grammar.tricks})" in text and all(f"@{stage} in " in text for stage in grammar.stages)
    assert all(entry["meaning"] in text for entry in found["preferences"])


@pytest.mark.parametrize("name", GAMES)
def test_rules(name: str) -> None:
    found = listed("rules", "--game", name)
    usual = load_game(name).rules().as_dict()
    assert found["rules"] == usual
    assert list(found["variants"]) == list(load_game(name).variants)
    assert all(switch["form"] for switch in found["switches"])
    assert {s["name"]: s["default"] for s in found["switches"] if s["name"] in usual} == usual
    text = call("rules", "--game", name).stdout
    assert all(f"{switch['name']}=" in text for switch in found["switches"])


def test_rules_that_result() -> None:
    found = listed("rules", "--variant", "higher", "--rules", "follow=free", "--rules", "win_points=1,2,4")
    assert found["rules"]["beat_rule"] == "any_higher_same_suit"
    assert found["rules"]["follow"] == "free" and found["rules"]["win_points"] == [1, 2, 4]
    assert "win_points=1,2,4" in call("rules", "--rules", "win_points=1,2,4").stdout
