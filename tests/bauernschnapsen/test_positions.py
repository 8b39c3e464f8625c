"""What cards and calls are worth: against all layouts, by symmetry, without peeking; and where decisions stand."""

import copy
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import schneider_sim as ss
from naive.playing_on import moment_in, worths
from schneider_sim.errors import RunError
from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen import appraisal, positions
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.positions import Position

parse = GAME.grammar.parse
RULES = GAME.rules()
HIGH = {"lead": ["master", "high", "long"], "follow": ["win-cheap", "low"]}
LOW = {"lead": ["long", "low"], "follow": ["win-rich", "poor"]}
SIGMA = 4.5


def policy(lists: dict[str, list[str]], more: str = "ties: first") -> str:
    return (f"trump: longest; bid: whim; double: whim; lead: {' '.join(lists['lead'])}; "
            f"follow: {' '.join(lists['follow'])}; {more}")


def match(a: str, b: str, seed: int = 5, rules: Any = RULES) -> MatchUp:
    return MatchUp(rules, parse(a), parse(b), seed=seed)


def outcomes(match_up: MatchUp, found: Position, blocks: int = 12, inference: int = 0, first: int = 0) -> Any:
    """int64[choices, worlds]."""
    one = appraisal.Appraiser(match_up, found, int(found.trace["deal"]), match_up.seed, inference)
    return np.concatenate([one.play(found.names, block).points for block in range(first, first + blocks)], axis=1)


def late(match_up: MatchUp, trick: int, deals: range) -> Any:
    """Decisions with a choice in a trick of played deals: (trace, seat), no two of one deal."""
    for deal in deals:
        trace = GAME.trace(match_up, deal)
        if len(trace["tricks"]) < trick or not trace["tricks"][trick - 1]["cards"]:
            continue
        seats = trace["tricks"][trick - 1]["seats"]
        seat = seats[deal % len(seats)]
        if len(positions.at_card(match_up.rules, trace, trick, seat).choices) > 1:
            yield trace, seat


@pytest.mark.parametrize("trick, deals, inference", [
    (4, range(150), 0), (4, range(150, 280), 2), pytest.param(3, range(28), 0, marks=pytest.mark.slow),
    pytest.param(3, range(30, 58), 3, marks=pytest.mark.slow)])
def test_values_are_those_of_all_layouts(trick: int, deals: range, inference: int) -> None:
    match_up, contracts, seen = match(policy(HIGH), policy(LOW)), set(), 0
    for trace, seat in late(match_up, trick, deals):
        found = positions.at_card(RULES, trace, trick, seat)
        own = HIGH if seat in trace["teams"]["A"] else LOW
        other = LOW if own is HIGH else HIGH
        lists = [own, other] if found.seat % 2 == 0 else [other, own]
        exact, _ = worths(trace, trick, seat, lists, inference)
        assert list(exact) == found.names
        playing = match(policy(own), policy(other))
        points = outcomes(playing, found, inference=inference)
        for mean, error, right in zip(points.mean(axis=1), points.std(axis=1) / math.sqrt(points.shape[1]),
                                      exact.values(), strict=True):
            spread = 3 if inference else 1  # worlds drawn together count for fewer
            assert abs(mean - right) <= SIGMA * spread * error + 1e-9, (trace["deal"], trick, seat, mean, right)
        contracts.add(trace["contract"])
        seen += 1
    assert seen >= (12 if trick == 4 else 3) and (trick == 3 or len(contracts) >= 3)


def swapped(trace: dict[str, Any], trick: int, place: int, one: str, two: str) -> dict[str, Any]:
    """The trace with two cards that lie hidden at a decision having changed places."""
    other = copy.deepcopy(trace)
    change = {one: two, two: one}
    other["hands"] = [[change.get(card, card) for card in hand] for hand in other["hands"]]
    for number, past in enumerate(other["tricks"]):
        past["cards"] = [change.get(card, card) if (number, at) >= (trick - 1, place) else card
                         for at, card in enumerate(past["cards"])]
    return other


@pytest.mark.parametrize("inference", [0, 3])
def test_hidden_cards_change_nothing(inference: int) -> None:
    match_up, seen = match("bold; bid: whim; noise: 0.1", "expert"), 0
    for trick in (1, 2, 3):
        for trace, seat in late(match_up, trick, range(10, 30)):
            m, found = moment_in(trace, trick, seat), positions.at_card(RULES, trace, trick, seat)
            caller = positions.caller_of(trace)
            place = trace["tricks"][trick - 1]["seats"].index(seat)
            first = outcomes(match_up, found, 1, inference)
            for left in range(4):
                right = (left + 1) % 4
                if m.seat in (left, right) or m.open_to(left) or m.open_to(right):
                    continue
                pairs = [(a, b) for a in sorted(m.hands[left] & m.may(right) - m.must(left))
                         for b in sorted(m.hands[right] & m.may(left) - m.must(right))]
                for one, two in pairs[:2]:
                    changed = positions.at_card(RULES, swapped(trace, trick, place, one, two), trick, seat)
                    assert changed.state[0:4].tolist() != found.state[0:4].tolist(), caller
                    assert (outcomes(match_up, changed, 1, inference) == first).all(), (trace["deal"], trick, seat)
                    seen += 1
    assert seen > 30


