"""Is A better than B? Plays duplicates until the question is decided, looking at fixed deals only."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..base.tally import Tally
from ..engines.threads import Runner, in_order
from ..errors import RequestError
from ..games import load_game
from ..runs.experiment import Experiment
from ..stats.values import tail
from .duplicates import Duplicates, alike, duplicates
from .looks import FIRST_LOOK, watched
from .question import UNDECIDED, Look, Precision, Question, Sprt
from .verdict import Verdict

MAX_DEALS = 10**9

Hear = Callable[[Look, Duplicates], None]

__all__ = ["MAX_DEALS", "Look", "Precision", "Question", "Sprt", "Verdict", "compare"]


def compare(experiment: Experiment, question: Question, play: Runner = in_order, hear: Hear | None = None,
            level: float = 0.95) -> Verdict:
    """Play the experiment's duplicates in order until `question` is answered or its deals are used up.

    play: what runs deals; hear: called at every look. The verdict depends on the experiment and the question alone,
    not on threads. level: of the intervals that are given. Two policies that are one are played for a first look only.
    Raises RequestError for an impossible
    question or for independent deals.
    """
    if experiment.match_up.design != "duplicate":
        raise RequestError("a comparison needs the design 'duplicate': each deal twice, the policies changing seats")
    tail(level)  # refuses what is no level
    reader = duplicates(experiment)
    question.check(reader.values)
    same = alike(experiment.match_up)
    limit, looks, answer = experiment.deals, list[Look](), UNDECIDED
    total = load_game(experiment.game).layout.zeros()
    played = replace(experiment, deals=min(limit, FIRST_LOOK)) if same else experiment
    for deals, total in watched(played, play):
        looks.append(Look(deals, reader.counts(total)))
        if hear:
            hear(looks[-1], reader)
        answer = question.by_symmetry() if same else question.answer(reader.values, looks[-1].counts)
        if answer != UNDECIDED:
            break
    return Verdict(replace(experiment, deals=looks[-1].pairs), question, limit, answer,
                   Tally(reader.game.layout, np.array(total)), tuple(looks), level)
