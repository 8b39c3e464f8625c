"""The preferences for leading and following: the cards each word wants among the candidates.

Every word narrows the candidates to the cards it wants, if there are any; words for special contracts want nothing
elsewhere. A word sees `view`: the own hand, what is remembered, the table, and what is public of the deal.
Source: docs/policies.md, "Words of Bauernschnapsen".
"""

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..kernel import state as v
from ..kernel.bits import (
    ACES,
    ALL,
    NOTHING,
    STD,
    SUIT,
    TENS,
    above,
    extreme,
    pairs_in,
    popcount,
    suit_of,
    topmost,
)
from ..kernel.units import OPEN_QUESTION, SEARCH, ask, introduced
from ..views import ROLES
from ..words import (
    ACE,
    BARE,
    DODGE,
    HIGH,
    KEEP_GUARD,
    KEEP_MARRIAGE,
    LATER,
    LONG,
    LOW,
    MARRIAGE_CARD,
    MASTER,
    NEGATED,
    OPEN_HANDS,
    PLUGIN,
    POOR,
    RICH,
    SAFE,
    SHORT,
    SMEAR,
    STAGE,
    STING,
    TEN,
    TRUMP,
    UNBLOCK,
    WIN,
    WIN_CHEAP,
    WIN_RICH,
)
from .counting_words import counted
from .inference import remembered, sees
from .plugins import ask_plugin


@compiled(part="expression")
def _length(hand, cards, suit, most):
    """How far a suit goes towards the longest (shortest) in hand, from 1; 0 where none of the cards is of it."""
    n = popcount(hand & suit)
    return (n if most else 6 - n) if cards & suit else 0


@compiled(part="expression")
def _extreme_length(hand, cards, most):
    """The cards of the suits longest (shortest) in hand."""
    best, found = NOTHING, NOTHING
    for suit in range(0, 32, 8):
        best = max(best, _length(hand, cards, SUIT << suit, most))
    for suit in range(0, 32, 8):
        found |= cards & SUIT << suit if _length(hand, cards, SUIT << suit, most) == best else 0
    return found


@compiled(part="expression")
def _most_dangerous(order, cards, unseen):
    """The cards with the fewest unseen cards above them: they are the hardest to lose."""
    while True:
        found = topmost(order, cards, unseen)
        if found:
            return found
        unseen &= ~topmost(order, unseen, unseen)


@compiled(part="loop")
def _dodge(s, candidates, unseen):
    """The declarer of a no-trick contract loses the highest card it can."""
    out_of_line()
    order = s.now_order
    if s.place == 0:
        sure = candidates & ~topmost(order, candidates, unseen)
        return extreme(order, sure if sure else candidates, sure != 0)
    losing = candidates & ~s.beat
    if not losing:
        beaten = candidates & ~topmost(order, candidates, unseen)
        return extreme(order, beaten if beaten else candidates, False)
    if losing & suit_of(s.led):
        return extreme(order, losing, True)
    return _most_dangerous(order, losing, unseen)


@compiled(part="loop")
def _following(s, code, seat, hand, candidates, unseen):
    """Words that only make sense when following."""
    out_of_line()
    if code == WIN:
        return candidates & s.beat
    if code in (WIN_CHEAP, WIN_RICH):
        return extreme(STD, candidates & s.beat, code == WIN_RICH)
    if code == SMEAR:
        friendly = s.best_seat == seat ^ 2
        last = s.place == 3 or (s.place == 2 and s.away == (seat + 1) & 3)
        if friendly and (last or s.beat & unseen == 0):
            return extreme(STD, candidates & ~s.beat, True)
        return 0
    if code == KEEP_MARRIAGE:
        queens = pairs_in(hand)
        announcing = s.now_aim == v.AIM_NORMAL or (s.now_aim == v.AIM_SCHNAPSER and seat == s.declarer)
        return candidates & ~(queens | queens << 1) if announcing else candidates
    if code != KEEP_GUARD:
        return NOTHING
    guards, tens = 0, hand & TENS
    while tens:
        ten = tens & -tens
        tens &= tens - 1
        beside = hand & suit_of(ten) & ~ten
        if popcount(beside) == 1 and above(s.now_order, ten) & unseen:
            guards |= ten | beside
    return candidates & ~guards


