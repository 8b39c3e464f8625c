"""What a player may conclude about another hand: cards seen elsewhere, duties that a play shows, marriages, open hands.

Everything is read off the cards on the table and those of remembered tricks, when a policy asks for it; a policy that
does not ask pays nothing. Source: docs/rules-bauernschnapsen.md sections 4 and 7.
"""

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..kernel import state as v
from ..kernel.bits import ALL, KINGS, NOTHING
from ..kernel.tricks import beat_of, ruled_out


@compiled(part="expression")
def remembered(r, me, s):
    """The played cards of completed tricks that a policy remembers, each team's open first trick included."""
    kept = me.memory
    played = s.played
    if kept >= s.done:
        return played
    cards = played & ~s.before[s.done - kept] if kept else 0
    return cards | s.first_tricks if r.first_open else cards


@compiled(part="expression")
def sees(r, s, seat, other):
    """Whether `other`'s cards lie open to `seat` (Plauderer)."""
    if s.contract != v.PLAUDERER or (other ^ s.declarer) & 1 == 0:
        return False
    view = r.open_hands
    return view == 0 or (view == 1 and s.done > 0) or (view == 2 and (seat ^ s.declarer) & 1 == 1)


@compiled(part="expression")
def mate_of(card):
    """The queen of a king, the king of a queen."""
    return card >> 1 if card & KINGS else card << 1


@compiled(part="loop")
def _shown(s, turn, other):
    """The cards that `other` has shown not to hold by its card to a trick."""
    out_of_line()
    order, trumps, duties = s.now_order, s.now_trumps, s.now_duties
    led, beat, table = NOTHING, ALL, NOTHING
    for place in range((other - s.trick_leader[turn]) & 3):
        card = s.cards[4 * turn + place]
        led = led if led else card
        beat = beat_of(order, trumps, card) if card & beat else beat
        table |= card
    card = s.cards[4 * turn + ((other - s.trick_leader[turn]) & 3)]
    if card & ~table and led:
        return ruled_out(card, led, beat, trumps, duties, order, table)
    return NOTHING


@compiled(part="loop")
def may_hold(r, s, kept, seat, other, unseen):
    """The cards that `seat` cannot rule out of `other`'s hand, of those it has not seen.

    kept: how many completed tricks it remembers; unseen: cards neither remembered nor in its hand nor on the table.
    """
    out_of_line()
    gone, done = s.turned if other else NOTHING, s.done
    if s.contract == v.PLAUDERER:
        if sees(r, s, seat, other):
            return s.hand[other]
        rival = (s.declarer + 1) & 3
        gone |= s.hand[rival] | s.hand[(rival ^ 2)] if sees(r, s, seat, rival) else 0
    for turn in range(max(NOTHING, done - kept), done + (s.place > 0)):
        gone |= _shown(s, turn, other)
        if s.announced[turn] and s.trick_leader[turn] != other:
            gone |= mate_of(s.cards[4 * turn])
    return unseen & ~gone


@compiled(part="expression")
def must_hold(s, kept, other):
    """The card that `other` still holds by a marriage announced or a card turned up, where the caller's is asked."""
    held = s.turned if other == 0 else NOTHING
    for turn in range(max(NOTHING, s.done - kept), s.done + (s.place > 0)):
        if s.announced[turn] and s.trick_leader[turn] == other:
            held |= mate_of(s.cards[4 * turn])
    return held & ~(s.played | s.table)
