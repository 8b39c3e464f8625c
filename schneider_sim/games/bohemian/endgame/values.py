"""The last six tricks played perfectly: both hands are known then, so every card's worth is exact.

Values are honours from here on, the leader's minus the other's. Victory points never fall when honours rise, so who
plays for honours plays for every score, and what was won before does not matter. Where the rules allow it, values come
from the table of runs; elsewhere from all pairs of equal parts of the two hands, worked out backwards into a room.
"""

from typing import NamedTuple

import numpy as np
from numba import int64, uint32, uint64

from ....compiled.jit import compiled
from ....compiled.lanes import ONE, out_of_line, popcount, sub
from .addresses import read_int64, read_uint64
from .table import STATES, Endgames, value_of_key

HONOUR_BITS = np.int64(0xF8F8F8F8)
ROOM = 2 * 64 * 64  # places of one deal: who leads x what is left of the first hand x of the second
_NO_ACES, _SEVENS, _ACE = np.int64(0x7F7F7F7F), np.int64(0x01010101), np.int64(0x80)  # the ace of the first suit
_STEPS = np.array([3 ** (card & 7) << 2 * (card & 24) for card in range(32)], np.int64)  # of each card in a state
_WORST = np.int64(99)
_SUBSETS = np.array(sorted(range(64), key=lambda cards: cards.bit_count()), np.int64)  # of six cards, by size
_BEGIN = np.array([0, 1, 7, 22, 42, 57, 63, 64], np.int64)  # where each size begins


class Exact(NamedTuple):
    """The rules of the endgame as compiled code reads them.

    killers: where int64[32] lies, the cards that capture each card when it is led; strict: whether suit must be
    followed; known: whether `table` has the values; else they are worked out in a room, int8[ROOM] a deal.
    """

    table: Endgames
    killers: int
    strict: bool
    known: bool


@compiled(part="expression")
def place_of(card):
    """The number of a card given as a mask."""
    return int64(popcount(sub(uint32(card), ONE)))


@compiled(part="expression")
def count(cards):
    """How many cards there are."""
    return int64(popcount(uint32(cards)))


@compiled(part="expression")
def killers_of_card(exact, card):
    """The cards that capture `card` when it is led."""
    return read_int64(exact.killers, place_of(card))


@compiled(part="expression")
def is_threatened(exact, leader, other):
    """Whether `other` holds a card that captures one of the leader's, where there is a table.

    If not, the leader wins every trick from here on, whatever both play.
    """
    next_ones = (leader & _NO_ACES) << 1
    if killers_of_card(exact, _ACE):
        next_ones |= leader >> 7 & _SEVENS
    return next_ones & other != 0


@compiled(part="expression")
def _power(table, cards, suit):
    """The cards of the suit whose lowest bit is `suit`, in base three, in the suit's 16 bits of a state."""
    return read_int64(table.powers, cards >> suit & 255) << 2 * suit


@compiled(part="expression")
def _state(table, leader, other):
    """A position as four numbers in base three of 16 bits, 1 for a card of the leader, 2 for one of the other."""
    mine = _power(table, leader, 0) + _power(table, leader, 8) + _power(table, leader, 16) + _power(table, leader, 24)
    theirs = _power(table, other, 0) + _power(table, other, 8) + _power(table, other, 16) + _power(table, other, 24)
    return mine + 2 * theirs


@compiled(part="expression")
def _share(table, state, suit, side):
    """A suit's share of a position's key; side 1: when the other is on lead."""
    return read_uint64(table.keys, (state >> 2 * suit & 0xFFFF) + side * STATES)


@compiled(part="expression")
def _key(table, state, side):
    low = _share(table, state, 0, side) + _share(table, state, 8, side)
    return low + _share(table, state, 16, side) + _share(table, state, 24, side)


@compiled(part="expression")
def without(table, state, key, card, weight):
    """The state and the key when a card is played; weight: 1 for a card of the leader, 2 of the other."""
    place = place_of(card)
    suit = place & 24
    after = state - weight * _STEPS[uint64(place)]
    return after, key - _share(table, state, suit, 0) + _share(table, after, suit, 0)


@compiled(part="expression")
def state_and_key(table, leader, other):
    """A position's state, and its key in the table."""
    state = _state(table, leader, other)
    return state, _key(table, state, 0)


@compiled(part="expression")
def turned_key(table, state, led, reply):
    """The key of a state without a card of the leader and one of the other, when the other leads."""
    after, _ = without(table, state, uint64(0), led, 1)
    after, _ = without(table, after, uint64(0), reply, 2)
    return _key(table, after, 1)


@compiled(part="loop")
def look_up(exact, leader, other):
    """The value of a position to its leader, from the table."""
    out_of_line()
    return value_of_key(exact.table, _key(exact.table, _state(exact.table, leader, other), 0))


