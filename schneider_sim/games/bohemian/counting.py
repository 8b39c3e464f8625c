"""What a played block adds to the tally: the core on every play, the detail on a fixed sample of the deals.

The sample is every sixteenth block of 256 deals (deal // 256 divisible by 16): a pure function of the deal number.
All detail of a trick is one event of a joint table, from which led ranks, captures, replies and honours are marginals.
"""

from typing import Any

from numba import int64, types, uint32

from ...compiled.calls import address_of, call_at
from ...compiled.cells import cells, cells_at
from ...compiled.jit import compiled
from ...compiled.lanes import (
    LANES,
    ONE,
    ZERO,
    U,
    add,
    band,
    bor,
    bxor,
    eq,
    fill,
    get,
    inv,
    mul,
    out_of_line,
    popcount,
    put,
    rows,
    rows_at,
    select,
    sub,
)
from . import state as at
from .endgame.lanes import count_deals, count_losses
from .kernel import is_strict, legal_replies, play_block
from .layout import CAPTURED, DECLINED, DISCARDED, LAYOUT, SAMPLE
from .plugins import BLOCK, FIRST_LANE, KIND, STOP_LANE
from .tricks import killers_of, prey_of

A_FIRST, B_FIRST, DUPLICATE, ALTERNATE = range(4)  # seatings
SEATINGS = {"A": A_FIRST, "B": B_FIRST, "duplicate": DUPLICATE, "independent": ALTERNATE}
JOINT, OUTCOME, EVENT = LAYOUT.offset("joint"), LAYOUT.offset("outcome"), LAYOUT.offset("event")
CHANGES, AT_STOCK_END = LAYOUT.offset("lead_changes"), LAYOUT.offset("stock_end")


@compiled(part="expression")
def _rank(card):
    return band(popcount(sub(card, ONE)), U(7))


@compiled(part="loop")
def _score_of_a(space, scores, turn, out):
    """Row `out` = A's score word, where the seats in row `turn` hold the first row of `scores`."""
    out_of_line()
    for i in range(LANES):
        a_leads = eq(get(space, turn, i), get(space, at.FIRST, i))
        put(space, out, i, select(a_leads, get(space, scores, i), get(space, scores + LANES, i)))


@compiled(part="loop")
def _events(space, table, trick):
    """Row EVENTS = each lane's place in the table `event`; adds the captures to LEAD_CHANGES."""
    out_of_line()
    row = trick * LANES
    led, reply, turn = at.LED_IN + row, at.REPLY_IN + row, at.TURN_IN + row
    leader, other = at.HELD_IN + 2 * row, at.HELD_IN + 2 * row + LANES
    for i in range(LANES):
        put(space, at.UNSEEN, i, inv(bor(get(space, at.SEEN + row, i), get(space, leader, i))))
    prey_of(table.reach, table.ace, space, at.UNSEEN, at.WANTED)
    killers_of(table.reach, table.ace, space, led, at.KILLERS)
    legal = other
    if is_strict(table, trick):
        legal = at.LEGAL
        legal_replies(space, other, led, at.LEGAL)
    for i in range(LANES):
        killers, first = get(space, at.KILLERS, i), get(space, at.FIRST, i)
        held = eq(band(get(space, reply, i), killers), ZERO)
        unable = eq(band(get(space, legal, i), killers), ZERO)
        kind = select(held, select(unable, U(DISCARDED), U(DECLINED)), U(CAPTURED))
        put(space, at.LEAD_CHANGES, i, add(get(space, at.LEAD_CHANGES, i), select(held, ZERO, ONE)))
        place = add(mul(first, U(16)), uint32(trick))
        place = add(mul(place, U(2)), bxor(get(space, turn, i), first))
        place = add(mul(place, U(8)), _rank(get(space, led, i)))
        place = add(mul(place, U(2)), select(eq(band(get(space, led, i), get(space, at.WANTED, i)), ZERO), ONE, ZERO))
        place = add(mul(place, U(8)), _rank(get(space, reply, i)))
        put(space, at.EVENTS, i, add(mul(place, U(3)), kind))


@compiled(part="loop")
def _count_events(space, lo, hi, counts):
    out_of_line()
    for i in range(lo, hi):
        counts[EVENT + int64(get(space, at.EVENTS, i))] += 1


