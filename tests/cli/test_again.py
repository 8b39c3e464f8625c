"""Every command that is printed can be run as it stands, and says the same again."""

import json
import re
import shlex
from pathlib import Path

import pytest

from commandline import call
from schneider_sim.games import BUILT_IN

OWN = """from schneider_sim import preference


@preference("mine", over="cards")
def mine(view):
    return view.candidates[:1]
"""
# own: a policy with a word of the user's; base: one whose word stands in no policy that is played
COMMANDS = {
    "simulate": "simulate {own} {b} --deals 40",
    "simulate, not used": "simulate {a} {b} --deals 40",
    "simulate, settings": "simulate {own} {b} --deals 40 --design independent --detail all --first 7 --seed 9",
    "compare": "compare {a} {own} --max-deals 60",
    "compare, sprt": "compare {a} {own} --sprt 0 0.30000000000000004 --alpha 0.1 --max-deals 60",
    "tournament": "tournament {a} {b} {own} --deals 40",
    "tournament, separated": "tournament {a} {b} --deals 1024 --until-separated --max-deals 1024 --margin .1234567",
    "factorial": "factorial --leads '{leads}' --follows '{follows}' --against {a} --base '{base}' --deals 40",
    "factorial, each other": "factorial --leads 'low,mine' --follows 'high,low' --against each-other --deals 40",
    "factorial, opponent": "factorial --leads 'low,high' --follows 'high,low' --against {own} --deals 40",
    "curve": "factorial --vary memory=none,full --base {a} --against {own} --deals 40",
    "curve, section": "factorial --vary 'lead=low,high' --base {own} --against {a} --deals 40",
    "plan": "plan {own} {b} --difference 0.1 --deals 70 --pilot 40",
}
PAIR = {"bohemian": ("plain", "thrifty"), "bauernschnapsen": ("bold", "cautious")}
SETTINGS = {
    "bohemian": {"standard": "", "variant": "--variant higher",
                 "rules": "--rules win_points=1,2,4 --rules schneider_at=17"},
    "bauernschnapsen": {"standard": "", "variant": "--variant no-bettler",
                        "rules": "--variant common --rules KONTRASCHNAPSER=off --rules max_double=1"},
}
TALLY = r'"tally_sha256": "(.*?)"'


def steady(text: str) -> list[str]:
    """What is printed without what the clock decides."""
    return [line for line in text.splitlines() if "deals a second" not in line and "They take" not in line
            and not line.startswith("To see a difference")]


def printed(text: str) -> list[str]:
    """The commands in what was printed."""
    return re.findall(r"^(?:again|test|Statistics):? +(schneider-sim .*)$", text, re.IGNORECASE | re.MULTILINE)


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """--load for a file whose name needs quotes, in the folder that is the present one."""
    monkeypatch.chdir(tmp_path)
    Path("it's \"my\" – ü").mkdir()
    path = Path("it's \"my\" – ü", "–mine $HOME.py")
    path.write_text(OWN, encoding="utf-8")
    return ["--load", str(path)]


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("which", COMMANDS)
def test_a_printed_command_runs_and_says_the_same(name: str, which: str, words: list[str]) -> None:
    a, b = PAIR[name]
    text = COMMANDS[which].format(a=a, b=b, own=f"'{a}; lead: mine low'", base=f"{a}; lead: mine", leads="low,high",
                                  follows="high,low")
    kind = ("standard", "variant", "rules")[list(COMMANDS).index(which) % 3]
    asked = [*shlex.split(text), "--game", name, *shlex.split(SETTINGS[name][kind]), *words]
    if name == "bauernschnapsen" and which == "simulate":
        asked += ["--score", "12:7"]
    first = call(*asked)
    assert first.exit_code in (0, 3, 4), first.stderr
    commands = printed(first.stdout)
    assert len(commands) == (2 if which == "plan" else 1)
    again = call(*shlex.split(commands[-1])[1:])
    assert again.exit_code == first.exit_code, again.stderr
    assert steady(again.stdout) == steady(first.stdout)
    if which == "plan":
        assert call(*shlex.split(commands[0])[1:], "--max-deals", "60").exit_code in (0, 3, 4)
    if "simulate" not in which:
        told = call(*asked, "--json").stdout
        repeated = call(*shlex.split(json.loads(told)["command"])[1:], "--json").stdout
        assert re.findall(TALLY, repeated) == re.findall(TALLY, told) != ([] if which != "plan" else None)


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_command_of_a_stored_run_finds_it(name: str, tmp_path: Path) -> None:
    store = tmp_path / "my store.sqlite"
    pair = [*PAIR[name], "--game", name, "--deals", "300", "--first", "5", "--rules", "max_double=0"]
    pair = pair if name == "bauernschnapsen" else [*pair[:-1], "win_points=2,2,3"]
    first = call("simulate", *pair, "--store", str(store))
    key = json.loads(call("runs", "list", "--store", str(store), "--json").stdout)["runs"][0]["key"]
    command, = printed(call("runs", "show", key, "--store", str(store)).stdout)
    again = call(*shlex.split(command)[1:])
    assert "300 deals came from the store" in again.stderr
    tally = [line for line in first.stdout.splitlines() if line.startswith("Tally")]
    assert tally and tally[0] in again.stdout