@compiled(part="expression")
def _replies(exact, other, led):
    """The cards with which `other` may reply."""
    following = other & (int64(255) << (place_of(led) & 24))
    return following if exact.strict and following else other


@compiled(part="expression")
def after_reply(table, state, key, killers, honour, reply):
    """The value to the leader by the table, when `reply` follows a lead; state and key are those without the lead."""
    honours = honour + (reply & HONOUR_BITS != 0)
    after, child = without(table, state, key, reply, 2)
    if killers & reply:
        return -honours - value_of_key(table, _key(table, after, 1))
    return honours + value_of_key(table, child)


@compiled(part="expression")
def least_after(table, state, key, killers, honour, replies, enough):
    """The least that a lead is worth by the table when one of `replies` follows; state and key are those without it."""
    worst, moves = _WORST, replies
    while moves and worst > enough:
        reply = moves & -moves
        moves &= moves - 1
        worst = min(worst, after_reply(table, state, key, killers, honour, reply))
    return worst


@compiled(part="expression")
def _least(exact, state, key, replies, led, enough):
    table, killers, honour = exact.table, killers_of_card(exact, led), int64(led & HONOUR_BITS != 0)
    state, key = without(table, state, key, led, 1)
    return least_after(table, state, key, killers, honour, replies, enough)


@compiled(part="loop")
def least(exact, leader, other, led, enough):
    """What leading `led` is worth by the table when the reply is the best; at most `enough` where it is no more."""
    out_of_line()
    state = _state(exact.table, leader, other)
    return _least(exact, state, _key(exact.table, state, 0), other, led, enough)


@compiled(part="loop")
def _leads_by_table(exact, leader, other):
    out_of_line()
    if not is_threatened(exact, leader, other):
        return leader
    state = _state(exact.table, leader, other)
    key = _key(exact.table, state, 0)
    best, moves, found = value_of_key(exact.table, key), leader, int64(0)
    while moves:
        card = moves & -moves
        moves &= moves - 1
        if _least(exact, state, key, other, card, best - 1) >= best:
            found |= card
    return found


@compiled(part="loop")
def _replies_by_table(exact, leader, other, led, legal):
    out_of_line()
    if not is_threatened(exact, leader, other):
        return legal
    table, killers, honour = exact.table, killers_of_card(exact, led), int64(led & HONOUR_BITS != 0)
    state = _state(table, leader & ~led, other)
    key = _key(table, state, 0)
    best, found, moves = _WORST, int64(0), legal
    while moves:
        reply = moves & -moves
        moves &= moves - 1
        worth = after_reply(table, state, key, killers, honour, reply)
        found = reply if worth < best else found | reply if worth == best else found
        best = min(best, worth)
    return found


@compiled(part="expression")
def _part(cards, hand):
    """What is left of a hand of six, a bit for each of its cards."""
    part, bit = 0, 1
    while hand:
        part |= bit if cards & hand & -hand else 0
        hand &= hand - 1
        bit <<= 1
    return part


@compiled(part="expression")
def _packed(exact, mine, theirs, by_suit):
    """For each card of `mine`, a byte: the cards of `theirs` that capture it, or that are of its suit."""
    packed, shift = 0, 0
    while mine:
        card = mine & -mine
        mine &= mine - 1
        wanted = int64(255) << (place_of(card) & 24) if by_suit else killers_of_card(exact, card)
        packed |= _part(wanted, theirs) << shift
        shift += 8
    return packed


@compiled(part="expression")
def _best_lead(room, base, step, mine, theirs, my_step, their_step, captures, suits, honours, their_honours, strict):
    """The value of leading best; parts of hands lie `my_step` and `their_step` apart, the leaders `step`."""
    best, leads = -_WORST, mine
    while leads:
        led = leads & -leads
        leads &= leads - 1
        shift = 8 * (place_of(led) & 7)
        taking, replies = captures >> shift, theirs
        if strict and suits >> shift & theirs & 63:
            replies &= suits >> shift
        honour, worst = int64(honours & led != 0), _WORST
        rest = base + (mine ^ led) * my_step
        while replies and worst > best:
            reply = replies & -replies
            replies &= replies - 1
            won = honour + (their_honours & reply != 0)
            child = rest + (theirs ^ reply) * their_step
            if taking & reply:
                worst = min(worst, -won - int64(room[child + step]))
            else:
                worst = min(worst, won + int64(room[child]))
        best = max(best, worst)
    return best


