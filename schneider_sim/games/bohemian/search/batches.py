"""Batches: cards tried on sampled worlds in the kernel's lanes, a card after another, the worlds of each side by side.

Worlds are played on by words to the stock's end, or to the trick from which their cards are open, and valued there.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import int64, uint32

from ....compiled.cells import Address, cells_at
from ....compiled.jit import compiled
from ....compiled.lanes import LANES, ZERO, U, copy, fill, get, make_space, out_of_line, put, rows
from .. import state as at
from ..endgame.values import HONOUR_BITS, count, fill_room, value
from ..kernel import FOLLOW, LEAD, CompiledRules, decide, is_strict, legal_replies, resolve
from ..plugins import FAULT_SIZE, STOP_LANE
from ..tricks import killers_of
from .open_cards import room_for, solve_all, value_last_six
from .worlds import DRAWN

CARDS = at.HAND_SIZE  # the most to choose from
VALUES = at.EVENTS  # row: own honours in the end


class Thinking(NamedTuple):
    """What searching needs: spaces of play and of worlds, rooms, and the table of rules without any search.

    sums: int64[1 + 3 * CARDS + CARDS * CARDS], see `add_batch`; cards: int64[CARDS], those tried, the policy's first.
    informed: whether A knows B's words; else whoever searches takes the other for one of its kind. honours:
    int8[CARDS * LANES], by card those of the last block of worlds that `measure` played. open: what open cards need
    where a policy looks at them, else None, and nothing of that is compiled.
    """

    space: npt.NDArray[np.uint32]
    worlds: npt.NDArray[np.uint32]
    weights: npt.NDArray[np.float64]
    room: npt.NDArray[np.int8]
    sums: npt.NDArray[np.int64]
    cards: npt.NDArray[np.int64]
    table: CompiledRules
    informed: bool
    honours: npt.NDArray[np.int8]
    open: npt.NDArray[np.int64] | None


def thinking(table: CompiledRules, informed: bool = False, open_cards: bool = False) -> Thinking:
    """Rooms for searches of the two policies at this table.

    informed: whether A knows B's words; open_cards: whether a policy looks at open cards (search: pimc).
    """
    from ..endgame.values import ROOM

    inner = table._replace(perfect=False, fault=Address.of(np.zeros(FAULT_SIZE, np.int64)))
    return Thinking(make_space(at.SIZE), make_space(at.SIZE), np.zeros((6 + DRAWN) * LANES),
                    np.zeros(ROOM, np.int8), np.zeros(1 + 3 * CARDS + CARDS * CARDS, np.int64),
                    np.zeros(CARDS, np.int64), inner, informed, np.zeros(CARDS * LANES, np.int8),
                    room_for(table.points.array) if open_cards else None)


@compiled(part="loop")
def _play_on(space, table, words, a, b, trick, side, until):
    """Play every lane from a card of `trick`, which is in LED (side 0) or REPLY, to the beginning of trick `until`."""
    out_of_line()
    for now in range(trick, until):
        if now > trick:
            fill(space, at.LED, ZERO)
            decide(space, table, words, a, b, None, now, LEAD, at.HOLD, at.LED)
        killers_of(table.reach, table.ace, space, at.LED, at.KILLERS)
        if now > trick or side == LEAD:
            legal = at.HOLD + LANES
            if is_strict(table, now):
                legal_replies(space, legal, at.LED, at.LEGAL)
                legal = at.LEGAL
            decide(space, table, words, a, b, None, now, FOLLOW, legal, at.REPLY)
        resolve(space, now, table.draw_at_once)


@compiled(part="loop")
def _look_up_all(space, exact, room, seat, lanes):
    """Row VALUES = honours of `seat` in the end when both play perfectly from the stock's end on."""
    out_of_line()
    for i in range(lanes):
        leader, other = int64(get(space, at.HOLD, i)), int64(get(space, at.HOLD + LANES, i))
        if not exact.known:
            fill_room(exact, room, 0, leader, other)
        worth = value(exact, room, 0, leader, other, leader, other)
        left = count((leader | other) & HONOUR_BITS)
        honours = (int64(get(space, at.SCORE, i)) & 255) + ((left + worth) >> 1)
        put(space, VALUES, i, U(honours if int64(get(space, at.TURN, i)) == seat else 20 - honours))


@compiled(part="loop")
def _spread(worlds, space, row, start, copies, width):
    """Lanes start … start + width - 1 of a row of worlds, once for each card tried."""
    for card in range(copies):
        for j in range(width):
            put(space, row, card * width + j, get(worlds, row, start + j))


