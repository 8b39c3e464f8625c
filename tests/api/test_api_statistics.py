"""Levels, adjusted p-values, contrasts, rules as a factor, and records of many match-ups."""

import json

import numpy as np
import pandas as pd
import pytest

import schneider_sim as ss
from commandline import call

GAMES = {"bohemian": ("plain", "greedy"), "bauernschnapsen": ("cautious", "random")}


@pytest.mark.parametrize("game", GAMES)
def test_a_higher_level_makes_wider_intervals(game):
    a, b = GAMES[game]
    made = {
        "simulate": lambda level: ss.simulate(a, b, deals=600, game=game, level=level).summary,
        "sessions": lambda level: ss.play_sessions(a, b, count=60, game=game, level=level).summary,
        "tournament": lambda level: ss.tournament([a, b], deals=600, game=game, level=level).summary,
        "compare": lambda level: ss.compare(a, b, precision=3.0, max_deals=1024, game=game, level=level).summary,
    }
    for name, make in made.items():
        narrow, wide = make(0.9), make(0.99)
        widths = [(table["high"] - table["low"]).to_numpy(float) for table in (narrow, wide)]
        given = ~np.isnan(widths[0])
        assert (widths[0] <= widths[1] + 1e-12)[given].all() and (widths[0] < widths[1])[given].any(), name


def test_the_text_says_the_level():
    text = call("simulate", "plain", "greedy", "--deals", "300", "--level", "0.99").stdout
    assert "value (99 % interval)" in text and "--level 0.99" in text and "95 %" not in text
    assert "99 % interval" in call("compare", "plain", "random", "--precision", "0.3", "--level", "0.99").stdout


@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
def test_adjusted_p_values_agree_with_the_simultaneous_intervals(level):
    cup = ss.tournament(["plain", "careful", "thrifty", "greedy"], deals=2_000, level=level).match_ups
    apart = (cup.all_low > 0) | (cup.all_high < 0)
    assert ((cup.p_adjusted < 1 - level) == apart).all()
    few = ss.tournament(["plain", "careful", "greedy"], deals=60, level=level).match_ups  # betting intervals
    apart = (few.all_low > 0) | (few.all_high < 0)
    assert ((few.p_adjusted < 1 - level) == apart).all()


def test_contrasts_compare_settings_with_each_other():
    settings = ["none", "last-3", "full"]
    every = ss.vary("memory", settings, base="careful", against="plain", deals=2_000, contrasts="all")
    one = ss.vary("memory", settings, base="careful", against="plain", deals=2_000, contrasts="none")
    assert len(every.contrasts) == 3 and list(one.contrasts["second"]) == ["last-3", "full"]
    edge = every.curve.set_index("memory")["edge"]
    for row in every.contrasts.itertuples():
        assert row.difference == pytest.approx(edge[row.first] - edge[row.second])
        assert row.low < row.difference < row.high
    with pytest.raises(ss.RequestError, match=r"unknown contrasts name 'last-4'; did you mean 'last-3'"):
        ss.vary("memory", settings, base="careful", deals=10, contrasts="last-4")


def test_a_switch_of_scoring_reads_the_tally_again():
    study = ss.vary("rules.schneider_at", [15, 17], base="careful", against="plain", deals=1_000)
    assert study.played == 1
    for setting, edge in zip([15, 17], study.curve.edge, strict=True):
        own = ss.simulate("careful", "plain", deals=1_000, rules={"schneider_at": setting})
        assert own.summary.value[0] == pytest.approx(edge, abs=1e-12)
    assert ss.vary("rules.win_points", [[1, 2, 3], [1, 1, 1]], base="careful", against="plain", deals=50).played == 1
    assert ss.vary("variant", ["standard", "higher"], base="careful", against="plain", deals=50).played == 2


def test_a_difference_on_common_deals_has_the_spread_of_the_deals():
    """The interval of a difference against the pairs of the records, by hand."""
    study = ss.vary("rules.schneider_at", [15, 17], base="careful", against="plain", deals=4_096)
    means = []
    for setting in (15, 17):
        plays = ss.records("careful", "plain", deals=4_096, rules={"schneider_at": setting})
        means.append((plays.points_a - plays.points_b).groupby(plays.deal).mean())
    apart = means[0] - means[1]
    row = study.contrasts.iloc[0]
    half = 1.96 * apart.std(ddof=1) / np.sqrt(len(apart))
    assert row.difference == pytest.approx(apart.mean()) and (row.high - row.low) / 2 == pytest.approx(half, rel=0.15)


