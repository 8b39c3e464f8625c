"""What cards are worth: against all worlds and exact endgames, by symmetry, from every source; what is refused."""

import importlib
import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import schneider_sim as ss
from commandline import call, refused
from naive import bohemian as naive
from schneider_sim.analysis.bench import bench
from schneider_sim.analysis.position_source import part_of
from schneider_sim.analysis.worths import Appraisers, Worth, race
from schneider_sim.games import load_game
from schneider_sim.games.bohemian import positions
from schneider_sim.games.bohemian.rules import value_of_honours
from schneider_sim.games.protocol import Outcomes

GAME = load_game("bohemian")
worlds = importlib.import_module("bohemian.test_search")  # the plain enumeration of all worlds
HAND = "TS JS 7D 9C KH 8H"


def check_against(found: list[Worth], exact: dict[str, float]) -> None:
    """The intervals hold, each alone and those of `behind` together; these seeds were not chosen."""
    best = max(exact.values())
    for one in found:
        assert one.low <= exact[one.card] <= one.high, one
        assert one.behind_low <= best - exact[one.card] <= one.behind_high, one
        assert one.behind_low <= one.behind <= one.behind_high, one
    assert len(found) == len(exact)


@pytest.mark.parametrize("trick, deals", [(10, (3, 8, 11)), (9, (5,))])
def test_values_are_those_of_all_worlds(trick: int, deals: tuple[int, ...]) -> None:
    """56 worlds at a lead in trick 10, 5,040 in trick 9."""
    playing = worlds.match(worlds.PLAIN, worlds.OTHER)
    points = np.array(value_of_honours(playing.rules))
    for deal in deals:
        position = worlds.found_in(playing, deal, trick, True)
        cards = positions.legal_cards(playing.rules, position)
        found = ss.position(worlds.PLAIN, against=worlds.OTHER, hand=position.hand, played=position.played, seed=2)
        chosen = cards if trick == 10 else cards[:2]
        exact = {card: float(points[honours].mean())
                 for card, honours in worlds.enumerated(playing, position, chosen).items()}
        if trick == 10:
            check_against(list(found.cards), exact)
        for one in found.cards:
            if one.card in exact:
                assert one.low <= exact[one.card] <= one.high, one
        assert found.method == "rollout" and found.facts["trick"] == trick


def test_evidence_counts_where_the_policy_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """With `inference`, worlds are weighted by the words of --against; without, all count alike."""
    own, other = "lead: low; follow: low; ties: first", "lead: high; follow: high; ties: first"
    playing, candidates = worlds.match(own, other), naive.candidates
    monkeypatch.setattr(naive, "candidates", lambda *of: set(naive.in_pack_order(candidates(*of))[:1]))
    points = np.array(value_of_honours(playing.rules))
    changed = 0
    for deal in (2, 6, 9):
        position = worlds.found_in(playing, deal, 10, True)
        odds = worlds.exact_odds(position, ["high"], 2)
        cards = positions.legal_cards(playing.rules, position)
        by_world = worlds.enumerated(playing, position, cards)
        hands = [theirs for theirs, _ in worlds.worlds_of(position)]
        weights = np.array([odds[theirs] for theirs in hands]) / 2
        for text, each in ((f"{own}; inference: 2", weights), (own, np.full(len(hands), 1 / len(hands)))):
            exact = {card: float(points[honours] @ each) for card, honours in by_world.items()}
            found = ss.position(text, against=other, hand=position.hand, played=position.played, seed=3)
            check_against(list(found.cards), exact)
        changed += any(abs(points[by_world[card]] @ (weights - 1 / len(hands))) > 0.05 for card in cards)
    assert changed


def test_a_permutation_of_suits_changes_nothing() -> None:
    turned = str.maketrans("SHDC", "DSCH")
    asked: list[dict[str, Any]] = [{"hand": HAND}, {"hand": "TS JS 7D 9C KH AC", "led": "8H", "played": "TH 7S"}]
    for words in asked:
        one = ss.position("champion", **words)
        other = ss.position("champion", **{name: text.translate(turned) for name, text in words.items()})
        there = {each.card: each for each in other.cards}
        for each in one.cards:
            twin = there[each.card.translate(turned)]
            error = 4.5 * (1.5 / each.worlds**0.5 + 1.5 / twin.worlds**0.5)
            assert abs(each.value - twin.value) < error and abs(each.win - twin.win) < error


