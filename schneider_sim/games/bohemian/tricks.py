"""How a trick is won, for lanes of 32-bit masks: the one place in compiled code that knows it.

`killers_of(M)` is every card that captures some card of M when it is led, `prey_of(M)` every card that some card of M
would capture. All preferences and the winner of a trick are built on these two.
Source: docs/rules-bohemian.md section 2.
"""

from ...compiled.jit import compiled
from ...compiled.lanes import LANES, ONE, U, band, bor, get, out_of_line, put, shl, shr

NEXT_SAME_SUIT, ANY_HIGHER_SAME_SUIT, NEXT_ANY_SUIT = range(3)
ACE_SAFE, SEVEN_SAME_SUIT, SEVEN_ANY_SUIT = range(3)

REACH = {"next_same_suit": NEXT_SAME_SUIT, "any_higher_same_suit": ANY_HIGHER_SAME_SUIT, "next_any_suit": NEXT_ANY_SUIT}
ACE = {"off": ACE_SAFE, "same_suit": SEVEN_SAME_SUIT, "any_suit": SEVEN_ANY_SUIT}

ALL = U(0xFFFFFFFF)
SEVENS, ACES, HONOURS = U(0x01010101), U(0x80808080), U(0xF8F8F8F8)
PIPS = U(0x07070707)
NOT_SEVENS, NOT_ACES = U(0xFEFEFEFE), U(0x7F7F7F7F)
_UP_2, _UP_4, _DOWN_2, _DOWN_4 = U(0xFCFCFCFC), U(0xF0F0F0F0), U(0x3F3F3F3F), U(0x0F0F0F0F)


@compiled(part="expression")
def _step_up(m):
    return band(shl(m, ONE), NOT_SEVENS)


@compiled(part="expression")
def _step_down(m):
    return band(shr(m, ONE), NOT_ACES)


@compiled(part="expression")
def fill_up(m):
    """Every card of the suit at or above a card of `m`."""
    m = bor(m, _step_up(m))
    m = bor(m, band(shl(m, U(2)), _UP_2))
    return bor(m, band(shl(m, U(4)), _UP_4))


@compiled(part="expression")
def fill_down(m):
    """Every card of the suit at or below a card of `m`."""
    m = bor(m, _step_down(m))
    m = bor(m, band(shr(m, U(2)), _DOWN_2))
    return bor(m, band(shr(m, U(4)), _DOWN_4))


@compiled(part="expression")
def every_suit(m):
    """The ranks of `m` in all four suits."""
    m = bor(m, bor(shl(m, U(16)), shr(m, U(16))))
    return bor(m, bor(shl(m, U(8)), shr(m, U(24))))


@compiled(part="loop")
def killers_of(reach, ace, space, cards, out):
    """Row `out` = the cards that capture some card of row `cards`."""
    out_of_line()
    if reach == NEXT_SAME_SUIT:
        for i in range(LANES):
            put(space, out, i, _step_up(get(space, cards, i)))
    elif reach == ANY_HIGHER_SAME_SUIT:
        for i in range(LANES):
            put(space, out, i, fill_up(_step_up(get(space, cards, i))))
    else:
        for i in range(LANES):
            put(space, out, i, _step_up(every_suit(get(space, cards, i))))
    if ace == SEVEN_SAME_SUIT:
        for i in range(LANES):
            put(space, out, i, bor(get(space, out, i), shr(band(get(space, cards, i), ACES), U(7))))
    elif ace == SEVEN_ANY_SUIT:
        for i in range(LANES):
            put(space, out, i, bor(get(space, out, i), shr(every_suit(band(get(space, cards, i), ACES)), U(7))))


@compiled(part="loop")
def prey_of(reach, ace, space, cards, out):
    """Row `out` = the cards that some card of row `cards` captures."""
    out_of_line()
    if reach == NEXT_SAME_SUIT:
        for i in range(LANES):
            put(space, out, i, _step_down(get(space, cards, i)))
    elif reach == ANY_HIGHER_SAME_SUIT:
        for i in range(LANES):
            put(space, out, i, fill_down(_step_down(get(space, cards, i))))
    else:
        for i in range(LANES):
            put(space, out, i, _step_down(every_suit(get(space, cards, i))))
    if ace == SEVEN_SAME_SUIT:
        for i in range(LANES):
            put(space, out, i, bor(get(space, out, i), shl(band(get(space, cards, i), SEVENS), U(7))))
    elif ace == SEVEN_ANY_SUIT:
        for i in range(LANES):
            put(space, out, i, bor(get(space, out, i), shl(every_suit(band(get(space, cards, i), SEVENS)), U(7))))
