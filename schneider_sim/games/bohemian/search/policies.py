"""Search: every legal card tried on sampled worlds, which are played on to the stock's end and looked up there.

All cards are tried on the same worlds with the same luck, in the kernel's lanes: a card after another, the worlds of
each side by side. A policy's own card is given up only for one that is better by more than two standard errors.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import int64, uint32

from ....compiled.cells import Address, cells_at
from ....compiled.jit import compiled
from ....compiled.lanes import LANES, ZERO, U, copy, fill, get, make_space, out_of_line, put, rows
from .. import state as at
from ..endgame.lanes import begin_endgame
from ..endgame.values import HONOUR_BITS, count, fill_room, value
from ..kernel import FOLLOW, LEAD, CompiledRules, decide, draw_luck_of_deals, is_strict, legal_replies, resolve
from ..plugins import FAULT_SIZE, FIRST_LANE, KIND, LANE, STOP_LANE
from ..tricks import killers_of
from .worlds import DRAWN, draw_worlds

CARDS = at.HAND_SIZE  # the most to choose from
BEHIND, SURE = 1.0, 2.0  # standard errors: a card so far behind drops out; one so far ahead is played
LATE, GAIN = 256, 0.01  # from LATE worlds on, a card drops out that cannot gain this part of a single win
VALUES = at.EVENTS  # row: own honours in the end


class Thinking(NamedTuple):
    """What searching needs: spaces of play and of worlds, rooms, and the table of rules without any search.

    sums: int64[1 + 3 * CARDS + CARDS * CARDS], see `add_batch`; cards: int64[CARDS], those tried, the policy's first.
    informed: whether A knows B's words; else whoever searches takes the other for one of its kind. honours:
    int8[CARDS * LANES], by card those of the last block of worlds that `measure` played.
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


def thinking(table: CompiledRules, informed: bool = False) -> Thinking:
    """Rooms for searches of the two policies at this table; informed: whether A knows B's words."""
    from ..endgame.values import ROOM

    inner = table._replace(perfect=False, fault=Address.of(np.zeros(FAULT_SIZE, np.int64)))
    return Thinking(make_space(at.SIZE), make_space(at.SIZE), np.zeros((6 + DRAWN) * LANES),
                    np.zeros(ROOM, np.int8), np.zeros(1 + 3 * CARDS + CARDS * CARDS, np.int64),
                    np.zeros(CARDS, np.int64), inner, informed, np.zeros(CARDS * LANES, np.int8))


@compiled(part="loop")
def _play_on(space, table, words, a, b, trick, side):
    """Play every lane from a card of `trick`, which is in LED (side 0) or REPLY, to the end of the stock."""
    out_of_line()
    for now in range(trick, at.DRAWS):
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
def _set_up(outer, lane, trick, side, seat, space, noise, worlds, start, cards, tried, width):
    """The lanes of a batch: card after card, each on the worlds from `start` on."""
    out_of_line()
    hand = at.HOLD + side * LANES
    fill(space, hand, get(outer, hand, lane))
    fill(space, at.TURN, get(outer, at.TURN, lane))
    fill(space, at.FIRST, uint32(seat))
    fill(space, at.SCORE, get(outer, at.SCORE, lane))
    fill(space, at.SCORE + LANES, get(outer, at.SCORE + LANES, lane))
    for past in range(trick + 1):
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
def play_batch(t, outer, lane, trick, side, seat, words, own, other, start, tried, width):
    """Row VALUES of t.space = own honours in the end: lane card * width + j for the card on world start + j."""
    out_of_line()
    table = t.table
    cells_at(table.fault)[STOP_LANE] = tried * width
    _set_up(outer, lane, trick, side, seat, rows(t.space), table.noise, rows(t.worlds), start, t.cards, tried, width)
    _play_on(rows(t.space), table, words, own, other, trick, side)
    _look_up_all(rows(t.space), table.exact, t.room, seat, tried * width)


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
def _keep_batch(t, start, tried, width):
    """t.honours[card * LANES + world] = own honours in the end, for a batch on worlds from `start` on."""
    out_of_line()
    for card in range(tried):
        for j in range(width):
            t.honours[card * LANES + start + j] = get(t.space, VALUES, card * width + j)


@compiled(part="loop")
def _race_on(t, tried, width, gains, squares):
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


@compiled(part="loop")
def _error(gain, square, worlds):
    """The standard error of a mean difference."""
    mean = gain / worlds
    return np.sqrt(max(square / worlds - mean * mean, 0.0) / max(worlds - 1, 1))


