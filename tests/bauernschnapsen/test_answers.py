"""What players ask: numbers about a policy against itself, recounted from traces; Gangs against normal games."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from schneider_sim.base.tally import Tally
from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen import prepare as run
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.kernel import state as v
from schneider_sim.games.bauernschnapsen.results import gang_trials as whatif
from schneider_sim.games.bauernschnapsen.results import self_play as own
from schneider_sim.games.bauernschnapsen.rules.contracts import NAMES
from schneider_sim.games.bauernschnapsen.rules.referee import PACK
from schneider_sim.stats.values import Estimate

DEALS = 600
WILD = "bold; bid: whim sure; double: whim threshold"
ONLY_GANG = {name: "off" for name in NAMES[1:] if name != "GANG"}


@pytest.fixture(scope="module")
def played() -> tuple[MatchUp, Tally, list[dict[str, Any]]]:
    policy = GAME.grammar.parse(WILD)
    match_up = MatchUp(GAME.rules(), policy, policy, design="independent")
    traces = [GAME.trace(match_up, deal, "AB"[deal % 2]) for deal in range(DEALS)]
    return match_up, Tally(GAME.layout, GAME.play(match_up, 0, DEALS)), traces


def declares(trace: dict[str, Any]) -> bool:
    """Whether the side that scores is the declarer's."""
    return trace["declarer"] in trace["teams"][trace["scoring_team"]]


def close(estimate: Estimate, value: float, n: int) -> None:
    assert estimate.value == pytest.approx(value)
    assert estimate.low <= value <= estimate.high
    assert estimate.n == n


def test_contracts_are_those_of_the_traces(played):
    match_up, tally, traces = played
    rows = own.contracts(tally, match_up.rules)
    assert [row.n for row in rows] == sorted((row.n for row in rows), reverse=True)
    assert sum(row.n for row in rows) == DEALS
    for row in rows:
        mine = [trace for trace in traces if trace["contract"] == row.contract]
        assert len(mine) == row.n
        calls = sum(call["call"] == row.contract for trace in traces for call in trace["calls"])
        if row.contract != "NORMAL":
            close(row.bid, calls / DEALS, DEALS)
        close(row.played, row.n / DEALS, DEALS)
        if mine:
            close(row.made, sum(map(declares, mine)) / row.n, row.n)
            points = [trace["game_points"] * (1 if declares(trace) else -1) for trace in mine]
            close(row.earns, float(np.mean(points)), row.n)


def test_doublings_are_those_of_the_traces(played):
    match_up, tally, traces = played
    rows = own.doubling(tally, match_up.rules)
    assert [(row.game, row.step) for row in rows] == [(game, step) for game in ("normal game", "other contracts")
                                                      for step in range(4)]
    for row in rows:
        mine = [trace for trace in traces if (trace["contract"] == "NORMAL") == (row.game == "normal game")
                and (trace["multiplier"] >= 2**row.step if row.step else trace["multiplier"] == 1)]
        assert len(mine) == row.n
        doublers = {trace["doublings"][row.step - 1]["seat"] % 2 == trace["declarer"] % 2 for trace in mine if row.step}
        assert doublers <= {row.side == own.DECLARERS}
        scored = [declares(trace) == (row.side == own.DECLARERS) for trace in mine]
        points = [trace["game_points"] * (1 if mark else -1) for trace, mark in zip(mine, scored, strict=True)]
        close(row.of_plays, row.n / DEALS, DEALS)
        close(row.scores, sum(scored) / row.n, row.n)
        close(row.earns, float(np.mean(points)), row.n)
        # had the side not raised, the same cards would have been played at the multiplier before
        before = [point * 2**row.step / 2 / trace["multiplier"] for point, trace in zip(points, mine, strict=True)]
        assert (row.gain is None) == (row.step == 0)
        if row.gain is not None:
            close(row.gain, float(np.mean(np.array(points) - before)), row.n)


def test_endings_and_marriages_are_those_of_the_traces(played):
    _, tally, traces = played
    normal = [trace for trace in traces if trace["contract"] == "NORMAL"]
    rows = own.endings(tally)
    assert sum(row.share.value for row in rows) == pytest.approx(1)
    for row in rows:
        mine = [trace for trace in normal if declares(trace) == (row.side == "caller's side")
                and trace["game_points"] // trace["multiplier"] == row.points
                and (trace["ended"] == "66") == (row.how == "66")]
        close(row.share, len(mine) / len(normal), len(normal))
    found: Counter[tuple[int, str]] = Counter()
    for trace in traces:
        tricks = Counter(trick["winner"] % 2 for trick in trace["tricks"] if trick["cards"])
        told = [trick for trick in trace["tricks"] if trick["announced"]]
        for hand in trace["hands"]:
            for suit in "SHDC":
                if {f"K{suit}", f"Q{suit}"} <= set(hand):
                    found[40 if suit == trace["trump"] else 20, "dealt"] += 1
        for trick in told:
            found[trick["announced"]["points"], "counted" if tricks[trick["leader"] % 2] else "void"] += 1
    for marriage in own.marriages(tally):
        dealt, counted, void = (found[marriage.points, what] for what in ("dealt", "counted", "void"))
        assert marriage.dealt == dealt
        assert marriage.per_deal == pytest.approx(dealt / DEALS)
        close(marriage.counted, counted / dealt, dealt)
        close(marriage.void, void / dealt, dealt)
        close(marriage.kept, (dealt - counted - void) / dealt, dealt)