@compiled(part="loop")
def _set_up(outer, lane, trick, side, seat, space, noise, worlds, start, cards, tried, width, forgets):
    """The lanes of a batch: card after card, each on the worlds from `start` on.

    forgets: whether the worlds differ in the cards that are played, too.
    """
    out_of_line()
    hand = at.HOLD + side * LANES
    fill(space, hand, get(outer, hand, lane))
    fill(space, at.TURN, get(outer, at.TURN, lane))
    fill(space, at.FIRST, uint32(seat))
    fill(space, at.SCORE, get(outer, at.SCORE, lane))
    fill(space, at.SCORE + LANES, get(outer, at.SCORE + LANES, lane))
    for past in range(trick + 1):
        if forgets:
            _spread(worlds, space, at.SEEN + past * LANES, start, tried, width)
        else:
            fill(space, at.SEEN + past * LANES, get(outer, at.SEEN + past * LANES, lane))
    fill(space, at.LED, get(outer, at.LED, lane) if side else ZERO)
    _spread(worlds, space, at.HAND, start, tried, width)
    copy(space, at.HAND, at.HOLD + (1 - side) * LANES)
    for n in range(2 * trick, at.STOCK_SIZE):
        _spread(worlds, space, at.STOCK + n * LANES, start, tried, width)
    for player in range(2):
        for now in range(trick, at.DRAWS):
            row = (at.TRICKS * player + now) * LANES
            _spread(worlds, space, at.TIES + row, start, tried, width)
            if noise:
                _spread(worlds, space, at.NOISE + row, start, tried, width)
    target = at.REPLY if side else at.LED
    for card in range(tried):
        for j in range(width):
            put(space, target, card * width + j, U(cards[card]))


@compiled(part="loop")
def _face_up(room, t, trick, side, seat, lanes):
    if room is not None:  # no more is compiled where it is
        solve_all(room, rows(t.space), t.table.exact, trick, side, seat, t.table.draw_at_once, lanes, VALUES)


@compiled(part="loop")
def _without_stock(room, t, outer, lane, side, start, tried, width):
    if room is not None:
        value_last_six(room, rows(t.worlds), rows(t.space), t.table.exact, t.room, outer, lane, side, start, t.cards,
                       tried, width, VALUES)


@compiled(part="loop")
def play_batch(t, outer, lane, trick, side, seat, words, own, other, start, tried, width, open_from, forgets):
    """Row VALUES of t.space = own honours in the end: lane card * width + j for the card on world start + j.

    Played on by words to trick `open_from`, by open cards from there on; perfectly once the stock is empty.
    """
    out_of_line()
    table, space, lanes = t.table, rows(t.space), tried * width
    if trick >= at.DRAWS:
        _without_stock(t.open, t, outer, lane, side, start, tried, width)
        return
    cells_at(table.fault)[STOP_LANE] = lanes
    _set_up(outer, lane, trick, side, seat, space, table.noise, rows(t.worlds), start, t.cards, tried, width, forgets)
    if side == LEAD and trick >= open_from:
        _face_up(t.open, t, trick, FOLLOW, seat, lanes)
        return
    until = max(trick + 1, open_from)
    _play_on(space, table, words, own, other, trick, side, until)
    if until < at.DRAWS:
        _face_up(t.open, t, until, LEAD, seat, lanes)
    else:
        _look_up_all(space, table.exact, t.room, seat, lanes)


@compiled(part="loop")
def add_batch(t, tried, width):
    """Add a batch to t.sums: worlds; by card the sums of values, of honours and of wins; of products of two values."""
    out_of_line()
    sums, points = t.sums, cells_at(t.table.points)
    sums[0] += width
    for card in range(tried):
        for j in range(width):
            honours = int64(get(rows(t.space), VALUES, card * width + j))
            worth = points[honours]
            sums[1 + card] += worth
            sums[1 + CARDS + card] += honours
            sums[1 + 2 * CARDS + card] += worth > 0
            for rival in range(card + 1):
                also = points[int64(get(rows(t.space), VALUES, rival * width + j))]
                sums[1 + 3 * CARDS + CARDS * card + rival] += worth * also


@compiled(part="loop")
def keep_batch(t, start, tried, width):
    """t.honours[card * LANES + world] = own honours in the end, for a batch on worlds from `start` on."""
    out_of_line()
    for card in range(tried):
        for j in range(width):
            t.honours[card * LANES + start + j] = get(t.space, VALUES, card * width + j)


@compiled(part="loop")
def race_on(t, tried, width, gains, squares):
    """Add a batch's differences from the policy's own card, the first, to `gains` and `squares`."""
    out_of_line()
    points = cells_at(t.table.points)
    for card in range(1, tried):
        gain, square = int64(0), int64(0)
        for j in range(width):
            honours, own = get(rows(t.space), VALUES, card * width + j), get(rows(t.space), VALUES, j)
            difference = points[int64(honours)] - points[int64(own)]
            gain += difference
            square += difference * difference
        gains[card] += gain
        squares[card] += square


