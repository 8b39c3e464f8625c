"""The exact value of what is left of a deal when all hands are known: five tricks at most.

A question is "does the caller's side get at least `goal` game points (undoubled; less than 0 is lost)?". The answer is
a depth-first search with a stack of its own, since a compiled function that calls itself cannot be cached. Marriages:
leading a king or queen of a marriage announces it, for with open hands that can only help; rules under which it can
harm (`failed_announce_loses`) are asked at the announcement.
"""

import numpy as np

from ....compiled.cells import keep_alive
from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..kernel import state as v
from ..kernel.bits import ACES, ALL, KINGS, NOTHING, QUEENS, SUIT, TENS, pairs_in, points_in
from ..kernel.fields import numbers
from ..kernel.scoring import deal_over, may_announce, team_total, team_tricks
from ..kernel.tricks import beat_of, legal_cards
from ..kernel.units import rules_in, state_in
from .none_or_all import answer_at, is_made, key_of, new_layout

SOMETHING = np.int64(1)  # game points: the least goal that a win reaches


@compiled(part="expression")
def _first(moves, high):
    """The move to try first: of the highest or the lowest rank."""
    if high:
        for ranks in (ACES, TENS, KINGS, QUEENS):
            if moves & ranks:
                moves &= ranks
                break
        return moves & -moves
    for ranks in (QUEENS >> 1, QUEENS, KINGS, TENS):
        if moves & ranks:
            moves &= ranks
            break
    return moves & -moves


@compiled(part="expression")
def _known_side(r, t, goal):
    """In the normal game what the tricks won so far already decide: 1 yes, 0 no, -1 open."""
    ours, theirs = team_tricks(t, 0), team_tricks(t, 1)
    most = 3 if theirs == 0 else 2 if team_total(r, t, 1) < 33 else 1
    least = -3 if ours == 0 else -2 if team_total(r, t, 0) < 33 else -1
    return 0 if most < goal else 1 if least >= goal else -1


@compiled(part="loop")
def _answer(t, goal):
    """Whether a deal that is over gave the caller's side `goal`."""
    return (t.worth if t.team == 0 else -t.worth) >= goal


@compiled(part="loop")
def _announced(r, t, seat, card, goal):
    """Announce the marriage of the card led, if it is of one and may be: 1, 0 for an answer, -1 to play on."""
    out_of_line()
    queen = card if card & QUEENS else card >> 1
    if not may_announce(r, t, seat) or not queen & pairs_in(t.hand[seat]):
        return -1
    points = 40 if card & SUIT << 8 * t.trump else 20
    t.marriages[seat] += points
    t.just = points
    t.routed = t.done == (1 if points == 40 else 2)
    if not deal_over(r, t):
        return -1
    if t.team == seat & 1:
        return 1 if _answer(t, goal) else 0
    t.marriages[seat] -= points
    t.just = t.routed = 0
    return -1


@compiled(part="loop")
def _open(t, f, turn, place, led, beat, winner, table):
    """Begin a position: its moves and where its trick stands."""
    seat = (t.leader + place) & 3
    if seat == t.away:
        place += 1
        seat = (seat + 1) & 3
    moves = t.hand[seat]
    if led:
        moves = legal_cards(moves, led, beat, t.now_trumps, t.now_duties, t.now_order, table)
    f.moves, f.led, f.beat, f.winner, f.table, f.place, f.turn = (
        moves, led, beat, winner, table, place, turn)


@compiled(part="expression")
def _play_last(t):
    """Play the last trick, in which nobody has a choice."""
    order, trumps, away = t.now_order, t.now_trumps, t.away
    winner, beat, table, leader = 0, ALL, 0, t.leader
    for place in range(4):
        seat = (leader + place) & 3
        card = t.hand[seat]
        wins = card & beat != 0 and seat != away
        table |= card if seat != away else 0
        higher = beat_of(order, trumps, card) if wins else beat
        winner, beat = (seat, higher) if wins else (winner, beat)
    t.tricks[winner] += 1
    t.points[winner] += points_in(table)
    t.last_winner, t.done = winner, 5


