"""The best response to a known policy in the last six tricks, exactly: expectimax over its words, ties and noise.

A is the one who responds. A state is what is left of the two hands, who leads, and A's honours since the stock's end.
States are found forward, trick by trick, with the cards that B may play in each, 256 decisions of B at a time in the
kernel's lanes; their worth follows backward. All of it depends on the deal's first ten tricks, as recorded.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import int64, uint32

from ....compiled.cells import cells_at
from ....compiled.jit import compiled
from ....compiled.lanes import LANES, fill, get, make_space, out_of_line, put, rows
from .. import state as at
from ..kernel import FOLLOW, LEAD, CompiledRules, narrow_all
from ..plugins import FIRST_LANE, STOP_LANE
from ..tricks import killers_of
from .lanes import choose_lossless
from .values import HONOUR_BITS, ROOM, _part, _replies, count, fill_room, killers_of_card

SIZE = at.HAND_SIZE
HONOURS = 2 * SIZE + 1  # A's honours since the stock's end: 0 to 12
STATES = 64 * 64 * 2 * HONOURS
SLOTS = SIZE + 1  # a decision of B for each lead of A, and one lead of B


class Rooms(NamedTuple):
    """space: of B's decisions; order: int32[STATES], states by trick; begin: int64[8], where each trick's begin;
    seen: uint8[STATES]; cards: uint8[STATES, SLOTS], the part of its hand that B's words leave; worth:
    float64[STATES]; jobs: int32[2, LANES], states and slots in the lanes."""

    space: npt.NDArray[np.uint32]
    order: npt.NDArray[np.int32]
    begin: npt.NDArray[np.int64]
    seen: npt.NDArray[np.uint8]
    cards: npt.NDArray[np.uint8]
    worth: npt.NDArray[np.float64]
    jobs: npt.NDArray[np.int32]


def rooms(table: CompiledRules) -> Rooms:
    """Rooms for best responses at a table."""
    return Rooms(make_space(at.SIZE), np.zeros(STATES, np.int32), np.zeros(SIZE + 2, np.int64),
                 np.zeros(STATES, np.uint8), np.zeros((STATES, SLOTS), np.uint8), np.zeros(STATES, np.float64),
                 np.zeros((2, LANES), np.int32))


@compiled(part="expression")
def _cards_of(part, hand):
    """The cards of a part of a hand as a mask."""
    cards = int64(0)
    while hand:
        low = hand & -hand
        hand &= hand - 1
        cards |= low if part & 1 else 0
        part >>= 1
    return cards


@compiled(part="expression")
def _number(a, b, b_leads, won):
    return ((a * 64 + b) * 2 + b_leads) * HONOURS + won


@compiled(part="expression")
def _next(exact, state, led, reply, hand_a, hand_b):
    """The state after a trick; led, reply: cards as masks, led by whoever leads in `state`."""
    won, b_leads = state % HONOURS, state // HONOURS & 1
    a, b = state // HONOURS >> 7, state // HONOURS >> 1 & 63
    captured = int64(killers_of_card(exact, led) & reply != 0)
    honours = int64(led & HONOUR_BITS != 0) + int64(reply & HONOUR_BITS != 0)
    mine, theirs = (reply, led) if b_leads else (led, reply)
    b_wins = b_leads ^ captured
    return _number(a & ~_part(mine, hand_a), b & ~_part(theirs, hand_b), b_wins, won if b_wins else won + honours)


@compiled(part="loop")
def _mark(t, state, end):
    """Add a state to the list unless it is there."""
    if t.seen[state]:
        return end
    t.seen[state] = 1
    t.order[end] = state
    return end + 1


@compiled(part="loop")
def _set_up(t, outer, lane, table, b_exact, hand_a, hand_b):
    """The rows that all decisions of a deal share."""
    out_of_line()
    space = rows(t.space)
    fill(space, at.FIRST, get(outer, at.FIRST, lane))
    for past in range(at.DRAWS + 1):
        fill(space, at.SEEN + past * LANES, get(outer, at.SEEN + past * LANES, lane))
    fill(space, at.LAST_HANDS, uint32(hand_a))
    fill(space, at.LAST_HANDS + LANES, uint32(hand_b))
    if b_exact and not table.exact.known:
        fill_room(table.exact, table.room, 0, hand_a, hand_b)
        for i in range(1, LANES):
            for k in range(ROOM):
                table.room[i * ROOM + k] = table.room[k]


@compiled(part="loop")
def _put_job(t, exact, i, state, slot, trick, hand_a, hand_b, b_seat, won_a, won_b):
    """Lane i: B decides in `state`, after A has led its card number `slot` or, in the last slot, when B leads."""
    a, b = _cards_of(state // HONOURS >> 7, hand_a), _cards_of(state // HONOURS >> 1 & 63, hand_b)
    won, gone = state % HONOURS, (hand_a | hand_b) & ~(a | b)
    mine, theirs = uint32(won_a + won), uint32(won_b + count(gone & HONOUR_BITS) - won)
    space, leads = rows(t.space), slot == SIZE
    t.jobs[0, i], t.jobs[1, i] = state, slot
    led = int64(0) if leads else _cards_of(1 << slot, hand_a)
    put(space, at.TURN, i, uint32(b_seat if leads else 1 - b_seat))
    put(space, at.LED, i, uint32(led))
    put(space, at.HOLD, i, uint32(b if leads else a))
    put(space, at.HOLD + LANES, i, uint32(a if leads else b))
    put(space, at.SCORE, i, theirs if leads else mine)
    put(space, at.SCORE + LANES, i, mine if leads else theirs)
    put(space, at.SEEN + trick * LANES, i, uint32(~(a | b)))
    put(space, at.LEGAL, i, uint32(b if leads else _replies(exact, b, led)))


@compiled(part="loop")
def _answer(t, table, b, side, trick, lanes, hand_b):
    """What B's words leave of its leads or replies (by `side`), in every lane."""
    out_of_line()
    space, fault = rows(t.space), cells_at(table.fault)
    killers_of(table.reach, table.ace, space, at.LED, at.KILLERS)
    fault[FIRST_LANE], fault[STOP_LANE] = 0, lanes
    choices = at.LEGAL
    if b.exact:
        choose_lossless(space, table, uint32(0), b.exact, side, at.LEGAL)
        choices = at.LOSSLESS
    candidates = narrow_all(space, table, b.words, b, b, trick, side, choices)
    for i in range(lanes):
        t.cards[t.jobs[0, i], t.jobs[1, i]] = _part(int64(get(space, candidates, i)), hand_b)


