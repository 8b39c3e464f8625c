"""Factorial studies and curves: known main effects, honest answers, files, and plans of deals."""

import csv
import json
import math
import shlex
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schneider_sim.base.text import one_of
from schneider_sim.cli.app import app
from schneider_sim.engines.threads import in_order
from schneider_sim.errors import RequestError
from schneider_sim.games import load_game
from schneider_sim.results.text_tables import table
from schneider_sim.runs.experiment import make_experiment
from schneider_sim.versus.curve import Curve, curve
from schneider_sim.versus.factorial import EACH_OTHER, Factorial, answer, factorial, net_squares
from schneider_sim.versus.factorial_text import curve as curve_text
from schneider_sim.versus.factorial_text import study
from schneider_sim.versus.field import Joint, play_series
from schneider_sim.versus.plan import plan, play_pilot
from schneider_sim.versus.ranking import apart, first_in_words, groups, may_be_first, order_in_words, varies
from schneider_sim.versus.variations import rules_of, strongest, with_part

GRAMMAR = load_game("bohemian").grammar
PLAIN = "lead: safe honour; follow: capture dead pip"


def played(leads: list[str], follows: list[str], deals: int, against: str = PLAIN, **settings: Any) -> Factorial:
    make = partial(make_experiment, deals=deals)
    return factorial(leads, follows, make, GRAMMAR, against=against, base="random", **settings)


def varied(name: str, settings: list[str], deals: int, against: str = PLAIN, base: str = PLAIN) -> Curve:
    return curve(name, settings, partial(make_experiment, deals=deals), GRAMMAR, against=against, base=base)


@pytest.fixture(scope="module")
def lead_study() -> Factorial:
    """Lead rules that differ much with follow rules that differ little."""
    return played(["safe honour", "low"], ["capture dead pip", "capture dead pip low"], 5000)


def test_lead_rule_that_matters_is_named(lead_study: Factorial) -> None:
    assert "The lead rule matters more" in lead_study.sentences()[0]
    assert lead_study.shares[0] > 0.9
    assert lead_study.lead_matters_more == 1.0
    assert sum(lead_study.shares) == pytest.approx(1)


def test_follow_rule_that_matters_is_named() -> None:
    result = played(["safe honour", "safe honour high"], ["capture dead pip", "low"], 5000)
    assert "The follow rule matters more" in result.sentences()[0]


def test_effects_add_up_to_the_cells(lead_study: Factorial) -> None:
    rows, columns, both = (lead_study.effects.estimates[part] for part in lead_study.parts)
    cells = lead_study.cells.estimates.reshape(2, 2)
    assert np.allclose(cells, cells.mean() + rows[:, None] + columns[None, :] + both.reshape(2, 2))
    assert rows.sum() == pytest.approx(0, abs=1e-12)


def test_the_opponent_among_the_cells_is_exactly_zero(lead_study: Factorial) -> None:
    assert len(lead_study.series) == 3
    assert lead_study.cells[:3] is not None
    assert [lead_study.cells.estimates[0], lead_study.cells.low[0], lead_study.cells.high[0]] == [0, 0, 0]
    assert "the opponent itself" in study(lead_study, table)


def test_cells_on_common_deals_are_told_apart_better(lead_study: Factorial) -> None:
    contrast = np.array([[0.0, 0.0, 1.0, -1.0]]) @ lead_study.weights
    covariance = lead_study.edges.covariance
    together = float((contrast @ covariance @ contrast.T)[0, 0])
    apart = float((contrast**2 @ np.diag(covariance))[0])
    assert together < 0.8 * apart


def test_each_other_plays_a_round_robin_of_the_cells() -> None:
    result = played(["safe honour", "low"], ["capture", "capture dead"], 3000, against=EACH_OTHER)
    assert len(result.series) == 6
    assert result.cells.estimates.sum() == pytest.approx(0, abs=1e-12)
    assert [result.name(cell) for cell in result.best] == ["lead: safe honour; follow: capture dead"]


