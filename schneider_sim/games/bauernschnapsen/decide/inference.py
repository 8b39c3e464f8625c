"""What a player may conclude about another hand: cards seen elsewhere, duties that a play shows, marriages, open hands.

Everything is read off the cards on the table and those of remembered tricks, when a policy asks for it; a policy that
does not ask pays nothing. Source: rules/bauernschnapsen.md sections 4, 7 and 11.
"""

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..kernel import state as v
from ..kernel.bits import ALL, KINGS, NOTHING
from ..kernel.tricks import beat_of, ruled_out


@compiled(part="expression")
def sees(r, s, seat, other):
    """Whether `other`'s cards lie open to `seat` (Plauderer)."""
    if s[v.CONTRACT] != v.PLAUDERER or (other ^ s[v.DECLARER]) & 1 == 0:
        return False
    view = r[v.VIEW]
    return view == 0 or (view == 1 and s[v.DONE] > 0) or (view == 2 and (seat ^ s[v.DECLARER]) & 1 == 1)


@compiled(part="expression")
def mate_of(card):
    """The queen of a king, the king of a queen."""
    return card >> 1 if card & KINGS else card << 1


@compiled(part="loop")
def _shown(s, turn, other):
    """The cards that `other` has shown not to hold by its card to a trick."""
    out_of_line()
    order, trumps, duties = s[v.NOW_ORDER], s[v.NOW_TRUMPS], s[v.NOW_DUTIES]
    led, beat, table = NOTHING, ALL, NOTHING
    for place in range((other - s[v.TRICK_LEADER + turn]) & 3):
        card = s[v.CARDS + 4 * turn + place]
        led = led if led else card
        beat = beat_of(order, trumps, card) if card & beat else beat
        table |= card
    card = s[v.CARDS + 4 * turn + ((other - s[v.TRICK_LEADER + turn]) & 3)]
    if card & ~table and led:
        return ruled_out(card, led, beat, trumps, duties, order, table)
    return NOTHING


@compiled(part="loop")
def may_hold(r, s, kept, seat, other, unseen):
    """The cards that `seat` cannot rule out of `other`'s hand, of those it has not seen.

    kept: how many completed tricks it remembers; unseen: cards neither remembered nor in its hand nor on the table.
    """
    out_of_line()
    gone, done = s[v.TURNED] if other else NOTHING, s[v.DONE]
    if s[v.CONTRACT] == v.PLAUDERER:
        if sees(r, s, seat, other):
            return s[v.HAND + other]
        rival = (s[v.DECLARER] + 1) & 3
        gone |= s[v.HAND + rival] | s[v.HAND + (rival ^ 2)] if sees(r, s, seat, rival) else 0
    for turn in range(max(NOTHING, done - kept), done + (s[v.PLACE] > 0)):
        gone |= _shown(s, turn, other)
        if s[v.ANNOUNCED + turn] and s[v.TRICK_LEADER + turn] != other:
            gone |= mate_of(s[v.CARDS + 4 * turn])
    return unseen & ~gone


@compiled(part="expression")
def must_hold(s, kept, other):
    """The card that `other` still holds by a marriage announced or a card turned up, where the caller's is asked."""
    held = s[v.TURNED] if other == 0 else NOTHING
    for turn in range(max(NOTHING, s[v.DONE] - kept), s[v.DONE] + (s[v.PLACE] > 0)):
        if s[v.ANNOUNCED + turn] and s[v.TRICK_LEADER + turn] == other:
            held |= mate_of(s[v.CARDS + 4 * turn])
    return held & ~(s[v.PLAYED] | s[v.TABLE])