@compiled(part="expression")
def copy(some, other):
    """Copy a position, with which a state begins, too."""
    a, b = numbers(some), numbers(other)
    for i in range(v.POSITION_SIZE):
        b[i] = a[i]


@compiled(part="loop")
def _next_trick(r, t, n, winner, table, goal):
    """Give the trick to its winner in the next frame: 1, 0 for an answer, -1 to play on."""
    copy(t, n)
    n.tricks[winner] += 1
    n.points[winner] += points_in(table)
    n.leader = n.last_winner = winner
    n.done = t.done + 1
    n.just = 0
    if deal_over(r, n):
        return 1 if _answer(n, goal) else 0
    known = _known_side(r, n, goal) if n.now_aim == v.AIM_NORMAL else -1
    if known < 0 and n.done == 4:
        _play_last(n)
        deal_over(r, n)
        return 1 if _answer(n, goal) else 0
    return known


@compiled(part="expression")
def _question(t, goal):
    """What of a normal game so far, besides the cards that are left, decides whether it brings `goal`."""
    ours, theirs = t.marriages[0] + t.marriages[2], t.marriages[1] + t.marriages[3]
    tricks = (team_tricks(t, 0) > 0) + 2 * (team_tricks(t, 1) > 0)
    return (((t.points[0] + t.points[2]) * 16 + ours // 20) * 16 + theirs // 20) * 32 + tricks * 8 + goal + 3


@compiled(part="loop")
def _kept(r, z, n, f, goal):
    """The answer kept of a position that begins a trick of a normal game, less than 0 for none; where it would be."""
    f.key = NOTHING
    if n.now_aim != v.AIM_NORMAL or r.by_player:
        return NOTHING - 1
    f.key, f.asked = key_of(z, n.leader, n.hand[0] | n.hand[1] | n.hand[2] | n.hand[3]), _question(n, goal)
    kept = answer_at(z, f.key, f.asked)
    return kept.found if kept.key == f.key and kept.asked == f.asked else NOTHING - 1


@compiled(part="loop")
def _try(r, z, depth, goal):
    """Play the next move of the position `f`: 1, 0 for an answer, -1 when the next position has been begun."""
    out_of_line()
    f = z.tries[depth]
    turn, place = f.turn, f.place
    t = z.frames[turn]
    seat = (t.leader + place) & 3
    card = _first(f.moves, place == 0 or (f.winner ^ seat) & 1 == 0)
    f.moves &= ~card
    f.card = card
    if place == 0 and card & (KINGS | QUEENS):
        answer = _announced(r, t, seat, card, goal)
        if answer >= 0:
            return answer
    t.hand[seat] &= ~card
    led, table = f.led if place else card, f.table | card
    wins = card & f.beat != 0
    winner = seat if wins else f.winner
    beat = beat_of(t.now_order, t.now_trumps, card) if wins else f.beat
    last = place == 3 or (place == 2 and (seat + 1) & 3 == t.away)
    if not last:
        _open(t, z.tries[depth + 1], turn, place + 1, led, beat, winner, table)
        return -1
    n = z.frames[turn + 1]
    answer = _next_trick(r, t, n, winner, table, goal)
    if answer < 0:
        answer = _kept(r, z, n, z.tries[depth + 1], goal)
    if answer < 0:
        _open(n, z.tries[depth + 1], turn + 1, NOTHING, NOTHING, ALL, winner, NOTHING)
    return answer


@compiled(part="expression")
def _take_back(z, f):
    """Undo the move just tried; announcements of its lead with it."""
    t = z.frames[f.turn]
    seat = (t.leader + f.place) & 3
    t.hand[seat] |= f.card
    if f.place == 0:
        t.marriages[seat] = t.marriages[seat] if t.just == 0 else t.marriages[seat] - t.just
        t.just = t.routed = t.how = 0


@compiled(part="loop")
def reaches(r, z, goal):
    """Whether the caller's side gets at least `goal` from the position in the first frame and card of `z`."""
    out_of_line()
    depth = 0
    while True:
        f = z.tries[depth]
        answer = _try(r, z, depth, goal)
        if answer < 0:
            depth += 1
            continue
        while True:  # the answer of a move: does it settle its position, and those before it?
            _take_back(z, f)
            t = z.frames[f.turn]
            ours = (t.leader + f.place) & 1 == 0
            if (answer == 1) != ours and f.moves:
                break
            if depth == 0:
                return answer == 1
            if f.place == 0 and f.key:
                kept = answer_at(z, f.key, f.asked)
                kept.key, kept.asked, kept.found = f.key, f.asked, answer
            depth -= 1
            f = z.tries[depth]


@compiled(part="loop")
def begin(s, z):
    """Lay the position of a state, with the trick on the table, into the solver's space, where hands may change."""
    copy(s, z)


@compiled(part="loop")
def _start_card(z, only):
    """Begin the search at the seat in turn, its moves restricted to `only`: ALL, or a card that may be played."""
    f = z.tries[0]
    t = z.frames[0]
    if t.place:
        _open(t, f, NOTHING, t.place, t.led, t.beat, t.best_seat, t.table)
    else:
        _open(t, f, NOTHING, NOTHING, NOTHING, ALL, t.leader, NOTHING)
    if only != ALL:
        f.moves = only  # whether or not an equal card would be tried in its place


@compiled(part="loop")
def _asked(r, z, only, goal):
    _start_card(z, only)
    return reaches(r, z, goal)


@compiled(part="loop")
def _makes_contract(z, only):
    """Whether a contract of no trick or of all tricks is made with a move of `only`."""
    t = z.frames[0]
    seat = (t.leader + t.place) & 3
    if seat == t.away:
        seat = (seat + 1) & 3
    moves = t.hand[seat]
    if t.place:
        moves = legal_cards(moves, t.led, t.beat, t.now_trumps, t.now_duties, t.now_order, t.table)
    return is_made(t, z, seat, moves & only)


@compiled(part="loop")
def value(r, z, only):
    """The exact game points of the caller's side, undoubled, from the position begun in `z` with a move of `only`.

    Asked about another layout or contract than before, `new_layout` comes first.
    """
    out_of_line()
    t = z.frames[0]
    if t.now_aim == v.AIM_NONE or t.now_aim == v.AIM_ALL:
        worth = r.value[t.contract]
        return worth if _makes_contract(z, only) == (t.declarer & 1 == 0) else -worth
    ahead = _asked(r, z, only, SOMETHING)
    if t.now_aim != v.AIM_NORMAL:
        worth = r.value[t.contract]
        return worth if ahead else -worth
    best = 1 if ahead else -3
    for step in range(2):
        goal = 2 + step if ahead else step - 2
        if not _asked(r, z, only, goal):
            break
        best = goal
    return best


@compiled
def solve(rules, state, goal):
    """The value for the caller's side of a state with all hands known; for a `goal` not 0 whether it gets that (0, 1).

    rules: int64[RULES_SIZE]; state: int64[STATE_SIZE], contract set and a card to play; what it says is not changed.
    """
    r, s = rules_in(rules, 0), state_in(state, 0)
    z = s.search
    begin(s, z.frames[0])
    new_layout(z)
    if goal and (s.now_aim == v.AIM_NORMAL or s.now_aim == v.AIM_SCHNAPSER):
        answer = np.int64(_asked(r, z, ALL, goal))
    else:
        answer = value(r, z, ALL)
        answer = np.int64(answer >= goal) if goal else answer
    keep_alive(rules, state)
    return answer


@compiled
def solve_many(rules, states, goal, answers):
    """`solve` for each of int64[n, STATE_SIZE] states into `answers`, int64[n]."""
    for i in range(len(states)):
        answers[i] = solve(rules, states[i], goal)
