"""The layouts of hidden cards that fit all a player may know: how many there are, and the n-th of them.

Each hidden card may lie with some of the seats (inference.py) and each seat has a number of places. The ways to fill
the places with the first k hidden cards are counted for every k, so that a layout drawn by its number is uniform over
all, and when there are few, all can be gone through.
"""

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..decide.inference import may_hold, must_hold, sees
from ..kernel.bits import ALL, NOTHING, popcount

ALL_TRICKS = NOTHING + 5  # remembered: who counts layouts remembers everything


@compiled(part="expression")
def _ways(k, own, left, across):
    """Where the number of ways is kept to lay the first k hidden cards into so many places; those of the seat to the
    right follow from the sum."""
    return ((k * 4 + own) * 6 + left) * 6 + across


@compiled(part="loop")
def _look(r, s, seat, mine):
    """What is known, possible and free at each seat: fills in KNOWN, MAY, ROOM and the HIDDEN cards."""
    out_of_line()
    unseen, hidden = ALL & ~(s.played | s.table | mine), NOTHING
    rest = unseen
    for other in range(4):
        known = mine
        if other != seat:
            known = s.hand[other] if sees(r, s, seat, other) else must_hold(s, ALL_TRICKS, other) & unseen
        s.known[other] = known
        s.may[other] = unseen if other == seat else may_hold(r, s, ALL_TRICKS, seat, other, unseen)
        s.room[other] = popcount(s.hand[other]) - popcount(known)  # how many cards somebody holds is public
        rest &= ~known
    while rest:
        s.hidden[hidden] = rest & -rest
        rest &= rest - 1
        hidden += 1
    return hidden


@compiled(part="loop")
def count_layouts(r, s, seat, mine):
    """How many layouts fit, as `seat` who knows its cards `mine` sees it; `lay_out` then lays any of them out."""
    out_of_line()
    hidden = s.hidden_cards = _look(r, s, seat, mine)
    left, across, right = (seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3
    s.ways[_ways(NOTHING, NOTHING, NOTHING, NOTHING)] = 1
    for k in range(1, hidden + 1):
        card = s.hidden[k - 1]
        own, one, two = s.may[seat] & card, s.may[left] & card, s.may[across] & card
        three = s.may[right] & card
        for o in range(s.room[seat] + 1):
            for a in range(s.room[left] + 1):
                for b in range(s.room[across] + 1):
                    c = k - o - a - b
                    if c < 0 or c > s.room[right]:
                        continue
                    ways = s.ways[_ways(k - 1, o - 1, a, b)] if own and o else 0
                    ways += s.ways[_ways(k - 1, o, a - 1, b)] if one and a else 0
                    ways += s.ways[_ways(k - 1, o, a, b - 1)] if two and b else 0
                    s.ways[_ways(k, o, a, b)] = ways + (s.ways[_ways(k - 1, o, a, b)] if three and c else 0)
    return s.ways[_ways(hidden, s.room[seat], s.room[left], s.room[across])]


@compiled(part="loop")
def lay_out(s, z, seat, number):
    """Lay the layout of a number (from 0, below the count) into the hands of `z`."""
    out_of_line()
    for other in range(4):
        z.hand[other] = s.known[other]
    left, across, right = (seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3
    o, a, b = s.room[seat], s.room[left], s.room[across]
    for k in range(s.hidden_cards, 0, -1):
        card, holder = s.hidden[k - 1], right
        for other in (seat, left, across):
            places = o if other == seat else a if other == left else b
            if not places or not s.may[other] & card:
                continue
            ways = s.ways[_ways(k - 1, o - (other == seat), a - (other == left), b - (other == across))]
            if number < ways:
                holder = other
                break
            number -= ways
        z.hand[holder] |= card
        o, a, b = o - (holder == seat), a - (holder == left), b - (holder == across)
