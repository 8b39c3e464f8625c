"""Every command is a function: one shape for all outcomes, which agree with the command's JSON, compare and pickle."""

import importlib.util
import json
import pickle

import pytest
from matplotlib.figure import Figure

import schneider_sim as ss
from commandline import call

MADE = {
    "simulate": lambda: ss.simulate("plain", "greedy", deals=300),
    "compare": lambda: ss.compare("plain", "random", precision=0.2, max_deals=2_000),
    "tournament": lambda: ss.tournament(["plain", "greedy", "random"], deals=300),
    "factorial": lambda: ss.factorial(["safe", "low"], ["capture", "low"], deals=300, contrasts="all"),
    "vary": lambda: ss.vary("memory", ["none", "full"], base="careful", deals=300, contrasts="none"),
    "rules": lambda: ss.vary("rules.schneider_at", [15, 17], base="plain", against="random", deals=300),
    "plan": lambda: ss.plan("plain", "random", difference=0.1, pilot=300),
    "sessions": lambda: ss.play_sessions("plain", "greedy", count=100),
    "tune": lambda: ss.tune("careful; lead:", sections=["lead"], words=["low"], rounds=1),
    "deals": lambda: ss.deals("plain", "greedy", deals=300, limit=2),
}
COMMANDS = {
    "simulate": "simulate plain greedy --deals 300",
    "compare": "compare plain random --precision 0.2 --max-deals 2000",
    "tournament": "tournament plain greedy random --deals 300",
    "factorial": "factorial --leads safe,low --follows capture,low --deals 300 --contrasts all",
    "vary": "factorial --vary memory=none,full --base careful --deals 300 --contrasts none",
    "rules": "factorial --vary rules.schneider_at=15,17 --base plain --against random --deals 300",
    "sessions": "sessions plain greedy --count 100",
    "deals": "deals plain greedy --deals 300 --limit 2",
}


@pytest.fixture(scope="module")
def made():
    found = {}

    def get(name):
        if name not in found:
            found[name] = MADE[name]()
        return found[name]

    return get


def test_no_public_function_bears_the_name_of_a_module():
    for name in set(ss.__all__) - {"__version__"}:
        assert importlib.util.find_spec(f"schneider_sim.{name}") is None, name
        assert getattr(ss, name) is not None


@pytest.mark.parametrize("name", MADE)
def test_an_outcome_has_the_one_shape(made, name):
    outcome = made(name)
    assert isinstance(outcome, ss.Outcome)
    assert len(outcome.summary) and set(outcome.tables) == {
        key for key, value in outcome.to_dict().items() if isinstance(value, list) and value
        and all(isinstance(row, dict) for row in value)}
    for figure in outcome.figures:
        drawn = outcome.figure(figure)
        assert isinstance(drawn, Figure) and getattr(drawn, "_repr_png_")().startswith(b"\x89PNG")  # noqa: B009
    assert "<table" in outcome._repr_html_() and "\n" not in repr(outcome) and str(outcome)
    with pytest.raises(ss.RequestError, match=r"unknown table 'rankings'"):
        outcome.table("rankings")


@pytest.mark.parametrize("name", MADE)
def test_an_outcome_compares_and_pickles(made, name):
    outcome = made(name)
    copy = pickle.loads(pickle.dumps(outcome))
    assert copy == outcome and hash(copy) == hash(outcome) and copy.summary.equals(outcome.summary)
    other = made("plan" if name != "plan" else "deals")
    assert outcome != other


@pytest.mark.parametrize("name", COMMANDS)
def test_an_outcome_is_the_command_s_json(made, name):
    done = call(*COMMANDS[name].split(), "--json")
    assert json.loads(done.stdout) == json.loads(json.dumps(made(name).to_dict()))


def test_judge_keeps_its_values(tmp_path):
    trace = ss.replay("plain", "greedy", deal=3)
    assert ss.judge(trace) == {"verdict": "right", "reason": None}
    wrong = {**trace, "honours": {"A": 20, "B": 0}}
    file = tmp_path / "traces.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in (trace, wrong)), encoding="utf-8")
    found = ss.judge(file)
    assert isinstance(found, list)
    assert found == ss.judge([trace, wrong]) and [one["verdict"] for one in found] == ["right", "wrong"]
    assert found == [json.loads(line) for line in call("judge", str(file), "--json").stdout.splitlines()]


WRONG = {
    "plan": (lambda: ss.plan("plain", "greedy"), r"difference=D"),
    "max_deals": (lambda: ss.tournament(["plain", "greedy"], max_deals=5), r"until_separated=True"),
    "precision": (lambda: ss.compare("plain", "greedy", precision=-1), r"^precision must be"),
    "sort": (lambda: ss.deals("plain", "greedy", sort="loss", rules={"beat_rule": "any_higher_same_suit"}), r"^sort"),
    "level": (lambda: ss.simulate("plain", "greedy", deals=10, level=95), r"level 95 is not"),
    "engine": (lambda: ss.simulate("plain", "greedy", deals=10, engine="gpu"), r"unknown engine 'gpu'"),
    "fresh": (lambda: ss.simulate("plain", "greedy", deals=10, fresh=True), r"fresh compares with a store"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_speak_of_arguments(name):
    wrong, said = WRONG[name]
    with pytest.raises(ss.RequestError, match=said) as raised:
        wrong()
    assert "--" not in str(raised.value)


def test_store_engine_and_progress_can_be_chosen(tmp_path):
    seen: list[int] = []
    file = tmp_path / "runs.sqlite"
    one = ss.simulate("plain", "greedy", deals=500, store=file, engine="serial", progress=seen.append)
    assert seen[-1] == 500 and file.exists()
    with ss.Store(file) as store:
        runner = ss.StoreRunner(ss.threaded(2), store)
        assert ss.simulate("plain", "greedy", deals=500, play=runner) == one
        assert (runner.reused, runner.played) == (500, 0)
        assert ss.simulate("plain", "greedy", deals=500, store=store, engine=ss.serial, fresh=True) == one


def test_sentences_name_the_policies_as_they_were_given() -> None:
    """The command says "careful is better than plain", and so does the library, in text and in a notebook."""
    run, verdict = ss.simulate("careful", "plain", deals=2_000), ss.compare("careful", "plain", precision=0.05)
    for said in (str(run), run._repr_html_()):
        assert "careful is better than plain" in said
    assert "careful is better" in str(verdict) and "again     schneider-sim compare careful plain" in str(verdict)
    assert "A is better" in str(ss.simulate("lead: safe; follow: capture", "plain; lead: low", deals=500))
    assert verdict == ss.compare("lead: safe not-blocker honour; follow: capture not-blocker dead pip", "plain",
                                 precision=0.05)


def test_a_notebook_shows_a_value_with_its_interval_and_no_more_digits_than_that_allows() -> None:
    shown = ss.position("champion", deal=17, trick=1, worlds=256)._repr_html_()
    first = ss.position("champion", deal=17, trick=1, worlds=256).cards[0]
    assert f"{first.value:.2f} ({first.low:.2f} to {first.high:.2f})" in shown and "behind_low" not in shown