@pytest.mark.parametrize("rules", [{}, {"beat_rule": "any_higher_same_suit", "follow": "must_follow"}], ids=str)
def test_the_last_six_tricks_are_exact(rules: dict[str, Any]) -> None:
    """Minimax by the plain version, which shares nothing with the table."""
    full = GAME.rules(None, rules).as_dict()
    for deal in (1, 2):
        for trick in (11, 13, 15, 16):
            found = ss.position("greedy", against="plain", deal=deal, trick=trick, rules=rules)
            facts = found.facts
            hand = frozenset(facts["hand"])
            hidden = frozenset(set(naive.PACK) - hand - set(facts["played"]) - {facts["led"]})
            assert found.method == "exact" and found.worlds == 1
            if trick < 13:
                continue
            left = naive.count_honours([*hand, *hidden, *filter(None, [facts["led"]])])
            for one in found.cards:
                if facts["led"]:
                    won = after(full, hidden | {facts["led"]}, hand, facts["led"], one.card)
                    final = facts["honours"]["own"] + (left - won) // 2
                else:
                    replies = naive.legal_replies(full, set(hidden), one.card, 0)
                    won = min(after(full, hand, hidden, one.card, reply) for reply in replies)
                    final = facts["honours"]["own"] + (left + won) // 2
                worth = value_of_honours(GAME.rules(None, rules))[final]
                assert (one.value, one.low, one.high, one.honours) == (worth, worth, worth, final)
                assert one.win == (worth > 0)


def after(rules: dict[str, Any], leader: frozenset[str], other: frozenset[str], led: str, reply: str) -> int:
    """The leader's honours minus the other's from this trick on."""
    honours = naive.count_honours([led, reply])
    mine, theirs = leader - {led}, other - {reply}
    if naive.captures(rules, led, reply):
        return -honours - naive.worth(rules, theirs, mine, {})
    return honours + naive.worth(rules, mine, theirs, {})


def test_a_deal_a_trace_and_typed_cards_are_one_position(tmp_path: Path) -> None:
    policy, other = "champion; search: rollout; samples: 64", "plain"
    file = tmp_path / "traces.jsonl"
    for seat, leader in ((0, "A"), (1, "B")):
        traces = [ss.replay(policy, other, deal, first_leader=leader) for deal in (4, 5)]
        file.write_text("".join(json.dumps(trace) + "\n" for trace in traces))
        for trick in (2, 7, 12):
            of_deal = ss.position(policy, against=other, deal=5, trick=trick, seat=seat)
            played = traces[1]["tricks"][trick - 1]
            assert of_deal.choice == (played["led"] if played["leader"] == "A" else played["reply"])
            of_trace = ss.position(policy, against=other, trace=file, deal=5, trick=trick, seat=seat)
            assert of_trace.cards == of_deal.cards
            facts = of_deal.facts
            typed = ss.position(policy, against=other, hand=facts["hand"], led=facts["led"], played=facts["played"],
                                honours=[facts["honours"]["own"], facts["honours"]["other"]])
            assert typed.facts == facts and typed.position.seat == seat
    alone = ss.position(policy, trace=traces[0], trick=3)
    assert alone.facts == ss.position(policy, trace=file, deal=4, trick=3).facts


def test_threads_change_nothing_and_the_command_says_it_again() -> None:
    words = ("position", "plain; inference: 1", "--against", "careful", "--hand", HAND, "--led", "7S", "--json",
             "--worlds", "1500")
    first = json.loads(call(*words, "--threads", "1").stdout)
    assert json.loads(call(*words, "--threads", "3").stdout) == first
    assert json.loads(call(*shlex.split(first["command"])[1:], "--json").stdout) == first
    assert list(first) == ["game", "rules", "policies", "seed", "position", "method", "worlds", "choice", "best",
                           "cards", "command", "version"]
    assert list(first["cards"][0]) == ["card", "value", "low", "high", "honours", "win", "worlds", "behind",
                                       "behind_low", "behind_high"]
    assert first["cards"][0]["card"] in first["best"] and first["cards"][0]["behind"] == 0
    assert first["worlds"] == 1500 and json.loads(call(*words, "--seed", "2").stdout)["cards"] != first["cards"]


def test_it_says_first_what_to_play() -> None:
    found = call("position", "champion", "--hand", "AS KS 7D 8D 9C TC", "--played", "8S 9S 7S TS", "--seed", "3")
    first, _, rest = found.stdout.partition("\n")
    assert first.startswith("Lead ") and " VP, " in first and " more than " in first
    assert max(map(len, rest.splitlines()[1:9])) <= 80
    assert call("position", "plain", "--deal", "1", "--trick", "16").stdout.split("\n")[0].endswith(
        "the only legal card.")


class _Coins:
    """An appraiser whose moves are worth −1 or 1, with equal or other chances."""

    def __init__(self, chances: list[float], seed: int) -> None:
        self.chances, self.seed = chances, seed

    def play(self, moves: Any, block: int) -> Outcomes:
        luck = np.random.default_rng([self.seed, block]).random(256)
        points = np.array([np.where(np.roll(luck, 3 * int(move)) < self.chances[int(move)], 1, -1) for move in moves])
        return Outcomes(points.astype(np.int64), None, None)

    def exact(self) -> None:
        return None

    def choice(self) -> str:
        return "0"


