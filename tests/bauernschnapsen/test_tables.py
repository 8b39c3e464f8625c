"""A run as tables, a deal as a page."""

import pytest

from bauernschnapsen.traces import SWITCHES, trace_of
from schneider_sim.base.tally import Tally
from schneider_sim.base.terminal import Style
from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.results.replay_page import page
from schneider_sim.games.bauernschnapsen.results.tables import tables

DEALS = 3000


@pytest.fixture(scope="module", params=["duplicate", "independent"])
def run(request):
    wild, expert = GAME.grammar.parse("bold; double: whim; bid: whim sure"), GAME.grammar.parse("expert")
    match_up = MatchUp(GAME.rules(), wild, expert, design=request.param)
    return match_up, Tally(GAME.layout, GAME.play(match_up, 0, DEALS))


def test_tables_agree_with_each_other_and_the_tally(run):
    match_up, tally = run
    plays = DEALS * (2 if match_up.design == "duplicate" else 1)
    frames = tables(tally, match_up.rules, match_up.design)
    contracts = frames["contracts"]
    every = contracts[contracts["seat"] == "all"]
    assert frames["game_points"]["count"].sum() == plays == every["played"].sum()
    assert frames["doubling"]["played"].sum() == plays
    # what each side's contracts earn must add up to V
    frame = frames["game_points"]
    total = (frame["v"] * frame["count"]).sum()
    sign = every["side"].map({"A": 1, "B": -1})
    assert (sign * every["played"] * every["earns"]).sum() == pytest.approx(total)
    doubling = frames["doubling"]
    sign = doubling["side"].map({"A": 1, "B": -1})
    assert (sign * doubling["played"] * doubling["earns"]).sum() == pytest.approx(total)
    normal = every[every["contract"] == "NORMAL"]["played"].sum()
    for name in ("normal_games", "card_points", "tricks"):
        assert frames[name]["count"].sum() == normal
    for name in ("contracts", "normal_games", "marriages"):
        assert ((frames[name]["low"] >= 0) & (frames[name]["high"] <= 1)).all()
    calls = frames["bids"]
    assert calls[calls["contract"] == "PASS"]["count"].sum() >= 3 * plays


@pytest.mark.parametrize("switch", SWITCHES[::7], ids=str)
def test_pages_tell_the_result(switch):
    for number in range(30):
        trace = trace_of(switch, number)
        lines = list(page(trace, Style()))
        assert f"{trace['scoring_team']} scores {trace['game_points']} game point" in lines[-1]
        assert trace["contract"] in "\n".join(lines) or "normal game" in "\n".join(lines)
        assert sum("takes" in line for line in lines) == sum(bool(trick["cards"]) for trick in trace["tricks"])
        assert all("\n" not in line for line in lines)


def test_every_table_says_its_uncertainty(run):
    """Whatever is a share, a rate or a mean has limits, which hold it, and says on how many plays it rests."""
    match_up, tally = run
    estimates = {"game_points": "share", "contracts": "made", "bids": "per_play", "doubling": "made",
                 "normal_games": "share", "card_points": "share", "tricks": "share", "marriages": "announced_rate",
                 "opening": "turned_up_rate"}
    frames = tables(tally, match_up.rules, match_up.design)
    assert frames.keys() == estimates.keys()
    for name, column in estimates.items():
        frame = frames[name]
        assert ((frame["low"] <= frame[column]) & (frame[column] <= frame["high"])).all(), name
        assert (frame["high"] > frame["low"]).all()
        assert {"n", "played"} & set(frame.columns), name
    for name in ("contracts", "doubling"):
        frame = frames[name]
        assert ((frame["earns_low"] <= frame["earns"]) & (frame["earns"] <= frame["earns_high"])).all()
    told = frames["marriages"]
    assert (told["cashed_rate"] == told["cashed"] / told["announced"]).all()
    assert ((told["cashed_low"] <= told["cashed_rate"]) & (told["cashed_rate"] <= told["cashed_high"])).all()
