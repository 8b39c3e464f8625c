"""Climbs: what is planted is found, the same request gives the same policy, and what is cut off is gone on with."""

import itertools
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import schneider_sim as ss
from commandline import call, environment, refused
from schneider_sim.analysis import climb, evolution
from schneider_sim.analysis import tune as tuning
from schneider_sim.analysis.climb import Depth
from schneider_sim.analysis.moves import Vocabulary, fresh, nearby, vocabulary
from schneider_sim.analysis.race import Heats
from schneider_sim.games import load_game

HELPFUL = """
from schneider_sim import preference


@preference("helpful", sections=("follow",))
def helpful(view):
    "captures an honour that has been led"
    return view.candidates & ((view.led & 0x78787878) << 1)
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short rounds, and fewer deals for the edge."""
    monkeypatch.setattr(tuning, "EDGE_DEALS", 1 << 16)
    monkeypatch.setattr(climb, "DEPTHS", (Depth(200, Heats((256, 1024)), 4096), Depth(300, Heats((512, 2048)), 8192)))
    monkeypatch.setattr(evolution, "DEALS", 1024)
    monkeypatch.setattr(evolution, "CONFIRM", 4096)


def test_the_best_list_of_a_few_words_is_found() -> None:
    words = ("safe", "honour", "low")
    tuned = ss.tune("careful; lead:", sections=["lead"], words=words, rounds=6, seed=3)
    assert tuned.edge.low > 0.3
    ours = ss.simulate(tuned.policy, "careful; lead:", deals=20_000, seed=9).estimates[0]
    for size in (1, 2, 3):
        for chosen in itertools.permutations(words, size):
            other = ss.simulate(f"careful; lead: {' '.join(chosen)}", "careful; lead:", deals=20_000, seed=9)
            assert ours.value > other.estimates[0].value - 0.01, chosen


@pytest.mark.parametrize("name, start", [("bohemian", "thrifty"), ("bauernschnapsen", "cautious")])
def test_the_outcome_depends_on_the_request_and_the_rounds_alone(name: str, start: str) -> None:
    one = ss.tune(start, rounds=2, seed=5, threads=1, game=name)
    two = ss.tune(start, rounds=2, seed=5, threads=3, game=name, seconds=1000)
    assert one.as_dict() == two.as_dict()
    assert one.edge.low > 0
    assert load_game(name).grammar.parse(one.policy)
    assert ss.tune(start, rounds=2, seed=6, game=name).rounds != one.rounds


def test_the_edge_is_what_its_deals_say() -> None:
    tuned = ss.tune("thrifty", rounds=1)
    again = ss.simulate(tuned.policy, tuned.start, deals=tuned.experiment.deals, first=tuned.experiment.first)
    assert tuple(again.estimates[0][1:]) == pytest.approx(tuple(tuned.edge[:3]) + tuned.edge[3:], abs=1e-12)
    assert tuned.experiment.first > (len(tuned.rounds) + 1) << 40


def test_a_climb_goes_on_where_it_was_cut_off(tmp_path: Path) -> None:
    whole = ss.tune("thrifty", rounds=4, out=tmp_path / "whole")
    ss.tune("thrifty", rounds=1, out=tmp_path / "cut")
    log = tmp_path / "cut" / "tune.jsonl"
    with log.open("a") as file:
        file.write('{"round": 2, "climb"')  # as a process that was killed leaves it
    done = ss.tune("thrifty", rounds=4, out=tmp_path / "cut")
    assert done.as_dict() == whole.as_dict()
    assert log.read_text() == (tmp_path / "whole" / "tune.jsonl").read_text()
    assert ss.tune("thrifty", rounds=2, out=tmp_path / "cut").rounds == whole.rounds[:2], "total, not additional"


def test_another_climb_begins_where_nothing_gains(tmp_path: Path) -> None:
    tuned = ss.tune("careful", sections=["follow"], words={"follow": ["capture"]}, rounds=4, out=tmp_path)
    assert [one.climb for one in tuned.rounds] == [1, 1, 2, 2]
    assert [one.depth for one in tuned.rounds[:2]] == [1, 2]
    assert tuned.policy == tuned.start or tuned.edge.high > 0
    cut = ss.tune("careful", sections=["follow"], words={"follow": ["capture"]}, rounds=3)
    assert cut.rounds == tuned.rounds[:3]


def test_a_log_of_something_else_is_not_touched(tmp_path: Path) -> None:
    ss.tune("thrifty", rounds=0, out=tmp_path)
    before = (tmp_path / "tune.jsonl").read_bytes()
    with pytest.raises(ss.RequestError, match="another request \\(start differs\\)"):
        ss.tune("plain", rounds=1, out=tmp_path)
    assert (tmp_path / "tune.jsonl").read_bytes() == before
    (tmp_path / "tune.jsonl").write_text("my notes\n")
    with pytest.raises(ss.RequestError, match="no log of a climb"):
        ss.tune("plain", rounds=1, out=tmp_path)


def test_an_interruption_gives_the_best_so_far() -> None:
    def stop(one: climb.Round) -> None:
        if one.round == 2:
            raise KeyboardInterrupt

    tuned = ss.tune("thrifty", rounds=9, hear=stop)
    assert tuned.interrupted and len(tuned.rounds) == 2
    assert tuned.policy == ss.tune("thrifty", rounds=2).policy


