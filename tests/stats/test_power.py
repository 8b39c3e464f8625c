"""Planning: sample sizes, what a run could have missed, and pilots that say little."""

import math

import numpy as np
import pytest
from scipy import stats

from schneider_sim.errors import RequestError
from schneider_sim.stats import power

PAIR_MEANS = np.arange(-6, 7) / 2


def test_sample_size_is_the_normal_one():
    plan = power.plan(power.Spread(0.524, 0.5, 0.55, 2000), 0.02, alpha=0.1, power=0.95)
    z = stats.norm.ppf(0.95) + stats.norm.ppf(0.95)
    assert plan.pairs == math.ceil((z * 0.524 / 0.02) ** 2) == 7429
    assert plan.low < plan.pairs < plan.high
    assert plan.seconds is None
    timed = power.plan(power.Spread(0.5, 0.5, 0.5, 9), 0.02, pairs_per_second=1000)
    assert timed.seconds == pytest.approx(6.567, abs=1e-3)


def test_sequential_sample_sizes_are_wald_s():
    plan = power.plan(power.Spread(0.524, 0.5, 0.55, 2000), 0.02, alpha=0.1, power=0.95)
    assert plan.sequential_h0 == plan.sequential_h1 == math.ceil(0.9 * math.log(19) / (0.02**2 / 2 / 0.524**2))
    assert plan.sequential_worst == math.ceil(math.log(19) ** 2 * 0.524**2 / 0.02**2)


def test_the_detectable_difference_inverts_the_plan():
    n = power.plan(power.Spread(0.8, 0.8, 0.8, 1), 0.01).pairs
    assert power.detectable(0.8, n) == pytest.approx(0.01, rel=1e-4)
    assert power.detectable(0.8, 0) == math.inf
    assert power.detectable(0.0, 10) == 0.0


def test_power_is_what_was_planned():
    rng = np.random.default_rng(7)
    n = power.plan(power.Spread(1.0, 1.0, 1.0, 1), 0.2, power=0.8).pairs
    means = rng.standard_normal((20_000, n)).mean(axis=1) + 0.2
    assert (np.abs(means) * math.sqrt(n) > 1.959964).mean() == pytest.approx(0.8, abs=0.012)


def test_spread_of_a_pilot_covers_the_truth():
    rng = np.random.default_rng(5)
    pmf = np.exp(-np.abs(PAIR_MEANS))
    pmf /= pmf.sum()
    truth = math.sqrt(pmf @ PAIR_MEANS**2)
    covered = 0
    for _ in range(400):
        found = power.spread(PAIR_MEANS, rng.multinomial(2000, pmf))
        covered += found.low <= truth <= found.high
    assert covered >= 0.92 * 400


@pytest.mark.parametrize("counts", [[0] * 13, [0] * 6 + [50] + [0] * 6, [50] + [0] * 12, [0] * 6 + [1] + [0] * 6])
def test_a_pilot_without_variance_promises_nothing(counts):
    found = power.spread(PAIR_MEANS, counts)
    assert found.value == 0.0
    assert found.high > 0.5
    plan = power.plan(found, 0.01)
    assert plan.pairs == 1
    assert plan.high > 10_000


def test_plans_that_make_no_sense():
    spread = power.Spread(1.0, 0.9, 1.1, 100)
    for kwargs in ({"difference": 0.0}, {"difference": math.inf}, {"difference": 0.1, "alpha": 0.0},
                   {"difference": 0.1, "power": 1.0}, {"difference": 0.1, "alpha": 0.9, "power": 0.5}):
        with pytest.raises(RequestError):
            power.plan(spread, **kwargs)
    with pytest.raises(RequestError):
        power.detectable(-1.0, 10)
