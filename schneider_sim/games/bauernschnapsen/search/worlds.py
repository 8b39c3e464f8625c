"""The choices of one decision tried on sampled worlds: what becomes of each, world by world.

A world is a layout of the hidden cards and a luck, as in rollouts.py, but none that any search in play draws. Layouts
are uniform over those that fit what the seat has seen, whatever its policy remembers. For bids and doublings they are
those in which the other seats would have called as they did by their words, where such a layout is soon found. The
rest is played by both policies' words. Source: docs/analysis.md, "What a card is worth: `position`".
"""

import numpy as np

from ....compiled.cells import cells, keep_alive
from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ....compiled.philox import four_words
from ..decide.plugins import DEAL as FAULT_DEAL
from ..kernel import state as v
from ..kernel.bits import NOTHING, pairs_in
from ..kernel.deal import announce, consider, draw, play_bid
from ..kernel.fields import FieldsType, fields_of
from ..kernel.loops import hand_back, take_in
from ..kernel.opening import (
    NEW_DEAL,
    ROWS,
    SPARE_AT,
    TIES_AT,
    TURN_ONE_UP,
    hand_out,
    name_trumps,
    redeal_words,
    shuffle,
)
from ..kernel.streams import ROLLOUT_KEPT, TIES, TRUMPS, TURNED_UP
from ..kernel.tricks import legal_cards
from ..kernel.units import (
    AUCTION_QUESTION,
    BID_QUESTION,
    CALLS,
    CARDS_QUESTION,
    DOUBLE_QUESTION,
    ONE_DOUBLE_QUESTION,
    REST_OF_AUCTION,
    SUIT_QUESTION,
    ask,
    introduce,
    policies_in,
    rules_in,
    state_in,
)
from .evidence import likelihood
from .layouts import count_layouts
from .rollouts import (
    ATTEMPTS,
    DRAWN,
    ROOM,
    deal_again,
    draw_agreeing,
    draw_hands,
    draw_luck,
    enter,
    lay_world,
    play_on,
)
from .sampling import NAMED

BLOCK = 256  # worlds drawn together, when plays are evidence
APART = np.int64(-(2**63))  # the deal numbers of these worlds' random words: no deal and no search in play has them
FURTHER, ROUNDS = np.int64(1 << 24), 8  # where no layout was found to fit: how far on to look again, and how often
LIKELY = 40  # bits of a likelihood
room_in, _ = fields_of(FieldsType(ROOM))


@compiled(part="loop")
def _knows(r, s, seat, question):
    """The own cards that a seat knows when it is asked."""
    return s.first[seat] if question == SUIT_QUESTION or (question == BID_QUESTION and r.by_auction) else s.hand[seat]


@compiled(part="loop")
def look_around(r, m, s, seat, question, remembering):
    """Make ready to draw worlds for a seat; how many layouts fit. remembering: a policy that forgets nothing."""
    out_of_line()
    enter(m, s, seat, True)
    s.deal = s.deal | APART
    return count_layouts(r, remembering, s, seat, _knows(r, s, seat, question))


@compiled(part="loop")
def _draw(r, m, s, seat, question, count, number, deal):
    """Draw the hands of a world; those that fit the others' calls, where such are found."""
    out_of_line()
    named = NOTHING if question == SUIT_QUESTION else NAMED
    if question in (BID_QUESTION, DOUBLE_QUESTION):
        number *= ATTEMPTS
        if draw_agreeing(r, m, s, seat, question, count, number, deal):
            return True
    again = NOTHING
    while again < ROUNDS and not draw_hands(r, m, s, seat, count, named, number + again * FURTHER):
        again += 1
    return again < ROUNDS


