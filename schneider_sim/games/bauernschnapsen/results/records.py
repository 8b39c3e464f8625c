"""One row for every play of Bauernschnapsen: the names are those of games.protocol.Records."""

from typing import Any

import numpy as np

from ....base.cards import SUITS
from ....base.tally import Counts
from ... import MatchUp
from .. import prepare as run
from ..kernel import state as v
from ..kernel.loops import play_single
from ..rules.contracts import NAMES

COLUMNS = {
    "deal": np.dtype(np.int64), "first_leader": ("A", "B"), "dealer": np.dtype(np.int8), "trump": tuple(SUITS),
    "contract": tuple(NAMES), "declarer": np.dtype(np.int8), "multiplier": np.dtype(np.int8),
    "tricks": np.dtype(np.int8), "ended": v.ENDS, "redeals": np.dtype(np.int16), "points_a": np.dtype(np.int16),
    "points_b": np.dtype(np.int16),
}
_KEPT = (v.TRUMP, v.CONTRACT, v.DECLARER, v.LEVEL, v.DONE, v.HOW, v.REDEALS, v.TEAM, v.WORTH)


def records(match_up: MatchUp, start: int, stop: int) -> tuple[Counts, dict[str, Any]]:
    """The tally of deals start..stop-1, and the columns of their plays."""
    plays = 2 if match_up.design == "duplicate" else 1
    deals = np.repeat(np.arange(start, stop, dtype=np.int64), plays)
    b_first = np.tile([0, 1], stop - start) if plays == 2 else deals & 1
    trump, contract, declarer, level, tricks, how, redeals, team, worth = _states(match_up, deals, b_first).T
    points = worth << level
    a_scores = (team == b_first)
    columns = {
        "deal": deals, "first_leader": b_first, "dealer": deals % 4, "trump": trump, "contract": contract,
        "declarer": (declarer + deals % 4 + 1) % 4, "multiplier": 1 << level, "tricks": tricks, "ended": how,
        "redeals": redeals, "points_a": np.where(a_scores, points, 0), "points_b": np.where(a_scores, 0, points),
    }
    return run.count(match_up, start, stop), columns


def _states(match_up: MatchUp, deals: Counts, b_first: Any) -> Counts:
    """int64[plays, len(_KEPT)]: what is kept of every play's final state."""
    ready = run.prepared(match_up)
    found = np.empty((len(deals), len(_KEPT)), np.int64)
    kept = list(_KEPT)
    for place, (deal, swapped) in enumerate(zip(deals.tolist(), b_first.tolist(), strict=True)):
        state = np.zeros(v.STATE_SIZE, np.int64)
        ours, theirs = match_up.score[::-1] if swapped else match_up.score
        play_single(ready.rules, ready.both[swapped], ready.outside, ours, theirs, ready.seed, deal, state)
        found[place] = state[kept]
    ready.check()
    return found
