"""Many comparisons: adjusted p-values, simultaneous intervals, racing, factorial studies."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from schneider_sim.errors import RequestError
from schneider_sim.stats import factorial, multiple, racing

PUBLISHED = (0.01, 0.04, 0.03, 0.005)


@pytest.mark.parametrize("method, expected", [
    ("holm", (0.03, 0.06, 0.06, 0.02)), ("benjamini_hochberg", (0.02, 0.04, 0.04, 0.02)),
    ("benjamini_yekutieli", (0.041667, 0.083333, 0.083333, 0.041667)), ("bonferroni", (0.04, 0.16, 0.12, 0.02)),
])
def test_adjusted_p_values_as_published(method, expected):
    assert getattr(multiple, method)(PUBLISHED) == pytest.approx(expected, abs=5e-7)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(max_examples=25, deadline=None)
def test_adjusted_p_values_agree_with_statsmodels(p):
    from statsmodels.stats.multitest import multipletests

    for ours, theirs in (("holm", "holm"), ("benjamini_hochberg", "fdr_bh"), ("benjamini_yekutieli", "fdr_by"),
                         ("bonferroni", "bonferroni")):
        adjusted = getattr(multiple, ours)(p)
        assert adjusted == pytest.approx(multipletests(p, method=theirs)[1], abs=1e-12)
        assert np.all(adjusted >= np.array(p) * (1 - 1e-12))


def test_impossible_p_values():
    for p in ([1.2], [-0.1], [math.nan]):
        with pytest.raises(RequestError):
            multiple.holm(p)
    assert multiple.holm([]).size == 0


@pytest.mark.parametrize("groups, expected", [(3, 2.34370), (5, 2.72777), (8, 3.03088), (10, 3.16368)])
def test_tukey_quantiles_as_published(groups, expected):
    contrasts = multiple.pairwise_contrasts(groups)
    correlation = contrasts @ contrasts.T / 2
    assert round(multiple.max_t_quantile(correlation), 5) == expected
    flip = np.diag([-1.0] + [1.0] * (len(correlation) - 1))
    assert multiple.max_t_quantile(flip @ correlation @ flip) == pytest.approx(expected, abs=0.0015), "general method"


def test_known_laws_of_the_largest_t():
    assert multiple.max_t_quantile([[1.0]]) == pytest.approx(1.959963984540054)
    assert multiple.max_t_quantile(np.ones((5, 5))) == pytest.approx(1.959963984540054, abs=1e-6)
    sidak = -stats.norm.ppf((1 - 0.95 ** (1 / 6)) / 2)
    assert multiple.max_t_quantile(np.eye(6)) == pytest.approx(sidak)
    rho = 0.5
    shared = np.full((4, 4), rho) + (1 - rho) * np.eye(4)
    law = stats.multivariate_normal(np.zeros(4), shared, seed=1)
    c = multiple.max_t_quantile(shared)
    assert law.cdf(np.full(4, c), lower_limit=np.full(4, -c)) == pytest.approx(0.95, abs=3e-4)
    assert multiple.max_t_quantile(shared) == c, "the same in every call"


def test_simultaneous_intervals_and_p_values_agree():
    rng = np.random.default_rng(2)
    factor = rng.standard_normal((4, 4))
    covariance = factor @ factor.T * 1e-4
    found = multiple.max_t([0.05, -0.01, 0.0, 0.2], covariance)
    assert found.high - found.low == pytest.approx(2 * found.critical * np.sqrt(np.diag(covariance)))
    outside = (found.low > 0) | (found.high < 0)
    assert np.array_equal(outside, found.p_values < 0.05)
    assert 1.96 < found.critical < -stats.norm.ppf(0.05 / 8)


def test_an_estimate_without_variance_needs_its_pairs():
    covariance = np.diag([1e-4, 0.0])
    with pytest.raises(RequestError, match="n= and the bounds"):
        multiple.max_t([0.1, 0.0], covariance)
    found = multiple.max_t([0.1, 0.0], covariance, n=5000, low=-3, high=3)
    assert -0.02 < found.low[1] < 0.0 < found.high[1] < 0.02
    assert found.p_values[1] == 1.0


def test_covariance_from_chunks():
    rng = np.random.default_rng(6)
    factor = np.array([[1.0, 0.0], [0.8, 0.6]])
    data = rng.standard_normal((40_000, 2)) @ factor.T + [0.1, 0.2]
    cuts = np.sort(rng.choice(np.arange(1, 40_000), 399, replace=False))
    sums = np.array([part.sum(axis=0) for part in np.split(data, cuts)])
    sizes = np.array([len(part) for part in np.split(data, cuts)])
    found = multiple.from_chunks(sums, sizes)
    assert found.estimates == pytest.approx(data.mean(axis=0))
    assert found.covariance * 40_000 == pytest.approx(factor @ factor.T, rel=0.25)
    again = multiple.with_errors(found.covariance, [0.01, 0.02])
    assert np.sqrt(np.diag(again)) == pytest.approx([0.01, 0.02])
    assert again[0, 1] / 2e-4 == pytest.approx(found.covariance[0, 1] / np.sqrt(np.prod(np.diag(found.covariance))))
    identical = multiple.from_chunks(np.zeros((200, 2)), 100)
    assert np.all(identical.covariance == 0.0)
    for bad in (np.zeros((1, 2)), np.zeros(5)):
        with pytest.raises(RequestError):
            multiple.from_chunks(bad, 100)


def familywise_error(runs, seed, chunks=200):
    """Share of null tournaments of five policies in which some max-T interval, from chunk sums, excludes 0.

    Deal by deal each policy has luck of its own, so that match-ups on common deals are correlated.
    """
    rng = np.random.default_rng(seed)
    contrasts = multiple.pairwise_contrasts(5)
    wrong = 0
    for _ in range(runs):
        luck = rng.standard_normal((chunks, 5)) * [0.5, 1.0, 1.0, 1.5, 2.0]
        sums = luck @ contrasts.T + 0.5 * rng.standard_normal((chunks, len(contrasts)))
        estimates, covariance, _ = multiple.from_chunks(sums, 1)
        found = multiple.max_t(estimates, covariance)
        wrong += bool(np.any((found.low > 0) | (found.high < 0)))
    return wrong / runs


@pytest.mark.slow
def test_familywise_error_of_simultaneous_intervals():
    error = familywise_error(4000, seed=9, chunks=400)
    print(f"familywise error {error:.4f}")
    assert abs(error - 0.05) <= 0.01


def test_familywise_error_on_a_small_scale():
    assert familywise_error(30, seed=10) <= 0.2


def test_anytime_radius_is_the_published_multiple_of_the_fixed_interval():
    for n, ratio in ((1000, 1.97), (10_000, 1.55), (100_000, 1.65)):
        radius = float(racing.anytime_radius(1.0, n, 10_000, 0.05))
        assert radius * math.sqrt(n) / 1.96 == pytest.approx(ratio, abs=0.01)


def test_separation_says_what_is_known():
    covariance = np.diag([1e-6, 1e-6, 1e-6, 1e-6])
    found = racing.separation([0.0, 0.3, 0.299, -0.2], covariance, n=10_000)
    assert found.order.tolist() == [1, 2, 0, 3]
    assert found.tied.tolist() == [True, False, False]
    assert found.contenders.tolist() == [False, True, True, False]
    assert found.undecided.tolist() == [False, True, True, False]
    close = racing.separation([0.0, 0.3, 0.299, -0.2], covariance, n=10_000, margin=0.05)
    assert close.tied[0]
    assert not close.undecided.any()


def test_equal_policies_do_not_race_for_ever():
    joint = np.array([[1.0, 1.0], [1.0, 1.0]]) * 1e-6
    found = racing.separation([0.1, 0.1], joint, n=5000)
    assert found.tied.tolist() == [True]
    assert not found.undecided.any()
    assert racing.separation([0.1], [[1e-6]], n=10).contenders.tolist() == [True]


def race(arms, seed, margin=0.0, best_only=False, noise=1.0, shared=1.0, look=500, longest=100_000):
    """Play on until separation says stop; the last look, and whether any look claimed something false."""
    rng = np.random.default_rng(seed)
    true = np.array(arms)
    sums = []
    false = False
    n = 0
    while True:
        parts = shared * rng.standard_normal((look // 50, 1)) + noise * rng.standard_normal((look // 50, true.size))
        sums.extend(50 * true + parts * math.sqrt(50))
        n += look
        if n < 2000:
            continue
        estimates, covariance, _ = multiple.from_chunks(sums, 50)
        found = racing.separation(estimates, covariance, n, n_best=20_000, margin=margin)
        difference = true[:, None] - true[None, :]
        false |= bool(np.any((difference < found.low - 1e-12) | (difference > found.high + 1e-12)))
        done = found.contenders.sum() == 1 if best_only else not found.undecided.any()
        if done or n >= longest:
            return found, n, false


def test_racing_finds_the_order_and_stops():
    found, n, false = race([0.0, 0.3, -0.2, 0.6], seed=1)
    assert found.order.tolist() == [3, 1, 0, 2]
    assert not found.tied.any()
    assert n < 20_000
    assert not false


@pytest.mark.slow
def test_racing_claims_nothing_false():
    runs, wrong = 300, 0
    for seed in range(runs):
        _, _, false = race([0.0, 0.0, 0.02, 0.05, 0.05], seed, longest=30_000)
        wrong += false
    print(f"racing: some claim false in {wrong / runs:.3f} of the races")
    assert wrong / runs <= 0.05


@pytest.mark.slow
def test_racing_to_the_best_is_cheaper_on_common_deals():
    arms = np.concatenate([[0.05], np.zeros(7)])
    common = [race(arms, s, noise=0.5, shared=1.0, best_only=True)[1] for s in range(30)]
    separate = [race(arms, s, noise=math.sqrt(1.25), shared=0.0, best_only=True)[1] for s in range(30)]
    print(f"racing to the best of 8: {np.mean(common):.0f} pairs each on common deals, {np.mean(separate):.0f} on own")
    assert np.mean(separate) > 3 * np.mean(common)


def test_factorial_recovers_rows_columns_and_interaction():
    rows, columns = np.array([0.3, 0.0, -0.3]), np.array([0.1, -0.1])
    interaction = np.array([[0.05, -0.05], [0.0, 0.0], [-0.05, 0.05]])
    cells = 0.2 + rows[:, None] + columns[None, :] + interaction
    found = factorial.effects(cells, np.eye(6) * 1e-6)
    assert found.mean == pytest.approx(0.2)
    assert found.rows.estimates == pytest.approx(rows)
    assert found.columns.estimates == pytest.approx(columns)
    assert found.interaction.estimates == pytest.approx(interaction.ravel())
    squares = np.array([2 * (rows**2).sum(), 3 * (columns**2).sum(), (interaction**2).sum()])
    assert found.shares == pytest.approx(squares / squares.sum(), rel=1e-3)
    assert np.all(found.rows.low <= rows)
    assert np.all(rows <= found.rows.high)


def test_factorial_without_effects_or_sense():
    rng = np.random.default_rng(4)
    noise = 0.01 * rng.standard_normal((4, 3))
    found = factorial.effects(noise, np.eye(12) * 1e-4)
    for part in (found.rows, found.columns, found.interaction):
        assert np.all(part.p_values > 0.01)
    with pytest.raises(RequestError):
        factorial.effects(np.zeros((1, 3)), np.eye(3))
    with pytest.raises(RequestError, match="no variance"):
        factorial.effects(np.zeros((2, 2)), np.zeros((4, 4)))
    with pytest.raises(RequestError):
        factorial.effects(np.zeros((2, 2)), np.eye(3))
