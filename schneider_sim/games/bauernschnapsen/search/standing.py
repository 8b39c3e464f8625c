"""Back to the decisions of a recorded play: which there were, the state before each, and what could be chosen.

A record is the state of a play that is over. Of the cards that lie hidden at a decision only their number is read by
what samples worlds (layouts.py).
"""

from ....compiled.cells import cells
from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..decide.auction import may_bid, speaks
from ..kernel import state as v
from ..kernel.bits import ALL, JACKS, NOTHING, SUIT, suits_in
from ..kernel.deal import end_trick, lay
from ..kernel.fields import numbers
from ..kernel.opening import NEW_DEAL, TURN_ONE_UP, forget
from ..kernel.tricks import beat_of, legal_cards, set_contract
from ..kernel.units import (
    BID_QUESTION,
    CARDS_QUESTION,
    DOUBLE_QUESTION,
    SUIT_QUESTION,
    rules_in,
    state_in,
)

QUESTION, SEAT, INDEX, MADE = range(4)  # of a call: what was asked, whom, the number of its kind, the answer
CALL_COLUMNS = 4
MOST_CALLS = v.MAX_CALLS + 16
BEFORE_SEARCH = v.place(v.STATE, "search")


@compiled(part="loop")
def _begin(record, s):
    """Copy what was dealt and named, with nothing called or played yet; all cards are in the hands."""
    out_of_line()
    some, other = numbers(record), numbers(s)
    for i in range(BEFORE_SEARCH):
        other[i] = some[i]
    forget(s)
    for seat in range(4):
        s.hand[seat] = s.dealt[seat]
    s.led = s.table = s.place = NOTHING


@compiled(part="loop")
def _play_recorded(record, s, turn, last):
    """Play the first `last` places of a recorded trick; (first card, what beats the best, the cards, who is best)."""
    out_of_line()
    leader = s.leader
    s.trick_leader[turn], s.before[turn] = leader, s.played
    if last and record.announced[turn]:
        points = record.announced[turn] >> 2
        s.announced[turn] = record.announced[turn]
        s.marriages[leader] += points
        s.just, s.routed = points, turn == (1 if points == 40 else 2)
    led, beat, table, winner = NOTHING, ALL, NOTHING, leader
    for place in range(last):
        card = record.cards[4 * turn + place]
        if not card:
            continue
        seat = (leader + place) & 3
        led = led if led else card
        s.hand[seat] &= ~card
        s.cards[4 * turn + place] = card
        table |= card
        higher = beat_of(s.now_order, s.now_trumps, card)
        winner, beat = (seat, higher) if card & beat else (winner, beat)
    return led, beat, table, winner


@compiled(part="loop")
def before_card(r, record, s, trick, place):
    """The state when a card is due in a trick (from 0), before a leader announces; hands as they really were."""
    out_of_line()
    _begin(record, s)
    s.contract, s.declarer, s.calls = record.contract, record.declarer, record.calls
    set_contract(r, s)
    for raised in range(record.level):
        asked = (record.doubled_by[raised] - s.leader) & 3
        s.level += not r.window_open or trick > 0 or asked <= place
    for turn in range(trick + 1):
        here = turn == trick
        led, beat, table, winner = _play_recorded(record, s, turn, place if here else NOTHING + 4)
        if here:
            lay(s, place, led, beat, table, winner)
        else:
            end_trick(s, turn, table, winner)


@compiled(part="loop")
def before_call(r, record, s, question, index):
    """The state when a call is due: trumps, the call of a number, or the doubling of a level by the seat in turn."""
    out_of_line()
    if question == DOUBLE_QUESTION:
        place = NOTHING
        if r.window_open:
            place, index = index & 3, index >> 2
        before_card(r, record, s, NOTHING, place)
        s.level = index
        if not r.window_open:
            s.table = s.place = NOTHING
        return
    _begin(record, s)
    if question == SUIT_QUESTION:
        if r.by_auction:
            s.contract, s.declarer, s.calls = record.contract, record.declarer, record.calls
        s.trump = s.turned = NOTHING
        return
    if r.by_auction:
        s.trump = NOTHING
    high = high_seat = passed = NOTHING
    for n in range(index):
        turn, call = record.call[n] >> 5, record.call[n] & 31
        if call:
            high, high_seat = call, turn
        elif n:
            passed |= 1 << turn
    s.calls = index
    s.asked[0], s.asked[1], s.asked[2] = high, high_seat, passed


