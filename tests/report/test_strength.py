"""How strong the policies of a study are, where they lose points, and deals worth seeing: its table [strength]."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import schneider_sim as ss
from commandline import call
from schneider_sim.engines.threads import threaded
from schneider_sim.games import load_game
from schneider_sim.report import build, strength
from schneider_sim.report.findings import play_study
from schneider_sim.report.page import render
from schneider_sim.report.sections import losses, seen
from schneider_sim.report.sections import strength as section
from schneider_sim.report.study import parse_study
from schneider_sim.store import Store
from schneider_sim.store.reuse import StoreRunner

STUDY = """
deals = 600
seed = 3
policies = ["careful", "champion", "master"]

[strength]
searched = 24
analysed = 5
worlds = 16
"""
BAUERN = """
game = "bauernschnapsen"
deals = 400
policies = ["bold", "expert"]

[strength]
against = {"the best in words" = "master", guess = "expert; search: pimc; samples: 2"}
searched = 12
analysed = 2
worlds = 4
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The findings of STUDY, kept in a store, and the store's place."""
    place = tmp_path_factory.mktemp("store") / "runs.sqlite"
    with Store(place) as store:
        yield play_study(parse_study(STUDY), StoreRunner(threaded(1), store, threads=1)), place


def study_played(text: str) -> Any:
    """The findings of a study."""
    return play_study(parse_study(text), threads=1)


def points_lost(match_up: Any) -> float:
    """What A loses in the last six tricks of a play, over the first block, which is in the sample."""
    game: Any = load_game("bohemian")
    return float(np.mean([game.losses.losses(match_up, 0, 256, leader)[:, 0] for leader in "AB"]))


def test_the_ladder_is_made_of_runs_of_the_library(found: Any) -> None:
    steps = {(one.policy, one.against): one for one in section.ladder(found[0].strength)}
    assert list(steps) == [("careful", "master"), ("champion", "master"),
                           *((name, "searcher") for name in ("careful", "champion", "master"))]
    one, other = steps["careful", "master"], steps["champion", "searcher"]
    run = ss.simulate("careful", "master", deals=600, seed=3)
    assert one.tally_sha256 == run.tally_sha256 and one.n == 600 and one.value == run.estimates[0].value
    assert one.low < run.estimates[0].low < run.estimates[0].high < one.high  # all intervals hold at once
    assert other.n == 24 and other.tally_sha256 == ss.simulate("champion", "searcher", deals=24, seed=3).tally_sha256


def test_losses_are_those_of_analyse_and_of_the_run_itself(found: Any) -> None:
    strong = found[0].strength
    lost = next(one for one in strong.losses if one.policy == "careful")
    again = ss.analyse("careful", "master", deals=5, worlds=16, seed=3, threads=1)
    assert lost.analysis.loss["A"] == again.loss["A"] and strong.yardstick == "master"
    sample = points_lost(ss.simulate("careful", "master", deals=600, seed=3).experiment.match_up)
    assert lost.counted.total.value == sample and lost.counted.total.n == 256
    assert sum(one.value for _, _, one in lost.counted.cells) == pytest.approx(sample)
    assert all(one.low <= one.value <= one.high for _, _, one in lost.counted.cells)
    cells = losses.cells(lost)
    assert len(cells) == len({(one.trick, one.kind) for one in cells}) == 32
    assert {one.source for one in cells if one.trick <= 10} == {"worlds"}
    assert {one.source for one in cells if 11 <= one.trick <= 15} == {"counted"}


def test_points_lost_are_counted_by_the_rules_in_force() -> None:
    text = STUDY.replace("policies", "rules = {win_points = [1, 5, 9]}\npolicies").replace("= 5", "= 1")
    counted = study_played(text).strength.losses[0].counted
    sample = points_lost(parse_study(text).of("careful", "master", 256).match_up)
    assert counted.total.value == sample and sum(one.value for _, _, one in counted.cells) == pytest.approx(sample)


def test_deals_are_those_of_the_two_best_each_for_its_reason(found: Any) -> None:
    strong = found[0].strength
    assert len(strong.deals) == 3 and len({one.seen.deal for one in strong.deals}) == 3
    assert strong.pair == found[0].payoff.order[:2]
    for one in strong.deals:
        again = ss.deals(*strong.pair, sort=one.found.key, deals=600, seed=3, limit=3)
        assert (one.seen.deal, one.seen.value) in [(seen.deal, seen.value) for seen in again.seen]
    assert strong.deals[0].found.key == "swing"


def test_the_page_answers_with_sentences_first(found: Any) -> None:
    page = render(found[0], [], build.tables_of(found[0]))
    best = found[0].payoff.order[0]
    assert page.index(f"{best} ") < page.index("How strong is each policy?") < page.index("Deals worth seeing")
    assert "n = 600 pairs against master, 24 pairs against searcher" in page.replace("\u202f", " ")
    assert page.count('class="deal"') == 3 and page.count("every trick explained") == 6
    for one in found[0].strength.deals:
        assert f": deal {one.seen.deal}<" in page
    names = {drawing.name for drawing in build.drawings_of(found[0])}
    assert {"strength", "losses"} <= names
    frames = {table.name: table.frame for table in build.tables_of(found[0])}
    assert all("n" in frames[name] and not frames[name].isna().any(axis=None)
               for name in ("strength", "losses", "deals"))