@compiled(part="loop")
def fill_room(exact, room, base, first, second):
    """Fill room[base : base + ROOM] with the value of every equal part of two hands of six, either player leading."""
    out_of_line()
    captures, their_captures = _packed(exact, first, second, False), _packed(exact, second, first, False)
    suits, their_suits = _packed(exact, first, second, True), _packed(exact, second, first, True)
    honours, their_honours = _part(HONOUR_BITS, first), _part(HONOUR_BITS, second)
    half = ROOM // 2
    room[base] = room[base + half] = 0
    for cards in range(1, count(first) + 1):
        for i in range(_BEGIN[cards], _BEGIN[cards + 1]):
            for j in range(_BEGIN[cards], _BEGIN[cards + 1]):
                mine, theirs = _SUBSETS[i], _SUBSETS[j]
                place = base + 64 * mine + theirs
                room[place] = _best_lead(room, base, half, mine, theirs, 64, 1, captures, suits, honours,
                                         their_honours, exact.strict)
                room[place + half] = _best_lead(room, base + half, -half, theirs, mine, 1, 64, their_captures,
                                                their_suits, their_honours, honours, exact.strict)


@compiled(part="expression")
def _in_room(room, base, first, second, leader, other):
    """The value of a position to its leader, from a filled room; the hands from which it was filled come first."""
    if leader & ~first == 0 and other & ~second == 0:
        return int64(room[base + 64 * _part(leader, first) + _part(other, second)])
    return int64(room[base + ROOM // 2 + 64 * _part(other, first) + _part(leader, second)])


@compiled(part="loop")
def value(exact, room, base, first, second, leader, other):
    """The value of a position to its leader; elsewhere than in the table it is part of `first` and `second`."""
    out_of_line()
    if exact.known:
        return look_up(exact, leader, other)
    return _in_room(room, base, first, second, leader, other)


@compiled(part="loop")
def value_after(exact, room, base, first, second, leader, other, led, reply):
    """The value to the leader of a position in which `led` was led and `reply` is played."""
    out_of_line()
    honours = int64(led & HONOUR_BITS != 0) + (reply & HONOUR_BITS != 0)
    if killers_of_card(exact, led) & reply:
        return -honours - value(exact, room, base, first, second, other & ~reply, leader & ~led)
    return honours + value(exact, room, base, first, second, leader & ~led, other & ~reply)


@compiled(part="loop")
def value_of_lead(exact, room, base, first, second, leader, other, led, enough):
    """What leading `led` is worth when the reply is the best; at most `enough` where it is no more."""
    out_of_line()
    if exact.known:
        return least(exact, leader, other, led, enough)
    worst, moves = _WORST, _replies(exact, other, led)
    while moves and worst > enough:
        reply = moves & -moves
        moves &= moves - 1
        worst = min(worst, value_after(exact, room, base, first, second, leader, other, led, reply))
    return worst


@compiled(part="loop")
def lossless_leads(exact, room, base, first, second, leader, other):
    """The cards that lose no honour when they are led and both go on perfectly."""
    out_of_line()
    if exact.known:
        return _leads_by_table(exact, leader, other)
    best, moves, found = value(exact, room, base, first, second, leader, other), leader, int64(0)
    while moves:
        card = moves & -moves
        moves &= moves - 1
        if value_of_lead(exact, room, base, first, second, leader, other, card, best - 1) >= best:
            found |= card
    return found


@compiled(part="loop")
def lossless_replies(exact, room, base, first, second, leader, other, led, legal):
    """The legal replies to `led` that lose no honour; `leader` still holds the card it led."""
    out_of_line()
    if exact.known:
        return _replies_by_table(exact, leader, other, led, legal)
    best, found, moves = _WORST, int64(0), legal
    while moves:
        reply = moves & -moves
        moves &= moves - 1
        worth = value_after(exact, room, base, first, second, leader, other, led, reply)
        found = reply if worth < best else found | reply if worth == best else found
        best = min(best, worth)
    return found


@compiled
def card_values(exact, own, other, led, room, values):
    """Exact worth of every legal card to the player on move, and of the position: int64[33], -99 for no legal card.

    own, other: the two hands as masks, int64; led: the card that the other player has led from its hand and `other` no
    longer holds, 0 when the player on move leads. room: int8[ROOM]. values[card] is the value of playing the card
    number `card`, values[32] the position's: own honours minus the other's from here on, those of this trick included.
    """
    leader, follower = (other | led, own) if led else (own, other)
    if not exact.known:
        fill_room(exact, room, 0, leader, follower)
    for card in range(33):
        values[card] = -_WORST
    moves = _replies(exact, follower, led) if led else leader
    while moves:
        card = moves & -moves
        moves &= moves - 1
        if led:
            worth = -value_after(exact, room, 0, leader, follower, leader, follower, led, card)
        else:
            worth = value_of_lead(exact, room, 0, leader, follower, leader, follower, card, -_WORST)
        values[place_of(card)] = worth
        values[32] = max(values[32], worth)