def test_rules_that_are_the_same_or_unknown_are_refused():
    for words, said in ((("rules.schneider_at", [16, "16"]), "names '16' twice"),
                        (("rules.schneider", [15, 16]), "schneider_at"), (("variant", ["standard", "high"]), "higher")):
        with pytest.raises(ss.RequestError, match=said):
            ss.vary(*words, base="careful", against="plain", deals=10)
    with pytest.raises(ss.RequestError, match="the same policy"):
        ss.vary("rules.schneider_at", [15, 16], base="plain", against="plain", deals=10)


def test_a_score_can_be_varied():
    study = ss.vary("score", [(0, 0), (20, 0)], base="expert", against="random", deals=40, game="bauernschnapsen")
    assert list(study.curve.score) == ["0:0", "20:0"]


def test_records_of_many_match_ups(tmp_path):
    file = tmp_path / "plays.parquet"
    names = {"one": "plain", "two": "careful", "three": "greedy"}
    cup = ss.tournament(names, deals=700, records=file, store=tmp_path / "runs.sqlite")
    plays = pd.read_parquet(file)
    assert len(plays) == 3 * 2 * 700 and cup == ss.tournament(names, deals=700)
    gained = (plays.points_a - plays.points_b).groupby([plays.policy_a, plays.policy_b], observed=True).mean()
    for row in cup.match_ups.itertuples():
        assert gained[row.a, row.b] == pytest.approx(row.estimate_value)
    with ss.Store(tmp_path / "runs.sqlite") as store:  # what was played is kept
        runner = ss.StoreRunner(ss.serial, store)
        ss.simulate("plain", "careful", deals=700, play=runner)
        assert runner.reused == 700
    other = tmp_path / "other.parquet"
    assert call("factorial", "--vary", "memory=none,full", "--deals", "50", "--records", str(other)).exit_code == 0
    assert len(pd.read_parquet(other)) == 100 + 2 * 50


@pytest.mark.parametrize("game", GAMES)
def test_cards_are_those_of_the_trace(game):
    a, b = GAMES[game]
    plays = ss.records(a, b, deals=20, game=game, cards=True)
    from schneider_sim.games import load_game

    for row in plays.iloc[::7].itertuples():
        trace = ss.replay(a, b, deal=row.deal, first_leader=row.first_leader, game=game)
        hands = trace["hands"].items() if isinstance(trace["hands"], dict) else enumerate(trace["hands"])
        for who, cards in hands:
            mask = int(getattr(row, f"hand_{str(who).lower()}"))
            assert set(load_game(game).pack.names(mask)) == set(cards)
        if game == "bohemian":
            assert row.stock == "".join(trace["stock"]) and row.first_lead == trace["tricks"][0]["led"]


def test_a_study_varies_rules(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text('deals = 400\npolicies = ["plain", "careful"]\n[vary]\nrules.schneider_at = [15, 17]\n'
                     'memory = ["none", "full"]\nbase = "careful"\nagainst = "plain"\ndeals = 300\n', encoding="utf-8")
    report = ss.make_report(study, tmp_path / "out")
    assert {"vary_rules_schneider_at", "vary_rules_schneider_at_differences", "vary_memory"} <= set(report.tables)
    assert set(report.tables) >= {"vary_memory"} and "vary_memory" in report.figures
    assert [one["vary"] for one in report.to_dict()["varied"]] == ["rules.schneider_at", "memory"]
    page = report.page.read_text(encoding="utf-8")
    assert "rules.schneider_at" in page and report.figure("vary_memory")
    study.write_text(study.read_text(encoding="utf-8").replace("schneider_at", "schneider"), encoding="utf-8")
    wrong = call("report", str(study), "--out", str(tmp_path / "no"))
    assert wrong.exit_code == 2 and "vary rules.schneider" in wrong.stderr and json