@compiled(part="loop")
def _any_time(s, code, hand, candidates, unseen):
    """Words that read alike when leading and following."""
    out_of_line()
    order = s.now_order
    if code == MASTER:
        return topmost(order, candidates, unseen)
    if code == TRUMP:
        return candidates & s.now_trumps
    if code == ACE:
        return candidates & ACES
    if code == TEN:
        return candidates & TENS
    if code in (RICH, POOR):
        return extreme(STD, candidates, code == RICH)
    if code in (HIGH, LOW):
        return extreme(order, candidates, code == HIGH)
    if code in (LONG, SHORT):
        return _extreme_length(hand, candidates, code == LONG)
    if code == MARRIAGE_CARD:
        queens = pairs_in(hand)
        return candidates & (queens | queens << 1)
    return NOTHING


@compiled(part="loop")
def _with_open_hands(r, s, seat, candidates, unseen, first):
    """The candidates that make a Plauderer whatever the rivals do, where its declarer and partner know all hands; the
    card `first` alone if it is one of them."""
    out_of_line()
    left, right = (seat + 1) & 3, (seat + 3) & 3
    if s.contract != v.PLAUDERER or (seat ^ s.declarer) & 1 or not sees(r, s, seat, left) or s.away >= 0:
        return NOTHING
    across = unseen & ~(s.hand[left] | s.hand[right])
    if popcount(across) != popcount(s.hand[(seat ^ 2)]):  # some card played has been forgotten
        return NOTHING
    s.asked[0] = first
    return ask(SEARCH, OPEN_QUESTION, s, seat, candidates)


@compiled(part="step")
def wanted_by(r, s, memory, code, seat, hand, candidates, unseen):
    """The candidates that a word wants."""
    if code >= PLUGIN:
        wanted = candidates & ask_plugin(s, code - PLUGIN, seat, hand, candidates, unseen)
    elif code == OPEN_HANDS:
        wanted = _with_open_hands(r, s, seat, candidates, unseen, NOTHING)
    elif code >= SAFE:
        wanted = counted(r, s, memory, code, seat, hand, candidates, unseen)
    elif code == DODGE:
        wanted = _dodge(s, candidates, unseen)
    elif code in (STING, UNBLOCK):
        wanted = extreme(s.now_order, candidates, code == UNBLOCK)
    elif code >= WIN:
        wanted = _following(s, code, seat, hand, candidates, unseen)
    else:
        wanted = _any_time(s, code, hand, candidates, unseen)
    return wanted


@compiled
def cards_unit(section, state, seat, candidates):
    """The unit of preferences: the candidates after every word of a section of the seat's policy has narrowed them.

    A word that searches waits where it may: of the card that the others leave, one question is often enough.
    """
    r, p, s = introduced(state)
    me = p[seat & 1]
    hand = s.hand[seat]
    unseen = ALL & ~(hand | remembered(r, me, s) | s.table)
    role = 0 if seat == s.declarer else 1 if seat == s.declarer ^ 2 else 2
    number = len(ROLES) * s.now_aim + role + (v.LISTS if section == v.P_FOLLOW else 0)
    listed = me.applying[number]
    i = waiting = after = NOTHING  # the next word; the candidates before the word that waits, the word after it
    while True:
        while i < listed.n and candidates & (candidates - 1):
            word = listed.words[i]
            i += 1
            if not word >> (STAGE + s.done) & 1:
                continue
            if word & LATER:
                waiting, after = candidates, i
                continue
            wanted = wanted_by(r, s, me.memory, word & BARE, seat, hand, candidates, unseen)
            if word & NEGATED:
                wanted = candidates & ~wanted
            if wanted:
                candidates = wanted
        if not waiting:
            return candidates
        wanted = _with_open_hands(r, s, seat, waiting, unseen, NOTHING if candidates & (candidates - 1) else candidates)
        if not wanted or wanted == waiting:
            return candidates
        candidates, i, waiting = wanted, after, NOTHING
