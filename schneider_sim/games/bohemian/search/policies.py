"""Search: every legal card tried on sampled worlds, and the best one played if it is surely better.

All cards are tried on the same worlds with the same luck. A policy's own card is given up only for one that is better
by more than two standard errors.
"""

import numpy as np
from numba import int64

from ....compiled.cells import cells_at
from ....compiled.jit import compiled
from ....compiled.lanes import LANES, U, band, bxor, get, out_of_line, popcount, put, rows
from .. import state as at
from ..endgame.lanes import begin_endgame
from ..kernel import decide, draw_luck_of_deals, is_strict, legal_replies
from ..plugins import FAULT_SIZE, FIRST_LANE, KIND, LANE, STOP_LANE
from ..tricks import killers_of
from .batches import CARDS, Thinking, add_batch, keep_batch, play_batch, race_on, thinking
from .worlds import draw_worlds

__all__ = ["CARDS", "Thinking", "consider", "measure", "think_all", "thinking"]

BEHIND, SURE = 1.0, 2.0  # standard errors: a card so far behind drops out; one so far ahead is played
LATE, GAIN = 256, 0.01  # from LATE worlds on, a card drops out that cannot gain this part of a single win


@compiled(part="expression")
def _remembered(outer, lane, trick, memory, sees):
    """The played cards that a policy remembers in `trick`."""
    seen, forgotten = at.SEEN + trick * LANES, at.SEEN + max(trick - memory, 0) * LANES
    return band(bxor(get(outer, seen, lane), get(outer, forgotten, lane)), sees)


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
    remembered = _remembered(outer, lane, trick, own.memory, own.sees)
    forgets = int64(popcount(remembered)) < 2 * trick
    most = own.samples if forgets or trick < at.DRAWS else 1  # else one world is left
    while worlds < most and tried > 1:
        start = worlds % LANES
        if start == 0:
            draw_worlds(rows(t.worlds), t.table, other, outer, lane, trick, side, seat, remembered, own.inference,
                        worlds, deal, seed, t.table.noise, t.weights)
        width = min(LANES // tried, most - worlds, LANES - start)
        play_batch(t, outer, lane, trick, side, seat, words, own, other, start, tried, width, own.open_from, forgets)
        race_on(t, tried, width, gains, squares)
        worlds += width
        kept = 1
        for place in range(1, tried):
            mean, error = gains[place] / worlds, _error(gains[place], squares[place], worlds)
            late = worlds >= LATE and mean + SURE * error < least
            if mean >= -BEHIND * error and not late:
                t.cards[kept], gains[kept], squares[kept] = t.cards[place], gains[place], squares[place]
                kept += 1
        tried = kept
    best, gained = card, 0.0
    for place in range(1, tried):
        mean = gains[place] / worlds
        if mean > max(gained, SURE * _error(gains[place], squares[place], worlds)):
            best, gained = t.cards[place], mean
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
        if own.samples == 0 or may & (may - 1) == 0 or fault[KIND] or (trick >= at.DRAWS and own.exact):
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
            draw_worlds(rows(t.worlds), t.table, assumed, outer, 0, trick, side, seat,
                        get(outer, at.SEEN + trick * LANES, 0), inference, first + done, deal, seed, t.table.noise,
                        t.weights)
        width = min(LANES // tried, worlds - done, LANES - start)
        play_batch(t, outer, 0, trick, side, seat, t.table.words, own, other, start, tried, width, at.DRAWS, False)
        add_batch(t, tried, width)
        keep_batch(t, start, tried, width)
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
    think_all(t, outer, table, a, b, trick, side, legal, card, block, seed)
