"""The second version of Bohemian Schneider, which judges the first, judged by what is known from outside."""

import ast
import math
import re
from collections import Counter
from pathlib import Path
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive import bohemian as naive
from schneider_sim.games.bohemian.words import WORDS


def view(hand: str, led: str | None = None, played: str = "", legal: str | None = None) -> naive.Decision:
    cards, pairs = frozenset(hand.split()), played.split()
    return naive.Decision("A", cards, frozenset(legal.split()) if legal else cards, led,
                          tuple(zip(pairs[::2], pairs[1::2], strict=True)))


def wanted(words: str, decision: naive.Decision, memory: str = "full", **rules: str) -> str:
    return " ".join(naive.in_pack_order(naive.candidates(rules, words.split(), decision, memory)))


def test_it_stands_alone():
    tree = ast.parse(Path(naive.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert imported <= {"collections.abc", "functools", "itertools", "typing"}


@pytest.mark.parametrize("counter, key, words", [
    ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((0xffffffff,) * 4, (0xffffffff,) * 2, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ((0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344), (0xa4093822, 0x299f31d0),
     "d16cfe09 94fdcceb 5001e420 24126ea1")])
def test_philox_known_answers(counter, key, words):
    """Source: kat_vectors of Random123, philox4x32 with 10 rounds."""
    low, high, block, stream = counter
    got = naive.philox(key[0] | key[1] << 32, low | high << 32, block, stream)
    assert " ".join(f"{word:08x}" for word in got) == words


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**63 - 1))
def test_a_deal_is_the_whole_pack(seed, deal):
    first, second, stock = naive.deal_cards(seed, deal)
    assert (len(first), len(second), len(stock)) == (6, 6, 20)
    assert sorted(first + second + stock) == sorted(naive.PACK)


def test_every_card_comes_everywhere():
    places = Counter((card, place) for deal in range(1500) for place, cards in enumerate(naive.deal_cards(1, deal)[:2])
                     for card in cards)
    spread = math.sqrt(1500 * 6 / 32 * 26 / 32)
    assert len(places) == 64
    assert max(abs(count - 1500 * 6 / 32) for count in places.values()) < 4.5 * spread


@pytest.mark.parametrize("words, decision, kept", [
    ("safe", view("AS KS TH 9D"), "KS AS"),
    ("safe", view("QS TH 9D", played="KS 7C"), "QS"),
    ("safe", view("7S 9S 8H", led="TS"), "9S"),
    ("not-safe", view("AS KS TH 9D"), "TH 9D"),
    ("guarded", view("AS KS TH JH"), "KS TH"),
    ("dead", view("7S 9H AD", played="8H 7C"), "7S 9H"),
    ("dead", view("JS 9H", led="TS"), "JS"),
    ("blocker", view("JS TS 9H AD"), "AD"),
    ("blocker", view("JS AD", led="KD"), "JS"),
    ("blocker", view("JS AD", played="TS 7H"), "AD"),
    ("honour", view("9S TS AD"), "TS AD"),
    ("pip", view("9S TS AD"), "9S"),
    ("honour", view("7S 8D"), "7S 8D"),
    ("exposed", view("AS KS TH 9D"), "TH"),
    ("exposed", view("QS TH 9D", played="JH KS"), "QS TH 9D"),
    ("cheap", view("7S 8H 9D TC"), "7S 8H"),
    ("not-cheap", view("7S 8H 9D TC"), "9D TC"),
    ("honour@2-3 high", view("9S AD KH"), "AD"),
    ("honour@2-3 low", view("9S AD KH"), "9S"),
    ("honour@2-3 low", view("9S AD KH", played="7C 7D"), "KH"),
    ("not-honour@1", view("9S AD KH"), "9S"),
    ("high", view("9S AD AH"), "AH AD"),
    ("low", view("9S 9D AH"), "9S 9D"),
    ("not-high", view("9S TS AD"), "9S TS"),
    ("long", view("9S TS AD KC"), "9S TS"),
    ("short", view("9S TS AD KC"), "AD KC"),
    ("pip short", view("9S TS 7D 8H 9H"), "7D"),
    ("pip long", view("9S TS JS 8H 9H 7D"), "9S"),
    ("capture", view("TS JS 7D", led="9S"), "TS"),
    ("not-capture", view("TS JS 7D", led="9S"), "JS 7D"),
    ("capture-honour", view("8S TS", led="7S"), "8S TS"),
    ("capture-honour", view("TS 7D", led="9S"), "TS"),
    ("capture-safe", view("TS AD", led="9S"), "TS"),
    ("capture-safe", view("TS 7D", led="9S"), "TS 7D"),
    ("capture-safe", view("8S 9S TS", led="7S"), "8S"),
    ("capture dead pip", view("9D TC 8H 7S", led="KC"), "7S"),
    ("safe honour high", view("AS KS QH 9D", played="TD 8C"), "AS"),
    ("capture", view("TS", legal="TS"), "TS")])
def test_preferences_want(words, decision, kept):
    assert wanted(words, decision) == kept


def test_the_document_has_every_word():
    page = (Path(__file__).parents[2] / "docs" / "policies.md").read_text(encoding="utf-8")
    table = page.partition("## Words of Bohemian Schneider")[2].partition("\n## ")[0]
    rows = {word: where for words, where in re.findall(r"^\| (`.*?`) \| (\w+) \|", table, flags=re.MULTILINE)
            for word in re.findall(r"`([\w-]+)`", words)}
    assert rows == {word: "both" if len(entry.sections) == 2 else entry.sections[0] for word, entry in WORDS.items()}


def test_preferences_go_by_the_rules_in_force():
    assert wanted("safe", view("KS TH", played="AS 7C"), beat_rule="any_higher_same_suit") == "KS"
    assert wanted("safe", view("QS TH", played="KS 7C"), beat_rule="any_higher_same_suit") == "QS TH"
    assert wanted("safe", view("AS KH", played="AH 7C"), ace_by_seven="same_suit") == "KH"
    assert wanted("guarded", view("9S TH JC"), beat_rule="next_any_suit") == "9S TH"
    assert wanted("dead", view("7S 8D"), ace_by_seven="same_suit") == "7S 8D"
    assert wanted("cheap", view("7S 8H 9D"), beat_rule="any_higher_same_suit") == "7S 8H 9D"
    assert wanted("exposed", view("AS KH", played="AH 7H"), ace_by_seven="same_suit") == "AS"
    assert wanted("capture", view("8S TS AS 9D", led="8S"), beat_rule="any_higher_same_suit") == "TS AS"


def test_capture_safe_looks_at_the_other_cards():
    ace_only = view("AS 7D", led="KS")
    assert naive.wants({}, "capture-safe", "AS", {"AS", "7D"}, {"AS", "7D"}, {"AS", "7D", "KS"}, "KS") is False
    assert wanted("capture-safe", ace_only) == "AS 7D"


@pytest.mark.parametrize("memory, safe", [
    ("full", "KS 9H QD 7C"), ("honours", "KS 9H QD"), ("last-1", "QD"), ("last-2", "KS QD"), ("last-9", "KS 9H QD 7C"),
    ("none", "KS 9H QD 7C TC")])
def test_memory_decides_what_is_safe(memory, safe):
    assert wanted("safe", view("KS 9H QD 7C TC", played="TH 8C AS 8S KD 9S"), memory) == safe


@given(st.sets(st.sampled_from(naive.PACK), min_size=2, max_size=14), st.integers(1, 6), st.sampled_from(sorted(WORDS)))
def test_a_word_and_its_complement_part_the_cards(cards, size, word):
    ordered = naive.in_pack_order(cards)
    hand, rest = set(ordered[:size]), ordered[size:]
    led, played = (rest[0], rest[1:]) if rest else (None, [])
    pairs = tuple(zip(played[::2], played[1::2], strict=False))
    decision = naive.Decision("A", frozenset(hand), frozenset(hand), led, pairs)
    chosen, others = (naive.candidates({}, [w], decision) for w in (word, f"not-{word}"))
    assert chosen | others == hand
    assert not chosen & others or chosen == others == hand


def test_an_unknown_word_is_refused():
    with pytest.raises(ValueError, match="no such preference: sfae"):
        wanted("sfae", view("7S"))


PLAIN = {"lead": ["safe", "honour"], "follow": ["capture", "dead", "pip"]}


@pytest.mark.parametrize("rules", [
    {}, {"beat_rule": "any_higher_same_suit", "follow": "must_follow"},
    {"beat_rule": "next_any_suit", "ace_by_seven": "any_suit", "draw_timing": "on_play"}],
    ids=["standard", "higher", "any-suit"])
def test_what_never_changes_in_a_play(rules):
    for deal in range(25):
        trace = naive.play(rules, PLAIN, {}, 3, deal, "AB"[deal % 2])
        assert len(trace["tricks"]) == sum(trace["tricks_won"].values()) == 16
        assert sorted(card for t in trace["tricks"] for card in (t["led"], t["reply"])) == sorted(naive.PACK)
        assert trace["honours"]["A"] + trace["honours"]["B"] == 20
        assert min(trace["victory_points"].values()) == 0
        assert [t["leader"] for t in trace["tricks"]] == [trace["first_leader"]] + [
            t["winner"] for t in trace["tricks"][:-1]]


def test_the_first_leader_gets_the_first_hand():
    as_a, as_b = (naive.play({}, PLAIN, PLAIN, 1, 9, side) for side in "AB")
    assert as_a["hands"]["A"] == as_b["hands"]["B"] == naive.deal_cards(1, 9)[0]
    assert as_a["honours"]["A"] == as_b["honours"]["B"]


def test_complete_noise_is_random_play():
    for deal in range(20):
        noisy = naive.play({}, PLAIN | {"noise": "1", "ties": "first"}, PLAIN, 1, deal, "A")
        assert noisy == naive.play({}, {}, PLAIN, 1, deal, "A")


def test_noise_changes_its_share_of_the_cards():
    policy = {"lead": ["high"], "noise": "0.3"}
    cards = [naive.choose_by_policy({}, policy, view("7S 8H 9D TC JC AC"), 1, deal, 0) for deal in range(1000)]
    other, share = len(cards) - cards.count("AC"), 0.3 * 5 / 6
    assert abs(other - 1000 * share) < 4 * math.sqrt(1000 * share * (1 - share))


def test_ties_first_takes_the_first_in_pack_order():
    assert naive.choose_by_policy({}, {"ties": "first"}, view("AC 8H 9D"), 1, 0, 0) == "8H"
    seen = {naive.choose_by_policy({}, {}, view("AC 8H 9D"), 1, deal, 0) for deal in range(40)}
    assert seen == {"AC", "8H", "9D"}


def test_who_deals_first():
    draws = [("TS", "TH"), ("KS", "9D")]
    assert naive.first_dealer("low_card", draws) == "B"
    assert naive.first_dealer("high_card", draws) == "A"
    with pytest.raises(ValueError, match="draw again"):
        naive.first_dealer("low_card", draws[:1])


@pytest.mark.parametrize("rules, honours, score, winner, dealers", [
    ({}, [11, 9, 16, 4, 20, 10], (6, 3), "A", "ABABAB"),
    ({"session": "deals-2"}, [10, 10], (0, 0), "draw", "AB"),
    ({"session": "deals-2", "tie_10_10": "redeal"}, [10, 11, 10, 10, 4], (1, 2), "B", "AABBB"),
    ({"session": "deals-2", "tie_10_10": "carry"}, [10, 11], (2, 0), "A", "AB"),
    ({"session": "deals-4", "tie_10_10": "carry"}, [10, 10, 4, 11], (1, 3), "B", "ABAB"),
    ({"session": "deals-2", "tie_10_10": "carry"}, [11, 10], (1, 0), "A", "AB"),
    ({"session": "target-3"}, [11, 10, 12, 9, 11], (3, 1), "A", "ABABA"),
    ({"session": "target-3", "tie_10_10": "redeal"}, [10, 20], (3, 0), "A", "AA"),
    ({"session": "target-3", "tie_10_10": "carry"}, [10, 16], (3, 0), "A", "AB"),
    ({"session": "target-2", "schneider_at": 17, "win_points": [1, 3, 9]}, [16, 4, 3], (1, 4), "B", "ABA"),
    ({"session": "stakes"}, [11, 9, 20, 10], (4, 1), None, "ABAB"),
    ({"session": "stakes", "tie_10_10": "redeal"}, [10, 11], (1, 0), None, "AA")])
def test_sessions(rules, honours, score, winner, dealers):
    assert naive.session(rules, "A", honours) == naive.Session(dict(zip("AB", score, strict=True)), winner,
                                                               list(dealers))


def test_a_session_does_not_end_early():
    with pytest.raises(ValueError, match="end before the match"):
        naive.session({}, "A", [11] * 5)


@pytest.mark.slow
@pytest.mark.parametrize("rules, mean, error", [
    ({}, 16.33, 0.02), ({"ace_by_seven": "same_suit"}, 15.97, 0.05),
    ({"beat_rule": "any_higher_same_suit"}, 12.04, 0.05),
    ({"beat_rule": "any_higher_same_suit", "follow": "must_follow"}, 10.22, 0.05),
    ({"beat_rule": "next_any_suit"}, 12.06, 0.05),
    ({"beat_rule": "next_any_suit", "ace_by_seven": "any_suit"}, 11.73, 0.05)], ids=str)
def test_mean_honours_of_random_play(rules, mean, error):
    """Random play of both sides depends on the rules only, so these means are known from elsewhere."""
    honours = [naive.play(rules, {}, {}, 5, deal, "A")["honours"]["A"] for deal in range(6000)]
    assert abs(fmean(honours) - mean) < 4 * (stdev(honours) / math.sqrt(len(honours)) + error)
