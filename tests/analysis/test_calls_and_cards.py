"""`position`, `analyse` and `exploit` for Bauernschnapsen: sums, held-out losses, forms, sources, what is refused."""

import functools
import json
import math
import shlex
from pathlib import Path
from typing import Any

import pytest

import schneider_sim as ss
from commandline import call, refused
from schneider_sim.analysis.errors_of_play import Analysis, analyse
from schneider_sim.analysis.exploit import exploit

GAME = "bauernschnapsen"
HERE = ("--game", GAME)
KINDS = {"lead", "follow", "trump", "bid", "double"}


@functools.cache
def analysed() -> Analysis:
    return analyse("random; bid: whim; double: whim", "expert", game=GAME, deals=24, worlds=48, seed=2)


def test_losses_add_up_and_are_not_below_zero() -> None:
    """Of decisions, by trick and kind; and held-out losses are at least 0 in the mean, within their error."""
    found = analysed()
    for who, loss in found.loss.items():
        cells = [cell for cell in found.by_trick if cell.policy == who]
        assert math.isclose(sum(cell.loss.value * cell.decisions for cell in cells) / found.plays, loss.value,
                            abs_tol=1e-12)
        assert {cell.kind for cell in cells} == KINDS
        assert all((cell.trick == 0) == (cell.kind in ("trump", "bid", "double")) for cell in cells)
        assert loss.n == 24 and found.plays == 48
        for cell in cells:
            assert cell.loss.value + 4 * (cell.loss.high - cell.loss.value) / 1.96 >= 0, cell
        assert sum(cell.decisions for cell in cells if cell.kind == "trump") == 24
    assert found.loss["A"].low > 1


def test_forced_cards_count_as_decisions() -> None:
    last = [cell for cell in analysed().by_trick if cell.trick == 5]
    assert last and all(cell.loss.value == 0 and cell.decisions > 0 for cell in last)


def test_traces_of_the_same_plays_lose_the_same() -> None:
    pair = "bold; noise: 0.2", "cautious; double: whim"
    plays = [ss.replay(*pair, deal=deal, first_leader=who, game=GAME, seed=3) for deal in range(4) for who in "AB"]
    ours = analyse(*pair, game=GAME, deals=4, worlds=32, seed=3)
    theirs = analyse(*pair, traces=plays, worlds=32, seed=3)
    assert [cell[:5] for cell in ours.by_trick] == [cell[:5] for cell in theirs.by_trick]
    assert ours.loss == theirs.loss and ours.worst == theirs.worst


@pytest.mark.parametrize("game, players", [(GAME, ("random", "bold")), ("bohemian", ("random", "careful"))])
def test_two_traces_of_one_deal_are_two_plays(game: str, players: tuple[str, str]) -> None:
    """Errors are those of the trace that they were made in, where others played the same deal."""
    plays = [ss.replay(player, player, deal=deal, game=game) for deal in (3, 4) for player in players]
    found = analyse(*players, traces=plays, worlds=32, limit=40)
    assert found.units == 2 and found.plays == 4
    assert all(one.played in one.choices and one.better in one.choices for one in found.worst)
    shown = [play.trace["policies"]["A"] for play in found.annotated if play.trace["deal"] == 3]
    assert len(shown) == len(set(shown)) > 0


def test_threads_change_nothing_and_json_has_its_form(tmp_path: Path) -> None:
    words = ("analyse", "bold", "cautious", *HERE, "--deals", "12", "--worlds", "16", "--seed", "4", "--json")
    found = json.loads(call(*words, "--threads", "1", "--out", str(tmp_path / "out")).stdout)
    again = json.loads(call(*words, "--threads", "2").stdout)
    assert found == again
    assert {row["kind"] for row in found["by_trick"]} == KINDS
    first = ["deal", "first_leader", "trick", "policy", "kind", "played", "better", "loss", "low", "high"]
    for row in found["worst"]:
        assert list(row)[:10] == first and row["seat"] in range(4)
        assert (row["trick"] == 0) == ("call" in row)
    page = (tmp_path / "out" / "analyse.html").read_text(encoding="utf-8")
    assert "Where points are lost" in page and "instead of" in page and page.count("<section class=\"deal\">") >= 1


def test_a_loss_is_that_of_the_position() -> None:
    """A worst decision, looked up where it says it is, is worth as much less there on other worlds."""
    found, seen = analysed(), set()
    for one in found.worst[:5]:
        place = dict(one.place)
        trace = ss.replay("random; bid: whim; double: whim", "expert", deal=one.deal, first_leader=one.first_leader,
                          game=GAME, seed=2)
        where = {"call": place["call"]} if "call" in place else {"trick": one.trick, "seat": place["seat"]}
        mine, other = ("random; bid: whim; double: whim", "expert")[:: 1 if one.policy == "A" else -1]
        there = ss.position(mine, against=other, trace=trace, worlds=2048, seed=9, **where)
        worths = {worth.card: worth for worth in there.cards}
        assert set(worths) == set(one.choices)
        played, better = worths[one.played], worths[one.better]
        assert better.low - played.high <= one.high and one.low <= better.high - played.low
        seen.add(one.kind)
    assert seen


@pytest.mark.slow
def test_situations_speak_of_cards_and_calls() -> None:
    found = analyse("random; bid: whim; double: whim", "bold", game=GAME, deals=100, worlds=8, seed=1)
    said = [one.words for one in found.by_situation if one.policy == "A"]
    assert said and any(text.startswith(("calls ", "bids ", "chooses ", "may ", "names ")) for text in said), said


