"""The chance of a contract without trumps, or of a side in a normal game, by tables fitted to played deals.

The tables are in chances.json, which scripts/bench/fit_bauernschnapsen.py writes: Bettler, Plauderer (where the
declarer sees everything) and Gang, bid at random and played by `classic`, and normal games.
Source: docs/policies.md, "How `classic` was chosen".
"""

import json
import math
from importlib import resources

import numpy as np

from ....compiled.jit import compiled
from ..kernel import state as v
from ..kernel.bits import ACELOW, KINGHIGH, NOTHING, QUEENHIGH, STD, SUIT

LEAST = 550  # thousandths: the chance from which low-cards and high-cards bid

# What a holding in a suit (bits J Q K T A in the contract's order) adds to the log-odds, in hundredths: by contract,
# and for the own side in a normal game by the holding of trumps and those of the other suits.
WEIGHTS = {name: np.array(weights, np.int64) for name, weights in json.loads(
    (resources.files(__package__) / "chances.json").read_text(encoding="utf-8")).items()}
BETTLER, PLAUDERER, GANG = WEIGHTS["BETTLER"], WEIGHTS["PLAUDERER"], WEIGHTS["GANG"]
CALLER_TRUMPS, CALLER_SIDES = WEIGHTS["caller_trumps"], WEIGHTS["caller_sides"]
DEFENDER_TRUMPS, DEFENDER_SIDES = WEIGHTS["defender_trumps"], WEIGHTS["defender_sides"]
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
LOW_BY_FIELD = _side_by_side((BETTLER, STD), (BETTLER, ACELOW), (PLAUDERER, STD), (_NEVER, STD))
HIGH_BY_FIELD = _side_by_side(*((GANG, order) for order in (STD, ACELOW, KINGHIGH, QUEENHIGH)))
LIKELY = int(np.searchsorted(CHANCES, LEAST)) - len(CHANCES) // 2  # the score from which a chance is at least LEAST
_TOPS = sum(1 << FIELD * order + FIELD - 1 for order in range(4))
TOPS = np.array([_TOPS], np.uint64).view(np.int64)[0]  # the highest bit of every field


def _short_of_tops(score: int) -> np.int64:
    """What is short of the tops in each field of the scores where the score is as much."""
    return np.int64(sum((1 << FIELD - 1) - 4 * RAISED - score << FIELD * order for order in range(4)))


SHORT_OF_TOPS, SHORT_OF_HALF = _short_of_tops(LIKELY), _short_of_tops(1)


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
def some_above_half(scores):
    """Whether the score of some field makes a chance of more than one half."""
    return (scores + SHORT_OF_HALF) & TOPS != 0


@compiled(part="expression")
def chance_in(r, scores, contract):
    """The chance in thousandths that a contract's field of the scores stands for."""
    field = OPEN_HANDS if contract == v.PLAUDERER else r.order[contract]
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
