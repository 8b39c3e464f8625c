"""The compiled play of a deal, from the shuffle to the score, and the loop over deals that counts them.

A play leaves everything that happened in its state vector; counting.py counts it and trace.py reads it out, so that
there is one code path for both. Random words come for 256 deals at once from lanes; the play itself is scalar.
"""

import numpy as np

from ...jit import compiled
from ...lanes import LANES, U, get, out_of_line
from ...philox import four_words, random_words
from . import vectors as v
from .bits import ALL, KINGS, SUIT, pairs_in, pick, place_of, points_in
from .cardplay import beat_of, legal_cards, ruled_out, set_contract
from .cells import cells, keep_alive
from .counting import count_pair, count_play
from .opening import (
    CARD_BLOCKS,
    CARD_STREAM,
    NOISE_STREAM,
    TIES_STREAM,
    TRUMP_STREAM,
    TURN_STREAM,
    hand_out,
    name_trumps,
    redeal_words,
    shuffle,
)
from .scoring import deal_over, may_announce
from .units import (
    AUCTION_QUESTION,
    CALLS,
    CARDS,
    CARDS_QUESTION,
    DOUBLING_QUESTION,
    ONE_DOUBLE_QUESTION,
    SEARCH,
    ask,
)

CARDS_AT, TIES_AT, LATE_AT, DECK_AT, SPARE_AT, ROWS = 0, 20, 36, 44, 64, 104  # places of a deal's words and decks


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
def decide(r, p, me, s, w, section, seat, allowed):
    """The card that the seat's policy plays, of two or more allowed ones."""
    out_of_line()
    turn = s[v.DONE]
    if _is_noisy(p, me, s, seat):
        return pick(allowed, w[TIES_AT + 4 * seat + turn])
    if p[me + v.SEARCH]:
        allowed = ask(SEARCH, CARDS_QUESTION, r, p, me, s, seat, allowed)
    if p[me + section]:
        allowed = ask(CARDS, section, r, p, me, s, seat, allowed)
    return allowed & -allowed if p[me + v.TIES_FIRST] else pick(allowed, w[TIES_AT + 4 * seat + turn])


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
        _lay(s, 0, 0, ALL, 0, seat)
        chosen = ask(SEARCH, CARDS_QUESTION, r, p, me, s, seat, hand)
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


@compiled(part="loop")
def _learn(s, seat, card, place, led, beat, table):
    """What a card played tells everybody about its player's hand; kept for policies that search."""
    out_of_line()
    if place:
        gone = ruled_out(card, led, beat, s[v.NOW_TRUMPS], s[v.NOW_DUTIES], s[v.NOW_ORDER], table)
        s[v.POSSIBLE + seat] &= ~gone
    elif s[v.ANNOUNCED + s[v.DONE]]:
        s[v.PROVEN + seat] |= card >> 1 if card & KINGS else card << 1


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
    led, beat, table, winner = 0, ALL, 0, leader
    away, track = s[v.AWAY], s[v.TRACK]
    asked = turn == 0 and r[v.WINDOW_OPEN] and p[v.P_DOUBLE] + p[v.POLICY_SIZE + v.P_DOUBLE]
    for place in range(4):
        seat = (leader + place) & 3
        if seat == away:
            continue
        me = (seat & 1) * v.POLICY_SIZE
        if asked:
            ask(CALLS, ONE_DOUBLE_QUESTION, r, p, me, s, seat, 0)
        hand = s[v.HAND + seat]
        if place:
            allowed = legal_cards(hand, led, beat, trumps, duties, order, table)
        if p[me + v.THINKS + (place > 0)] and allowed & (allowed - 1):
            _lay(s, place, led, beat, table, winner)
            card = decide(r, p, me, s, w, v.P_FOLLOW if place else v.P_LEAD, seat, allowed)
        elif p[me + v.TIES_FIRST]:
            card = allowed & -allowed
        else:
            card = pick(allowed, w[TIES_AT + 4 * seat + (turn & 3)])
        if track:
            _learn(s, seat, card, place, led, beat, table)
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
    hand_out(r, w, DECK_AT, s)
    word, turn_word = w[LATE_AT], w[LATE_AT + 4]
    while not r[v.BY_AUCTION] and name_trumps(r, p, 0, s, 0, word, turn_word):
        again = s[v.REDEALS] + 1
        redeal_words(s[v.DEAL], s[v.SEED], again, w, SPARE_AT)
        shuffle(w, SPARE_AT, SPARE_AT + 20)
        hand_out(r, w, SPARE_AT + 20, s)
        s[v.REDEALS] = again
        word = np.int64(four_words(s[v.DEAL], again, TRUMP_STREAM, s[v.SEED])[0])
        turn_word = np.int64(four_words(s[v.DEAL], again, TURN_STREAM, s[v.SEED])[0])
    if p[v.P_BID] + p[v.POLICY_SIZE + v.P_BID]:
        ask(CALLS, AUCTION_QUESTION, r, p, 0, s, 0, 0)
    else:
        _all_pass(s)
    if r[v.BY_AUCTION]:
        seat = s[v.DECLARER]
        name_trumps(r, p, (seat & 1) * v.POLICY_SIZE, s, seat, w[LATE_AT + seat], 0)
    set_contract(r, s)
    if s[v.NOW_AIM] == v.AIM_DECLARED:
        deal_over(r, s)
        return
    if not r[v.WINDOW_OPEN] and p[v.P_DOUBLE] + p[v.POLICY_SIZE + v.P_DOUBLE]:
        ask(CALLS, DOUBLING_QUESTION, r, p, 0, s, 0, 0)
    for _ in range(5):
        if play_trick(r, p, s, w):
            break