@compiled(part="loop")
def think(t, outer, lane, trick, side, seat, words, own, other, legal, card, deal, seed):
    """The card that `seat` plays in `trick`: its policy's own `card`, or a legal one that the search finds better.

    outer, lane: the play so far, as recorded; own, other: the policies by which the two are played on, and the other's
    plays judged; words: the schedule of both.
    """
    out_of_line()
    t.cards[0], tried = card, 1
    while legal:
        found = legal & -legal
        legal &= legal - 1
        if found != card:
            t.cards[tried] = found
            tried += 1
    gains, squares = t.sums[1 : 1 + CARDS], t.sums[1 + CARDS : 1 + 2 * CARDS]
    gains[:], squares[:] = 0, 0
    worlds, least = 0, GAIN * max(cells_at(t.table.points)[11], 1)
    while worlds < own.samples and tried > 1:
        start = worlds % LANES
        if start == 0:
            draw_worlds(rows(t.worlds), t.table, other, outer, lane, trick, side, seat, own.inference, worlds, deal,
                        seed, t.table.noise, t.weights)
        width = min(LANES // tried, own.samples - worlds, LANES - start)
        play_batch(t, outer, lane, trick, side, seat, words, own, other, start, tried, width)
        _race_on(t, tried, width, gains, squares)
        worlds += width
        kept = 1
        for place in range(1, tried):
            mean, error = gains[place] / worlds, _error(gains[place], squares[place], worlds)
            late = worlds >= LATE and mean + SURE * error < least
            if mean >= -BEHIND * error and not late:
                t.cards[kept], gains[kept], squares[kept] = t.cards[place], gains[place], squares[place]
                kept += 1
        tried = kept
    best, most = card, 0.0
    for place in range(1, tried):
        mean = gains[place] / worlds
        if mean > max(most, SURE * _error(gains[place], squares[place], worlds)):
            best, most = t.cards[place], mean
    return best


@compiled(part="loop")
def think_all(t, space, table, a, b, trick, side, legal, card, block, seed):
    """Think over the decision of `trick` in every lane that counts and whose policy searches; changes row `card`."""
    out_of_line()
    fault, inner_fault = cells_at(table.fault), cells_at(t.table.fault)
    for i in range(fault[FIRST_LANE], fault[STOP_LANE]):
        seat = int64(get(space, at.TURN, i)) ^ side
        own = a if seat == int64(get(space, at.FIRST, i)) else b
        may = int64(get(space, legal, i))
        if own.samples == 0 or may & (may - 1) == 0 or fault[KIND]:
            continue
        if own.noisy and get(space, at.NOISE + (at.TRICKS * seat + trick) * LANES, i) <= own.noise:
            continue
        own_card, deal = int64(get(space, card, i)), block * LANES + i
        other, words = own, own.words
        if t.informed and seat == int64(get(space, at.FIRST, i)):
            other, words = b, table.words
        put(space, card, i, U(think(t, space, i, trick, side, seat, words, own, other, may, own_card, deal, seed)))
        if inner_fault[KIND]:
            for place in range(FAULT_SIZE):
                if place not in (FIRST_LANE, STOP_LANE):
                    fault[place] = inner_fault[place]
            fault[LANE] = i


@compiled
def measure(t, outer, trick, side, seat, own, other, assumed, inference, cards, first, worlds, deal, seed):
    """Set t.sums to those of `cards`, masks, on worlds first … first + worlds - 1 of the position in lane 0 of outer.

    own, other: who play the rest of the deal; assumed: whom the other is taken for, for its last `inference` plays.
    """
    t.sums[:] = 0
    outer = rows(outer)
    tried, done = len(cards), 0
    t.cards[:tried] = cards
    while done < worlds:
        start = done % LANES
        if start == 0:
            draw_worlds(rows(t.worlds), t.table, assumed, outer, 0, trick, side, seat, inference, first + done, deal,
                        seed, t.table.noise, t.weights)
        width = min(LANES // tried, worlds - done, LANES - start)
        play_batch(t, outer, 0, trick, side, seat, t.table.words, own, other, start, tried, width)
        add_batch(t, tried, width)
        _keep_batch(t, start, tried, width)
        done += width


@compiled
def consider(t, outer, table, a, b, trick, side, lane, block, seed):
    """Row LED or REPLY of `outer`, which holds the same position in every lane, = the card of whoever decides there.

    lane, block: of the deal whose words for ties, noise and worlds are used.
    """
    outer = rows(outer)
    draw_luck_of_deals(outer, block, seed, True, True)
    fault = cells_at(table.fault)
    fault[FIRST_LANE], fault[STOP_LANE] = lane, lane + 1
    if table.perfect and trick >= at.DRAWS:
        begin_endgame(outer, table)
    legal, card = (at.HOLD + LANES, at.REPLY) if side else (at.HOLD, at.LED)
    if side:
        killers_of(table.reach, table.ace, outer, at.LED, at.KILLERS)
        if is_strict(table, trick):
            legal_replies(outer, legal, at.LED, at.LEGAL)
            legal = at.LEGAL
    decide(outer, table, table.words, a, b, table.perfect, trick, side, legal, card)
    if trick < at.DRAWS:
        think_all(t, outer, table, a, b, trick, side, legal, card, block, seed)
