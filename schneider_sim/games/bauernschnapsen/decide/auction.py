"""The auction and the doublings, compiled: who is asked, what is legal, what the policies call.

Source: docs/rules-bauernschnapsen.md sections 3 and 8; the plain form is in legality.py.
"""

import numpy as np

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..call_words import BID_MC, BID_WHIM, HIGH_CARDS, IF_BETTER, LOW_CARDS, OUTBID, TRUMP_MC
from ..kernel import state as v
from ..kernel.bits import ACES, NOTHING, SUIT, place_of, popcount, suits_in
from ..kernel.opening import UNDECIDED
from ..kernel.units import (
    AUCTION_QUESTION,
    BID_QUESTION,
    CALLS_AGREE,
    DOUBLE_QUESTION,
    DOUBLING_QUESTION,
    ONE_DOUBLE_QUESTION,
    REST_OF_AUCTION,
    REST_OF_DOUBLING,
    ROLLOUT,
    SEARCH,
    TRUMP_QUESTION,
    ask,
    introduced,
)
from ..words import PLUGIN
from .bidding import (
    HIGH_CONTRACTS,
    LOW_CONTRACTS,
    NORMAL_WORTH,
    chance_of,
    passes_filters,
    proposals,
    trump_word,
    whim,
    worth_of_standing,
)
from .chances import LEAST, chance_in, scores_without_trumps, some_above_half, some_likely
from .doubling import wants_double
from .plugins import ask_bids, ask_trumps

RISKY = np.int64(999)  # thousandths: a contract that may fail, as far as the filters care


@compiled(part="loop")
def may_bid(r, seat, contract, hand, trump, high, high_seat):
    """Whether the bid is legal: eligible and higher than the standing one; `trump` is -1 while it is not named."""
    out_of_line()
    if not r.bidders[contract] >> seat & 1:
        return False
    mine, theirs = r.rank[contract], r.rank[high]
    if mine < theirs:
        return False
    equal = r.equal_rank
    if mine == theirs and not ((equal == 1 and seat < high_seat) or (equal == 2 and contract > high)):
        return False
    if contract == v.ASS_BETTLER:
        return hand & ACES != 0
    if contract == v.FARBENRINGERL or contract == v.TRUMPFFARBENRINGERL:
        if popcount(hand) != 5 or popcount(suits_in(hand)) != 1:
            return False
        in_trumps = place_of(hand) >> 3 == trump
        return in_trumps if contract == v.TRUMPFFARBENRINGERL else seat != 0 or not in_trumps
    return True


@compiled(part="loop")
def _best_of(r, s, wanted, filters, seat, hand, trump, high, high_seat, chance):
    """The wanted contract of the highest rank that is legal and passes the filters; 0 for none."""
    out_of_line()
    best = NOTHING
    while wanted:
        contract = place_of(wanted)
        wanted &= wanted - 1
        if best and r.rank[contract] <= r.rank[best]:
            continue
        if may_bid(r, seat, contract, hand, trump, high, high_seat) and passes_filters(
                r, s, filters, seat, contract, high, high_seat, chance):
            best = contract
    return best


@compiled(part="loop")
def by_chance(r, s, low, filters, seat, hand, trump, high, high_seat):
    """Of the no-trick (`low`) or the Gang contracts that of the highest expectation, if likelier made than not."""
    out_of_line()
    best, most, scores = NOTHING, NOTHING, scores_without_trumps(low, hand)
    if not some_likely(scores):  # as with most hands
        return best
    for contract in LOW_CONTRACTS if low else HIGH_CONTRACTS:
        chance = min(chance_in(r, scores, contract), RISKY)
        worth = (2 * chance - 1000) * r.value[contract]
        if chance >= LEAST and worth > most and may_bid(
                r, seat, contract, hand, trump, high, high_seat) and passes_filters(
                r, s, filters, seat, contract, high, high_seat, chance):
            best, most = contract, worth
    return best


