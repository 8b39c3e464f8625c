"""Comparisons: stops that depend on deals alone, answers, degenerate cases, exit statuses, and measured errors."""

import itertools
import json
import math
import shlex
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schneider_sim.cli.app import app
from schneider_sim.engines.threads import in_order, ordered, run, serial, threaded
from schneider_sim.errors import RequestError
from schneider_sim.runs.experiment import make_experiment
from schneider_sim.store import Store
from schneider_sim.store.reuse import StoreRunner
from schneider_sim.versus.compare import Precision, Sprt, Verdict, compare
from schneider_sim.versus.looks import FIRST_LOOK, following, stages
from schneider_sim.versus.question import H0, H1, PRECISE, UNDECIDED
from schneider_sim.versus.verdict_text import block

from .synthetic import drawing, pair_means, tilted

STRONG = "lead: safe dead honour high; follow: capture not-blocker dead pip low"  # not presets: those may get better
PLAIN = "lead: safe honour; follow: capture dead pip"
CAREFUL = "lead: safe dead honour high; follow: capture not-safe dead pip low"


def outcome(a: str, b: str, question: Any, deals: int = 10**6, threads: int = 1, **request: Any) -> Verdict:
    return compare(make_experiment(a, b, deals=deals, **request), question, partial(in_order, threads=threads))


