"""Matches of Bauernschnapsen played deal by deal: dealers, teams, the score, Bummerl, Schneider, Retourschneider.

Deal k is dealt by seat k mod 4, so matches follow each other on consecutive deals with the rotation going on
(`next_match_dealer=continue`); under `rotate_start` deals are skipped until the dealer is the one whose turn it is to
begin. Which team a policy is in is drawn for every match (random stream TEAMS, the number of the match in place of the
deal's). Policies that look at the score are played in order with it; all others deal by deal in any order.
Source: docs/rules-bauernschnapsen.md section 9. What is offered here is described in games.protocol.Sessions.
"""

from collections import Counter
from collections.abc import Mapping

import numpy as np
from numba import int64

from ....base.estimate import Named
from ....base.tally import Counts, Tally
from ....compiled.jit import compiled
from ....compiled.philox import four_words
from ....stats import intervals
from ....stats.values import Estimate
from ... import MatchUp
from .. import prepare as run
from ..grammar import looks_at_score
from ..kernel.loops import play_results
from ..kernel.streams import TEAMS
from ..rules.match import RETOUR, TARGET
from .estimates import match_statistics, most, no_ties

UNIT, UNITS = "match", "matches"
EXACT_23_0, COMEBACK = RETOUR.index("exact_23_0"), RETOUR.index("comeback_from_zero")

# places in a walk's state: number of the match, A's team (parity of its seats), score of A and B, deals so far,
# whether A, B once stood at 23:0, whether A, B have come from nothing in one run, all deals that counted
NUMBER, A_PARITY, SCORE, DEALS, LED, RUN, COUNTED = 0, 1, 2, 4, 5, 7, 9


@compiled
def begins(state, deal, rotate, seed):
    """Whether a match may go on or begin with this deal; draws the teams of a new one."""
    if state[DEALS] == 0:
        if rotate and deal & 3 != state[NUMBER] & 3:
            return False
        state[A_PARITY] = int64(four_words(state[NUMBER], 0, TEAMS, seed)[0]) >> 31
    return True


@compiled
def add_result(state, side, points, retour, target):
    """Add a deal that `side` (0 A, 1 B) won: the Bummerl of the loser when that ends the match, else 0."""
    other = 1 - side
    if state[SCORE + side] == 0 and state[SCORE + other] > 0:
        state[RUN + side] = 1
    state[RUN + other] = 0
    state[SCORE + side] += points
    state[DEALS] += 1
    state[COUNTED] += 1
    if state[SCORE + side] < target:
        if state[SCORE + side] == target - 1 and state[SCORE + other] == 0:
            state[LED + side] = 1
        return 0
    if (retour == EXACT_23_0 and state[LED + other]) or (retour == COMEBACK and state[RUN + side]):
        return 4
    return 2 if state[SCORE + other] == 0 else 1


@compiled
def walk(values, deal, retour, rotate, target, seed, wanted, state, rows):
    """Play on through the deals from `deal`, int64[deals, 2]: V with A, with B as the caller's side.

    Writes (winner, Bummerl, deals) of every finished match to `rows`; how many there were and how many deals were used.
    """
    finished = 0
    for place in range(len(values)):
        if not begins(state, deal + place, rotate, seed):
            continue
        value = values[place, (deal + place + 1 - state[A_PARITY]) & 1]
        side = int64(value < 0)
        worth = add_result(state, side, abs(value), retour, target)
        if worth:
            rows[finished, 0], rows[finished, 1], rows[finished, 2] = side, worth, state[DEALS]
            finished += 1
            state[NUMBER] += 1
            for i in range(SCORE, COUNTED):
                state[i] = 0
            if state[NUMBER] == wanted:
                return finished, place + 1
    return finished, len(values)


def results(match_up: MatchUp, start: int, stop: int) -> Counts:
    """V of deals start..stop-1 with A, with B as first leader: int64[deals, 2]; nothing yet where the score matters."""
    if _aware(match_up):
        return np.array([start, stop], np.int64)
    return run.results(match_up, start, stop)


