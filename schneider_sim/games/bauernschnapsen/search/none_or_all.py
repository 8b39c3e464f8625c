"""Whether a contract of no trick or of all tricks is made when all hands are known: points do not count there.

A depth-first search that plays and takes back cards in one set of hands and ends at the first trick that decides. Its
cards are turned (bits.py), so that it knows one order of ranks. Of cards that no other card in play separates one is
tried, since with open hands they are worth the same; a position that begins a trick is remembered with its answer.
"""

import numpy as np

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..kernel import state as v
from ..kernel.bits import ALL, JACKS, NOTHING, STD, SUIT, below, extreme, popcount, suit_of, turned, turned_back
from ..kernel.tricks import legal_cards

FAILED, MADE, OPEN = NOTHING, NOTHING + 1, NOTHING - 1
SPREAD = -7046029254386353131  # an odd number whose multiples spread well: 2 ** 64 by the golden ratio


@compiled(part="expression")
def _above(cards):
    """Every card that has a lower one of its suit among the turned `cards`."""
    return (cards << 1 | cards << 2 | cards << 3) & ALL | (cards & JACKS) << 4


@compiled(part="expression")
def _runs_below(cards, mine, others):
    """The cards of `mine` that no card of `others` separates from a higher one of `cards`."""
    down = cards >> 1 & ALL
    found = down & mine
    down = (down & ~others) >> 1 & ALL
    found |= down & mine
    down = (down & ~others) >> 1 & ALL
    found |= down & mine
    return found | ((down & ~others) >> 1 & ALL & mine)


@compiled(part="expression")
def _one_of_equals(cards, others):
    """Of each run of cards that no card of `others` separates the highest."""
    return cards & ~_runs_below(cards, cards, others)


@compiled(part="expression")
def _or(some, otherwise):
    return some if some else otherwise


@compiled(part="expression")
def _first(z, none, declarer, seat, place, moves, beat):
    """The move to try first: the declarer gets rid of danger, the rivals keep it for him."""
    ours, mine = (seat ^ declarer) & 1 == 0, seat == declarer
    theirs = z.cards[declarer]
    risky, losing = moves & (_above(z.left & ~theirs) if mine else below(theirs)), _or(moves & ~beat, moves)
    idle = place > 0 and not ours and moves & beat == 0
    if mine:
        some, otherwise = losing & risky, losing
    else:
        lead, otherwise = NOTHING if place else risky, moves
        some = moves & ~risky if idle or (place == 0 and ours) else lead
    pool = _or(some, otherwise) if none else moves
    return extreme(STD, pool, ours or (none and idle))


@compiled(part="expression")
def _rid_of_danger(mine, danger, winners):
    """Whether the declarer can play all its dangerous cards to the winners that its partner leads one by one."""
    free = left = NOTHING
    for suit in range(0, 32, 8):
        led, held = popcount(winners >> suit & SUIT), popcount(mine >> suit & SUIT)
        free += max(led - held, 0)
        left += max(popcount(danger >> suit & SUIT) - led, 0)
    return left <= free


@compiled(part="expression")
def _decided(z, declarer, leader):
    """What the lead to a trick of a no-trick contract decides by the cards that are left: MADE, FAILED or OPEN."""
    mine = z.cards[declarer]
    others = z.left & ~mine
    if mine & _above(others) == 0:  # none of the declarer's cards beats one that can be led
        return MADE
    theirs = z.cards[leader]
    rest = others & ~theirs
    if leader == declarer ^ 2:
        return MADE if _rid_of_danger(mine, mine & _above(others), theirs & ~below(rest | mine)) else OPEN
    alone = mine & ~_above(mine) & ~below(rest)  # a lowest card of the declarer that nobody else can beat
    return FAILED if theirs & below(alone) and leader != declarer else OPEN


