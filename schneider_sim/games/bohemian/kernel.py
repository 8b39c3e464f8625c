"""The compiled loop: 256 deals of Bohemian Schneider side by side, from the shuffle to the sixteenth trick.

Lane i of a block belongs to deal 256 * block + i. Every step is a short branch-free loop over the lanes; policies are
data, interpreted once per block. What a block leaves in its space is counted by counting.py, or read out as traces:
there is one code path for both. A deal's random words depend on (seed, deal, stream) alone:
stream 0 the cards, 1 + seat the ties of a seat, 9 + seat its noise; a decision's word is that of its trick.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types, uint32, uint64

from ...compiled.cells import Address, cells_at
from ...compiled.jit import compiled
from ...compiled.lanes import (
    LANES,
    ONE,
    ZERO,
    U,
    add,
    band,
    below,
    bor,
    bxor,
    copy,
    eq,
    fill,
    get,
    inv,
    lt,
    nth_of_32,
    out_of_line,
    pick,
    popcount,
    put,
    rows_at,
    select,
)
from ...compiled.philox import words_of_block
from . import state as at
from .card_words import narrow, narrow_first, want
from .endgame.lanes import begin_endgame, choose_lossless
from .endgame.values import Exact
from .plugins import ask_plugin
from .schedule import CODE, END, FLIP_A, FLIP_B, FRESH, IDLE_A, IDLE_B, ROW, STEP, WHO, Schedule
from .tricks import ALL, HONOURS, fill_down, fill_up, killers_of
from .words import PLUGIN

FREE, MUST_FOLLOW, ENDGAME_ONLY = range(3)
FOLLOW_RULES = {"free": FREE, "must_follow": MUST_FOLLOW, "endgame_only": ENDGAME_ONLY}
LEAD, FOLLOW = range(2)
TIES_STREAM, NOISE_STREAM = 1, 9
TRICK_WON = U(256)  # a score word holds honours in its low byte and tricks won in the next


class CompiledPolicy(NamedTuple):
    """A policy as the kernel reads it: the schedule of its words, and masks (0 or all ones) for what is switched on."""

    words: Schedule  # of this policy alone, on both sides
    memory: int  # completed tricks that are remembered
    sees: np.uint32  # the cards that are worth remembering
    random_ties: np.uint32  # ties at random, else the first in pack order
    noisy: np.uint32  # whether there is noise at all
    noise: np.uint32  # the highest noise word that makes a decision uniform
    exact: np.uint32  # all ones when it loses nothing once the stock is empty
    samples: int  # worlds that it searches at most, 0 for no search
    inference: int  # plays of the other that are evidence to it
    open_from: int  # trick from which both see all cards in its worlds, no sooner than the stock's end in a rollout


class CompiledRules(NamedTuple):
    """The rules as the kernel reads them, and what two players at it have in common."""

    reach: int
    ace: int
    follow: int
    draw_at_once: np.uint32  # all ones when each player draws right after playing
    random_ties: bool  # some player takes ties at random
    noise: bool  # some player has noise
    words: Schedule  # of both players
    plugins: Address  # int64[plug-ins]: addresses of users' preferences
    fault: Address  # int64[FAULT_SIZE]: the first complaint about one, see plugins.py
    perfect: bool  # some player is exact
    exact: Exact
    room: npt.NDArray[np.int8]  # a room for each lane where exact players have no table
    points: Address  # int64[21]: victory points of 0 to 20 honours
    deal: int = 0  # where code lies that is compiled apart: `deal_unit` below, counting.detail_unit
    detail: int = 0


@compiled(part="loop")
def draw(space, word, n, card):
    """One card from each lane's pool of n: multiply-shift, biased by less than 2**-27 (docs/decisions/001)."""
    out_of_line()
    for i in range(LANES):
        pool = get(space, at.SCRATCH, i)
        drawn = nth_of_32(pool, below(get(space, word, i), n))
        put(space, at.SCRATCH, i, bxor(pool, drawn))
        put(space, card, i, drawn)


