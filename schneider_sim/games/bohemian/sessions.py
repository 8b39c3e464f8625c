"""Sessions of Bohemian Schneider played deal by deal: dealers, ties, score, and when a session ends.

Random stream 17 of the generator, with the session's number in place of the deal's, draws who deals first.
Source: docs/rules-bohemian.md section 2. What is offered here and to whom is said
in schneider_sim/versus/sessions.py.
"""

from collections import Counter

import numpy as np
from numba import int64, uint64

from ...base.estimate import Named
from ...base.tally import Counts, Tally
from ...compiled.jit import compiled
from ...compiled.philox import four_words
from ...errors import RunError
from ...stats import intervals
from ...stats.session_estimates import length_estimate, session_estimates
from ...stats.values import Estimate
from .. import MatchUp
from . import stakes
from .estimates import victory_pairs
from .game import scores_by_deal
from .layout import LAYOUT
from .rules import value_of_honours

UNIT, UNITS = "session", "sessions"
STREAM = 17
DEALS, TARGET, STAKES = range(3)  # kinds of session
NO_SCORE, REDEAL, CARRY = range(3)
LOT, LOW_CARD, HIGH_CARD = range(3)
KINDS = {"deals": DEALS, "target": TARGET, "stakes": STAKES}
TIES = {"no_score": NO_SCORE, "redeal": REDEAL, "carry": CARRY}
DEALERS = {"lot": LOT, "low_card": LOW_CARD, "high_card": HIGH_CARD}
LONGEST = 10**6  # deals after which a session is taken to be endless

# places in a walk's state: the number of the session, who deals (0 A, 1 B), deals that counted, points, whether the
# next decided deal is worth one more, deals dealt, deals counted and deals void in all sessions
NUMBER, DEALER, COUNTED, POINTS_A, POINTS_B, BONUS, DEALT, ALL_COUNTED, ALL_VOID = range(9)


@compiled
def first_dealer(session, how, seed):
    """Who deals first in a session, 0 for A or 1 for B: at random, or by the lower (higher) card drawn."""
    block = 0
    while True:
        words = four_words(session, block, STREAM, seed)
        if how == LOT:
            return int64(words[0]) >> 31
        for pair in range(2):
            one = uint64(words[2 * pair]) * uint64(32) >> uint64(32)
            two = uint64(words[2 * pair + 1]) * uint64(31) >> uint64(32)
            two += uint64(two >= one)
            rank_a, rank_b = int64(one) & 7, int64(two) & 7
            if rank_a != rank_b:
                return int64((rank_a < rank_b) == (how == HIGH_CARD))
        block += 1


@compiled
def walk(values, kind, number, tie, how, seed, wanted, state, rows):
    """Play on through the deals `values`, int64[deals, 2]: A's victory points minus B's with A, with B as first leader.

    Writes (A's points, B's points, deals counted) of every finished session to `rows` and returns how many there were
    and how many deals were used; the second is -1 where a session does not end. Under STAKES a session is what there
    is to the next decided deal, and `wanted` counts deals.
    """
    finished = 0
    for place in range(len(values)):
        if state[DEALT] == 0 and (kind != STAKES or state[NUMBER] == 0):
            state[DEALER] = first_dealer(state[NUMBER], how, seed)
        value = values[place, 1 - state[DEALER]]
        state[DEALT] += 1
        if state[DEALT] > LONGEST:
            return finished, -1
        if value == 0 and tie == REDEAL:
            state[ALL_VOID] += 1
            continue
        state[DEALER] = 1 - state[DEALER]
        state[COUNTED] += 1
        state[ALL_COUNTED] += 1
        if value == 0:
            state[BONUS] = int64(tie == CARRY)
        else:
            state[POINTS_A if value > 0 else POINTS_B] += abs(value) + state[BONUS]
            state[BONUS] = 0
        enough = kind == STAKES and state[ALL_COUNTED] == wanted
        if kind == DEALS:
            over = state[COUNTED] == number
        elif kind == TARGET:
            over = max(state[POINTS_A], state[POINTS_B]) >= number
        else:
            over = value != 0 or enough
        if over:
            rows[finished, 0], rows[finished, 1], rows[finished, 2] = state[POINTS_A], state[POINTS_B], state[COUNTED]
            state[COUNTED], state[POINTS_A], state[POINTS_B], state[DEALT] = 0, 0, 0, 0
            state[BONUS] = state[BONUS] if kind == STAKES else 0
            state[NUMBER] += 1
            finished += 1
            if enough or (kind != STAKES and state[NUMBER] == wanted):
                return finished, place + 1
    return finished, len(values)


