"""Sessions and matches: closed forms, symmetry, brute force, and intervals that follow from the counts."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from schneider_sim.errors import RequestError
from schneider_sim.stats import chains, paired, session_estimates, sessions
from schneider_sim.stats.chains import Law

FIRST = {-3: 1, -2: 5, -1: 30, 0: 11, 1: 40, 2: 10, 3: 3}
SECOND = {-3: 2, -2: 9, -1: 38, 0: 11, 1: 31, 2: 4, 3: 1}


@pytest.mark.parametrize("p, expected", [(0.52, 0.608648841), (0.55, 0.755203724), (0.60, 0.918123459)])
def test_race_at_one_point_a_deal_as_published(p, expected):
    race = sessions.race_to(24, {1: p, -1: 1 - p})
    assert round(race.win, 9) == expected
    assert race.win == pytest.approx(sum(math.comb(23 + k, k) * p**24 * (1 - p) ** k for k in range(24)), rel=1e-12)
    assert race.win + race.lose == pytest.approx(1.0, abs=1e-12), "either side may win"
    assert race.win_schneider == pytest.approx(p**24, rel=1e-12)
    assert race.lose == pytest.approx(sessions.race_to(24, {1: 1 - p, -1: p}).win, rel=1e-12)


def test_length_of_a_race_as_published():
    assert round(sessions.race_to(24, {1: 1, -1: 1}).deals, 9) == 42.500807870


def test_retourschneider_at_one_point_a_deal():
    """23:0 and then a loss: 23 points in a row, then 24 in a row for the others."""
    race = sessions.race_to(24, {1: 0.6, -1: 0.4})
    assert race.lose_retour == pytest.approx(0.6**23 * 0.4**24, rel=1e-9)
    assert race.win_retour == pytest.approx(0.4**23 * 0.6**24, rel=1e-9)
    comeback = sessions.race_to(3, {1: 0.6, -1: 0.4}, retour="comeback_from_zero")
    assert comeback.win_retour == pytest.approx((0.4 + 0.4**2) * 0.6**3, rel=1e-12)
    off = sessions.race_to(24, {1: 0.6, -1: 0.4}, retour="off")
    assert off.win_retour == off.lose_retour == 0.0
    assert off.win == pytest.approx(race.win)


def play_match(draw, target, retour, start):
    """One match, deal by deal, in plain Python: (points in Bummerl, deals)."""
    score, first, deals = [0, 0], start, 0
    reached, zero_run = [False, False], [False, False]
    while max(score) < target:
        value = draw(first)
        first, deals = 1 - first, deals + 1
        if value:
            side = 0 if value > 0 else 1
            score[side] += abs(value)
            zero_run[1 - side] = False
        for side in (0, 1):
            if score[side] == target - 1 and score[1 - side] == 0:
                reached[side] = True
            if score[side] == 0 and score[1 - side] > 0:
                zero_run[side] = True
    winner = 0 if score[0] >= target else 1
    special = reached[1 - winner] if retour == "exact_23_0" else zero_run[winner] and score[1 - winner] > 0
    weight = 4 if special else 2 if score[1 - winner] == 0 else 1
    return (weight if winner == 0 else -weight), deals


@pytest.mark.parametrize("retour", ["exact_23_0", "comeback_from_zero"])
def test_race_agrees_with_playing_it(retour):
    rng = np.random.default_rng(8)
    laws = [(np.array([-4, -1, 0, 1, 3]), np.array(p)) for p in ([0.1, 0.3, 0.1, 0.3, 0.2], [0.2, 0.4, 0.2, 0.1, 0.1])]
    expected = sessions.race_to(6, laws[0], laws[1], retour=retour)
    runs = 20_000
    cuts = [np.cumsum(p) for _, p in laws]

    def draw(first):
        return int(laws[first][0][np.searchsorted(cuts[first], rng.random())])

    played = [play_match(draw, 6, retour, i % 2) for i in range(runs)]
    results = np.array([r for r, _ in played])
    for value, probability in ((4, expected.win_retour), (2, expected.win_schneider), (-4, expected.lose_retour),
                               (-2, expected.lose_schneider)):
        assert abs((results == value).mean() - probability) < 4 * math.sqrt(probability / runs) + 1e-9
    assert (results > 0).mean() == pytest.approx(expected.win, abs=4 * 0.5 / math.sqrt(runs))
    assert results.mean() == pytest.approx(expected.balance, abs=4 * results.std() / math.sqrt(runs))
    assert np.mean([d for _, d in played]) == pytest.approx(expected.deals, rel=0.02)


def test_the_worked_matches():
    """Scores of the rules' worked examples: a shut-out is a Schneider, 23:0 lost a Retourschneider, 22:0 is not."""
    always = {24: 1}
    assert sessions.race_to(24, always).win_schneider == 1.0
    back = sessions.race_to(24, {23: 1}, {-24: 1})
    assert back.lose_retour == 0.5
    assert back.lose_schneider == 0.5, "B first leader in the first deal: 24 at once, A shut out"
    near = sessions.race_to(24, {22: 1}, {-24: 1})
    assert near.lose_retour == 0.0


