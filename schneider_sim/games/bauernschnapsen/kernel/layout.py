"""The layout of a tally of Bauernschnapsen, and the possible results of a play.

V is A's game points minus B's in a play: one side scores, so V is never 0, and its size is a value from 1 to 24 times
1, 2, 4 or 8. The 120 possible V are numbered in ascending order, so that a duplicate's joint table is 120 by 120.
"""

from ....base.tally import Layout
from ..rules.contracts import CONTRACTS

SIZES = sorted({value * multiplier for value in range(1, 25) for multiplier in (1, 2, 4, 8)})
HALF = len(SIZES)
V_VALUES = tuple([-size for size in reversed(SIZES)] + SIZES)
N = len(CONTRACTS)

LAYOUT = Layout({
    "joint": (2 * HALF, 2 * HALF),  # V with A as the caller's side x V with B as the caller's side; duplicates only
    "by_first_leader": (2, 2 * HALF),  # V by first leader
    "outcome": (2, N, 4, 4, 2),  # first leader x contract x declarer (relative seat) x level x failed, made
    "normal": (2, 2, 2, 3, 4),  # first leader x scoring side (caller's, other) x 66, last trick x 1, 2, 3 x level
    "ended": (2, 5),  # first leader x how the deal ended
    "card_points": (2, 121),  # first leader x card points of the caller's side at the end of a normal game
    "tricks": (2, 6, 6),  # first leader x tricks of the caller's side x of the others, normal game
    "marriages": (2, 2, 2, 3),  # first leader x side x 20, 40 x held, announced, cashed; all contracts
    "marriage_plays": (2, 4),  # first leader x sides that announced: none, caller's, other, both
    "bids": (2, 4, N),  # first leader x relative seat x contract bid (0: passes)
    "opening": (2, 3),  # first leader x trumps named, turned up, redeals
})