@compiled(part="expression")
def _last(z, trumps, away, leader):
    """Who wins the last trick, in which nobody has a choice."""
    card = z.cards[leader]
    winner, beat = leader, suit_of(card) & -(card << 1)
    beat = beat if card & trumps else beat | trumps
    for place in range(1, 4):
        seat = (leader + place) & 3
        card = z.cards[seat]
        if card & beat and seat != away:
            winner, beat = seat, suit_of(card) & -(card << 1)
            beat = beat if card & trumps else beat | trumps
    return winner


@compiled(part="expression")
def key_of(z, leader, left):
    """What tells a position from all others: whose deal it is, who led to its trick, the cards in the hands."""
    return z.number << 32 | leader << 5 | left


@compiled(part="expression")
def _slot(key):
    """The place for a position in the memo."""
    return np.int64(np.uint64(key * SPREAD) >> np.uint64(55))


@compiled(part="expression")
def answer_at(z, key, asked):
    """Where the answer to a question about a position is kept."""
    return z.answers[_slot(key ^ asked * SPREAD) >> 1]


@compiled(part="loop")
def _is_made(z, none, declarer, trumps, duties, away):
    """Whether the declarer's side makes the contract from the position and with a move of the first turn."""
    out_of_line()
    depth, f = NOTHING, z.turns[0]
    seat, place, done, moves = f.seat, f.place, f.done, f.moves
    suit, beat, winner, table = f.suit, f.beat, f.winner, f.table
    while True:
        f, answer = z.turns[depth], OPEN
        if moves:
            card = _first(z, none, declarer, seat, place, moves, beat)
            card &= -card
            f.seat, f.place, f.done, f.moves, f.card = seat, place, done, moves & ~card, card
            f.suit, f.beat, f.winner, f.table = suit, beat, winner, table
            z.cards[seat] &= ~card
            z.left &= ~card
            suit = suit if place else suit_of(card)
            table |= card
            wins = card & beat != 0
            higher = suit_of(card) & -(card << 1)
            higher = higher if card & trumps else higher | trumps
            winner, beat = (seat, higher) if wins else (winner, beat)
            if none and seat == declarer and not wins and z.cards[seat] & _above(z.left & ~z.cards[seat]) == 0:
                answer = MADE
            place, seat = place + 1, (seat + 1) & 3
            if seat == away:
                place, seat = place + 1, (seat + 1) & 3
        else:
            f.seat, f.place, f.moves, f.card = seat, place, NOTHING, NOTHING
            answer = FAILED
        if answer < 0 and place < 4:
            moves = z.cards[seat]
            if trumps | duties:
                moves = legal_cards(moves, suit & -suit, beat, trumps, duties, STD, table)
            else:
                same = moves & suit
                higher = same & beat
                moves = higher if higher else same if same else moves
            moves = _one_of_equals(moves, z.left & ~z.cards[seat] | table)
            depth += 1
            continue
        if answer < 0:
            if (winner == declarer) == none:
                answer = FAILED
            elif done == 3:
                answer = MADE if (_last(z, trumps, away, winner) == declarer) != none else FAILED
            elif done == 4:
                answer = MADE
            elif none:
                answer = _decided(z, declarer, winner)
        if answer < 0:
            key = key_of(z, winner, z.left)
            known = z.memo[_slot(key)]
            if known >> 1 == key:
                answer = known & 1
            else:
                depth += 1
                z.turns[depth].key = key
                seat, place, done, suit, beat, table = winner, NOTHING, done + 1, NOTHING, ALL, NOTHING
                moves, others = z.cards[seat], z.left & ~z.cards[seat]
                if not none:  # a lead that can be beaten has to be beaten
                    moves &= ~below(others)
                moves = _one_of_equals(moves, others)
                continue
        while True:  # the answer of a move: does it settle its position, and those before it?
            f = z.turns[depth]
            z.cards[f.seat] |= f.card
            z.left |= f.card
            if (answer == MADE) != ((f.seat ^ declarer) & 1 == 0) and f.moves:
                break
            if depth == 0:
                return answer == MADE
            if f.place == 0:
                z.memo[_slot(f.key)] = f.key << 1 | answer
            depth -= 1
        seat, place, done, moves = f.seat, f.place, f.done, f.moves
        suit, beat, winner, table = f.suit, f.beat, f.winner, f.table