@compiled(part="loop")
def _gather_hand(space, cards, hand):
    """Row `hand` = the six cards in the rows from `cards` on."""
    out_of_line()
    for i in range(LANES):
        three = bor(bor(get(space, cards, i), get(space, cards + LANES, i)), get(space, cards + 2 * LANES, i))
        more = bor(bor(get(space, cards + 3 * LANES, i), get(space, cards + 4 * LANES, i)),
                   get(space, cards + 5 * LANES, i))
        put(space, hand, i, bor(three, more))


@compiled(part="loop")
def deal_block(space, block, seed, random_ties, noise):
    """Shuffle the block's 256 packs and draw the words for ties and noise: all that two plays of a deal share.

    The words are drawn only where they are wanted: for ties when a policy takes them at random, for noise when one
    has noise.
    """
    out_of_line()
    low, high = uint32(uint64(block) << uint64(8)), uint32(uint64(block) >> uint64(24))
    k0, k1 = uint32(seed), uint32(seed >> uint64(32))
    fill(space, at.SCRATCH, ALL)
    for n in range(31):
        if n & 3 == 0:
            words_of_block(low, high, uint32(n >> 2), ZERO, k0, k1, space, at.WORDS)
        draw(space, at.WORDS + (n & 3) * LANES, uint32(32 - n), at.PACK + n * LANES)
    copy(space, at.SCRATCH, at.PACK + 31 * LANES)
    for seat in range(2):
        _gather_hand(space, at.PACK + seat * at.HAND_SIZE * LANES, at.DEALT + seat * LANES)
    draw_luck_of_deals(space, block, seed, random_ties, noise)


DEAL_TYPES = types.int64, types.int64, types.uint64, types.boolean, types.boolean


@compiled
def deal_unit(space, block, seed, random_ties, noise):
    """`deal_block`, compiled apart from the kernels, which call it at its address; space: where it lies."""
    deal_block(rows_at(space), block, seed, random_ties, noise)


@compiled(part="loop")
def draw_luck_of_deals(space, block, seed, random_ties, noise):
    """The words for ties and noise of the block's deals, where they are wanted."""
    out_of_line()
    low, high = uint32(uint64(block) << uint64(8)), uint32(uint64(block) >> uint64(24))
    k0, k1 = uint32(seed), uint32(seed >> uint64(32))
    for seat in range(2):
        for quarter in range(4):
            row = (16 * seat + 4 * quarter) * LANES
            if random_ties or noise:
                words_of_block(low, high, uint32(quarter), uint32(TIES_STREAM + seat), k0, k1, space, at.TIES + row)
            if noise:
                words_of_block(low, high, uint32(quarter), uint32(NOISE_STREAM + seat), k0, k1, space, at.NOISE + row)


@compiled(part="loop")
def _look(space, hand, responds, seen, forgotten_a, forgotten_b, sees_a, sees_b):
    """Set the decision's rows BY_A and UNSEEN, given what is remembered of the cards seen."""
    out_of_line()
    for i in range(LANES):
        is_a = eq(bxor(get(space, at.TURN, i), responds), get(space, at.FIRST, i))
        put(space, at.BY_A, i, select(is_a, ALL, ZERO))
        forgotten = select(is_a, get(space, forgotten_a, i), get(space, forgotten_b, i))
        remembered = band(bxor(get(space, seen, i), forgotten), select(is_a, sees_a, sees_b))
        put(space, at.UNSEEN, i, inv(bor(bor(remembered, get(space, hand, i)), get(space, at.LED, i))))


