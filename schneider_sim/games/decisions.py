"""What was played in single decisions and what it lost: the table that a game offers for `analyse`.

What a game offers for this is described in games.protocol.Decisions.
"""

import numpy as np

OTHERS = 5  # cards at most beside the one played
THERE = 1 << 31  # the bit of a word set that says that there is such a card

TABLE = np.dtype([
    ("unit", np.int64),  # equal for the plays of one deal
    ("deal", np.int64),
    ("b_first", np.int8),  # whether B was first leader
    ("trick", np.int8),  # from 1
    ("kind", np.int8),  # a place in KINDS
    ("policy", np.int8),  # 0 for A, 1 for B
    ("choices", np.int8),  # legal cards
    ("played", np.int8),  # a card's bit number
    ("better", np.int8),  # the best card's, or again the one played
    ("lost", np.int64),  # points times worlds that the card played loses against the best one
    ("words", np.uint32),  # a bit for each word of the kind that the card played has
    ("others", np.uint32, (OTHERS,)),  # the same for the other legal cards, with THERE
])
"""One row for every decision, forced ones too."""
