"""The worked examples of docs/rules-bohemian.md, 1 to 25: each must come out in the rules and in the second version."""

from functools import cache
from typing import Any

import pytest

from naive import bohemian as naive
from schneider_sim.errors import RequestError
from schneider_sim.games.bohemian.referee import Outcome, judge
from schneider_sim.games.bohemian.rules import PACK, Rules, captures, is_honour, legal_replies, make_rules
from schneider_sim.games.bohemian.rules import victory_points as points

ENDING_A = frozenset({"AS", "KS", "QS", "9H", "8D", "7C"})
ENDING_B = frozenset({"JS", "TH", "JH", "9D", "8C", "7D"})


def rules_by(**switches: Any) -> Rules:
    return make_rules(None, switches)


def trick(led: str, reply: str, **switches: Any) -> tuple[str, int]:
    """Who wins, L(eader) or R(esponder), and the honours won; both implementations must say so."""
    winner = "R" if captures(rules_by(**switches), led, reply) else "L"
    assert winner == ("R" if naive.captures(switches, led, reply) else "L")
    return winner, is_honour(led) + is_honour(reply)


def legal(hand: list[str], led: str, stock: int, **switches: Any) -> list[str]:
    """What may be replied, in the hand's order; both implementations must say so."""
    replies = legal_replies(rules_by(**switches), hand, led, stock)
    assert set(replies) == naive.legal_replies(switches, set(hand), led, stock)
    return replies


def test_example_01_a_jack_does_not_take_a_nine():
    assert trick("9S", "JS") == ("L", 1)
    assert [card for card in PACK.cards if captures(Rules(), "9S", card)] == ["TS"]


def test_example_02_the_jack_takes_the_ten():
    assert trick("TS", "JS") == ("R", 2)


def test_example_03_the_queen_jumps_too_far():
    assert trick("TS", "QS") == ("L", 2)


def test_example_04_pips_capture_pips():
    assert trick("7S", "8S") == ("R", 0)


def test_example_05_suits_do_not_mix():
    assert trick("8S", "9H") == ("L", 0)


def test_example_06_the_ten_takes_the_nine():
    assert trick("9H", "TH") == ("R", 1)


def test_example_07_the_ace_takes_the_king():
    assert trick("KD", "AD") == ("R", 2)


def test_example_08_the_ace_does_not_take_the_queen():
    assert trick("QD", "AD") == ("L", 2)


def test_example_09_an_ace_led_wins():
    assert trick("AH", "KH") == ("L", 2)
    assert trick("AH", "7H") == ("L", 1)
    assert trick("AH", "AS") == ("L", 2)


def test_example_10_ranks_do_not_wrap():
    assert trick("7S", "AS") == ("L", 1)
    assert trick("AH", "7H") == ("L", 1)


def test_example_11_seven_of_the_suit_takes_the_ace():
    assert trick("AH", "7H", ace_by_seven="same_suit") == ("R", 1)
    assert trick("AH", "7S", ace_by_seven="same_suit") == ("L", 1)
    assert trick("AH", "8H", ace_by_seven="same_suit") == ("L", 1)
    assert trick("7H", "8H", ace_by_seven="same_suit") == ("R", 0)
    assert trick("KH", "AH", ace_by_seven="same_suit") == ("R", 2)


def test_example_12_next_rank_of_any_suit():
    any_suit = {"beat_rule": "next_any_suit"}
    assert trick("9H", "TS", **any_suit) == ("R", 1)
    assert trick("9H", "JH", **any_suit) == ("L", 1)
    assert trick("AH", "7S", **any_suit) == ("L", 1)
    assert trick("AH", "7S", **any_suit, ace_by_seven="any_suit") == ("R", 1)
    assert trick("AH", "7S", **any_suit, ace_by_seven="same_suit") == ("L", 1)
    assert trick("AH", "7H", **any_suit, ace_by_seven="same_suit") == ("R", 1)


def test_example_13_any_higher_of_the_suit():
    assert trick("7D", "KD", beat_rule="any_higher_same_suit") == ("R", 1)
    assert trick("7D", "KC", beat_rule="any_higher_same_suit") == ("L", 1)
    assert trick("KD", "QD", beat_rule="any_higher_same_suit") == ("L", 2)


