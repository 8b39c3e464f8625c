"""The states of a play before each of its cards, rebuilt from the state at its end."""

import functools

import numba
import numpy as np

from schneider_sim.compiled.cells import cells
from schneider_sim.games.bauernschnapsen.decide.auction import calls_unit
from schneider_sim.games.bauernschnapsen.decide.card_words import cards_unit
from schneider_sim.games.bauernschnapsen.kernel import state as v
from schneider_sim.games.bauernschnapsen.kernel import units
from schneider_sim.games.bauernschnapsen.kernel.deal import consider, draw
from schneider_sim.games.bauernschnapsen.kernel.tricks import beat_of, legal_cards
from schneider_sim.games.bauernschnapsen.prepare import play_one
from schneider_sim.games.bauernschnapsen.search.rollouts import ROOM_SIZE, rollout_unit
from schneider_sim.games.bauernschnapsen.search.sampling import search_unit

ALL = 0x1F1F1F1F
POINTS = (2, 3, 4, 10, 11)


@functools.cache
def _addresses():
    return [units.address(unit) for unit in (calls_unit, cards_unit, search_unit, rollout_unit)]


@functools.cache
def _room():
    return np.zeros(ROOM_SIZE, np.int64)


def with_units(state):
    """The state with the addresses of the units and of room for rollouts, for a question of one's own."""
    state[v.UNITS : v.UNITS + len(_addresses())] = _addresses()
    state[v.ROOM_AT] = _room().ctypes.data
    return state


@numba.njit
def legal_and_beat(hand, trick, order, trumps, duties):
    """The legal cards after a trick of masks, and what would beat it so far."""
    beat, table = np.int64(ALL), np.int64(0)
    for card in trick:
        beat = beat_of(order, trumps, card) if card & beat else beat
        table |= card
    return legal_cards(hand, trick[0], beat, trumps, duties, order, table), beat


@numba.njit
def choose(rules, players, state, section, seat, allowed):
    """The card that a policy's section chooses."""
    words = np.zeros(104, np.int64)
    r, p, s = units.rules_in(rules, 0), units.policies_in(players, 0), units.state_in(state, 0)
    me = p[seat & 1]
    units.introduce(r, p, s)
    left = consider(me, s, cells(words, 0), section, seat, allowed)
    return draw(me, cells(words, 0), seat, s.done & 3, left)


def points(cards):
    return sum(worth for place, worth in enumerate(POINTS) for suit in range(4) if cards >> 8 * suit + place & 1)


def moments(match_up, deal):
    """(state, seat, legal cards) before every card of the play with A as the caller's side, forced ones included."""
    final = play_one(match_up, deal, "A")
    if final[v.HOW] == v.END_DECLARED:
        return
    s = with_units(final.copy())
    s[v.TRICKS : v.MARRIAGES + 4] = 0
    s[v.PLAYED] = s[v.FIRST_TRICKS] = s[v.JUST] = s[v.HOW] = 0
    s[v.HAND : v.HAND + 4] = s[v.DEALT : v.DEALT + 4]
    s[v.CARDS : v.CARDS + 20] = s[v.ANNOUNCED : v.ANNOUNCED + 5] = s[v.BEFORE : v.BEFORE + 5] = 0
    s[v.TRICK_LEADER : v.TRICK_LEADER + 5] = s[v.TRICK_WINNER : v.TRICK_WINNER + 5] = 0
    for turn in range(int(final[v.DONE])):
        yield from _trick(final, s, turn)


def _trick(final, s, turn):
    leader, winner = int(final[v.TRICK_LEADER + turn]), int(final[v.TRICK_WINNER + turn])
    s[v.DONE], s[v.LEADER], s[v.TRICK_LEADER + turn], s[v.BEFORE + turn] = turn, leader, leader, s[v.PLAYED]
    s[v.ANNOUNCED + turn] = final[v.ANNOUNCED + turn]
    s[v.MARRIAGES + leader] += final[v.ANNOUNCED + turn] >> 2
    trick: list[int] = []
    best = leader
    s[v.BEAT], s[v.TABLE], s[v.LED] = ALL, 0, 0
    for place in range(4):
        seat, card = (leader + place) % 4, int(final[v.CARDS + 4 * turn + place])
        if not card:
            continue
        s[v.PLACE], s[v.BEST_SEAT] = place, best
        allowed = int(s[v.HAND + seat])
        if trick:
            facts = (int(s[v.NOW_ORDER]), int(s[v.NOW_TRUMPS]), int(s[v.NOW_DUTIES]))
            allowed, s[v.BEAT] = legal_and_beat(allowed, np.array(trick, np.int64), *facts)
        yield s, seat, int(allowed)
        best = seat if card & int(s[v.BEAT]) else best
        s[v.HAND + seat] &= ~card
        s[v.CARDS + 4 * turn + place] = card
        s[v.LED] = s[v.LED] or card
        s[v.TABLE] |= card
        trick.append(card)
    assert best == winner
    side = winner % 2
    if s[v.TRICKS + side] + s[v.TRICKS + side + 2] == 0:
        s[v.FIRST_TRICKS] |= sum(trick)
    s[v.TRICKS + winner] += 1
    s[v.POINTS + winner] += points(sum(trick))
    s[v.PLAYED] |= sum(trick)
