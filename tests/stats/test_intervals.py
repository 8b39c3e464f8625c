"""Intervals: published numbers, exact coverage, and what happens at the edges."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from schneider_sim.errors import RequestError
from schneider_sim.stats import intervals


@pytest.mark.parametrize("k, n, method, expected", [
    (81, 263, "wilson", (0.2553, 0.3662)), (81, 263, "clopper_pearson", (0.2527, 0.3676)),
    (81, 263, "jeffreys", (0.2545, 0.3656)), (15, 148, "wilson", (0.0624, 0.1605)),
    (15, 148, "clopper_pearson", (0.0578, 0.1617)), (15, 148, "jeffreys", (0.0604, 0.1576)),
    (0, 20, "wilson", (0.0, 0.1611)), (0, 20, "clopper_pearson", (0.0, 0.1684)), (0, 20, "jeffreys", (0.0, 0.1166)),
])
def test_rates_as_published(k, n, method, expected):
    low, high = getattr(intervals, method)(k, n)
    assert (round(low, 4), round(high, 4)) == expected


@pytest.mark.parametrize("counts, expected", [
    ((56, 70, 48, 80), (0.0524, 0.3339)), ((9, 10, 3, 10), (0.1705, 0.8090)),
    ((6, 7, 2, 7), (0.0582, 0.8062)), ((10, 10, 0, 10), (0.6075, 1.0)),
])
def test_newcombe_as_published(counts, expected):
    low, high = intervals.newcombe_difference(*counts)
    assert (round(low, 4), round(high, 4)) == expected


def test_rates_agree_with_statsmodels():
    from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

    names = {"wilson": "wilson", "clopper_pearson": "beta", "jeffreys": "jeffreys"}
    for n in (1, 7, 60, 5000):
        for k in range(1, n, max(1, n // 9)):
            for level in (0.8, 0.95, 0.999):
                for ours, theirs in names.items():
                    expected = proportion_confint(k, n, alpha=1 - level, method=theirs)
                    assert getattr(intervals, ours)(k, n, level) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    for k1, k2 in ((9, 3), (5, 5), (1, 9)):
        expected = confint_proportions_2indep(k1, 10, k2, 10, method="newcomb", compare="diff")
        assert intervals.newcombe_difference(k1, 10, k2, 10) == pytest.approx(expected, rel=1e-9)


def test_newcombe_where_the_score_method_of_a_library_fails():
    low, high = intervals.newcombe_difference(9, 10, 3, 10)
    assert low < 0.6 < high


@pytest.mark.parametrize("method", ["wilson", "clopper_pearson", "jeffreys"])
@given(data=st.data())
def test_limits_stay_within_the_possible(method, data):
    n = data.draw(st.one_of(st.integers(1, 50), st.integers(1, 10**13), st.floats(0.01, 1e6)))
    k = data.draw(st.one_of(st.just(0), st.just(n), st.floats(0, 1).map(lambda share: share * n)))
    alpha = data.draw(st.sampled_from([0.5, 0.05, 1e-6, 1e-18, 1e-300]))
    low, high = getattr(intervals, method)(k, n, alpha=alpha)
    assert 0.0 <= low <= high <= 1.0
    assert (low == 0.0) or k > 0
    assert (high == 1.0) or k < n
    if k == 0:
        assert low == 0.0
    if k == n:
        assert high == 1.0
    assert low < high


def test_the_ends_at_any_alpha():
    for alpha in (0.05, 1e-10, 1e-100, 1e-300):
        for n in (1, 20, 1000, 10**12):
            exact = -math.expm1(math.log(alpha / 2) / n)
            assert intervals.clopper_pearson(0, n, alpha=alpha).high == pytest.approx(exact, rel=1e-9)
            assert intervals.clopper_pearson(n, n, alpha=alpha).low == pytest.approx(1 - exact, rel=1e-9)
            z = -stats.norm.ppf(alpha / 2)
            assert intervals.wilson(0, n, alpha=alpha).high == pytest.approx(z * z / (n + z * z), rel=1e-9)


def test_beta_quantiles_where_the_library_s_inverse_fails():
    for k, n in ((2.5, 5), (1, 2), (3, 5)):
        low, high = intervals.clopper_pearson(k, n, alpha=1e-300)
        assert stats.beta.cdf(low, k, n - k + 1) == pytest.approx(5e-301, rel=1e-6)
        assert 1 - 1e-12 < high <= 1.0
        low, high = intervals.jeffreys(k, n, alpha=1e-250)
        assert stats.beta.cdf(low, k + 0.5, n - k + 0.5) == pytest.approx(5e-251, rel=1e-6)


@pytest.mark.parametrize("method", ["wilson", "clopper_pearson", "jeffreys"])
def test_rates_without_data_and_impossible_ones(method):
    interval = getattr(intervals, method)
    assert interval(0, 0) == (0.0, 1.0)
    for k, n in ((-1, 5), (6, 5), (1, -1), (math.nan, 5), (1, math.inf)):
        with pytest.raises(RequestError):
            interval(k, n)
    for level in (0.0, 1.0, 95, -0.1):
        with pytest.raises(RequestError):
            interval(1, 5, level)


def test_exact_coverage():
    """Coverage is a sum of binomial probabilities, so nothing is simulated."""
    n = 50
    k = np.arange(n + 1)
    grid = np.linspace(0.001, 0.999, 999)
    pmf = stats.binom.pmf(k, n, grid[:, None])
    coverage = {}
    for method in ("wilson", "clopper_pearson"):
        limits = np.array([getattr(intervals, method)(int(i), n) for i in k])
        covered = (limits[:, 0] <= grid[:, None]) & (grid[:, None] <= limits[:, 1])
        coverage[method] = (pmf * covered).sum(axis=1)
    assert coverage["clopper_pearson"].min() >= 0.95
    middle = (grid > 0.1) & (grid < 0.9)
    assert coverage["wilson"][middle].mean() == pytest.approx(0.95, abs=0.005)
    assert coverage["wilson"][middle].min() > 0.92


def test_paired_difference_inverts_its_score_test():
    for b, c, n in ((12, 2, 50), (0, 3, 30), (200, 150, 1000), (1, 0, 3)):
        low, high = intervals.paired_difference(b, c, n)
        for limit, sign in ((low, 1), (high, -1)):
            if abs(limit) == 1.0:
                continue
            linear = (2 * n - b + c) * limit - b - c
            q = (math.sqrt(linear**2 + 8 * n * c * limit * (1 - limit)) - linear) / (4 * n)
            score = (b - c - n * limit) / math.sqrt(n * (2 * q + limit * (1 - limit)))
            assert score == pytest.approx(sign * 1.959963984540054, rel=1e-6)


def test_paired_difference_at_its_edges():
    z2 = 1.959963984540054**2
    assert intervals.paired_difference(0, 0, 20) == pytest.approx((-z2 / (20 + z2), z2 / (20 + z2)))
    assert intervals.paired_difference(0, 0, 0) == (-1.0, 1.0)
    assert intervals.paired_difference(20, 0, 20).high == 1.0
    b, c, n = 52_000, 51_000, 1_000_000
    se = math.sqrt(b + c - (b - c) ** 2 / n) / n
    low, high = intervals.paired_difference(b, c, n)
    assert (low, high) == pytest.approx((0.001 - 1.96 * se, 0.001 + 1.96 * se), abs=1e-6)
    with pytest.raises(RequestError):
        intervals.paired_difference(3, 3, 5)


def test_mcnemar_is_the_binomial_test():
    assert intervals.mcnemar_exact(0, 0) == 1.0
    for b, c in ((12, 2), (2, 12), (5, 5), (0, 1), (0, 30), (510, 480)):
        assert intervals.mcnemar_exact(b, c) == pytest.approx(stats.binomtest(b, b + c).pvalue, rel=1e-9)


def test_dkw_as_published():
    assert round(intervals.dkw(10_000), 6) == 0.013581
    assert intervals.dkw(0) == 1.0
    band = intervals.cdf_band([0, 10, 5])
    assert band.high[-1] == 1.0
    assert np.all(band.low <= np.array([0, 10 / 15, 1]))


def test_simultaneous_pmf_is_wilson_at_a_share_of_alpha():
    counts = [0, 3, 17, 80]
    low, high = intervals.simultaneous_pmf(counts)
    for i, k in enumerate(counts):
        assert (low[i], high[i]) == pytest.approx(intervals.wilson(k, 100, 1 - 0.05 / 4))
    empty = intervals.simultaneous_pmf(np.zeros((2, 3)))
    assert empty.low.shape == (2, 3)
    assert np.all(empty.high == 1.0)


def test_histogram_mean_is_normal_with_plenty_of_data():
    values, counts = np.array([-1.0, 0.0, 2.0]), np.array([3000, 1000, 4000])
    data = np.repeat(values, counts)
    estimate = intervals.mean_estimate(values, counts)
    half = 1.959963984540054 * data.std(ddof=1) / math.sqrt(data.size)
    assert estimate.method == "normal"
    assert (estimate.low, estimate.high) == pytest.approx((data.mean() - half, data.mean() + half), rel=1e-12)


def test_histogram_mean_has_no_float_drift():
    """Many counts and a mean far from 0 would lose the variance in floating point."""
    n = 2**42
    estimate = intervals.mean_estimate([10**6, 10**6 + 1], [n, n])
    assert estimate.value == 10**6 + 0.5
    assert estimate.high - estimate.low == pytest.approx(2 * 1.96 * 0.5 / math.sqrt(2 * n), rel=1e-3)


@pytest.mark.parametrize("counts", [[0, 1, 0], [1, 0, 0], [0, 0, 3], [0, 999, 0], [0, 10**6, 0], [1, 10**6, 1]])
def test_histogram_mean_never_claims_certainty(counts):
    estimate = intervals.mean_estimate([-3, 0, 3], counts)
    assert estimate.method == "betting"
    assert -3 <= estimate.low < estimate.value or estimate.value == -3 == estimate.low
    assert estimate.low < estimate.high


def test_histogram_mean_without_data_or_sense():
    assert intervals.histogram_mean([-3, 3], [0, 0]) == (-3.0, 3.0)
    for values, counts in (([1], [5]), ([], []), ([1, 2], [1]), ([1, math.nan], [1, 1]), ([1, 2], [1, -1]),
                           ([1, 2], [0.5, 1]), ([1, 2], [2**63, 1])):
        with pytest.raises(RequestError):
            intervals.histogram_mean(values, counts)
    with pytest.raises(RequestError, match="outside the bounds"):
        intervals.histogram_mean([0, 5], [1, 1], low=0, high=3)


@given(st.lists(st.tuples(st.integers(-6, 6), st.integers(0, 3000)), min_size=1, max_size=12),
       st.sampled_from([0.5, 0.95, 0.999]))
def test_histogram_mean_is_always_a_sensible_interval(cells, level):
    values, counts = zip(*cells, strict=True)
    estimate = intervals.mean_estimate(values, counts, level, low=-6, high=6)
    assert -6 <= estimate.low <= estimate.value <= estimate.high <= 6
    assert estimate.low < estimate.high
    assert estimate.n == sum(counts)


def test_fieller_agrees_with_its_equation_and_the_delta_method():
    rng = np.random.default_rng(3)
    counts = rng.integers(1000, 2000, size=(4, 5))
    y, x = np.meshgrid(np.arange(5.0), np.arange(1.0, 5.0))
    n = counts.sum()
    estimate = intervals.ratio_estimate(y, x, counts)
    rest = y - estimate.value * x
    se = math.sqrt((counts * rest**2).sum() / n / n) / ((counts * x).sum() / n)
    assert estimate.value == pytest.approx((counts * y).sum() / (counts * x).sum())
    assert estimate.low == pytest.approx(estimate.value - 1.96 * se, abs=0.05 * se)
    assert estimate.high == pytest.approx(estimate.value + 1.96 * se, abs=0.05 * se)
    for limit in intervals.ratio(y, x, counts):
        rest = y - limit * x
        mean = (counts * rest).sum() / n
        variance = (counts * (rest - mean) ** 2).sum() / n / (n - 1)
        assert mean**2 == pytest.approx(1.959963984540054**2 * variance, rel=1e-9)


def test_ratios_with_little_to_go_by():
    assert intervals.ratio([0, 1], [1, 1], [0, 0]) == (0.0, 1.0)
    assert intervals.ratio([0, 0], [0, 0], [4, 0]) == (-math.inf, math.inf)
    low, high = intervals.ratio([0, 1], [1, 1], [0, 5])
    assert 0.0 < low < high == 1.0
    low, high = intervals.ratio([0, 1, 1], [1, 1, 0], [3, 5, 0])
    assert low < 0.625 < high < math.inf
    with pytest.raises(RequestError):
        intervals.ratio([1], [-1], [5])
    with pytest.raises(RequestError):
        intervals.ratio([1, 2], [1], [5])