@pytest.mark.parametrize("hand, name", [
    ("AS TS KS AH KH", "4 sure, 1 above"), ("AS TS KS QS JS", "5 sure"), ("AS TS AH TH JD", "4 sure, 4 above"),
    ("AS KS AH AD TD", "4 sure, 1 above"), ("AS AH AD AC JC", "4 sure, 3 above"), ("AS AH AD KD QD", "3 sure, 2 above"),
    ("AS AH AD JC JD", "3 sure, 5 or more above"), ("TS KS QS JS AH", "0 or 1 sure"), ("JS QS JH QH JD", "0 or 1 sure"),
    ("AS AH JS JH JD", "2 sure"), ("AS TS AH QH JH", "3 sure, 4 above"),
])
def test_hands_are_what_their_holder_sees(hand, name):
    cards = sum(1 << PACK.bit(card) for card in hand.split())
    assert whatif.CLASSES[whatif.class_of(cards)] == name


RULES = [{}, {"gang_partner": "sits_out", "value_GANG": "8"},
         {"cut_mode": "knock", "double_window": "before_own_first_card"}]


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("text", ["cautious", "expert; double: whim; announce: when-it-decides", "bold; noise: 0.3",
                                  "expert; search: pimc; samples: 2"])
def test_both_ways_are_the_plays_of_the_auction(rules, text):
    """Where random bids lead to a Gang, or to none, the deal ends as it does here."""
    base, whim = GAME.grammar.parse(text), GAME.grammar.parse(f"{text}; bid: whim")
    lot = MatchUp(GAME.rules(None, rules | ONLY_GANG), whim, whim)
    both = MatchUp(GAME.rules(None, rules), base, base)
    seen = {"NORMAL": 0, "GANG": 0}
    for deal in range(80):
        s, counts = run.play_one(lot, deal, "A"), whatif.gangs(both, deal, deal + 1)
        assert counts.sum() == 4
        contract = NAMES[s[v.CONTRACT]]
        seen[contract] += 1
        if contract == "GANG":
            side = int(s[v.DECLARER]) & 1
            name = whatif.class_of(int(s[v.DEALT + s[v.DECLARER]]))
            assert counts[side, name, :, :, :, int(s[v.TEAM] == side), s[v.LEVEL]].sum() >= 1
        else:
            for side in (0, 1):
                assert counts[side, :, int(s[v.TEAM] == side), s[v.WORTH] - 1, s[v.LEVEL]].sum() == 2
    assert min(seen.values()) > 5


def test_gangs_of_any_split_add_up_and_need_no_bids():
    match_up = MatchUp(GAME.rules(), GAME.grammar.parse("bold"), GAME.grammar.parse("bold"))
    silent = MatchUp(GAME.rules(), GAME.grammar.parse("bold; bid:"), GAME.grammar.parse("random"))
    whole = whatif.gangs(match_up, 10, 700)
    assert np.array_equal(whole, whatif.gangs(match_up, 10, 300) + whatif.gangs(match_up, 300, 700))
    assert np.array_equal(whole, whatif.gangs(silent, 10, 700))


def test_break_even_is_where_both_earn_alike():
    match_up = MatchUp(GAME.rules(), GAME.grammar.parse("bold; double: whim"), GAME.grammar.parse("bold"))
    rows = whatif.gang_classes(whatif.gangs(match_up, 0, 8000), match_up)
    assert {row.side for row in rows} == set(whatif.SIDES)
    for row in rows:
        for estimate in row[3:]:
            assert estimate.low <= estimate.value <= estimate.high
        assert row.gain.value == pytest.approx(row.gang.value - row.normal.value)
        if 0 < row.made.value < 1 and 0 < row.break_even.value < 1:
            assert (row.made.value > row.break_even.value) == (row.gain.value > 0)
    frame = whatif.gang_frame(rows)
    assert frame["n"].sum() == 32_000
    plain = MatchUp(GAME.rules(), GAME.grammar.parse("cautious"), GAME.grammar.parse("cautious"))
    for row in whatif.gang_classes(whatif.gangs(plain, 0, 3000), plain):
        assert row.gang.value == pytest.approx(9 * (2 * row.made.value - 1))
        assert row.break_even.value == pytest.approx(0.5 + row.normal.value / 18)
        assert row.hand != "5 sure" or row.made.value == 1


def test_rules_without_a_gang_and_without_normal_games_leave_no_rows():
    policy = GAME.grammar.parse("random")
    match_up = MatchUp(GAME.rules(), policy, policy, design="independent")
    tally = Tally(GAME.layout, GAME.play(match_up, 0, 50))
    assert own.doubling(tally, match_up.rules) == []
    assert [row.contract for row in own.contracts(tally, match_up.rules)] == ["NORMAL"]
    empty = Tally(GAME.layout, GAME.layout.zeros())
    assert not own.endings(empty) and not own.marriages(empty)
    assert whatif.gang_classes(np.zeros(whatif.SHAPE, np.int64), match_up) == []