def test_session_of_six_by_brute_force():
    total = [sum(law.values()) for law in (FIRST, SECOND)]
    win = draw = 0
    for one in itertools.combinations_with_replacement(FIRST, 3):
        for two in itertools.combinations_with_replacement(SECOND, 3):
            weight = 1
            for law, chosen in ((FIRST, one), (SECOND, two)):
                orders = math.factorial(3)
                for value in set(chosen):
                    orders //= math.factorial(chosen.count(value))
                weight *= orders * math.prod(law[v] for v in chosen)
            win += weight * (sum(one) + sum(two) > 0)
            draw += weight * (sum(one) + sum(two) == 0)
    outcome = sessions.session_of(FIRST, SECOND)
    assert outcome.win == win / (total[0] ** 3 * total[1] ** 3)
    assert outcome.draw == draw / (total[0] ** 3 * total[1] ** 3)
    assert outcome.win + outcome.draw + outcome.lose == pytest.approx(1.0, abs=1e-15)


def test_session_of_a_policy_against_itself_is_symmetric_to_the_last_digit():
    mirrored = {-v: w for v, w in FIRST.items()}
    outcome = sessions.session_of(FIRST, mirrored)
    assert outcome.win == outcome.lose


@pytest.mark.parametrize("form", [
    FIRST, (list(FIRST), list(FIRST.values())), list(FIRST.values()), np.array(list(FIRST.values())) / 100.0,
    (np.array(list(FIRST)), np.array(list(FIRST.values()))),
])
def test_laws_come_in_several_forms(form):
    assert sessions.session_of(form, SECOND) == pytest.approx(sessions.session_of(FIRST, SECOND), rel=1e-15)


@pytest.mark.parametrize("bad", [{}, {1: -1}, {0: 0}, {0.5: 1}, {1: math.nan}, ([1, 2], [1]), [1, 1]])
def test_impossible_laws(bad):
    with pytest.raises(RequestError):
        sessions.session_of(bad, SECOND)


def play_session(draw, kind, number, tie, start):
    """One session of Bohemian Schneider, deal by deal, in plain Python: (sign of the result, deals that count)."""
    score, first, deals, carried = [0, 0], start, 0, 0
    while max(score) < number if kind == "target" else deals < number:
        value = draw(first)
        if value == 0 and tie == "redeal":
            continue
        if value == 0:
            carried = int(tie == "carry")
        else:
            score[0 if value > 0 else 1] += abs(value) + carried
            carried = 0
        first, deals = 1 - first, deals + 1
    return (score[0] > score[1]) - (score[0] < score[1]), deals


