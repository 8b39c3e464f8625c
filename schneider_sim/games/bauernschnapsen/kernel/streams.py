"""The random streams of Bauernschnapsen: which words of philox.py decide what, so that no luck moves another's.

A stream of a seat is the number here plus the seat as seated (deal k is dealt by seat k mod 4), not from the caller.
"""

from typing import NamedTuple

import numpy as np

CARDS = 0  # blocks 0 to 4; each redeal takes the next five
TIES = 1
NOISE = 9
TRUMPS = 17  # at random: the word of the seat from the caller; the block is the number of redeals
TURNED_UP = 18
BID_SAMPLES = np.int64(19)
TRUMP_SAMPLES = np.int64(23)
CARD_SAMPLES = np.int64(27)
BID_WHIMS = 31
DOUBLE_WHIMS = 35
TEAMS = 39  # of a match, whose number stands in place of the deal's
ROLLOUT_HANDS = np.int64(40)
ROLLOUT_LUCK = np.int64(44)  # the deal, beyond all that are dealt, whose ties, noise and whims a sampled world has
ROLLOUT_KEPT = np.int64(48)  # which worlds are kept when plays are evidence


class Stream(NamedTuple):
    """The first number of a stream and how many it takes: one, or one for each seat."""

    first: int
    seats: int = 1


STREAMS = {
    "cards": Stream(CARDS),
    "ties": Stream(TIES, 4),
    "noise": Stream(NOISE, 4),
    "trumps": Stream(TRUMPS),
    "turned up": Stream(TURNED_UP),
    "samples for bids": Stream(int(BID_SAMPLES), 4),
    "samples for trumps": Stream(int(TRUMP_SAMPLES), 4),
    "samples for cards": Stream(int(CARD_SAMPLES), 4),
    "whims of bids": Stream(BID_WHIMS, 4),
    "whims of doublings": Stream(DOUBLE_WHIMS, 4),
    "teams": Stream(TEAMS),
    "hands of rollouts": Stream(int(ROLLOUT_HANDS), 4),
    "luck of rollouts": Stream(int(ROLLOUT_LUCK), 4),
    "worlds kept in rollouts": Stream(int(ROLLOUT_KEPT), 4),
}
