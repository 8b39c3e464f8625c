"""Pairs drawn from a known law instead of played: a `play` for comparisons whose truth is known."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from schneider_sim.games import load_game
from schneider_sim.runs.experiment import Experiment
from schneider_sim.versus.duplicates import duplicates

Law = npt.NDArray[np.float64]


def tilted(joint: npt.NDArray[np.int64], means: npt.NDArray[np.float64], mean: float) -> Law:
    """The law of the cells nearest to the observed one (in relative entropy) whose pair mean is `mean`."""
    from scipy.optimize import brentq

    shares = joint / joint.sum()

    def law(tilt: float) -> Law:
        weights = shares * np.exp(tilt * means)
        return weights / weights.sum()

    return law(brentq(lambda tilt: law(tilt) @ means - mean, -50, 50))


def drawing(law: Law, seed: int) -> Callable[[Experiment], Iterator[tuple[int, int, npt.NDArray[np.int64]]]]:
    """A play that draws the cells of the joint table of each range; the same law, seed and range give the same."""

    def play(experiment: Experiment) -> Iterator[tuple[int, int, npt.NDArray[np.int64]]]:
        layout = load_game(experiment.game).layout
        for start, stop in experiment.ranges():
            counts = layout.zeros()
            counts[layout.part("joint")] = np.random.default_rng([seed, start]).multinomial(stop - start, law)
            yield start, stop, counts

    return play


def pair_means(experiment: Experiment) -> npt.NDArray[np.float64]:
    """The pair mean of each cell of the joint table, row by row."""
    reader = duplicates(experiment)
    return reader.values[reader.places]
