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
    SPARE_AT,
    TIES_AT,
    hand_out,
    name_trumps,
    redeal_words,
    shuffle,
)
from .scoring import deal_over, may_announce
from .streams import NOISE, TRUMPS, TURNED_UP
from .tricks import beat_of, legal_cards, set_contract
from .units import (
    AUCTION_QUESTION,
    CALLS,
    CARDS,
    CARDS_QUESTION,
    DOUBLING_QUESTION,
    ONE_DOUBLE_QUESTION,
    ROLLOUT,
    SEARCH,
    ask,
    introduce,
)


@compiled(part="expression")
def some_roll_out(p):
    """Whether a side searches by playing on, and so may call where its words say nothing."""
    return (p[0].search | p[1].search) & v.ROLLOUT


@compiled(part="expression")
def lay(s, place, led, beat, table, best_seat):
    """Write the trick on the table down where policies look."""
    s.place, s.led, s.beat, s.table, s.best_seat = place, led, beat, table, best_seat


@compiled(part="expression")
def _is_noisy(me, s, seat):
    """Whether this decision is left to chance."""
    if not me.noise:
        return False
    four = four_words(s.deal, s.done >> 2, NOISE + ((seat + s.caller) & 3), s.seed)
    return np.int64(four[s.done & 3]) < me.noise


@compiled(part="loop")
def hesitate(me, s, w, section, seat, allowed):
    """The cards that a policy with noise or search leaves of two or more allowed ones."""
    out_of_line()
    if _is_noisy(me, s, seat):
        return pick(allowed, w[TIES_AT + 4 * seat + s.done])
    if me.search == v.ROLLOUT:
        return ask(ROLLOUT, CARDS_QUESTION, s, seat, allowed)
    if me.search:
        allowed = ask(SEARCH, CARDS_QUESTION, s, seat, allowed)
    words = me.follow.n if section == v.P_FOLLOW else me.lead.n
    return ask(CARDS, section, s, seat, allowed) if words else allowed


@compiled(part="loop")
def consider(me, s, w, section, seat, allowed):
    """The cards that a policy leaves of two or more allowed ones."""
    if me.noise | me.search:
        return hesitate(me, s, w, section, seat, allowed)
    return ask(CARDS, section, s, seat, allowed)


@compiled(part="expression")
def draw(me, w, seat, turn, cards):
    """One of the cards that are left: the first, or a random one."""
    return cards & -cards if me.ties_first else pick(cards, w[TIES_AT + 4 * seat + turn])


@compiled(part="loop")
def announce(r, me, s, seat, pairs):
    """One of some marriages announced, or not, as the leader's policy will: (deal over, cards to lead).

    The most valuable one; a policy that searches finds its card first and announces what that belongs to.
    """
    out_of_line()
    hand = s.hand[seat]
    if me.announce == v.NEVER or not may_announce(r, s, seat):
        return False, hand
    chosen = hand
    if me.search and not _is_noisy(me, s, seat):
        lay(s, NOTHING, NOTHING, ALL, NOTHING, seat)
        chosen = ask(ROLLOUT if me.search == v.ROLLOUT else SEARCH, CARDS_QUESTION, s, seat, hand)
        pairs = pairs & (chosen | chosen >> 1)
        if not pairs:
            return False, chosen
    return announce_one(r, me, s, seat, pairs, chosen)


@compiled(part="loop")
def announce_one(r, me, s, seat, pairs, chosen):
    """The most valuable of some marriages announced, unless that loses or the policy waits: (deal over, cards to lead).

    chosen: the cards that may be led.
    """
    out_of_line()
    turn = s.done
    trump_pair = pairs & SUIT << 8 * s.trump
    points = 40 if trump_pair else 20
    pairs = trump_pair if trump_pair else pairs
    s.marriages[seat] += points
    s.just = points
    s.routed = turn == (1 if points == 40 else 2)
    s.announced[turn] = 4 * points + (place_of(pairs) >> 3)
    over = deal_over(r, s)
    losing = over and s.team != seat & 1
    if losing or (me.announce == v.WHEN_IT_DECIDES and not over):
        s.marriages[seat] -= points
        s.just = s.routed = s.announced[turn] = s.how = 0
        return False, chosen
    return over, (pairs | pairs << 1) & chosen


@compiled(part="expression")
def end_trick(s, turn, table, winner):
    """Give the trick on the table to its winner."""
    first = s.tricks[(winner & 1)] + s.tricks[2 + (winner & 1)] == 0
    s.trick_winner[turn] = s.leader = s.last_winner = winner
    s.tricks[winner] += 1
    s.points[winner] += points_in(table)
    s.first_tricks |= table if first else 0
    s.played |= table
    s.done = turn + 1
    s.just = 0


