"""Counts from 0 to 10^18: no warning (they are errors here), no limit on the wrong side, exact where it can be."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from schneider_sim.stats import betting, intervals, paired, power, sequential, session_estimates
from schneider_sim.stats.values import Estimate

SIZES = (0, 1, 2, 99, 1000, 10**6, 10**9, 10**15, 10**18)
PAIRS = list(product(SIZES, SIZES))
FIVE = (-3.0, -1.0, 0.0, 1.0, 3.0)


@pytest.mark.parametrize("rare", [0, 1, 5, 99])
@pytest.mark.parametrize("n", [1, 50, 10**6, 10**9, 10**18])
def test_two_values_have_the_exact_binomial_interval(rare, n):
    rare = min(rare, n)
    low, high = intervals.histogram_mean([0, 1], [n - rare, rare])
    expected = (stats.beta.ppf(0.025, rare, n - rare + 1) if rare else 0.0,
                stats.beta.ppf(0.975, rare + 1, n - rare) if rare < n else 1.0)
    assert (low, high) == pytest.approx(expected, rel=1e-6)
    scaled = intervals.histogram_mean([-2, 6], [n - rare, rare])
    assert scaled == pytest.approx((-2 + 8 * low, -2 + 8 * high), abs=1e-12)


def test_two_values_seen_of_three_possible_are_no_binomial():
    assert intervals.mean_estimate([0, 1], [990, 9], low=0, high=2).method == "betting"


def test_rare_events_as_clopper_and_pearson_have_them():
    assert intervals.histogram_mean([0, 1], [10**9, 99])[0] == pytest.approx(8.046e-8, rel=1e-3)


def checked(estimate):
    low, high = estimate[-2:] if len(estimate) == 2 else estimate[1:3]
    assert np.isfinite([low, high]).all() and low <= high
    if isinstance(estimate, Estimate):
        assert low <= estimate.value <= high


@pytest.mark.parametrize("k, n", [(k, n) for k, n in PAIRS if k <= n])
def test_rates(k, n):
    for method in (intervals.wilson, intervals.clopper_pearson, intervals.jeffreys, intervals.proportion_estimate):
        checked(method(k, n))
        assert n == 0 or method(k, n)[-4 if method is intervals.proportion_estimate else 0] <= k / n * (1 + 1e-12)


@pytest.mark.parametrize("a, b", PAIRS)
def test_means_and_pairs(a, b):
    checked(intervals.mean_estimate([0, 1], [a, b]))
    checked(intervals.mean_estimate([-3, 0, 3], [a, b, 0]))
    checked(betting.betting_interval([0, 1], [a, b]))
    checked(betting.betting_interval([-3, 0, 3], [0, a, b]))
    checked(paired.edge([-3, 0, 3], [3, 0, 3], [a, 0, b]))
    checked(paired.first_leader_advantage([-3, 0, 3], [3, 0, -3], [a, b, 1]))
    checked(paired.edge_independent([-1, 0, 1], [a, b, 0], [0, b, a]))
    checked(paired.proportion([0, 1, 1], [0, 0, 1], [a, b, 1]))
    checked(intervals.paired_difference(a, b, a + b))
    paired.remarks([-3, 0, 3], [3, 0, -3], [a, b, 1])
    power.spread([-3, 0, 3], [a, b, 1])


@pytest.mark.parametrize("a, b", PAIRS)
def test_sequential_tests(a, b):
    for counts in ([a, b, 1, b, a], [0, a, 0, b, 0]):
        assert np.isfinite(sequential.sprt(FIVE, counts, 0.0, 0.02).llr)
        checked(sequential.stopped_estimate(FIVE, counts, 0.0, 0.02, 0.05, 0.05))


@pytest.mark.parametrize("session, tie", [("deals-6", "no_score"), ("deals-6", "carry"), ("target-7", "redeal")])
def test_sessions(session, tie):
    for a, b in PAIRS[::3]:
        pairs = paired.Pairs(np.array([-1.0, 0, 1]), np.array([1.0, 0, 1]), np.array([a, b, 0]))
        for estimate in session_estimates.session_estimates(pairs, session, tie).values():
            checked(estimate)