@pytest.mark.parametrize("session", ["deals-6", "deals-5", "target-7"])
@pytest.mark.parametrize("tie", sessions.TIES)
def test_sessions_agree_with_playing_them(session, tie):
    rng = np.random.default_rng(4)
    expected = sessions.bohemian_session(FIRST, SECOND, session, tie)
    cuts = [np.cumsum(list(law.values())) / sum(law.values()) for law in (FIRST, SECOND)]
    values = list(FIRST)
    kind, number = session.split("-")
    assert expected is not None
    runs = 6000

    def draw(first):
        return values[int(np.searchsorted(cuts[first], rng.random()))]

    played = [play_session(draw, kind, int(number), tie, i % 2) for i in range(runs)]
    results = np.array([r for r, _ in played])
    for sign, probability in ((1, expected.win), (0, expected.draw), (-1, expected.lose)):
        assert abs((results == sign).mean() - probability) <= 4 * math.sqrt(probability * (1 - probability) / runs)
    assert np.mean([d for _, d in played]) == pytest.approx(expected.deals, rel=0.03)


def test_sessions_of_the_standard_rules_are_the_convolution():
    assert sessions.bohemian_session(FIRST, SECOND) == pytest.approx(sessions.session_of(FIRST, SECOND), rel=1e-13)
    assert sessions.bohemian_session(FIRST, SECOND, "stakes") is None


def test_sessions_that_never_end():
    only_ties = {0: 1}
    for tie in sessions.TIES:
        assert sessions.bohemian_session(only_ties, only_ties, "deals-6", tie) == (0.0, 1.0, 0.0, 6.0)
        assert sessions.bohemian_session(only_ties, only_ties, "target-7", tie) == (0.0, 1.0, 0.0, math.inf)
    assert sessions.race_to(7, only_ties).draw == 1.0


def test_wrong_sessions():
    for session in ("deals-0", "target", "six", "deals--1", "deals-6.5"):
        with pytest.raises(RequestError):
            sessions.bohemian_session(FIRST, SECOND, session)
    with pytest.raises(RequestError):
        sessions.bohemian_session(FIRST, SECOND, tie="replay")
    with pytest.raises(RequestError):
        sessions.race_to(0, FIRST)
    with pytest.raises(RequestError):
        sessions.race_to(24, FIRST, retour="sometimes")


@pytest.mark.parametrize("kind, number", [("deals", 6), ("deals", 3), ("target", 7)])
@pytest.mark.parametrize("tie", sessions.TIES)
def test_derivatives_are_those_of_the_outcome(kind, number, tie):
    """Moving a little probability from one value to another changes the outcome as the derivatives say."""
    law = sessions.law_of(FIRST, SECOND)
    solved = sessions.solve_session(law, kind, number, tie)
    step = 1e-6
    for i, j in ((0, 3), (3, 5), (6, 4)):
        move = np.zeros(7)
        move[i], move[j] = -step, step
        for moved, by in ((Law(law.values, law.first + move, law.second), solved.by_first),
                          (Law(law.values, law.first, law.second + move), solved.by_second)):
            change = (sessions.solve_session(moved, kind, number, tie).outcomes - solved.outcomes) / step
            assert change == pytest.approx(by[:, j] - by[:, i], rel=1e-4, abs=1e-6)


def test_derivatives_of_a_match():
    law = sessions.law_of({-2: 0.2, -1: 0.3, 1: 0.3, 3: 0.2}, {-2: 0.3, -1: 0.3, 1: 0.3, 3: 0.1})
    solved = sessions.solve_race(law, 9, "no_score", "comeback_from_zero")
    moved = law.first.copy()
    moved[0] -= 1e-6
    moved[-1] += 1e-6
    change = sessions.solve_race(law._replace(first=moved), 9, "no_score", "comeback_from_zero").outcomes
    assert (change - solved.outcomes) / 1e-6 == pytest.approx(solved.by_first[:, -1] - solved.by_first[:, 0], rel=1e-4,
                                                               abs=1e-7)


def sample_pairs(n, rng):
    """n pairs drawn from a joint law with correlated plays."""
    values = np.arange(-3, 4)
    weights = np.exp(-0.25 * np.add.outer(values - 0.3, values + 0.5) ** 2 - 0.3 * np.add.outer(values**2, values**2))
    joint = rng.multinomial(n, (weights / weights.sum()).ravel()).reshape(7, 7)
    return paired.from_table(joint, values), weights / weights.sum()


