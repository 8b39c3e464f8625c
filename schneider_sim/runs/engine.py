"""(experiment, range) -> tally vector: the one thing that every executor maps."""

from ..base.tally import Counts
from ..games import load_game
from .experiment import Experiment


def play_range(experiment: Experiment, start: int, stop: int) -> Counts:
    """The counts of deals start..stop-1 of the experiment, int64[layout.size]; releases the GIL while it plays."""
    counts: Counts = load_game(experiment.game).play(experiment.match_up, start, stop)
    return counts
