"""The compiled loop for policies that search: as the kernel plays, but each decision is thought over lane by lane."""

from ....compiled.calls import address_of, call_at
from ....compiled.cells import cells, cells_at
from ....compiled.jit import compiled
from ....compiled.lanes import LANES, ZERO, copy, fill, rows
from .. import state as at
from ..counting import DUPLICATE, count_play, count_whole_deals, seat_all
from ..kernel import (
    FOLLOW,
    LEAD,
    begin_play,
    decide,
    is_strict,
    legal_replies,
    record_trick,
    resolve,
)
from ..plugins import BLOCK, FIRST_LANE, KIND, STOP_LANE
from ..tricks import killers_of
from .policies import think_all


@compiled
def count_searching(space, t, block, lane, deals, seed, seating, detail, table, a, b, counts):
    """As counting.count_range; t: rooms of the search."""
    space, counts, fault = rows(space), cells(counts, 0), cells_at(table.fault)
    while deals > 0 and fault[KIND] == 0:
        stop = min(LANES, lane + deals)
        fault[BLOCK], fault[FIRST_LANE], fault[STOP_LANE] = block, lane, stop
        call_at(table.deal, address_of(space), block, seed, table.random_ties, table.noise)
        fill(space, at.LOSS, ZERO)
        fill(space, at.LOSS + LANES, ZERO)
        for play in range(2 if seating == DUPLICATE else 1):
            seat_all(space, seating, play)
            begin_play(space)
            for trick in range(at.TRICKS):
                copy(space, at.TURN, at.TURN_IN + trick * LANES)
                fill(space, at.LED, ZERO)
                decide(space, table, table.words, a, b, table.perfect, trick, LEAD, at.HOLD, at.LED)
                think_all(t, space, table, a, b, trick, LEAD, at.HOLD, at.LED, block, seed)
                killers_of(table.reach, table.ace, space, at.LED, at.KILLERS)
                legal = at.HOLD + LANES
                if is_strict(table, trick):
                    legal_replies(space, legal, at.LED, at.LEGAL)
                    legal = at.LEGAL
                decide(space, table, table.words, a, b, table.perfect, trick, FOLLOW, legal, at.REPLY)
                think_all(t, space, table, a, b, trick, FOLLOW, legal, at.REPLY, block, seed)
                record_trick(space, trick)
                resolve(space, trick, table.draw_at_once)
            copy(space, at.TURN, at.TURN_IN + at.TRICKS * LANES)
            count_play(space, table, block, lane, stop, detail, play, counts)
        count_whole_deals(space, table, block, lane, stop, detail, seating, counts)
        deals -= stop - lane
        block, lane = block + 1, 0