@pytest.mark.parametrize("deals", [1, 5, 500])
def test_few_deals_claim_nothing_for_sure(deals: int) -> None:
    result = played(["safe honour", "safe honour high"], ["capture dead pip", "capture dead pip low"], deals,
                    against="thrifty")
    assert result.sentences()[0].startswith("Nothing is established")
    assert "nan" not in json.dumps(result.as_dict(), allow_nan=False) + study(result, table)


def test_rules_that_play_alike_are_no_reason_to_fail() -> None:
    result = played(["honour", "honour not-pip"], ["capture", "capture low"], 2000, against="thrifty")
    rows = result.effects.estimates[result.parts[0]]
    assert np.abs(rows).max() == pytest.approx(0, abs=1e-12)
    json.dumps(result.as_dict(), allow_nan=False)


def test_studies_do_not_depend_on_threads() -> None:
    settings: dict[str, Any] = {"deals": 3000, "against": "thrifty"}
    one = played(["honour", "low"], ["capture", "low"], play=partial(in_order, threads=1), **settings)
    two = played(["honour", "low"], ["capture", "low"], play=partial(in_order, threads=3), **settings)
    assert one.as_dict() == two.as_dict()


def test_answer_claims_no_more_than_the_limits() -> None:
    parts = (slice(0, 2), slice(2, 4), slice(4, 8))

    def effects(rows: float, columns: float, both: float, half: float = 0.1) -> Joint:
        values = np.array([rows, -rows, columns, -columns, both, -both, -both, both])
        return Joint(values, values - half, values + half, np.ones(8, bool), np.eye(8) * (half / 2) ** 2, "made up")

    assert answer(effects(0.05, 0.05, 0.01), parts, (0.5, 0.5, 0), 0.5).startswith("Nothing is established")
    assert answer(effects(1, 0.05, 0.01), parts, (1, 0, 0), 1.0).startswith("The lead rule matters more")
    assert answer(effects(0.05, 1, 0.01), parts, (0, 1, 0), 0.0).startswith("The follow rule matters more")
    assert answer(effects(1, 1, 0.01), parts, (0.5, 0.5, 0), 0.6).startswith("It is not established which")
    assert "depends on the other" in answer(effects(1, 0.05, 1), parts, (0.5, 0, 0.5), 1.0)


def test_net_squares_take_off_the_noise() -> None:
    generator, size = np.random.default_rng(5), 2 + 3 + 6
    noise = generator.standard_normal((4000, size))
    raw = np.mean([(2 * 0, 0, 0)], axis=0)
    assert np.allclose(net_squares(np.zeros(size), np.ones(size), (2, 3)), raw)
    full = net_squares(noise, np.zeros(size), (2, 3)).mean(axis=1)
    assert np.allclose(full, [6, 6, 6], rtol=0.1)


def test_curve_of_memory(tmp_path: Path) -> None:
    result = varied("memory", ["none", "last-4", "full"], 4000)
    rows = result.rows()
    assert [row["memory"] for row in rows] == ["none", "last-4", "full"]
    assert rows[0]["edge"] < rows[1]["edge"] < rows[2]["edge"] == 0
    assert all(row["advantage_low"] < row["advantage"] < row["advantage_high"] for row in rows)
    assert "changes for sure: it is largest at full, smallest at none." in result.sentences()[0]
    assert all(str(one.match_up.a) == str(one.match_up.b) for one, _ in result.self_plays)
    assert {one.match_up.design for one, _ in result.self_plays} == {"independent"}
    assert "first leader's advantage" in curve_text(result, table)
    json.dumps(result.as_dict(), allow_nan=False)