def results(match_up: MatchUp, start: int, stop: int) -> Counts:
    """A's victory points minus B's in deals start..stop-1 with A, with B as first leader: int64[deals, 2]."""
    worth = np.array(value_of_honours(match_up.rules), np.int64)
    honours = scores_by_deal(match_up, start, stop, "duplicate", LAYOUT.zeros()) & 255
    return worth[honours]


class Walk:
    """Sessions being played; `seen` counts them by (A's points, B's points, deals counted)."""

    def __init__(self, match_up: MatchUp, count: int) -> None:
        kind, number = match_up.rules.session_plan
        self._match_up, self._count, self._kind = match_up, count, kind
        rules = match_up.rules
        self._plan = KINDS[kind], number, TIES[rules.tie_10_10], DEALERS[rules.first_dealer]
        self._state = np.zeros(9, np.int64)
        self.seen: Counter[tuple[int, int, int]] = Counter()

    def take(self, values: Counts) -> int:
        """Play on through the results of the next deals; how many were used. RunError when a session does not end."""
        rows = np.empty((len(values), 3), np.int64)
        finished, used = walk(values, *self._plan, np.uint64(self._match_up.seed), self._count, self._state, rows)
        if used < 0:
            raise RunError(f"session {self._state[NUMBER]} has no end after {LONGEST} deals: these policies always tie")
        distinct, counts = np.unique(rows[:finished], axis=0, return_counts=True)
        self.seen.update(dict(zip(map(tuple, distinct.tolist()), counts.tolist(), strict=True)))
        return int(used)

    @property
    def done(self) -> int:
        """Sessions (under stakes: deals) that are finished."""
        return int(self._state[ALL_COUNTED if self._kind == "stakes" else NUMBER])

    @property
    def complete(self) -> bool:
        return self.done >= self._count

    @property
    def lengths(self) -> tuple[int, int, int, int]:
        """Deals counted in all, in the shortest and the longest session, and deals dealt again."""
        deals = [1] if self._kind == "stakes" else [length for _, _, length in self.seen]
        return int(self._state[ALL_COUNTED]), min(deals), max(deals), int(self._state[ALL_VOID])

    def estimates(self, level: float = 0.95) -> list[Named]:
        """A's rates of won, drawn and lost sessions; under stakes what a deal pays A on average."""
        if self._kind == "stakes":
            return [stakes.played(self.seen, self._match_up.rules, level)]
        signs: Counter[int] = Counter()
        for (a, b, _), count in self.seen.items():
            signs[(a > b) - (a < b)] += count
        rates = {"session_win_rate": 1, "session_draw_rate": 0, "session_lose_rate": -1}
        return [intervals.proportion_estimate(signs[sign], self._count, level).named(name)
                for name, sign in rates.items()]


def exact(tally: Tally, match_up: MatchUp, level: float = 0.95) -> list[Named]:
    """The statistics of `Walk.estimates` from the law of the duplicates in a tally."""
    pairs, rules = victory_pairs(tally, match_up.rules), match_up.rules
    if rules.session == "stakes":
        return [stakes.exact(pairs, rules.tie_10_10, level)]
    rates = session_estimates(pairs, rules.session, rules.tie_10_10, level)
    return [estimate.named(name) for name, estimate in rates.items()]


def exact_length(tally: Tally, match_up: MatchUp, level: float = 0.95) -> Estimate | None:
    """The mean number of deals that count in a session, or None under stakes."""
    kind, number = match_up.rules.session_plan
    if kind == "deals":
        return Estimate(float(number), float(number), float(number), 0, "by the rules")
    if kind == "stakes":
        return None
    return length_estimate(victory_pairs(tally, match_up.rules), match_up.rules.session, match_up.rules.tie_10_10,
                           level)