def test_example_14_what_may_be_replied():
    hand = ["7H", "KD", "9D"]
    assert legal(hand, "QD", 4, follow="must_follow") == ["KD", "9D"]
    assert legal(hand, "QS", 4, follow="must_follow") == hand
    assert legal(hand, "QD", 4, follow="endgame_only") == hand
    assert legal(hand, "QD", 0, follow="endgame_only") == ["KD", "9D"]


def test_example_15_capturing_may_be_declined():
    assert legal(["JS", "7D"], "TS", 20) == ["JS", "7D"]
    assert trick("TS", "JS") == ("R", 2)
    assert trick("TS", "7D") == ("L", 1)


def play(hand_a: str, hand_b: str, stock: str, cards: str, **switches: Any) -> dict[str, Any]:
    """A judged trace: A leads first, the players play `cards` (lead, reply, lead, ...) and then anything.

    What is left of the pack completes the stock; the responder avoids capturing and leaders play high from then on.
    """
    hands, script = {"A": hand_a.split(), "B": hand_b.split()}, cards.split()
    dealt = [*hands["A"], *hands["B"], *stock.split()]
    rest = [card for card in naive.PACK if card not in dealt]

    def choose(decision: naive.Decision) -> str:
        number = 2 * len(decision.tricks) + (decision.led is not None)
        words = ["safe", "high"] if decision.led is None else ["not-capture"]
        return script[number] if number < len(script) else min(naive.candidates(switches, words, decision))

    played = naive.play_out(switches, hands, stock.split() + rest, "A", choose)
    trace = {"game": "bohemian", "rules": switches, "policies": {"A": "by hand", "B": "by hand"}, "seed": 0, "deal": 0,
             "first_leader": "A"} | played
    assert judge(trace) == Outcome(played["honours"], played["tricks_won"], played["victory_points"])
    return trace


HANDS = ("7C 9D TD JD 9S TS", "8C QH KH 8S JS QS")


def test_example_16_the_winner_draws_first_and_leads():
    for timing, drawn in (("after_trick", {"B": "AS", "A": "AD"}), ("on_play", {"A": "AS", "B": "AD"})):
        trace = play(*HANDS, "AS AD", "7C 8C", draw_timing=timing)
        assert trace["tricks"][0] == {"leader": "A", "led": "7C", "reply": "8C", "winner": "B", "drawn": drawn}
        assert trace["tricks"][1]["leader"] == "B"


def test_example_17_the_last_two_cards_of_the_stock():
    trace = play(*HANDS, "AS AD", "7C 8C")
    winner = trace["tricks"][9]["winner"]
    assert trace["tricks"][9]["drawn"] == {winner: trace["stock"][18], naive.other(winner): trace["stock"][19]}
    assert [trick["drawn"] is None for trick in trace["tricks"]] == [False] * 10 + [True] * 6


@cache
def best(mine: frozenset[str], theirs: frozenset[str]) -> int:
    """The leader's honours minus the other's under best play of both with open hands and no stock."""
    return max((value_of_lead(mine, theirs, led) for led in mine), default=0)


def value_of_lead(mine: frozenset[str], theirs: frozenset[str], led: str) -> int:
    outcomes = []
    for reply in theirs:
        honours = is_honour(led) + is_honour(reply)
        left, right = mine - {led}, theirs - {reply}
        outcomes.append(-honours - best(right, left) if captures(Rules(), led, reply) else honours + best(left, right))
    return min(outcomes)


def test_example_18_the_line_of_play_counts():
    greedy = [("AS", "7D"), ("KS", "8C"), ("QS", "9D"), ("9H", "TH"), ("JH", "7C"), ("JS", "8D")]
    patient = [("AS", "7D"), ("KS", "8C"), ("QS", "9D"), ("8D", "JH"), ("7C", "JS"), ("9H", "TH")]
    for line, winners, honours in ((greedy, "AAABBB", (3, 3)), (patient, "AAAAAB", (5, 1))):
        leader, won, taken = "A", "", {"A": 0, "B": 0}
        for led, reply in line:
            assert led in (ENDING_A if leader == "A" else ENDING_B)
            leader = naive.other(leader) if captures(Rules(), led, reply) else leader
            taken[leader] += is_honour(led) + is_honour(reply)
            won += leader
        assert (won, taken) == (winners, {"A": honours[0], "B": honours[1]})


