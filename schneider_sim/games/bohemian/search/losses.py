"""What every card of recorded plays lost: on sampled worlds while there is a stock, exactly from then on.

One set of worlds chooses the best card, another measures what the card played loses against it, so that the choice
does not profit from its own luck. No search that a policy makes in play sees any of these worlds.
"""

from numba import int64

from ....compiled.cells import cells_at
from ....compiled.jit import compiled
from ....compiled.lanes import LANES, ZERO, U, copy, fill, get, inv, out_of_line, put, rows
from .. import state as at
from ..card_words import want
from ..endgame.values import HONOUR_BITS, card_values, count, place_of
from ..kernel import FOLLOW, is_strict, legal_replies
from ..plugins import KIND
from ..tricks import killers_of
from .policies import measure

FIRST_WORLD = 1 << 19  # beyond all worlds of searches in play
WHO, CHOICES, PLAYED, BETTER, LOST = range(5)  # columns of what is found, LOST in points times worlds


@compiled(part="loop")
def set_position(record, lane, here, trick, side, mine, theirs):
    """Lane 0 of `here` = the decision of `trick` and `side` in a lane of the record; mine, theirs: honours so far."""
    out_of_line()
    put(here, at.TURN, 0, get(record, at.TURN_IN + trick * LANES, lane))
    put(here, at.FIRST, 0, get(record, at.FIRST, lane))
    for k in range(2):
        put(here, at.HOLD + k * LANES, 0, get(record, at.HELD_IN + (2 * trick + k) * LANES, lane))
    put(here, at.SEEN + trick * LANES, 0, get(record, at.SEEN + trick * LANES, lane))
    put(here, at.LED, 0, get(record, at.LED_IN + trick * LANES, lane) if side else ZERO)
    put(here, at.SCORE + side * LANES, 0, U(mine))
    put(here, at.SCORE + (1 - side) * LANES, 0, U(theirs))


@compiled(part="loop")
def legal_now(table, here, trick, side):
    """The cards that may be played in lane 0, as a mask."""
    out_of_line()
    hand = int64(get(here, at.HOLD + side * LANES, 0))
    if side and is_strict(table, trick):
        following = hand & (int64(255) << (place_of(int64(get(here, at.LED, 0))) & 24))
        return following if following else hand
    return hand


@compiled(part="loop")
def _exactly(t, here, side, legal, played, mine, theirs, values):
    """The best card without a stock, and the points that `played` loses against it."""
    out_of_line()
    led = int64(get(here, at.LED, 0)) if side else int64(0)
    own = int64(get(here, at.HOLD + side * LANES, 0))
    other = int64(get(here, at.HOLD + (1 - side) * LANES, 0)) & ~led
    card_values(t.table.exact, own, other, led, t.room, values)
    left = count((own | other | led) & HONOUR_BITS)
    points, best, most = cells_at(t.table.points), played, int64(-99)
    reached = points[mine + ((left + values[place_of(played)]) >> 1)]
    while legal:
        card = legal & -legal
        legal &= legal - 1
        if values[place_of(card)] > most:
            best, most = card, values[place_of(card)]
    lost = points[mine + ((left + most) >> 1)] - reached
    return (best if lost else played), lost


@compiled(part="loop")
def _on_worlds(t, room, trick, side, seat, own, other, legal, played, worlds, deal, seed, cards):
    """The best card on one set of worlds, and the points in all that `played` loses against it on as many others."""
    out_of_line()
    tried, rest = 0, legal
    while rest:
        cards[tried] = rest & -rest
        rest &= rest - 1
        tried += 1
    measure(t, room, trick, side, seat, own, other, other, 0, cards[:tried], FIRST_WORLD, worlds, deal, seed)
    best, most = 0, t.sums[1]
    for card in range(1, tried):
        if t.sums[1 + card] > most:
            best, most = card, t.sums[1 + card]
    for card in range(tried):
        if cards[card] == played and t.sums[1 + card] == most:
            best = card
    better = cards[best]
    if better == played or cells_at(t.table.fault)[KIND]:
        return played, int64(0)
    cards[0], cards[1] = played, better
    second = FIRST_WORLD + (worlds + LANES - 1) // LANES * LANES
    measure(t, room, trick, side, seat, own, other, other, 0, cards[:2], second, worlds, deal, seed)
    return better, t.sums[2] - t.sums[1]