@compiled(part="loop")
def _put(table, n, question, seat, index, made):
    at = CALL_COLUMNS * n
    table[at], table[at + 1], table[at + 2], table[at + 3] = question, seat, index, made
    return n + 1


@compiled(part="loop")
def _list_doublings(r, record, s, table, n):
    """The seats that were asked to double, with their answers; how many calls there are by then."""
    out_of_line()
    level = NOTHING
    if r.window_open:
        for place in range(4):
            seat = (s.leader + place) & 3
            s.level = level
            if record.cards[place] and speaks(r, s, seat):
                yes = level < record.level and record.doubled_by[level] == seat
                n = _put(table, n, DOUBLE_QUESTION, seat, 4 * level + place, yes + NOTHING)
                level += yes
        return n
    raised = True
    while raised:
        raised = False
        for seat in range(4):
            s.level = level
            if not raised and speaks(r, s, seat):
                raised = level < record.level and record.doubled_by[level] == seat
                n = _put(table, n, DOUBLE_QUESTION, seat, level, raised + NOTHING)
        level += raised
    return n


@compiled(part="loop")
def list_calls(r, record, s, table):
    """The calls of a play in the order in which they were asked, but for new deals: CALL_COLUMNS cells each; how many.

    `s` is used up.
    """
    out_of_line()
    n, named = NOTHING, TURN_ONE_UP + NOTHING if record.turned else record.trump
    if not r.by_auction:
        n = _put(table, n, SUIT_QUESTION, NOTHING, NOTHING, named)
    for number in range(record.calls):
        call = record.call[number]
        n = _put(table, n, BID_QUESTION, call >> 5, NOTHING + number, call & 31)
    if r.by_auction:
        n = _put(table, n, SUIT_QUESTION, record.declarer, NOTHING, named)
    if r.aim[record.contract] == v.AIM_DECLARED:
        return n
    before_card(r, record, s, NOTHING, NOTHING)
    return _list_doublings(r, record, s, table, n)


@compiled(part="loop")
def list_choices(r, s, question, seat, choices):
    """What a seat may choose, cards in pack order; how many."""
    out_of_line()
    n = NOTHING
    if question == CARDS_QUESTION:
        allowed = s.hand[seat]
        if s.place:
            allowed = legal_cards(allowed, s.led, s.beat, s.now_trumps, s.now_duties, s.now_order, s.table)
        while allowed:
            choices[n], n = allowed & -allowed, n + 1
            allowed &= allowed - 1
    elif question == DOUBLE_QUESTION:
        choices[0], choices[1], n = NOTHING, NOTHING + 1, NOTHING + 2
    elif question == BID_QUESTION:
        hand, trump = s.first[seat] if r.by_auction else s.dealt[seat], NOTHING - 1 if r.by_auction else s.trump
        for contract in range(v.N):
            if contract == v.NORMAL or may_bid(r, seat, contract, hand, trump, s.asked[0], s.asked[1]):
                choices[n], n = NOTHING + contract, n + 1
    else:
        first = s.first[seat]
        suits = suits_in(first) if r.must_hold else JACKS
        for suit in range(4):
            if suits & SUIT << 8 * suit:
                choices[n], n = NOTHING + suit, n + 1
        if r.turn_up:
            choices[n], n = NOTHING + TURN_ONE_UP, n + 1
        if r.three_unters and first & ~JACKS == 0:
            choices[n], n = NOTHING + NEW_DEAL, n + 1
    return n


@compiled(part="loop")
def card_played(record, turn, place):
    """The card of a trick's place; where the deal ended by an announcement, the queen of the marriage."""
    card = record.cards[4 * turn + place]
    if not card and place == 0 and record.announced[turn]:
        card = 1 << 8 * (record.announced[turn] & 3) + 1
    return card


@compiled
def calls_of(rules, record, state, table):
    """`list_calls` for Python: rules, record and state as int64 vectors, table int64[MOST_CALLS * CALL_COLUMNS]."""
    return list_calls(rules_in(rules, 0), state_in(record, 0), state_in(state, 0), cells(table, 0))


@compiled
def stand(rules, record, state, question, seat, at, choices):
    """The state of a decision, and what may be chosen into int64[32]; how many that is.

    at: for a card 4 * trick + place; for a call the number of its kind, as `list_calls` has it.
    """
    r, s = rules_in(rules, 0), state_in(state, 0)
    if question == CARDS_QUESTION:
        before_card(r, state_in(record, 0), s, at >> 2, at & 3)
    else:
        before_call(r, state_in(record, 0), s, question, at)
    return list_choices(r, s, question, seat, cells(choices, 0))
