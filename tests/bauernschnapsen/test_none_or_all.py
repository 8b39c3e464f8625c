"""Contracts of no trick and of all tricks with open hands, trick on the table or not, against trying everything."""

import numba
import numpy as np
import pytest

from naive.bauernschnapsen import POINTS, best, best_for_caller, legal
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.kernel import state as v
from schneider_sim.games.bauernschnapsen.kernel.bits import ALL
from schneider_sim.games.bauernschnapsen.kernel.fields import address_of
from schneider_sim.games.bauernschnapsen.kernel.tricks import beat_of
from schneider_sim.games.bauernschnapsen.kernel.units import position_at, state_in
from schneider_sim.games.bauernschnapsen.rules.contracts import BY_NAME, NAMES, ORDERS
from schneider_sim.games.bauernschnapsen.rules.referee import PACK
from schneider_sim.games.bauernschnapsen.search.none_or_all import is_made, makes_it, new_layout
from schneider_sim.games.bauernschnapsen.words import (
    BARE,
    DODGE,
    LATER,
    LONG,
    LOW,
    MASTER,
    NEGATED,
    OPEN_HANDS,
    UNLOAD,
    may_wait,
)

LEFT = 3  # cards in each hand when the trick begins


@numba.njit
def answers(state, trick, seat, cards, first, out):
    """Those of the cards that make the contract, the same with one asked first, and whether one of them does."""
    s = state_in(state, 0)
    t, beat = position_at(address_of(s)), np.int64(ALL)
    for place, card in enumerate(trick):
        if card & beat:
            beat, s.best_seat = beat_of(s.now_order, s.now_trumps, card), s.cards[place]
        s.table |= card
        s.led = trick[0]
    s.beat = beat
    for place in range(2):
        new_layout(s.search)
        out[place] = makes_it(t, s.search, seat, cards, first if place else 0)
    out[2] = is_made(t, s.search, seat, cards)


def position(generator, rules, contract):
    """Hands, trump, leader, who sits out (9: nobody), who plays, and up to three legal cards on the table."""
    pack = [PACK.cards[i] for i in generator.permutation(20)]
    hands = [set(pack[LEFT * seat : LEFT * seat + LEFT]) for seat in range(4)]
    trump, leader = "SHDC"[generator.integers(4)], int(generator.integers(4))
    switch = "bettler_partner" if BY_NAME[contract].aim == "none" else "gang_partner"
    away = 2 if rules[switch] == "sits_out" and not BY_NAME[contract].trumps else 9
    leader = (leader + 1) % 4 if leader == away else leader
    seats = [seat for seat in ((leader + step) % 4 for step in range(4)) if seat != away]
    trick: list[str] = []
    for seat in seats[: int(generator.integers(len(seats)))]:
        options = sorted(legal(rules, contract, trump, hands[seat], trick))
        trick.append(options[generator.integers(len(options))])
        hands[seat].discard(trick[-1])
    return hands, trump, leader, away, seats, trick


def outcome(rules, contract, trump, hands, leader, seats, trick, card):
    """Whether the declarer, seat 0, makes the contract after a card."""
    none, left = BY_NAME[contract].aim == "none", [hand - {card} for hand in hands]
    done, now = [(1 if none else 0, 15)] * 2, [*trick, card]
    if len(now) < len(seats):
        return best_for_caller(rules, contract, 0, trump, left, leader, done, [], tuple(now)) > 0
    winner = seats[now.index(best(contract, trump, now))]
    if (winner == 0) == none:
        return False
    done.append((winner, sum(POINTS[card[0]] for card in now)))
    return best_for_caller(rules, contract, 0, trump, left, winner, done, []) > 0


SWITCHES = [{}, {"must_head": "trick_contracts_only"}, {"overtrump": "free", "undertrump": "free"},
            {"bettler_partner": "sits_out", "gang_partner": "sits_out"}]


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
@pytest.mark.parametrize("contract", ["PLAUDERER", "ASSENBETTLER", "GANG", "DAMENGANG", "BAUERNLOCH"])
def test_cards_that_make_it_are_those_found_by_trying(contract, switches):
    rules = GAME.rules(None, switches)
    plain, vector, number = rules.as_dict(), v.rules_vector(rules), NAMES.index(contract)
    generator, told_apart = np.random.default_rng(len(contract)), 0
    for _ in range(25):
        hands, trump, leader, away, seats, trick = position(generator, plain, contract)
        seat, state = seats[len(trick)], np.zeros(v.STATE_SIZE, np.int64)
        for name, value in {
            "HAND": [PACK.to_mask(hand) for hand in hands], "TRUMP": "SHDC".index(trump), "CONTRACT": number,
            "DECLARER": 0, "LEADER": leader, "AWAY": -1 if away == 9 else away, "DONE": 2,
            "PLACE": (seat - leader) % 4,
            "CARDS": [*seats, 0][:4], "NOW_AIM": vector[v.AIM + number], "NOW_DUTIES": vector[v.DUTIES + number],
            "NOW_ORDER": list(ORDERS).index(BY_NAME[contract].order),
            "NOW_TRUMPS": 31 << 8 * "SHDC".index(trump) if BY_NAME[contract].trumps else 0,
        }.items():
            place = getattr(v, name)
            state[place : place + np.size(value)] = value
        choices = legal(plain, contract, trump, hands[seat], trick)
        made = {card for card in choices if outcome(plain, contract, trump, hands, leader, seats, trick, card)}
        first, found = sorted(choices)[0], np.zeros(3, np.int64)
        masks = np.array([PACK.to_mask({card}) for card in trick], np.int64)
        answers(state, masks, seat, PACK.to_mask(choices), PACK.to_mask({first}), found)
        every, beginning = (set(PACK.names(int(cards))) for cards in found[:2])
        assert every == made or (every == choices and not made)  # the same: all worth the same
        assert beginning == every or beginning == {first} <= made
        assert found[2] == bool(made if seat % 2 == 0 else choices == made)
        told_apart += made not in (set(), choices)
    assert told_apart > 1 or BY_NAME[contract].aim == "all"



def test_open_hands_waits_only_for_words_that_rank():
    """The last of three words may want all but the highest; a word that asks how the candidates lie may not follow."""
    for later, waits in (([UNLOAD, MASTER, LOW], True), ([MASTER + NEGATED, LOW, LONG + NEGATED], True),
                         ([LONG + NEGATED, LOW], False), ([DODGE], False), ([OPEN_HANDS], False), ([], True)):
        assert may_wait([OPEN_HANDS, *later], 0) is waits
    assert OPEN_HANDS | LATER != OPEN_HANDS == (OPEN_HANDS | LATER) & BARE
