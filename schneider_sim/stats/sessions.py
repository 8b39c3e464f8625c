"""Sessions and matches, exactly, from the law of one deal: who wins, how often, and by how much."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from . import chains
from .chains import Law, Solved

Pmf = Mapping[int, float] | ArrayLike
"""A's points minus B's in one deal: a mapping value -> weight; or a pair (values, weights); or an odd number of
weights for the values -m..m. Weights are probabilities or counts: they are divided by their sum."""

TIES = ("no_score", "redeal", "carry")
RETOUR = ("exact_23_0", "comeback_from_zero", "off")


class Outcome(NamedTuple):
    """Probabilities that A wins, that nobody does and that B wins a session; `deals`: mean number that counted."""

    win: float
    draw: float
    lose: float
    deals: float


class Race(NamedTuple):
    """Outcome of a race to a number of points, with the ways to win it.

    win, draw, lose: probabilities; a draw is a race that never ends, as when no deal ever yields a point. deals: mean
    number of deals. win_schneider, win_retour (and lose_...): the parts of win in which the loser has no point, or the
    Retourschneider applies. balance: mean Bummerl won minus lost, at 1, 2 (Schneider) and 4 (Retourschneider).
    """

    win: float
    draw: float
    lose: float
    deals: float
    win_schneider: float
    win_retour: float
    lose_schneider: float
    lose_retour: float
    balance: float


def session_of(first_pmf: Pmf, second_pmf: Pmf, deals: int = 6) -> Outcome:
    """A session of a fixed number of deals by convolution: the policies lead first alternately, equal sums are a draw.

    first_pmf, second_pmf: the law of A's points minus B's with A, with B as first leader (see Pmf). For an odd number
    of deals the last one goes to either at random. The sums are over integers: the result is exact, rounded once.
    """
    _checked_number("the number of deals", deals)
    first, second = _integer_weights(first_pmf), _integer_weights(second_pmf)
    win = draw = lose = 0
    total = 0
    for k in (deals // 2, deals - deals // 2):
        sums = _convolved(_power(first, k), _power(second, deals - k))
        scale = sum(second.values()) ** k * sum(first.values()) ** (deals - k)
        win += scale * sum(w for value, w in sums.items() if value > 0)
        draw += scale * sums.get(0, 0)
        lose += scale * sum(w for value, w in sums.items() if value < 0)
        total += scale * sum(sums.values())
    return Outcome(win / total, draw / total, lose / total, float(deals))


def race_to(target: int, pmf: Pmf, second_pmf: Pmf | None = None, tie: str = "no_score",
            retour: str = "exact_23_0") -> Race:
    """A race to `target` points by dynamic programming over score, first leader and what the score has been.

    pmf: the law of A's points minus B's with A as first leader; second_pmf: with B as first leader (default: the
    same). A positive value scores for A, a negative one for B, and reaching the target wins at once, however far
    beyond. First leader of the first deal at random, then alternately. tie: a key of TIES for deals without points
    ("redeal": not counted, the same dealer again; "carry": whoever scores next gets one point more). retour: what
    makes a Retourschneider, a key of RETOUR: the score target-1 : 0 lost; or won from nothing in one run after the
    loser had scored; or nothing does.
    Source: docs/rules-bauernschnapsen.md section 9; docs/rules-bohemian.md section 2.
    """
    _checked_number("the target", target)
    _checked_choice("retour", retour, RETOUR)
    law = law_of(pmf, pmf if second_pmf is None else second_pmf)
    return as_race(solve_race(law, target, tie, retour).outcomes)


def bohemian_session(first_pmf: Pmf, second_pmf: Pmf, session: str = "deals-6",
                     tie: str = "no_score") -> Outcome | None:
    """A session of Bohemian Schneider under its rules, or None under `stakes`, where there are none.

    first_pmf, second_pmf: the law of A's victory points minus B's with A, with B as first leader; session: `deals-N`,
    `target-N` or `stakes`; tie: what a deal 10:10 means, a key of TIES. The first dealer is drawn, so both policies
    are as likely to lead first (lot, low card and high card alike).
    """
    kind = session_kind(session)
    if kind is None:
        return None
    solved = solve_session(law_of(first_pmf, second_pmf), *kind, tie)
    win, draw, lose, deals = solved.outcomes.tolist()
    return Outcome(win, draw, lose, deals)


def session_kind(session: str) -> tuple[str, int] | None:
    """`deals-6` as ("deals", 6), `target-7` as ("target", 7), `stakes` as None; anything else is a RequestError."""
    if session == "stakes":
        return None
    match = re.fullmatch(r"(deals|target)-([1-9][0-9]{0,3})", session)
    if match is None:
        raise RequestError(f"session {session!r} is unknown: give deals-N, target-N or stakes")
    return match[1], int(match[2])


def law_of(first_pmf: Pmf, second_pmf: Pmf) -> Law:
    """Two laws of a deal over one support; raises RequestError for impossible weights or values."""
    first, second = _integer_weights(first_pmf), _integer_weights(second_pmf)
    values = sorted(first.keys() | second.keys() | {0})
    totals = sum(first.values()), sum(second.values())
    return Law(np.array(values, dtype=np.int64), np.array([first.get(v, 0) / totals[0] for v in values]),
               np.array([second.get(v, 0) / totals[1] for v in values]))


def solve_session(law: Law, kind: str, number: int, tie: str) -> Solved:
    """Win, draw, loss and mean number of deals of a session of Bohemian Schneider, with derivatives."""
    _checked_choice("tie_10_10", tie, TIES)
    if kind == "target":
        solved = solve_race(law, number, tie, "off")
        sums = np.zeros((4, 7))
        sums[0, [chains.A_SINGLE, chains.A_SCHNEIDER, chains.A_RETOUR]] = 1.0
        sums[2, [chains.B_SINGLE, chains.B_SCHNEIDER, chains.B_RETOUR]] = 1.0
        sums[3, chains.DEALS] = 1.0
        outcomes = sums @ solved.outcomes
        if outcomes[3] == 0.0:
            outcomes = np.array([0.0, 1.0, 0.0, np.inf])
        return Solved(outcomes, sums @ solved.by_first, sums @ solved.by_second)
    scored, rest = chains.without_ties(law) if tie == "redeal" else (law, np.ones(2))
    solved = chains.fixed_deals(scored, number, tie == "carry")
    if tie == "redeal":
        solved = chains.undo_without_ties(solved, scored, rest)
    still = np.zeros((1, law.values.size))
    return Solved(np.append(solved.outcomes, float(number)), np.vstack([solved.by_first, still]),
                  np.vstack([solved.by_second, still]))


def solve_race(law: Law, target: int, tie: str, retour: str) -> Solved:
    """The outcomes of `chains.race` with derivatives, under a rule for ties."""
    _checked_choice("tie_10_10", tie, TIES)
    if tie == "carry" and retour != "off":
        retour = "off"
    memory = "carry" if tie == "carry" else "plain" if retour == "off" else retour
    if tie == "redeal":
        scored, rest = chains.without_ties(law)
        return chains.undo_without_ties(chains.race(scored, target, memory), scored, rest)
    return chains.race(law, target, memory)


def as_race(outcomes: np.ndarray) -> Race:
    """The outcomes of `chains.race` by name."""
    a1, a2, a4, b1, b2, b4, deals = outcomes.tolist()
    win, lose = a1 + a2 + a4, b1 + b2 + b4
    ends = deals > 0.0
    return Race(win, 0.0 if ends else 1.0, lose, deals if ends else float("inf"), a2, a4, b2, b4,
                a1 + 2 * a2 + 4 * a4 - b1 - 2 * b2 - 4 * b4)


def _integer_weights(pmf: Pmf) -> dict[int, int]:
    """A law as integer weights in the same proportions (every float is an integer over a power of two)."""
    if isinstance(pmf, Mapping):
        values, weights = list(pmf.keys()), list(pmf.values())
    elif isinstance(pmf, tuple) and len(pmf) == 2:
        values, weights = np.asarray(pmf[0]).ravel().tolist(), np.asarray(pmf[1]).ravel().tolist()
    else:
        weights = np.asarray(pmf).ravel().tolist()
        values = list(range(-(len(weights) // 2), len(weights) // 2 + 1))
    if len(values) != len(weights):
        raise RequestError("a law needs one weight for each value: a mapping, a pair (values, weights), or an odd "
                           "number of weights for -m..m")
    if not all(np.isfinite(w) and w >= 0 for w in weights) or not any(weights):
        raise RequestError("the weights of a law must be finite, not negative and not all zero")
    if any(v != int(v) for v in values):
        raise RequestError("points must be whole numbers")
    ratios = [(int(v), *(float(w) if not isinstance(w, int) else w).as_integer_ratio())
              for v, w in zip(values, weights, strict=True)]
    scale = max(denominator for _, _, denominator in ratios)
    result: dict[int, int] = {}
    for value, numerator, denominator in ratios:
        result[value] = result.get(value, 0) + numerator * (scale // denominator)
    return result


def _power(weights: dict[int, int], k: int) -> dict[int, int]:
    """The weights of the sum of k deals."""
    result = {0: 1}
    for _ in range(k):
        result = _convolved(result, weights)
    return result


def _convolved(one: dict[int, int], two: dict[int, int]) -> dict[int, int]:
    """The weights of the sum of two independent results."""
    result: dict[int, int] = {}
    for x, p in one.items():
        for y, q in two.items():
            result[x + y] = result.get(x + y, 0) + p * q
    return result


def _checked_number(name: str, number: int) -> None:
    """Raises RequestError unless the number is whole and positive."""
    if number != int(number) or number < 1:
        raise RequestError(f"{name} is {number}: give a whole number from 1")


def _checked_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Raises RequestError unless the value is one of the choices."""
    if value not in choices:
        raise RequestError(f"{name}={value!r} is unknown: give one of {', '.join(choices)}")