@compiled(part="loop")
def _keep_likely(r, m, s, seat, count, block, plays, likely, kept):
    """Choose BLOCK worlds of DRAWN times as many, each as often as its likelihood says; alike if all have none."""
    out_of_line()
    total, base = NOTHING, DRAWN * BLOCK * block
    for drawn in range(DRAWN * BLOCK):
        weight = NOTHING
        if _draw(r, m, s, seat, CARDS_QUESTION, count, base + drawn, NOTHING):
            lay_world(m, s, NOTHING, m.hands)
            weight = np.int64(likelihood(r, m.players, s, m.state, seat, plays) * (1 << LIKELY))
        likely[drawn] = weight
        total += weight
    if total < BLOCK:
        for drawn in range(DRAWN * BLOCK):
            likely[drawn] = 1 << 20
        total = np.int64(DRAWN * BLOCK << 20)
    word = np.int64(four_words(s.deal, base, ROLLOUT_KEPT + ((seat + s.caller) & 3), s.seed)[0])
    step = total // BLOCK
    point, reached, world = word * (step >> 16) >> 16, likely[0], NOTHING
    for slot in range(BLOCK):
        while reached <= point and world < DRAWN * BLOCK - 1:
            world += 1
            reached += likely[world]
        kept[slot * 7 & BLOCK - 1] = world
        point += step


@compiled(part="loop")
def _new_deal(r, z, p, w):
    """Play the deal from another shuffle of the same dealer's, as after a new deal was asked for."""
    out_of_line()
    asking = True
    while asking:
        again = z.redeals + 1
        redeal_words(z.deal, z.seed, again, w, SPARE_AT)
        shuffle(w, SPARE_AT, SPARE_AT + 20)
        hand_out(r, w, SPARE_AT + 20, z)
        z.redeals = again
        word = np.int64(four_words(z.deal, again, TRUMPS, z.seed)[0])
        turn_word = np.int64(four_words(z.deal, again, TURNED_UP, z.seed)[0])
        asking = name_trumps(r, p[0], z, NOTHING, word, turn_word)
    ask(CALLS, AUCTION_QUESTION, z, NOTHING, NOTHING)
    play_bid(r, p, z, w)


@compiled(part="loop")
def _outcome(r, m, s, seat, question, choice, deal):
    """Game points of the seat's side when it takes a choice in a world."""
    out_of_line()
    lay_world(m, s, deal, m.hands)
    z = m.state
    if question == SUIT_QUESTION and choice == NEW_DEAL:
        _new_deal(r, z, m.players, m.words)
        points = z.worth << z.level
        return points if z.team == seat & 1 else -points
    if not s.done and not s.table:
        deal_again(r, s, z, seat, question)
    return play_on(r, m, s, seat, question, choice)


@compiled(part="loop")
def try_on_world(r, m, s, seat, question, count, choices, n, number, given, kept, points, row, place):
    """points[row * choice + place] = what becomes of each of `n` choices in a world; False if none is found to fit.

    given: 0 for hands drawn for this world; else `kept` says which of the hands drawn for its block it has.
    """
    out_of_line()
    deal = draw_luck(m, s, seat, number)
    if given:
        block = number // BLOCK
        base = DRAWN * BLOCK * block + kept[number - BLOCK * block]
        found = _draw(r, m, s, seat, question, count, base, deal)
    else:
        found = _draw(r, m, s, seat, question, count, number, deal)
    for choice in range(n):
        points[row * choice + place] = _outcome(r, m, s, seat, question, choices[choice], deal) if found else NOTHING
    return found


@compiled(part="loop")
def report_fault(m, s, outside):
    """Hand out the first fault of a user's preference in a world or in play, if there was one."""
    if m.state.fault[0] and not s.fault[0]:
        for i in range(v.FAULT_SIZE):
            s.fault[i] = m.state.fault[i]
        s.fault[FAULT_DEAL] = s.deal & ~APART
    hand_back(s, outside)