def test_a_best_a_largest_and_an_order_name_only_what_is_separated() -> None:
    """Limits that overlap may both be the largest; a cell, setting or policy is the best where all others are below."""
    low, high = np.array([0.0, 0.9, 1.0, 0.05]), np.array([0.2, 1.3, 1.4, 0.3])
    assert varies("it is", list("abcd"), low, high) == "it is largest at b or c, smallest at a or d"
    assert varies("it is", list("abcd"), low, high + 1) is None
    better = apart(low, high)
    assert groups([2, 1, 3, 0], better) == [[2, 1], [3, 0]] and may_be_first(better) == [1, 2]
    assert first_in_words(list("abcd"), [2, 1, 3, 0], better).endswith("is not established: c or b.")
    assert "established in part: c, b > d, a, at 95 %" in order_in_words(list("abcd"), [2, 1, 3, 0], better)
    assert one_of(list("abcdefgh")) == "a, b, c, d, e, f or one of 2 more" and one_of("a") == "a"


@pytest.mark.parametrize("rules", [2, 7])
def test_the_best_of_few_or_many_cells_is_named_only_where_it_is_separated(rules: int) -> None:
    """Beyond 36 cells nothing was judged, and the first was called the best."""
    leads = ["safe honour", "low", "high", "honour", "safe", "random", "low high"][:rules]
    follows = ["capture dead pip", "capture dead pip low", "capture", "low", "high", "pip", "capture low"][:rules]
    result = played(leads, follows, 40)
    assert len(result.best) > 1 and result.sentences()[1].startswith("Which is the best is not established: ")


def test_curve_of_a_section_and_of_too_few_deals() -> None:
    result = varied("follow", ["capture dead pip", "capture dead pip low"], 300)
    assert "not established" in result.sentences()[0]


@pytest.mark.parametrize(
    "name, settings, against",
    [("colour", ["a", "b"], PLAIN), ("memory", ["none", "last-0"], PLAIN), ("memory", ["full", "full"], PLAIN),
     ("ties", ["random"], PLAIN)],
)
def test_impossible_curves_are_refused(name: str, settings: list[str], against: str) -> None:
    with pytest.raises(RequestError):
        varied(name, settings, 10, against)


def test_lists_of_rules() -> None:
    assert rules_of(" safe  honour ,low,", "--leads") == ("safe honour", "low", "random")
    for text in ("low", "low, low", ""):
        with pytest.raises(RequestError):
            rules_of(text, "--leads")
    assert str(with_part(GRAMMAR, GRAMMAR.parse("plain"), "lead", "random")).startswith("lead:; follow:")
    assert strongest(GRAMMAR) == "champion"
    with pytest.raises(RequestError, match="word in 'lead'"):
        with_part(GRAMMAR, GRAMMAR.parse("plain"), "lead", "sav")


def test_same_rule_in_other_words_of_the_list_is_refused() -> None:
    with pytest.raises(RequestError, match="same policy"):
        played(["honour", "honour"], ["low", "high"], 10)


def test_plan_agrees_with_the_formula_and_with_what_was_asked() -> None:
    pilot = play_pilot(make_experiment(PLAIN, "thrifty", deals=4096))
    planned = plan(pilot, 0.02, 50_000)
    assert planned.needed is not None and planned.missed is not None
    expected = ((1.959964 + 1.281552) * pilot.spread.value / 0.02) ** 2
    assert planned.needed.pairs == pytest.approx(expected, rel=1e-3)
    assert planned.needed.low < planned.needed.pairs < planned.needed.high
    assert planned.missed * math.sqrt(50_000) == pytest.approx(0.02 * math.sqrt(expected), rel=1e-3)
    assert pilot.speed > 100
    assert plan(pilot, -0.02).needed == planned.needed
    json.dumps(planned.as_dict(), allow_nan=False)


def test_planned_deals_show_the_difference_as_often_as_promised() -> None:
    a, b, difference = f"{PLAIN} low", PLAIN, 0.0086
    needed = plan(play_pilot(make_experiment(a, b, deals=16_384)), difference).needed
    assert needed is not None
    runs = [play_series(make_experiment(a, b, deals=needed.pairs, seed=100 + k)).estimate().low > 0 for k in range(40)]
    assert 29 <= sum(runs) <= 40


