"""The layouts of hidden cards that fit all a player may know: how many there are, and the n-th of them.

Each hidden card may lie with some of the seats (inference.py) and each seat has a number of places. The ways to fill
the places with the first k hidden cards are counted for every k, so that a layout drawn by its number is uniform over
all, and when there are few, all can be gone through. For a player who forgets, cards played may be among the hidden
ones; they lie with nobody. So the first of four holders is the player itself when it names trumps before it has seen
all its cards, and nobody later on.
"""

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..decide.inference import may_hold, must_hold, remembered, sees
from ..kernel.bits import ALL, NOTHING, popcount


@compiled(part="expression")
def _ways(k, left, across, right):
    """Where it is kept in how many ways the first k hidden cards fill these places of the other seats.

    The places of the first holder follow from the sum.
    """
    return ((k * 6 + left) * 6 + across) * 6 + right


@compiled(part="loop")
def _look(r, me, s, seat, mine):
    """What is known, possible and free at each seat: fills in RECALLED, KNOWN, MAY, ROOM and the HIDDEN cards."""
    out_of_line()
    s.recalled, kept = remembered(r, me, s), me.memory
    unseen, hidden = ALL & ~(s.recalled | s.table | mine), NOTHING
    rest, places = unseen, NOTHING
    for other in range(4):
        known = mine
        if other != seat:
            known = s.hand[other] if sees(r, s, seat, other) else must_hold(s, kept, other) & unseen
            s.room[other] = popcount(s.hand[other]) - popcount(known)  # how many cards somebody holds is public
            places += s.room[other]
        s.known[other] = known
        s.may[other] = unseen if other == seat else may_hold(r, s, kept, seat, other, unseen)
        rest &= ~known
    s.room[seat] = popcount(rest) - places
    while rest:
        s.hidden[hidden] = rest & -rest
        rest &= rest - 1
        hidden += 1
    return hidden


@compiled(part="loop")
def count_layouts(r, me, s, seat, mine):
    """How many layouts fit, as `seat` who knows its cards `mine` sees it; `lay_out` then lays any of them out."""
    out_of_line()
    hidden = s.hidden_cards = _look(r, me, s, seat, mine)
    left, across, right = (seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3
    s.ways[_ways(NOTHING, NOTHING, NOTHING, NOTHING)] = 1
    for k in range(1, hidden + 1):
        card = s.hidden[k - 1]
        own, one, two = s.may[seat] & card, s.may[left] & card, s.may[across] & card
        three = s.may[right] & card
        for a in range(s.room[left] + 1):
            for b in range(s.room[across] + 1):
                for c in range(s.room[right] + 1):
                    o = k - a - b - c
                    if o < 0 or o > s.room[seat]:
                        continue
                    ways = s.ways[_ways(k - 1, a, b, c)] if own and o else 0
                    ways += s.ways[_ways(k - 1, a - 1, b, c)] if one and a else 0
                    ways += s.ways[_ways(k - 1, a, b - 1, c)] if two and b else 0
                    s.ways[_ways(k, a, b, c)] = ways + (s.ways[_ways(k - 1, a, b, c - 1)] if three and c else 0)
    return s.ways[_ways(hidden, s.room[left], s.room[across], s.room[right])]


@compiled(part="loop")
def lay_out(s, z, seat, number):
    """Lay the layout of a number (from 0, below the count) into the hands of `z`."""
    out_of_line()
    for other in range(4):
        z.hand[other] = s.known[other]
    left, across, right = (seat + 1) & 3, (seat + 2) & 3, (seat + 3) & 3
    o, a, b, c = s.room[seat], s.room[left], s.room[across], s.room[right]
    for k in range(s.hidden_cards, 0, -1):
        card, holder = s.hidden[k - 1], right
        for other in (seat, left, across):
            places = o if other == seat else a if other == left else b
            if not places or not s.may[other] & card:
                continue
            ways = s.ways[_ways(k - 1, a - (other == left), b - (other == across), c)]
            if number < ways:
                holder = other
                break
            number -= ways
        if holder != seat or not s.done:
            z.hand[holder] |= card
        o, a, b, c = o - (holder == seat), a - (holder == left), b - (holder == across), c - (holder == right)
