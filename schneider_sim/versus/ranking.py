"""Who is better than whom, and how sure that is: pure decisions from differences and their limits."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..base.text import one_of
from ..stats.ranking import Hodge
from .duplicates import Floats

Bools = npt.NDArray[np.bool_]


class Place(NamedTuple):
    """A policy in the ranking: its number, rating (mean edge against all), and the places it may hold, 1 the best."""

    policy: int
    rating: float
    low: float
    high: float
    best: int
    worst: int


def match_ups(policies: int) -> list[tuple[int, int]]:
    """The match-ups of a round robin, the first policy of each being A."""
    return [(i, j) for i in range(policies) for j in range(i + 1, policies)]


def rating_weights(policies: int) -> Floats:
    """What makes ratings (mean edge against all, oneself included) from the edges: float64[policies, match-ups]."""
    weights = np.zeros((policies, policies * (policies - 1) // 2))
    for k, (i, j) in enumerate(match_ups(policies)):
        weights[i, k], weights[j, k] = 1.0 / policies, -1.0 / policies
    return weights


def closure(better: Bools) -> Bools:
    """What follows: who is better than one that is better than a third is better than that third. bool[k, k]."""
    reached = better.copy()
    for middle in range(len(reached)):
        reached |= np.outer(reached[:, middle], reached[middle])
    return reached


def places(ratings: Floats, low: Floats, high: Floats, better: Bools) -> list[Place]:
    """The ranking, best rating first, with the places that each policy may hold given who is surely better than whom.

    ratings, low, high: float64[k]; better: bool[k, k], row surely better than column.
    """
    size = len(ratings)
    order = np.argsort(-ratings, kind="stable")
    return [Place(int(i), float(ratings[i]), float(low[i]), float(high[i]), 1 + int(better[:, i].sum()),
                  size - int(better[i].sum())) for i in order]


def ties(ranking: list[Place], better: Bools) -> list[tuple[int, int]]:
    """Neighbours in the ranking that are not separated."""
    return [(a.policy, b.policy) for a, b in pairwise(ranking) if not better[a.policy, b.policy]]


def cycles(low: Floats) -> list[tuple[int, int, int]]:
    """Circles of three that are established: i surely beats j, j k, k i; low: float64[k, k], limits of the payoffs."""
    beats = low > 0
    size = len(low)
    return [(i, j, k) for i in range(size) for j in range(i + 1, size) for k in range(i + 1, size)
            if beats[i, j] and beats[j, k] and beats[k, i]]


def may_be_first(better: Bools) -> list[int]:
    """Who may be the best: nobody is surely better than they are. bool[k, k], row surely better than column."""
    return [int(k) for k in np.flatnonzero(~better.any(axis=0))]


def apart(low: Floats, high: Floats) -> Bools:
    """Who surely has more than whom, from limits that all hold at once: bool[k, k], row more than column."""
    return np.asarray(low)[:, None] > np.asarray(high)[None, :]


def groups(order: Sequence[int], better: Bools) -> list[list[int]]:
    """An order cut where everybody before is surely better than everybody after; within a group it is open."""
    found: list[list[int]] = [[]]
    for place, one in enumerate(order):
        if place and better[np.ix_(order[:place], order[place:])].all():
            found.append([])
        found[-1].append(one)
    return found


def first_in_words(names: Sequence[str], order: Sequence[int], better: Bools) -> str:
    """Who is the best, or may be, in a sentence."""
    first = set(may_be_first(better))
    said = one_of([names[k] for k in order if k in first])
    if len(first) == 1:
        return f"Best, by mean edge against all: {said}."
    return f"Which is the best, by mean edge against all, is not established: {said}."


def order_in_words(names: Sequence[str], order: Sequence[int], better: Bools, level: float = 0.95) -> str:
    """As much of an order as is established, in a sentence."""
    found = groups(order, better)
    sure = f"at {100 * level:g} % for all pairs at once"
    if len(found) == 1:
        return f"The order is not established: no part of it is separated from the rest, {sure}."
    chain = " > ".join(", ".join(names[k] for k in group) for group in found)
    if len(found) == len(order):
        return f"The order is established: {chain}, {sure}."
    return f"The order is established in part: {chain}, {sure}; between commas it is open."


def varies(what: str, names: Sequence[str], low: Floats, high: Floats, by: str = "at") -> str | None:
    """Where a number is surely not the same for all: which may have the largest and the smallest, in words.

    low, high: float64[k], limits that all hold at once. None where no two are told apart.
    """
    more = apart(low, high)
    if not more.any():
        return None
    top, bottom = ([names[k] for k in may_be_first(table)] for table in (more, more.T))
    return f"{what} largest {by} {one_of(top)}, smallest {by} {one_of(bottom)}"


def circles(names: list[str], hodge: Hodge, low: Floats) -> str:
    """Whether ratings say all, and who goes round in circles for sure; low: limits of the payoffs, as of `cycles`."""
    names = quoted(names)
    found = "; ".join(" beats ".join(names[i] for i in (*cycle, cycle[0])) for cycle in cycles(low))
    rated, more, floor = map(_percent, (hodge.transitive_share, hodge.cyclic_share, hodge.noise_floor))
    share = (f"differences in rating account for {rated} of the payoffs' sum of squares, circles for {more}, where "
             f"errors alone would make {floor}")
    if found:
        return f"Some policies beat each other in a circle, so no ranking says it all: {found} ({share})."
    if hodge.cyclic_p < 0.05:
        return f"The ratings do not explain every match-up, though no circle of three is established ({share})."
    return f"The ratings explain every match-up as far as these deals can show ({share})."


def shares(hodge: Hodge) -> dict[str, float]:
    """How far payoffs are a ranking and how far circles, as JSON."""
    return {name: getattr(hodge, name)
            for name in ("transitive_share", "cyclic_share", "noise_floor", "cyclic_net", "cyclic_p")}


def quoted(names: Sequence[str]) -> list[str]:
    """The names for lists in sentences, each in quotes where one of them holds a space, semicolon or comma."""
    return [f"'{name}'" for name in names] if any(mark in name for name in names for mark in " ;,") else list(names)


def _percent(share: float) -> str:
    """A share with two decimals of a per cent; a share that would round to nothing or all is shown as a bound."""
    if 0 < share < 5e-5:
        return "< 0.01%"
    return "> 99.99%" if 1 - 5e-5 < share < 1 else f"{share:.2%}"
