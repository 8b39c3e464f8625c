"""Exact endgames by rules, for Python: which method a rule set has, and what a position's cards are worth."""

import functools
import threading
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ....errors import RequestError
from ..rules import PACK, Rules, captures, has_table
from .runs import MOST
from .stored import stored_table
from .table import NO_TABLE, Made
from .values import ROOM, Exact, card_values


class Solved(NamedTuple):
    """A position of the last six tricks: own honours from here on under perfect play, and card by card."""

    honours: int
    cards: dict[str, int]


_MAKING = threading.Lock()  # what is kept is made once: a second one would take its place while others read it


@functools.cache
def _table(ring: bool) -> Made:
    return stored_table(ring)


@functools.cache
def _killers(rules: Rules) -> npt.NDArray[np.int64]:
    """int64[32]: the cards that capture each card when it is led."""
    return np.array([PACK.to_mask([card for card in PACK.cards if card != led and captures(rules, led, card)])
                     for led in PACK.cards], np.int64)


def exact_of(rules: Rules) -> Exact:
    """The endgame under these rules as compiled code reads it; makes the table when it is first asked for."""
    with _MAKING:
        killers = _killers(rules)
        known, ring = has_table(rules), bool(killers[PACK.bit("AS")])
        table = _table(ring).table if known else NO_TABLE
    return Exact(table, killers.ctypes.data, rules.follow != "free", known)


def solve(rules: Rules, own: Iterable[str], other: Iterable[str], led: str | None = None) -> Solved:
    """What a position with an empty stock is worth to the player on move, who holds `own`, and each legal card.

    led: the card that the other player has led, not in `other` any more. Honours of the trick on the table are among
    those from here on. Raises RequestError for hands that no such position has.
    """
    mine, theirs = ([PACK.parse(card) for card in hand] for hand in (own, other))
    led = PACK.parse(led) if led else None
    cards = [*mine, *theirs, *([led] if led else [])]
    if twice := sorted({card for card in cards if cards.count(card) > 1}):
        raise RequestError(f"a card lies in two places: {' '.join(twice)}")
    if not mine or len(mine) > MOST or len(mine) != len(theirs) + (led is not None):
        raise RequestError(f"the last tricks are played from equal hands of 1 to {MOST} cards, not {len(mine)} and "
                           f"{len(theirs) + (led is not None)}")
    values, room = np.empty(33, np.int64), np.empty(ROOM, np.int8)
    masks = [np.int64(PACK.to_mask(hand)) for hand in (mine, theirs, [led] if led else [])]
    card_values(exact_of(rules), *masks, room, values)
    honours = sum(card[0] in "TJQKA" for card in cards)
    legal = [card for card in PACK.cards if values[PACK.bit(card)] > -99]
    return Solved((honours + int(values[32])) // 2, {c: (honours + int(values[PACK.bit(c)])) // 2 for c in legal})