def test_result_says_it_as_json(found: Any) -> None:
    said = json.loads(build.to_json(build.as_dict(found[0])))["strength"]
    assert said["against"]["searcher"].endswith("search: rollout; samples: 256; inference: 4")
    assert [one["policy"] for one in said["losses"]["policies"]] == ["careful", "champion", "master"]
    assert said["losses"]["policies"][0]["counted"]["where"] == "in the last six tricks"
    assert len(said["deals"]["shown"]) == 3 and said["ladder"][0]["n"] == 600


def test_the_ladder_comes_from_the_store_the_second_time(found: Any) -> None:
    with Store(found[1]) as store:
        runner = StoreRunner(threaded(1), store)
        again: Any = play_study(parse_study(STUDY.replace("analysed = 5", "analysed = 0")), runner)
    assert runner.played == 0 and section.ladder(again.strength) == section.ladder(found[0].strength)


def test_a_report_says_whether_the_ladder_changed(found: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "play_study", lambda *_: found[0])
    monkeypatch.setattr(build, "drawings_of", lambda findings: [])
    study = parse_study(STUDY)
    build.build(study, tmp_path / "out")
    assert build.build(study, tmp_path / "out").unchanged is True
    result = tmp_path / "out" / "result.json"
    said = json.loads(result.read_text(encoding="utf-8"))
    said["strength"]["ladder"][0]["tally_sha256"] = "0" * 64
    result.write_text(json.dumps(said), encoding="utf-8")
    assert build.build(study, tmp_path / "out").unchanged is False
    stored = pd.read_parquet(tmp_path / "out" / "tables" / "losses.parquet")
    assert set(stored["source"]) == {"worlds", "counted"}


def test_bauernschnapsen_has_a_ladder_and_deals_and_losses_if_it_knows_them() -> None:
    played = study_played(BAUERN)
    strong = played.strength
    steps = {(one.policy, one.against): one for one in section.ladder(strong)}
    assert steps["bold", "the best in words"].n == 400 and steps["the best in words", "guess"].n == 12
    assert steps["bold", "the best in words"].tally_sha256 == ss.simulate(
        "bold", "master", deals=400, game="bauernschnapsen").tally_sha256
    assert bool(strong.losses) == (load_game("bauernschnapsen").decisions is not None)
    assert len(seen.blocks(played)) == 3 and seen.sentence(played).startswith("A is expert, B is bold.")
    rows = next(answer.rows for answer in section.answers(played) if answer.name == "strength")
    assert [row[0] for row in rows] == ["expert", "bold", "the best in words"] and rows[2][1] == "–"


def test_a_single_policy_is_measured_too() -> None:
    text = 'deals = 300\npolicies = ["careful"]\n[strength]\nagainst = ["careful", "plain"]\nanalysed = 0\n'
    played = study_played(text)
    rows = next(answer.rows for answer in section.answers(played) if answer.name == "strength")
    assert rows[0][:2] == ("careful", "the same") and played.strength.losses == ()
    assert next(section.answer(played)).startswith("careful ")


def test_a_study_without_the_table_plays_nothing_for_it() -> None:
    played = study_played(STUDY.split("[strength]")[0].replace("600", "20"))
    assert played.strength is None and played.plays == 9 * 20
    assert build.as_dict(played)["strength"] is None and "How strong" not in render(played, [], [])


def test_analyses_use_as_many_threads_as_the_command_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def play_nothing(findings: Any, play: Any, threads: Any, heard: Any) -> None:
        asked.append(threads)

    monkeypatch.setattr("schneider_sim.report.findings.play_strength", play_nothing)
    monkeypatch.setattr(build, "drawings_of", lambda findings: [])
    (tmp_path / "s.toml").write_text('deals = 20\npolicies = ["plain"]\n[strength]\n')
    for words in (["--threads", "1"], ["--engine", "serial"], []):
        assert call("report", str(tmp_path / "s.toml"), "--out", str(tmp_path / "out"), *words).exit_code == 0
    assert asked == [1, 1, None]


def test_a_match_up_that_searches_plays_fewer_deals() -> None:
    study: Any = parse_study('deals = 5000\npolicies = ["plain", "searcher"]\n[strength]\n')
    ladder = strength._ladder(study, study.asked)
    sizes = {one[:2]: one.experiment.deals if one.experiment else one.met for one in ladder}
    assert sizes == {("plain", "master"): 5000, ("searcher", "master"): 1000, ("master", "searcher"): 1000,
                     ("plain", "searcher"): ("plain", "searcher"), ("searcher", "searcher"): None}


def test_match_ups_of_the_study_are_rungs_whichever_side_is_first() -> None:
    text = 'deals = 512\n[policies]\nbest = "master"\nother = "careful"\n[strength]\nagainst = ["master"]\n'
    played = study_played(f"{text}analysed = 1")
    best, other = played.strength.rungs
    assert best.series is None and other.series is played.find("best", "other").series and other.side == "B"
    assert played.strength.series == () and played.plays == 512 * 4 + 4
    step = section.ladder(played.strength)[0]
    assert step.policy == "other" and step.value == -played.payoff.between("best", "other").value
    sample = points_lost(ss.simulate("careful", "master", deals=1).experiment.match_up)
    assert played.strength.losses[1].counted.total.value == sample