@compiled(part="step")
def narrow_all(space, table, words, a, b, trick, side, legal):
    """What the words of whoever decides leave of the row `legal`: the row of the candidates. words: of both.

    Plug-ins are asked where a policy decides that has them, and nowhere else.
    """
    hand, candidates, seen = at.HOLD + side * LANES, legal, at.SEEN + trick * LANES
    forgotten_a, forgotten_b = at.SEEN + max(trick - a.memory, 0) * LANES, at.SEEN + max(trick - b.memory, 0) * LANES
    _look(space, hand, uint32(side), seen, forgotten_a, forgotten_b, a.sees, b.sees)
    steps = cells_at(words.follow if side else words.lead)
    step = steps[trick]
    while steps[step + CODE] != END:
        code, row = steps[step + CODE], steps[step + ROW]
        if code & PLUGIN:
            ask_plugin(space, table, code & (PLUGIN - 1), steps[step + WHO], trick, side, hand, candidates)
        elif steps[step + FRESH]:
            want(code, table.reach, table.ace, space, hand, candidates)
            if row != at.WANTED:
                copy(space, at.WANTED, row)
        flip_a, idle_a = uint32(steps[step + FLIP_A]), uint32(steps[step + IDLE_A])
        flip_b, idle_b = uint32(steps[step + FLIP_B]), uint32(steps[step + IDLE_B])
        if candidates == at.CANDIDATES:
            narrow(space, row, flip_a, idle_a, flip_b, idle_b)
        else:
            narrow_first(space, legal, row, flip_a, idle_a, flip_b, idle_b)
        candidates = at.CANDIDATES
        step += STEP
    return candidates


@compiled(part="loop")
def _choose(space, candidates, ties, responds, random_a, random_b, card):
    """Row `card` = one of the cards of row `candidates`."""
    out_of_line()
    random = bxor(random_a, random_b)
    for i in range(LANES):
        seat = bxor(get(space, at.TURN, i), responds)
        word = select(eq(seat, ZERO), get(space, ties, i), get(space, ties + at.TRICKS * LANES, i))
        word = band(word, bxor(random_b, band(get(space, at.BY_A, i), random)))
        put(space, card, i, pick(get(space, candidates, i), word))


@compiled(part="loop")
def _choose_amid_noise(space, a, b, trick, side, legal, row, card):
    """As `_choose`, but a noisy decision is uniform among the legal cards."""
    out_of_line()
    ties, noise, other, responds = at.TIES + trick * LANES, at.NOISE + trick * LANES, at.TRICKS * LANES, uint32(side)
    for i in range(LANES):
        seat = bxor(get(space, at.TURN, i), responds)
        is_a, is_0 = eq(seat, get(space, at.FIRST, i)), eq(seat, ZERO)
        noise_word = select(is_0, get(space, noise, i), get(space, noise + other, i))
        above = select(lt(select(is_a, a.noise, b.noise), noise_word), ALL, ZERO)
        noisy = band(inv(above), select(is_a, a.noisy, b.noisy))
        candidates = bor(band(noisy, get(space, legal, i)), band(inv(noisy), get(space, row, i)))
        word = select(is_0, get(space, ties, i), get(space, ties + other, i))
        put(space, card, i, pick(candidates, band(word, bor(noisy, select(is_a, a.random_ties, b.random_ties)))))


@compiled(part="step")
def decide(space, table, words, a, b, perfect, trick, side, legal, card):
    """One decision in every lane: the lead (side 0) or the reply (side 1), from row `legal` into row `card`.

    words: the schedule of the two policies; perfect: whether one is exact. None, for never, leaves the code out.
    """
    choices = legal
    if perfect is not None:  # noqa: SIM102 - no other condition beside it, which would hide it from Numba
        if perfect and trick >= at.DRAWS:
            if trick == at.DRAWS and side == LEAD:
                begin_endgame(space, table)
            choose_lossless(space, table, a.exact, b.exact, side, legal)
            choices = at.LOSSLESS
    candidates = narrow_all(space, table, words, a, b, trick, side, choices)
    if table.noise:
        _choose_amid_noise(space, a, b, trick, side, legal, candidates, card)
    else:
        _choose(space, candidates, at.TIES + trick * LANES, uint32(side), a.random_ties, b.random_ties, card)


@compiled(part="expression")
def is_strict(table, trick):
    """Whether suit must be followed in `trick` (from 0)."""
    return table.follow == MUST_FOLLOW or (table.follow == ENDGAME_ONLY and trick >= at.DRAWS)


