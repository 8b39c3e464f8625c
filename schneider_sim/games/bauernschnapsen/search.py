"""Search with hidden hands: sample deals that fit everything seen, solve each with open cards, take what does best.

A sample gives each hidden seat as many cards as it holds, none that its play has ruled out, all that it has shown,
and the caller a trump. Cards with the fewest possible holders are placed first, a holder drawn by its free places.
The drawn deals fit; among those that fit they are not quite uniform. Every hand but the own is read only where the
rules show it: cards played, a card turned up, Plauderer's open hands. Source: rules/bauernschnapsen.md section 11.
"""

import numpy as np

from ...jit import compiled
from ...lanes import out_of_line
from ...philox import four_words
from . import vectors as v
from .bits import ACES, ALL, NOTHING, SUIT, place_of, popcount
from .cardplay import set_contract
from .cells import after, cells_at
from .solver import begin, value
from .units import BID_QUESTION, CARDS_QUESTION

BID_STREAM, TRUMP_SAMPLE_STREAM, PLAY_STREAM = map(np.int64, (19, 23, 27))  # + the seat as seated
TRIES = 16
NAMED = np.int64(1)  # trumps are named


@compiled(part="expression")
def _sees(r, s, seat, other):
    """Whether `other`'s cards lie open to `seat` (Plauderer)."""
    if s[v.CONTRACT] != v.PLAUDERER or (other ^ s[v.DECLARER]) & 1 == 0:
        return False
    view = r[v.VIEW]
    return view == 0 or (view == 1 and s[v.DONE] > 0) or (view == 2 and (seat ^ s[v.DECLARER]) & 1 == 1)


@compiled(part="loop")
def _holders(s, room, card):
    """The seats that may be given the card, as bits."""
    found = 0
    for seat in range(4):
        if room >> 4 * seat & 15 and s[v.POSSIBLE + seat] & card:
            found |= 1 << seat
    return found


@compiled(part="loop")
def _place(s, z, room, rest, deal, block, stream, seed):
    """Give the cards of `rest` to the seats with room (four bits each); False when they do not fit."""
    out_of_line()
    used, four = 0, four_words(deal, block, stream, seed)
    for most in range(1, 5):
        left = rest
        while left:
            card = left & -left
            left &= left - 1
            holders = _holders(s, room, card)
            if holders == 0:
                return False
            if popcount(holders) > most:
                continue
            free = 0
            for seat in range(4):
                free += room >> 4 * seat & 15 if holders >> seat & 1 else 0
            if used and used & 3 == 0:
                four = four_words(deal, block + (used >> 2), stream, seed)
            nth = (np.int64(four[used & 3]) * free) >> 32
            used += 1
            for seat in range(4):
                n = room >> 4 * seat & 15 if holders >> seat & 1 else 0
                if 0 <= nth < n:
                    z[v.HAND + seat] |= card
                    room -= 1 << 4 * seat
                nth -= n
            rest &= ~card
    return rest == 0


@compiled(part="expression")
def _fits(r, s, z, named):
    """Whether a sampled deal agrees with what trumps and the bid say of the hands dealt."""
    caller = z[v.HAND] | (s[v.DEALT] & ~s[v.HAND])
    declarer = s[v.DECLARER]
    dealt = z[v.HAND + declarer] | (s[v.DEALT + declarer] & ~s[v.HAND + declarer])
    trump = not named or not r[v.MUST_HOLD] or r[v.BY_AUCTION] or caller & SUIT << 8 * s[v.TRUMP]
    return trump and (s[v.CONTRACT] != v.ASS_BETTLER or dealt & ACES)


@compiled(part="loop")
def sample(r, s, z, seat, mine, named, stream, number):
    """A deal for the solver's hands in `z` as `seat`, knowing its cards `mine`, may imagine it; False if none is found.

    named: whether trumps have been named; stream, number: which random words.
    """
    out_of_line()
    for attempt in range(TRIES):
        rest, room = ALL & ~(s[v.PLAYED] | s[v.TABLE] | mine), NOTHING
        for other in range(4):
            n = popcount(s[v.HAND + other])  # how many cards somebody holds is public
            known = mine
            if other != seat:
                known = s[v.HAND + other] if _sees(r, s, seat, other) else s[v.PROVEN + other] & rest
            z[v.HAND + other] = known
            rest &= ~known
            room |= (n - popcount(known)) << 4 * other
        block = (number * TRIES + attempt) * 8
        if _place(s, z, room, rest, s[v.DEAL], block, stream + ((seat + s[v.CALLER]) & 3), s[v.SEED]) and _fits(
                r, s, z, named):
            return True
    return False


