"""The compiled play of one deal: opening, auction, doublings, announcements, cards, score.

Everything that happens is left in the state vector; counting.py counts it and trace.py reads it out, so that there is
one code path for both.
"""

import numpy as np

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ....compiled.philox import four_words
from . import state as v
from .bits import ALL, NOTHING, SUIT, pairs_in, pick, place_of, points_in
from .opening import (
    DECK_AT,
    LATE_AT,
    NOISE_STREAM,
    SPARE_AT,
    TIES_AT,
    TRUMP_STREAM,
    TURN_STREAM,
    hand_out,
    name_trumps,
    redeal_words,
    shuffle,
)
from .scoring import deal_over, may_announce
from .tricks import beat_of, legal_cards, set_contract
from .units import (
    AUCTION_QUESTION,
    CALLS,
    CARDS,
    CARDS_QUESTION,
    DOUBLING_QUESTION,
    ONE_DOUBLE_QUESTION,
    SEARCH,
    ask,
    introduce,
)


@compiled(part="expression")
def _lay(s, place, led, beat, table, best_seat):
    """Write the trick on the table down where policies look."""
    s[v.PLACE], s[v.LED], s[v.BEAT], s[v.TABLE], s[v.BEST_SEAT] = place, led, beat, table, best_seat


@compiled(part="expression")
def _is_noisy(p, me, s, seat):
    """Whether this decision is left to chance."""
    if not p[me + v.NOISE]:
        return False
    four = four_words(s[v.DEAL], s[v.DONE] >> 2, NOISE_STREAM + ((seat + s[v.CALLER]) & 3), s[v.SEED])
    return np.int64(four[s[v.DONE] & 3]) < p[me + v.NOISE]


@compiled(part="loop")
def hesitate(p, me, s, w, section, seat, allowed):
    """The cards that a policy with noise or search leaves of two or more allowed ones."""
    out_of_line()
    if _is_noisy(p, me, s, seat):
        return pick(allowed, w[TIES_AT + 4 * seat + s[v.DONE]])
    if p[me + v.SEARCH]:
        allowed = ask(SEARCH, CARDS_QUESTION, s, seat, allowed)
    return ask(CARDS, section, s, seat, allowed) if p[me + section] else allowed


@compiled(part="loop")
def consider(p, me, s, w, section, seat, allowed):
    """The cards that a policy leaves of two or more allowed ones."""
    if p[me + v.NOISE] | p[me + v.SEARCH]:
        return hesitate(p, me, s, w, section, seat, allowed)
    return ask(CARDS, section, s, seat, allowed)


@compiled(part="expression")
def draw(p, me, w, seat, turn, cards):
    """One of the cards that are left: the first, or by lot."""
    return cards & -cards if p[me + v.TIES_FIRST] else pick(cards, w[TIES_AT + 4 * seat + turn])


@compiled(part="loop")
def announce(r, p, me, s, seat, pairs):
    """One of some marriages announced, or not, as the leader's policy will: (deal over, cards to lead).

    The most valuable one; a policy that searches finds its card first and announces what that belongs to.
    """
    out_of_line()
    hand, turn = s[v.HAND + seat], s[v.DONE]
    if p[me + v.ANNOUNCE] == v.NEVER or not may_announce(r, s, seat):
        return False, hand
    chosen = hand
    if p[me + v.SEARCH] and not _is_noisy(p, me, s, seat):
        _lay(s, NOTHING, NOTHING, ALL, NOTHING, seat)
        chosen = ask(SEARCH, CARDS_QUESTION, s, seat, hand)
        pairs = pairs & (chosen | chosen >> 1)
        if not pairs:
            return False, chosen
    trump_pair = pairs & SUIT << 8 * s[v.TRUMP]
    points = 40 if trump_pair else 20
    pairs = trump_pair if trump_pair else pairs
    s[v.MARRIAGES + seat] += points
    s[v.JUST] = points
    s[v.ROUTED] = turn == (1 if points == 40 else 2)
    s[v.ANNOUNCED + turn] = 4 * points + (place_of(pairs) >> 3)
    over = deal_over(r, s)
    losing = over and s[v.TEAM] != seat & 1
    if losing or (p[me + v.ANNOUNCE] == v.WHEN_IT_DECIDES and not over):
        s[v.MARRIAGES + seat] -= points
        s[v.JUST] = s[v.ROUTED] = s[v.ANNOUNCED + turn] = s[v.HOW] = 0
        return False, hand
    return over, (pairs | pairs << 1) & chosen


