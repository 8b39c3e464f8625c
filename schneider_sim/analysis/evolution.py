"""Climbing over numbers that a function makes policies of, by evolution of a normal law (CMA-ES, the package `cma`).

Source: Hansen, The CMA evolution strategy: a tutorial, arXiv 1604.00772.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import RequestError
from ..policy.grammar import Policy
from .bench import Bench
from .climb import Round, limits
from .panel import Panel, paired

DEALS, CONFIRM = 1 << 14, 1 << 17  # of a candidate, and of the middle of a generation
_ROUND, _CONFIRM = 1 << 40, 1 << 38  # deals from the beginning of a round to the next, and to those that confirm

Make = Callable[[Sequence[float]], Policy]
Losses = list[float]


@dataclass(frozen=True)
class Law:
    """The law that generations are drawn from: where it begins, how wide, and the seed of its chance."""

    numbers: tuple[float, ...]
    spread: float
    seed: int

    def after(self, told: Sequence[Losses]) -> Any:
        """The strategy after generations with these losses; what it draws depends on nothing else."""
        import warnings

        try:
            import cma
        except ImportError:
            raise RequestError("numbers are tuned with the package cma: pip install '.[tune]' in the folder of "
                               "schneider-sim's source") from None
        chance = np.random.Generator(np.random.Philox(key=[self.seed, 0]))
        options = {"verbose": -9, "seed": np.nan, "randn": lambda *shape: chance.standard_normal(shape)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            strategy = cma.CMAEvolutionStrategy(list(self.numbers), self.spread, options)
            for losses in told:
                strategy.tell(strategy.ask(), losses)
        return strategy


class NumberClimbs:
    """Generations of numbers: a round plays one on common deals, and the middle of the law then on fresh ones.

    The best policy is the middle of a generation that was ahead of the best before by two standard errors.
    """

    def __init__(self, panel: Panel, make: Make, law: Law) -> None:
        self._panel, self._make, self._law = panel, make, law
        self._best = make(law.numbers)
        self._told: list[Losses] = []

    def play(self, at: Bench, number: int) -> Round:
        """Play a generation."""
        first, plays = number * _ROUND, self._panel.plays
        points = self._law.after(self._told).ask()
        measured = self._panel.all_points(at, [self._made(one) for one in points], first, first + DEALS)
        told = [*self._told, [-float(one.mean()) / plays for one in measured]]
        middle = self._made(self._law.after(told).mean)
        ours, theirs = self._panel.all_points(at, [middle, self._best], first + _CONFIRM, first + _CONFIRM + CONFIRM)
        gain = paired(ours, theirs, plays)
        better = gain.mean > 2 * gain.error
        self._told, self._best = told, middle if better else self._best
        now = ours if better else theirs
        return Round(number, 1, 1, len(points), CONFIRM, gain.mean if better else 0.0,
                     *limits(paired(now, np.zeros_like(now), plays)), str(middle), str(self._best))

    def kept(self) -> dict[str, Any]:
        """The losses of the generation, from which the next one follows."""
        return {"told": self._told[-1]}

    def restore(self, kept: Mapping[str, Any], before: Round) -> None:
        """Go on after a generation that was kept."""
        self._told.append(list(kept["told"]))
        if before.gain > 0:
            self._best = self._made(self._law.after(self._told).mean)

    def found(self, at: Bench) -> Policy:
        """The best policy so far."""
        return self._best

    def _made(self, numbers: Any) -> Policy:
        return self._make([float(number) for number in numbers])
