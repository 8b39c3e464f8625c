"""Worlds: deals as one player may imagine them, drawn at random from the unseen cards, or in the light of plays.

A space of worlds has a world in each lane, in the rows of state.py: the other hand in HAND, the stock from the present
trick on in STOCK, words for ties and noise in TIES and NOISE. Random words depend on (seed, deal, stream): the stream
says what for, which seat thinks and in which trick; the block says the number of the world.
Going back from a trick, the card that the other drew after the one before is one of the six it holds, each as likely.
"""

import numpy as np
from numba import int64, uint32, uint64

from ....compiled.jit import compiled
from ....compiled.lanes import (
    LANES,
    ZERO,
    U,
    band,
    bor,
    bxor,
    copy,
    fill,
    get,
    inv,
    lowest_bit,
    nth_of_32,
    out_of_line,
    popcount,
    put,
    shl,
)
from ....compiled.philox import ten_rounds
from .. import state as at
from ..kernel import FOLLOW, LEAD, draw, is_strict, legal_replies, narrow_all
from ..tricks import HONOURS, PIPS, killers_of

HANDS, STOCKS, TIES, NOISES, BACK, RESAMPLED, FORGOTTEN = range(7)  # what random words are for
STREAM = 64  # the first stream of searches
DRAWN = 8  # worlds drawn for one that is kept, when plays are evidence
IDS = at.LEAD_CHANGES  # row: the number of each lane's world
HELD = at.LED_IN  # row: the other hand on the way back
GONE = at.DEALT  # row: the cards that were played and are forgotten


@compiled(part="expression")
def stream_of(purpose, trick, seat):
    """The stream of a purpose when `seat` thinks in `trick`."""
    return uint32(STREAM + (purpose * 16 + trick) * 2 + seat)


@compiled(part="loop")
def _words(space, ids, quarter, stream, deal, seed, row):
    """Four rows of random words from `row` on, for the worlds whose numbers are in row `ids`."""
    out_of_line()
    low, high = uint32(deal), uint32(uint64(deal) >> uint64(32))
    k0, k1 = uint32(seed), uint32(seed >> uint64(32))
    for i in range(LANES):
        block = bor(get(space, ids, i), shl(uint32(quarter), U(20)))
        c0, c1, c2, c3 = ten_rounds(low, high, block, stream, k0, k1)
        put(space, row, i, c0)
        put(space, row + LANES, i, c1)
        put(space, row + 2 * LANES, i, c2)
        put(space, row + 3 * LANES, i, c3)


@compiled(part="loop")
def _into(space, row, card):
    for i in range(LANES):
        put(space, row, i, bor(get(space, row, i), get(space, card, i)))


@compiled(part="loop")
def _number(space, row, first):
    for i in range(LANES):
        put(space, row, i, uint32(first + i))


@compiled(part="loop")
def draw_gone(space, unseen, honours, pips, deal, seed, stream):
    """Row GONE = that many honours and pips of the unseen cards, which were played and are forgotten."""
    out_of_line()
    fill(space, GONE, ZERO)
    drawn = 0
    for kind in range(2):
        pool = band(unseen, PIPS if kind else HONOURS)
        fill(space, at.SCRATCH, pool)
        for n in range(pips if kind else honours):
            if drawn & 3 == 0:
                _words(space, IDS, drawn >> 2, stream, deal, seed, at.WORDS)
            draw(space, at.WORDS + (drawn & 3) * LANES, uint32(int64(popcount(pool)) - n), at.REPLY)
            _into(space, GONE, at.REPLY)
            drawn += 1


@compiled(part="loop")
def draw_hands(space, unseen, gone, cards, held, deal, seed, stream):
    """Row HAND = `cards` of the unseen ones besides those `held`, by the number of the world; the rest in SCRATCH.

    gone: how many cards are in row GONE, which are in neither.
    """
    out_of_line()
    fill(space, at.HAND, held)
    fill(space, at.SCRATCH, unseen)
    if gone:
        for i in range(LANES):
            put(space, at.SCRATCH, i, bxor(unseen, get(space, GONE, i)))
    left = int64(popcount(unseen)) - gone
    for n in range(cards):
        if n & 3 == 0:
            _words(space, IDS, n >> 2, stream, deal, seed, at.WORDS)
        draw(space, at.WORDS + (n & 3) * LANES, uint32(left - n), at.REPLY)
        _into(space, at.HAND, at.REPLY)


