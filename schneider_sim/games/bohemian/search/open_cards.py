"""Open cards: what a world is worth when both players see every card, the order of the stock included.

Alpha-beta to the stock's end, and from there the table of endgames: meant for the last tricks with a stock, under rules
that have the table. Only victory points matter, so honours that are worth the same count as the same: two or three
values to tell apart are soon told. A card without neighbours in play captures nothing and cannot be captured, so of
such honours in a hand, and of such pips, one is tried.
Source: Knuth and Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975).
"""

import numpy as np
import numpy.typing as npt
from numba import int64

from ....compiled.cells import cells
from ....compiled.jit import compiled
from ....compiled.lanes import LANES, ONE, U, band, bor, get, out_of_line, put, shl, shr
from .. import state as at
from ..endgame.table import value_of_key
from ..endgame.values import (
    HONOUR_BITS,
    card_values,
    count,
    killers_of_card,
    look_up,
    place_of,
    state_and_key,
    turned_key,
    without,
)
from ..tricks import ACES, NOT_ACES, NOT_SEVENS, SEVENS

_ALL = 20  # honours of a deal
_SPADE_ACE, _PIP_BITS = np.int64(0x80), np.int64(0x07070707)

# parts of a room, int64[ROOM]
CLASS = 0  # by honours in the end: the least that are worth the same
STOCK = CLASS + _ALL + 1  # by trick: the top card, the one below, and all that are left
VALUES = STOCK + 3 * (at.DRAWS + 1)  # what card_values fills
STACK = VALUES + 33  # nodes
TRICK, OWN, OTHER, LEADS, MINE, THEIRS, LED, FIRST, LATER, LOW, HIGH, NODE = range(12)
"""A node: the trick; the searcher's hand and the other's; whether the searcher leads to the trick; its honours and the
other's; the card on the table or 0; cards to try first, and later; the honours between which the value matters."""
ROOM = STACK + 2 * (at.DRAWS - at.OPEN) * NODE


