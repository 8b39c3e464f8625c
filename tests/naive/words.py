"""What the words for leading and following want, once more and as plainly as can be: strings and sets.

The tests hold the compiled words to it.
"""

from .bauernschnapsen import ALL_TRICKS, NO_TRICK, POINTS, SCHNAPSERS, best, legal, strength
from .moment import MATE, PACK


def most(cards, key):
    """The cards of the greatest key."""
    return {card for card in cards if key(card) == max(map(key, cards))}


def beatable(m):
    """The cards above which one of the suit is out."""
    return {card for card in PACK if m.over(card) & m.unseen()}


def pairs(hand):
    return {card for card in hand if card[0] in MATE and MATE[card[0]] + card[1] in hand}


def wanted(word, m):
    """The candidates that a word wants."""
    return PLAIN[word](m, m.candidates) & m.candidates


def length(m, card):
    return sum(1 for c in m.hand if c[1] == card[1])


def smear(m, cards):
    if not m.table or m.winner(m.table) != (m.seat + 2) % 4:
        return set()
    sure = not m.later() or not {c for c in m.unseen() if m.wins(c)}
    return most({c for c in cards if not m.wins(c)}, points) if sure else set()


def points(card):
    return POINTS[card[0]]


def keep_marriage(m, cards):
    if m.contract == "NORMAL" or (m.contract in SCHNAPSERS and m.seat == m.declarer):
        return cards - pairs(m.hand)
    return cards


def keep_guard(m, cards):
    guards = set()
    for ten in (c for c in m.hand if c[0] == "T"):
        beside = {c for c in m.hand if c[1] == ten[1]} - {ten}
        if len(beside) == 1 and m.over(ten) & m.unseen():
            guards |= {ten} | beside
    return cards - guards


def dodge(m, cards):
    if m.contract not in NO_TRICK or m.seat != m.declarer:
        return set()
    out = m.unseen()
    beaten = {c for c in cards if m.over(c) & out}
    if not m.table:
        return most(beaten, m.rank) if beaten else most(cards, lambda c: -m.rank(c))
    losing = {c for c in cards if not m.wins(c)}
    if not losing:
        return most(beaten or cards, lambda c: -m.rank(c))
    if any(c[1] == m.table[0][1][1] for c in losing):
        return most(losing, m.rank)
    return most(losing, lambda c: -len(m.over(c) & out))


def sting(m, cards):
    against = m.contract in NO_TRICK and m.seat % 2 != m.declarer % 2
    return most(cards, lambda c: -m.rank(c)) if against else set()


def unblock(m, cards):
    helping = m.contract in ALL_TRICKS | SCHNAPSERS and m.seat == (m.declarer + 2) % 4
    return most(cards, m.rank) if helping else set()


def safe(m, cards):
    return {c for c in cards if m.wins(c) and not any(m.beats(other, c) for seat in m.later() for other in m.may(seat))}


def duck(m, cards):
    free = m.rules["must_head"] == "trick_contracts_only" and m.contract in NO_TRICK | {"NORMAL"}
    others = {0, 1, 2, 3} - m.later() - {m.seat}
    bound = {c for c in m.unseen() if not any(c in m.may(seat) for seat in others)}
    bound |= {c for seat in m.later() for c in m.must(seat)} & m.unseen()
    found = {c for c in cards if not m.wins(c)}
    for card in cards - found:
        if not m.later():
            continue
        follows = not m.table or m.table[0][1][1] == card[1]
        if follows and not free and m.over(card) & bound:
            found.add(card)
        for seat in m.later():
            if m.open_to(seat) and all(m.beats(c, card) for c in m.legal(m.hands[seat], [*m.on_table(), card])):
                found.add(card)
    return found


def fewest_protectors(m, cards, theirs, others):
    under = {c for c in cards if m.over(c) & theirs}
    return most(under, lambda c: -len(m.over(c) & others)) if under else set()


def force(m, cards):
    if m.contract not in NO_TRICK or m.seat % 2 == m.declarer % 2:
        return set()
    theirs = m.may(m.declarer) if m.declarer in m.later() else set()
    others = {c for seat in m.later() - {m.declarer} for c in m.may(seat)} if not m.table else set()
    forcing = fewest_protectors(m, {c for c in cards if m.wins(c)}, theirs, others)
    return forcing or (most(cards, m.rank) if m.table else set())


def shield(m, cards):
    if m.contract not in NO_TRICK or m.seat != (m.declarer + 2) % 4:
        return set()
    winning = {c for c in cards if m.wins(c)}
    theirs = m.may(m.declarer) if m.declarer in m.later() else set()
    held_off = {c for c in winning if theirs and not any(m.beats(other, c) for other in theirs)}
    return held_off or (most(winning, m.rank) if winning else set())


def unload(m, cards):
    if m.contract not in NO_TRICK or m.seat != m.declarer:
        return set()
    losing, out = duck(m, cards), m.unseen()

    def danger(card):
        lower = {c for c in out if c[1] == card[1] and m.rank(c) < m.rank(card)}
        return 60 * len(lower) // (len(m.over(card) & out) + 1)

    coming = {c for seat in m.later() for c in m.may(seat)}
    return most(losing, danger) if losing else most(cards, lambda c: len(m.over(c) & coming))


def hand_over(m, cards):
    if m.contract not in NO_TRICK or m.seat != m.declarer or m.away is not None:
        return set()
    rivals = {c for step in (1, 3) for c in m.may((m.seat + step) % 4)}
    tops = {c for c in m.unseen() if not m.over(c) & m.unseen()} - rivals
    return {c for c in cards if m.over(c) & tops}


