"""What cards are worth when words play the rest of a deal: every layout of the hidden cards gone through, plainly.

Policies are lists of words with `ties: first`, so that a layout has one value. Seats count from the caller (0).
"""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from .bauernschnapsen import POINTS, SCHNAPSERS, verdict
from .moment import MATE, PACK, Moment
from .words import wanted


def moment_in(trace, trick, seat):
    """The decision of a seat (of the table) in a trick of a trace; its hands are those of the trace."""
    caller = (trace["dealer"] + 1) % 4
    hands = [set(trace["hands"][(s + caller) % 4]) for s in range(4)]
    past = [[((s - caller) % 4, card) for s, card in zip(t["seats"], t["cards"], strict=True)]
            for t in trace["tricks"][:trick]]
    me = (seat - caller) % 4
    here = past.pop()
    table = here[: [s for s, _ in here].index(me)]
    for done in [*past, table]:
        for s, card in done:
            hands[s].remove(card)
    told = [n for n, t in enumerate(trace["tricks"][:trick]) if t["announced"] and (n < trick - 1 or table)]
    m = Moment(trace["rules"], trace["contract"], trace["trump"], (trace["declarer"] - caller) % 4, me, hands, past,
               table, set(), trace["turned_up"], tuple(told))
    return replace(m, candidates=m.legal(m.hand, m.on_table()) if table else set(m.hand))


def layouts(m):
    """Every way in which the hidden cards may lie: lists of the four hands."""
    others = [s for s in range(4) if s != m.seat]
    must = {s: m.must(s) for s in others}
    may = {s: m.may(s) for s in others}
    rest = m.unseen() - set().union(*must.values())
    dealt = [{card for trick in [*m.tricks, m.table] for who, card in trick if who == s} for s in range(4)]
    for some in _shared(sorted(rest), others, {s: len(m.hands[s]) - len(must[s]) for s in others}):
        found = [m.hand if s == m.seat else set(some[s]) | must[s] for s in range(4)]
        whole = [found[s] | dealt[s] for s in range(4)]
        fits = all(set(some[s]) <= may[s] for s in others)
        named = not m.rules["trump_must_be_held"] or any(card[1] == m.trump for card in whole[0])
        ace = m.contract != "ASS_BETTLER" or any(card[0] == "A" for card in whole[m.declarer])
        if fits and named and ace:
            yield found


def _shared(cards, seats, sizes):
    if not seats:
        yield {}
        return
    first, *rest = seats
    for some in combinations(cards, sizes[first]):
        left = [card for card in cards if card not in some]
        for others in _shared(left, rest, sizes):
            yield {first: some, **others}


def choice(m, words):
    """The card of a list of words among the candidates, the first in the order of the pack."""
    for word in words:
        m = replace(m, candidates=wanted(word, m) or m.candidates)
    return min(m.candidates, key=PACK.index)


def announces(m, cards):
    """The cards of the marriages that a leader announces of these, and their points."""
    side = m.contract in SCHNAPSERS and m.seat == m.declarer
    pairs = {card for card in cards if card[0] in MATE and MATE[card[0]] + card[1] in m.hand}
    if not pairs or not (m.contract == "NORMAL" or side):
        return set(), 0
    royal = {card for card in pairs if card[1] == m.trump}
    return (royal, 40) if royal else (pairs, 20)


def said_in(trace, trick, m):
    caller = (trace["dealer"] + 1) % 4
    return [((t["leader"] - caller) % 4, t["announced"]["points"], n) for n, t in enumerate(trace["tricks"][:trick])
            if n in m.announced]


def value(trace, m, hands, said, lists, card):
    """Game points of the seat's side when it plays a card and `lists` (by side) play the rest."""
    m, said, mine = replace(m, hands=[set(hand) for hand in hands]), list(said), m.seat
    while True:
        if not m.table:
            pairs, points = announces(m, {card} if card else m.candidates)
            if pairs:
                said.append((m.seat, points, len(m.tricks)))
                m = replace(m, announced=(*m.announced, len(m.tricks)), candidates=pairs)
                end = _end(m, said)
                if end:
                    break
        card = card or choice(m, lists[m.seat % 2]["follow" if m.table else "lead"])
        m.hands[m.seat].remove(card)
        table, card = [*m.table, (m.seat, card)], None
        if len(table) < (3 if m.away is not None else 4):
            following = (m.seat + 1) % 4
            following = following if following != m.away else (following + 1) % 4
            m = replace(m, table=table, seat=following)
            m = replace(m, candidates=m.legal(m.hand, m.on_table()))
            continue
        m = replace(m, tricks=[*m.tricks, table], table=[])
        end = _end(m, said)
        if end:
            break
        m = replace(m, seat=m.winner(table))
        m = replace(m, candidates=set(m.hand))
    points = end[2] * trace["multiplier"]
    return points if end[1] == mine % 2 else -points


def _end(m, said):
    won = [(m.winner(trick), sum(POINTS[card[0]] for _, card in trick)) for trick in m.tricks]
    return verdict(m.rules, m.contract, m.declarer, won, said)


def agrees(m, hands, lists, plays):
    """Whether the last plays of the other seats are those that `lists` would have made with these hands."""
    moves = [(number, place, who, card) for number, trick in enumerate([*m.tricks, m.table])
             for place, (who, card) in enumerate(trick)]
    judged = [move for move in moves if move[2] != m.seat][-plays:]
    for number, place, who, card in judged:
        later = [move for move in moves if move[:2] >= (number, place)]
        then = [hands[s] | {c for _, _, w, c in later if w == s} for s in range(4)]
        trick = [*m.tricks, m.table][number]
        told = tuple(n for n in m.announced if n < number or (n == number and place))
        past = replace(m, hands=then, tricks=m.tricks[:number], table=trick[:place], seat=who, announced=told)
        past = replace(past, candidates=past.legal(past.hand, past.on_table()) if place else set(past.hand))
        if not place:
            pairs, _ = announces(past, past.candidates)
            if bool(pairs) != (number in m.announced):
                return False
            past = replace(past, candidates=pairs or past.candidates)
        if choice(past, lists[who % 2]["follow" if place else "lead"]) != card:
            return False
    return True


def worths(trace, trick, seat, lists, plays=0):
    """Card -> expected game points of the seat's side, exactly, over all layouts; how many layouts there are.

    lists: by side, that of the caller first; plays: how many of the others' last plays must be those of `lists`.
    """
    m = moment_in(trace, trick, seat)
    said, all_of_them = said_in(trace, trick, m), list(layouts(m))
    some = [hands for hands in all_of_them if agrees(m, hands, lists, plays)] if plays else all_of_them
    some = some or all_of_them
    return {card: Fraction(sum(value(trace, m, hands, said, lists, card) for hands in some), len(some))
            for card in sorted(m.candidates, key=PACK.index)}, len(some)