@compiled(part="expression")
def _lay(t, z):
    """Lay the hands of a position where this search plays."""
    left = NOTHING
    for seat in range(4):
        z.cards[seat] = turned(t.now_order, t.hand[seat])
        left |= z.cards[seat] if seat != t.away else NOTHING
    z.left = left


@compiled(part="expression")
def new_layout(z):
    """Forget all positions: other hands have been laid."""
    z.newest += 1
    z.number = z.newest


@compiled(part="loop")
def _begin(t, z, seat, cards):
    """Begin the search with the seat in turn playing one of some turned cards."""
    f, place, order = z.turns[0], t.place, t.now_order
    f.seat, f.place, f.done, f.moves = seat, place, t.done, cards
    f.suit, f.beat, f.winner, f.table = NOTHING, ALL, seat, NOTHING
    if place:
        f.suit, f.beat, f.winner, f.table = suit_of(t.led), turned(order, t.beat), t.best_seat, turned(order, t.table)
    return _is_made(z, t.now_aim == v.AIM_NONE, t.declarer, t.now_trumps, t.now_duties, t.away)


@compiled(part="loop")
def is_made(t, z, seat, cards):
    """Whether the declarer's side makes its contract if the seat in turn plays the best of some cards, all hands known.

    t: the position and its trick.
    """
    _lay(t, z)
    new_layout(z)
    others = z.left & ~z.cards[seat] | (turned(t.now_order, t.table) if t.place else NOTHING)
    return _begin(t, z, seat, _one_of_equals(turned(t.now_order, cards), others))


@compiled(part="loop")
def makes_it(t, z, seat, cards, first):
    """Those of some cards of the seat in turn with which `is_made`; all of them where they are worth the same, and the
    card `first` alone, if it is not 0, where it is one of them.

    Asked about other hands than before, `new_layout` or `keep_layout` comes first.
    """
    out_of_line()
    _lay(t, z)
    order, declarer, hand = t.now_order, t.declarer, z.cards[t.declarer]
    mine, table = turned(order, cards), turned(order, t.table) if t.place else NOTHING
    others = z.left & ~z.cards[seat] | table
    tried, found = _one_of_equals(mine, others), NOTHING
    winning = (t.best_seat if t.place else seat) == declarer
    if tried & (tried - 1) == 0 or (
            t.now_aim == v.AIM_NONE and not winning and hand & _above(z.left & ~hand | table) == 0):
        return cards
    if first and _begin(t, z, seat, turned(order, first)):
        return first
    while tried:
        card = tried & -tried
        tried &= tried - 1
        found |= card if _begin(t, z, seat, card) else NOTHING
    return turned_back(order, found | _runs_below(found, mine, others))


@compiled(part="loop")
def _keep_layout(s):
    """Keep the positions of earlier questions about this deal and contract, of the other play of a duplicate too."""
    z, same = s.search, True
    now = (s.dealt[0], s.dealt[1], s.dealt[2], s.dealt[3], s.contract, s.declarer, s.away, s.now_duties)
    for i in range(8):
        same &= z.kept_deal[i] == now[i]
        z.kept_deal[i] = now[i]
    if not same:
        new_layout(z)
        z.kept = z.number
    z.number = z.kept


@compiled(part="loop")
def makes_it_here(t, s, seat, cards, first):
    """`makes_it` with the hands of the play itself, whose answers are kept; t: the position with which `s` begins."""
    out_of_line()
    _keep_layout(s)
    z = s.search
    key, asked = key_of(z, s.leader, s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3]), s.table << 32 | cards
    if not s.place:
        asked = cards
    answer = answer_at(z, key, asked)
    if answer.key != key or answer.asked != asked or answer.first != first:
        answer.key, answer.asked, answer.first = key, asked, first
        answer.found = makes_it(t, z, seat, cards, first)
    return answer.found
