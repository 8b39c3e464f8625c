"""What a Gang would have brought, and what the normal game: the same deals played both ways.

Every deal is played without bids as a normal game, then as a Gang of each seat in turn, all seats playing one policy,
doublings included. A hand's class is what its holder sees: how many of its cards are sure, with no card of the suit
above them in other hands, and how many cards lie above the rest. So a class tells what its hands make and earn, and
what the normal game of the same deals brings instead.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....base.tally import Counts
from ....compiled.cells import cells, keep_alive
from ....compiled.jit import compiled
from ....compiled.lanes import LANES
from ....stats.intervals import mean_estimate, proportion_estimate
from ....stats.values import Estimate
from ... import MatchUp
from ..kernel import state as v
from ..kernel.bits import NOTHING, STD, above, popcount
from ..kernel.deal import play_deal, play_trick
from ..kernel.loops import draw_words, hand_back, set_up, take_in
from ..kernel.opening import ROWS, forget
from ..kernel.tricks import set_contract
from ..kernel.units import CALLS, DOUBLING_QUESTION, ask, policies_in, rules_in, state_in
from ..prepare import prepared

if TYPE_CHECKING:
    import pandas as pd

CLASSES = ("0 or 1 sure", "2 sure", "3 sure, 5 or more above", "3 sure, 4 above", "3 sure, 3 above", "3 sure, 2 above",
           "4 sure, 4 above", "4 sure, 3 above", "4 sure, 2 above", "4 sure, 1 above", "5 sure")
SIDES = ("caller's side", "other side")
N_CLASSES = len(CLASSES)
SHAPE = (2, N_CLASSES, 2, 3, 4, 2, 4)  # side x class x normal: scored, 1 2 3, level x Gang: made, level
PLAYS = 5  # of a deal


@compiled
def class_of(hand):
    """The place of a hand of five among CLASSES."""
    sure, over, rest = 0, 0, hand
    while rest:
        card = rest & -rest
        rest &= rest - 1
        higher = popcount(above(STD, card) & ~hand)
        sure += higher == 0
        over += higher
    if sure == 5:
        return N_CLASSES - 1
    if sure == 4:
        return N_CLASSES - 1 - over
    return 7 - min(over, 5) if sure == 3 else max(sure - 1, 0)


@compiled(part="loop")
def _play_gang(r, p, s, w, seat):
    """Play the dealt cards once more, as a Gang of `seat`."""
    for i in range(4):
        s.hand[i] = s.dealt[i]
    forget(s)
    s.contract, s.declarer, s.calls, s.call[0] = v.GANG, seat, 1, 32 * seat + v.GANG
    set_contract(r, s)
    if not r.window_open and p[0].double.n + p[1].double.n:
        ask(CALLS, DOUBLING_QUESTION, s, NOTHING, NOTHING)
    for _ in range(5):
        if play_trick(r, p, s, w):
            break


@compiled
def _play_both_ways(rules, both, outside, seed, start, count, counts):
    """Play `count` deals from `start` both ways and add them to `counts`, int64[SHAPE] flat; see kernel.play_range."""
    space, state, words = np.empty(ROWS * LANES, np.uint32), np.zeros(v.STATE_SIZE, np.int64), np.zeros(ROWS, np.int64)
    r, p, s, w = rules_in(rules, 0), policies_in(both, 0), state_in(state, 0), cells(words, 0)
    take_in(s, outside)
    for place in range(count):
        if place % LANES == 0:
            draw_words(start + place, seed, space)
        set_up(s, start + place, seed, NOTHING, NOTHING, place % LANES, space, w)
        play_deal(r, p, s, w)
        team, worth, level = s.team, s.worth, s.level
        for seat in range(4):
            _play_gang(r, p, s, w, seat)
            side = seat & 1
            normal = (np.int64(team == side) * 3 + worth - 1) * 4 + level
            made = np.int64(s.team == side)
            cell = (side * N_CLASSES + class_of(s.dealt[seat])) * 24 + normal
            counts[(cell * 2 + made) * 4 + s.level] += 1
    hand_back(s, outside)
    keep_alive(rules, both, state, words)


def gangs(match_up: MatchUp, start: int, stop: int) -> Counts:
    """int64[SHAPE]: hands of deals start..stop-1 by side, class, and how the normal game and the Gang ended.

    Both sides play policy A of the match; its bids play no part. Releases the GIL.
    """
    ready, counts = prepared(match_up), np.zeros(SHAPE, np.int64)
    silent = np.concatenate([ready.both[0, : v.POLICY_SIZE]] * 2)
    silent[v.P_BID] = silent[v.POLICY_SIZE + v.P_BID] = 0
    flat = counts.reshape(-1)
    _play_both_ways(ready.rules, silent, ready.outside, ready.seed, start, stop - start, flat)
    ready.check()
    return counts


class GangClass(NamedTuple):
    """What hands of a class do as a Gang and as a normal game: hands, chance made, game points for the holder's side.

    break_even: the chance at which the Gang earns as much as the normal game, at the doublings that were seen.
    """

    side: str
    hand: str
    n: int
    made: Estimate
    gang: Estimate
    normal: Estimate
    gain: Estimate
    break_even: Estimate


def gang_classes(counts: Counts, match_up: MatchUp, level: float = 0.95) -> list[GangClass]:
    """A row for each side and class that was seen, the weakest hands first; every interval at `level`.

    match: the one of `gangs`.
    """
    worth = np.array([1, 2, 3])[:, None] * np.array([1, 2, 4, 8])
    normal = np.stack([-worth, worth]).reshape(-1)
    value = match_up.rules.values[v.GANG]
    gang = (value * np.array([-1, 1])[:, None] * np.array([1, 2, 4, 8])).reshape(-1)
    most = 2**match_up.rules.max_double if match_up.a.sections["double"] else 1
    rows = []
    for side, name in np.ndindex(2, N_CLASSES):
        table = counts[side, name].reshape(24, 8)
        n = int(table.sum())
        if not n:
            continue
        by_gang = table.sum(axis=0)
        usual = _mean(normal, table.sum(axis=1), 3 * most, level)
        rows.append(GangClass(
            SIDES[side], CLASSES[name], n, proportion_estimate(int(by_gang[4:].sum()), n, level),
            _mean(gang, by_gang, value * most, level), usual,
            _mean((gang - normal[:, None]).reshape(-1), table.reshape(-1), (value + 3) * most, level),
            _break_even(by_gang, usual, value)))
    return rows


def _mean(values: Any, counts: Counts, most: float, level: float) -> Estimate:
    seen = counts > 0
    return mean_estimate(values[seen], counts[seen], level, -most, most)


def _break_even(by_gang: Counts, normal: Estimate, value: int) -> Estimate:
    """The chance p with value * (won * p - lost * (1 - p)) = normal, won and lost being the mean multipliers."""
    times = np.array([1, 2, 4, 8])
    lost, won = (float(part @ times) / part.sum() if part.sum() else 1.0 for part in (by_gang[:4], by_gang[4:]))
    at = [min(1.0, max(0.0, (points / value + lost) / (won + lost))) for points in normal.limits]
    return normal._replace(value=at[0], low=at[1], high=at[2])


def gang_frame(rows: list[GangClass]) -> "pd.DataFrame":
    """The rows as a tidy frame: side, hand, n, then each figure with its limits."""
    import pandas as pd

    figures = ("made", "gang", "normal", "gain", "break_even")
    return pd.DataFrame([{"side": row.side, "hand": row.hand, "n": row.n} | {
        f"{name}{suffix}": number for name in figures
        for suffix, number in zip(("", "_low", "_high"), getattr(row, name).limits, strict=True)} for row in rows])
