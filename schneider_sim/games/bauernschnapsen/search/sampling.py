"""Search with hidden hands: sample deals that fit everything seen, solve each with open cards, take what does best.

A sample gives each hidden seat as many cards as it holds, none that its play has ruled out, all that it has shown, the
caller a trump and the declarer of an Ass-Bettler an ace. It is uniform over the layouts that fit (layouts.py): what was
bid is no evidence beyond that. Every hand but the own is read only where the rules show it: cards played, a card
turned up, Plauderer's open hands. Source: docs/policies.md, "Words of Bauernschnapsen".
"""

import numpy as np

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ....compiled.philox import four_words
from ..kernel import state as v
from ..kernel.bits import ACES, ALL, NOTHING, SUIT, place_of
from ..kernel.streams import BID_SAMPLES, CARD_SAMPLES, TRUMP_SAMPLES
from ..kernel.tricks import set_contract
from ..kernel.units import BID_QUESTION, CARDS_QUESTION, OPEN_QUESTION, introduced, position_at
from .layouts import count_layouts, lay_out
from .none_or_all import makes_it, makes_it_here, new_layout
from .solver import begin, value

TRIES = 16
NAMED = np.int64(1)  # trumps are named


@compiled(part="expression")
def _fits(r, s, z, named):
    """Whether a sampled deal agrees with what trumps and the bid say of the hands dealt."""
    known, declarer = s.recalled | s.table, s.declarer
    from_caller, from_declarer = s.dealt[0] & ~s.hand[0], s.dealt[declarer] & ~s.hand[declarer]
    caller, dealt = z.hand[0] | (from_caller & known), z.hand[declarer] | (from_declarer & known)
    trump = (not named or not r.must_hold or r.by_auction or caller & SUIT << 8 * s.trump  # or was that forgotten?
             or from_caller & ~known)
    return trump and (s.contract != v.ASS_BETTLER or dealt & ACES or from_declarer & ~known)


@compiled(part="expression")
def _below(count, high, low):
    """A number from 0 below `count` by two random words, as if by one of 64 bits."""
    return (np.int64(high) * count + ((np.int64(low) * count) >> 32)) >> 32


@compiled(part="expression")
def _turn_number(done, number):
    """The number of a sample among those of all five tricks: the first 1024 of a trick lie side by side."""
    return done * 1024 + number if number < 1024 else (done + 1 << 16) + number


@compiled(part="loop")
def sample(r, s, z, seat, count, named, stream, number):
    """Draw one of `count` layouts into the hands of `z`, as `seat` may imagine them; False if none is found to fit.

    named: whether trumps have been named; stream, number: which random words.
    """
    out_of_line()
    for attempt in range(TRIES):
        four = four_words(s.deal, number * TRIES + attempt, stream + ((seat + s.caller) & 3), s.seed)
        lay_out(s, z, seat, _below(count, four[0], four[1]))
        if _fits(r, s, z, named):
            return True
    return False


@compiled(part="loop")
def best_cards(r, me, s, seat, allowed):
    """Of the allowed cards those that do best over all layouts, where they are no more than the samples asked for, or
    over sampled ones."""
    out_of_line()
    search, totals = s.search, s.totals
    z = search.frames[0]
    sign = 1 if seat & 1 == 0 else -1
    for i in range(32):
        totals[i] = 0
    begin(s, z)
    count, samples = count_layouts(r, me, s, seat, s.hand[seat]), me.samples
    for number in range(min(count, samples)):
        if count <= samples:
            lay_out(s, z, seat, number)
            if not _fits(r, s, z, NAMED):
                continue
        elif not sample(r, s, z, seat, count, NAMED, CARD_SAMPLES, _turn_number(s.done, number)):
            continue
        new_layout(search)
        if z.now_aim == v.AIM_NONE or z.now_aim == v.AIM_ALL:
            made, worth = makes_it(z, search, seat, allowed, NOTHING), r.value[s.contract]
            worth, moves = -worth if (seat ^ s.declarer) & 1 else worth, allowed
            while moves:
                card = moves & -moves
                moves &= moves - 1
                totals[place_of(card)] += worth if card & made else -worth
            continue
        moves = allowed
        while moves:
            card = moves & -moves
            moves &= moves - 1
            totals[place_of(card)] += sign * value(r, search, card)
    best, found = -(1 << 40), 0
    while allowed:
        card = allowed & -allowed
        allowed &= allowed - 1
        total = totals[place_of(card)]
        found = card if total > best else found | card if total == best else found
        best = max(best, total)
    return found


@compiled(part="loop")
def mc_bid(r, me, s, seat, legal, high, high_seat):
    """The legal bid (bits) that earns most over sampled deals, if it earns more than the standing contract; else 0."""
    out_of_line()
    search, totals = s.search, s.totals
    z = search.frames[0]
    sign = 1 if seat & 1 == 0 else -1
    for i in range(32):
        totals[i] = 0
    s.table = s.place = 0
    count = count_layouts(r, me, s, seat, s.dealt[seat])
    for number in range(me.samples if legal else 0):
        begin(s, z)
        if not sample(r, s, z, seat, count, NAMED, BID_SAMPLES, number):
            continue
        for contract in range(v.N):
            if not legal >> contract & 1 and contract != high:
                continue
            if r.aim[contract] == v.AIM_DECLARED:
                holder = high_seat if contract == high else seat
                totals[contract] += r.value[contract] * (1 if (holder ^ seat) & 1 == 0 else -1)
                continue
            z.contract, z.declarer = contract, seat if legal >> contract & 1 else high_seat
            set_contract(r, z)
            new_layout(search)
            totals[contract] += sign * value(r, search, ALL)
    best, most = 0, totals[high]
    for contract in range(1, v.N):
        if legal >> contract & 1 and totals[contract] > most:
            best, most = contract, totals[contract]
    return best


@compiled(part="loop")
def mc_trumps(r, me, s, seat, suits):
    """The suit (0 to 3) that earns most in the normal game over sampled deals of the cards not seen yet."""
    out_of_line()
    search, totals = s.search, s.totals
    z = search.frames[0]
    sign = 1 if seat & 1 == 0 else -1
    for i in range(4):
        totals[i] = 0
    s.table = s.place = 0
    count = count_layouts(r, me, s, seat, s.first[seat])
    for number in range(me.samples):
        begin(s, z)
        if not sample(r, s, z, seat, count, NOTHING, TRUMP_SAMPLES, number):
            continue
        for suit in range(4):
            if suits >> 8 * suit & 1:
                z.trump, z.contract, z.declarer = suit, 0, 0
                set_contract(r, z)
                new_layout(search)
                totals[suit] += sign * value(r, search, ALL)
    best = -1
    for suit in range(4):
        if suits >> 8 * suit & 1 and (best < 0 or totals[suit] > totals[best]):
            best = suit
    return best


@compiled
def search_unit(question, state, seat, argument):
    """The unit of search with open cards: the best cards of some, the best bid, the best suit, those that win."""
    r, p, s = introduced(state)
    me = p[seat & 1]
    if question == CARDS_QUESTION:
        return best_cards(r, me, s, seat, argument)
    if question == OPEN_QUESTION:
        return makes_it_here(position_at(state), s, seat, argument, s.asked[0])
    if question == BID_QUESTION:
        return mc_bid(r, me, s, seat, argument, s.asked[0], s.asked[1])
    return mc_trumps(r, me, s, seat, argument)
