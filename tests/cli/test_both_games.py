"""Every command with either game: it does its work, in that game's words, and repeats itself by what it prints."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import schneider_sim as ss
from commandline import call, refused
from schneider_sim.errors import RequestError
from schneider_sim.games import BUILT_IN, load_game
from schneider_sim.games.switches import changes

PAIR = {"bohemian": ("plain", "thrifty"), "bauernschnapsen": ("bold", "cautious")}
LEADS = {"bohemian": "safe honour, low", "bauernschnapsen": "master, low"}
FOLLOWS = {"bohemian": "capture, low", "bauernschnapsen": "win-cheap, poor"}
COMMANDS = {
    "simulate": "simulate {a} {b} --deals 1500",
    "simulate, independent": "simulate {a} {b} --deals 1500 --design independent",
    "simulate, few": "simulate {a} {b} --deals 3",
    "sessions": "sessions {a} {b} --count 60",
    "replay": "replay {a} {b} --deal 17",
    "compare": "compare {a} {b} --max-deals 2048",
    "tournament": "tournament {a} {b} random --deals 1024",
    "factorial": "factorial --leads '{leads}' --follows '{follows}' --against random --deals 1024",
    "curve": "factorial --vary memory=none,last-1,full --deals 1024",
    "position": "position {a} --against {b} --deal 4 --trick 1 --seat 1 --worlds 512",
    "analyse": "analyse {a} {b} --deals 6 --worlds 16",
    "exploit": "exploit {a} --by '{b}; samples: 8' --deals 4",
    "plan": "plan {a} {b} --difference 0.05 --pilot 1024",
    "policies": "policies",
    "preferences": "preferences",
    "rules": "rules",
}
# words of one game that have no meaning in the other
FOREIGN = {
    "bauernschnapsen": r"honour|Bohemian|Schwarz|\bstock\b|\bVP\b|victory point|non-dealer|\bsessions?\b|capture",
    "bohemian": r"Bauernsch|game point|\ba match\b(?!-)|\bmatches\b|trump|contract|declarer|caller|Bummerl|Retour",
}


def words(name: str, which: str) -> list[str]:
    a, b = PAIR[name]
    text = COMMANDS[which].format(a=a, b=b, leads=LEADS[name], follows=FOLLOWS[name])
    return [*shlex.split(text), "--game", name]


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("which", COMMANDS)
def test_a_command_speaks_the_words_of_its_game(name: str, which: str) -> None:
    done = call(*words(name, which))
    assert done.exit_code in (0, 3, 4), done.stderr
    shared = r"session_\w+|schneider-sim \w+|bauernschnapsen|bohemian"  # names that both games have
    text = re.sub(shared, "", done.stdout)
    found = re.search(FOREIGN[name], text, re.IGNORECASE)
    assert not found, text[max(0, found.start() - 60) : found.end() + 40]
    assert not re.search(r"\bnan\b|\binf\b|None|True|False", text)


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("which", [which for which in COMMANDS if which != "replay"])
def test_json_is_alone_and_of_its_game(name: str, which: str) -> None:
    done = call(*words(name, which), "--json")
    found = json.loads(done.stdout)
    assert done.exit_code in (0, 3, 4)
    assert found.get("game", name) == name


@pytest.mark.parametrize("name", BUILT_IN)
def test_replays_are_judged_right_and_spoilt_ones_wrong(name: str, tmp_path: Path) -> None:
    lines = call(*words(name, "replay"), "--until", "22", "--json").stdout
    file = tmp_path / "traces.jsonl"
    file.write_text(lines, encoding="utf-8")
    assert call("judge", str(file)).stderr == "6 traces, all right\n"
    trace = json.loads(lines.splitlines()[0])
    trace["tricks"][0]["winner"] = "B" if trace["tricks"][0]["winner"] == "A" else "A"
    assert "line 1: wrong: " in call("judge", "-", stdin=json.dumps(trace)).output


@pytest.mark.parametrize("name", BUILT_IN)
def test_runs_of_either_game_are_listed_and_verified(name: str, tmp_path: Path) -> None:
    store = str(tmp_path / "store.sqlite")
    a, b = PAIR[name]
    for _ in range(2):
        done = call("simulate", a, b, "--deals", "3000", "--game", name, SCHNEIDER_SIM_STORE=store)
        assert done.exit_code == 0, done.stderr
    listed = json.loads(call("runs", "list", "--json", SCHNEIDER_SIM_STORE=store).stdout)
    assert [run["game"] for run in listed["runs"]] == [name]
    key = listed["runs"][0]["key"]
    shown = call("runs", "show", key[:8], SCHNEIDER_SIM_STORE=store)
    assert shown.exit_code == 0 and name in shown.stdout
    assert call("runs", "verify", SCHNEIDER_SIM_STORE=store).exit_code == 0


WRONG = {
    "policy of the other game": "simulate {other} {b}",
    "word of the other game": "simulate '{a}; follow: {word}' {b}",
    "rule of the other game": "simulate {a} {b} --rules {rule}",
    "no score": "simulate {a} {b} --score 24:0",
    "no deal": "replay {a} {b} --deal x",
    "one policy": "tournament {a}",
    "unknown game": "simulate {a} {b} --game skat",
}


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("which", WRONG)
def test_wrong_input_is_one_line_that_helps(name: str, which: str) -> None:
    other = next(one for one in BUILT_IN if one != name)
    rule = {"bohemian": "max_double=1", "bauernschnapsen": "schneider_at=17"}[name]
    text = WRONG[which].format(a=PAIR[name][0], b=PAIR[name][1], other=PAIR[other][0], rule=rule,
                               word={"bohemian": "win-cheap", "bauernschnapsen": "capture-safe"}[name])
    said = refused(*shlex.split(text), *([] if "--game" in text else ["--game", name]))
    assert len(said) > 30


@pytest.mark.parametrize("name", BUILT_IN)
def test_rules_are_said_by_the_fewest_switches(name: str) -> None:
    playing = load_game(name)
    for variant in playing.variants:
        rules = playing.rules(variant)
        said = changes(playing.rules, rules.as_dict())
        assert playing.rules(None, said) == rules
        assert len(said) <= len(playing.variants[variant]), said
        for left_out in said:
            rest = {key: value for key, value in said.items() if key != left_out}
            assert playing.rules(None, rest) != rules, "one switch less would do"
    assert changes(playing.rules, playing.rules().as_dict()) == {}


def test_rules_are_said_alike_everywhere() -> None:
    rules = ["--rules", "contracts=common", "--rules", "KONTRASCHNAPSER=off"]
    said = "contracts=common KONTRASCHNAPSER=off"
    for which in ("simulate, few", "sessions"):
        assert f"bauernschnapsen, {said}\n" in call(*words("bauernschnapsen", which), *rules).stdout
    page = call(*words("bauernschnapsen", "replay"), *rules).stdout
    assert f"is the caller's side, {said.replace(' ', ', ')}\n" in page
    again = call(*words("bauernschnapsen", "compare"), *rules).stdout
    assert "--rules contracts=common --rules KONTRASCHNAPSER=off" in again
    page = call("replay", "plain", "plain", "--deal", "1", "--rules", "win_points=1,2,4").stdout
    assert "win_points=1,2,4" in page


def test_who_plays_by_the_score_is_said() -> None:
    said = "tactician plays by the score of the match, and every deal here begins at 0:0"
    pair = ["tactician", "expert", "--game", "bauernschnapsen"]
    assert said in call("tournament", *pair, "--deals", "1024").stdout
    said = said.replace("tactician", "A")
    assert said in call("compare", *pair, "--max-deals", "1024").stdout
    for design in ("duplicate", "independent"):
        assert said in call("simulate", *pair, "--deals", "300", "--design", design).stdout
    assert "begins at 20:3" in call("simulate", *pair, "--deals", "300", "--score", "20:3").stdout
    assert "plays by the score" not in call("simulate", "bold", "expert", "--deals", "300", "--game", pair[-1]).stdout


def test_a_game_without_honours_says_so() -> None:
    with pytest.raises(RequestError, match="counts no honours"):
        print(ss.simulate("random", "random", deals=10, game="bauernschnapsen").honours)


def test_the_curve_of_an_option_needs_no_search() -> None:
    found = json.loads(call(*words("bauernschnapsen", "curve"), "--json").stdout)
    assert "pimc" not in json.dumps(found)


def test_a_result_names_the_score_it_was_played_at() -> None:
    pair = ["tactician", "expert", "--game", "bauernschnapsen", "--score", "20:3"]
    assert json.loads(call("simulate", *pair, "--deals", "300", "--json").stdout)["score"] == {"A": 20, "B": 3}
    assert json.loads(call("replay", *pair, "--deal", "3", "--json").stdout)["score"] == {"A": 20, "B": 3}
    assert "The match stands at 20:3." in call("replay", *pair, "--deal", "3").stdout
    assert "at 4:21 to go" in call("replay", *pair, "--deal", "3", "--rules", "count=down").stdout
    down = call("simulate", *pair, "--deals", "300", "--rules", "count=down").stdout
    assert "each at 4:21 to go in the match" in down


@pytest.mark.parametrize("score", ["5:3", (1, 2, 3), (True, 0), 7, (24, 0), (1.5, 2)])
def test_a_score_that_is_none_is_refused(score: Any) -> None:
    with pytest.raises(RequestError, match="score must be"):
        ss.simulate("bold", "bold", deals=10, game="bauernschnapsen", score=score)


def test_a_score_may_come_from_an_array() -> None:
    points: Any = np.array([3, 4])
    assert ss.simulate("bold", "bold", deals=10, game="bauernschnapsen", score=points).as_dict()["score"]["B"] == 4


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_hint_of_policies_can_be_followed(name: str) -> None:
    hint = re.search(r"replace its own: '(.*)'", call("policies", "--game", name).stdout)
    assert hint and call("simulate", hint[1], "random", "--deals", "3", "--game", name).exit_code == 0


REFUSED = ["simulate {a} nobody", "simulate {a} {b} --rules nothing=1", "simulate '{a}; lead: nothing' {b}",
           "simulate {a} {b} --load nowhere.py", "compare {a} {a}x", "tournament {a}", "tournament {a} {b} --margin 1",
           "tournament {a} {b} --max-deals 10", "factorial --leads {a}", "report nowhere.toml",
           "simulate {a} {b} --fresh --variant none"]


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("text", REFUSED)
def test_a_refused_request_leaves_no_store(name: str, text: str, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    words = shlex.split(text.format(a=PAIR[name][0], b=PAIR[name][1]))
    refused(*words, *([] if "report" in text else ["--game", name]), "--store", str(store))
    assert not list(tmp_path.iterdir())