def test_example_18b_exact_values_of_the_ending():
    assert best(ENDING_A, ENDING_B) == 4
    values = {led: value_of_lead(ENDING_A, ENDING_B, led) for led in ENDING_A}
    assert values == {"AS": 4, "KS": 4, "QS": 4, "9H": -2, "8D": -2, "7C": -2}


def view(hand: str, played: str = "", led: str | None = None) -> naive.Decision:
    cards = frozenset(hand.split())
    pairs = played.split()
    return naive.Decision("A", cards, cards, led, tuple(zip(pairs[::2], pairs[1::2], strict=True)))


def test_example_19_safe_by_the_own_hand():
    assert naive.candidates({}, ["safe"], view("TD JD 7S")) == {"TD"}


def test_example_20_dead_and_live_capturers():
    discard = view("9C JS", played="8C 7H", led="AH")
    assert naive.candidates({}, ["dead"], discard) == {"9C"}
    assert naive.candidates({}, ["blocker"], discard) == {"JS"}
    assert "JS" in naive.killers({}, "TS")


def test_example_21_ten_each_scores_nothing():
    assert points(Rules(), 10) == 0


def test_example_22_points_of_a_deal():
    assert [points(Rules(), honours) for honours in (11, 15, 16, 19, 20)] == [1, 1, 2, 2, 3]
    assert [points(Rules(), honours) for honours in (9, 5, 4, 1, 0)] == [-1, -1, -2, -2, -3]
    assert [points(rules_by(schneider_at=17), honours) for honours in (16, 17)] == [1, 2]
    assert points(rules_by(schneider_at=15), 15) == 2


def test_example_21_in_a_session():
    ties = [10, 12, 12, 12, 12, 12, 12]
    assert naive.session({}, "A", ties[:6]).dealers == list("ABABAB")
    assert naive.session({"tie_10_10": "redeal"}, "A", ties).dealers == list("AABABAB")
    assert naive.session({"tie_10_10": "redeal"}, "A", ties).score == {"A": 6, "B": 0}


def test_example_23_all_honours_without_all_tricks():
    stock = "JS AD KD QS KS QD JD JH TD QH AC KH KC 8D QC 9D JC 8C TC 9C"
    trace = play("7S 7H TS TH AS AH", "8S 8H 9S 9H 7D 7C", stock, "7S 8S 9S TS 7H 8H 9H TH")
    assert trace["tricks_won"] == {"A": 14, "B": 2}
    assert trace["honours"] == {"A": 20, "B": 0}
    assert trace["victory_points"] == {"A": 3, "B": 0}


def test_example_24_honours_must_add_to_twenty():
    trace = play(*HANDS, "AS AD", "7C 8C")
    with pytest.raises(RequestError, match="10 and 9 add to 19, and there are 20"):
        judge(trace | {"honours": {"A": 10, "B": 9}})
    with pytest.raises(ValueError, match="add to 20"):
        naive.victory_points({}, {"A": 10, "B": 9})
    for honours in (-1, 21):
        with pytest.raises(RequestError, match="0 to 20 honours"):
            points(Rules(), honours)


def test_example_25_sessions():
    lost = naive.session({}, "A", [11, 4, 10, 11, 10, 9])
    assert lost == naive.Session({"A": 2, "B": 3}, "B", list("ABABAB"))
    assert naive.session({}, "B", [11, 9, 16, 4, 10, 10]) == naive.Session({"A": 3, "B": 3}, "draw", list("BABABA"))
    target = naive.session({"session": "target-7"}, "A", [16, 4, 16, 4, 16, 9, 18])
    assert target == naive.Session({"A": 8, "B": 5}, "A", list("ABABABA"))