def test_hidden_cards_change_no_call() -> None:
    match_up, seen = match("bold; double: whim", "expert"), set()
    for deal in range(8):
        trace = GAME.trace(match_up, deal)
        rows = len(positions.call_rows(RULES, positions.record_of(RULES, trace, 5)))
        for call in range(trace["redeals"] + 1, trace["redeals"] + rows + 1):
            found = positions.at_call(RULES, trace, call)
            if len(found.choices) == 1 or (found.question == positions.DOUBLE and trace["contract"] == "PLAUDERER"):
                continue  # nothing to choose, or hands lie open
            others = [seat for seat in range(4) if seat != found.table_seat]
            one, two = (next(card for card in trace["hands"][seat] if card != trace["turned_up"])
                        for seat in others[:2])
            changed = positions.at_call(RULES, swapped(trace, 1, 0, one, two), call)
            assert (outcomes(match_up, changed, 1) == outcomes(match_up, found, 1)).all(), (deal, call)
            seen.add(found.question)
    assert seen == {positions.SUIT, positions.BID, positions.DOUBLE}


def renamed(trace: dict[str, Any], suits: dict[str, str]) -> dict[str, Any]:
    """The trace with its suits renamed."""
    def card(name: str) -> str:
        return name[0] + suits[name[1]]

    other = copy.deepcopy(trace)
    other["hands"] = [[card(name) for name in hand] for hand in trace["hands"]]
    other["trump"] = suits[trace["trump"]]
    other["turned_up"] = card(trace["turned_up"]) if trace["turned_up"] else None
    for trick in other["tricks"]:
        trick["cards"] = [card(name) for name in trick["cards"]]
        if trick["announced"]:
            trick["announced"]["suit"] = suits[trick["announced"]["suit"]]
    GAME.judge(other)
    return other


def test_suits_may_change_their_names() -> None:
    """The words know no suit but trumps, so that the values are the same within their error."""
    match_up, seen = match("expert", "bold"), 0
    for trick in (1, 2):
        for trace, seat in late(match_up, trick, range(8)):
            rest = [suit for suit in "SHDC" if suit != trace["trump"]]
            suits = {trace["trump"]: trace["trump"], **dict(zip(rest, rest[1:] + rest[:1], strict=True))}
            one = positions.at_card(RULES, trace, trick, seat)
            two = positions.at_card(RULES, renamed(trace, suits), trick, seat)
            first, second = outcomes(match_up, one, 8), outcomes(match_up, two, 8, first=8)
            places = {name: place for place, name in enumerate(two.names)}
            for place, name in enumerate(one.names):
                a, b = first[place], second[places[name[0] + suits[name[1]]]]
                error = math.sqrt((a.var() + b.var()) / a.size)
                assert abs(a.mean() - b.mean()) <= SIGMA * error + 1e-9, (trace["deal"], trick, name)
                seen += 1
    assert seen > 30


@pytest.mark.parametrize("rules", [{}, {"double_window": "before_own_first_card"}, {"trump_timing": "auction_winner"},
                                   {"bettler_partner": "sits_out", "gang_partner": "sits_out", "auction": "single"}],
                         ids=str)
def test_decisions_stand_where_they_were_made(rules: dict[str, str]) -> None:
    """Asked again in each position, the policy decides as it did in the play: cards, trumps, bids and doublings."""
    for text, deals in (("expert", 15), ("bold; bid: whim; double: whim; noise: 0.2", 15),
                        ("cautious; bid: whim; double: whim; search: rollout; samples: 20; inference: 2", 3)):
        match_up, questions = match(text, text, 3, GAME.rules(None, rules)), set()
        for deal in range(deals):
            trace = GAME.trace(match_up, deal)
            record = positions.record_of(match_up.rules, trace, 3)
            calls = len(positions.call_rows(match_up.rules, record))
            found = [positions.at_card(match_up.rules, trace, *where)
                     for where in positions.seats_to_play(match_up.rules, trace)]
            found += [positions.at_call(match_up.rules, trace, trace["redeals"] + 1 + n) for n in range(calls)]
            for one in found:
                made = appraisal.Appraiser(match_up, one, deal, 3, 0).choice()
                ended = one.trick and not trace["tricks"][one.trick - 1]["cards"]
                assert made == positions.name_of(one.question, one.made) or (ended and made[0] in "KQ")
                questions.add(one.question)
        assert questions >= {positions.CARD, positions.BID, positions.SUIT}


