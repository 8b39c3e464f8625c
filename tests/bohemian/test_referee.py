"""The referee of Bohemian Schneider: passes every right trace and names the first fault of a wrong one in one line."""

import copy
import itertools
import json
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from naive import bohemian as naive
from schneider_sim.base.cards import pretty
from schneider_sim.errors import RequestError
from schneider_sim.games.bohemian.referee import judge
from schneider_sim.games.bohemian.rules import Rules

POLICY = {"lead": ["safe", "honour"], "follow": ["capture", "dead", "pip"]}
TEXTS = {"A": "lead: safe honour; follow: capture dead pip", "B": "random"}
RULES = [{"beat_rule": beat, "follow": follow, "ace_by_seven": seven, "draw_timing": timing, "schneider_at": limit}
         for (beat, seven), follow, (timing, limit) in itertools.product(
             [("next_same_suit", "off"), ("next_same_suit", "same_suit"), ("any_higher_same_suit", "off"),
              ("any_higher_same_suit", "same_suit"), ("next_any_suit", "off"), ("next_any_suit", "same_suit"),
              ("next_any_suit", "any_suit")],
             ["free", "must_follow", "endgame_only"],
             [("after_trick", 16), ("on_play", 13)])]


def make(rules: dict[str, Any] | None = None, deal: int = 5, first_leader: str = "A") -> dict[str, Any]:
    rules = rules or {}
    head = {"rules": Rules().as_dict() | rules, "policies": TEXTS}
    return head | naive.play(rules, POLICY, {}, 1, deal, first_leader)


TRACE = make()


def fault(trace: Any) -> str:
    with pytest.raises(RequestError) as error:
        judge(trace)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 400
    return str(error.value)


def changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """TRACE with the value at `path` replaced."""
    trace = copy.deepcopy(TRACE)
    place: Any = trace
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return trace


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in a JSON value, the whole of it excepted."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [p for key, part in inner for p in [(*path, key), *paths(part, (*path, key))]]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: "-".join(map(str, rules.values())))
def test_right_traces_pass(rules):
    for deal in range(10):
        trace = make(rules, deal, "AB"[deal % 2])
        outcome = judge(json.loads(json.dumps(trace)))
        assert outcome.honours == trace["honours"]
        assert outcome.victory_points == trace["victory_points"]


def test_judging_leaves_the_trace_alone():
    trace = make()
    judge(trace)
    assert trace == TRACE


def test_every_written_form_of_a_card_is_read():
    german = {"S": "Laub", "H": "Herz", "D": "Schellen", "C": "Eichel"}
    ranks = dict(zip("789TJQKA", ["Sieben", "Acht", "Neun", "Zehn", "Unter", "Ober", "König", "Daus"], strict=True))
    for write in (str.lower, pretty, lambda card: f"{german[card[1]]}-{ranks[card[0]]}"):
        trace = copy.deepcopy(TRACE)
        for path in paths(TRACE):
            place, old = trace, TRACE
            for key in path[:-1]:
                place, old = place[key], old[key]
            if old[path[-1]] in naive.PACK:
                place[path[-1]] = write(old[path[-1]])
        assert trace != TRACE
        assert judge(trace) == judge(TRACE)


def test_absent_switches_have_their_default():
    assert judge(TRACE | {"rules": {}}) == judge(TRACE)


def test_other_rules_give_another_verdict():
    assert "victory_points" in fault(TRACE | {"rules": {"win_points": [2, 4, 6]}})
    assert "draw_timing=on_play" in fault(TRACE | {"rules": {"draw_timing": "on_play"}})


FIRST = TRACE["tricks"][0]