@compiled(part="loop")
def draw_stocks(space, cards, trick, deal, seed, stream):
    """The stock from `trick` on: the cards that draw_hands left in SCRATCH, `cards` of them, in any order."""
    out_of_line()
    stock = at.STOCK_SIZE - 2 * trick
    for n in range(stock):
        if n & 3 == 0:
            _words(space, at.EVENTS, n >> 2, stream, deal, seed, at.WORDS)
        draw(space, at.WORDS + (n & 3) * LANES, uint32(cards - n), at.STOCK + (2 * trick + n) * LANES)


@compiled(part="loop")
def draw_luck(space, trick, seat, deal, seed, noise):
    """The words for ties, and for noise where there is some, of both seats from `trick` to the stock's end."""
    out_of_line()
    for player in range(2):
        for quarter in range(trick >> 2, 3):
            row = (16 * player + 4 * quarter) * LANES
            number = 2 * quarter + player
            _words(space, at.EVENTS, number, stream_of(TIES, trick, seat), deal, seed, at.TIES + row)
            if noise:
                _words(space, at.EVENTS, number, stream_of(NOISES, trick, seat), deal, seed, at.NOISE + row)


@compiled(part="loop")
def _weigh_candidates(space, table, player, trick, side, card, weights, number):
    """weights[number * LANES + lane] = the chance that `player` plays `card` from the hand in its row of HOLD."""
    out_of_line()
    fill(space, at.TURN, ZERO)
    legal = at.HOLD + side * LANES
    if side == FOLLOW and is_strict(table, trick):
        legal_replies(space, legal, at.LED, at.LEGAL)
        legal = at.LEGAL
    candidates = narrow_all(space, table, player.words, player, player, trick, side, legal)
    noise = (np.float64(player.noise) + 1.0) / 4294967296.0 if player.noisy else 0.0
    for i in range(LANES):
        found, all_cards = get(space, candidates, i), get(space, legal, i)
        chance = 0.0
        if band(found, card):
            if player.random_ties:
                chance = 1.0 / np.float64(popcount(found))
            elif lowest_bit(found) == card:
                chance = 1.0
        if noise > 0 and band(all_cards, card):
            chance = (1.0 - noise) * chance + noise / np.float64(popcount(all_cards))
        weights[number * LANES + i] = chance


@compiled(part="loop")
def _follow_one(space, card, likelihoods, weights):
    """Multiply the weights by the mean likelihood of the six drawn cards; HELD goes back to the hand before."""
    out_of_line()
    for i in range(LANES):
        total = 0.0
        for n in range(6):
            total += likelihoods[n * LANES + i]
        weights[i] *= total / 6
        point, chosen = np.float64(get(space, at.WORDS, i)) / 4294967296.0 * total, 0
        for n in range(5):
            point -= likelihoods[n * LANES + i]
            chosen += point >= 0
        drawn = nth_of_32(get(space, HELD, i), uint32(chosen))
        put(space, HELD, i, bor(bxor(get(space, HELD, i), drawn), card))


@compiled(part="loop")
def weigh(space, table, player, outer, lane, trick, side, seat, plays, deal, seed, likelihoods, weights):
    """weights[lane] = how likely the other's last `plays` plays are in each world, if it is `player`.

    outer, lane: where the play so far is recorded; space: worlds of which the other hand is in row HAND.
    """
    out_of_line()
    for i in range(LANES):
        weights[i] = 1.0
    copy(space, at.HAND, HELD)
    if side == FOLLOW:
        led = get(outer, at.LED, lane)
        fill(space, at.LED, ZERO)
        copy(space, HELD, at.HOLD)
        _weigh_candidates(space, table, player, trick, LEAD, led, likelihoods, 0)
        for i in range(LANES):
            weights[i] = likelihoods[i]
        plays -= 1
    mine = int64(get(outer, at.SCORE + side * LANES, lane)) & 255
    theirs = int64(get(outer, at.SCORE + (1 - side) * LANES, lane)) & 255
    for back in range(min(plays, trick)):
        past = trick - 1 - back
        led, reply = get(outer, at.LED_IN + past * LANES, lane), get(outer, at.REPLY_IN + past * LANES, lane)
        won = int64(popcount(band(bor(led, reply), HONOURS)))
        if get(outer, at.TURN_IN + (past + 1) * LANES, lane) == seat:
            mine -= won
        else:
            theirs -= won
        role = FOLLOW if get(outer, at.TURN_IN + past * LANES, lane) == seat else LEAD
        card = reply if role == FOLLOW else led
        fill(space, at.LED, led if role == FOLLOW else ZERO)
        killers_of(table.reach, table.ace, space, at.LED, at.KILLERS)
        fill(space, at.SCORE + role * LANES, uint32(theirs))
        fill(space, at.SCORE + (1 - role) * LANES, uint32(mine))
        for n in range(6):
            for i in range(LANES):
                held = get(space, HELD, i)
                put(space, at.HOLD + role * LANES, i, bor(bxor(held, nth_of_32(held, uint32(n))), card))
            _weigh_candidates(space, table, player, past, role, card, likelihoods, n)
        _words(space, IDS, back, stream_of(BACK, trick, seat), deal, seed, at.WORDS)
        _follow_one(space, card, likelihoods, weights)


