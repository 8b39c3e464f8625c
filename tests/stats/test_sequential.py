"""Sequential tests: published likelihood ratios, error control, and estimates after a stop."""

import math
import time

import numpy as np
import pytest

from schneider_sim.errors import RequestError
from schneider_sim.stats import sequential
from schneider_sim.stats.sprt import MODELS
from schneider_sim.stats.stopped import two_barriers

GAME, PAIR = [0.0, 0.5, 1.0], [0.0, 0.25, 0.5, 0.75, 1.0]
PAIR_MEANS = np.arange(-6, 7) / 2


@pytest.mark.parametrize("scores, counts, elo0, elo1, expected", [
    (GAME, [36027, 68692, 36433], 0, 2, 0.92329), (GAME, [10650, 20431, 10871], -1.75, 0.25, 2.29750),
    (GAME, [0, 0, 4250], 0, 10, 120.548), (PAIR, [365, 16618, 36029 + 200, 16974, 390], 0, 2, 2.25037),
    (PAIR, [127, 4883, 10311 + 401, 5150, 104], -1.75, 0.25, 3.01015), (PAIR, [0, 0, 0, 0, 5550], 0, 5, 111.798),
])
def test_normalised_ratios_as_published(scores, counts, elo0, elo1, expected):
    plays = 1 if scores is GAME else 2
    h0, h1 = (sequential.normalised_elo_to_t(elo, plays) for elo in (elo0, elo1))
    llr = sequential.sprt(scores, counts, h0, h1, model="normalised", reference=0.5).llr
    digits = len(str(expected).split(".")[1])
    assert round(llr, digits) == expected


