"""Sessions as Markov chains over the score: exact outcome probabilities and how they move with the deal's law.

Every solver returns the derivatives too, so that an interval for a session follows from the counts of deals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .values import Counts, Floats


class Law(NamedTuple):
    """A's points minus B's in one deal: the possible values (int64[V], ascending) and two laws over them.

    first, second: float64[V], with A, with B as first leader; each sums to 1.
    """

    values: Counts
    first: Floats
    second: Floats


class Solved(NamedTuple):
    """Expected outcomes float64[K] and their derivatives float64[K, V] by the two laws."""

    outcomes: Floats
    by_first: Floats
    by_second: Floats


def without_ties(law: Law) -> tuple[Law, Floats]:
    """The laws given that somebody scores, and the two probabilities that somebody does.

    Where nobody ever does with one of the first leaders, a redeal would never end: such deals then count as they are.
    """
    scored = law.values != 0
    rest = np.array([law.first[scored].sum(), law.second[scored].sum()])
    if np.any(rest == 0.0):
        return law, np.ones(2)
    return Law(law.values, law.first * scored / rest[0], law.second * scored / rest[1]), rest


def undo_without_ties(solved: Solved, law: Law, rest: Floats) -> Solved:
    """Derivatives by the laws with ties, from those by the laws without (`law`)."""
    scored = law.values != 0

    def back(by: Floats, pmf: Floats, share: float) -> Floats:
        return (by * scored + (by @ pmf)[:, None] * ~scored) / share

    return Solved(solved.outcomes, back(solved.by_first, law.first, rest[0]),
                  back(solved.by_second, law.second, rest[1]))


def fixed_deals(law: Law, deals: int, carry: bool) -> Solved:
    """Win, draw and loss of a session of `deals` deals; the first leader of the first deal is drawn at random.

    carry: a deal nobody scores in gives one extra point to whoever scores next, once, however many such deals follow.
    Memory and time grow with deals times points without carrying, with that times deals when carrying.
    """
    return _carried_deals(law, deals) if carry else _summed_deals(law, deals)


def _summed_deals(law: Law, deals: int) -> Solved:
    """`fixed_deals` without carrying: the sum of independent deals, by convolution.

    The derivative by a probability is the number of deals with that law times the outcome given one such deal.
    """
    steps = law.values // max(1, int(np.gcd.reduce(law.values)))  # only signs of sums matter
    outcomes, by = np.zeros(3), np.zeros((2, 3, law.values.size))
    laws = [_dense(steps, pmf) for pmf in (law.first, law.second)]
    for first in sorted({deals // 2, deals - deals // 2}):
        share = 0.5 if deals % 2 else 1.0
        numbers = (first, deals - first)
        outcomes += share * _signs(_summed(laws, numbers), np.zeros(1, np.int64))[:, 0]
        for who, number in enumerate(numbers):
            if number:
                others = _summed(laws, (numbers[0] - (who == 0), numbers[1] - (who == 1)))
                by[who] += share * number * _signs(others, steps)
    return Solved(outcomes, by[0], by[1])


def _dense(values: Counts, pmf: Floats) -> Floats:
    """A law as an array over -m..m, m the largest absolute value."""
    span = int(np.abs(values).max())
    dense = np.zeros(2 * span + 1)
    np.add.at(dense, values + span, pmf)
    return dense


_LONGEST = 20_000
"""Sums up to which a law is made term by term, which keeps even the smallest probabilities exact."""


def _summed(laws: list[Floats], numbers: tuple[int, int]) -> Floats:
    """The law of the sum of given numbers of deals of each law, centred like `_dense`.

    Laws over more sums than `_LONGEST` come from Fourier transforms, to about 1e-13 absolutely.
    """
    size = sum(number * (pmf.size - 1) for pmf, number in zip(laws, numbers, strict=True)) + 1
    if size <= _LONGEST:
        first, second = (_power(*one, np.convolve) for one in zip(laws, numbers, strict=True))
        return np.convolve(first, second)
    room = 1 << (size - 1).bit_length()
    first, second = (_power(np.fft.rfft(pmf, room), number, np.multiply)
                     for pmf, number in zip(laws, numbers, strict=True))
    return np.maximum(np.fft.irfft(first * second, room)[:size], 0.0)


def _power(base: Any, number: int, times: Callable[[Any, Any], Any]) -> Any:
    """The product of `number` times the base, by squaring."""
    total = np.ones(1)
    while number:
        total = times(total, base) if number & 1 else total
        number >>= 1
        base = times(base, base) if number else base
    return total


def _signs(law: Floats, shifts: Counts) -> Floats:
    """How probable a sum above 0, of 0 and below 0 is after each shift: float64[3, shifts]; law: centred."""
    span = law.size // 2
    below = np.concatenate([[0.0], np.cumsum(law)])  # below[k]: less than k - span
    above = np.concatenate([np.cumsum(law[::-1])[::-1], [0.0]])  # above[k]: k - span or more
    zero = np.clip(span - shifts, -1, law.size)  # the place of the sum that the shift makes 0
    inside = (zero >= 0) & (zero < law.size)
    level = np.where(inside, law[np.clip(zero, 0, law.size - 1)], 0.0)
    return np.stack([above[np.clip(zero + 1, 0, law.size)], level, below[np.clip(zero, 0, law.size)]])


def _carried_deals(law: Law, deals: int) -> Solved:
    """`fixed_deals` with carrying: a chain over the lead in points and whether a point is carried on."""
    longest = int(np.abs(law.values).max()) + 1
    outcomes = np.zeros(3)
    by = np.zeros((2, 3, law.values.size))
    for start in (0, 1):
        ahead = [_carried_ends(deals * longest)]
        for k in reversed(range(deals)):
            ahead.append(_step_back(ahead[-1], law, (k + start) % 2, longest))
        outcomes += ahead[-1][0, 0] / 2
        here = np.array([[0.5, 0.0]])
        for k in range(deals):
            who = (k + start) % 2
            size = len(here)
            following = np.zeros((size + 2 * longest, 2))
            for i, pmf in enumerate((law.first, law.second)[who]):
                for flag in (0, 1):
                    shift, after = _carried(int(law.values[i]), flag)
                    place = slice(longest + shift, longest + shift + size)
                    following[place, after] += pmf * here[:, flag]
                    by[who, :, i] += here[:, flag] @ ahead[deals - 1 - k][place, after]
            here = following
    return Solved(outcomes, by[0], by[1])


def _carried_ends(span: int) -> Floats:
    """Win, draw and loss by (lead -span..span, whether a point is carried on) when all deals are over."""
    final = np.sign(np.arange(-span, span + 1))
    ends = np.stack([final > 0, final == 0, final < 0], axis=1).astype(np.float64)
    return np.repeat(ends[:, None, :], 2, axis=1)


def _step_back(ahead: Floats, law: Law, who: int, longest: int) -> Floats:
    """Expected outcomes before a deal, for every lead that can have come about by then, from those after it."""
    size = len(ahead) - 2 * longest
    result = np.zeros((size, *ahead.shape[1:]))
    for value, pmf in zip(law.values.tolist(), (law.first, law.second)[who], strict=True):
        for flag in (0, 1):
            shift, after = _carried(value, flag)
            result[:, flag] += pmf * ahead[longest + shift : longest + shift + size, after]
    return result


def _carried(value: int, flag: int) -> tuple[int, int]:
    """By how much a deal moves the score when a point may be carried on, and whether one is carried on then."""
    return (value + (flag if value > 0 else -flag), 0) if value else (0, 1)


RACE_FLAGS = {"plain": 1, "carry": 2, "exact_23_0": 3, "comeback_from_zero": 3}
"""What a race remembers beside score and dealer, and how many states that takes."""
A_SINGLE, A_SCHNEIDER, A_RETOUR, B_SINGLE, B_SCHNEIDER, B_RETOUR, DEALS = range(7)
"""What a race yields: how it was won, and the mean number of deals."""


def race(law: Law, target: int, memory: str) -> Solved:
    """A race to `target` points; the first leader of the first deal is drawn at random, then the lead alternates.

    memory: a key of RACE_FLAGS: "carry" as in `fixed_deals`; the last two are readings of the Retourschneider.
    The chain is solved backwards over the scores, every one of which is left for good except by a deal without
    points; visits forwards then give the derivatives. If no deal ever yields points all outcomes are 0.
    """
    pmf = np.stack([law.first, law.second])
    zero = law.values == 0
    if np.all(pmf[:, ~zero].sum(axis=1) == 0.0):
        return Solved(np.zeros(7), np.zeros((7, law.values.size)), np.zeros((7, law.values.size)))
    ahead = _race_ends(target, RACE_FLAGS[memory], memory)
    cells = [_cell(law, pmf, target, memory, a, b, flags) for a in reversed(range(target))
             for b in reversed(range(target)) for flags in _flag_order(memory)]
    for cell in cells:
        a, b, flags = cell.here
        reached = np.stack([pmf[w] @ ahead[cell.a, cell.b, 1 - w, cell.flag] for w in (0, 1)])
        reached[:, :, DEALS] += 1.0
        ahead[a, b][:, flags] = cell.repeat(reached, cell.stay[:, :, None])
    visits = np.zeros(ahead.shape[:-1])
    visits[0, 0, :, 0] = 0.5
    by = np.zeros((2, 7, law.values.size))
    for cell in reversed(cells):
        a, b, flags = cell.here
        inflow = visits[a, b][:, flags]
        if not inflow.any():
            continue
        times = cell.repeat(inflow, cell.stay[::-1])
        for w in (0, 1):
            by[w] += np.einsum("f,fvk->kv", times[w], ahead[cell.a, cell.b, 1 - w, cell.flag])
            by[w, DEALS] += times[w].sum()
            np.add.at(visits[:, :, 1 - w], (cell.a, cell.b, cell.flag), times[w][:, None] * pmf[w] * cell.leaves)
    return Solved(ahead[0, 0, :, 0].mean(axis=0), by[0], by[1])


class _Cell(NamedTuple):
    """A score with some flags, and where each deal leads from there: scores and flags int64[flags, V].

    leaves: bool[flags, V], false for a deal without points after which nothing is different but the first leader;
    stay: float64[2, flags], its probability with A, with B as first leader.
    """

    here: tuple[int, int, slice]
    a: Counts
    b: Counts
    flag: Counts
    leaves: NDArray[np.bool_]
    stay: Floats

    @staticmethod
    def repeat(once: Floats, stay: Floats) -> Floats:
        """Sums over any number of deals that change the first leader only; first axis: first leader."""
        return (once + stay * once[::-1]) / (1.0 - stay[0] * stay[1])


def _flag_order(memory: str) -> list[slice]:
    """Groups of flags in an order in which a deal without points leads to a flag solved before, or to itself."""
    return [slice(1, 2), slice(0, 1)] if memory == "carry" else [slice(0, RACE_FLAGS[memory])]


def _cell(law: Law, pmf: Floats, target: int, memory: str, a: int, b: int, flags: slice) -> _Cell:
    """The moves from one score."""
    numbers = range(flags.start, flags.stop)
    moves = [_race_moves(law.values, target, memory, a, b, flag) for flag in numbers]
    after_a, after_b, after = (np.stack(column) for column in zip(*moves, strict=True))
    leaves = (law.values != 0) | (after != np.array(numbers)[:, None])
    return _Cell((a, b, flags), after_a, after_b, after, leaves, pmf @ ~leaves.T)


def _race_ends(target: int, flags: int, memory: str) -> NDArray[np.float64]:
    """Outcomes by (A's score, B's score, first leader, flag), filled in where the race is over."""
    ends = np.zeros((target + 1, target + 1, 2, flags, 7))
    for other in range(target):
        for flag in range(flags):
            a_retour = (memory, flag) in (("exact_23_0", 2), ("comeback_from_zero", 1))
            b_retour = (memory, flag) in (("exact_23_0", 1), ("comeback_from_zero", 2))
            shut_out = other == 0
            ends[target, other, :, flag, A_RETOUR if a_retour else A_SCHNEIDER if shut_out else A_SINGLE] = 1.0
            ends[other, target, :, flag, B_RETOUR if b_retour else B_SCHNEIDER if shut_out else B_SINGLE] = 1.0
    return ends


def _race_moves(values: Counts, target: int, memory: str, a: int, b: int,
                flag: int) -> tuple[Counts, Counts, Counts]:
    """Scores and flag after each possible deal from the score a:b with a flag."""
    bonus = flag if memory == "carry" else 0
    after_a = np.minimum(a + np.where(values > 0, values + bonus, 0), target)
    after_b = np.minimum(b + np.where(values < 0, bonus - values, 0), target)
    after = np.full(values.size, flag)
    if memory == "carry":
        after = (values == 0).astype(np.int64)
    elif memory == "exact_23_0":
        after[(after_a == target - 1) & (after_b == 0)] = 1
        after[(after_a == 0) & (after_b == target - 1)] = 2
    elif memory == "comeback_from_zero":
        after[((values < 0) & (flag == 1)) | ((values > 0) & (flag == 2))] = 0
        after[(after_a == 0) & (after_b > 0)] = 1
        after[(after_b == 0) & (after_a > 0)] = 2
    return after_a, after_b, after