def test_a_new_deal_is_a_choice_with_three_unters() -> None:
    """It is worth what a deal is worth to the caller's side, whatever the hand."""
    match_up = match("cautious; trump: longest", "cautious")
    deal = next(deal for deal in range(3000) if {card[0] for card in GAME.trace(match_up, deal)["hands"][
        (deal + 1) % 4][:3]} == {"J"})
    found = positions.at_call(RULES, GAME.trace(match_up, deal), 1)
    assert found.names[-1] == "new-deal"
    points = outcomes(match_up, found, 16)[-1]
    usual = GAME.points_by_deal(match_up, 0, 4096)[:, 0]
    assert abs(points.mean() - usual.mean()) < SIGMA * math.sqrt((points.var() + usual.var()) / 4096)
    asked = GAME.trace(match("cautious", "cautious"), deal)
    assert asked["redeals"] > 0
    with pytest.raises(Exception, match="call 1 asked for a new deal"):
        positions.at_call(RULES, asked, 1)


def test_calls_are_worth_in_the_mean_what_they_bring() -> None:
    """Over many deals the value of the call made is the mean result, since each world is as likely as the deal itself.
    """
    match_up, apart = match("bold", "bold", 8), dict[int, list[float]]()
    for deal in range(250):
        trace = GAME.trace(match_up, deal)
        record = positions.record_of(RULES, trace, 8)
        points = trace["game_points"] if trace["scoring_team"] == trace["first_leader"] else -trace["game_points"]
        for number in range(len(positions.call_rows(RULES, record))):
            found = positions.at_call(RULES, trace, trace["redeals"] + 1 + number)
            said = trace["calls"][: found.at if found.question == positions.BID else 99]
            if found.question == positions.SUIT or not any(call["call"] != "PASS" for call in said):
                one = appraisal.Appraiser(match_up, found, deal, 8, 0)
                worth = one.play([positions.name_of(found.question, found.made)], 0).points.mean()
                apart.setdefault(found.question, []).append(worth - points * (1 if found.seat % 2 == 0 else -1))
    assert set(apart) == {positions.SUIT, positions.BID, positions.DOUBLE}
    for gaps in apart.values():
        per_deal = max(1, len(gaps) // 250)  # the calls of a deal go together
        assert abs(np.mean(gaps)) < SIGMA * np.std(gaps) * math.sqrt(per_deal / len(gaps)), gaps


def test_a_doubling_doubles() -> None:
    """Where nobody else doubles, in each world."""
    match_up, seen = match("cautious", "cautious"), 0
    for deal in range(12):
        trace = GAME.trace(match_up, deal)
        for number, row in enumerate(positions.call_rows(RULES, positions.record_of(RULES, trace, 5)), start=1):
            if row[0] == positions.DOUBLE:
                passed, doubled = outcomes(match_up, positions.at_call(RULES, trace, trace["redeals"] + number), 1)
                assert (doubled == 2 * passed).all() and (passed != 0).all()
                seen += 1
    assert seen >= 20


MINE = '''
from schneider_sim import preference

@preference("bullets")
def bullets(view):
    """aces"""
    return view.hand & 0x10101010

@preference("stumbler", over="cards")
def stumbler(view):
    """fails in the third trick"""
    return [card for card in view.hand if 1 / (3 - view.trick) < 9]
'''


def test_preferences_of_users_play_on_like_words(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE, encoding="utf-8")
    asked = {"deal": 3, "trick": 1, "seat": 1, "game": "bauernschnapsen", "worlds": 256, "load": file}
    mine, built_in = (ss.position(f"cautious; lead: {word}; follow: not-{word}", **asked)
                      for word in ("bullets", "ace"))
    assert mine.cards == built_in.cards
    with pytest.raises(RunError, match="stumbler"):
        ss.position("cautious; follow: stumbler; bid:", **asked)
    with pytest.raises(RunError, match="stumbler"):
        ss.analyse("cautious; follow: stumbler; bid:", "cautious; bid:", deals=2, worlds=16, game="bauernschnapsen",
                   load=file)


def test_decisions_of_deals_with_large_numbers_are_measured() -> None:
    """A seat is a small number and a deal is not: their sum did not fit from deal 127 on."""
    found = ss.analyse("cautious", "random", deals=1, first=2**63 - 2, worlds=2, game="bauernschnapsen")
    assert {one.deal for one in found.worst} <= {2**63 - 2} and found.loss["A"].n == 1