@compiled
def lose(t, record, room, a, b, lo, hi, deals, seed, worlds, values, found):
    """found[lane, trick, side, column], int64[LANES, 16, 2, 5], for the plays recorded in lanes lo … hi - 1.

    deals: the number of each lane's deal, whose words the worlds take; room: a space of its own; values: int64[33].
    """
    record, here, cards, won = rows(record), rows(room), t.cards.copy(), t.cards[:2].copy()
    for lane in range(lo, hi):
        won[:] = 0
        for trick in range(at.TRICKS):
            turn = int64(get(record, at.TURN_IN + trick * LANES, lane))
            both = int64(0)
            for side in range(2):
                seat = turn ^ side
                is_b = seat ^ int64(get(record, at.FIRST, lane))
                set_position(record, lane, here, trick, side, won[seat], won[1 - seat])
                played = int64(get(record, (at.REPLY_IN if side else at.LED_IN) + trick * LANES, lane))
                legal = legal_now(t.table, here, trick, side)
                both |= played
                better, lost = played, int64(0)
                if legal & (legal - 1) and trick < at.DRAWS:
                    own, other = (b, a) if is_b else (a, b)
                    better, lost = _on_worlds(t, room, trick, side, seat, own, other, legal, played, worlds,
                                              deals[lane], seed, cards)
                elif legal & (legal - 1):
                    better, lost = _exactly(t, here, side, legal, played, won[seat], won[1 - seat], values)
                    lost *= worlds
                row = found[lane, trick, side]
                row[WHO], row[CHOICES], row[LOST] = is_b, count(legal), lost
                row[PLAYED], row[BETTER] = place_of(played), place_of(better)
                if cells_at(t.table.fault)[KIND]:
                    return
            won[int64(get(record, at.TURN_IN + (trick + 1) * LANES, lane))] += count(both & HONOUR_BITS)


@compiled
def fresh(t, record, room, a, b, lane, trick, side, mine, theirs, cards, first, worlds, deal, seed):
    """Set t.sums to those of two cards, masks, on worlds that neither chose nor measured before; with a stock."""
    record, here = rows(record), rows(room)
    for past in range(trick + 1):
        put(here, at.SEEN + past * LANES, 0, get(record, at.SEEN + past * LANES, lane))
    set_position(record, lane, here, trick, side, mine, theirs)
    seat = int64(get(here, at.TURN, 0)) ^ side
    is_b = seat ^ int64(get(here, at.FIRST, 0))
    own, other = (b, a) if is_b else (a, b)
    measure(t, room, trick, side, seat, own, other, other, 0, cards, first, worlds, deal, seed)


@compiled
def wanted_cards(record, table, codes, trick, side, out):
    """out[word, lane], int64: the cards of the hand that each word of `codes` wants, and those that are legal, last."""
    record, hand = rows(record), at.HELD_IN + (2 * trick + side) * LANES
    legal = hand
    fill(record, at.LED, ZERO)
    fill(record, at.KILLERS, ZERO)
    if side == FOLLOW:
        copy(record, at.LED_IN + trick * LANES, at.LED)
        killers_of(table.reach, table.ace, record, at.LED, at.KILLERS)
        if is_strict(table, trick):
            legal_replies(record, hand, at.LED, at.LEGAL)
            legal = at.LEGAL
    for i in range(LANES):
        seen = get(record, at.SEEN + trick * LANES, i) | get(record, hand, i) | get(record, at.LED, i)
        put(record, at.UNSEEN, i, inv(seen))
        put(record, at.CANDIDATES, i, get(record, legal, i))
        out[len(codes), i] = int64(get(record, legal, i))
    for word in range(len(codes)):
        want(codes[word], table.reach, table.ace, record, hand, at.CANDIDATES)
        for i in range(LANES):
            out[word, i] = int64(get(record, at.WANTED, i) & get(record, at.CANDIDATES, i))

