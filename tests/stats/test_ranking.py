"""Rankings: closed forms, published equilibria and ratings, and degenerate tournaments."""

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schneider_sim.errors import RequestError
from schneider_sim.stats import ranking

ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])


def antisymmetric_matrices(largest=8):
    """Small antisymmetric matrices of small whole numbers, so that ties and equal rows abound."""
    return st.integers(1, largest).flatmap(
        lambda k: st.lists(st.integers(-2, 2), min_size=k * k, max_size=k * k)
        .map(lambda cells: np.triu(np.array(cells, dtype=float).reshape(k, k), 1))
        .map(lambda upper: upper - upper.T))


def test_hodge_of_a_cycle_and_of_an_order():
    cycle = ranking.hodge(ROCK_PAPER_SCISSORS)
    assert (cycle.transitive_share, cycle.cyclic_share) == (0.0, 1.0)
    x = np.array([1.0, 2.5, -0.5, 7.0])
    order = ranking.hodge(x[:, None] - x[None, :])
    assert order.transitive_share == pytest.approx(1.0)
    assert order.ratings == pytest.approx(x - x.mean())


@given(antisymmetric_matrices())
def test_hodge_is_pythagoras(matrix):
    split = ranking.hodge(matrix)
    assert split.transitive + split.cyclic == pytest.approx(matrix, abs=1e-12)
    squares = [float(np.sum(part**2)) for part in (matrix, split.transitive, split.cyclic)]
    assert squares[0] == pytest.approx(squares[1] + squares[2], abs=1e-12 * max(1.0, squares[0]))
    assert split.transitive_share + split.cyclic_share == pytest.approx(1.0)


def test_hodge_noise_floor_is_what_noise_gives():
    rng = np.random.default_rng(1)
    x = np.linspace(-0.5, 0.5, 6)
    errors = np.abs(rng.normal(0.03, 0.01, (6, 6)))
    errors = np.triu(errors, 1) + np.triu(errors, 1).T
    shares, floors, nets, chances = [], [], [], []
    for _ in range(300):
        noise = np.triu(rng.standard_normal((6, 6)) * errors, 1)
        split = ranking.hodge(x[:, None] - x[None, :] + noise - noise.T, errors, draws=200)
        shares.append(split.cyclic_share)
        floors.append(split.noise_floor)
        nets.append(split.cyclic_net)
        chances.append(split.cyclic_p)
    assert np.mean(shares) == pytest.approx(np.mean(floors), rel=0.05)
    assert np.mean(nets) < np.mean(shares) / 2
    assert np.mean(np.array(chances) < 0.05) == pytest.approx(0.05, abs=0.04)
    assert ranking.hodge(ROCK_PAPER_SCISSORS, np.full((3, 3), 0.1)).cyclic_p < 0.01


def test_hodge_of_nothing():
    nothing = ranking.hodge(np.zeros((3, 3)), np.zeros((3, 3)))
    assert (nothing.transitive_share, nothing.cyclic_share, nothing.noise_floor) == (1.0, 0.0, 0.0)
    for bad in ([[0.0, 1.0], [1.0, 0.0]], [[0.0, 1.0]], [[0.0, math.nan], [0.0, 0.0]], [[0.0, 1.0], [-1.0, 0.5]]):
        with pytest.raises(RequestError):
            ranking.hodge(np.array(bad))
    with pytest.raises(RequestError):
        ranking.hodge(ROCK_PAPER_SCISSORS, -np.ones((3, 3)))


