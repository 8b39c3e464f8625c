"""Plays of Bohemian Schneider step by step: the names are those of games.protocol.Steps."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...base.tally import Counts
from ...compiled.lanes import LANES
from .. import MatchUp
from ..steps import Line, Part, Step
from . import state as at
from .game import recorded
from .rules import is_honour

_OTHER = {"A": "B", "B": "A"}


def steps(trace: Mapping[str, Any]) -> Iterator[Step]:
    """The cards of a trace in the order in which they were played."""
    for number, trick in enumerate(trace["tricks"], start=1):
        yield Step(number, trick["leader"], trick["led"])
        yield Step(number, _OTHER[trick["leader"]], trick["reply"])


def codes(match_up: MatchUp, start: int, stop: int, first_leader: str) -> Counts:
    """The cards of deals start..stop-1 as masks, led and reply in turn: int64[deals, 32]."""
    found = np.empty((stop - start, 2 * at.TRICKS), np.int64)
    for place, deals, room in recorded(match_up, start, stop, first_leader):
        lanes = slice(place % LANES, place % LANES + deals)
        rows = room.reshape(-1, LANES)
        here = found[place - start : place - start + deals]
        here[:, 0::2] = rows[at.LED_IN // LANES : at.LED_IN // LANES + at.TRICKS, lanes].T
        here[:, 1::2] = rows[at.REPLY_IN // LANES : at.REPLY_IN // LANES + at.TRICKS, lanes].T
    return found


def trick_of(column: int) -> int:
    """The trick of a column of `codes`."""
    return column // 2 + 1


def lines(trace: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[Line]:
    """A line for each trick: who leads and replies what, who takes how many honours, and how many both have then."""
    score = {"A": 0, "B": 0}
    for number, trick in enumerate(trace["tricks"], start=1):
        leader, winner = trick["leader"], trick["winner"]
        won = is_honour(trick["led"]) + is_honour(trick["reply"])
        score[winner] += won
        yield Line(number, (
            Part(f"{number:2}"), Part(names[leader]), Part(trick["led"], 3, True), Part(names[_OTHER[leader]]),
            Part(trick["reply"], 3, True), Part(f"{names[winner]} takes {won}" if won else "", 9),
            Part(f"{score['A']:2}:{score['B']}", 5)))
    honours, points = trace["honours"], trace["victory_points"]
    yield Line(-1, (Part(f"{names['A']} {honours['A']} : {honours['B']} {names['B']} honours, "
                         f"points {points['A']} : {points['B']}"),))
