"""What was played in single decisions and what it lost: the table that a game offers for `analyse`.

What a game offers for this is described in games.protocol.Decisions.
"""

import numpy as np

OTHERS = 5  # cards or calls at most beside the one played
THERE = 1 << 31  # the bit of a word set that says that there is such a one

TABLE = np.dtype([
    ("unit", np.int64),  # equal for the plays of one deal
    ("play", np.int64),  # the place of a trace among those given
    ("deal", np.int64),
    ("b_first", np.int8),  # whether B was first leader
    ("trick", np.int8),  # from 1; 0 for a call before the first lead
    ("seat", np.int8),  # where there are more than two
    ("call", np.int16),  # which of all before the first lead, from 1; 0 for a card
    ("kind", np.int8),  # a place in KINDS
    ("policy", np.int8),  # 0 for A, 1 for B
    ("choices", np.int8),  # legal cards or calls
    ("played", np.int8),  # a card's bit number, or what the game calls by a number
    ("better", np.int8),  # the best one's, or again the one played
    ("lost", np.int64),  # points times worlds that the one played loses against the best one
    ("words", np.uint32),  # a bit for each word of the kind that the one played has
    ("others", np.uint32, (OTHERS,)),  # the same for other legal ones, with THERE
])
"""One row for every decision, forced ones too."""