class Walk:
    """Matches being played; `seen` counts them by (winner, Bummerl of the loser, deals)."""

    def __init__(self, match_up: MatchUp, count: int) -> None:
        rules = match_up.rules
        self._match_up, self._count, self._deal = match_up, count, 0
        self._plan = RETOUR.index(rules.retour), int(rules.next_match_dealer == "rotate_start"), TARGET
        self._seed = np.uint64(match_up.seed).astype(np.int64)
        self._state = np.zeros(COUNTED + 1, np.int64)
        self.seen: Counter[tuple[int, int, int]] = Counter()

    def take(self, values: Counts) -> int:
        """Play on through the results of the next deals; how many were used."""
        if _aware(self._match_up):
            return self._play(*values.tolist())
        rows = np.empty((len(values), 3), np.int64)
        finished, used = walk(values, self._deal, *self._plan, self._seed, self._count, self._state, rows)
        self._deal += used
        self._count_rows(rows[:finished])
        return int(used)

    def _play(self, start: int, stop: int) -> int:
        """Play the deals start..stop-1 in order, each with the score before it."""
        ready = run.prepared(self._match_up)
        state, found, row = self._state, np.empty((1, 2), np.int64), np.empty((1, 3), np.int64)
        for deal in range(start, stop):
            score = state[SCORE : SCORE + 2].copy()
            play_results(ready.rules, ready.both, ready.outside, score, ready.seed, deal, found)
            finished, _ = walk(found, deal, *self._plan, self._seed, self._count, state, row)
            if finished:
                self._count_rows(row)
                if self.complete:
                    ready.check()
                    return deal + 1 - start
        ready.check()
        return stop - start

    def _count_rows(self, rows: Counts) -> None:
        distinct, counts = np.unique(rows, axis=0, return_counts=True)
        self.seen.update(dict(zip(map(tuple, distinct.tolist()), counts.tolist(), strict=True)))

    @property
    def done(self) -> int:
        """Matches that are finished."""
        return int(self._state[NUMBER])

    @property
    def complete(self) -> bool:
        return self.done >= self._count

    @property
    def lengths(self) -> tuple[int, int, int, int]:
        """Deals in all finished and unfinished matches, in the shortest and the longest one, and deals dealt again."""
        deals = [length for _, _, length in self.seen]
        return int(self._state[COUNTED]), min(deals), max(deals), 0

    def estimates(self, level: float = 0.95) -> list[Named]:
        """A's rate of won matches, Schneider and Retourschneider by either, A and B, A's Bummerl, mean length."""
        ends: Counter[tuple[int, int]] = Counter()
        lengths: Counter[int] = Counter()
        for (winner, worth, deals), count in self.seen.items():
            ends[winner, worth] += count
            lengths[deals] += count
        won = sum(count for (winner, _), count in ends.items() if winner == 0)
        rates = {"session_win_rate": won}
        for name, worth in (("schneider_rate", 2), ("retour_rate", 4)):
            rates |= {name: ends[0, worth] + ends[1, worth], f"{name}_a": ends[0, worth], f"{name}_b": ends[1, worth]}
        bummerl = {(1 - 2 * winner) * worth: ends[winner, worth] for winner in (0, 1) for worth in (1, 2, 4)}
        found = [intervals.proportion_estimate(k, self._count, level).named(name) for name, k in rates.items()]
        return [found[0], no_ties(self._count).named("session_draw_rate"), *found[1:],
                _mean("bummerl_balance", bummerl, -4, 4, level),
                _mean("session_length", lengths, -(-TARGET // most(self._match_up)), 2 * TARGET - 1, level)]


def _mean(name: str, counts: Mapping[int, int], low: float, high: float, level: float) -> Named:
    """The mean of whole numbers that were seen so often."""
    return intervals.mean_estimate(list(counts), list(counts.values()), level, low, high).named(name)


def exact(tally: Tally, match_up: MatchUp, level: float = 0.95) -> list[Named]:
    """The same statistics from the law of the duplicates in a tally; none where the law depends on the score."""
    return [] if _aware(match_up) else match_statistics(tally, match_up, level)


def exact_length(tally: Tally, match_up: MatchUp, level: float = 0.95) -> Estimate | None:
    """The mean number of deals of a match; None where the law of a deal depends on the score."""
    found = (named.estimate for named in exact(tally, match_up, level) if named.statistic == "session_length")
    return next(found, None)


def _aware(match_up: MatchUp) -> bool:
    return looks_at_score(match_up.a) or looks_at_score(match_up.b)
