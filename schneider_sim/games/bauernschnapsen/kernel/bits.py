"""Bit sets of cards in one int64: counting, picking, and tables of what lies above a card.

A card is a mask with one bit, 8 * suit + rank with the ranks J Q K T A; scalars stay int64 throughout.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ....compiled.jit import compiled
from ..rules.contracts import ORDERS

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
LOWEST = np.array([0x01010101 * ((1 << n) - 1) for n in range(6)], np.int64)  # the n lowest ranks of every suit


def _extremes() -> Any:
    """int64[4 * 2 * 32]: for each order, lowest or highest, and set of ranks the cards of its lowest (highest) rank."""
    table = np.zeros((4, 2, 32), np.int64)
    for order, ranks in enumerate(ORDERS.values()):
        for held in range(1, 32):
            places = [place for place, rank in enumerate(ranks) if held >> "JQKTA".index(rank) & 1]
            for most, place in enumerate((places[0], places[-1])):
                table[order, most, held] = 0x01010101 << "JQKTA".index(ranks[place])
    return table.reshape(-1)


EXTREMES = _extremes()


@compiled(part="expression")
def suit_of(card):
    """The mask of all cards of the card's suit."""
    return SUIT << (place_of(card) & 24)


@compiled(part="expression")
def above(order, card):
    """The higher cards of the card's suit."""
    return ABOVE[np.uint64(32 * order + place_of(card))]  # unsigned, so that no index counts from the end


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
def turned(order, cards):
    """The cards moved so that the order's ranks lie as the usual ones do: every order is a rotation of the usual."""
    return ((cards << order) & ALL) | ((cards >> (5 - order)) & LOWEST[order])


@compiled(part="expression")
def turned_back(order, cards):
    """What `turned` moved, back in place."""
    return ((cards >> order) & LOWEST[5 - order]) | ((cards & LOWEST[order]) << (5 - order))


@compiled(part="expression")
def below(cards):
    """Every card that has a higher one of its suit among the turned `cards`."""
    return ((cards >> 1 | cards >> 2 | cards >> 3) & ALL) | (cards >> 4 & JACKS)


@compiled(part="expression")
def topmost(order, cards, others):
    """The cards of which no higher one is among `others`."""
    return cards & ~turned_back(order, below(turned(order, others)))


@compiled(part="expression")
def extreme(order, cards, most):
    """The cards of the highest (lowest) rank, whatever their suits."""
    halves = cards | cards >> 16
    return cards & EXTREMES[np.uint64(64 * order + 32 * most + ((halves | halves >> 8) & SUIT))]


@compiled(part="expression")
def top_run(order, cards):
    """Whether the cards of each suit held are its highest: A, AT, ATK... in the standard order."""
    return topmost(order, cards, ALL & ~cards) == cards


@compiled(part="expression")
def bottom_run(order, cards):
    """Whether the cards of each suit held are its lowest, so that they beat nothing that can be led."""
    held = turned(order, cards)
    return below(held) & ~held == 0