def test_text_says_the_answer_first_and_fits_the_screen() -> None:
    lines = call("analyse", "bold", "cautious", *HERE, "--deals", "8", "--worlds", "8").stdout.splitlines()
    assert lines[0].startswith("A (bold) loses ") and "before the first lead" in "\n".join(lines)
    assert not [line for line in lines if len(line) > 80 and not line.startswith(("A: ", "B: ", "again: "))]


@pytest.mark.parametrize("where, kind, says", [
    (("--trick", "2", "--seat", "1"), "card", ("Play ", "Lead ")), (("--call", "1"), "call", ("Name ", "Turn ")),
    (("--call", "2"), "call", ("Bid ", "Pass"))])
def test_position_in_a_deal(where: tuple[str, ...], kind: str, says: tuple[str, ...]) -> None:
    words = ("position", "expert", "--against", "bold", "--deal", "9", *where, *HERE, "--worlds", "600")
    found = json.loads(call(*words, "--json", "--threads", "1").stdout)
    assert json.loads(call(*shlex.split(found["command"])[1:], "--json", "--threads", "2").stdout) == found
    assert list(found) == ["game", "rules", "policies", "seed", "position", "method", "worlds", "choice", "best",
                           f"{kind}s", "command", "version"]
    assert found["method"] == "rollout" and found["position"]["seat"] in range(4)
    for row in found[f"{kind}s"]:
        assert list(row) == [kind, "value", "low", "high", "win", "worlds", "behind", "behind_low", "behind_high"]
        assert row["low"] <= row["value"] <= row["high"] and row["behind_low"] <= row["behind"] <= row["behind_high"]
    assert found["choice"] in [row[kind] for row in found[f"{kind}s"]]
    text = call(*words).stdout
    assert text.startswith(says) and "game points" in text and "honours" not in text


def test_position_in_python_and_in_traces(tmp_path: Path) -> None:
    in_deal = ss.position("expert", game=GAME, deal=9, call=3, worlds=300)
    trace = ss.replay("expert", "expert", deal=9, game=GAME)
    assert ss.position("expert", trace=trace, call=3, worlds=300).cards == in_deal.cards
    assert list(in_deal.table("calls")["call"]) == [one.card for one in in_deal.cards]
    file = tmp_path / "plays.jsonl"
    file.write_text(json.dumps(trace) + "\n")
    seat = trace["tricks"][0]["seats"][2]
    from_file = ss.position("expert", trace=file, trick=1, seat=seat, worlds=300)
    assert from_file.cards == ss.position("expert", game=GAME, deal=9, trick=1, seat=seat, worlds=300).cards


def test_a_policy_that_searches_is_asked_with_its_search() -> None:
    found = ss.position("cautious; search: rollout; samples: 30; inference: 2", against="bold", deal=2, trick=2, seat=3,
                        game=GAME, worlds=600)
    assert found.choice in [one.card for one in found.cards] and "last 2 card plays" in str(found)


def wrong(**more: Any) -> dict[str, Any]:
    return ss.replay("bold", "bold", deal=1, game=GAME) | more


@pytest.mark.parametrize("words, says", [
    (("--trick", "1"), "--seat S is missing"), (("--trick", "6", "--seat", "0"), "--trick must be from 1 to 5"),
    (("--seat", "0"), "--trick T is missing"), (("--call", "99"), "calls before the first lead"),
    (("--call", "1", "--trick", "1"), "give one of them"),
    (("--call", "1", "--seat", "1"), "call 1 is that of seat 2, not of seat 1")])
def test_positions_that_are_not_there(words: tuple[str, ...], says: str) -> None:
    assert says in refused("position", "expert", "--deal", "5", *words, *HERE)


def test_other_requests_are_refused(tmp_path: Path) -> None:
    assert "--call belongs to games with calls" in refused("position", "champion", "--deal", "5", "--call", "1")
    assert "--hand is for Bohemian Schneider" in refused("position", "expert", "--hand", "AS KS", *HERE)
    plays = ss.replays("bold", "bold", 0, 39, game=GAME)
    deal = next(trace["deal"] for trace in plays if len(trace["tricks"]) == 2)
    said = refused("position", "bold", "--deal", str(deal), "--trick", "3", "--seat", "1", *HERE)
    assert "there is no trick 3: the deal is over after 2 tricks" in said
    file = tmp_path / "plays"
    for score, says in (({"A": 99, "B": 0}, "score of A"), ([1, 2], "score of the trace")):
        file.write_text(json.dumps(wrong(score=score)) + "\n")
        assert says in refused("position", "bold", "--trace", str(file), "--call", "1")
        assert says in refused("analyse", "--traces", str(file))


def test_exploit_wins_at_least_what_the_words_win() -> None:
    """Searching on `cautious` and knowing `random`, the opponent wins no less than `cautious` alone does."""
    found = exploit("random", by="cautious; samples: 12", game=GAME, deals=60, seed=5)
    plain = ss.simulate("cautious", "random", deals=60, seed=5, game=GAME).summary.set_index("statistic")
    assert found.endgame is None and found.edge.n == 60
    assert found.edge.value >= plain.loc["vp_per_deal", "value"] - 0.3
    assert found.experiment.match_up.informed and "inference: 4" in str(found.experiment.match_up.a)
    said = str(found)
    assert said.startswith("An opponent who knows random wins at least ") and "game points" in said


def test_knowing_the_words_helps() -> None:
    """With one side's words unlike the own ones, a search that knows them wins more than one that takes them for its
    own; deals and luck are the same."""
    from dataclasses import replace

    from schneider_sim.games import load_game

    game = load_game(GAME)
    match_up = exploit("random; double: whim", by="cautious; samples: 12", game=GAME, deals=2).experiment.match_up
    knows = game.points_by_deal(match_up, 0, 150)
    guesses = game.points_by_deal(replace(match_up, informed=False), 0, 150)
    assert (knows != guesses).any() and knows.mean() > guesses.mean()
