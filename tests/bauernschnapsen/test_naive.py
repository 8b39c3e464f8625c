"""The compiled play against the second plain version: legal moves, auctions, results, open-card values."""

import numba
import numpy as np
import pytest

from bauernschnapsen.traces import SWITCHES, trace_of
from naive.bauernschnapsen import auction, best, best_for_caller, bummerl, can_bid, deal, legal, verdict
from schneider_sim.games.bauernschnapsen.kernel import state as v
from schneider_sim.games.bauernschnapsen.kernel.tricks import beat_of, legal_cards
from schneider_sim.games.bauernschnapsen.kernel.units import rules_in, state_in
from schneider_sim.games.bauernschnapsen.rules.contracts import BY_NAME, NAMES, ORDERS
from schneider_sim.games.bauernschnapsen.rules.legality import deck_map, may_bid
from schneider_sim.games.bauernschnapsen.rules.legality import legal as legal_of_the_referee
from schneider_sim.games.bauernschnapsen.rules.match import bummerl as bummerl_of_the_game
from schneider_sim.games.bauernschnapsen.rules.referee import PACK
from schneider_sim.games.bauernschnapsen.rules.switches import make_rules
from schneider_sim.games.bauernschnapsen.search.solver import begin, solve, value


@numba.njit
def legal_of_the_kernel(hand, trick, order, trumps, duties):
    """The kernel's legal cards after a trick of masks, with its own running `beat`."""
    beat, table = np.int64(0x1F1F1F1F), np.int64(0)
    for card in trick:
        beat = beat_of(order, trumps, card) if card & beat else beat
        table |= card
    return legal_cards(hand, trick[0], beat, trumps, duties, order, table)


def replayed(trace):
    """Each decision of a trace as (hand, cards before, card, seat) with relative seats, then the verdict at the end."""
    rules, contract, trump = trace["rules"], trace["contract"], trace["trump"]
    caller = (trace["dealer"] + 1) % 4
    hands = [set(trace["hands"][(seat + caller) % 4]) for seat in range(4)]
    declarer = (trace["declarer"] - caller) % 4
    tricks: list[tuple[int, int]] = []
    said: list[tuple[int, int, int]] = []
    decisions = []
    for trick in trace["tricks"]:
        if trick["announced"]:
            said.append(((trick["leader"] - caller) % 4, trick["announced"]["points"], len(tricks)))
        if not trick["cards"]:
            break
        for place, (seat, card) in enumerate(zip(trick["seats"], trick["cards"], strict=True)):
            hand = hands[(seat - caller) % 4]
            decisions.append((set(hand), trick["cards"][:place], card))
            hand.remove(card)
        top = best(contract, trump, trick["cards"])
        winner = (trick["seats"][trick["cards"].index(top)] - caller) % 4
        tricks.append((winner, sum({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}[c[0]] for c in trick["cards"])))
    return decisions, verdict(rules, contract, declarer, tricks, said)


