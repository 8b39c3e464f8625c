"""The compiled play: every trace passes the referee, known frequencies, determinism, duplicates, the tally's sums."""

import copy
from collections import Counter

import numpy as np
import pytest

from bauernschnapsen.traces import SWITCHES, WILD, trace_of
from schneider_sim.base.tally import Tally
from schneider_sim.errors import RequestError
from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.kernel.layout import LAYOUT, V_VALUES
from schneider_sim.games.bauernschnapsen.rules.contracts import NAMES

parse = GAME.grammar.parse


def run(a, b, start, stop, seed=1, rules=None, **kwargs):
    match_up = MatchUp(GAME.rules(None, rules or {}), parse(a), parse(b), seed=seed, **kwargs)
    return Tally(LAYOUT, GAME.play(match_up, start, stop))


@pytest.mark.parametrize("switch", SWITCHES, ids=str)
def test_traces_pass_the_referee(switch):
    for number in range(2000 if not switch else 60):
        GAME.judge(trace_of(switch, number))


@pytest.mark.slow
@pytest.mark.parametrize("switch", SWITCHES, ids=str)
def test_many_traces_pass_the_referee(switch):
    contracts: Counter[str] = Counter()
    for number in range(20_000 if not switch else 2_000):
        trace = trace_of(switch, 10_000 + number)
        GAME.judge(trace)
        contracts[trace["contract"]] += 1
    if not switch:
        assert set(contracts) == set(NAMES[:14])


def test_a_trace_that_is_wrong_is_named():
    trace = next(t for t in (trace_of({}, n) for n in range(99)) if t["contract"] == "NORMAL" and len(t["tricks"]) > 3)
    wrong = []
    for key, value in (("trump", "X"), ("dealer", 9), ("game_points", 0), ("ended", "tired"), ("multiplier", 3),
                       ("declarer", None), ("hands", []), ("calls", trace["calls"][:-1]),
                       ("tricks", trace["tricks"][1:]),
                       ("scoring_team", "C"), ("turned_up", "AS"), ("contract", "GANG"), ("rules", {"x": 1}),
                       ("teams", {"A": [0, 1], "B": [2, 3]}), ("leader", 7), ("redeals", -1), ("deal", "3"),
                       ("card_points", [0, 0, 0, 0]), ("marriage_points", [1, 0, 0, 0]), ("first_leader", "C"),
                       ("tricks", 5), ("doublings", [{"seat": 0, "multiplier": 2}] * 4), ("hands", [["AS"] * 5] * 4)):
        wrong.append(trace | {key: value})
    swapped = copy.deepcopy(trace)
    cards = swapped["tricks"][0]["cards"]
    cards[0], cards[1] = cards[1], cards[0]
    wrong += [swapped, {}, [], None, {"game": "bohemian"}, {k: v for k, v in trace.items() if k != "trump"}]
    for bad in wrong:
        with pytest.raises(RequestError) as caught:
            GAME.judge(bad)
        assert "\n" not in str(caught.value)


def test_uniform_play_has_the_known_frequencies():
    n = 100_000
    tally = run("random", "random", 0, n, rules={"trump_must_be_held": "off"})
    plays = 2 * n
    shares = tally["normal"].sum(axis=(0, 2, 4)) / plays
    np.testing.assert_allclose(shares, [[0.216, 0.166, 0.137], [0.207, 0.136, 0.138]], atol=0.006)
    assert tally["ended"][:, 1].sum() / plays == pytest.approx(0.061, abs=0.006)
    assert 1 - tally["marriage_plays"][:, 0].sum() / plays == pytest.approx(0.365, abs=0.006)


def test_the_longest_suit_has_the_known_frequencies():
    n = 100_000
    tally = run("random; trump: longest", "random; trump: longest", 0, n)
    shares = tally["normal"].sum(axis=(0, 2, 4)) / (2 * n)
    np.testing.assert_allclose(shares, [[0.248, 0.229, 0.193], [0.156, 0.096, 0.078]], atol=0.006)


