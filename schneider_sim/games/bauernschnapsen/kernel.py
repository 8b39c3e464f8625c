"""The compiled play of a deal, from the shuffle to the score, and the loop over deals that counts them.

A play leaves everything that happened in its state vector; counting.py counts it and trace.py reads it out, so that
there is one code path for both. Random words come for 256 deals at once from lanes; the play itself is scalar.
"""

import numpy as np

from ...jit import compiled
from ...lanes import LANES, U
from ...philox import four_words, random_words
from . import vectors as v
from .auction import ask_double, hold_auction, hold_doubling
from .bits import ALL, KINGS, SUIT, pairs_in, pick, place_of, points_in
from .cardplay import beat_of, legal_cards, ruled_out
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
from .preferences import narrow
from .scoring import deal_over
from .search import search_card

CARD_ROWS, TIES_ROWS, LATE_ROWS, ROWS = 0, 20, 36, 44  # rows of random words, one lane per deal


@compiled(part="loop")
def decide(r, p, s, ties, section, seat, allowed):
    """The card that the seat's policy plays, of two or more allowed ones. ties: uint32[16], word 4 * seat + trick."""
    turn = s[v.DONE]
    if p[v.NOISE]:
        four = four_words(s[v.DEAL], turn >> 2, NOISE_STREAM + ((seat + s[v.CALLER]) & 3), s[v.SEED])
        if np.int64(four[turn & 3]) < p[v.NOISE]:
            return pick(allowed, ties[4 * seat + turn])
    if p[v.SEARCH]:
        found = search_card(r, p, s, seat, allowed)
        if found:
            return found
    if p[section]:
        allowed = narrow(r, p, s, section, seat, allowed)
    return allowed & -allowed if p[v.TIES_FIRST] else pick(allowed, ties[4 * seat + turn])


@compiled(part="loop")
def announce(r, p, s, seat):
    """The marriage that the leader's policy announces, if any: (whether the deal is over, the cards it may lead)."""
    hand = s[v.HAND + seat]
    pairs = pairs_in(hand)
    aim = s[v.NOW_AIM]
    if aim == v.AIM_SCHNAPSER and seat != s[v.DECLARER] and not (
            r[v.SIDE_TEAM + s[v.CONTRACT]] and seat == s[v.DECLARER] ^ 2):
        return False, hand
    if not pairs or p[v.ANNOUNCE] == v.NEVER or aim > v.AIM_SCHNAPSER or aim == v.AIM_NONE:
        return False, hand
    turn = s[v.DONE]
    trump_pair = pairs & SUIT << 8 * s[v.TRUMP]
    points = 40 if trump_pair else 20
    pairs = trump_pair if trump_pair else pairs
    s[v.MARRIAGES + seat] += points
    s[v.JUST] = points
    s[v.ROUTED] = turn == (1 if points == 40 else 2)
    s[v.ANNOUNCED + turn] = 4 * points + (place_of(pairs) >> 3)
    over = deal_over(r, s)
    losing = over and s[v.TEAM] != seat & 1
    if losing or (p[v.ANNOUNCE] == v.WHEN_IT_DECIDES and not over):
        s[v.MARRIAGES + seat] -= points
        s[v.JUST] = s[v.ROUTED] = s[v.ANNOUNCED + turn] = s[v.HOW] = 0
        return False, hand
    return over, pairs | pairs << 1


@compiled(part="expression")
def _clear_table(s):
    s[v.TABLE] = s[v.LED] = 0
    s[v.BEAT] = ALL


@compiled(part="expression")
def _put(s, seat, card):
    """A card goes to the table."""
    s[v.HAND + seat] &= ~card
    s[v.OUT + seat] |= card
    s[v.CARDS + 4 * s[v.DONE] + s[v.PLACE]] = card
    s[v.TABLE] |= card
    if card & s[v.BEAT]:
        s[v.BEST_SEAT] = seat
        s[v.BEAT] = beat_of(s[v.NOW_ORDER], s[v.NOW_TRUMPS], card)