def test_session_intervals_cover():
    rng = np.random.default_rng(12)
    _, joint = sample_pairs(10, rng)
    truth = sessions.session_of(joint.sum(axis=1), joint.sum(axis=0))
    runs, missed = 400, 0
    for _ in range(runs):
        estimates = session_estimates.session_estimates(sample_pairs(2000, rng)[0])
        estimate = estimates["session_win_rate"]
        assert estimate.method == "delta method"
        missed += not estimate.low <= truth.win <= estimate.high
    assert 0.02 * runs <= missed <= 0.09 * runs


@pytest.mark.parametrize("n", [0, 1, 30, 900])
@pytest.mark.parametrize("session", ["deals-6", "target-7"])
def test_session_intervals_with_few_pairs(n, session):
    pairs, joint = sample_pairs(n, np.random.default_rng(n))
    truth = sessions.bohemian_session(joint.sum(axis=1), joint.sum(axis=0), session)
    found = session_estimates.session_estimates(pairs, session)
    assert truth is not None
    for name, value in zip(("session_win_rate", "session_draw_rate", "session_lose_rate"), truth, strict=False):
        assert 0.0 <= found[name].low <= found[name].value <= found[name].high <= 1.0
        assert found[name].low <= value <= found[name].high
        assert found[name].n == n
    assert found["session_win_rate"].low < found["session_win_rate"].high


def test_session_estimates_of_one_sided_play():
    found = session_estimates.session_estimates(paired.as_pairs([-3, 3], [-3, 3], [0, 5000]))
    win = found["session_win_rate"]
    assert win.value == win.high == 1.0
    assert 0.99 < win.low < 1.0
    assert session_estimates.session_estimates(sample_pairs(50, np.random.default_rng(1))[0], "stakes") == {}


def test_independent_deals_give_the_same_value():
    pairs, _ = sample_pairs(5000, np.random.default_rng(2))
    values = np.arange(-3, 4)
    counts = [np.array([pairs.counts[side == v].sum() for v in values]) for side in (pairs.first, pairs.second)]
    one = session_estimates.session_estimates(pairs)["session_win_rate"]
    two = session_estimates.session_estimates_independent(values, counts[0], counts[1])["session_win_rate"]
    assert one.value == pytest.approx(two.value, rel=1e-12)
    assert one.high - one.low < two.high - two.low, "the pairs are negatively correlated"
    assert two.n == 10_000


