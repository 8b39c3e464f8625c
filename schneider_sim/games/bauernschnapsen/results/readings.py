"""What the cells of a tally say of contracts, endings and marriages: the one reading behind every table of them.

Each function takes the cells that are meant, of one policy or of both together, as arrays of counts.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....base.tally import Tally
from ..rules.switches import Rules

Array = npt.NDArray[Any]
SIDES = "caller's side", "other side"
ENDS = "66", "last trick"


class Ending(NamedTuple):
    """Normal games that end so: the side that scores (0 for the caller's), how (place in ENDS), points, how many."""

    side: int
    how: int
    points: int
    seen: int


class Marriages(NamedTuple):
    """Marriages of 20 or 40: how many were dealt, announced, and counted in the end."""

    points: int
    dealt: int
    announced: int
    cashed: int


def declared(tally: Tally) -> Array:
    """int64[2, contract, seat, level, 2]: games that failed and were made, by the policy of the declarer (A, B)."""
    outcome = tally["outcome"]  # first leader, contract, seat, level, made
    by_policy = np.zeros(outcome.shape, np.int64)
    for first in (0, 1):
        for seat in range(4):
            by_policy[first if seat % 2 == 0 else 1 - first, :, seat] += outcome[first, :, seat]
    return by_policy


def game_points(rules: Rules, contract: int, level: int, outcome: Array, normal: Array) -> tuple[Array, Array]:
    """Game points of the declarer's side in a contract's games at a level of doubling, and how often each came out.

    outcome: int64[level, 2], games of the contract that failed and were made; normal: int64[2, 3, level], normal games
    by the side that scores and by points.
    """
    if contract == 0:
        worth = np.array([1, 2, 3]) << level
        return np.concatenate([worth, -worth]), normal[:, :, level].reshape(-1)
    worth = np.array([rules.values[contract]]) << level
    return np.concatenate([-worth, worth]), outcome[level]


def endings(normal: Array) -> Iterator[Ending]:
    """How normal games end; normal: int64[2, 2, 3], games by the side that scores, how they end, and points."""
    for side, how, worth in np.ndindex(2, 2, 3):
        yield Ending(side, how, worth + 1, int(normal[side, how, worth]))


def marriages(cells: Array) -> Iterator[Marriages]:
    """Marriages of 20 and of 40, where any were dealt; cells: int64[2, 3], dealt, announced and cashed."""
    for points, counts in zip((20, 40), cells.tolist(), strict=True):
        if counts[0]:
            yield Marriages(points, *counts)