@compiled(part="loop")
def _learn(s, seat, card):
    """What a card played tells everybody about its player's hand; kept for policies that search."""
    if s[v.PLACE]:
        gone = ruled_out(card, s[v.LED], s[v.BEAT], s[v.NOW_TRUMPS], s[v.NOW_DUTIES], s[v.NOW_ORDER], s[v.TABLE])
        s[v.POSSIBLE + seat] &= ~gone
    elif s[v.ANNOUNCED + s[v.DONE]]:
        s[v.PROVEN + seat] |= card >> 1 if card & KINGS else card << 1


@compiled(part="expression")
def _end_trick(s):
    """Give the trick on the table to its winner."""
    turn, winner = s[v.DONE], s[v.BEST_SEAT]
    first = s[v.TRICKS + (winner & 1)] + s[v.TRICKS + 2 + (winner & 1)] == 0
    s[v.TRICK_WINNER + turn] = s[v.LEADER] = s[v.LAST_WINNER] = winner
    s[v.TRICKS + winner] += 1
    s[v.POINTS + winner] += points_in(s[v.TABLE])
    if first:
        s[v.FIRST_TRICKS] |= s[v.TABLE]
    s[v.PLAYED] |= s[v.TABLE]
    s[v.DONE] = turn + 1
    s[v.JUST] = 0


@compiled(part="loop")
def play_trick(r, players, s, ties):
    """Play one trick; True when the deal is over."""
    turn, leader = s[v.DONE], s[v.LEADER]
    s[v.TRICK_LEADER + turn], s[v.BEFORE + turn] = leader, s[v.PLAYED]
    _clear_table(s)
    over, allowed = announce(r, players[leader & 1], s, leader)
    if over:
        return True
    for place in range(4):
        seat = (leader + place) & 3
        if seat == s[v.AWAY]:
            continue
        s[v.PLACE] = place
        if turn == 0 and r[v.WINDOW_OPEN]:
            ask_double(r, players, s, seat)
        if place:
            allowed = legal_cards(s[v.HAND + seat], s[v.LED], s[v.BEAT], s[v.NOW_TRUMPS], s[v.NOW_DUTIES],
                                  s[v.NOW_ORDER], s[v.TABLE])
        card = allowed
        if allowed & (allowed - 1):
            card = decide(r, players[seat & 1], s, ties, v.P_FOLLOW if place else v.P_LEAD, seat, allowed)
        if s[v.TRACK]:
            _learn(s, seat, card)
        if place == 0:
            s[v.LED] = card
            if s[v.ANNOUNCED + turn]:
                s[v.ANNOUNCED + turn] += (place_of(card) >> 3) - (s[v.ANNOUNCED + turn] & 3)
        _put(s, seat, card)
    _end_trick(s)
    return deal_over(r, s)


@compiled(part="loop")
def set_contract(r, s):
    """What follows from the contract for the play of cards."""
    contract, declarer = s[v.CONTRACT], s[v.DECLARER]
    s[v.LEADER] = declarer if r[v.LEAD_BY_D + contract] else 0
    s[v.AWAY] = declarer ^ 2 if r[v.AWAY_PARTNER + contract] else -1
    s[v.NOW_AIM] = r[v.AIM + contract]
    s[v.NOW_ORDER] = r[v.ORDER + contract]
    s[v.NOW_TRUMPS] = SUIT << 8 * s[v.TRUMP] if r[v.TRUMPED + contract] else 0
    s[v.NOW_DUTIES] = r[v.DUTIES + contract]


@compiled(part="loop")
def play_deal(r, players, s, deck, ties, late):
    """Play one deal into `s`. players: int64[2, POLICY_SIZE], the caller's side first; deck: int64[20] as shuffled;
    ties: uint32[16]; late: uint32[5], the words for trumps of each seat and for turning up."""
    hand_out(r, deck, s)
    s[v.REDEALS] = 0
    word, turn_word = late[0], late[4]
    while not r[v.BY_AUCTION] and name_trumps(r, players[0], s, 0, word, turn_word):
        again, words, new = s[v.REDEALS] + 1, np.empty(20, np.uint32), np.empty(20, np.int64)
        redeal_words(s[v.DEAL], s[v.SEED], again, words)
        shuffle(words, new)
        hand_out(r, new, s)
        s[v.REDEALS] = again
        word = four_words(s[v.DEAL], again, TRUMP_STREAM, s[v.SEED])[0]
        turn_word = four_words(s[v.DEAL], again, TURN_STREAM, s[v.SEED])[0]
    hold_auction(r, players, s)
    if r[v.BY_AUCTION]:
        name_trumps(r, players[s[v.DECLARER] & 1], s, s[v.DECLARER], late[s[v.DECLARER]], late[4])
    set_contract(r, s)
    if s[v.NOW_AIM] == v.AIM_DECLARED:
        deal_over(r, s)
        return
    if not r[v.WINDOW_OPEN] and players[0, v.P_DOUBLE] + players[1, v.P_DOUBLE]:
        hold_doubling(r, players, s)
    for _ in range(5):
        if play_trick(r, players, s, ties):
            break