@compiled(part="expression")
def _end_trick(s, turn, table, winner):
    """Give the trick on the table to its winner."""
    first = s[v.TRICKS + (winner & 1)] + s[v.TRICKS + 2 + (winner & 1)] == 0
    s[v.TRICK_WINNER + turn] = s[v.LEADER] = s[v.LAST_WINNER] = winner
    s[v.TRICKS + winner] += 1
    s[v.POINTS + winner] += points_in(table)
    s[v.FIRST_TRICKS] |= table if first else 0
    s[v.PLAYED] |= table
    s[v.DONE] = turn + 1
    s[v.JUST] = 0


@compiled(part="loop")
def play_trick(r, p, s, w):
    """Play one trick; True when the deal is over."""
    turn, leader = s[v.DONE], s[v.LEADER]
    order, trumps, duties = s[v.NOW_ORDER], s[v.NOW_TRUMPS], s[v.NOW_DUTIES]
    s[v.TRICK_LEADER + turn], s[v.BEFORE + turn] = leader, s[v.PLAYED]
    allowed = s[v.HAND + leader]
    if pairs_in(allowed):
        over, allowed = announce(r, p, (leader & 1) * v.POLICY_SIZE, s, leader, pairs_in(allowed))
        if over:
            return True
    led, beat, table, winner = NOTHING, ALL, NOTHING, leader
    away = s[v.AWAY]
    asked = turn == 0 and r[v.WINDOW_OPEN] and p[v.P_DOUBLE] + p[v.POLICY_SIZE + v.P_DOUBLE]
    for place in range(4):
        seat = (leader + place) & 3
        if seat == away:
            continue
        me = (seat & 1) * v.POLICY_SIZE
        if asked:
            ask(CALLS, ONE_DOUBLE_QUESTION, s, seat, NOTHING)
        hand = s[v.HAND + seat]
        if place:
            allowed = legal_cards(hand, led, beat, trumps, duties, order, table)
        if p[me + v.THINKS + (place > 0)] and allowed & (allowed - 1):
            _lay(s, place, led, beat, table, winner)
            allowed = consider(p, me, s, w, v.P_FOLLOW if place else v.P_LEAD, seat, allowed)
        card = draw(p, me, w, seat, turn & 3, allowed)  # of the last trick's one card any word draws the same
        led = led if place else card
        s[v.HAND + seat] = hand & ~card
        s[v.CARDS + 4 * turn + place] = card
        table |= card
        higher = beat_of(order, trumps, card)
        winner, beat = (seat, higher) if card & beat else (winner, beat)
    if s[v.ANNOUNCED + turn]:
        s[v.ANNOUNCED + turn] += (place_of(led) >> 3) - (s[v.ANNOUNCED + turn] & 3)
    _end_trick(s, turn, table, winner)
    return deal_over(r, s)


@compiled(part="expression")
def _all_pass(s):
    """The auction of two policies that never bid."""
    for seat in range(4):
        s[v.CALL + seat] = 32 * seat
    s[v.CALLS] = 4


@compiled(part="loop")
def play_deal(r, p, s, w):
    """Play the deal whose words are in `w` into `s`; p: both policies, that of the caller's side first."""
    out_of_line()
    introduce(r, p, s)
    hand_out(r, w, DECK_AT, s)
    word, turn_word = w[LATE_AT], w[LATE_AT + 4]
    while not r[v.BY_AUCTION] and name_trumps(r, p, NOTHING, s, NOTHING, word, turn_word):
        again = s[v.REDEALS] + 1
        redeal_words(s[v.DEAL], s[v.SEED], again, w, SPARE_AT)
        shuffle(w, SPARE_AT, SPARE_AT + 20)
        hand_out(r, w, SPARE_AT + 20, s)
        s[v.REDEALS] = again
        word = np.int64(four_words(s[v.DEAL], again, TRUMP_STREAM, s[v.SEED])[0])
        turn_word = np.int64(four_words(s[v.DEAL], again, TURN_STREAM, s[v.SEED])[0])
    if p[v.P_BID] + p[v.POLICY_SIZE + v.P_BID]:
        ask(CALLS, AUCTION_QUESTION, s, NOTHING, NOTHING)
    else:
        _all_pass(s)
    if r[v.BY_AUCTION]:
        seat = s[v.DECLARER]
        name_trumps(r, p, (seat & 1) * v.POLICY_SIZE, s, seat, w[LATE_AT + seat], NOTHING)
    set_contract(r, s)
    if s[v.NOW_AIM] == v.AIM_DECLARED:
        deal_over(r, s)
        return
    if not r[v.WINDOW_OPEN] and p[v.P_DOUBLE] + p[v.POLICY_SIZE + v.P_DOUBLE]:
        ask(CALLS, DOUBLING_QUESTION, s, NOTHING, NOTHING)
    for _ in range(5):
        if play_trick(r, p, s, w):
            break