def test_plans_say_plainly_what_cannot_be_planned() -> None:
    same = play_pilot(make_experiment("plain", "plain", deals=64))
    assert "exactly 0" in plan(same, 0.1).sentences()[0]
    assert plan(same, 0.1).as_dict()["needed"] is None
    still = plan(play_pilot(make_experiment("lead: honour", "lead: honour not-pip", deals=64)), 0.1)
    assert still.needed is not None and still.needed.pairs > 10
    pilot = play_pilot(make_experiment("plain", "random", deals=64))
    assert any("at random" in sentence for sentence in plan(pilot, 0.1).sentences())
    for wrong in (0.0, math.nan, math.inf, 3.0, -7.0):
        with pytest.raises(RequestError):
            plan(pilot, wrong)
    with pytest.raises(RequestError):
        plan(pilot)
    with pytest.raises(RequestError):
        plan(pilot, 0.1, alpha=0.95)


def test_clock_starts_after_the_kernel_is_there() -> None:
    ticks = iter([10.0, 12.0])
    pilot = play_pilot(make_experiment("plain", "greedy", deals=512), clock=lambda: next(ticks))
    assert pilot.speed == 256


def test_command_lines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            app.main([*words])
        assert isinstance(ended.value.code, int)
        return ended.value.code, *capsys.readouterr()

    out = tmp_path / "a study"
    words = ["factorial", "--leads", "safe honour,low", "--follows", "capture,random", "--deals", "500", "--no-store"]
    status, text, _ = run(*words, "--json", "--out", str(out))
    answer_ = json.loads(text)
    assert status == 0
    assert {path.name for path in out.iterdir()} == {"cells.csv", "effects.csv", "factorial.json", "factorial.png",
                                                     "factorial.svg"}
    with (out / "cells.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 4
    assert json.loads((out / "factorial.json").read_text()) == answer_
    _, *again = shlex.split(answer_["command"])
    assert json.loads(run(*again, "--json", "--no-store")[1]) == answer_
    status, text, _ = run("factorial", "--vary", "memory=none,full", "--deals", "300", "--no-store", "--out", str(out))
    assert status == 0 and "again: schneider-sim factorial --vary" in text
    assert {path.name for path in out.iterdir() if path.name.startswith("curve")} == {"curve.csv", "curve.json",
                                                                                     "curve.png", "curve.svg"}
    (tmp_path / "file").write_text("")
    assert run(*words, "--out", str(tmp_path / "file" / "below"))[0] == 2
    for wrong in (["--leads", "low,high"], ["--leads", "low,sav", "--follows", "low,high"], ["--vary", "memory"],
                  ["--vary", "memory=none,full", "--leads", "low,high"], []):
        assert run("factorial", *wrong, "--deals", "10", "--no-store")[0] == 2
    status, text, _ = run("plan", "plain", "thrifty", "--difference", "0.05", "--pilot", "1000")
    assert status == 0 and "deals a second" in text and "--sprt 0 0.05" in text
    assert run("plan", "plain", "thrifty")[0] == 2


def test_bauernschnapsen_goes_the_same_way() -> None:
    experiment = make_experiment("random", "random; lead: high", game_name="bauernschnapsen", deals=64)
    planned = plan(play_pilot(experiment), 0.5)
    assert planned.needed is not None and planned.needed.pairs > 1
    grammar = load_game("bauernschnapsen").grammar
    make = partial(make_experiment, game_name="bauernschnapsen", deals=64)
    result = factorial(["high", "low"], ["win", "low"], make, grammar, against="random", base="random")
    assert result.cells.estimates.size == 4
    assert replace(result, level=0.9).cells.low[0] > result.cells.low[0]