def coins(chances: list[float], seed: int, most: int = 8192) -> dict[str, Worth]:
    one = _Coins(chances, seed)
    with bench(1) as at:
        found = race(at, Appraisers(lambda: one, one), [str(k) for k in range(len(chances))], 256, most, [-1, 1])
    return {each.card: each for each in found}


def test_the_race_rarely_invents_a_difference_and_finds_true_ones() -> None:
    assert sum(len([one for one in coins([0.5, 0.5, 0.5], seed).values() if one.behind_low > 0]) > 0
               for seed in range(60)) <= 6
    clear = coins([0.6, 0.4, 0.52], 1)
    assert clear["0"].behind == 0 and clear["1"].behind_low > 0 and clear["2"].behind_low > 0
    assert clear["1"].behind_low <= 0.4 <= clear["1"].behind_high and clear["1"].worlds < 8192
    assert coins([0.6, 0.4, 0.52], 1, 100)["0"].worlds == 100


@pytest.mark.parametrize("words, says", [
    (["--hand", HAND, "--honours", "1:0"], "the played cards give 0:0 honours"),
    (["--hand", HAND, "--honours", "1"], "OWN:OTHER"),
    (["--hand", HAND, "--played", "TS JD"], "a card lies in two places: TS"),
    (["--hand", "TS TS 7D 9C KH 8H"], "a card lies in two places: TS"),
    (["--hand", "TS JS 7D 9C KH"], "a hand has 6 cards, not 5"),
    (["--hand", HAND + " 9H"], "a hand has 6 cards, not 7"),
    (["--hand", HAND, "--played", "7H"], "so 1 played cards cannot be"),
    (["--hand", "TS", "--played", " ".join(card for card in naive.PACK if card != "TS") + " TS"], "two places"),
    (["--hand", HAND, "--led", "XX"], "'XX' is not a card"),
    (["--hand", HAND, "--led", "9H 7C"], "--led is one card, not 2"),
    (["--hand", HAND, "--trick", "2"], "--trick does not go with --hand"),
    (["--deal", "3", "--trick", "1", "--led", "7H"], "--led goes with --hand"),
    (["--deal", "3"], "--trick T is missing"), ([], "which position?"),
    (["--deal", "3", "--trick", "17"], "--trick must be from 1 to 16"),
    (["--deal", "3", "--trick", "1", "--seat", "2"], "--seat must be 0"),
    (["--trace", "/nowhere/it", "--trick", "1"], "cannot read '/nowhere/it'"),
    (["--deal", "3", "--trick", "1", "--worlds", "1"], "--worlds must be from 2"),
    (["--deal", "3", "--trick", "1", "--against", "nobody"], "nobody")])
def test_refused(words: list[str], says: str) -> None:
    assert says in refused("position", "plain", *words)


def test_traces_that_do_not_do(tmp_path: Path) -> None:
    file = tmp_path / "traces.jsonl"
    trace = ss.replay("plain", "greedy", 3)
    ask = ("position", "plain", "--trace", str(file), "--trick", "4")

    def says(text: str, *more: str) -> str:
        file.write_text(text)
        return refused(*ask, *more)

    line = json.dumps(trace)
    assert "no trace in" in says("\n") and "is not JSON" in says("{") and "an object" in says("[1]")
    assert "deal 9 is not in" in says(line, "--deal", "9") and "--deal K picks one" in says(f"{line}\n{line}")
    assert "other rules" in says(line, "--variant", "higher")
    trace["tricks"][0]["winner"] = {"A": "B", "B": "A"}[trace["tricks"][0]["winner"]]
    assert "the trace of deal 3 is wrong: trick 1" in says(json.dumps(trace))


def test_impossible_replies_of_the_last_tricks_are_refused() -> None:
    """Once both hands are known, a reply that followed no suit although it could have is no position."""
    rules = {"follow": "must_follow"}
    found = ss.position("plain", deal=2, trick=14, rules=rules).facts
    played = list(found["played"])
    assert ss.position("plain", hand=found["hand"], led=found["led"], played=played, rules=rules).facts == found
    said = [_fault(ss.position("greedy", deal=deal, trick=16).facts, rules) for deal in range(20)]
    assert any("asks for the suit led" in fault for fault in said)
    assert all("asks for the suit led" in fault for fault in said if fault)


def _fault(facts: dict[str, Any], rules: dict[str, str]) -> str:
    """What is said against a position under these rules, or nothing."""
    try:
        ss.position("plain", hand=facts["hand"], led=facts["led"], played=facts["played"], rules=rules)
    except ss.RequestError as error:
        return str(error)
    return ""


def test_games_without_positions_say_so() -> None:
    tiny = importlib.import_module("games.tinygame").GAME
    with pytest.raises(ss.RequestError, match="position is not offered for tiny yet"):
        part_of(tiny)
