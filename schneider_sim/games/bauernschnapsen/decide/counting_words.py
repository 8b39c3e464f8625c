"""The preferences that count cards: what the other hands can beat, must beat or may be made to play.

They judge by what the player remembers, holds and sees, and by what each seat has shown not to hold (inference.py).
Source: docs/policies.md, "Words of Bauernschnapsen".
"""

import numpy as np

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..kernel import state as v
from ..kernel.bits import (
    ACES,
    JACKS,
    KINGS,
    NOTHING,
    QUEENS,
    SUIT,
    TENS,
    above,
    extreme,
    points_in,
    popcount,
    suit_of,
    topmost,
    turned,
    turned_back,
)
from ..kernel.tricks import beat_of, legal_cards
from ..words import (
    DRAW,
    DUCK,
    FORCE,
    FORCE_OUT,
    HAND_OVER,
    HOLD_TEN,
    KEEP_FORK,
    KEEP_LAST,
    KEEP_STOP,
    SAFE,
    SHIELD,
    TO_PARTNER,
    UNLOAD,
)
from .inference import may_hold, must_hold, sees

DANGER = np.array([60 * lower // (higher + 1) for lower in range(5) for higher in range(8)], np.int64)
LOWEST, FOURTH, THIRD, UPPER, HIGHEST = (np.int64(1 << rank) for rank in range(5))  # in the contract's order


@compiled(part="expression")
def _to_play(s, seat):
    """The seats that play to this trick after `seat`, as bits."""
    later = 0
    for step in range(1, 4 - s.place):
        later |= 1 << ((seat + step) & 3)
    return later & ~(1 << s.away) if s.away >= 0 else later


@compiled(part="loop")
def _may_hold_any(r, s, kept, seat, seats, unseen):
    """The cards that at least one of some seats (bits) may hold."""
    out_of_line()
    cards = NOTHING
    for other in range(4):
        if seats >> other & 1:
            cards |= may_hold(r, s, kept, seat, other, unseen)
    return cards


@compiled(part="loop")
def _unbeaten(s, cards, threat):
    """Of cards that win the trick so far those that no card of `threat` would beat."""
    out_of_line()
    found = NOTHING
    while cards:
        card = cards & -cards
        cards &= cards - 1
        found |= 0 if beat_of(s.now_order, s.now_trumps, card) & threat else card
    return found


@compiled(part="loop")
def _must_be_beaten(r, s, seat, card, later, bound):
    """Whether a seat still to play has to beat the card; bound: cards that must lie with those seats."""
    out_of_line()
    order, trumps, duties = s.now_order, s.now_trumps, s.now_duties
    led = s.led if s.place else card
    if suit_of(led) == suit_of(card) and above(order, card) & bound and not duties & v.FREE_SUIT:
        return True
    beat = beat_of(order, trumps, card)
    for other in range(4):
        if later >> other & 1 and sees(r, s, seat, other) and not ~beat & legal_cards(
                s.hand[other], led, beat, trumps, duties, order, s.table | card):
            return True
    return False


@compiled(part="loop")
def _duck(r, s, kept, seat, candidates, unseen):
    """The candidates that are sure not to win the trick."""
    out_of_line()
    later, winning = _to_play(s, seat), candidates & s.beat
    found = candidates & ~winning
    if not winning or not later:
        return found
    bound = unseen
    if s.place or s.away >= 0:
        bound &= ~_may_hold_any(r, s, kept, seat, 15 & ~later & ~(1 << seat), unseen)
        for other in range(4):
            bound |= must_hold(s, kept, other) & unseen if later >> other & 1 else 0
    while winning:
        card = winning & -winning
        winning &= winning - 1
        found |= card if _must_be_beaten(r, s, seat, card, later, bound) else 0
    return found


@compiled(part="loop")
def _fewest_protectors(order, cards, declarer, others):
    """Of the cards that the declarer may have to beat those that the fewest cards of the others beat as well."""
    out_of_line()
    least, found, cards = 99, NOTHING, cards & ~topmost(order, cards, declarer)
    while cards:
        card = cards & -cards
        cards &= cards - 1
        n = popcount(above(order, card) & others)
        found = card if n < least else found | card if n == least else found
        least = min(least, n)
    return found


@compiled(part="loop")
def _round_no_trick(r, s, kept, code, seat, candidates, unseen):
    """`force` for the defenders of a no-trick contract, `shield` for its declarer's partner."""
    out_of_line()
    order, declarer, later = s.now_order, s.declarer, _to_play(s, seat)
    theirs = may_hold(r, s, kept, seat, declarer, unseen) if later >> declarer & 1 else NOTHING
    winning = candidates & s.beat
    if code == SHIELD:
        held_off = _unbeaten(s, winning, theirs) if theirs else NOTHING
        return held_off if held_off else extreme(order, winning, True)
    others = NOTHING
    if s.place == 0:
        others = _may_hold_any(r, s, kept, seat, later & ~(1 << declarer), unseen)
    forcing = _fewest_protectors(order, winning, theirs, others)
    return forcing if forcing or s.place == 0 else extreme(order, candidates, True)


@compiled(part="loop")
def _fork(order, hand, unseen, led):
    """The cards of forks in hand: the second highest of a suit and its only small card while the highest and the third
    are out, the third and the lowest while the fourth is. Of the suit led the upper card alone: it is to be kept."""
    out_of_line()
    mine, out, led, kept = turned(order, hand), turned(order, unseen), turned(order, led), NOTHING
    for suit in range(0, 32, 8):
        upper, small = mine & UPPER << suit, mine & (LOWEST | FOURTH) << suit
        if not upper or out & (HIGHEST | THIRD) << suit != (HIGHEST | THIRD) << suit:
            upper, small = mine & THIRD << suit, mine & LOWEST << suit if out & FOURTH << suit else 0
        if upper and small:
            only = popcount(small) == 1 and not led & SUIT << suit
            kept |= upper | small if only else upper
    return turned_back(order, kept)


@compiled(part="expression")
def _most_danger(order, cards, unseen):
    """The cards with most lower cards out for each higher one, counting one more of these."""
    most, found = -1, NOTHING
    while cards:
        card = cards & -cards
        cards &= cards - 1
        higher = above(order, card)
        lower = suit_of(card) & ~higher & ~card
        danger = DANGER[8 * popcount(lower & unseen) + popcount(higher & unseen)]
        found = card if danger > most else found | card if danger == most else found
        most = max(most, danger)
    return found


@compiled(part="loop")
def _unload(r, s, kept, seat, candidates, unseen):
    """The card that the declarer of a no-trick contract had best be rid of."""
    out_of_line()
    order, losing = s.now_order, _duck(r, s, kept, seat, candidates, unseen)
    if losing:
        return _most_danger(order, losing, unseen)
    later = _may_hold_any(r, s, kept, seat, _to_play(s, seat), unseen)
    most, found, cards = -1, NOTHING, candidates
    while cards:
        card = cards & -cards
        cards &= cards - 1
        n = popcount(above(order, card) & later)
        found = card if n > most else found | card if n == most else found
        most = max(most, n)
    return found


@compiled(part="loop")
def _stoppers(order, hand, unseen):
    """The cards that stop suits: the highest in hand above a card that is out, with a small one for each higher card
    out, where there are enough."""
    out_of_line()
    mine, out, kept = turned(order, hand), turned(order, unseen), NOTHING
    for suit in range(0, 32, 8):
        held, rest = mine >> suit & SUIT, out >> suit & SUIT
        top = NOTHING + 16
        while top and not held & top:
            top >>= 1
        guards, small = popcount(rest & ~(2 * top - 1)), held & ~top
        if not top or not rest & (top - 1) or popcount(small) < guards:
            continue
        kept |= top << suit
        while guards:
            kept |= (small & -small) << suit
            small &= small - 1
            guards -= 1
    return turned_back(order, kept)


@compiled(part="expression")
def _richest(cards, n):
    """The card points of the n richest of some cards."""
    found = NOTHING
    for ranks in (ACES, TENS, KINGS, QUEENS, JACKS):
        some = cards & ranks
        while some and n:
            found |= some & -some
            some &= some - 1
            n -= 1
    return points_in(found)


@compiled(part="loop")
def _keep_last(s, seat, candidates, unseen):
    """In the fourth trick of a normal game the card beside the highest trump: the last trick is then sure, and with it
    the game, unless the rivals can get 66 now."""
    out_of_line()
    if s.done != 3 or popcount(candidates) != 2:
        return NOTHING
    mine, one, two = candidates & s.now_trumps, (seat + 1) & 3, (seat + 3) & 3
    other = candidates & ~topmost(s.now_order, mine, mine | unseen)
    theirs = s.points[one] + s.points[two] + s.marriages[one] + s.marriages[two]
    most = theirs + points_in(s.table | other) + _richest(unseen, 3 - s.place)
    return other if most < 66 else NOTHING


@compiled(part="loop")
def _to_partner(r, s, kept, seat, candidates, unseen):
    """Cards of suits that the partner can trump, having shown to be out of them, or has announced a marriage of."""
    out_of_line()
    partner, trumps = seat ^ 2, s.now_trumps
    theirs, shown = may_hold(r, s, kept, seat, partner, unseen), must_hold(s, kept, partner)
    found = NOTHING
    for suit in range(4):
        whole = SUIT << 8 * suit
        ruff = theirs & whole == 0 and theirs & trumps and whole != trumps
        found |= candidates & whole if ruff or shown & (KINGS | QUEENS) & whole else 0
    return found


@compiled(part="loop")
def counted(r, s, kept, code, seat, hand, candidates, unseen):
    """The cards that a counting word wants; kept: how many completed tricks the player remembers."""
    out_of_line()
    order, trumps = s.now_order, s.now_trumps
    if code == UNLOAD:
        return _unload(r, s, kept, seat, candidates, unseen)
    if code in (FORCE, SHIELD):
        return _round_no_trick(r, s, kept, code, seat, candidates, unseen)
    if code == KEEP_STOP:
        return candidates & ~_stoppers(order, hand, unseen)
    if code == FORCE_OUT:
        court = candidates & (KINGS | QUEENS)
        theirs = may_hold(r, s, kept, seat, (seat + 1) & 3, unseen) & (ACES | TENS) if court else NOTHING
        return court & ~topmost(order, court, theirs)
    if code == SAFE:
        threat = _may_hold_any(r, s, kept, seat, _to_play(s, seat), unseen)
        return _unbeaten(s, candidates & s.beat, threat)
    if code == DUCK:
        return _duck(r, s, kept, seat, candidates, unseen)
    if code == KEEP_FORK:
        return candidates & ~_fork(order, hand, unseen, s.led if s.place else NOTHING)
    if code == KEEP_LAST:
        return _keep_last(s, seat, candidates, unseen)
    if code == TO_PARTNER:
        return _to_partner(r, s, kept, seat, candidates, unseen)
    if code == HAND_OVER:
        rivals = _may_hold_any(r, s, kept, seat, 10 if seat & 1 == 0 else 5, unseen)
        sure = topmost(order, unseen, unseen) & ~rivals if s.away < 0 else NOTHING
        return candidates & ~topmost(order, candidates, sure)
    if code == HOLD_TEN:
        tens = candidates & TENS
        return candidates & ~tens | topmost(order, tens, unseen)
    if code == DRAW and unseen & trumps:
        return topmost(order, candidates & trumps, unseen)
    return NOTHING
