"""What a play of Bauernschnapsen adds to the tally; its parts are described in layout.py."""

import numpy as np

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from . import state as v
from .bits import pairs_in, place_of
from .layout import HALF, LAYOUT
from .scoring import team_tricks

A_FIRST, B_FIRST = map(np.int64, range(2))  # which policy is the caller's side (the first leader)
(_JOINT, _V, _OUTCOME, _NORMAL, _ENDED, _CARDS, _TRICKS, _MARRIAGES, _PLAYS, _BIDS, _OPENING) = (
    LAYOUT.offset(name) for name in LAYOUT.shapes)


@compiled(part="expression")
def size_place(size):
    """The place of |V| among the sizes: 1..24, 26..48 by 2, 52..96 by 4, 104..192 by 8."""
    if size <= 24:
        return size - 1
    if size <= 48:
        return 24 + ((size - 26) >> 1)
    return 36 + ((size - 52) >> 2) if size <= 96 else 48 + ((size - 104) >> 3)


@compiled(part="loop")
def _count_marriages(s, first, tally):
    out_of_line()
    sides, points = 0, np.int64(0)
    cell = _MARRIAGES + 12 * first
    for seat in range(4):
        pairs = pairs_in(s.dealt[seat])
        while pairs:
            tally[cell + 6 * (seat & 1) + 3 * (place_of(pairs) >> 3 == s.trump)] += 1
            pairs &= pairs - 1
    for turn in range(5):
        points = s.announced[turn] >> 2
        if points:
            side = s.trick_leader[turn] & 1
            place = cell + 6 * side + 3 * (points == 40)
            tally[place + 1] += 1
            tally[place + 2] += team_tricks(s, side) > 0
            sides |= 1 << side
    tally[_PLAYS + 4 * first + sides] += 1


@compiled(part="loop")
def _count_normal(s, first, tally):
    out_of_line()
    last = s.how == v.END_LAST
    cell = (((first * 2 + s.team) * 2 + last) * 3 + s.worth - 1) * 4 + s.level
    tally[_NORMAL + cell] += 1
    tally[_CARDS + 121 * first + s.points[0] + s.points[2]] += 1
    tally[_TRICKS + 36 * first + 6 * team_tricks(s, 0) + team_tricks(s, 1)] += 1


@compiled(part="loop")
def count_play(s, first, tally):
    """Count a finished play; returns the place of V among V_VALUES."""
    size = s.worth << s.level
    a_scores = s.team == first
    place = HALF + size_place(size) if a_scores else HALF - 1 - size_place(size)
    tally[_V + 2 * HALF * first + place] += 1
    made = s.team == s.declarer & 1
    cell = ((first * v.N + s.contract) * 4 + s.declarer) * 4 + s.level
    tally[_OUTCOME + 2 * cell + made] += 1
    tally[_ENDED + 5 * first + s.how - 1] += 1
    for i in range(s.calls):
        call = s.call[i]
        tally[_BIDS + (first * 4 + (call >> 5)) * v.N + (call & 31)] += 1
    tally[_OPENING + 3 * first + (s.turned != 0)] += 1
    tally[_OPENING + 3 * first + 2] += s.redeals
    if s.contract == v.NORMAL:
        _count_normal(s, first, tally)
    _count_marriages(s, first, tally)
    return place


@compiled(part="expression")
def count_pair(with_a, with_b, tally):
    """Count a duplicate by the places of V with A, then B, as the caller's side."""
    tally[_JOINT + 2 * HALF * with_a + with_b] += 1
