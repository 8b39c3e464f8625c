"""Preferences: the wanted cards for each word of a policy, over lanes of masks.

Every word narrows the candidates to the cards it wants, if there are any. What a player may know is in the rows of
the decision (state.py): the own hand, the candidates, LED, KILLERS and UNSEEN, the cards that are neither remembered,
nor in hand, nor on the table; no word reads another row.
Source: docs/policies.md, "Words of Bohemian Schneider".
"""

from ...compiled.jit import compiled
from ...compiled.lanes import (
    LANES,
    ONE,
    ZERO,
    U,
    band,
    bor,
    bxor,
    copy,
    eq,
    fill,
    get,
    inv,
    lowest_bit,
    lt,
    mul,
    out_of_line,
    popcount,
    prefer,
    put,
    select,
    shl,
    shr,
    sub,
)
from . import state as at
from .tricks import ALL, HONOURS, PIPS, SEVENS, fill_down, killers_of, prey_of
from .words import (
    BLOCKER,
    CAPTURE,
    CAPTURE_HONOUR,
    CAPTURE_SAFE,
    CHEAP,
    DEAD,
    EXPOSED,
    GUARDED,
    HIGH,
    HONOUR,
    LONG,
    LOW,
    PIP,
    SAFE,
    SHORT,
)


@compiled(part="loop")
def _invert(space, row):
    for i in range(LANES):
        put(space, row, i, inv(get(space, row, i)))


@compiled(part="expression")
def _ranks(m):
    """The ranks of `m` as eight bits, whatever the suit."""
    m = bor(m, shr(m, U(16)))
    return band(bor(m, shr(m, U(8))), U(0xFF))


@compiled(part="expression")
def _in_every_suit(ranks):
    return mul(ranks, SEVENS)


@compiled(part="expression")
def _highest_rank(m):
    ranks = _ranks(m)
    below = fill_down(ranks)
    return _in_every_suit(sub(below, shr(below, ONE)))


@compiled(part="expression")
def _lowest_rank(m):
    return _in_every_suit(lowest_bit(_ranks(m)))


@compiled(part="expression")
def _suit_mask(suit):
    return shl(U(0xFF), suit)


@compiled(part="expression")
def _length(candidates, hand, suit, absent):
    """How many cards of the suit at bit `suit` are in `hand`; `absent` when no candidate is of that suit."""
    there = band(candidates, _suit_mask(suit))
    return select(eq(there, ZERO), absent, popcount(band(hand, _suit_mask(suit))))


@compiled(part="expression")
def _maximum(x, y):
    return select(lt(x, y), y, x)


@compiled(part="expression")
def _suits_of_length(s, h, d, c, length):
    spades, hearts = select(eq(s, length), _suit_mask(U(0)), ZERO), select(eq(h, length), _suit_mask(U(8)), ZERO)
    diamonds, clubs = select(eq(d, length), _suit_mask(U(16)), ZERO), select(eq(c, length), _suit_mask(U(24)), ZERO)
    return bor(bor(spades, hearts), bor(diamonds, clubs))


@compiled(part="expression")
def _longest(candidates, hand):
    s, h = _length(candidates, hand, U(0), ZERO), _length(candidates, hand, U(8), ZERO)
    d, c = _length(candidates, hand, U(16), ZERO), _length(candidates, hand, U(24), ZERO)
    return _suits_of_length(s, h, d, c, _maximum(_maximum(s, h), _maximum(d, c)))


@compiled(part="expression")
def _shortest(candidates, hand):
    """The longest by cards missing: lengths counted down from nine, so that an absent suit is again the least."""
    s, h = _length(candidates, hand, U(0), U(9)), _length(candidates, hand, U(8), U(9))
    d, c = _length(candidates, hand, U(16), U(9)), _length(candidates, hand, U(24), U(9))
    least = sub(U(9), _maximum(_maximum(sub(U(9), s), sub(U(9), h)), _maximum(sub(U(9), d), sub(U(9), c))))
    return _suits_of_length(s, h, d, c, least)


@compiled(part="expression")
def _besides_the_last_safe(capturers, safe):
    """The capturers that leave a safe card: all when two cards are safe, all others when one is, none else."""
    several = lt(ONE, popcount(safe))
    return select(eq(safe, ZERO), ZERO, select(several, capturers, band(capturers, inv(safe))))


