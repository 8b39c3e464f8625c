"""The loops over deals: random words for 256 of them at once from lanes, then one scalar play after the other."""

import numpy as np
from numba import types

from ....compiled.cells import cells, keep_alive
from ....compiled.jit import compiled
from ....compiled.lanes import LANES, U, get, out_of_line
from ....compiled.philox import random_words
from . import state as v
from .counting import A_FIRST, B_FIRST, count_pair, count_play
from .deal import play_deal
from .opening import (
    CARD_BLOCKS,
    CARDS_AT,
    DECK_AT,
    LATE_AT,
    ROWS,
    TIES_AT,
    shuffle,
)
from .streams import CARDS, TIES, TRUMPS, TURNED_UP
from .units import policies_in, rules_in, state_in

# the types of the arguments of each loop, to compile it before it is called
_NUMBER, _VECTOR, _ROWS = types.int64, types.int64[::1], types.int64[:, ::1]
RANGE_TYPES = (_VECTOR, _ROWS, _VECTOR, _VECTOR, _NUMBER, _NUMBER, _NUMBER, _NUMBER, _VECTOR)
SINGLE_TYPES = (_VECTOR, _VECTOR, _VECTOR, _NUMBER, _NUMBER, _NUMBER, _NUMBER, _VECTOR)
RESULTS_TYPES = (_VECTOR, _ROWS, _VECTOR, _VECTOR, _NUMBER, _NUMBER, _ROWS)


@compiled(part="loop")
def draw_words(start, seed, space):
    """The words of 256 deals from `start`, a row of lanes each: cards, ties by seat as seated, trumps, turning up."""
    out_of_line()
    low, high = U(np.uint64(start)), U(np.uint64(start) >> np.uint64(32))
    k0, k1 = U(np.uint64(seed)), U(np.uint64(seed) >> np.uint64(32))
    for block in range(CARD_BLOCKS):
        random_words(low, high, U(block), U(CARDS), k0, k1, space, (CARDS_AT + 4 * block) * LANES)
    for seat in range(4):
        random_words(low, high, U(0), U(TIES + seat), k0, k1, space, (TIES_AT + 4 * seat) * LANES)
    random_words(low, high, U(0), U(TRUMPS), k0, k1, space, LATE_AT * LANES)
    random_words(low, high, U(0), U(TURNED_UP), k0, k1, space, (LATE_AT + 4) * LANES)


@compiled(part="loop")
def set_up(s, deal, seed, ours, theirs, lane, space, w):
    """Fill the state and the words of one deal from its lane; ties go to seats relative to the caller."""
    s.deal, s.seed, s.caller = deal, seed, (deal + 1) & 3
    s.own_score[0], s.own_score[1] = ours, theirs
    for i in range(20):
        w[CARDS_AT + i] = np.int64(get(space, (CARDS_AT + i) * LANES, lane))
    for seat in range(4):
        row = TIES_AT + 4 * ((seat + deal + 1) & 3)
        for turn in range(4):
            w[TIES_AT + 4 * seat + turn] = np.int64(get(space, (row + turn) * LANES, lane))
    for i in range(5):
        w[LATE_AT + i] = np.int64(get(space, (LATE_AT + i) * LANES, lane))
    shuffle(w, CARDS_AT, DECK_AT)


@compiled(part="loop")
def take_in(s, outside):
    """Write what comes from outside into the state: addresses of units and of users' preferences."""
    for i in range(v.MOST_UNITS):
        s.units[i] = outside[i]
    s.room_at = outside[v.MOST_UNITS]
    for i in range(v.MOST_PLUGINS):
        s.plugins[i] = outside[v.PLUGINS_AT + i]


@compiled(part="loop")
def hand_back(s, outside):
    """Hand out the first fault of a user's preference, if there was one."""
    for i in range(v.FAULT_SIZE):
        outside[v.FAULT_AT + i] = s.fault[i]


@compiled
def play_range(rules, both, outside, scores, seed, start, count, duplicate, counts):
    """Play `count` deals from `start` and add them to `counts`, int64[layout.size].

    rules: int64[RULES_SIZE]; both: int64[2, 2 * POLICY_SIZE], (A, B) and (B, A); outside: int64[OUTSIDE_SIZE],
    see run.py; scores: int64[2], A's and B's game points before each deal; seed: its 64 bits as int64.
    """
    space, state, words = np.empty(ROWS * LANES, np.uint32), np.zeros(v.STATE_SIZE, np.int64), np.zeros(ROWS, np.int64)
    r, s, w, tally = rules_in(rules, 0), state_in(state, 0), cells(words, 0), cells(counts, 0)
    a_first, b_first = policies_in(both, 0), policies_in(both, 2 * v.POLICY_SIZE)
    a_score, b_score = scores[0], scores[1]
    take_in(s, outside)
    for done in range(0, count, LANES):
        draw_words(start + done, seed, space)
        for lane in range(min(LANES, count - done)):
            deal = start + done + lane
            swapped, first = not duplicate and deal & 1 == 1, A_FIRST
            set_up(s, deal, seed, a_score, b_score, lane, space, w)
            if not swapped:
                play_deal(r, a_first, s, w)
                first = count_play(s, A_FIRST, tally)
            if duplicate or swapped:
                s.own_score[0], s.own_score[1] = b_score, a_score
                play_deal(r, b_first, s, w)
                second = count_play(s, B_FIRST, tally)
                if duplicate:
                    count_pair(first, second, tally)
    hand_back(s, outside)
    keep_alive(rules, both, state, words, counts)


@compiled
def play_single(rules, players, outside, ours, theirs, seed, deal, state):
    """One play into `state`, int64[STATE_SIZE]; players: int64[2 * POLICY_SIZE], and scores, caller's side first."""
    space, words = np.empty(ROWS * LANES, np.uint32), np.zeros(ROWS, np.int64)
    s, w = state_in(state, 0), cells(words, 0)
    take_in(s, outside)
    draw_words(deal, seed, space)
    set_up(s, deal, seed, ours, theirs, 0, space, w)
    play_deal(rules_in(rules, 0), policies_in(players, 0), s, w)
    hand_back(s, outside)
    keep_alive(rules, players, state, words, state)


@compiled
def play_results(rules, both, outside, scores, seed, start, found):
    """V of the deals from `start` with A, with B as the caller's side into `found`, int64[deals, 2]; see play_range."""
    space, state, words = np.empty(ROWS * LANES, np.uint32), np.zeros(v.STATE_SIZE, np.int64), np.zeros(ROWS, np.int64)
    r, s, w = rules_in(rules, 0), state_in(state, 0), cells(words, 0)
    take_in(s, outside)
    for place in range(len(found)):
        if place % LANES == 0:
            draw_words(start + place, seed, space)
        for side in range(2):
            set_up(s, start + place, seed, scores[side], scores[1 - side], place % LANES, space, w)
            play_deal(r, policies_in(both, 2 * v.POLICY_SIZE * side), s, w)
            points = s.worth << s.level
            found[place, side] = points if s.team == side else -points
    hand_back(s, outside)
    keep_alive(rules, both, state, words)
