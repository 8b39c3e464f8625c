"""Perfect endgames in the compiled loop: what an exact policy may choose from, and what others lost."""

from numba import int64, uint32

from ....compiled.cells import cells_at
from ....compiled.jit import compiled
from ....compiled.lanes import LANES, U, add, copy, get, out_of_line, put
from .. import state as at
from ..layout import LAYOUT
from .table import value_of_key
from .values import (
    HONOUR_BITS,
    ROOM,
    after_reply,
    count,
    fill_room,
    is_threatened,
    killers_of_card,
    lossless_leads,
    lossless_replies,
    state_and_key,
    without,
)

LOST, LEADS = LAYOUT.offset("endgame_lost"), LAYOUT.offset("endgame_leads")
SUMS, DEALS = LAYOUT.offset("endgame_sums"), LAYOUT.offset("endgame_deals")
_SIZES = 12  # honours that one card may lose
_MOST = 99
_FIELD = 10  # bits for a count of lanes
_ALL_FIELDS = sum(1 << _FIELD * trick for trick in range(at.TRICKS - at.DRAWS))


@compiled(part="loop")
def begin_endgame(space, table):
    """Keep the hands of the leader and the other; work out all that follows where there is no table."""
    out_of_line()
    copy(space, at.HOLD, at.LAST_HANDS)
    copy(space, at.HOLD + LANES, at.LAST_HANDS + LANES)
    if not table.exact.known:
        for i in range(LANES):
            first, second = int64(get(space, at.HOLD, i)), int64(get(space, at.HOLD + LANES, i))
            fill_room(table.exact, table.room, i * ROOM, first, second)


@compiled(part="loop")
def choose_lossless(space, table, exact_a, exact_b, side, legal):
    """Row LOSSLESS = the cards of row `legal` that lose no honour, where an exact policy decides; elsewhere all."""
    out_of_line()
    for i in range(LANES):
        seat = get(space, at.TURN, i) ^ uint32(side)
        exact = exact_a if seat == get(space, at.FIRST, i) else exact_b
        if exact == 0:
            put(space, at.LOSSLESS, i, get(space, legal, i))
            continue
        first, second = int64(get(space, at.LAST_HANDS, i)), int64(get(space, at.LAST_HANDS + LANES, i))
        leader, other = int64(get(space, at.HOLD, i)), int64(get(space, at.HOLD + LANES, i))
        if side:
            led, may = int64(get(space, at.LED, i)), int64(get(space, legal, i))
            found = lossless_replies(table.exact, table.room, i * ROOM, first, second, leader, other, led, may)
        else:
            found = lossless_leads(table.exact, table.room, i * ROOM, first, second, leader, other)
        put(space, at.LOSSLESS, i, U(found))


@compiled(part="expression")
def _note(table, counts, who, trick, kind, before, lost):
    """Count honours lost by a card to a player who would have had `before` in the end; returns the points lost."""
    counts[LOST + (((6 * who + trick) * 2 + kind) * 21 + before) * _SIZES + lost - 1] += 1
    points = cells_at(table.points)
    return points[before] - points[before - lost]


@compiled(part="loop")
def count_losses(space, table, lo, hi, counts):
    """Count what each policy lost in the last six tricks of the recorded play; adds its points to rows LOSS."""
    out_of_line()
    exact, runs, leads_of_b = table.exact, table.exact.table, int64(0)
    for i in range(lo, hi):
        is_b = int64(get(space, at.TURN_IN + at.DRAWS * LANES, i) ^ get(space, at.FIRST, i))
        row = at.HELD_IN + 2 * at.DRAWS * LANES
        leader, other = int64(get(space, row, i)), int64(get(space, row + LANES, i))
        mine = int64(get(space, at.STOCK_END, i) & U(255))  # the leader's honours so far
        theirs = 20 - mine - count((leader | other) & HONOUR_BITS)
        state, key = state_and_key(runs, leader, other)
        worth, lost, trick = value_of_key(runs, key), int64(0), int64(0)
        while trick < at.TRICKS - 1 - at.DRAWS and is_threatened(exact, leader, other):  # else nothing can be lost
            leads_of_b += is_b << _FIELD * trick
            led = int64(get(space, at.LED_IN + (at.DRAWS + trick) * LANES, i))
            reply = int64(get(space, at.REPLY_IN + (at.DRAWS + trick) * LANES, i))
            killers, honour = killers_of_card(exact, led), int64(led & HONOUR_BITS != 0)
            state, key = without(runs, state, key, led, 1)
            after, reached, moves = _MOST, _MOST, other
            while moves:
                card = moves & -moves
                moves &= moves - 1
                then = after_reply(runs, state, key, killers, honour, card)
                after, reached = min(after, then), then if card == reply else reached
            final = (20 + mine - theirs + worth) >> 1  # the leader's honours in the end when both play perfectly
            if after < worth:
                lost += _note(table, counts, is_b, trick, 0, final, (worth - after) >> 1) << 32 * is_b
                final -= (worth - after) >> 1
            if reached > after:
                replied = 1 - is_b
                lost += _note(table, counts, replied, trick, 1, 20 - final, (reached - after) >> 1) << 32 * replied
            leader, other, honours = leader & ~led, other & ~reply, honour + (reply & HONOUR_BITS != 0)
            if killers & reply:
                leader, other, mine, theirs, is_b = other, leader, theirs + honours, mine, 1 - is_b
                state, key = state_and_key(runs, leader, other)
                worth = -honours - reached
            else:
                mine += honours
                state, key = without(runs, state, key, reply, 2)
                worth = reached - honours
            trick += 1
        leads_of_b += is_b * (_ALL_FIELDS >> _FIELD * trick << _FIELD * trick)
        put(space, at.LOSS, i, add(get(space, at.LOSS, i), U(lost & 0xFFFFFFFF)))
        put(space, at.LOSS + LANES, i, add(get(space, at.LOSS + LANES, i), U(lost >> 32)))
    for trick in range(at.TRICKS - at.DRAWS):
        of_b = leads_of_b >> _FIELD * trick & (1 << _FIELD) - 1
        counts[LEADS + trick] += hi - lo - of_b
        counts[LEADS + 6 + trick] += of_b


@compiled(part="loop")
def count_deals(space, lo, hi, counts):
    """Add the points that A and B lost in each deal: their sums, sums of squares and of products."""
    out_of_line()
    for i in range(lo, hi):
        a, b = int64(get(space, at.LOSS, i)), int64(get(space, at.LOSS + LANES, i))
        counts[SUMS] += a
        counts[SUMS + 1] += b
        counts[SUMS + 2] += a * a
        counts[SUMS + 3] += b * b
        counts[SUMS + 4] += a * b
    counts[DEALS] += hi - lo
