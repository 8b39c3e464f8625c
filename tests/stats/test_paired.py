"""Duplicates: the pair is the unit, and nothing claims more than its pairs tell."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schneider_sim.errors import RequestError
from schneider_sim.stats import intervals, paired

VP = np.array([-3] + [-2] * 4 + [-1] * 5 + [0] + [1] * 5 + [2] * 4 + [3], dtype=float)
WIN = np.arange(21) > 10
SCHNEIDER = np.isin(np.arange(21), [1, 2, 3, 4, 16, 17, 18, 19])


def joint_table(n, seed=0, tie=0.0):
    """A joint table in which A is a little better and leading first helps; tie mixes in exact mirror images."""
    rng = np.random.default_rng(seed)
    first = rng.binomial(20, 0.57, n)
    second = np.where(rng.random(n) < tie, 20 - first, rng.binomial(20, 0.48, n))
    joint = np.zeros((21, 21), dtype=np.int64)
    np.add.at(joint, (first, second), 1)
    return joint, VP[first], VP[second]


def test_edge_and_advantage_are_means_over_pairs():
    joint, v1, v2 = joint_table(5000, tie=0.5)
    pairs = paired.from_table(joint, VP)
    for function, data in ((paired.edge, (v1 + v2) / 2), (paired.first_leader_advantage, (v1 - v2) / 2)):
        estimate = function(*pairs)
        half = 1.959963984540054 * data.std(ddof=1) / math.sqrt(5000)
        assert estimate.value == pytest.approx(data.mean())
        assert (estimate.low, estimate.high) == pytest.approx((data.mean() - half, data.mean() + half))
        assert (estimate.n, estimate.method) == (5000, "normal")


def test_a_sparse_table_gives_the_same():
    joint, _, _ = joint_table(3000)
    dense = paired.from_table(joint, VP)
    seen = dense.counts > 0
    sparse = paired.Pairs(dense.first[seen], dense.second[seen], dense.counts[seen])
    assert paired.edge(*sparse, low=-3, high=3) == paired.edge(*dense)
    assert paired.first_leader_advantage(*sparse, low=-3, high=3) == paired.first_leader_advantage(*dense)
    assert paired.correlation(*sparse) == paired.correlation(*dense)


def test_self_play_of_a_deterministic_policy():
    """V2 = -V1 exactly: the edge has no variance, and the advantage has n observations, not 2n."""
    joint, v1, _ = joint_table(4000, tie=1.0)
    pairs = paired.from_table(joint, VP)
    edge = paired.edge(*pairs)
    assert (edge.value, edge.method, edge.n) == (0.0, "betting", 4000)
    assert -0.01 < edge.low < 0.0 < edge.high < 0.01
    advantage = paired.first_leader_advantage(*pairs)
    half = 1.96 * v1.std(ddof=1) / math.sqrt(4000)
    assert advantage.high - advantage.low == pytest.approx(2 * half, rel=1e-3)
    gain = paired.correlation(*pairs)
    assert gain.correlation == -1.0
    assert math.isinf(gain.factor)
    assert "cancelled exactly" in gain.sentence
    assert any("same choices" in remark for remark in paired.remarks(*pairs))


def test_what_pairing_bought():
    joint, v1, v2 = joint_table(200_000, tie=0.6)
    gain = paired.correlation(*paired.from_table(joint, VP))
    assert gain.correlation == pytest.approx(np.corrcoef(v1, v2)[0, 1])
    assert gain.factor == pytest.approx((v1.var() + v2.var()) / (v1 + v2).var())
    assert f"{gain.factor:.2f} times as many independent deals" in gain.sentence
    paired_width = paired.edge(*paired.from_table(joint, VP))
    independent = paired.edge_independent(VP, joint.sum(axis=1), joint.sum(axis=0))
    ratio = (independent.high - independent.low) / (paired_width.high - paired_width.low)
    assert ratio**2 == pytest.approx(gain.factor, rel=1e-3)


def test_independent_design():
    joint, v1, v2 = joint_table(3000)
    advantage = paired.first_leader_advantage_independent(VP, joint.sum(axis=1), joint.sum(axis=0))
    se = math.sqrt(v1.var(ddof=1) / 3000 + v2.var(ddof=1) / 3000) / 2
    assert advantage.value == pytest.approx((v1.mean() - v2.mean()) / 2)
    assert advantage.high - advantage.value == pytest.approx(1.959963984540054 * se)
    assert advantage.n == 6000
    few = paired.first_leader_advantage_independent(VP, joint.sum(axis=1) // 100, joint.sum(axis=0) // 100)
    assert few.method == "betting"
    assert few.low < few.value < few.high
    one = paired.first_leader_advantage_independent([-3, 3], [0, 1], [0, 0])
    assert one.low < one.high


def test_pooled_rates_count_pairs():
    joint, _, _ = joint_table(50_000, tie=0.7)
    first, second, counts = paired.from_table(joint, WIN)
    estimate = paired.proportion(first, second, counts)
    n = counts.sum()
    means = (first + second) / 2
    p = (means * counts).sum() / n
    se = math.sqrt((counts * (means - p) ** 2).sum() / n / n)
    assert estimate.value == pytest.approx(p)
    assert estimate.n == n
    assert estimate.high - estimate.low == pytest.approx(2 * 1.96 * se, rel=1e-3)
    naive = intervals.wilson(p * 2 * n, 2 * n)
    assert estimate.high - estimate.low < naive.high - naive.low


@pytest.mark.parametrize("table, method", [
    ({(0, 0): 5000}, "Clopper-Pearson on pairs"), ({(1, 1): 5000}, "Clopper-Pearson on pairs"),
    ({(0, 0): 300, (1, 0): 20}, "Clopper-Pearson on pairs"), ({(1, 0): 5000}, "betting"),
    ({(1, 0): 2500, (0, 1): 2500, (0, 0): 5}, "betting"), ({(0, 0): 50_000, (1, 0): 9}, "Clopper-Pearson, effective n"),
    ({(0, 0): 50_000, (1, 1): 9}, "Clopper-Pearson, effective n"), ({(0, 0): 3000, (1, 0): 999}, "Wilson, effective n"),
    ({(0, 0): 0}, "no data"),
])
def test_rates_at_the_edges(table, method):
    first, second = zip(*table, strict=True)
    estimate = paired.proportion(first, second, list(table.values()))
    assert estimate.method == method
    assert 0.0 <= estimate.low <= estimate.value <= estimate.high <= 1.0
    assert estimate.low < estimate.high


def test_twice_the_same_result_counts_once():
    """Nine pairs in which both plays show the event are nine observations, not eighteen."""
    estimate = paired.proportion([0, 1], [0, 1], [50_000, 9])
    assert (estimate.low, estimate.high) == pytest.approx(intervals.clopper_pearson(9, 50_009), rel=1e-3)


def test_rates_on_few_pairs_cover_whatever_the_correlation():
    """Exact: every table of 30 pairs, weighted with its probability, for three within-pair correlations."""
    from scipy.stats import multinomial

    n = 30
    limits = [intervals.clopper_pearson(k / 2, n) for k in range(2 * n + 1)]
    for p in (0.05, 0.3, 0.5):
        for both in (0.0, p * p, p):
            cells = (1 - 2 * p + both, 2 * (p - both), both)
            covered = 0.0
            for once in range(n + 1):
                for twice in range(n + 1 - once):
                    low, high = limits[once + 2 * twice]
                    if low <= p <= high:
                        covered += multinomial.pmf((n - once - twice, once, twice), n, cells)
            assert covered >= 0.95


def test_events_are_zero_or_one_and_tables_fit():
    with pytest.raises(RequestError, match="happened"):
        paired.proportion([0.5], [1], [10])
    with pytest.raises(RequestError, match="shape"):
        paired.from_table(np.zeros((21, 21), dtype=int), VP[:-1])
    with pytest.raises(RequestError):
        paired.edge([1, 2], [1], [1])


def test_remarks_are_plain_sentences():
    assert paired.remarks(*paired.from_table(joint_table(5000)[0], VP)) == ()
    assert "No pairs" in paired.remarks([0], [0], [0])[0]
    assert "Only 1 pair:" in paired.remarks([1, 2], [1, 0], [1, 0])[0]
    assert any("A won every play" in s for s in paired.remarks([3, 2], [1, 3], [4000, 2000]))
    assert any("B won every play" in s for s in paired.remarks([-3], [-1], [4000]))


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(0, 2000)), min_size=1, max_size=15))
def test_no_table_gives_nan_or_certainty(cells):
    first, second, counts = zip(*cells, strict=True)
    for function in (paired.edge, paired.first_leader_advantage):
        estimate = function(first, second, counts, low=-3, high=3)
        assert -3 <= estimate.low <= estimate.value <= estimate.high <= 3
        assert estimate.low < estimate.high
    events = [[int(v > 0) for v in column] for column in (first, second)]
    rate = paired.proportion(events[0], events[1], counts)
    assert 0 <= rate.low <= rate.value <= rate.high <= 1
    assert rate.low < rate.high
    gain = paired.correlation(first, second, counts)
    assert -1 <= gain.correlation <= 1
    assert gain.factor > 0
    assert "nan" not in gain.sentence + "".join(paired.remarks(first, second, counts))