@pytest.mark.parametrize("matrix, weights, values", [
    ([[0, -1, -1], [1, 0, -1], [1, 1, 0]], (0, 0, 1), (-1, -1, 0)), (ROCK_PAPER_SCISSORS, (1 / 3,) * 3, (0, 0, 0)),
    ([[0, 234, 34, -270], [-234, 0, -38, -464], [-34, 38, 0, -270], [270, 464, 270, 0]], (0, 0, 0, 1),
     (-270, -464, -270, 0)),
    ([[0, 1, -2], [-1, 0, 3], [2, -3, 0]], (1 / 2, 1 / 3, 1 / 6), (0, 0, 0)),
    (np.zeros((4, 4)), (1 / 4,) * 4, (0,) * 4), ([[0, 0, 1], [0, 0, 1], [-1, -1, 0]], (1 / 2, 1 / 2, 0), (0, 0, -1)),
    ([[0]], (1,), (0,)), ([[0, 1, -1, -1], [-1, 0, 1, 1], [1, -1, 0, 0], [1, -1, 0, 0]], (1 / 3, 1 / 3, 1 / 6, 1 / 6),
                          (0,) * 4),
])
def test_equilibria_as_published_or_by_symmetry(matrix, weights, values):
    found = ranking.nash(matrix)
    assert found.weights == pytest.approx(weights, abs=1e-8)
    assert found.values == pytest.approx(values, abs=1e-6)
    assert found.columns == pytest.approx(found.weights, abs=1e-8)
    assert found.value == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("a, b, c", [(1, 2, 3), (0.01, 0.5, 2), (1e-9, 2e-9, 3e-9), (1e6, 1, 1)])
def test_a_cycle_of_unequal_strengths(a, b, c):
    found = ranking.nash([[0, a, -b], [-a, 0, c], [b, -c, 0]])
    assert found.weights == pytest.approx(np.array([c, b, a]) / (a + b + c), abs=1e-6)


@given(antisymmetric_matrices(5))
@settings(max_examples=40, deadline=None)
def test_equilibrium_is_one_treats_equals_equally_and_has_most_entropy(matrix):
    found = ranking.nash(matrix)
    weights = found.weights
    assert weights.min() >= 0.0
    assert weights.sum() == pytest.approx(1.0)
    assert (weights @ matrix).min() >= -1e-8, "nobody beats it"
    for i, j in itertools.combinations(range(len(matrix)), 2):
        if np.array_equal(matrix[i], matrix[j]):
            assert weights[i] == pytest.approx(weights[j], abs=1e-7)
    entropy = -np.sum(weights[weights > 0] * np.log(weights[weights > 0]))
    for other in vertices(matrix):
        for share in (0.01, 0.5):
            mixed = (1 - share) * weights + share * other
            mixed = mixed[mixed > 0]
            assert -np.sum(mixed * np.log(mixed)) <= entropy + 1e-7


def vertices(matrix):
    """Equilibria that a second program finds (by support enumeration, which may miss some and warn of it)."""
    import nashpy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [row for row, _ in nashpy.Game(matrix).support_enumeration() if (row @ matrix).min() >= -1e-9]


@pytest.mark.parametrize("seed", range(8))
def test_equilibrium_of_sparse_tournaments(seed):
    """Many zeros make many equilibria, and bounds that matter for the one of largest entropy."""
    rng = np.random.default_rng(seed)
    for _ in range(20):
        k = int(rng.integers(2, 11))
        upper = np.triu(rng.standard_normal((k, k)) * (rng.random((k, k)) < rng.random()), 1)
        found = ranking.nash(upper - upper.T)
        assert found.weights.min() >= 0.0
        assert (found.weights @ (upper - upper.T)).min() >= -1e-9
        assert found.weights == pytest.approx(found.columns, abs=1e-6)


def test_equilibrium_held_by_a_bound():
    """Two policies tie with each other; a third would profit were they mixed evenly, so they are not."""
    matrix = np.array([[0.0, 0.0, -0.4761], [0.0, 0.0, 0.1155], [0.4761, -0.1155, 0.0]])
    found = ranking.nash(matrix)
    share = 0.1155 / (0.4761 + 0.1155)
    assert found.weights == pytest.approx([share, 1 - share, 0.0], abs=1e-9)


def test_equilibrium_of_a_game_that_is_no_tournament():
    found = ranking.nash([[1, 2], [3, 0]])
    assert [*found.weights, *found.columns, found.value] == pytest.approx([0.75, 0.25, 0.5, 0.5, 1.5])
    assert ranking.nash([[1.0, 3.0, 2.0]]).columns == pytest.approx([1.0, 0.0, 0.0])
    for bad in ([], [[math.inf]], [1.0]):
        with pytest.raises(RequestError):
            ranking.nash(bad)


