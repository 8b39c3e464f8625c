"""Means over clusters: equal sizes against SciPy's t interval, unequal ones by how often they cover the truth."""

import math

import numpy as np
import pytest
from scipy import stats

from schneider_sim.stats.clusters import cluster_ratio


def test_equal_sizes_give_the_t_interval_of_means():
    sums = np.array([3.0, 1.0, -2.0, 8.0, 0.5])
    found = cluster_ratio(sums, np.full(5, 2))
    low, high = stats.t.interval(0.95, 4, (sums / 2).mean(), stats.sem(sums / 2))
    assert found[:3] == pytest.approx(((sums / 2).mean(), low, high)) and found.n == 5


def test_a_single_cluster_says_nothing_of_others():
    assert cluster_ratio([3.0], [4]) == (0.75, -math.inf, math.inf, 1)


def test_things_that_belong_together_are_covered():
    """Forty clusters of unequal sizes, alike within: the interval covers the ratio of means about as often as it says.
    """
    random, covered = np.random.default_rng(4), 0
    for _ in range(1000):
        sizes = random.integers(0, 6, 40)
        sums = sizes * (0.3 + random.normal(size=40)) + random.normal(size=40) * np.sqrt(sizes)
        found = cluster_ratio(sums, sizes)
        covered += found.low <= 0.3 <= found.high
    assert 915 <= covered <= 975
