"""Racing many candidates on common deals: those that fall behind drop out, those that are left play on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..policy.grammar import Policy
from .bench import Bench
from .panel import Paired, Panel

_SURE = 2.0  # standard errors behind the base at which a candidate drops out in any case
_USUAL = 0.01  # a change's effect beside the spread of what it changes, for weighing luck


@dataclass(frozen=True)
class Heats:
    """How a race goes: the deals after each heat, and what part of the field plays the next.

    deals: ascending powers of two; keep: one candidate in `keep` goes on; finalists: this many are never cut.
    """

    deals: tuple[int, ...]
    keep: int = 4
    finalists: int = 8


class Raced(NamedTuple):
    """The candidates that are left, best first, and those that changed nothing in the first heat; by their places."""

    left: list[int]
    idle: list[int]


def race(at: Bench, panel: Panel, base: Policy, candidates: Sequence[Policy], first: int, heats: Heats) -> Raced:
    """Play `candidates` beside `base` from deal `first` on, all on the same deals and the same ties.

    After every heat those drop out that changed nothing or are surely behind; of the others one in `keep` goes on, by
    the mean of the differences, drawn towards 0 the more it owes to luck.
    """
    left, results, done = list(range(len(candidates))), dict[int, Paired](), 0
    idle: list[int] = []
    for deals in heats.deals:
        (points,) = panel.all_points(at, [base], first + done, first + deals)
        heat = panel.compared(at, [candidates[k] for k in left], points, first + done)
        for k, more in zip(left, heat, strict=True):
            results[k] = results[k].plus(more) if k in results else more
        idle = idle if done else [k for k in left if not results[k].changed]
        left = _best([k for k in left if results[k].changed], results, heats)
        done = deals
    return Raced(left, idle)


def _best(places: list[int], results: dict[int, Paired], heats: Heats) -> list[int]:
    """Who goes on, best first; equal ones in the order of the candidates."""
    alive = [k for k in places if results[k].mean > -_SURE * results[k].error]
    if not alive:
        return []
    spread = np.mean([results[k].squares / results[k].deals for k in alive]) / results[alive[0]].plays ** 2
    prior = _USUAL**2 * spread
    merit = {k: results[k].mean * prior / (prior + results[k].error ** 2) for k in alive}
    return sorted(alive, key=lambda k: (-merit[k], k))[: max(heats.finalists, len(places) // heats.keep)]