@compiled(part="loop")
def play_trick(r, p, s, w):
    """Play one trick; True when the deal is over."""
    turn, leader = s.done, s.leader
    s.trick_leader[turn], s.before[turn] = leader, s.played
    allowed = s.hand[leader]
    if pairs_in(allowed):
        over, allowed = announce(r, p[leader & 1], s, leader, pairs_in(allowed))
        if over:
            return True
    return finish_trick(r, p, s, w, NOTHING, NOTHING, NOTHING, ALL, NOTHING, leader, allowed)


@compiled(part="loop")
def finish_trick(r, p, s, w, first, asked_from, led, beat, table, winner, only):
    """Play a trick from a place on, whose seat plays one of the cards `only`; True when the deal is over.

    asked_from: the place from which seats are asked to double, where they are asked before their first cards.
    """
    turn, leader = s.done, s.leader
    order, trumps, duties = s.now_order, s.now_trumps, s.now_duties
    away = s.away
    asked = turn == 0 and r.window_open and p[0].double.n + p[1].double.n + some_roll_out(p)
    for place in range(first, 4):
        seat = (leader + place) & 3
        if seat == away:
            continue
        me = p[seat & 1]
        if asked and place >= asked_from:
            lay(s, place, led, beat, table, winner)
            ask(CALLS, ONE_DOUBLE_QUESTION, s, seat, NOTHING)
        hand = s.hand[seat]
        allowed = only if place == first else legal_cards(hand, led, beat, trumps, duties, order, table)
        if me.thinks[min(place, 1)] and allowed & (allowed - 1):
            lay(s, place, led, beat, table, winner)
            allowed = consider(me, s, w, v.P_FOLLOW if place else v.P_LEAD, seat, allowed)
        card = draw(me, w, seat, turn & 3, allowed)  # of the last trick's one card any word draws the same
        led = led if place else card
        s.hand[seat] = hand & ~card
        s.cards[4 * turn + place] = card
        table |= card
        higher = beat_of(order, trumps, card)
        winner, beat = (seat, higher) if card & beat else (winner, beat)
    if s.announced[turn]:
        s.announced[turn] += (place_of(led) >> 3) - (s.announced[turn] & 3)
    end_trick(s, turn, table, winner)
    return deal_over(r, s)


@compiled(part="expression")
def _all_pass(s):
    """The auction of two policies that never bid."""
    for seat in range(4):
        s.call[seat] = 32 * seat
    s.calls = 4


@compiled(part="loop")
def play_deal(r, p, s, w):
    """Play the deal whose words are in `w` into `s`; p: both policies, that of the caller's side first."""
    out_of_line()
    introduce(r, p, s)
    hand_out(r, w, DECK_AT, s)
    word, turn_word = w[LATE_AT], w[LATE_AT + 4]
    while not r.by_auction and name_trumps(r, p[0], s, NOTHING, word, turn_word):
        again = s.redeals + 1
        redeal_words(s.deal, s.seed, again, w, SPARE_AT)
        shuffle(w, SPARE_AT, SPARE_AT + 20)
        hand_out(r, w, SPARE_AT + 20, s)
        s.redeals = again
        word = np.int64(four_words(s.deal, again, TRUMPS, s.seed)[0])
        turn_word = np.int64(four_words(s.deal, again, TURNED_UP, s.seed)[0])
    if p[0].bid.n + p[1].bid.n + some_roll_out(p):
        ask(CALLS, AUCTION_QUESTION, s, NOTHING, NOTHING)
    else:
        _all_pass(s)
    play_bid(r, p, s, w)


@compiled(part="loop")
def play_bid(r, p, s, w):
    """Play the rest of a deal once the auction is over."""
    if r.by_auction:
        seat = s.declarer
        name_trumps(r, p[seat & 1], s, seat, w[LATE_AT + seat], NOTHING)
    play_contract(r, p, s, w)


@compiled(part="loop")
def play_contract(r, p, s, w):
    """Play the rest of a deal once its contract and trumps are known."""
    set_contract(r, s)
    if s.now_aim == v.AIM_DECLARED:
        deal_over(r, s)
        return
    if not r.window_open and p[0].double.n + p[1].double.n + some_roll_out(p):
        ask(CALLS, DOUBLING_QUESTION, s, NOTHING, NOTHING)
    play_tricks(r, p, s, w)


@compiled(part="loop")
def play_tricks(r, p, s, w):
    """Play trick after trick until the deal is over."""
    while not play_trick(r, p, s, w):
        pass