def test_match_estimates_name_every_way_to_win():
    rng = np.random.default_rng(5)
    values = np.array([-6, -3, -2, -1, 1, 2, 3, 6])
    counts = rng.multinomial(20_000, [0.02, 0.05, 0.2, 0.25, 0.23, 0.18, 0.05, 0.02])
    found = session_estimates.match_estimates_independent(values, counts, counts[::-1])
    race = sessions.race_to(24, (values, counts), (values, counts[::-1]))
    assert found["win"].value == pytest.approx(race.win)
    assert found["schneider"].value == pytest.approx(race.win_schneider + race.lose_schneider)
    assert found["schneider_b"].value == pytest.approx(race.lose_schneider)
    assert found["retour_a"].value == pytest.approx(race.win_retour)
    assert found["draw"][:3] == (0.0, 0.0, 0.0)
    rates = found.keys() - {"length", "balance"}
    for name in rates:
        assert 0.0 <= found[name].low <= found[name].value <= found[name].high <= 1.0
    few = session_estimates.match_estimates_independent(values, counts // 100, counts[::-1] // 100)
    for name, estimate in few.items():
        assert estimate.low <= found[name].value <= estimate.high


def test_length_and_balance_are_those_of_the_race():
    values = np.array([-6, -3, -2, -1, 1, 2, 3, 6])
    counts = np.random.default_rng(5).multinomial(20_000, [0.02, 0.05, 0.2, 0.25, 0.23, 0.18, 0.05, 0.02])
    found = session_estimates.match_estimates_independent(values, counts, counts[::-1])
    race = sessions.race_to(24, (values, counts), (values, counts[::-1]))
    for name, value in (("length", race.deals), ("balance", race.balance)):
        estimate = found[name]
        assert estimate.value == pytest.approx(value)
        assert estimate.method == "delta method"
        assert estimate.low < value < estimate.high
        few = session_estimates.match_estimates_independent(values, counts // 100, counts[::-1] // 100)[name]
        assert few.method == "by the rules" and few.low <= value <= few.high
    assert (few.low, few.high) != (-4, 4), "the limits of winning say more than the rules"
    none = session_estimates.match_estimates_independent(values, 0 * counts, 0 * counts)
    assert none["length"].low == 4 and none["length"].high == 47


def match_pairs(n, rng):
    """n pairs of deals of a match, the two plays correlated, one side better."""
    values = np.array([-9, -4, -2, -1, 1, 2, 3, 9])
    weights = np.array([2, 3, 20, 25, 24, 20, 4, 2.5])
    joint = weights[:, None] * weights[::-1] * np.exp(-0.15 * np.sign(np.add.outer(values, -values)))
    joint /= joint.sum()
    return paired.from_table(rng.multinomial(n, joint.ravel()).reshape(8, 8), values), values, joint


@pytest.mark.slow
@pytest.mark.parametrize("design", ["duplicate", "independent"])
def test_intervals_of_length_and_balance_cover(design):
    rng = np.random.default_rng(31)
    _, values, joint = match_pairs(1, rng)
    first, second = joint.sum(axis=1), joint.sum(axis=0)
    race = sessions.race_to(9, (values, first), (values, second))  # shorter than a match, to be quick
    truth, runs = {"length": race.deals, "balance": race.balance}, 300
    missed = dict.fromkeys(truth, 0)
    for _ in range(runs):
        if design == "duplicate":
            found = session_estimates.match_estimates(match_pairs(2000, rng)[0], 9)
        else:
            found = session_estimates.match_estimates_independent(
                values, rng.multinomial(1000, first), rng.multinomial(1000, second), 9)
        for name, value in truth.items():
            missed[name] += not found[name].low <= value <= found[name].high
    assert all(0.02 * runs <= wrong <= 0.09 * runs for wrong in missed.values()), missed


def test_lengths_of_races_of_bohemian_schneider():
    pairs, joint = sample_pairs(5000, np.random.default_rng(3))
    truth = sessions.bohemian_session(joint.sum(axis=1), joint.sum(axis=0), "target-7")
    assert truth is not None
    found = session_estimates.length_estimate(pairs, "target-7")
    assert found.method == "delta method" and found.low < found.value < found.high
    assert abs(found.value - truth.deals) < found.high - found.low
    assert session_estimates.length_estimate(sample_pairs(50, np.random.default_rng(1))[0], "target-7").low == 3
    with pytest.raises(RequestError):
        session_estimates.length_estimate(pairs, "deals-6")


def test_long_sessions_with_many_points_take_a_moment_and_no_memory():
    values = np.array([-1000, -20, -1, 0, 1, 20, 1000])
    rng = np.random.default_rng(3)
    law = chains.Law(values, rng.dirichlet(np.ones(7)), rng.dirichlet(np.ones(7)))
    solved = chains.fixed_deals(law, 1000, carry=False)  # needed 96 GB
    mean, square = 500 * (law.first + law.second) @ values, (values**2) @ (law.first + law.second)
    spread = np.sqrt(500 * (square - (law.first @ values) ** 2 - (law.second @ values) ** 2))
    assert solved.outcomes.sum() == pytest.approx(1, abs=1e-10)
    assert solved.outcomes[0] + solved.outcomes[1] / 2 == pytest.approx(stats.norm.cdf(mean / spread), abs=0.005)


@pytest.mark.parametrize("deals", [3, 8, 60])
def test_fourier_transforms_give_what_convolution_gives(deals, monkeypatch):
    rng = np.random.default_rng(deals)
    law = chains.Law(np.array([-7, -2, 0, 1, 5]), rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(5)))
    plain = chains.fixed_deals(law, deals, carry=False)
    monkeypatch.setattr(chains, "_LONGEST", 0)
    for one, other in zip(plain, chains.fixed_deals(law, deals, carry=False), strict=True):
        assert one == pytest.approx(other, abs=1e-11)
