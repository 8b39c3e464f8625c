"""The layouts that fit what a player knows: counted and laid out as trying them all does, and drawn uniformly."""

from itertools import combinations

import numba
import numpy as np
import pytest
from scipy.stats import chi2

from bauernschnapsen.moments import moments
from bauernschnapsen.test_words import moment_of
from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.grammar import policy_vector
from schneider_sim.games.bauernschnapsen.kernel import state as v
from schneider_sim.games.bauernschnapsen.kernel import streams
from schneider_sim.games.bauernschnapsen.kernel.units import policies_in, rules_in, state_in
from schneider_sim.games.bauernschnapsen.rules.referee import PACK
from schneider_sim.games.bauernschnapsen.search import layouts
from schneider_sim.games.bauernschnapsen.search import sampling as search

parse = GAME.grammar.parse
FULL = np.concatenate([policy_vector(parse("random"))] * 2)


@numba.njit
def all_layouts(policy, state, seat, mine, found):
    """Every layout's hands into int64[n, 4], n at least their number, which is returned."""
    s, me = state_in(state, 0), policies_in(policy, 0)[0]
    z = s.search.frames[0]
    count = layouts.count_layouts(rules_in(found, 0), me, s, seat, mine)
    for number in range(min(count, len(found))):
        layouts.lay_out(s, z, seat, number)
        for other in range(4):
            found[number, other] = z.hand[other]
    return count


@numba.njit
def draws(rules, policy, state, seat, n, found):
    """n sampled layouts' hands into int64[n, 4]."""
    r, me, s = rules_in(rules, 0), policies_in(policy, 0)[0], state_in(state, 0)
    z = s.search.frames[0]
    count = layouts.count_layouts(r, me, s, seat, s.hand[seat])
    for number in range(n):
        search.sample(r, s, z, seat, count, search.NAMED, streams.CARD_SAMPLES, number)
        for other in range(4):
            found[number, other] = z.hand[other]


def by_trying(moment, rooms):
    """The layouts as tuples of four hands: every card with a seat that may hold it, every seat full."""
    others = [seat for seat in range(4) if seat != moment.seat]
    may, must = {seat: moment.may(seat) for seat in others}, {seat: moment.must(seat) for seat in others}
    for seat in others:
        if moment.open_to(seat):
            must[seat] = moment.hands[seat]
    found = set()
    unseen = moment.unseen()
    for one in combinations(sorted(unseen & may[others[0]]), rooms[others[0]]):
        left = unseen - set(one)
        for two in combinations(sorted(left & may[others[1]]), rooms[others[1]]):
            hands = dict(zip(others, (set(one), set(two), left - set(two)), strict=True))
            if all(must[seat] <= hands[seat] <= may[seat] for seat in others):
                found.add(tuple(PACK.to_mask(hands.get(seat, moment.hand)) for seat in range(4)))
    return found


def fits(moment, state, hands):
    """Whether the caller was dealt a trump and the declarer of an Ass-Bettler an ace."""
    def dealt(seat):
        return hands[seat] | int(state[v.DEALT + seat]) & ~int(state[v.HAND + seat])

    trump = any(card[1] == moment.trump for card in PACK.names(dealt(0)))
    ace = moment.contract != "ASS_BETTLER" or any(card[0] == "A" for card in PACK.names(dealt(moment.declarer)))
    return trump and ace


def positions(overrides, deals, least):
    rules = GAME.rules(None, overrides)
    for text in ("cautious; bid: whim; double:; noise: 0.3", "bold; double:; noise: 0.2"):
        match_up = MatchUp(rules, parse(text), parse(text), seed=21)
        for deal in range(deals):
            for state, seat, allowed in moments(match_up, deal):
                if state[v.DONE] >= least:
                    yield rules, state, seat, moment_of(rules, state, seat, allowed, 99)


SITUATIONS = [{}, {"overtrump": "free", "undertrump": "free"}, {"must_head": "trick_contracts_only"},
              {"plauderer_view": "after_trick1"}, {"head_over_ruffed": "on", "bettler_partner": "sits_out"}]


@pytest.mark.parametrize("overrides", SITUATIONS, ids=str)
def test_layouts_are_those_found_by_trying(overrides):
    many = 0
    for rules, state, seat, moment in positions(overrides, 15, 2):
        found = np.zeros((20_000, 4), np.int64)
        found.reshape(-1)[: v.RULES_SIZE] = v.rules_vector(rules)
        rooms = [len(PACK.names(int(state[v.HAND + other]))) for other in range(4)]
        count = all_layouts(FULL, state, seat, int(state[v.HAND + seat]), found)
        expected = by_trying(moment, rooms)
        assert count == len(expected)
        assert {tuple(int(x) for x in row) for row in found[:count]} == expected
        many = max(many, count)
    assert many > 300


def test_the_number_before_a_card_is_played():
    """17 hidden cards for the caller who names trumps, 15 for whoever bids."""
    rules, match_up = GAME.rules(), MatchUp(GAME.rules(), parse("random"), parse("random"), seed=5)
    state, _, _ = next(moments(match_up, 3))
    state[v.TURNED] = state[v.PLACE] = state[v.TABLE] = state[v.DONE] = state[v.CONTRACT] = 0
    found = np.zeros((200, 4), np.int64)
    found.reshape(-1)[: v.RULES_SIZE] = v.rules_vector(rules)
    assert all_layouts(FULL, state.copy(), 0, int(state[v.FIRST]), found.copy()) == 102_918_816
    assert all_layouts(FULL, state.copy(), 1, int(state[v.DEALT + 1]), found.copy()) == 756_756


def test_samples_are_uniform():
    """Chi-square over all layouts of small positions, twenty draws for each layout and more."""
    tested, statistic, freedom = 0, 0.0, 0
    for rules, state, seat, moment in positions({}, 60, 2):
        rooms = [len(PACK.names(int(state[v.HAND + other]))) for other in range(4)]
        fitting = [hands for hands in by_trying(moment, rooms) if fits(moment, state, hands)]
        if not 6 <= len(fitting) <= 60:
            continue
        n = 40 * len(fitting)
        found = np.zeros((n, 4), np.int64)
        draws(v.rules_vector(rules), FULL, state, seat, n, found)
        counts = dict.fromkeys(fitting, 0)
        for row in found:
            counts[tuple(int(x) for x in row)] += 1
        statistic += sum((k - 40) ** 2 / 40 for k in counts.values())
        freedom += len(fitting) - 1
        tested += 1
    assert tested > 100
    assert 0.0001 < chi2.sf(statistic, freedom) < 0.9999