@compiled
def detail_unit(space, table, final, lo, hi, counts):
    """Add the recorded block's detail; row `final` holds A's score words at the end.

    Compiled apart from the kernels, which call it at its address; space, counts: where they lie.
    """
    space, counts = rows_at(space), cells_at(counts)
    fill(space, at.LEAD_CHANGES, ZERO)
    for trick in range(at.TRICKS):
        _events(space, table, trick)
        _count_events(space, lo, hi, counts)
    _score_of_a(space, at.STOCK_END, at.TURN_IN + at.DRAWS * LANES, at.SCRATCH)
    for i in range(lo, hi):
        first = int64(get(space, at.FIRST, i))
        counts[CHANGES + 17 * first + int64(get(space, at.LEAD_CHANGES, i))] += 1
        before, after = int64(get(space, at.SCRATCH, i)) & 255, int64(get(space, final, i)) & 255
        counts[AT_STOCK_END + (21 * first + before) * 21 + after] += 1
    if table.exact.known:
        count_losses(space, table, lo, hi, counts)


def detail_types(table: Any) -> tuple[Any, ...]:
    """The types of the arguments of `detail_unit`, given that of the rules."""
    return types.int64, table, types.int64, types.int64, types.int64, types.int64


@compiled(part="loop")
def _count_outcomes(space, final, lo, hi, counts):
    out_of_line()
    for i in range(lo, hi):
        first, score = int64(get(space, at.FIRST, i)), int64(get(space, final, i))
        counts[OUTCOME + (17 * first + (score >> 8)) * 21 + (score & 255)] += 1


@compiled(part="loop")
def _count_pairs(space, lo, hi, counts):
    out_of_line()
    for i in range(lo, hi):
        first, second = int64(get(space, at.FINAL, i)) & 255, int64(get(space, at.FINAL + LANES, i)) & 255
        counts[JOINT + 21 * first + second] += 1


@compiled(part="loop")
def seat_all(space, seating, play):
    """Row FIRST: whether B sits in seat 0, in the first or second play of a deal."""
    out_of_line()
    for i in range(LANES):
        put(space, at.FIRST, i, uint32(i & 1 if seating == ALTERNATE else seating == B_FIRST or play == 1))


@compiled(part="step")
def count_play(space, table, block, lane, stop, detail, play, counts):
    """Count the block's first or second play, just finished and recorded where it is counted in detail."""
    _score_of_a(space, at.SCORE, at.TURN, at.FINAL + play * LANES)
    _count_outcomes(space, at.FINAL + play * LANES, lane, stop, counts)
    if detail or block % SAMPLE == 0:
        final = at.FINAL + play * LANES
        call_at(table.detail, address_of(space), table, final, lane, stop, address_of(counts))


@compiled(part="step")
def count_whole_deals(space, table, block, lane, stop, detail, seating, counts):
    """Count what belongs to deals as wholes, after all plays of the block."""
    if seating == DUPLICATE:
        _count_pairs(space, lane, stop, counts)
    if table.exact.known and (detail or block % SAMPLE == 0):
        count_deals(space, lane, stop, counts)


@compiled
def count_range(space, block, lane, deals, seed, seating, detail, table, a, b, counts):
    """`count_blocks` for policies of which none is exact: compiled in three quarters of the time."""
    count_blocks(space, block, lane, deals, seed, seating, detail, table, a, b, counts, None)


@compiled
def count_exact(space, block, lane, deals, seed, seating, detail, table, a, b, counts):
    """`count_blocks` for policies of which one is exact or both."""
    count_blocks(space, block, lane, deals, seed, seating, detail, table, a, b, counts, True)


@compiled(part="loop")
def count_blocks(space, block, lane, deals, seed, seating, detail, table, a, b, counts, perfect):
    """Play `deals` deals from deal 256 * block + lane on and add them to `counts`, int64[LAYOUT.size].

    `seating`: DUPLICATE plays every deal twice, first with A in seat 0; ALTERNATE even deals with A, odd ones with B
    in seat 0; A_FIRST and B_FIRST all alike. `detail`: count every deal in detail, not the sample alone. `space` is
    left with the record of the last play when that was counted in detail. Stops early when a plug-in is at fault.
    """
    space, counts, fault = rows(space), cells(counts, 0), cells_at(table.fault)
    while deals > 0 and fault[KIND] == 0:
        stop = min(LANES, lane + deals)
        fault[BLOCK], fault[FIRST_LANE], fault[STOP_LANE] = block, lane, stop
        call_at(table.deal, address_of(space), block, seed, table.random_ties, table.noise)
        fill(space, at.LOSS, ZERO)
        fill(space, at.LOSS + LANES, ZERO)
        for play in range(2 if seating == DUPLICATE else 1):
            seat_all(space, seating, play)
            play_block(space, table, a, b, perfect, detail or block % SAMPLE == 0)
            count_play(space, table, block, lane, stop, detail, play, counts)
        count_whole_deals(space, table, block, lane, stop, detail, seating, counts)
        deals -= stop - lane
        block, lane = block + 1, 0