@compiled(part="loop")
def want(code, reach, ace, space, hand, candidates):
    """Fill row WANTED with the cards that the built-in preference `code` wants, from the rows of the decision.

    hand, candidates: where these rows are.
    """
    out_of_line()
    if code == SAFE:
        prey_of(reach, ace, space, at.UNSEEN, at.WANTED)
        _invert(space, at.WANTED)
    elif code == GUARDED:
        prey_of(reach, ace, space, hand, at.WANTED)
    elif code == DEAD:
        killers_of(reach, ace, space, at.UNSEEN, at.WANTED)
        _invert(space, at.WANTED)
    elif code == BLOCKER:
        for i in range(LANES):
            put(space, at.SCRATCH, i, band(get(space, at.UNSEEN, i), HONOURS))
        killers_of(reach, ace, space, at.SCRATCH, at.WANTED)
    elif code == HONOUR:
        fill(space, at.WANTED, HONOURS)
    elif code == PIP:
        fill(space, at.WANTED, PIPS)
    elif code == HIGH:
        for i in range(LANES):
            put(space, at.WANTED, i, _highest_rank(get(space, candidates, i)))
    elif code == LOW:
        for i in range(LANES):
            put(space, at.WANTED, i, _lowest_rank(get(space, candidates, i)))
    elif code == LONG:
        for i in range(LANES):
            put(space, at.WANTED, i, _longest(get(space, candidates, i), get(space, hand, i)))
    elif code == SHORT:
        for i in range(LANES):
            put(space, at.WANTED, i, _shortest(get(space, candidates, i), get(space, hand, i)))
    elif code == CAPTURE:
        copy(space, at.KILLERS, at.WANTED)
    elif code == CAPTURE_HONOUR:
        for i in range(LANES):
            enough = select(eq(band(get(space, at.LED, i), HONOURS), ZERO), HONOURS, ALL)
            put(space, at.WANTED, i, band(get(space, at.KILLERS, i), enough))
    elif code == EXPOSED:
        prey_of(reach, ace, space, at.UNSEEN, at.WANTED)
        for i in range(LANES):
            put(space, at.WANTED, i, band(get(space, at.WANTED, i), HONOURS))
    elif code == CHEAP:
        fill(space, at.SCRATCH, HONOURS)
        prey_of(reach, ace, space, at.SCRATCH, at.WANTED)
        for i in range(LANES):
            put(space, at.WANTED, i, band(inv(get(space, at.WANTED, i)), PIPS))
    elif code == CAPTURE_SAFE:
        prey_of(reach, ace, space, at.UNSEEN, at.SCRATCH)
        for i in range(LANES):
            safe = band(get(space, hand, i), inv(get(space, at.SCRATCH, i)))
            put(space, at.WANTED, i, _besides_the_last_safe(get(space, at.KILLERS, i), safe))
    else:  # an unknown code wants nothing, not what the word before wanted
        fill(space, at.WANTED, ZERO)


@compiled(part="expression")
def _acting(by_a, cards, flip_a, idle_a, flip_b, idle_b):
    cards = bxor(cards, bxor(flip_b, band(by_a, bxor(flip_a, flip_b))))
    return bor(cards, bxor(idle_b, band(by_a, bxor(idle_a, idle_b))))


@compiled(part="loop")
def narrow(space, wanted, flip_a, idle_a, flip_b, idle_b):
    """Narrow every lane's candidates to the cards of row `wanted`, if there are any.

    Masks for A's lanes and B's: flip, all ones to narrow to the others instead; idle, all ones to leave all.
    """
    out_of_line()
    for i in range(LANES):
        cards = _acting(get(space, at.BY_A, i), get(space, wanted, i), flip_a, idle_a, flip_b, idle_b)
        put(space, at.CANDIDATES, i, prefer(get(space, at.CANDIDATES, i), cards))


@compiled(part="loop")
def narrow_first(space, legal, wanted, flip_a, idle_a, flip_b, idle_b):
    """As `narrow`, from row `legal`, which must not be CANDIDATES: LLVM would go lane by lane in case it is."""
    out_of_line()
    for i in range(LANES):
        cards = _acting(get(space, at.BY_A, i), get(space, wanted, i), flip_a, idle_a, flip_b, idle_b)
        put(space, at.CANDIDATES, i, prefer(get(space, legal, i), cards))