@pytest.mark.parametrize("scores, counts, elo0, elo1, expected", [
    (GAME, [21184, 40708, 21404], 0.5, 2.5, -1.57189),
    (PAIR, [223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, -3.07413),
    (PAIR, [10789, 19328, 33806, 19402, 10543], -3, 1, 2.13106781),
    (PAIR, [39, 2226, 31451, 2412, 40], 0.2, 0.9, 2.16254),
    (GAME, [57030, 106593, 57433], 0, 2, -2.59), (PAIR, [871, 26175, 55003 + 980, 26678, 821], 0, 2, -4.98),
])
def test_logistic_ratios_as_published(scores, counts, elo0, elo1, expected):
    llr = sequential.sprt(scores, counts, sequential.elo_to_score(elo0), sequential.elo_to_score(elo1)).llr
    digits = len(str(expected).split(".")[1])
    assert round(llr, digits) == expected


def test_units_of_the_hypotheses_matter():
    """One match, bounds read in two kinds of Elo: two ratios, each reproducible by converting explicitly."""
    counts = [365, 16618, 36229, 16974, 390]
    logistic = sequential.sprt(PAIR, counts, sequential.elo_to_score(0), sequential.elo_to_score(2))
    t0, t1 = sequential.normalised_elo_to_t(0), sequential.normalised_elo_to_t(2)
    normalised = sequential.sprt(PAIR, counts, t0, t1, model="normalised", reference=0.5)
    assert abs(logistic.llr - normalised.llr) > 0.5
    assert sequential.t_to_normalised_elo(t1) == pytest.approx(2.0)
    assert sequential.score_to_elo(sequential.elo_to_score(37.0)) == pytest.approx(37.0)
    assert sequential.t_to_normalised_elo(1.0, plays=1) == pytest.approx(347.43558552260146, rel=1e-14)


def test_bounds_and_verdicts():
    assert sequential.bounds() == pytest.approx((-2.9444389791664403, 2.9444389791664403), rel=1e-15)
    far = sequential.sprt(PAIR_MEANS, [10] * 6 + [2000] + [10] * 4 + [900] * 2, 0.0, 0.02)
    assert far.verdict == "H1"
    assert sequential.sprt(PAIR_MEANS, [900] * 2 + [10] * 11, 0.0, 0.02).verdict == "H0"
    assert sequential.sprt(PAIR_MEANS, [1] * 13, 0.0, 0.02).verdict == "undecided"
    nothing = sequential.sprt(PAIR_MEANS, [0] * 13, 0.0, 0.02)
    assert (nothing.llr, nothing.verdict, nothing.n) == (0.0, "undecided", 0)


def test_exact_ratio_and_its_cheap_forms_agree():
    pmf = np.exp(-(PAIR_MEANS - 0.015) ** 2 / 0.55)
    counts = np.round(pmf / pmf.sum() * 50_000).astype(int)
    n = counts.sum()
    mean = PAIR_MEANS @ counts / n
    variance = ((PAIR_MEANS - mean) ** 2) @ counts / n
    exact = sequential.sprt(PAIR_MEANS, counts, 0.0, 0.02).llr
    second = [((PAIR_MEANS - s) ** 2) @ counts / n for s in (0.0, 0.02)]
    assert exact == pytest.approx(n / 2 * math.log(second[0] / second[1]), rel=0.01)
    assert exact == pytest.approx(n * 0.02 * (2 * mean - 0.02) / (2 * variance), rel=0.01)


@pytest.mark.parametrize("model", MODELS)
def test_degenerate_pairs_decide_nothing_early(model):
    """A handful of equal results must not end a test, and any number of them must not break it."""
    for cell in (0, 6, 12):
        counts = np.zeros(13, dtype=np.int64)
        for n in (1, 20, 10**5, 10**12):
            counts[cell] = n
            result = sequential.sprt(PAIR_MEANS, counts, 0.0, 0.02, model=model)
            assert math.isfinite(result.llr)
            if n <= 20:
                assert result.verdict == "undecided"


def test_wrong_tests():
    for kwargs in ({"h0": 0.1, "h1": 0.0}, {"h0": 0.0, "h1": 3.0}, {"h0": 0.0, "h1": 0.1, "alpha": 0.6, "beta": 0.5},
                   {"h0": 0.0, "h1": 0.1, "model": "logistic"}, {"h0": 0.0, "h1": 0.1, "alpha": 0.0},
                   {"h0": 0.0, "h1": 0.1, "model": "normalised", "reference": 5.0}):
        with pytest.raises(RequestError):
            sequential.sprt(PAIR_MEANS, [1] * 13, **kwargs)
    with pytest.raises(RequestError):
        sequential.score_to_elo(1.2)


def test_a_look_takes_less_than_ten_milliseconds():
    counts = np.random.default_rng(0).integers(1, 10_000, size=13)
    best = math.inf
    for _ in range(5):
        start = time.perf_counter()
        sequential.sprt(PAIR_MEANS, counts, 0.0, 0.02)
        sequential.betting_interval(PAIR_MEANS, counts)
        best = min(best, time.perf_counter() - start)
    assert best < 0.04, "four times the promise, as test machines are shared"


@pytest.mark.parametrize("scores, plays, counts, elo, error, normalised, normalised_error, los", [
    (GAME, 1, [96, 111, 136], 40.70, 30.43, 49.77, 36.77, 0.9960),
    (PAIR, 2, [34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28, 1.0),
    (PAIR, 2, [332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96, 0.0505),
])
def test_elo_as_published(scores, plays, counts, elo, error, normalised, normalised_error, los):
    found = sequential.elo_estimate(scores, counts, plays)
    assert (round(found.elo, 2), round(found.error, 2)) == (elo, error)
    assert (round(found.normalised, 2), round(found.normalised_error, 2)) == (normalised, normalised_error)
    assert round(found.los, 4) == los


def test_elo_at_its_edges():
    assert sequential.elo_estimate(GAME, [0, 0, 0]).los == 0.5
    assert sequential.elo_estimate(GAME, [0, 0, 9]).elo == math.inf
    assert sequential.elo_estimate(GAME, [0, 9, 0]).normalised == 0.0
    with pytest.raises(RequestError):
        sequential.elo_estimate([-1, 1], [1, 1])


def by_eigenfunctions(drift, sd, time, place, lower, upper):
    """P(absorbed at lower by `time`, or alive below `place`) from the Fourier series of the killed process."""
    width, gamma = upper - lower, drift / sd**2
    start, y = -lower, place - lower
    total = 0.0
    for n in range(1, 400):
        rate = (n * math.pi / width) ** 2 * sd**2 / 2 + drift**2 / sd**2 / 2
        angle = n * math.pi * y / width
        weight = 2 * width * gamma * math.sin(angle) - 2 * math.pi * n * math.cos(angle)
        weight /= width**2 * gamma**2 + math.pi**2 * n**2
        total += math.exp(-rate * time - start * gamma + y * gamma) * weight * math.sin(n * math.pi * start / width)
    if gamma == 0.0:
        return (width - start) / width + total
    return (1 - math.exp(2 * gamma * (width - start))) / (1 - math.exp(2 * gamma * width)) + total


@pytest.mark.parametrize("drift", [-1.5, -0.2, 0.0, 0.4, 2.0])
@pytest.mark.parametrize("time_", [0.2, 1.0, 7.0])
@pytest.mark.parametrize("place", [-1.0, -0.3, 0.9, 2.0])
def test_brownian_motion_between_two_barriers(drift, time_, place):
    expected = by_eigenfunctions(drift, 0.8, time_, place, -1.0, 2.0)
    assert two_barriers(drift, 0.8, time_, place, -1.0, 2.0) == pytest.approx(expected, abs=1e-12)


def test_estimate_after_a_stop_as_published():
    counts = [39, 2226, 31451, 2412, 40]
    h0, h1 = sequential.elo_to_score(0.2), sequential.elo_to_score(0.9)
    estimate = sequential.stopped_estimate(PAIR, counts, h0, h1)
    elo, low, high = (sequential.score_to_elo(s) for s in estimate[:3])
    assert round(elo, 5) == 0.86518
    assert (low, high) == pytest.approx((0.16831, 1.54060), abs=1e-4)
    assert (low, high) == pytest.approx((0.1683212099, 1.5406688946), abs=1e-9), "from the eigenfunctions"
    assert round(sequential.worse_outcome(PAIR, counts, h0, h1, 0.5), 5) == 0.99200


def test_estimate_after_a_stop_where_the_theory_has_no_ground():
    for counts in ([0] * 6 + [5000] + [0] * 6, [1] * 13, [0] * 13, [0] * 12 + [5000]):
        estimate = sequential.stopped_estimate(PAIR_MEANS, counts, 0.0, 0.02)
        assert estimate.method in ("betting", "no data")
        assert -3 <= estimate.low <= estimate.value <= estimate.high <= 3
        assert estimate.low < estimate.high


def tilted_law(mean):
    """A law of the pair mean with standard deviation near .524, tilted to the given mean."""
    base = np.exp(-PAIR_MEANS**2 / (2 * 0.524**2))
    low, high = -5.0, 5.0
    for _ in range(200):
        tilt = (low + high) / 2
        pmf = base * np.exp(tilt * PAIR_MEANS)
        pmf /= pmf.sum()
        low, high = (tilt, high) if pmf @ PAIR_MEANS < mean else (low, tilt)
    return pmf


def run_tests(mean, runs, seed, h0=0.0, h1=0.02, look=200, first=600, longest=10**6):
    """Verdicts, pairs, and counts at the end of many sequential tests of pairs with the given mean."""
    rng = np.random.default_rng(seed)
    pmf = tilted_law(mean)
    ends = []
    for _ in range(runs):
        counts = rng.multinomial(first, pmf)
        n = first
        while True:
            result = sequential.sprt(PAIR_MEANS, counts, h0, h1)
            if result.verdict != "undecided" or n >= longest:
                ends.append((result.verdict, n, counts))
                break
            counts = counts + rng.multinomial(look, pmf)
            n += look
    return ends


def wald_pairs():
    """Wald's expected number of pairs at either hypothesis of `run_tests`."""
    return (1 - 2 * 0.05) * math.log(19) / (0.02**2 / (2 * 0.524**2))


def test_the_test_keeps_its_errors_on_a_small_scale():
    for mean, wrong in ((0.0, "H1"), (0.02, "H0")):
        ends = run_tests(mean, 60, seed=3, look=1000, first=1000)
        assert sum(verdict == wrong for verdict, _, _ in ends) <= 9


@pytest.mark.slow
@pytest.mark.parametrize("mean, wrong", [(0.0, "H1"), (0.02, "H0")])
def test_the_test_keeps_its_errors(mean, wrong):
    runs = 2000
    ends = run_tests(mean, runs, seed=17)
    errors = sum(verdict == wrong for verdict, _, _ in ends) / runs
    pairs = np.mean([n for _, n, _ in ends])
    print(f"mean {mean}: wrong {errors:.4f}, mean pairs {pairs:.0f}, Wald {wald_pairs():.0f}")
    assert errors <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert abs(pairs / wald_pairs() - 1) <= 0.35


@pytest.mark.slow
@pytest.mark.parametrize("mean", [0.0, 0.01, 0.02, 0.03])
def test_the_estimate_after_a_stop_is_median_unbiased(mean):
    runs = 400
    above = covered = 0
    raw = []
    for _, _, counts in run_tests(mean, runs, seed=23, look=500, first=1000):
        estimate = sequential.stopped_estimate(PAIR_MEANS, counts, 0.0, 0.02)
        above += estimate.value > mean
        covered += estimate.low <= mean <= estimate.high
        raw.append(PAIR_MEANS @ counts / counts.sum())
    print(f"mean {mean}: above {above / runs:.3f}, covered {covered / runs:.3f}, raw mean {np.mean(raw):.4f}")
    assert abs(above / runs - 0.5) <= 0.1
    assert covered / runs >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / runs)


def peeking(looks, runs, seed):
    """Share of null experiments in which a 95 % interval excludes 0 at one of the looks, and the betting interval."""
    rng = np.random.default_rng(seed)
    pmf = tilted_law(0.0)
    naive = anytime = 0
    for _ in range(runs):
        counts = np.zeros(13, dtype=np.int64)
        before, fooled, missed = 0, False, False
        for n in looks:
            counts += rng.multinomial(n - before, pmf)
            before = n
            mean = PAIR_MEANS @ counts / n
            sd = math.sqrt(((PAIR_MEANS - mean) ** 2) @ counts / n)
            fooled |= abs(mean) > 1.96 * sd / math.sqrt(n)
            missed |= sequential.log_wealth(PAIR_MEANS, counts, 0.0) > math.log(20)
        naive += fooled
        anytime += missed
    return naive / runs, anytime / runs


@pytest.mark.slow
@pytest.mark.parametrize("number, low, high", [(1, 0.03, 0.08), (10, 0.14, 0.26), (100, 0.28, 0.46),
                                               (1000, 0.42, 0.64)])
def test_naive_peeking_is_wrong_and_the_anytime_interval_is_not(number, low, high):
    looks = [100 * (i + 1) for i in range(number)]
    naive, anytime = peeking(looks, 500, seed=number)
    print(f"{number} looks: naive {naive:.3f}, betting {anytime:.3f}")
    assert low <= naive <= high
    assert anytime <= 0.05
