"""One row for every play of Bohemian Schneider: what is offered here is described in games.protocol.Records."""

from typing import Any

import numpy as np

from ...base.tally import Counts
from .. import MatchUp
from .game import scores_by_deal
from .layout import LAYOUT
from .rules import value_of_honours

COLUMNS = {
    "deal": np.dtype(np.int64), "first_leader": ("A", "B"), "honours_a": np.dtype(np.int8),
    "honours_b": np.dtype(np.int8), "tricks_a": np.dtype(np.int8), "tricks_b": np.dtype(np.int8),
    "points_a": np.dtype(np.int16), "points_b": np.dtype(np.int16),
}


def records(match_up: MatchUp, start: int, stop: int) -> tuple[Counts, dict[str, Any]]:
    """The tally of deals start..stop-1, and the columns of their plays."""
    counts = LAYOUT.zeros()
    scores = scores_by_deal(match_up, start, stop, match_up.design, counts)
    deals = np.repeat(np.arange(start, stop, dtype=np.int64), scores.shape[1])
    b_first = np.tile([0, 1], stop - start) if match_up.design == "duplicate" else deals & 1
    honours, tricks = scores.ravel() & 255, scores.ravel() >> 8
    value = np.array(value_of_honours(match_up.rules), np.int16)[honours]
    columns = {
        "deal": deals, "first_leader": b_first, "honours_a": honours, "honours_b": 20 - honours, "tricks_a": tricks,
        "tricks_b": 16 - tricks, "points_a": value.clip(min=0), "points_b": (-value).clip(min=0),
    }
    return counts, columns