@compiled(part="loop")
def legal_replies(space, hand, led, out):
    """Row `out` = the cards of row `hand` in the suit that is led, or the whole hand when there is none."""
    out_of_line()
    for i in range(LANES):
        following = band(get(space, hand, i), fill_up(fill_down(get(space, led, i))))
        put(space, out, i, select(eq(following, ZERO), get(space, hand, i), following))


@compiled(part="loop")
def resolve(space, trick, draw_at_once):
    """The winner takes both cards and leads next; hands are filled from the stock while there is one."""
    out_of_line()
    first = at.STOCK + (2 * trick if trick < at.DRAWS else 0) * LANES
    seen, drawing = at.SEEN + trick * LANES, ALL if trick < at.DRAWS else ZERO
    at_once, later = band(drawing, draw_at_once), band(drawing, inv(draw_at_once))
    for i in range(LANES):
        led, reply = get(space, at.LED, i), get(space, at.REPLY, i)
        both, top, next_one = bor(led, reply), get(space, first, i), get(space, first + LANES, i)
        captured = select(eq(band(reply, get(space, at.KILLERS, i)), ZERO), ZERO, ALL)
        put(space, seen + LANES, i, bor(get(space, seen, i), both))
        leader = bor(bxor(get(space, at.HOLD, i), led), band(top, at_once))
        other = bor(bxor(get(space, at.HOLD + LANES, i), reply), band(next_one, at_once))
        change = band(bxor(leader, other), captured)
        put(space, at.HOLD, i, bor(bxor(leader, change), band(top, later)))
        put(space, at.HOLD + LANES, i, bor(bxor(other, change), band(next_one, later)))
        leaders, others = get(space, at.SCORE, i), get(space, at.SCORE + LANES, i)
        swap = band(bxor(leaders, others), captured)
        put(space, at.SCORE, i, add(bxor(leaders, swap), add(popcount(band(both, HONOURS)), TRICK_WON)))
        put(space, at.SCORE + LANES, i, bxor(others, swap))
        put(space, at.TURN, i, bxor(get(space, at.TURN, i), band(captured, ONE)))


@compiled(part="loop")
def record_trick(space, trick):
    """Keep what `resolve` is about to change."""
    out_of_line()
    row = trick * LANES
    copy(space, at.LED, at.LED_IN + row)
    copy(space, at.REPLY, at.REPLY_IN + row)
    copy(space, at.TURN, at.TURN_IN + row)
    copy(space, at.HOLD, at.HELD_IN + 2 * row)
    copy(space, at.HOLD + LANES, at.HELD_IN + 2 * row + LANES)
    if trick == at.DRAWS:
        copy(space, at.SCORE, at.STOCK_END)
        copy(space, at.SCORE + LANES, at.STOCK_END + LANES)


@compiled(part="loop")
def begin_play(space):
    """Set the dealt block up for a play."""
    for k in range(2):
        copy(space, at.DEALT + k * LANES, at.HOLD + k * LANES)
        fill(space, at.SCORE + k * LANES, ZERO)
    fill(space, at.TURN, ZERO)
    fill(space, at.SEEN, ZERO)


@compiled(part="loop")
def play_block(space, table, a, b, perfect, record):
    """Play the dealt block to the end; row FIRST says which lanes have B in seat 0. With `record`, keep the record.

    perfect: as in `decide`.
    """
    out_of_line()
    begin_play(space)
    for trick in range(at.TRICKS):
        fill(space, at.LED, ZERO)
        decide(space, table, table.words, a, b, perfect, trick, LEAD, at.HOLD, at.LED)
        killers_of(table.reach, table.ace, space, at.LED, at.KILLERS)
        legal = at.HOLD + LANES
        if is_strict(table, trick):
            legal_replies(space, legal, at.LED, at.LEGAL)
            legal = at.LEGAL
        decide(space, table, table.words, a, b, perfect, trick, FOLLOW, legal, at.REPLY)
        if record:
            record_trick(space, trick)
        resolve(space, trick, table.draw_at_once)
    copy(space, at.TURN, at.TURN_IN + at.TRICKS * LANES)