def keep_stop(m, cards):
    if m.contract not in ALL_TRICKS or m.seat % 2 == m.declarer % 2:
        return set()
    needed = set()
    for suit in "SHDC":
        held = sorted((c for c in m.hand if c[1] == suit), key=m.rank)
        out = {c for c in m.unseen() if c[1] == suit}
        guards = len(m.over(held[-1]) & out) if held else 0
        if held and len(out) > guards and len(held) > guards:
            needed |= {held[-1], *held[:guards]}
    return cards - needed


def draw(m, cards):
    out = m.unseen() & m.trumps
    return {c for c in cards & m.trumps if not m.over(c) & out} if out else set()


def force_out(m, cards):
    theirs = {c for c in m.may((m.seat + 1) % 4) if c[0] in "AT"}
    return {c for c in cards if c[0] in "KQ" and m.over(c) & theirs}


def to_partner(m, cards):
    partner = (m.seat + 2) % 4
    theirs, suits = m.may(partner), {c[1] for c in m.must(partner) if c[0] in "KQ"}
    for suit in "SHDC":
        if theirs & m.trumps and suit != m.trump and not any(c[1] == suit for c in theirs):
            suits.add(suit)
    return {c for c in cards if c[1] in suits}


def keep_last(m, cards):
    if m.contract != "NORMAL" or len(m.tricks) != 3 or len(cards) != 2:
        return set()
    top = {c for c in cards & m.trumps if not m.over(c) & (m.unseen() | cards)}
    other = cards - top
    coming = sorted(map(points, m.unseen()), reverse=True)[: 3 - len(m.table)]
    on_table = sum(map(points, m.on_table()))
    return other if m.total[1 - m.seat % 2] + on_table + sum(map(points, other)) + sum(coming) < 66 else set()


def open_hands(m, cards):
    """By minimax over all plays of the four hands, where they are known to the declarer's side."""
    mine, rivals = {m.declarer, (m.declarer + 2) % 4}, [(m.declarer + step) % 4 for step in (1, 3)]
    if m.contract != "PLAUDERER" or m.seat not in mine or m.away is not None or not all(map(m.open_to, rivals)):
        return set()
    partner = m.unseen() - m.hands[rivals[0]] - m.hands[rivals[1]]
    if len(partner) != len(m.hands[(m.seat + 2) % 4]):
        return set()
    hands = {(m.seat + 2) % 4: partner, m.seat: m.hand, **{seat: m.hands[seat] for seat in rivals}}

    def made(hands, trick, seat):
        """Whether the declarer takes no trick from here on, `seat` to play."""
        if len(trick) == 4:
            top = best(m.contract, m.trump, [card for _, card in trick])
            seat = next(player for player, card in trick if card == top)
            return seat != m.declarer and (not hands[seat] or made(hands, [], seat))
        choices = legal(m.rules, m.contract, m.trump, sorted(hands[seat]), [card for _, card in trick])
        outcomes = (after(hands, trick, seat, card) for card in choices)
        return any(outcomes) if seat in mine else all(outcomes)

    def after(hands, trick, seat, card):
        return made({**hands, seat: hands[seat] - {card}}, [*trick, (seat, card)], (seat + 1) % 4)

    return {card for card in cards if after(hands, list(m.table), m.seat, card)}


def keep_fork(m, cards):
    if m.contract not in ALL_TRICKS or m.seat % 2 == m.declarer % 2:
        return set()
    kept = set()
    for suit in "SHDC":
        low, small, third, second, top = (rank + suit for rank in strength(m.contract))
        upper, guards = None, set()
        if second in m.hand and {top, third} <= m.unseen():
            upper, guards = second, {low, small} & m.hand
        elif third in m.hand and small in m.unseen():
            upper, guards = third, {low} & m.hand
        if guards:
            kept |= {upper}
            if len(guards) == 1 and not (m.table and m.table[0][1][1] == suit):
                kept |= guards
    return cards - kept


PLAIN = {
    "master": lambda m, cards: cards - beatable(m),
    "trump": lambda m, cards: cards & m.trumps,
    "ace": lambda m, cards: {c for c in cards if c[0] == "A"},
    "ten": lambda m, cards: {c for c in cards if c[0] == "T"},
    "rich": lambda m, cards: most(cards, points),
    "poor": lambda m, cards: most(cards, lambda c: -points(c)),
    "high": lambda m, cards: most(cards, m.rank),
    "low": lambda m, cards: most(cards, lambda c: -m.rank(c)),
    "long": lambda m, cards: most(cards, lambda c: length(m, c)),
    "short": lambda m, cards: most(cards, lambda c: -length(m, c)),
    "marriage-card": lambda m, cards: pairs(m.hand),
    "win": lambda m, cards: {c for c in cards if m.wins(c)},
    "win-cheap": lambda m, cards: most({c for c in cards if m.wins(c)}, lambda c: -points(c)),
    "win-rich": lambda m, cards: most({c for c in cards if m.wins(c)}, points),
    "smear": smear, "keep-marriage": keep_marriage, "keep-guard": keep_guard, "dodge": dodge, "sting": sting,
    "unblock": unblock, "safe": safe, "duck": duck, "force": force, "shield": shield, "draw": draw,
    "force-out": force_out, "hold-ten": lambda m, cards: {c for c in cards if c[0] != "T" or c not in beatable(m)},
    "to-partner": to_partner, "keep-last": keep_last, "keep-fork": keep_fork,
    "open-hands": open_hands, "hand-over": hand_over, "keep-stop": keep_stop, "unload": unload,
}