def test_a_round_that_time_cuts_off_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(climb, "DEPTHS", (Depth(200, Heats((1 << 20,)), 1 << 20),))
    tuned = ss.tune("careful", seconds=0.3)
    assert tuned.rounds == () and tuned.policy == tuned.start and tuned.edge.value == tuned.edge.high == 0
    assert "--rounds 0 " in tuned.again and "No round was finished" in str(tuned)


def test_words_of_the_users_own_are_tried(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(HELPFUL)
    tuned = ss.tune("lead: low", sections=["follow"], words=["helpful"], rounds=2, load=file)
    assert "follow: helpful" in tuned.policy and tuned.edge.low > 0.5
    assert f"--load {file}" in tuned.again


def test_numbers_are_tuned_by_evolution(tmp_path: Path) -> None:
    pytest.importorskip("cma")

    def make(numbers: list[float]) -> str:
        return f"plain; noise: {min(1.0, abs(numbers[0] - 0.7) + abs(numbers[1]))}"

    tuned = ss.tune(make, against=["plain"], numbers=[0.2, 0.4], spread=0.3, rounds=6, out=tmp_path / "whole")
    assert float(tuned.policy.partition("noise: ")[2] or 0) < 0.4
    assert tuned.edge.low > 0
    ss.tune(make, against=["plain"], numbers=[0.2, 0.4], spread=0.3, rounds=2, out=tmp_path / "cut")
    done = ss.tune(make, against=["plain"], numbers=[0.2, 0.4], spread=0.3, rounds=6, out=tmp_path / "cut", threads=1)
    assert done.as_dict() == tuned.as_dict()


KNOWN = [vocabulary(load_game(name).grammar, section.name) for name in ("bohemian", "bauernschnapsen")
         for section in load_game(name).grammar.sections]


@given(st.data(), st.sampled_from(KNOWN))
def test_edits_make_lists_that_may_stand_and_do_not_disturb_each_other(data: st.DataObject, known: Vocabulary) -> None:
    grammar = load_game("bohemian" if known.tricks == 16 else "bauernschnapsen").grammar
    words = tuple(data.draw(st.lists(st.sampled_from(known.staged()), max_size=5, unique=True)))
    words = words if known.allowed(words) else words[:1]
    edits = [edit for edit in (*nearby(words, known), *fresh(words, known)) if known.allowed(edit.applied(words))]
    one, two = data.draw(st.sampled_from(edits)), data.draw(st.sampled_from(edits))
    made = one.applied(words)
    assert grammar.parse(f"{known.section}: {' '.join(made)}").sections[known.section] == made
    after, before = two.after(one), one.after(two)
    if after and before and one.at != two.at:
        assert after.applied(one.applied(words)) == before.applied(two.applied(words))


@pytest.mark.parametrize("name, start", [("bohemian", "plain"), ("bauernschnapsen", "cautious")])
def test_json_has_its_form(name: str, start: str) -> None:
    result = call("tune", start, "--game", name, "--rounds", "1", "--json", "--against", f"{start}, random")
    found = json.loads(result.stdout)
    assert list(found)[:6] == ["game", "rules", "policies", "seed", "first", "deals"] and list(found)[-1] == "version"
    assert found["start"] == found["policies"]["B"] and found["policy"] == found["policies"]["A"]
    assert list(found["edge"]) == ["value", "low", "high", "n", "method"]
    assert found["tried"] == sum(one["tried"] for one in found["rounds"]) > 0
    assert len(found["against"]) == 2
    words = shlex.split(found["command"])
    again = json.loads(call(*words[1:], "--json").stdout)
    assert again == found


def test_files_of_a_climb(tmp_path: Path) -> None:
    result = call("tune", "plain", "--rounds", "1", "--out", str(tmp_path))
    assert result.exit_code == 0 and result.stdout.startswith("Found a policy that is ")
    assert {file.name for file in tmp_path.iterdir()} == {"tune.json", "tune.jsonl", "rounds.csv", "tune.png",
                                                          "tune.svg"}
    assert "round 1, climb 1" in result.stderr


def test_wrong_requests_are_refused(tmp_path: Path) -> None:
    assert "did you mean 'follow'" in refused("tune", "plain", "--sections", "folow")
    assert "--time must be a time such as 90s, 10m or 1h30m, not 'soon'" in refused("tune", "plain", "--time", "soon")
    assert "unknown policy 'plane'" in refused("tune", "plain", "--against", "plane")
    assert "leave its search out" in refused("tune", "searcher", "--game", "bauernschnapsen")
    assert "win_points" in refused("tune", "plain", "--rules", "win_points=0,0,0")
    (tmp_path / "file").write_text("")
    assert "cannot" in refused("tune", "plain", "--out", str(tmp_path / "file"))
    with pytest.raises(ss.RequestError, match="unknown word 'save'"):
        ss.tune("plain", words=["save"], rounds=0)
    with pytest.raises(ss.RequestError, match="words must name 'safe' alone, not 'not-safe@1-3'"):
        ss.tune("plain", words=["not-safe@1-3"], rounds=0)
    with pytest.raises(ss.RequestError, match="numbers"):
        ss.tune(lambda numbers: "plain")


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_prints_the_best_so_far(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "schneider_sim", "tune", "thrifty", "--json", "--out", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=environment()) as process:
        assert process.stderr and "round 1" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert json.loads(out)["interrupted"] and "to continue: schneider-sim tune thrifty" in err
    assert len((tmp_path / "tune.jsonl").read_text().splitlines()) == 1 + len(json.loads(out)["rounds"])