def test_support_frequency_tells_firm_weights_from_accidents():
    matrix = np.array([[0.0, 0.3, 0.002], [-0.3, 0.0, -0.3], [-0.002, 0.3, 0.0]])
    errors = np.full((3, 3), 0.01)
    often = ranking.support_frequency(matrix, errors, draws=100, seed=3)
    assert often[1] == 0.0
    assert 0.3 < often[0] < 0.8
    assert often[0] + often[2] == pytest.approx(1.0)
    assert np.array_equal(often, ranking.support_frequency(matrix, errors, draws=100, seed=3))
    assert np.all(ranking.support_frequency(ROCK_PAPER_SCISSORS, errors, draws=20) == 1.0)


def expected_results(theta, nu, gamma, first):
    """Expected counts of 1000 plays for every ordered pair."""
    strength = np.exp(theta)
    k = len(theta)
    wins, ties, losses = np.zeros((3, k, k))
    for i, j in itertools.permutations(range(k), 2):
        a, b = strength[i] * (gamma if first else 1.0), strength[j]
        tie = nu * math.sqrt(a * b)
        wins[i, j], ties[i, j], losses[i, j] = (1000 * x / (a + b + tie) for x in (a, tie, b))
    return wins, ties, losses


THETA = np.array([0.0, 0.4, -0.3, 1.0])


def test_davidson_returns_the_parameters_of_expected_counts():
    wins, ties, losses = expected_results(THETA, 0.35, 1.3, True)
    found = ranking.davidson(wins, ties, losses)
    assert found.ratings == pytest.approx(THETA - THETA.mean(), abs=1e-7)
    assert (found.ties, found.first_leader) == pytest.approx((0.35, 1.3), abs=1e-7)
    assert found.elo == pytest.approx(found.ratings * 173.71779276130073)
    wins, ties, _ = expected_results(THETA, 0.35, 1.0, False)
    found = ranking.davidson(wins, (ties + ties.T) / 2)
    assert found.ratings == pytest.approx(THETA - THETA.mean(), abs=1e-7)
    assert found.first_leader == 1.0
    assert not found.penalised


@pytest.mark.parametrize("seed", range(5))
def test_davidson_orders_a_balanced_round_robin_by_points(seed):
    rng = np.random.default_rng(seed)
    k = 6
    wins, ties = np.zeros((2, k, k))
    for i, j in itertools.combinations(range(k), 2):
        wins[i, j], ties[i, j], wins[j, i] = rng.multinomial(40, rng.dirichlet([2, 1, 2]))
        ties[j, i] = ties[i, j]
    points = 2 * wins.sum(axis=1) + ties.sum(axis=1)
    ratings = ranking.davidson(wins, ties).ratings
    assert np.argsort(ratings).tolist() == np.lexsort((ratings, points)).tolist()
    strength, nu = np.exp(ratings), ranking.davidson(wins, ties).ties
    tie = nu * np.sqrt(np.outer(strength, strength))
    total = strength[:, None] + strength[None, :] + tie
    fitted = 40 * ((strength[:, None] + tie / 2) / total * (1 - np.eye(k))).sum(axis=1)
    assert fitted == pytest.approx(points / 2, rel=1e-9), "likelihood equations"


def test_davidson_without_ties_is_bradley_terry():
    import choix

    rng = np.random.default_rng(3)
    wins = rng.integers(1, 20, (5, 5)) * (1 - np.eye(5, dtype=int))
    data = [(i, j) for i in range(5) for j in range(5) for _ in range(wins[i, j])]
    found = ranking.davidson(wins, np.zeros((5, 5)))
    assert found.ratings == pytest.approx(choix.ilsr_pairwise(5, data), abs=1e-6)
    assert found.ties == 0.0


def test_davidson_standard_errors_are_the_spread_of_estimates():
    rng = np.random.default_rng(8)
    wins, ties, losses = expected_results(THETA, 0.35, 1.3, True)
    estimates = []
    for _ in range(200):
        draw = np.zeros((3, 4, 4))
        for i, j in itertools.permutations(range(4), 2):
            p = np.array([wins[i, j], ties[i, j], losses[i, j]]) / 1000
            draw[:, i, j] = rng.multinomial(1000, p)
        estimates.append(ranking.davidson(*draw).ratings)
    found = ranking.davidson(wins, ties, losses)
    assert np.std(estimates, axis=0) == pytest.approx(found.standard_errors, rel=0.2)