@compiled(part="loop")
def _ask(t, table, b, level, side, hand_a, hand_b, b_seat, won_a, won_b):
    """Work out B's decisions of one kind in all states of a trick."""
    out_of_line()
    trick, lanes = at.DRAWS + level, 0
    for k in range(t.begin[level], t.begin[level + 1]):
        state = int64(t.order[k])
        if state // HONOURS & 1 != (side == LEAD):
            continue
        leads = int64(1) << SIZE if side == LEAD else state // HONOURS >> 7
        for slot in range(SLOTS):
            if not leads >> slot & 1:
                continue
            _put_job(t, table.exact, lanes, state, slot, trick, hand_a, hand_b, b_seat, won_a, won_b)
            lanes += 1
            if lanes == LANES:
                _answer(t, table, b, side, trick, lanes, hand_b)
                lanes = 0
    if lanes:
        _answer(t, table, b, side, trick, lanes, hand_b)


@compiled(part="expression")
def _first(part, random):
    """The cards that are taken with some probability: all, or the first one where ties are not broken at random."""
    return part if random else part & -part


@compiled(part="loop")
def _spread(t, exact, b, level, hand_a, hand_b):
    """Find the states of the next trick."""
    out_of_line()
    end = t.begin[level + 1]
    for k in range(t.begin[level], t.begin[level + 1]):
        state = int64(t.order[k])
        a, theirs = state // HONOURS >> 7, _cards_of(state // HONOURS >> 1 & 63, hand_b)
        if state // HONOURS & 1:
            plays = _first(int64(t.cards[state, SIZE]), b.random_ties)
            plays = state // HONOURS >> 1 & 63 if b.noisy else plays
            while plays:
                led = _cards_of(plays & -plays, hand_b)
                plays &= plays - 1
                replies = _replies(exact, _cards_of(a, hand_a), led)
                while replies:
                    end = _mark(t, _next(exact, state, led, replies & -replies, hand_a, hand_b), end)
                    replies &= replies - 1
        else:
            for slot in range(SIZE):
                if a >> slot & 1:
                    led = _cards_of(1 << slot, hand_a)
                    plays = _cards_of(_first(int64(t.cards[state, slot]), b.random_ties), hand_b)
                    plays = _replies(exact, theirs, led) if b.noisy else plays
                    while plays:
                        end = _mark(t, _next(exact, state, led, plays & -plays, hand_a, hand_b), end)
                        plays &= plays - 1
    t.begin[level + 2] = end