@compiled(part="loop")
def outbid(r, s, filters, seat, hand, trump, high, high_seat):
    """Of all contracts without trumps that of the highest expectation, if it is above the standing contract's."""
    out_of_line()
    best, most = NOTHING, worth_of_standing(r, seat, high, high_seat) if high else np.int64(NORMAL_WORTH)
    open_to_bid, low_scores, high_scores = r.plain_over[high], NOTHING, NOTHING
    if open_to_bid:
        low_scores, high_scores = scores_without_trumps(True, hand), scores_without_trumps(False, hand)
        if most >= 0 and not some_above_half(low_scores) and not some_above_half(high_scores):  # as with most hands
            return best
    while open_to_bid:
        contract = place_of(open_to_bid)
        open_to_bid &= open_to_bid - 1
        chance = min(chance_in(r, low_scores if r.aim[contract] == v.AIM_NONE else high_scores, contract), RISKY)
        worth = (2 * chance - 1000) * r.value[contract]
        if worth > most and may_bid(r, seat, contract, hand, trump, high, high_seat) and passes_filters(
                r, s, filters, seat, contract, high, high_seat, chance):
            best, most = contract, worth
    return best


@compiled(part="loop")
def _all_legal(r, s, filters, seat, hand, trump, high, high_seat):
    """Every contract (bits) that is legal and passes the filters as a contract that may fail."""
    out_of_line()
    legal = 0
    for contract in range(1, v.N):
        if may_bid(r, seat, contract, hand, trump, high, high_seat) and passes_filters(
                r, s, filters, seat, contract, high, high_seat, RISKY):
            legal |= 1 << contract
    return legal


@compiled(part="loop")
def _choose_bid(r, me, s, seat, high, high_seat):
    """The seat's call: a contract, or 0 for a pass."""
    out_of_line()
    by_auction = r.by_auction
    hand = s.first[seat] if by_auction else s.dealt[seat]
    trump = NOTHING - 1 if by_auction else s.trump
    trumps = 0 if by_auction else SUIT << 8 * trump
    filters = me.filters
    for i in range(me.bid.n if popcount(hand) == 5 else 0):
        word = me.bid.words[i]
        if word in (BID_MC, BID_WHIM):
            legal = _all_legal(r, s, filters & ~(1 << IF_BETTER), seat, hand, trump, high, high_seat)
            if word == BID_WHIM:
                bid = whim(s, seat, legal)
            else:
                s.asked[0], s.asked[1] = high, high_seat
                bid = ask(SEARCH, BID_QUESTION, s, seat, legal) if legal else 0
        elif word in (LOW_CARDS, HIGH_CARDS):
            bid = by_chance(r, s, word == LOW_CARDS, filters, seat, hand, trump, high, high_seat)
        elif word == OUTBID:
            bid = outbid(r, s, filters, seat, hand, trump, high, high_seat)
        else:
            if word >= PLUGIN:
                legal = _all_legal(r, s, 0, seat, hand, trump, high, high_seat)
                wanted = ask_bids(s, word - PLUGIN, seat, hand, trumps, legal, high, high_seat) if legal else NOTHING
            else:
                wanted = proposals(r, word, seat, hand, trumps)
            bid = 0
            if wanted:
                bid = _best_of(r, s, wanted, filters, seat, hand, trump, high, high_seat, chance_of(word))
        if bid:
            return bid
    return 0


@compiled(part="loop")
def _rolled_out(r, s, seat, high, high_seat, passed, call):
    """The call of a policy that searches, whose words would have it be `call`."""
    out_of_line()
    by_auction = r.by_auction
    hand, trump = s.first[seat] if by_auction else s.dealt[seat], NOTHING - 1 if by_auction else s.trump
    legal = _all_legal(r, s, NOTHING, seat, hand, trump, high, high_seat) if popcount(hand) == 5 else NOTHING
    s.asked[0], s.asked[1], s.asked[2], s.asked[3] = high, high_seat, passed, call
    return ask(ROLLOUT, BID_QUESTION, s, seat, legal) if legal else call


@compiled(part="loop")
def hold_auction(r, p, s, turn, high, high_seat, passed, call):
    """Hold the auction from a seat's turn on: fills in the calls, CONTRACT and DECLARER.

    high, high_seat: the standing bid; passed: the seats that are out, as bits; call: what the seat in turn calls, less
    than 0 for what its policy wants.
    """
    out_of_line()
    calls = s.calls
    while calls < v.MAX_CALLS:
        me = p[turn & 1]
        s.calls = calls
        if call < 0:
            call = _choose_bid(r, me, s, turn, high, high_seat) if me.bid.n else NOTHING
            if me.search == v.ROLLOUT:
                call = _rolled_out(r, s, turn, high, high_seat, passed, call)
        s.call[calls] = 32 * turn + call
        calls += 1
        if call:
            high, high_seat = call, turn
            if r.ringerl_ends and r.aim[call] == v.AIM_DECLARED:
                break
        elif calls > 1:
            passed |= 1 << turn
        call = NOTHING - 1
        if not r.multi:
            if turn == 3:
                break
            turn += 1
            continue
        asked = 0
        for step in range(1, 5):
            seat = (turn + step) & 3
            if not passed >> seat & 1 and seat != high_seat:
                asked = step
                break
        if not asked:
            break
        turn = (turn + asked) & 3
    s.calls, s.contract, s.declarer = calls, high, high_seat


