"""`replay` and `judge`: traces as JSON lines that the referee accepts, and a page that tells the play as it was."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import schneider_sim as ss
from commandline import call, refused
from schneider_sim.base.terminal import Style
from schneider_sim.games.bohemian.replay_page import page
from schneider_sim.results.plain_page import plain_page

VARIANTS = ["standard", "higher", "any-suit", "seven-takes-ace"]
KEYS = ["game", "rules", "policies", "seed", "deal", "first_leader", "hands", "stock", "tricks", "honours",
        "tricks_won", "victory_points"]


def traces(*words: str) -> str:
    result = call("replay", "careful", "random", "--json", *words)
    assert result.exit_code == 0 and result.stderr == ""
    return result.stdout


def test_json_lines_are_those_of_the_library() -> None:
    lines = traces("--deal", "254", "--until", "258", "--seed", "9", "--first-leader", "b").splitlines()
    found = [json.loads(line) for line in lines]
    assert [trace["deal"] for trace in found] == [254, 255, 256, 257, 258]
    assert all(list(trace) == KEYS for trace in found)
    assert found[3] == ss.replay("careful", "random", seed=9, deal=257, first_leader="B")


@pytest.mark.parametrize("deal", [2**32 - 1, 2**63 - 1])
def test_any_deal_can_be_replayed(deal: int) -> None:
    assert json.loads(traces("--deal", str(deal)))["deal"] == deal


@pytest.mark.parametrize("variant", VARIANTS)
def test_judge_accepts_what_replay_prints(variant: str) -> None:
    text = traces("--deal", "0", "--until", "40", "--variant", variant)
    result = call("judge", "-", stdin=text)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [f"line {k}: right" for k in range(1, 42)]


def test_judge_names_line_and_reason(tmp_path: Path) -> None:
    good = traces("--deal", "5").strip()
    trace = json.loads(good)
    trace["tricks"][2]["winner"] = "B" if trace["tricks"][2]["winner"] == "A" else "A"
    path = tmp_path / "Spiele ü.jsonl"
    lines = [good, json.dumps(trace), "", '{"game":', "[1]", '{"game": "chess"}', "1" * 5000, "[" * 100000, good]
    path.write_text("\ufeff" + "\n".join(lines), encoding="utf-8")
    result = call("judge", str(path))
    lines = result.stdout.splitlines()
    assert result.exit_code == 2
    assert [line.split(":")[0] for line in lines] == [f"line {k}" for k in (1, 2, 4, 5, 6, 7, 8, 9)]
    assert [": right" in line for line in lines] == [True, False, False, False, False, False, False, True]
    assert "trick 3" in lines[1] and "not JSON" in lines[2] and "object" in lines[3] and "chess" in lines[4]
    assert len(result.stderr.splitlines()) == 1
    assert "6 of 8 traces" in result.stderr and "line 2: trick 3" in result.stderr
    verdicts = [json.loads(line) for line in call("judge", str(path), "--json").stdout.splitlines()]
    assert [v["verdict"] for v in verdicts].count("right") == 2
    assert verdicts[0] == {"line": 1, "verdict": "right", "reason": None}


def test_judge_reads_cards_as_people_write_them() -> None:
    text = traces("--deal", "11").replace('"TS"', '"10\u00a0s"').replace('"AH"', '"Herz-Ass"').replace('"7D"', '"7♦"')
    assert call("judge", "-", stdin=text).exit_code == 0


def test_judge_sees_a_name_that_stands_twice() -> None:
    text = traces("--deal", "5").replace('"seed": 1', '"seed": 1, "seed": 2')
    assert call("judge", "-", stdin=text).stdout == "line 1: wrong: 'seed' is named twice in one object\n"


def test_judge_refuses_what_is_no_file_of_traces(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_text("\n\n")
    assert "no trace" in refused("judge", str(empty))
    assert "no trace" in refused("judge", "-", stdin="")
    assert "cannot read" in refused("judge", str(tmp_path))
    assert "No such file" in refused("judge", str(tmp_path / "nothing"))
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert call("judge", str(tmp_path / "bytes")).exit_code == 2


def reasons(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.match(r" *\d+  [AB] leads ", line)]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("deal", range(0, 60, 7))
def test_page_tells_the_trace(variant: str, deal: int) -> None:
    trace = ss.replay("plain", "random", seed=2, deal=deal, variant=variant, first_leader="B")
    lines = list(page(trace, Style()))
    text = "\n".join(lines)
    assert text.isascii() and "\x1b" not in text
    told = reasons(text)
    assert len(told) == 16
    for trick, line in zip(trace["tricks"], told, strict=True):
        assert f"{trick['leader']} leads {shown(trick['led'])} " in line
        assert f"{trick['winner']} takes " in line
        captured = trick["winner"] != trick["leader"]
        assert (f"{shown(trick['reply'])} captures {shown(trick['led'])}," in line) == captured
    assert f"honours {trace['honours']['A']}:{trace['honours']['B']}" in lines[-1]
    assert f"A {trace['honours']['A']:>2} : {trace['honours']['B']:<2} B" in lines[-3]


def shown(card: str) -> str:
    return card.replace("T", "10")


def test_page_says_why_a_card_was_not_captured() -> None:
    told = "\n".join(
        line for deal in range(120) for line in reasons("\n".join(page(ss.replay("plain", "random", deal), Style()))))
    for reason in ("nothing captures A", "captures 10", "could capture with", "A has it", "it is in the stock",
                   "it is gone"):
        assert reason in told, reason
    strict = {"follow": "must_follow", "beat_rule": "next_any_suit"}
    told = "\n".join(line for deal in range(60)
                     for line in reasons("\n".join(page(ss.replay("random", "random", deal, rules=strict), Style()))))
    assert "must follow suit, so that" in told and "has nothing that captures" in told


def test_page_in_symbols_and_colours() -> None:
    trace = ss.replay("plain", "random", 3)
    plain, colours = ("\n".join(page(trace, Style(symbols=True, colour=colour))) for colour in (False, True))
    assert "♠" in plain and "10♣" in plain
    assert re.sub(r"\x1b\[\d*m", "", colours) == plain
    assert "\x1b[31m" in colours


def test_output_without_a_terminal_has_no_codes_and_no_cut() -> None:
    result = call("replay", "careful", "greedy", "--deal", "3", "--until", "4", COLUMNS="20", FORCE_COLOR="1")
    assert "\x1b" not in result.stdout and len(reasons(result.stdout)) == 32
    assert max(map(len, result.stdout.splitlines())) > 80
    assert "Deal 3 of seed 1" in result.stdout and "Deal 4 of seed 1" in result.stdout
    assert call("replay", "careful", "greedy", "--deal", "3", LC_ALL="C").stdout.isascii()


def test_any_trace_can_be_shown() -> None:
    trace: dict[str, Any] = {"deal": 3, "hands": [["TS", "AH"], ["KD"]], "turned_up": None,
                             "calls": [{"seat": 0, "call": "PASS"}], "teams": {"A": [0, 2]}, "done": True}
    assert list(plain_page(trace, Style())) == ["deal: 3", "hands: 10S AH | KD", "turned_up: -", "calls:",
                                                "   1  seat 0, call PASS", "teams: A=0 2", "done: true"]