def status_of(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        app.main(["compare", *words, "--no-store"])
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def test_looks_are_eight_to_a_doubling() -> None:
    grid = [FIRST_LOOK]
    while grid[-1] < 10**9:
        grid.append(following(grid[-1]))
    assert set(2 ** np.arange(10, 30)) <= set(grid)
    assert len([n for n in grid if 2**20 <= n < 2**21]) == 8
    assert max(b / a for a, b in itertools.pairwise(grid) if a >= 8192) <= 1.125


@pytest.mark.parametrize("first", [0, 1, 5000, 2**32 - 7])
@pytest.mark.parametrize("deals", [1, 1024, 8193, 10**8])
def test_stages_cover_the_deals_once(first: int, deals: int) -> None:
    place = first
    for stage in stages(make_experiment(PLAIN, "greedy", first=first, deals=deals)):
        for start, stop in stage.ranges():
            assert start == place < stop
            place = stop
    assert place == first + deals


@pytest.mark.parametrize("question", [Precision(0.01), Sprt(0.085, 0.1)])
def test_verdict_does_not_depend_on_threads_or_limit(question: Any) -> None:
    one = outcome(STRONG, PLAIN, question)
    three = outcome(STRONG, PLAIN, question, threads=3)
    assert one.as_dict() == three.as_dict()
    assert one.pairs > 8192
    later = outcome(STRONG, PLAIN, question, deals=10**8, threads=2)
    assert (later.pairs, later.answer, later.tally.sha256) == (one.pairs, one.answer, one.tally.sha256)


def test_verdict_is_the_same_from_a_store_that_holds_some_of_it(tmp_path: Path) -> None:
    question, experiment = Precision(0.012), make_experiment(STRONG, PLAIN, deals=10**6)
    fresh = compare(experiment, question, ordered(serial))
    with Store(tmp_path / "store.sqlite") as store:
        compare(experiment, Precision(0.03), StoreRunner(serial, store))
        half, whole = StoreRunner(threaded(2), store), StoreRunner(serial, store)
        first = compare(experiment, question, half)
        again = compare(experiment, question, whole)
    assert fresh.as_dict() == first.as_dict() == again.as_dict()
    assert half.reused > 0 and half.played > 0
    assert (whole.reused, whole.played) == (fresh.pairs, 0)


def test_counts_are_those_of_a_plain_run_of_the_same_deals() -> None:
    verdict = outcome(CAREFUL, PLAIN, Precision(0.02), first=777)
    whole = run(make_experiment(CAREFUL, PLAIN, first=777, deals=verdict.pairs))
    assert verdict.tally.sha256 == whole.sha256
    assert sum(verdict.reader.plays(whole.vector)) == 2 * verdict.pairs


def test_precision_is_reached_at_the_first_look_that_reaches_it() -> None:
    verdict = outcome(CAREFUL, "greedy", Precision(0.02))
    halves = [(row["high"] - row["low"]) / 2 for row in verdict.trace()]
    assert halves[-1] <= 0.02 < min(halves[:-1])
    assert verdict.estimate.low < verdict.estimate.value < verdict.estimate.high


def test_test_stops_at_the_first_look_outside_the_bounds() -> None:
    verdict = outcome(STRONG, PLAIN, Sprt(0.0, 0.02), first=10**6)
    assert verdict.test is not None
    assert verdict.answer == H1
    before = [row["llr"] for row in verdict.trace()[:-1]]
    assert all(verdict.test.lower < llr < verdict.test.upper for llr in before)
    assert verdict.test.llr >= verdict.test.upper


def test_swapping_a_and_b_mirrors_the_answer() -> None:
    ahead = outcome(STRONG, "greedy", Sprt(-0.02, 0.02))
    behind = outcome("greedy", STRONG, Sprt(-0.02, 0.02))
    assert (ahead.answer, behind.answer) == (H1, H0)
    assert ahead.estimate.value == pytest.approx(-behind.estimate.value, abs=1e-9)


@pytest.mark.parametrize(
    "question, answer",
    [(Precision(0.01), PRECISE), (Sprt(0, 0.02), H0), (Sprt(-0.02, 0), H1), (Sprt(-0.01, 0.01), UNDECIDED)],
)
def test_identical_policies_are_zero_by_symmetry(question: Any, answer: str) -> None:
    verdict = outcome(f"{CAREFUL}; ties: first", f"{CAREFUL};  ties: first", question, deals=10**9)
    assert (verdict.answer, verdict.pairs, verdict.identical) == (answer, FIRST_LOOK, True)
    assert verdict.estimate[:3] == (0.0, 0.0, 0.0)
    assert "same policy" in block(verdict) and "exactly 0" in block(verdict)
    wins, _, losses = verdict.reader.plays(verdict.tally.vector)
    assert wins == losses > 0


@pytest.mark.parametrize("question", [Precision(0.01), Sprt(0, 0.02)])
def test_different_words_for_the_same_play_have_no_variance(question: Any) -> None:
    verdict = outcome("lead: honour; follow: capture", "lead: honour not-pip; follow: capture", question)
    assert not verdict.identical
    assert verdict.answer in (PRECISE, H0)
    assert verdict.pairing.correlation == pytest.approx(-1)
    assert verdict.as_dict()["pairing"]["factor"] is None
    assert verdict.estimate.low < 0 < verdict.estimate.high
    assert any("cancelled exactly" in remark for remark in verdict.remarks)


@pytest.mark.parametrize("deals", [1, 2, 10, 999])
@pytest.mark.parametrize("question", [Precision(0.01), Sprt(0, 0.02)])
def test_few_deals_give_an_honest_wide_answer(question: Any, deals: int) -> None:
    verdict = outcome(STRONG, CAREFUL, question, deals=deals)
    assert verdict.answer == UNDECIDED
    assert verdict.pairs == deals
    assert -3 <= verdict.estimate.low < verdict.estimate.high <= 3
    json.dumps(verdict.as_dict(), allow_nan=False)
    assert "nan" not in block(verdict).casefold() and "inf" not in block(verdict)
    assert any("Only" in remark for remark in verdict.remarks)


def test_an_opponent_that_plays_by_lot_is_named() -> None:
    verdict = outcome(STRONG, "random", Precision(0.05))
    assert any(remark.startswith("B plays at random") for remark in verdict.remarks)
    assert verdict.estimate.low > 2


@pytest.mark.parametrize(
    "question",
    [Sprt(0.02, 0.0), Sprt(0.0, 0.0), Sprt(0, 3), Sprt(-3, 0), Sprt(0, math.inf), Sprt(math.nan, 1),
     Sprt(0, 0.1, alpha=0.6, beta=0.5), Sprt(0, 0.1, alpha=0), Precision(0), Precision(-1), Precision(math.nan),
     Precision(math.inf)],
)
def test_impossible_questions_are_refused_before_a_deal_is_played(question: Any) -> None:
    def nothing(experiment: Any) -> Any:
        raise AssertionError("a deal was played")

    with pytest.raises(RequestError):
        compare(make_experiment(PLAIN, "greedy"), question, nothing)


def test_independent_deals_are_refused() -> None:
    with pytest.raises(RequestError, match="duplicate"):
        outcome(PLAIN, "greedy", Precision(), design="independent")


def test_pasted_minus_signs_are_minus_signs(capsys: pytest.CaptureFixture[str]) -> None:
    plain = status_of(capsys, STRONG, PLAIN, "--sprt", "-0.05", "0.05", "--json")
    assert status_of(capsys, STRONG, PLAIN, "--sprt", "\u22120.05", "0.05", "--json") == plain
    assert plain[0] == 0


def test_exit_statuses(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(capsys, STRONG, "greedy", "--sprt", "0", "0.02")[0] == 0
    assert status_of(capsys, "greedy", STRONG, "--sprt", "0", "0.02")[0] == 3
    assert status_of(capsys, STRONG, CAREFUL, "--sprt", "0", "0.02", "--max-deals", "20")[0] == 4
    assert status_of(capsys, STRONG, "greedy", "--precision", "0.05")[0] == 0
    assert status_of(capsys, STRONG, "greedy", "--precision", "0.01", "--max-deals", "100")[0] == 4
    assert status_of(capsys, STRONG, "greedy", "--sprt", "0.02", "0")[0] == 2
    assert status_of(capsys, STRONG, "greedy", "--sprt", "0", "0.02", "--precision", "1")[0] == 2
    assert status_of(capsys, STRONG, "greedy", "--alpha", "0.1")[0] == 2
    assert status_of(capsys, STRONG, "nobody")[0] == 2


def test_json_is_pure_and_its_command_repeats_it(capsys: pytest.CaptureFixture[str]) -> None:
    words = [STRONG, PLAIN, "--sprt", "0", "0.05", "--seed", "9", "--first", "5", "--variant", "higher",
             "--max-deals", "5000", "--json"]
    status, out, err = status_of(capsys, *words)
    answer = json.loads(out)
    assert answer["status"] == status
    assert "LLR" in err and "deals" in err
    program, verb, *again = shlex.split(answer["command"])
    assert (program, verb) == ("schneider-sim", "compare")
    assert json.loads(status_of(capsys, *again, "--json")[1]) == answer
    assert answer["estimate"]["n"] == answer["deals"] == sum(count for _, count in answer["pair_counts"])
    assert answer["wins"] + answer["ties"] + answer["losses"] == answer["plays"] == 2 * answer["deals"]


@pytest.mark.parametrize("question", [["--precision", "0.02"], ["--sprt", "0", "0.02"]])
def test_looks_and_figure_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path, question: list[str]) -> None:
    out = tmp_path / "new" / "folder"
    status, text, _ = status_of(capsys, STRONG, PLAIN, *question, "--json", "--out", str(out))
    assert status == 0
    assert {path.name for path in out.iterdir()} == {"compare.json", "compare.png", "compare.svg", "looks.csv"}
    assert json.loads((out / "compare.json").read_text()) == json.loads(text)
    assert len((out / "looks.csv").read_text().splitlines()) == 1 + len(json.loads(text)["looks"])
    (tmp_path / "file").write_text("")
    assert status_of(capsys, STRONG, PLAIN, "--out", str(tmp_path / "file"))[0] == 2


def test_rules_that_make_deals_worthless_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = status_of(capsys, STRONG, PLAIN, "--rules", "win_points=0,0,0")
    assert (status, out) == (2, "")
    assert "win_points" in err


def test_block_says_all_that_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = status_of(capsys, STRONG, PLAIN, "--precision", "0.02")
    for part in ("standard rules", "of seed 1", "A won", "95 % interval", "valid at every look", "the requested",
                 "times as many independent deals", "with probability 0.9", "sha256", "\nagain     schneider-sim "):
        assert part in out


def test_the_answer_comes_first_and_in_the_users_names(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = status_of(capsys, "greedy", "plain", "--precision", "0.1")
    answer, *rest = out.splitlines()
    assert answer.startswith("answer    plain is better: ") and " VP per deal (" in answer
    assert rest[1] == "A         greedy  =  lead:; follow: capture"
    assert rest[-1].startswith("again     schneider-sim compare greedy plain ")
    _, again, _ = status_of(capsys, *shlex.split(rest[-1])[3:])
    assert again == out
    _, out, _ = status_of(capsys, "careful", "careful; ties: first", "--max-deals", "1024")
    assert out.startswith("answer    careful and B are not separated: careful gains ")
    assert "not decided yet" in out.splitlines()[0]


@pytest.mark.slow
@pytest.mark.parametrize("truth, wrong", [(0.0, H1), (0.02, H0)])
def test_errors_of_the_whole_comparison_stay_nominal(truth: float, wrong: str) -> None:
    runs = 2000
    experiment = make_experiment(STRONG, PLAIN, deals=10**6)
    law = tilted(run(make_experiment(STRONG, PLAIN, deals=2**18))["joint"].ravel(), pair_means(experiment), truth)
    answers, inside = [], 0
    for k in range(runs):
        verdict = compare(experiment, Sprt(0.0, 0.02), drawing(law, k))
        answers.append(verdict.answer)
        inside += verdict.estimate.low <= truth <= verdict.estimate.high
    limit = 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert answers.count(wrong) / runs <= limit
    assert UNDECIDED not in answers
    assert 1 - inside / runs <= limit


@pytest.mark.slow
def test_interval_at_the_stop_holds_although_the_run_looked() -> None:
    runs, truth = 2000, 0.3
    experiment = make_experiment(STRONG, PLAIN, deals=10**6)
    law = tilted(run(make_experiment(STRONG, PLAIN, deals=2**18))["joint"].ravel(), pair_means(experiment), truth)
    missed = 0
    for k in range(runs):
        rows = compare(experiment, Precision(0.03), drawing(law, k)).trace()
        missed += any(not row["low"] <= truth <= row["high"] for row in rows)
    assert missed / runs <= 0.05
