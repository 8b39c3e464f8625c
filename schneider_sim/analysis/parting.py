"""Where two plays of one deal part: the first decision in which they differ."""

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from ..errors import RequestError
from ..games import MatchUp, load_game
from ..games.protocol import Steps
from ..games.steps import Step

_OTHER = {"A": "B", "B": "A"}
_NOTHING = "nothing"  # what a side did that let a doubling or an announcement go by


class Parting(NamedTuple):
    """The first decision that differs: its trick (0: before the first lead), and what both sides did.

    card: whether that is a card.
    """

    trick: int
    first: str
    second: str
    card: bool


def steps_of(game_name: str) -> Steps:
    """How plays of the game go step by step; RequestError for a game that does not offer it."""
    steps = load_game(game_name).steps
    if steps is None:
        raise RequestError(f"{game_name} does not offer its plays step by step, which comparing deals needs")
    return steps


def parting_of(game_name: str, left: Mapping[str, Any], right: Mapping[str, Any], swapped: bool) -> Parting | None:
    """Where two traces of a deal part; swapped: in the right one the sides have changed seats.

    `first` is what side A did, in the left trace or, being swapped, wherever it had the decision.
    """
    steps = steps_of(game_name).steps
    theirs = steps(right)
    if swapped:
        theirs = (step._replace(side=_OTHER[step.side]) for step in theirs)
    return _first_difference(steps(left), theirs, swapped)


def _first_difference(left: Iterable[Step], right: Iterable[Step], swapped: bool) -> Parting | None:
    for one, two in zip_longest(left, right):
        if one == two:
            continue
        told = min(filter(None, (one, two)), key=lambda step: (step.trick, step.card))  # what only one of them may do
        ours, theirs = (step.what if step and step[:2] == told[:2] and step.card == told.card else _NOTHING
                        for step in (one, two))
        if swapped and told.side == "B":
            ours, theirs = theirs, ours
        return Parting(told.trick, ours, theirs, told.card)
    return None


def parting_tricks(game_name: str, left: MatchUp, right: MatchUp, start: int, stop: int, first_leaders: tuple[str, str],
                   ) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """The trick in which the plays of two matches part, for deals start..stop-1: int64, -1 where they are alike."""
    steps = steps_of(game_name)
    apart = (steps.codes(left, start, stop, first_leaders[0]) != steps.codes(right, start, stop, first_leaders[1]))
    tricks = np.array([steps.trick_of(column) for column in range(apart.shape[1])], np.int64)
    return np.where(apart.any(axis=1), tricks[apart.argmax(axis=1)], -1)
