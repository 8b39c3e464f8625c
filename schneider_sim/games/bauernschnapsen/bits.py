"""Bit sets of cards in one int64: counting, picking, and tables of what lies above a card.

A card is a mask with one bit, 8 * suit + rank with the ranks J Q K T A; scalars stay int64 throughout.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ...jit import compiled
from .contracts import ORDERS

SUIT = 0x1F
JACKS, QUEENS, KINGS, TENS, ACES = (0x01010101 << rank for rank in range(5))
ALL = np.int64(0x1F1F1F1F)
NOTHING = np.int64(0)  # a constant of Python would have every function compiled again for its value
STD, ACELOW, KINGHIGH, QUEENHIGH = range(4)

_I64 = ir.IntType(64)


@intrinsic
def popcount(typingctx: Any, x: Any) -> Any:
    """The number of set bits."""
    return types.int64(types.int64), lambda ctx, b, sig, args: b.ctpop(args[0])


@intrinsic
def place_of(typingctx: Any, x: Any) -> Any:
    """The number of the lowest set bit; `x` must not be 0."""
    return types.int64(types.int64), lambda ctx, b, sig, args: b.cttz(args[0], ir.Constant(ir.IntType(1), 1))


def _above() -> Any:
    """int64[4 * 32]: for each order and bit the mask of the higher cards of the suit."""
    table = np.zeros(4 * 32, np.int64)
    for order, ranks in enumerate(ORDERS.values()):
        for suit in range(4):
            for place, rank in enumerate(ranks):
                bit = 8 * suit + "JQKTA".index(rank)
                table[32 * order + bit] = sum(1 << (8 * suit + "JQKTA".index(r)) for r in ranks[place + 1 :])
    return table


ABOVE = _above()
RANK_IN = np.array([["".join(ranks).index(rank) for rank in "JQKTA"] + [0] * 3 for ranks in ORDERS.values()],
                   np.int64).reshape(-1)  # int64[4 * 8]: the place of a rank in an order
CARD_POINTS = np.array([2, 3, 4, 10, 11, 0, 0, 0], np.int64)


@compiled(part="expression")
def suit_of(card):
    """The mask of all cards of the card's suit."""
    return SUIT << (place_of(card) & 24)


@compiled(part="expression")
def above(order, card):
    """The higher cards of the card's suit."""
    return ABOVE[32 * order + place_of(card)]


@compiled(part="expression")
def rank_in(order, card):
    """The place of the card in its suit, 0 lowest to 4 highest."""
    return RANK_IN[8 * order + (place_of(card) & 7)]


@compiled(part="expression")
def points_of(card):
    return CARD_POINTS[place_of(card) & 7]


@compiled(part="expression")
def points_in(cards):
    """Card points of a set."""
    return (2 * popcount(cards & JACKS) + 3 * popcount(cards & QUEENS) + 4 * popcount(cards & KINGS)
            + 10 * popcount(cards & TENS) + 11 * popcount(cards & ACES))


@compiled(part="expression")
def _drop_lowest(cards, when):
    return cards & (cards - 1) if when else cards


@compiled(part="expression")
def pick(cards, word):
    """One of at most five cards by a random word (32 bits, multiply-shift); no branch, since none would be foreseen."""
    skip = (word * popcount(cards)) >> 32
    cards = _drop_lowest(cards, skip > 0)
    cards = _drop_lowest(cards, skip > 1)
    cards = _drop_lowest(cards, skip > 2)
    cards = _drop_lowest(cards, skip > 3)
    return cards & -cards


@compiled(part="expression")
def pairs_in(hand):
    """The queens whose kings are held too."""
    return hand & QUEENS & ((hand & KINGS) >> 1)


@compiled(part="expression")
def suits_in(cards):
    """The Unter of each suit held, standing for the suit."""
    return (cards | cards >> 1 | cards >> 2 | cards >> 3 | cards >> 4) & JACKS


@compiled(part="expression")
def top_run(order, cards):
    """Whether the cards of each suit held are its highest: A, AT, ATK... in the standard order."""
    whole, rest = True, cards
    while rest:
        card = rest & -rest
        rest &= rest - 1
        whole &= above(order, card) & ~cards == 0
    return whole


@compiled(part="expression")
def bottom_run(order, cards):
    """Whether the cards of each suit held are its lowest, so that they beat nothing that can be led."""
    whole, rest = True, cards
    while rest:
        card = rest & -rest
        rest &= rest - 1
        lower = suit_of(card) & ~above(order, card) & ~card
        whole &= lower & ~cards == 0
    return whole