@pytest.mark.parametrize("wins, ties, losses", [
    ([[0, 5], [0, 0]], [[0, 0], [0, 0]], None), ([[0, 0], [0, 0]], [[0, 5], [5, 0]], None),
    ([[0, 10], [10, 0]], np.zeros((2, 2)), np.zeros((2, 2))),
    ([[0, 3, 0], [2, 0, 0], [0, 0, 0]], np.zeros((3, 3)), None),
])
def test_davidson_where_no_finite_ratings_exist(wins, ties, losses):
    found = ranking.davidson(wins, ties, losses)
    assert found.penalised
    assert np.all(np.isfinite(found.ratings))
    assert np.all(np.isfinite(found.standard_errors))
    assert math.isfinite(found.ties)
    assert math.isfinite(found.first_leader)


def test_davidson_without_sense():
    for wins, ties, losses in ((np.zeros((2, 2)), np.zeros((2, 2)), None), ([[0, 1], [0, 0]], [[0, 1], [0, 0]], None),
                               ([[0, -1], [0, 0]], np.zeros((2, 2)), None), (np.ones((2, 3)), np.ones((2, 3)), None),
                               ([[3, 1], [1, 0]], np.zeros((2, 2)), None)):
        with pytest.raises(RequestError):
            ranking.davidson(wins, ties, losses)


def test_alpha_rank_as_published():
    """Payoffs of Han et al. (2013) as in the test of the first implementation."""
    r, t, p, s, delta, eps = 1.0, 2.0, 0.0, -1.0, 4.0, 0.25
    payoffs = [[r - eps / 2, r - eps, 0, s + delta - eps, r - eps], [r, r, s, s, s], [0, t, p, p, p],
               [t - delta, t, p, p, p], [r, t, p, p, p]]
    expected = [0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039]
    assert np.round(ranking.alpha_rank(payoffs, alpha=0.1, population=20), 8).tolist() == expected


def test_alpha_rank_closed_form_of_a_constant_sum_game():
    matrix = np.array([[0.0, 0.3, -0.1], [-0.3, 0.0, 0.2], [0.1, -0.2, 0.0]])
    m, alpha = 20, 1.5
    u = alpha * m / (m - 1) * matrix
    rates = np.where(u.T == 0, 1 / m, np.expm1(-u.T) / np.where(u.T == 0, 1.0, np.expm1(-m * u.T)))
    chain = rates / 2 * (1 - np.eye(3))
    chain += np.diag(1 - chain.sum(axis=1))
    stationary = np.linalg.matrix_power(chain, 100_000)[0]
    assert ranking.alpha_rank(matrix, alpha, m) == pytest.approx(stationary, rel=1e-9)


@pytest.mark.parametrize("alpha", [0.0, 1.0, 100.0, 1e5, 1e12, 1e300])
def test_alpha_rank_at_any_alpha(alpha):
    assert ranking.alpha_rank(ROCK_PAPER_SCISSORS, alpha) == pytest.approx([1 / 3] * 3)
    assert ranking.alpha_rank(np.zeros((4, 4)), alpha) == pytest.approx([1 / 4] * 4)
    order = ranking.alpha_rank([[0, -1, -1], [1, 0, -1], [1, 1, 0]], alpha)
    assert order.sum() == pytest.approx(1.0)
    if alpha >= 100:
        assert order == pytest.approx([0, 0, 1])
    twins = ranking.alpha_rank([[0, 0, 1], [0, 0, 1], [-1, -1, 0]], alpha)
    assert twins[0] == pytest.approx(twins[1])
    assert ranking.alpha_rank([[0.0]], alpha).tolist() == [1.0]


def test_alpha_rank_without_sense():
    for matrix, alpha, population in (([[0, 1]], 1, 50), ([[math.nan]], 1, 50), ([[0]], -1, 50), ([[0]], 1, 1)):
        with pytest.raises(RequestError):
            ranking.alpha_rank(matrix, alpha, population)