def room_for(points: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """A room for searches of one thread; points: int64[21], victory points of 0 to 20 honours."""
    room = np.zeros(ROOM, np.int64)
    room[CLASS:STOCK] = np.searchsorted(points, points)
    return room


@compiled(part="expression")
def _idle(exact, live):
    """The cards that would have no neighbour among those that are live."""
    m = U(live)
    beside = bor(band(shl(m, ONE), NOT_SEVENS), band(shr(m, ONE), NOT_ACES))
    if killers_of_card(exact, _SPADE_ACE):
        beside = bor(beside, bor(shl(band(m, SEVENS), U(7)), shr(band(m, ACES), U(7))))
    return ~int64(beside)


@compiled(part="expression")
def _different(hand, idle):
    """The cards of a hand that are worth trying: all that are not idle, an idle honour and an idle pip."""
    honours, pips = hand & idle & HONOUR_BITS, hand & idle & _PIP_BITS
    return (hand & ~idle) | (honours & -honours) | (pips & -pips)


@compiled(part="expression")
def _in_the_end(mine, theirs, worth):
    """Honours in the end of who leads an endgame that is worth `worth` to it."""
    return mine + ((_ALL - mine - theirs + worth) >> 1)


@compiled(part="expression")
def _class_of(room, leads, leaders):
    """The class of the searcher's honours, from those of who leads."""
    return room[CLASS + (leaders if leads else _ALL - leaders)]


@compiled(part="loop")
def _last_draw(exact, room, own, other, leads, mine, theirs, at_once, low, high):
    """As open_value, at a lead in the last trick with a stock, which room[STOCK] describes; between low and high."""
    out_of_line()
    table, stock = exact.table, STOCK + 3 * (at.DRAWS - 1)
    top, below = room[stock], room[stock + 1]
    leader, follower = (own, other) if leads else (other, own)
    won, lost = (mine, theirs) if leads else (theirs, mine)  # so far, by who leads and by who follows
    idle = _idle(exact, own | other | top | below)
    held, key = state_and_key(table, leader | top, follower | below)
    taken = held
    if not at_once:
        taken, _ = state_and_key(table, leader | below, follower | top)
    leading, following = _different(leader, idle), _different(follower, idle)
    while leading and low < high:
        led = leading & -leading
        leading &= leading - 1
        honour, killers = int64(led & HONOUR_BITS != 0), killers_of_card(exact, led) & follower
        without_led, key_without = without(table, held, key, led, 1)
        least, most = low, high  # of this lead
        moves = killers
        while moves and least < most:
            reply = moves & -moves
            moves &= moves - 1
            both = honour + (reply & HONOUR_BITS != 0)
            worth = value_of_key(table, turned_key(table, taken, led, reply))
            found = _class_of(room, not leads, _in_the_end(lost + both, won, worth))
            least, most = (least, min(most, found)) if leads else (max(least, found), most)
        moves = following & ~killers
        while moves and least < most:
            reply = moves & -moves
            moves &= moves - 1
            both = honour + (reply & HONOUR_BITS != 0)
            _, child = without(table, without_led, key_without, reply, 2)
            found = _class_of(room, leads, _in_the_end(won + both, lost, value_of_key(table, child)))
            least, most = (least, min(most, found)) if leads else (max(least, found), most)
        low, high = (max(low, most), high) if leads else (low, min(high, least))
    return low if leads else high


@compiled(part="loop")
def _set_node(exact, room, node, trick, own, other, leads, mine, theirs, led, low, high):
    """Set up a node: first come leads that cannot be captured, and replies that capture."""
    out_of_line()
    room[node + TRICK], room[node + OWN], room[node + OTHER], room[node + LEADS] = trick, own, other, leads
    room[node + MINE], room[node + THEIRS], room[node + LED] = mine, theirs, led
    room[node + LOW], room[node + HIGH] = low, high
    leader, follower = (own, other) if leads else (other, own)
    idle = _idle(exact, own | other | room[STOCK + 3 * trick + 2])
    cards = _different(follower if led else leader, idle)
    first, rest = int64(0), cards
    while rest:
        card = rest & -rest
        rest &= rest - 1
        captured = killers_of_card(exact, led if led else card) & (card if led else follower)
        first |= card if (captured != 0) == (led != 0) else 0
    room[node + FIRST], room[node + LATER] = first, cards & ~first


@compiled(part="loop")
def _after(exact, room, node, reply, at_once):
    """Play a reply at a node: the value where that is known at once, else -1 and the next node set up."""
    out_of_line()
    led, leads, trick = room[node + LED], room[node + LEADS], room[node + TRICK]
    low, high = room[node + LOW], room[node + HIGH]
    played = led | reply
    own, other = room[node + OWN] & ~played, room[node + OTHER] & ~played
    wins = leads ^ int64(killers_of_card(exact, led) & reply != 0)
    both = count(played & HONOUR_BITS)
    mine, theirs = room[node + MINE] + both * wins, room[node + THEIRS] + both * (1 - wins)
    top, below = room[STOCK + 3 * trick], room[STOCK + 3 * trick + 1]
    first = leads if at_once else wins
    own, other = own | (top if first else below), other | (below if first else top)
    trick += 1
    if trick == at.DRAWS:
        worth = look_up(exact, own, other) if wins else look_up(exact, other, own)
        return _class_of(room, wins, _in_the_end(mine, theirs, worth) if wins else _in_the_end(theirs, mine, worth))
    if trick == at.DRAWS - 1:
        return _last_draw(exact, room, own, other, wins, mine, theirs, at_once, low, high)
    _set_node(exact, room, node + NODE, trick, own, other, wins, mine, theirs, int64(0), low, high)
    return int64(-1)


@compiled(part="loop")
def open_value(exact, room, trick, own, other, leads, mine, theirs, led, at_once):
    """The searcher's honours in the end, as the least that are worth the same, if both play perfectly with open cards.

    trick: the present one; room[STOCK:]: the stock from it on. own, other: the hands before the trick, masks; leads:
    whether the searcher leads to it, 0 or 1; mine, theirs: honours so far; led: the card on the table, 0 at a lead.
    """
    out_of_line()
    low, high = room[CLASS + mine], room[CLASS + _ALL - theirs]
    if trick == at.DRAWS - 1 and led == 0:
        return _last_draw(exact, room, own, other, leads, mine, theirs, at_once, low, high)
    node = int64(STACK)
    _set_node(exact, room, node, trick, own, other, leads, mine, theirs, led, low, high)
    while True:
        turn = room[node + LEADS] ^ int64(room[node + LED] != 0)  # whether the searcher is to move
        lot = FIRST if room[node + FIRST] else LATER
        cards = room[node + lot]
        if cards == 0 or room[node + LOW] >= room[node + HIGH]:
            found = room[node + LOW] if turn else room[node + HIGH]
            if node == STACK:
                return found
            node -= NODE
            turn = room[node + LEADS] ^ int64(room[node + LED] != 0)
        else:
            card = cards & -cards
            room[node + lot] = cards ^ card
            if room[node + LED] == 0:
                _set_node(exact, room, node + NODE, room[node + TRICK], room[node + OWN], room[node + OTHER],
                          room[node + LEADS], room[node + MINE], room[node + THEIRS], card, room[node + LOW],
                          room[node + HIGH])
                node += NODE
                continue
            found = _after(exact, room, node, card, at_once)
            if found < 0:
                node += NODE
                continue
        if turn:
            room[node + LOW] = max(room[node + LOW], found)
        else:
            room[node + HIGH] = min(room[node + HIGH], found)


@compiled(part="loop")
def _lay_stock(room, space, lane, trick):
    """room[STOCK:] = the stock of a lane from `trick` on."""
    left = int64(0)
    for now in range(at.DRAWS - 1, trick - 1, -1):
        top = int64(get(space, at.STOCK + 2 * now * LANES, lane))
        below = int64(get(space, at.STOCK + (2 * now + 1) * LANES, lane))
        left |= top | below
        room[STOCK + 3 * now], room[STOCK + 3 * now + 1], room[STOCK + 3 * now + 2] = top, below, left


@compiled(part="loop")
def solve_all(room, space, exact, trick, side, seat, draw_at_once, lanes, out):
    """Row `out` = own honours in the end with open cards: at a lead in `trick`, or with the card in LED on the table.

    side: 1 where a card is on the table.
    """
    out_of_line()
    room = cells(room, 0)
    for i in range(lanes):
        leads = int64(int64(get(space, at.TURN, i)) == seat)
        mine, theirs = int64(get(space, at.SCORE, i)) & 255, int64(get(space, at.SCORE + LANES, i)) & 255
        own, other = int64(get(space, at.HOLD, i)), int64(get(space, at.HOLD + LANES, i))
        if not leads:
            own, other, mine, theirs = other, own, theirs, mine
        led = int64(get(space, at.LED, i)) if side else int64(0)
        _lay_stock(room, space, i, trick)
        honours = open_value(exact, room, trick, own, other, leads, mine, theirs, led, draw_at_once != 0)
        put(space, out, i, U(honours))


@compiled(part="loop")
def value_last_six(room, worlds, space, exact, endgame_room, outer, lane, side, start, cards, tried, width, out):
    """Row `out` = own honours in the end once the stock is empty, of each card tried on the hands of worlds."""
    out_of_line()
    values = room[VALUES : VALUES + 33]
    own, led = int64(get(outer, at.HOLD + side * LANES, lane)), int64(get(outer, at.LED, lane)) if side else int64(0)
    mine = int64(get(outer, at.SCORE + side * LANES, lane)) & 255
    for j in range(width):
        other = int64(get(worlds, at.HAND, start + j)) & ~led
        card_values(exact, own, other, led, endgame_room, values)
        left = count((own | other | led) & HONOUR_BITS)
        for card in range(tried):
            put(space, out, card * width + j, U(mine + ((left + values[place_of(cards[card])]) >> 1)))