@compiled(part="loop")
def _answer_to(t, exact, state, led, hand_a, hand_b):
    """What A makes of a lead of B: the best of its replies."""
    best, replies = -1e9, _replies(exact, _cards_of(state // HONOURS >> 7, hand_a), led)
    while replies:
        best = max(best, t.worth[_next(exact, state, led, replies & -replies, hand_a, hand_b)])
        replies &= replies - 1
    return best


@compiled(part="loop")
def _mean(t, exact, b, state, slot, hand_a, hand_b):
    """The expected worth of a state when B decides: its words, ties and noise."""
    words = _cards_of(_first(int64(t.cards[state, slot]), b.random_ties), hand_b)
    led = int64(0) if slot == SIZE else _cards_of(1 << slot, hand_a)
    held = _cards_of(state // HONOURS >> 1 & 63, hand_b)
    legal = _replies(exact, held, led) if led else held
    noise = (np.float64(b.noise) + 1.0) / 4294967296.0 if b.noisy else 0.0
    total, plays = 0.0, legal if b.noisy else words
    while plays:
        card = plays & -plays
        plays &= plays - 1
        chance = noise / count(legal) + ((1.0 - noise) / count(words) if words & card else 0.0)
        if led:
            total += chance * t.worth[_next(exact, state, led, card, hand_a, hand_b)]
        else:
            total += chance * _answer_to(t, exact, state, card, hand_a, hand_b)
    return total


@compiled(part="loop")
def _settle(t, table, b, level, hand_a, hand_b, won_a):
    """What the states of a trick are worth, from those of the next."""
    out_of_line()
    for k in range(t.begin[level], t.begin[level + 1]):
        state = int64(t.order[k])
        if level == SIZE:
            t.worth[state] = cells_at(table.points)[won_a + state % HONOURS]
        elif state // HONOURS & 1:
            t.worth[state] = _mean(t, table.exact, b, state, SIZE, hand_a, hand_b)
        else:
            best = -1e9
            for slot in range(SIZE):
                if state // HONOURS >> 7 + slot & 1:
                    best = max(best, _mean(t, table.exact, b, state, slot, hand_a, hand_b))
            t.worth[state] = best


@compiled
def respond(t, outer, table, b, lo, hi, worth):
    """worth[lane] = V, A's points minus B's, when A responds best from trick 11 on, in lanes lo..hi-1 of a record."""
    outer, row = rows(outer), at.HELD_IN + 2 * at.DRAWS * LANES
    for i in range(lo, hi):
        leader = int64(get(outer, at.TURN_IN + at.DRAWS * LANES, i))
        b_seat = 1 - int64(get(outer, at.FIRST, i))  # FIRST: A's seat
        b_leads = int64(leader == b_seat)
        hand_a = int64(get(outer, row + b_leads * LANES, i))
        hand_b = int64(get(outer, row + (1 - b_leads) * LANES, i))
        won_a = int64(get(outer, at.STOCK_END + b_leads * LANES, i)) & 255
        won_b = int64(get(outer, at.STOCK_END + (1 - b_leads) * LANES, i)) & 255
        _set_up(t, outer, i, table, b.exact, hand_a, hand_b)
        start = _number(int64(63), int64(63), b_leads, int64(0))
        t.begin[0] = 0
        t.begin[1] = _mark(t, start, 0)
        for level in range(SIZE):
            _ask(t, table, b, level, LEAD, hand_a, hand_b, b_seat, won_a, won_b)
            _ask(t, table, b, level, FOLLOW, hand_a, hand_b, b_seat, won_a, won_b)
            _spread(t, table.exact, b, level, hand_a, hand_b)
        for back in range(SIZE + 1):
            _settle(t, table, b, SIZE - back, hand_a, hand_b, won_a)
        worth[i] = t.worth[start]
        for k in range(t.begin[SIZE + 1]):
            t.seen[t.order[k]] = 0