@compiled
def try_block(rules, players, outside, room, state, question, seat, choices, block, plays, likely, kept, points):
    """points[choice, world] of a block of worlds, int64[choices, BLOCK]; how many layouts fit.

    players: int64[3 * POLICY_SIZE], that of the caller's side first, then one that forgets nothing; state: that of the
    decision, which is not changed; plays: how many of the others' plays are evidence; kept: int64[BLOCK], which of the
    hands drawn a world has; likely: int64[DRAWN * BLOCK] of room.
    """
    own = state.copy()
    r, p, m, s = rules_in(rules, 0), policies_in(players, 0), room_in(room, 0), state_in(own, 0)
    take_in(s, outside)
    introduce(r, p, s)
    count, given = look_around(r, m, s, seat, question, p[2]), NOTHING
    if plays and question == CARDS_QUESTION:
        given = NOTHING + 1
        _keep_likely(r, m, s, seat, count, block, plays, cells(likely, 0), cells(kept, 0))
    for place in range(BLOCK):
        try_on_world(r, m, s, seat, question, count, cells(choices, 0), len(choices), NOTHING + block * BLOCK + place,
                     given, cells(kept, 0), cells(points, 0), NOTHING + BLOCK, NOTHING + place)
        if m.state.fault[0]:
            break
    report_fault(m, s, outside)
    keep_alive(rules, players, room, own, choices, likely, kept, points)
    return count


@compiled(part="loop")
def _own_card(r, me, s, seat, w):
    """The card that a policy plays, with its search if it has one."""
    out_of_line()
    allowed, leads, turn = s.hand[seat], s.place == 0, s.done & 3
    ties = four_words(s.deal, NOTHING, TIES + ((seat + s.caller) & 3), s.seed)
    for i in range(4):
        w[TIES_AT + 4 * seat + i] = np.int64(ties[i])
    if not leads:
        allowed = legal_cards(allowed, s.led, s.beat, s.now_trumps, s.now_duties, s.now_order, s.table)
    elif pairs_in(allowed):
        over, allowed = announce(r, me, s, seat, pairs_in(allowed))
        if over:
            return allowed & -allowed
    if me.thinks[(0 if leads else 1)] and allowed & (allowed - 1):
        allowed = consider(me, s, w, NOTHING + (v.P_LEAD if leads else v.P_FOLLOW), seat, allowed)
    return draw(me, w, seat, turn, allowed)


@compiled(part="loop")
def _own_suit(r, me, s, seat):
    """The suit that a policy names, or that it turns a card up or asks for a new deal."""
    out_of_line()
    word = np.int64(four_words(s.deal, s.redeals, TRUMPS, s.seed)[(seat if r.by_auction else 0)])
    turn_word = np.int64(four_words(s.deal, s.redeals, TURNED_UP, s.seed)[0])
    if name_trumps(r, me, s, seat, word, turn_word):
        return NOTHING + NEW_DEAL
    return NOTHING + TURN_ONE_UP if s.turned else s.trump


@compiled
def own_choice(rules, players, outside, state, question, seat):
    """What the seat's policy does in a decision, with its search if it has one; `state` is not changed."""
    own, words = state.copy(), np.zeros(ROWS, np.int64)
    r, p, s, w = rules_in(rules, 0), policies_in(players, 0), state_in(own, 0), cells(words, 0)
    take_in(s, outside)
    introduce(r, p, s)
    me, found = p[seat & 1], NOTHING
    if question == CARDS_QUESTION:
        found = _own_card(r, me, s, seat, w)
    elif question == SUIT_QUESTION:
        found = _own_suit(r, me, s, seat)
    elif question == BID_QUESTION:
        n = s.calls
        ask(CALLS, REST_OF_AUCTION, s, seat, NOTHING - 1)
        found = s.call[n] & 31
    else:
        level = s.level
        ask(CALLS, ONE_DOUBLE_QUESTION, s, seat, NOTHING)
        found = s.level - level
    hand_back(s, outside)
    keep_alive(rules, players, own, words)
    return found