@compiled(part="loop")
def best_cards(r, p, me, s, seat, allowed):
    """Of the allowed cards those that do best over sampled deals; all of them when nothing can be sampled."""
    out_of_line()
    z, totals = after(s, v.SOLVER), after(s, v.TOTALS)
    sign = 1 if seat & 1 == 0 else -1
    for i in range(32):
        totals[i] = 0
    begin(s, z)
    for number in range(p[me + v.SAMPLES]):
        if not sample(r, s, z, seat, s[v.HAND + seat], NAMED, PLAY_STREAM, s[v.DONE] * 1024 + number):
            continue
        moves = allowed
        while moves:
            card = moves & -moves
            moves &= moves - 1
            totals[place_of(card)] += sign * value(r, z, card)
    best, found = -(1 << 40), 0
    while allowed:
        card = allowed & -allowed
        allowed &= allowed - 1
        total = totals[place_of(card)]
        found = card if total > best else found | card if total == best else found
        best = max(best, total)
    return found


@compiled(part="loop")
def mc_bid(r, p, me, s, seat, legal, high, high_seat):
    """The legal bid (bits) that earns most over sampled deals, if it earns more than the standing contract; else 0."""
    out_of_line()
    z, totals = after(s, v.SOLVER), after(s, v.TOTALS)
    sign = 1 if seat & 1 == 0 else -1
    for i in range(32):
        totals[i] = 0
    s[v.TABLE] = s[v.PLACE] = 0
    for number in range(p[me + v.SAMPLES] if legal else 0):
        begin(s, z)
        if not sample(r, s, z, seat, s[v.DEALT + seat], NAMED, BID_STREAM, number):
            continue
        for contract in range(v.N):
            if not legal >> contract & 1 and contract != high:
                continue
            if r[v.AIM + contract] == v.AIM_DECLARED:
                holder = high_seat if contract == high else seat
                totals[contract] += r[v.VALUE + contract] * (1 if (holder ^ seat) & 1 == 0 else -1)
                continue
            z[v.CONTRACT], z[v.DECLARER] = contract, seat if legal >> contract & 1 else high_seat
            set_contract(r, z)
            totals[contract] += sign * value(r, z, ALL)
    best, most = 0, totals[high]
    for contract in range(1, v.N):
        if legal >> contract & 1 and totals[contract] > most:
            best, most = contract, totals[contract]
    return best


@compiled(part="loop")
def mc_trumps(r, p, me, s, seat, suits):
    """The suit (0 to 3) that earns most in the normal game over sampled deals of the cards not seen yet."""
    out_of_line()
    z, totals = after(s, v.SOLVER), after(s, v.TOTALS)
    sign = 1 if seat & 1 == 0 else -1
    for i in range(4):
        totals[i] = 0
    s[v.TABLE] = s[v.PLACE] = 0
    for number in range(p[me + v.SAMPLES]):
        begin(s, z)
        if not sample(r, s, z, seat, s[v.FIRST + seat], NOTHING, TRUMP_SAMPLE_STREAM, number):
            continue
        for suit in range(4):
            if suits >> 8 * suit & 1:
                z[v.TRUMP], z[v.CONTRACT], z[v.DECLARER] = suit, 0, 0
                set_contract(r, z)
                totals[suit] += sign * value(r, z, ALL)
    best = -1
    for suit in range(4):
        if suits >> 8 * suit & 1 and (best < 0 or totals[suit] > totals[best]):
            best = suit
    return best


@compiled
def search_unit(question, rules, players, me, state, seat, argument):
    """The unit of search: the best cards of some, the best bid of some, the best suit of some (bits)."""
    r, p, s = cells_at(rules), cells_at(players), cells_at(state)
    if question == CARDS_QUESTION:
        return best_cards(r, p, me, s, seat, argument)
    if question == BID_QUESTION:
        return mc_bid(r, p, me, s, seat, argument, s[v.ASKED], s[v.ASKED + 1])
    return mc_trumps(r, p, me, s, seat, argument)
