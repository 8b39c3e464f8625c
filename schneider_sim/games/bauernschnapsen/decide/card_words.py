"""The preferences for leading and following: the cards each word wants among the candidates.

Every word narrows the candidates to the cards it wants, if there are any; words for special contracts want nothing
elsewhere. A word sees `view`: the own hand, what is remembered, the table, and what is public of the deal.
Source: rules/bauernschnapsen.md section 11; docs/policies.md.
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
from ..kernel.units import introduced, place_of_policy
from ..views import ROLES
from ..words import (
    ACE,
    DODGE,
    HIGH,
    KEEP_MARRIAGE,
    LONG,
    LOW,
    MASTER,
    NEGATED,
    PLUGIN,
    POOR,
    RICH,
    SAFE,
    SHORT,
    SMEAR,
    STING,
    TEN,
    TRUMP,
    UNBLOCK,
    WIN,
    WIN_CHEAP,
    WIN_RICH,
)
from .counting_words import counted
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
    order = s[v.NOW_ORDER]
    if s[v.PLACE] == 0:
        sure = candidates & ~topmost(order, candidates, unseen)
        return extreme(order, sure if sure else candidates, sure != 0)
    losing = candidates & ~s[v.BEAT]
    if not losing:
        beaten = candidates & ~topmost(order, candidates, unseen)
        return extreme(order, beaten if beaten else candidates, False)
    if losing & suit_of(s[v.LED]):
        return extreme(order, losing, True)
    return _most_dangerous(order, losing, unseen)


@compiled(part="loop")
def _following(s, code, seat, hand, candidates, unseen):
    """Words that only make sense when following."""
    out_of_line()
    if code == WIN:
        return candidates & s[v.BEAT]
    if code in (WIN_CHEAP, WIN_RICH):
        return extreme(STD, candidates & s[v.BEAT], code == WIN_RICH)
    if code == SMEAR:
        friendly = s[v.BEST_SEAT] == seat ^ 2
        last = s[v.PLACE] == 3 or (s[v.PLACE] == 2 and s[v.AWAY] == (seat + 1) & 3)
        if friendly and (last or s[v.BEAT] & unseen == 0):
            return extreme(STD, candidates & ~s[v.BEAT], True)
        return 0
    if code == KEEP_MARRIAGE:
        queens = pairs_in(hand)
        announcing = s[v.NOW_AIM] == v.AIM_NORMAL or (s[v.NOW_AIM] == v.AIM_SCHNAPSER and seat == s[v.DECLARER])
        return candidates & ~(queens | queens << 1) if announcing else candidates
    guards, tens = 0, hand & TENS
    while tens:
        ten = tens & -tens
        tens &= tens - 1
        beside = hand & suit_of(ten) & ~ten
        if popcount(beside) == 1 and above(s[v.NOW_ORDER], ten) & unseen:
            guards |= ten | beside
    return candidates & ~guards


@compiled(part="loop")
def _any_time(s, code, hand, candidates, unseen):
    """Words that read alike when leading and following."""
    out_of_line()
    order = s[v.NOW_ORDER]
    if code == MASTER:
        return topmost(order, candidates, unseen)
    if code == TRUMP:
        return candidates & s[v.NOW_TRUMPS]
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
    queens = pairs_in(hand)
    return candidates & (queens | queens << 1)


@compiled(part="expression")
def remembered(r, p, me, s):
    """The played cards of completed tricks that a policy remembers, each team's open first trick included."""
    kept = p[me + v.MEMORY]
    played = s[v.PLAYED]
    if kept >= s[v.DONE]:
        return played
    cards = played & ~s[v.BEFORE + s[v.DONE] - kept] if kept else 0
    return cards | s[v.FIRST_TRICKS] if r[v.FIRST_OPEN] else cards


@compiled
def cards_unit(section, state, seat, candidates):
    """The unit of preferences: the candidates after every word of a section of the seat's policy has narrowed them."""
    r, p, s = introduced(state)
    me = place_of_policy(seat)
    hand = s[v.HAND + seat]
    unseen = ALL & ~(hand | remembered(r, p, me, s) | s[v.TABLE])
    role = 0 if seat == s[v.DECLARER] else 1 if seat == s[v.DECLARER] ^ 2 else 2
    number = len(ROLES) * s[v.NOW_AIM] + role + (v.LISTS if section == v.P_FOLLOW else 0)
    words = me + v.APPLYING + v.SECTION * number
    for i in range(words + 1, words + 1 + p[words]):
        if candidates & (candidates - 1) == 0:
            break
        code = p[i] & ~NEGATED
        if code >= PLUGIN:
            wanted = candidates & ask_plugin(s, code - PLUGIN, seat, hand, candidates, unseen)
        elif code >= SAFE:
            wanted = counted(r, s, p[me + v.MEMORY], code, seat, hand, candidates, unseen)
        elif code == DODGE:
            wanted = _dodge(s, candidates, unseen)
        elif code >= STING:
            wanted = extreme(s[v.NOW_ORDER], candidates, code == UNBLOCK)
        elif code >= WIN:
            wanted = _following(s, code, seat, hand, candidates, unseen)
        else:
            wanted = _any_time(s, code, hand, candidates, unseen)
        if p[i] & NEGATED:
            wanted = candidates & ~wanted
        if wanted:
            candidates = wanted
    return candidates