@pytest.mark.parametrize("design", ["duplicate", "independent"])
def test_ranges_add_up_whatever_the_split(design):
    whole = run("bold", "cautious", 100, 1500, design=design)
    parts = [run("bold", "cautious", a, b, design=design) for a, b in ((100, 101), (101, 700), (700, 1500))]
    assert (parts[0] + parts[1] + parts[2]).sha256 == whole.sha256
    assert run("bold", "cautious", 100, 1500, seed=2, design=design).sha256 != whole.sha256


def test_the_tally_adds_up():
    n = 4000
    tally = run("bold; double: whim; bid: whim", "expert", 0, n, rules={"KOENIGSGANG": "on"})
    v = tally["by_first_leader"]
    assert v.sum(axis=1).tolist() == [n, n]
    assert tally["joint"].sum() == n
    np.testing.assert_array_equal(tally["joint"].sum(axis=1), v[0])
    np.testing.assert_array_equal(tally["joint"].sum(axis=0), v[1])
    assert tally["outcome"].sum() == tally["ended"].sum() == tally["marriage_plays"].sum() == 2 * n
    normal = tally["outcome"][:, 0].sum()
    assert tally["normal"].sum() == tally["card_points"].sum() == tally["tricks"].sum() == normal
    assert tally["opening"][:, :2].sum() == 2 * n
    marriages = tally["marriages"]
    assert (marriages[..., 0] >= marriages[..., 1]).all()
    assert (marriages[..., 1] >= marriages[..., 2]).all()


def test_traces_are_what_is_counted():
    tally = run(WILD[1], WILD[3], 40, 140)
    match_up = MatchUp(GAME.rules(), parse(WILD[1]), parse(WILD[3]))
    pairs: Counter[tuple[int, ...]] = Counter()
    for deal in range(40, 140):
        traces = [GAME.trace(match_up, deal, first) for first in "AB"]
        pairs[tuple(t["game_points"] * (1 if t["scoring_team"] == "A" else -1) for t in traces)] += 1
        assert traces[0]["hands"] == traces[1]["hands"] or traces[0]["redeals"] != traces[1]["redeals"]
    joint = tally["joint"]
    counted = {(int(V_VALUES[i]), int(V_VALUES[j])): int(joint[i, j]) for i, j in zip(*np.nonzero(joint), strict=True)}
    assert counted == dict(pairs)


def test_equal_policies_win_as_much_as_they_lose():
    joint = run("expert", "expert", 0, 3000)["joint"]
    mirrored = joint[::-1, ::-1].T
    np.testing.assert_array_equal(joint, mirrored)


def test_deal_numbers_beyond_32_bits_and_at_the_end():
    for start in (2**32 - 300, 2**63 - 600):
        whole = run("random", "cautious", start, start + 600, seed=2**64 - 1)
        parts = run("random", "cautious", start, start + 299, seed=2**64 - 1)
        parts = parts + run("random", "cautious", start + 299, start + 600, seed=2**64 - 1)
        assert whole.sha256 == parts.sha256
    match_up = MatchUp(GAME.rules(), parse("random"), parse("cautious"), seed=2**64 - 1)
    GAME.judge(GAME.trace(match_up, 2**63 - 1, "B"))


def test_every_card_goes_everywhere():
    """Place in the deal by card over many deals: chi-square of a 20 by 20 table of a shuffle."""
    match_up = MatchUp(GAME.rules(), parse("random"), parse("random"), seed=4)
    counts, n = np.zeros((20, 20)), 4000
    numbers = {card: i for i, card in enumerate(GAME.pack.cards)}
    for deal in range(n):
        trace = GAME.trace(match_up, 4 * deal, "A")
        for place, card in enumerate(card for hand in trace["hands"] for card in hand):
            counts[place, numbers[card]] += 1
    statistic = ((counts - n / 20) ** 2 / (n / 20)).sum() * 19 / 20
    assert 260 < statistic < 470  # 361 degrees of freedom
