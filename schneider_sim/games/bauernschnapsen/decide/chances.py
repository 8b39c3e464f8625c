"""The chance of a contract without trumps, or of a side in a normal game, by tables fitted to played deals.

Source: scripts/bench/fit_bauernschnapsen.py; docs/policies.md.
"""

import math

import numpy as np

from ....compiled.jit import compiled
from ..kernel import state as v
from ..kernel.bits import ACELOW, KINGHIGH, NOTHING, QUEENHIGH, STD, SUIT

LEAST = 550  # thousandths: the chance from which low-cards and high-cards bid

# What a holding in a suit (bits J Q K T A in the contract's order) adds to the log-odds, in hundredths: Bettler,
# Plauderer (where the declarer sees everything) and Gang, bid by lot and played by `expert`.
BETTLER_WEIGHTS = np.array([
    48, 44, 37, 82, 23, 67, 36, 142, 20, 40, -4, 109, -58, 60, 41, 187, -121, -68, -70, -2, -78, 18, -5, 107, -127,
    -36, -8, 69, -86, 66, -53, -331], np.int64)
PLAUDERER_WEIGHTS = np.array([
    54, 54, 47, 85, 27, 78, 48, 141, 1, 50, 16, 119, -35, 80, 45, 151, -100, -28, -33, 30, -54, 48, 12, 72, -129,
    -2, -1, 61, -95, 36, -65, -343], np.int64)
GANG_WEIGHTS = np.array([
    5, -352, -318, -496, -266, -388, -379, -440, -147, -206, -190, -220, -185, -218, -210, -331, 13, -62, -27, 68,
    -3, 83, 93, 193, 75, 140, 146, 174, 146, 171, 169, 220], np.int64)
# The same for the own side in a normal game, by the holding of trumps and those of the other suits.
CALLER_TRUMPS = np.array([
    -37, -78, -94, -134, -91, -130, -37, 42, -79, -86, -95, -97, -79, -89, 124, 274, -34, -37, -65, -77, -65, -89,
    175, 243, -40, -96, -104, 246, -113, 258, 258, 0], np.int64)
CALLER_SIDES = np.array([
    111, 26, 21, -38, 17, -37, 22, -33, 28, -25, -31, -74, -29, -73, -51, -128, 113, 43, 37, -37, 35, -40, -21, -80,
    50, -30, -39, -102, -42, -125, -137, 0], np.int64)
DEFENDER_TRUMPS = np.array([
    -91, -118, -103, -106, -103, -87, -87, -12, -130, -92, -60, -10, -61, 7, 10, 100, -73, -50, 6, 89, 21, 88, 92,
    201, 5, 97, 107, 8, 123, 0, 16, 0], np.int64)
DEFENDER_SIDES = np.array([
    57, 1, 3, -38, 2, -38, -16, -62, 8, -23, -22, -58, -24, -62, -48, -110, 75, 30, 30, -22, 26, -21, -13, -59, 21,
    -19, -26, -63, -28, -68, -74, 0], np.int64)
OPEN_HANDS = 2  # the field of Plauderer; those of other contracts are their orders
FIELD, RAISED = 16, 512  # bits of a score beside those of other orders, and what keeps every weight positive
CHANCES = np.array([round(1000 / (1 + math.exp(-score / 100))) for score in range(-600, 601)], np.int16)


def _side_by_side(*tables: "tuple[np.ndarray, int]") -> "np.ndarray":
    """int64[32]: for each holding its weights by several tables, each in an order, raised and a FIELD apart, to be
    added at once."""

    def turned_to(order: int, holding: int) -> int:
        return (holding << order | holding >> 5 - order) & SUIT

    return np.array([sum((int(weights[turned_to(order, holding)]) + RAISED) << FIELD * place
                         for place, (weights, order) in enumerate(tables)) for holding in range(32)], np.int64)


_NEVER = np.full(32, 1 - RAISED)
LOW_BY_FIELD = _side_by_side((BETTLER_WEIGHTS, STD), (BETTLER_WEIGHTS, ACELOW), (PLAUDERER_WEIGHTS, STD), (_NEVER, STD))
HIGH_BY_FIELD = _side_by_side(*((GANG_WEIGHTS, order) for order in (STD, ACELOW, KINGHIGH, QUEENHIGH)))
LIKELY = int(np.searchsorted(CHANCES, LEAST)) - len(CHANCES) // 2  # the score from which a chance is at least LEAST
_TOPS = sum(1 << FIELD * order + FIELD - 1 for order in range(4))
TOPS = np.array([_TOPS], np.uint64).view(np.int64)[0]  # the highest bit of every field
SHORT_OF_TOPS = np.int64(sum((1 << FIELD - 1) - 4 * RAISED - LIKELY << FIELD * order for order in range(4)))


@compiled(part="expression")
def scores_without_trumps(low, hand):
    """The scores of a no-trick (`low`) or Gang contract on these cards by the fitted tables, a field each."""
    scores = NOTHING
    for suit in range(0, 32, 8):
        holding = hand >> suit & SUIT
        scores += LOW_BY_FIELD[holding] if low else HIGH_BY_FIELD[holding]
    return scores


@compiled(part="expression")
def some_likely(scores):
    """Whether the score of some field makes a chance of LEAST: then adding what is short of it sets a field's top."""
    return (scores + SHORT_OF_TOPS) & TOPS != 0


@compiled(part="expression")
def chance_in(r, scores, contract):
    """The chance in thousandths that a contract's field of the scores stands for."""
    field = OPEN_HANDS if contract == v.PLAUDERER else r[v.ORDER + contract]
    score = (scores >> FIELD * field & (1 << FIELD) - 1) - 4 * RAISED
    return np.int64(CHANCES[np.uint64(min(max(score + len(CHANCES) // 2, 0), len(CHANCES) - 1))])


@compiled(part="expression")
def normal_score(hand, trump, defending):
    """The log-odds in hundredths that the side of this hand scores in a normal game."""
    score = NOTHING
    for suit in range(4):
        holding = hand >> 8 * suit & SUIT
        if suit == trump:
            score += DEFENDER_TRUMPS[holding] if defending else CALLER_TRUMPS[holding]
        else:
            score += DEFENDER_SIDES[holding] if defending else CALLER_SIDES[holding]
    return score
