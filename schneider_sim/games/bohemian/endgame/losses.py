"""What each policy lost in the last six tricks of single plays, against perfect play of both from there on."""

import numpy as np

from ....base.tally import Counts
from ....compiled.lanes import LANES
from ... import MatchUp
from .. import state as at
from ..game import recorded
from ..rules import Rules, has_table

WHERE = "in the last six tricks"


def known(rules: Rules) -> bool:
    """Whether the rules have the table of endgames that this needs."""
    return has_table(rules)


def losses(match_up: MatchUp, start: int, stop: int, first_leader: str) -> Counts:
    """Victory points that A and B lost in the last six tricks of deals start..stop-1: int64[deals, 2]."""
    found = np.empty((stop - start, 2), np.int64)
    for place, deals, room in recorded(match_up, start, stop, first_leader):
        lanes = slice(place % LANES, place % LANES + deals)
        rows = room.reshape(-1, LANES)[at.LOSS // LANES : at.LOSS // LANES + 2, lanes]
        found[place - start : place - start + deals] = rows.T
    return found