@pytest.mark.parametrize("switch", SWITCHES, ids=str)
def test_legal_moves_and_results(switch):
    rules = make_rules(None, switch)
    vector = v.rules_vector(rules)
    for number in range(40):
        trace = trace_of(switch, number)
        row, trump = BY_NAME[trace["contract"]], trace["trump"]
        decisions, end = replayed(trace)
        for hand, before, card in decisions:
            expected = legal(trace["rules"], row.name, trump, hand, before)
            assert card in expected
            assert set(legal_of_the_referee(rules, row, trump, sorted(hand), before)) == expected
            if before:
                trick = np.array([1 << PACK.bit(c) for c in before], np.int64)
                trumps = 0x1F << 8 * "SHDC".index(trump) if row.trumps else 0
                order, duties = list(ORDERS).index(row.order), vector[v.DUTIES + NAMES.index(row.name)]
                mask = legal_of_the_kernel(PACK.to_mask(hand), trick, order, trumps, duties)
                assert set(PACK.names(int(mask))) == expected
        caller = (trace["dealer"] + 1) % 4
        assert end is not None
        assert (end[0], end[2]) == (trace["ended"], trace["game_points"] // trace["multiplier"])
        assert (trace["first_leader"] == trace["scoring_team"]) == (end[1] == 0)
        calls = [((c["seat"] - caller) % 4, c["call"]) for c in trace["calls"]]
        assert auction(trace["rules"], calls) == ((trace["declarer"] - caller) % 4, trace["contract"])


@pytest.mark.parametrize("switch", SWITCHES, ids=str)
def test_bids(switch):
    rules = make_rules(None, switch)
    generator = np.random.default_rng(5)
    for _ in range(60):
        cards = [PACK.cards[i] for i in generator.permutation(20)[:5]]
        if generator.random() < 0.2:
            cards = [rank + "H" for rank in "AJQKT"]
        seat, holder = (int(x) for x in generator.integers(0, 4, 2))
        trump, high = "SHDC"[generator.integers(0, 4)], NAMES[generator.integers(0, len(NAMES))]
        for name in NAMES:
            ours = may_bid(rules, seat, name, cards, trump, (holder, high))
            assert ours == can_bid(rules.as_dict(), seat, name, cards, trump, high, holder), (name, high, cards)


def test_deal_maps():
    pack = list(PACK.cards)
    for switch in ({}, {"cut_mode": "knock"}, {"deal_pattern": "1x5"}):
        rules = make_rules(None, switch)
        assert [[pack[i] for i in seat] for seat in deck_map(rules)] == deal(rules.as_dict(), pack)


def test_bummerls():
    generator = np.random.default_rng(9)
    steps = [1, 1, 2, 3, 5, 6, 9, 11, 12, 18, 21, 24]
    for retour in ("exact_23_0", "comeback_from_zero", "off"):
        rules = make_rules(None, {"retour": retour})
        for _ in range(2000):
            results = [("AB"[generator.integers(0, 2)], steps[generator.integers(0, len(steps))]) for _ in range(48)]
            assert bummerl_of_the_game(rules, results) == bummerl(results, retour)


@pytest.mark.parametrize("contract", ["NORMAL", "SCHNAPSER", "BETTLER", "ASSENBETTLER", "GANG", "BAUERNSCHNAPSER"])
def test_solver_equals_trying_everything(contract):
    """Positions of three tricks left, reached at random, solved both ways."""
    rules = make_rules()
    vector, generator = v.rules_vector(rules), np.random.default_rng(len(contract))
    row = BY_NAME[contract]
    for _ in range(25):
        pack = [PACK.cards[i] for i in generator.permutation(20)]
        hands = [set(pack[3 * seat : 3 * seat + 3]) for seat in range(4)]
        trump, declarer, leader = "SHDC"[generator.integers(0, 4)], 0, int(generator.integers(0, 4))
        done: list[tuple[int, int]] = []
        said: list[tuple[int, int, int]] = []
        if contract == "NORMAL":
            done = [(int(generator.integers(0, 4)), int(generator.integers(8, 26))) for _ in range(2)]
        elif contract != "SCHNAPSER":
            done = [(0 if row.aim == "all" else 1, 15)] * 2
        state = np.zeros(v.STATE_SIZE, np.int64)
        for seat in range(4):
            state[v.HAND + seat] = state[v.DEALT + seat] = PACK.to_mask(hands[seat])
        for winner, points in done:
            state[v.TRICKS + winner] += 1
            state[v.POINTS + winner] += points
        order = list(ORDERS).index(row.order)
        trumps = 0x1F << 8 * "SHDC".index(trump) if row.trumps else 0
        for place, number in {
            v.DONE: len(done), v.TRUMP: "SHDC".index(trump), v.CONTRACT: NAMES.index(contract), v.LEADER: leader,
            v.DECLARER: declarer, v.AWAY: -1, v.NOW_AIM: vector[v.AIM + NAMES.index(contract)], v.NOW_ORDER: order,
            v.NOW_TRUMPS: trumps, v.LAST_WINNER: done[-1][0] if done else 0,
        }.items():
            state[place] = number
        if verdict(rules.as_dict(), contract, declarer, done, said) is not None:
            continue
        expected = best_for_caller(rules.as_dict(), contract, declarer, trump, hands, leader, done, said)
        assert solve(vector, state, 0) == expected
        for goal in (-2, -1, 1, 2, 3) if contract == "NORMAL" else (1,):
            assert solve(vector, state, goal) == (expected >= goal)


@numba.njit
def value_with(rules, state, card):
    """The solver's value for the caller's side when the seat on lead plays a card."""
    r, s = rules_in(rules, 0), state_in(state, 0)
    begin(s, s.search.frames[0])
    return value(r, s.search, card)


@pytest.mark.parametrize("contract", ["BETTLER", "ASSENBETTLER", "PLAUDERER", "GANG", "ZEHNERGANG", "BAUERNSCHNAPSER"])
def test_solver_values_every_card_of_equals(contract):
    """Leads of a hand with neighbouring cards, where points do not count: each is worth what trying everything says."""
    rules, row = make_rules(), BY_NAME[contract]
    vector, generator, checked = v.rules_vector(rules), np.random.default_rng(3), 0
    for _ in range(20):
        suit = "SHDC"[generator.integers(0, 4)]
        mine = [rank + suit for rank in ("KQ", "TK", "AT", "QJ")[generator.integers(0, 4)]]
        pack = [card for card in (PACK.cards[i] for i in generator.permutation(20)) if card not in mine]
        leader = int(generator.integers(0, 4))
        hands = [{pack.pop() for _ in range(1 if seat == leader else 3)} for seat in range(4)]
        hands[leader] |= set(mine)
        done = [(0 if row.aim == "all" else 1, 15)] * 2
        trump = "SHDC"[generator.integers(0, 4)]
        state = np.zeros(v.STATE_SIZE, np.int64)
        for seat in range(4):
            state[v.HAND + seat] = state[v.DEALT + seat] = PACK.to_mask(hands[seat])
        for winner, points in done:
            state[v.TRICKS + winner] += 1
            state[v.POINTS + winner] += points
        for place, number in {
            v.DONE: 2, v.TRUMP: "SHDC".index(trump), v.CONTRACT: NAMES.index(contract), v.LEADER: leader,
            v.AWAY: -1, v.NOW_AIM: vector[v.AIM + NAMES.index(contract)], v.LAST_WINNER: done[-1][0],
            v.NOW_ORDER: list(ORDERS).index(row.order),
            v.NOW_TRUMPS: 0x1F << 8 * "SHDC".index(trump) if row.trumps else 0,
        }.items():
            state[place] = number
        for card in sorted(hands[leader]):
            left = [hand - {card} for hand in hands]
            expected = best_for_caller(rules.as_dict(), contract, 0, trump, left, leader, done, [], (card,))
            assert value_with(vector, state.copy(), 1 << PACK.bit(card)) == expected, (hands, leader, card)
            checked += 1
    assert checked == 60
