"""The merged list of two policies' words: each in its own lanes, no word oftener than need be."""

import itertools

import pytest

from schneider_sim.games.bohemian import state as at
from schneider_sim.games.bohemian.schedule import (
    CODE,
    END,
    FLIP_A,
    FLIP_B,
    FRESH,
    IDLE_A,
    IDLE_B,
    ROW,
    STEP,
    WHO,
    A,
    B,
    merged,
    schedule,
)
from schneider_sim.games.bohemian.words import HIGH, HONOUR, LOW, NEGATED, SAFE, STAGE

EVERY = (1 << at.TRICKS) - 1 << STAGE


def steps_of(cells, trick):
    place, found = int(cells[trick]), []
    while cells[place] != END:
        found.append([int(number) for number in cells[place : place + STEP]])
        place += STEP
    return found


@pytest.mark.parametrize("a, b", list(itertools.combinations(
    [(), (1, 2, 3), (3, 2, 1), (1 | NEGATED, 3, 1), (2, 2, 4), (4, 1, 2, 3, 5)], 2)))
def test_both_lists_stand_in_the_merged_one(a, b):
    pairs = merged(a, b)
    assert tuple(x for x, _ in pairs if x is not None) == a and tuple(y for _, y in pairs if y is not None) == b
    common = max(len(part) for n in range(len(a) + 1) for part in itertools.combinations(a, n)
                 if any([x & ~NEGATED for x in part] == [y & ~NEGATED for y in other]
                        for other in itertools.combinations(b, n)))
    assert len(pairs) == len(a) + len(b) - common


def test_a_step_acts_where_its_policy_decides_and_in_its_tricks():
    a, b = (SAFE | EVERY, HONOUR | 1 << STAGE), (SAFE | NEGATED | EVERY, LOW | EVERY)
    cells = schedule((a, a), (a, b)).follow.array
    first, honour, low = steps_of(cells, 0)
    assert (first[CODE], first[FLIP_A], first[FLIP_B], first[IDLE_A], first[IDLE_B]) == (SAFE, 0, 0xFFFFFFFF, 0, 0)
    assert honour[WHO] == A and honour[IDLE_A] == 0 and honour[IDLE_B] == 0xFFFFFFFF
    assert low[WHO] == B and low[IDLE_A] == 0xFFFFFFFF and low[IDLE_B] == 0
    assert [step[CODE] for step in steps_of(cells, 1)] == [SAFE, LOW]


def test_what_comes_back_is_worked_out_once_unless_it_depends_on_the_candidates():
    a, b = tuple(code | EVERY for code in (SAFE, HIGH, HONOUR)), tuple(code | EVERY for code in (HONOUR, HIGH, SAFE))
    steps = steps_of(schedule((a, b), (a, b)).lead.array, 5)
    for code, fresh in ((SAFE, [1, 0]), (HONOUR, [1, 0])):
        twice = [step for step in steps if step[CODE] == code]
        if len(twice) == 2:
            assert [step[FRESH] for step in twice] == fresh and twice[0][ROW] == twice[1][ROW] != at.WANTED
    assert all(step[FRESH] for step in steps if step[CODE] == HIGH)
    assert len({step[CODE] for step in steps}) < len(steps)