@pytest.mark.parametrize("trace, message", [
    (None, "the trace must be an object with game, rules,"),
    ([], "the trace must be an object"),
    (changed(("game",), "schnapsen"), "game is schnapsen: this referee judges bohemian"),
    (changed(("seed",), -1), "seed must be a whole number from 0 to 18446744073709551615, not -1"),
    (changed(("seed",), 2**64), "seed must be"),
    (changed(("deal",), 2**63), "deal must be"),
    (changed(("deal",), 1.0), "deal must be a whole number from 0 to 9223372036854775807, not 1.0"),
    (changed(("deal",), True), "deal must be"),
    (changed(("policies", "A"), 3), "policies A must be a policy's text, not 3"),
    (changed(("first_leader",), "C"), "first_leader must be A or B, not C"),
    (changed(("first_leader",), "B"), "trick 1: A cannot lead, since B is the first leader and leads"),
    (changed(("rules",), []), "rules must be an object of switches, not []"),
    (changed(("rules", "follow"), "always"), "rules: follow must be free | must_follow | endgame_only, not 'always'"),
    (changed(("rules", "ace_by_seven"), "any_suit"), "rules: ace_by_seven=any_suit needs beat_rule=next_any_suit"),
    (changed(("rules", "trump"), "S"), "rules: rule 'trump' is not offered"),
    (changed(("hands", "A"), TRACE["hands"]["A"][:5]), "hands A: 5 cards where 6 belong"),
    (changed(("hands", "A", 0), "1S"), "hands A: '1S' is not a card"),
    (changed(("hands", "B", 0), TRACE["hands"]["A"][0]), "is named twice (already in hands A)"),
    (changed(("stock",), TRACE["stock"][1:]), "stock: 19 cards where 20 belong"),
    (changed(("stock", 3), TRACE["stock"][4]), f"stock: card {TRACE['stock'][4]} is named twice (already in stock)"),
    (changed(("stock",), "KH"), "stock must be a list of 20 cards, not KH"),
    (changed(("tricks",), {}), "tricks must be a list of 16 tricks, not {}"),
    (changed(("tricks",), TRACE["tricks"][:15]), "tricks: 15 were played, and a deal has 16"),
    (changed(("tricks",), TRACE["tricks"] + [FIRST]), "tricks: 17 were played, and a deal has 16"),
    (changed(("tricks", 4), "AS"), "trick 5 must be an object with leader, led, reply, winner, drawn, not AS"),
    (changed(("tricks", 0, "led"), FIRST["reply"]), f"trick 1: led: {FIRST['reply']} is not in the hand of A"),
    (changed(("tricks", 0, "reply"), FIRST["led"]), f"trick 1: reply: {FIRST['led']} is not in the hand of B"),
    (changed(("tricks", 0, "winner"), "B"), "so A takes the trick"),
    (changed(("tricks", 0, "drawn"), None), "trick 1: drawn is null, but 20 cards are left in the stock"),
    (changed(("tricks", 0, "drawn"), {"A": "9S"}), "trick 1: drawn lacks 'B'"),
    (changed(("tricks", 0, "drawn", "A"), TRACE["stock"][1]), f"the stock's top card is {TRACE['stock'][0]}"),
    (changed(("tricks", 12, "drawn"), {"A": "9S", "B": "8S"}), "trick 13: drawn must be null, since the stock is"),
    (changed(("honours", "A"), 21), "honours: 21 and"),
    (changed(("honours",), {"A": 20, "B": 0}), "honours: the play gives A"),
    (changed(("tricks_won",), {"A": 0, "B": 16}), "tricks_won: the play gives A"),
    (changed(("victory_points",), {"A": 0, "B": 9}), "victory_points: the play gives A"),
    ({key: value for key, value in TRACE.items() if key != "deal"}, "the trace lacks 'deal'"),
    (changed(("dael",), 5), "the trace has 'dael', which means nothing here (did you mean 'deal'?)"),
    (changed(("tricks", 0, "lead\ner"), "A"), "trick 1 has")])
def test_the_first_fault_is_named(trace, message):
    assert message in fault(trace)


def test_revoking_is_named():
    rules = {"beat_rule": "any_higher_same_suit", "follow": "must_follow"}
    trace = make(rules)
    trick = trace["tricks"][0]
    assert trick["led"][1] == trick["reply"][1]
    other = next(card for card in trace["hands"]["B"] if card[1] != trick["led"][1])
    trick["reply"] = other
    message = fault(trace)
    assert f"trick 1: B may not reply {other} to {trick['led']}, since follow=must_follow asks" in message


def test_the_right_rule_for_the_end_of_the_stock():
    free = [make({}, deal) for deal in range(30)]
    strict = [fault(trace | {"rules": {"follow": "endgame_only"}}) for trace in free[:5]]
    assert all(int(message.split()[1].rstrip(":")) > 10 for message in strict)


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
                    | st.sampled_from(["A", "B", "TS", "10♠", "\ud800", "A" * 10_000, 10**4000]),
                    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
                    max_leaves=8)


@given(JSON)
def test_no_value_breaks_the_referee(value):
    fault(value)


@settings(max_examples=600)
@given(st.sampled_from(paths(TRACE)), JSON)
def test_no_value_anywhere_in_a_trace_breaks_the_referee(path, value):
    """Whatever is written somewhere, the referee either finds the fault or it was none; it never fails itself."""
    trace = changed(path, value)
    try:
        assert judge(trace) == judge(TRACE)
    except RequestError:
        fault(trace)


@given(st.sampled_from(paths(TRACE)), st.sampled_from(naive.PACK))
def test_another_card_anywhere_is_found(path, card):
    old: Any = TRACE
    for key in path:
        old = old[key]
    assume(old in naive.PACK and old != card)
    fault(changed(path, card))


@given(st.sampled_from(paths(TRACE)))
def test_nothing_may_be_missing(path):
    assume(path[0] != "rules" or len(path) == 1)
    trace = copy.deepcopy(TRACE)
    place: Any = trace
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    fault(trace)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: "-".join(map(str, rules.values())))
def test_many_right_traces_pass(rules):
    for deal in range(10, 300):
        judge(make(rules, deal, "AB"[deal % 2]))