@compiled(part="expression")
def speaks(r, s, seat):
    """Whether the seat belongs to the side that may raise the level now."""
    if not r.doublable[s.contract] or s.level >= r.max_double or seat == s.away:
        return False
    return (seat ^ s.declarer) & 1 == 1 - (s.level & 1)


@compiled(part="loop")
def ask_double(r, p, s, seat):
    """Ask one seat that may speak; its yes raises the level."""
    me = p[seat & 1]
    if not (me.double.n or me.search == v.ROLLOUT) or not speaks(r, s, seat):
        return False
    yes = me.double.n > 0 and wants_double(r, me, s, seat)
    if me.search == v.ROLLOUT:
        s.asked[3] = yes
        yes = ask(ROLLOUT, DOUBLE_QUESTION, s, seat, NOTHING) != 0
    if yes:
        raise_level(s, seat)
    return yes


@compiled(part="loop")
def calls_agree(r, p, s, seat):
    """Whether the policies would have made the other seats' calls and doublings so far, with the hands in the state."""
    out_of_line()
    high = high_seat = NOTHING
    agrees, calls, level = True, s.calls, s.level
    for n in range(calls):
        turn, call = s.call[n] >> 5, s.call[n] & 31
        if turn != seat and agrees:
            s.calls = n
            agrees = call == (_choose_bid(r, p[turn & 1], s, turn, high, high_seat) if p[turn & 1].bid.n else NOTHING)
        if call:
            high, high_seat = call, turn
    for step in range(level):
        other = s.doubled_by[step]
        if other != seat and agrees:
            s.level = step
            agrees = p[other & 1].double.n > 0 and wants_double(r, p[other & 1], s, other)
    s.calls, s.level = calls, level
    return agrees


@compiled(part="expression")
def raise_level(s, seat):
    s.doubled_by[s.level] = seat
    s.level += 1


@compiled(part="loop")
def hold_doubling(r, p, s, first):
    """Before the first lead, from a seat on: each side in turn, its seats clockwise from the caller, until nobody
    raises."""
    out_of_line()
    asking = True
    while asking:
        asking = False
        for seat in range(first, 4):
            if ask_double(r, p, s, seat):
                asking = True
                break
        first = NOTHING


@compiled(part="loop")
def trump_choice(r, me, s, seat, suits, may_redeal, tie):
    """The seat's trumps: the first word that decides, UNDECIDED for uniform among the legal suits."""
    for i in range(me.trump.n):
        word = me.trump.words[i]
        if word == TRUMP_MC:
            return ask(SEARCH, TRUMP_QUESTION, s, seat, suits)
        first = s.first[seat]
        if word >= PLUGIN:
            choice = ask_trumps(r, s, word - PLUGIN, seat, first, suits, may_redeal)
        else:
            choice = trump_word(r, word, first, suits, may_redeal, tie)
        if choice != UNDECIDED:
            return choice
    return UNDECIDED


@compiled
def calls_unit(question, state, seat, argument):
    """The unit of the auction: hold it, hold the doubling, ask one seat to double, or choose trumps."""
    r, p, s = introduced(state)
    if question == AUCTION_QUESTION:
        s.calls = NOTHING
        hold_auction(r, p, s, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING - 1)
    elif question == REST_OF_AUCTION:
        hold_auction(r, p, s, seat, s.asked[0], s.asked[1], s.asked[2], argument)
    elif question == DOUBLING_QUESTION:
        hold_doubling(r, p, s, NOTHING)
    elif question == REST_OF_DOUBLING:
        if argument:
            raise_level(s, seat)
        hold_doubling(r, p, s, NOTHING if argument else seat + 1)
    elif question == CALLS_AGREE:
        return calls_agree(r, p, s, seat)
    elif question == ONE_DOUBLE_QUESTION:
        ask_double(r, p, s, seat)
    else:
        return trump_choice(r, p[seat & 1], s, seat, argument, s.asked[0] != 0, s.asked[1])
    return 0