@compiled(part="loop")
def draw_words(start, seed, space):
    """The words of 256 deals from `start`, a row of lanes each: cards, ties by seat as seated, trumps, turning up."""
    out_of_line()
    low, high = U(np.uint64(start)), U(np.uint64(start) >> np.uint64(32))
    k0, k1 = U(np.uint64(seed)), U(np.uint64(seed) >> np.uint64(32))
    for block in range(CARD_BLOCKS):
        random_words(low, high, U(block), U(CARD_STREAM), k0, k1, space, (CARDS_AT + 4 * block) * LANES)
    for seat in range(4):
        random_words(low, high, U(0), U(TIES_STREAM + seat), k0, k1, space, (TIES_AT + 4 * seat) * LANES)
    random_words(low, high, U(0), U(TRUMP_STREAM), k0, k1, space, LATE_AT * LANES)
    random_words(low, high, U(0), U(TURN_STREAM), k0, k1, space, (LATE_AT + 4) * LANES)


@compiled(part="loop")
def set_up(s, deal, seed, ours, theirs, track, lane, space, w):
    """Fill the state and the words of one deal from its lane; ties go to seats relative to the caller."""
    s[v.DEAL], s[v.SEED], s[v.CALLER], s[v.TRACK] = deal, seed, (deal + 1) & 3, track
    s[v.OWN_SCORE], s[v.OWN_SCORE + 1] = ours, theirs
    for i in range(20):
        w[CARDS_AT + i] = np.int64(get(space, (CARDS_AT + i) * LANES, lane))
    for seat in range(4):
        row = TIES_AT + 4 * ((seat + deal + 1) & 3)
        for turn in range(4):
            w[TIES_AT + 4 * seat + turn] = np.int64(get(space, (row + turn) * LANES, lane))
    for i in range(5):
        w[LATE_AT + i] = np.int64(get(space, (LATE_AT + i) * LANES, lane))
    shuffle(w, CARDS_AT, DECK_AT)


@compiled(part="loop")
def set_units(s, units):
    for i in range(3):
        s[v.UNITS + i] = units[i]


@compiled
def play_range(rules, both, units, scores, seed, start, count, duplicate, track, counts):
    """Play `count` deals from `start` and add them to `counts`, int64[layout.size].

    rules: int64[RULES_SIZE]; both: int64[2, 2 * POLICY_SIZE], (A, B) and (B, A); units: int64[3], addresses; scores: int64[2], A's and B's game
    points before each deal; seed: its 64 bits as int64; track: whether some policy searches.
    """
    space, state, words = np.empty(ROWS * LANES, np.uint32), np.zeros(v.STATE_SIZE, np.int64), np.zeros(ROWS, np.int64)
    r, s, w, tally = cells(rules, 0), cells(state, 0), cells(words, 0), cells(counts, 0)
    a_first, b_first = cells(both, 0), cells(both, 2 * v.POLICY_SIZE)
    a_score, b_score = scores[0], scores[1]
    set_units(s, units)
    for done in range(0, count, LANES):
        draw_words(start + done, seed, space)
        for lane in range(min(LANES, count - done)):
            deal = start + done + lane
            swapped, first = not duplicate and deal & 1 == 1, 0
            set_up(s, deal, seed, a_score, b_score, track, lane, space, w)
            if not swapped:
                play_deal(r, a_first, s, w)
                first = count_play(s, 0, tally)
            if duplicate or swapped:
                s[v.OWN_SCORE], s[v.OWN_SCORE + 1] = b_score, a_score
                play_deal(r, b_first, s, w)
                second = count_play(s, 1, tally)
                if duplicate:
                    count_pair(first, second, tally)
    keep_alive(rules, both, state, words, counts)


@compiled
def play_single(rules, players, units, ours, theirs, seed, deal, track, state):
    """One play into `state`, int64[STATE_SIZE]; players: int64[2 * POLICY_SIZE], and the scores, caller's side first."""
    space, words = np.empty(ROWS * LANES, np.uint32), np.zeros(ROWS, np.int64)
    s, w = cells(state, 0), cells(words, 0)
    set_units(s, units)
    draw_words(deal, seed, space)
    set_up(s, deal, seed, ours, theirs, track, 0, space, w)
    play_deal(cells(rules, 0), cells(players, 0), s, w)
    keep_alive(rules, players, state, words, state)


@compiled
def play_results(rules, both, units, scores, seed, start, track, found):
    """V of the deals from `start` with A, with B as the caller's side into `found`, int64[deals, 2]; see play_range."""
    space, state, words = np.empty(ROWS * LANES, np.uint32), np.zeros(v.STATE_SIZE, np.int64), np.zeros(ROWS, np.int64)
    r, s, w = cells(rules, 0), cells(state, 0), cells(words, 0)
    set_units(s, units)
    for place in range(len(found)):
        if place % LANES == 0:
            draw_words(start + place, seed, space)
        for side in range(2):
            set_up(s, start + place, seed, scores[side], scores[1 - side], track, place % LANES, space, w)
            play_deal(r, cells(both, 2 * v.POLICY_SIZE * side), s, w)
            points = s[v.WORTH] << s[v.LEVEL]
            found[place, side] = points if s[v.TEAM] == side else -points
    keep_alive(rules, both, state, words)