@compiled(part="loop")
def resample(space, weights, word):
    """Row IDS = the numbers of the worlds that are kept, each as often as its weight says, in mixed order.

    weights: of DRAWN * LANES worlds numbered in turn; IDS holds the first number. Equal weights where all are zero.
    """
    out_of_line()
    total, first = 0.0, get(space, IDS, 0)
    for n in range(DRAWN * LANES):
        total += weights[n]
    if total <= 0:
        for n in range(DRAWN * LANES):
            weights[n] = 1.0
        total = np.float64(DRAWN * LANES)
    step = total / LANES
    point, reached, n = np.float64(word) / 4294967296.0 * step, weights[0], 0
    for slot in range(LANES):
        while reached <= point and n < DRAWN * LANES - 1:
            n += 1
            reached += weights[n]
        put(space, IDS, (slot * 97) & (LANES - 1), uint32(first + n))
        point += step


@compiled(part="loop")
def _see(space, outer, lane, trick, remembered):
    """Rows SEEN up to `trick`: of the cards played before each trick the remembered ones, and all that are gone."""
    out_of_line()
    for past in range(trick + 1):
        row = at.SEEN + past * LANES
        for i in range(LANES):
            put(space, row, i, bor(band(get(outer, row, lane), remembered), get(space, GONE, i)))


@compiled(part="loop")
def draw_worlds(space, table, player, outer, lane, trick, side, seat, remembered, plays, first, deal, seed, noise,
                room):
    """Fill a space with worlds first … first + 255 as `seat` may imagine them in `trick`.

    remembered: the played cards that it remembers. How many honours and pips it has forgotten follows from the number
    of the trick and the score; which ones is drawn first, so that the other hand and the stock have the right size.
    player: whom the other is taken for; plays: how many of its last plays are evidence, 0 where cards are forgotten.
    room: float64[(6 + DRAWN) * LANES].
    """
    out_of_line()
    own, led = get(outer, at.HOLD + side * LANES, lane), get(outer, at.LED, lane) if side else ZERO
    unseen = inv(bor(bor(own, led), remembered))
    gone = 2 * trick - int64(popcount(remembered))
    cards = min(at.HAND_SIZE, at.TRICKS - trick) - side
    hands = stream_of(HANDS, trick, seat)
    if plays > 0 and (trick > 0 or side == FOLLOW):
        for past in range(trick + 1):
            fill(space, at.SEEN + past * LANES, get(outer, at.SEEN + past * LANES, lane))
        for part in range(DRAWN):
            _number(space, IDS, DRAWN * first + part * LANES)
            draw_hands(space, unseen, 0, cards, led, deal, seed, hands)
            weights = room[(6 + part) * LANES : (7 + part) * LANES]
            weigh(space, table, player, outer, lane, trick, side, seat, plays, deal, seed, room, weights)
        _number(space, IDS, first)
        _words(space, IDS, 0, stream_of(RESAMPLED, trick, seat), deal, seed, at.WORDS)
        _number(space, IDS, DRAWN * first)
        resample(space, room[6 * LANES :], get(space, at.WORDS, 0))
    else:
        _number(space, IDS, first)
    if gone:
        won = (int64(get(outer, at.SCORE, lane)) & 255) + (int64(get(outer, at.SCORE + LANES, lane)) & 255)
        honours = won - int64(popcount(band(remembered, HONOURS)))
        draw_gone(space, unseen, honours, gone - honours, deal, seed, stream_of(FORGOTTEN, trick, seat))
        _see(space, outer, lane, trick, remembered)
    draw_hands(space, unseen, gone, cards, led, deal, seed, hands)
    if trick < at.DRAWS:
        _number(space, at.EVENTS, first)
        draw_stocks(space, int64(popcount(unseen)) - gone - cards, trick, deal, seed, stream_of(STOCKS, trick, seat))
        draw_luck(space, trick, seat, deal, seed, noise)
