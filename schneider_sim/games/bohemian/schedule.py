"""The words of two policies as one list of steps, so that one pass over the lanes serves both.

In every lane one of the two decides, and a step says in whose lanes it acts. A word that both have, negated or not,
is one step wherever the order of the lists allows it (the shortest list that contains both in order). A word that comes
back in another place, and depends on no more than hand and memory, is worked out once and kept in a row.
"""

import functools
from typing import NamedTuple

import numpy as np

from ...compiled.cells import Address
from ...compiled.lanes import LANES
from . import state as at
from .words import FIXED, NEGATED, STAGE

CODE, WHO, FRESH, ROW, FLIP_A, IDLE_A, FLIP_B, IDLE_B, STEP = range(9)  # what a step says, see Schedule
A, B, BOTH = range(3)  # in whose lanes
END = -1  # the code after the last step
_ALL = 0xFFFFFFFF

Words = tuple[int, ...]


class Schedule(NamedTuple):
    """The steps of leading and of following: where int64 arrays lie that compiled code reads as cells.

    Place `trick` of an array says where the steps of that trick begin, STEP numbers each, up to a CODE of END.
    CODE: of the word, without NEGATED; WHO: A, B or BOTH; FRESH: whether it is to be worked out; ROW: where its cards
    are then; FLIP, IDLE: masks, all ones where it is negated, where it does not act, in the lanes of A and of B.
    """

    lead: Address
    follow: Address


@functools.lru_cache(maxsize=256)
def schedule(lead: tuple[Words, Words], follow: tuple[Words, Words]) -> Schedule:
    """The schedule of two policies; lead, follow: the codes of A's words and of B's. Nobody writes into it."""
    return Schedule(_steps(*lead), _steps(*follow))


def _steps(a: Words, b: Words) -> Address:
    begins: dict[tuple[Words, Words], int] = {}
    starts: list[int] = []
    steps: list[int] = []
    for trick in range(at.TRICKS):
        of_a, of_b = (tuple(code & (1 << STAGE) - 1 for code in codes if code >> STAGE + trick & 1) for codes in (a, b))
        if (of_a, of_b) not in begins:
            begins[of_a, of_b] = at.TRICKS + len(steps)
            steps += [number for step in _steps_of_trick(of_a, of_b) for number in step] + [END]
        starts.append(begins[of_a, of_b])
    return Address.of(np.array(starts + steps, np.int64))


def _steps_of_trick(a: Words, b: Words) -> list[tuple[int, ...]]:
    pairs = merged(a, b)
    codes = [_plain(pair) for pair in pairs]
    again = [code for code in dict.fromkeys(codes) if code in FIXED and codes.count(code) > 1]
    steps: list[tuple[int, ...]] = []
    for place, (code, (of_a, of_b)) in enumerate(zip(codes, pairs, strict=True)):
        row = at.KEPT + again.index(code) * LANES if code in again else at.WANTED
        fresh = code not in again or code not in codes[:place]
        who = BOTH if of_a is not None and of_b is not None else A if of_b is None else B
        steps.append((code, who, int(fresh), row, *_masks(of_a), *_masks(of_b)))
    return steps


def _masks(code: int | None) -> tuple[int, int]:
    """FLIP and IDLE in the lanes of a policy whose word this is, or None."""
    return (0, _ALL) if code is None else (_ALL if code & NEGATED else 0, 0)


def _plain(pair: tuple[int | None, int | None]) -> int:
    return next(code & ~NEGATED for code in pair if code is not None)


def merged(a: Words, b: Words) -> list[tuple[int | None, int | None]]:
    """The shortest list of pairs (code of A or None, code of B or None) that has both lists in order.

    The codes of a pair are equal but for NEGATED. Source: Wagner, Fischer, "The string-to-string correction problem",
    JACM 21 (1974).
    """
    common = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]  # the most pairs of a[i:] and b[j:]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            alike = (a[i] ^ b[j]) & ~NEGATED == 0
            common[i][j] = common[i + 1][j + 1] + 1 if alike else max(common[i + 1][j], common[i][j + 1])
    pairs: list[tuple[int | None, int | None]] = []
    i = j = 0
    while i < len(a) or j < len(b):
        if i < len(a) and j < len(b) and (a[i] ^ b[j]) & ~NEGATED == 0:
            pairs.append((a[i], b[j]))
            i, j = i + 1, j + 1
        elif j == len(b) or (i < len(a) and common[i + 1][j] >= common[i][j + 1]):
            pairs.append((a[i], None))
            i += 1
        else:
            pairs.append((None, b[j]))
            j += 1
    return pairs