@compiled(part="loop")
def draw_words(start, seed, space):
    """The words of 256 deals from `start`, a row of lanes each: cards, ties by seat as seated, trumps, turning up."""
    low, high = U(np.uint64(start)), U(np.uint64(start) >> np.uint64(32))
    k0, k1 = U(np.uint64(seed)), U(np.uint64(seed) >> np.uint64(32))
    for block in range(CARD_BLOCKS):
        random_words(low, high, U(block), U(CARD_STREAM), k0, k1, space, (CARD_ROWS + 4 * block) * LANES)
    for seat in range(4):
        random_words(low, high, U(0), U(TIES_STREAM + seat), k0, k1, space, (TIES_ROWS + 4 * seat) * LANES)
    random_words(low, high, U(0), U(TRUMP_STREAM), k0, k1, space, LATE_ROWS * LANES)
    random_words(low, high, U(0), U(TURN_STREAM), k0, k1, space, (LATE_ROWS + 4) * LANES)


@compiled(part="loop")
def set_up(s, deal, seed, scores, swapped, track, lane, space, words, deck, ties, late):
    """Fill the state and the small arrays of one deal from its lane of words."""
    s[v.DEAL], s[v.SEED], s[v.CALLER], s[v.TRACK] = deal, seed, (deal + 1) & 3, track
    s[v.OWN_SCORE] = scores[1] if swapped else scores[0]
    s[v.OWN_SCORE + 1] = scores[0] if swapped else scores[1]
    for i in range(20):
        words[i] = space[(CARD_ROWS + i) * LANES + lane]
    shuffle(words, deck)
    for seat in range(4):
        row = TIES_ROWS + 4 * ((seat + deal + 1) & 3)
        for turn in range(4):
            ties[4 * seat + turn] = space[(row + turn) * LANES + lane]
    for i in range(5):
        late[i] = space[(LATE_ROWS + i) * LANES + lane]


@compiled
def play_range(r, both, scores, seed, start, count, duplicate, track, tally):
    """Play `count` deals from `start` and count them. both: int64[2, 2, POLICY_SIZE], (A, B) and (B, A); scores: int64[2]
    of A and B before each deal; seed: the 64 bits as int64; track: some policy searches."""
    s, space, words = np.zeros(v.STATE_SIZE, np.int64), np.empty(ROWS * LANES, np.uint32), np.empty(20, np.uint32)
    deck, ties, late = np.empty(20, np.int64), np.empty(16, np.uint32), np.empty(5, np.uint32)
    for done in range(0, count, LANES):
        draw_words(start + done, seed, space)
        for lane in range(min(LANES, count - done)):
            deal = start + done + lane
            b_first = 1 if not duplicate and deal & 1 else 0
            set_up(s, deal, seed, scores, b_first, track, lane, space, words, deck, ties, late)
            play_deal(r, both[b_first], s, deck, ties, late)
            first = count_play(s, b_first, tally)
            if duplicate:
                s[v.OWN_SCORE], s[v.OWN_SCORE + 1] = scores[1], scores[0]
                play_deal(r, both[1], s, deck, ties, late)
                count_pair(first, count_play(s, 1, tally), tally)


@compiled
def play_single(r, players, scores, seed, deal, swapped, track, s):
    """One play into the state vector `s`; players: the caller's side first, `swapped` when that is B."""
    space, words = np.empty(ROWS * LANES, np.uint32), np.empty(20, np.uint32)
    deck, ties, late = np.empty(20, np.int64), np.empty(16, np.uint32), np.empty(5, np.uint32)
    draw_words(deal, seed, space)
    set_up(s, deal, seed, scores, swapped, track, 0, space, words, deck, ties, late)
    play_deal(r, players, s, deck, ties, late)
