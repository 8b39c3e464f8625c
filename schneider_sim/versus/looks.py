"""When to look at a run that goes on until its question is decided: at fixed deals, whatever the threads.

Eight looks to a doubling, the first at 1,024 deals: an easy question stops early, and a hard one plays an eighth
more than it needed at most. What is seen at a look depends on the experiment alone.
"""

from collections.abc import Iterator
from dataclasses import replace

from ..base.tally import Counts
from ..engines.threads import Runner
from ..games import load_game
from ..runs.experiment import RANGE, Experiment

FIRST_LOOK = 1024
_STEPS = 8  # looks from one power of two to the next
_PARTS = 32  # ranges of work in a stage, so that there is something for every thread
_SMALLEST = 256  # deals in a range: fewer would not fill the lanes of a kernel


def following(deals: int) -> int:
    """The number of deals at the look after the one at `deals`, a number on the grid of looks."""
    return deals + max(FIRST_LOOK, 1 << max(0, deals.bit_length() - _STEPS.bit_length()))


def stages(experiment: Experiment) -> Iterator[Experiment]:
    """The experiment in pieces, each as long as all before it, in ranges that grow with the pieces."""
    done, length = 0, _PARTS * _SMALLEST
    while done < experiment.deals:
        cut = min(RANGE, length // _PARTS)
        length = min(length, experiment.deals - done)
        yield replace(experiment, first=experiment.first + done, deals=length, cut=cut)
        done += length
        length = done


def watched(experiment: Experiment, play: Runner) -> Iterator[tuple[int, Counts]]:
    """(deals done, counts so far) at every look and at the end of the experiment; the caller may keep the counts."""
    total, due = load_game(experiment.game).layout.zeros(), FIRST_LOOK
    for stage in stages(experiment):
        for _, stop, counts in play(stage):
            total += counts
            done = stop - experiment.first
            if done >= due or done == experiment.deals:
                yield done, total.copy()
            while due <= done:
                due = following(due)
