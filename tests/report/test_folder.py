"""The folder of a report: whole, repeatable, and never at the cost of anybody's files."""

import json
import os
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

import schneider_sim as ss
from commandline import call, refused
from schneider_sim.errors import RequestError, RunError
from schneider_sim.games import load_game
from schneider_sim.report import build, folder
from schneider_sim.report.study import parse_study
from schneider_sim.runs.experiment import make_experiment
from schneider_sim.versus.factorial import factorial

TINY = 'deals = 40\npolicies = ["plain", "greedy"]\n'


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports without figures and tables, which take most of the time."""
    monkeypatch.setattr(build, "drawings_of", lambda findings: [])
    monkeypatch.setattr(build, "tables_of", lambda findings: [])


def contents(place: Path) -> dict[str, bytes]:
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def test_everything_is_there_and_listed(report: Path) -> None:
    result = json.loads((report / "result.json").read_text(encoding="utf-8"))
    assert sorted(result["files"]) == sorted(contents(report))
    assert {"index.html", "study.toml", "result.json", "tables/estimates.csv"} <= set(result["files"])
    figures = {Path(name).stem for name in result["files"] if name.startswith("figures/")}
    assert {"payoff", "comparisons", "sessions", "first_leader", "schneider", "schwarz", "running", "sprt", "honours",
            "honour_flow", "lead_success", "replies", "factorial", "factorial_effects"} == figures
    assert all(f"{kind}/{name}.{end}" in result["files"] for kind, ends, names in (
        ("figures", ("png", "svg"), figures), ("tables", ("csv", "parquet"), ["estimates", "comparisons", "tricks"]))
        for name in names for end in ends)
    assert [path for path in report.parent.iterdir() if path.name.startswith(".")] == []


def test_result_holds_the_runs_of_the_library(report: Path) -> None:
    result = json.loads((report / "result.json").read_text(encoding="utf-8"))
    assert result["schema"] == folder.SCHEMA and len(result["match_ups"]) == 6 and len(result["comparisons"]) == 3
    one, own = result["match_ups"][0], result["match_ups"][3]
    assert one["names"] == {"A": "</script><b>", "B": "$x^2$ {{ 7*7 }} 10 %"}
    again = ss.simulate("plain", "greedy", deals=1500, seed=5, rules={"schneider_at": 17})
    assert one["tally_sha256"] == again.tally_sha256 and one["joint"] == again.as_dict()["joint"]
    alone = ss.simulate("plain", "plain", deals=1500, seed=5, rules={"schneider_at": 17}, design="independent")
    assert own["tally_sha256"] == alone.tally_sha256


def test_result_holds_the_factorial_study_of_the_library(report: Path) -> None:
    crossed = json.loads((report / "result.json").read_text(encoding="utf-8"))["factorial"]
    make = partial(make_experiment, deals=1200, seed=5, rules={"schneider_at": 17})
    again = factorial(["random", "safe honour"], ["capture dead pip", "low"], make, load_game("bohemian").grammar,
                      against="plain", base="random").as_dict()
    assert "command" not in crossed and crossed == {key: again[key] for key in crossed}
    cells = pd.read_csv(report / "tables" / "factorial.csv")
    assert cells["edge"].tolist() == pytest.approx([cell["edge"] for cell in again["cells"]], rel=1e-6, abs=1e-9)
    effects = pd.read_csv(report / "tables" / "factorial_effects.csv").groupby("kind")["effect"]
    assert effects.size().to_dict() == {"follow": 2, "interaction": 4, "lead": 2}
    assert effects.sum().tolist() == pytest.approx([0, 0, 0], abs=1e-6)


def test_its_own_command_makes_the_same_report(report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(report)
    done = call("report", "study.toml", "--out", "../again", "--threads", "2")
    assert done.exit_code == 0, done.output
    assert contents(report.parent / "again") == contents(report)


def test_tables_are_the_same_twice_and_say_their_n(report: Path) -> None:
    for path in (report / "tables").glob("*.csv"):
        frame, stored = pd.read_csv(path), pd.read_parquet(path.with_suffix(".parquet"))
        sampled = path.stem in ("honour_flow", "lead_success", "replies", "lead_changes", "endgame_losses",
                                "endgame_points")
        pd.testing.assert_frame_equal(frame, stored, check_dtype=False, rtol=1e-3 if sampled else 1e-6)
        assert path.stem == "honours" or "n" in frame.columns, path
        assert len(frame) and not frame.isna().any(axis=None), path
    sums = pd.read_csv(report / "tables" / "honours.csv").groupby(["a", "b", "first_leader"])["count"].sum()
    assert set(sums) == {1500, 750}


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(TINY)
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work")
    said = refused("report", str(tmp_path / "s.toml"), "--out", str(mine))
    assert "mine exists and is not a report: give a new folder" in said
    assert contents(mine) == {"thesis.txt": b"years of work"}
    (mine / "result.json").write_text('{"schema": "another program"}')
    assert "is not a report" in refused("report", str(tmp_path / "s.toml"), "--out", str(mine))
    assert "is a file" in refused("report", str(tmp_path / "s.toml"), "--out", str(tmp_path / "s.toml"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "s.toml"]


@pytest.mark.usefixtures("bare")
def test_a_report_is_replaced_unless_something_was_added(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    (tmp_path / "s.toml").write_text(TINY)
    words = ("report", str(tmp_path / "s.toml"), "--out", str(out))
    assert call(*words).exit_code == 0
    first = contents(out)
    again = call(*words)
    assert again.exit_code == 0 and "every tally is the same" in again.stderr and contents(out) == first
    (tmp_path / "s.toml").write_text(TINY + "# other\n")
    assert call(*words).exit_code == 0 and b"# other" in contents(out)["study.toml"]
    (out / ".DS_Store").write_bytes(b"")
    assert call(*words).exit_code == 0
    (out / "notes.md").write_text("mine")
    before = contents(out)
    assert "holds what no report wrote (notes.md)" in refused(*words)
    assert contents(out) == before and [path.name for path in (tmp_path / "deep").iterdir()] == ["out"]


@pytest.mark.usefixtures("bare")
def test_a_study_may_lie_in_the_folder_that_it_makes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "reports" / "mine"
    place.mkdir(parents=True)
    (place / "study.toml").write_text(TINY + 'load = []\n')
    done = call("report", "reports/mine/study.toml")
    assert done.exit_code == 0 and Path(done.stdout.strip()) == Path("reports/mine/index.html")
    assert (place / "study.toml").read_text() == TINY + "load = []\n"


def test_nothing_is_played_for_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    study = parse_study(TINY)

    def play(experiment: object) -> object:
        raise AssertionError("played")

    with pytest.raises(RequestError, match=r"cannot write .*file/out"):
        build.build(study, tmp_path / "file" / "out", play=play)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="played"):
        build.build(study, tmp_path / "out", play=play)  # type: ignore[arg-type]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.usefixtures("bare")
def test_a_failure_leaves_the_old_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    build.build(parse_study(TINY), out)
    before = contents(out)

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(build, "render", full)
    with pytest.raises(RunError, match=r"cannot write .*No space left"):
        build.build(parse_study(TINY + "seed = 2\n"), out)
    assert contents(out) == before and [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("text, said", [
    ("deal = 3\npolicies = ['plain']", "unknown key 'deal'; did you mean 'deals'?"),
    ("deals = \n", "not valid TOML"),
])
def test_a_wrong_study_is_one_line_and_leaves_nothing(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "s.toml").write_text(text)
    assert said in refused("report", str(tmp_path / "s.toml"), "--out", str(tmp_path / "out"))
    assert [path.name for path in tmp_path.iterdir()] == ["s.toml"]


@pytest.mark.usefixtures("bare")
def test_preferences_go_with_the_report_of_their_study(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    source = ("from schneider_sim import preference\n\n"
              "@preference('spades')\ndef spades(view):\n    return view.hand & 0xFF\n")
    (tmp_path / "sub" / "mine.py").write_text(source)
    text = 'deals = 30\nload = ["sub/mine.py"]\n[policies]\na = "lead: spades"\nb = "plain"\n'
    (tmp_path / "s.toml").write_text(text)
    assert call("report", str(tmp_path / "s.toml"), "--out", str(tmp_path / "out")).exit_code == 0
    assert (tmp_path / "out" / "sub" / "mine.py").read_text() == source
    again = call("report", str(tmp_path / "out" / "study.toml"), "--out", str(tmp_path / "again"))
    assert again.exit_code == 0, again.output
    one, two = (json.loads((tmp_path / name / "result.json").read_text())["match_ups"] for name in ("out", "again"))
    assert one == two


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("out", ["../rep", "deep/../../rep/.", ".", "../link"])
def test_a_report_is_replaced_from_within(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str) -> None:
    place = tmp_path / "rep"
    build.build(parse_study(TINY), place)
    (place / "deep").mkdir()
    (tmp_path / "link").symlink_to("rep")
    monkeypatch.chdir(place)
    done = call("report", "study.toml", "--out", out)
    monkeypatch.chdir(tmp_path)
    assert done.exit_code == 0 and "every tally is the same" in done.stderr, done.output
    assert "the folder that you are in was replaced" in done.stderr
    assert (place / "result.json").is_file() and sorted(os.listdir(tmp_path)) == ["link", "rep"]


@pytest.mark.parametrize("stuck, said", [
    ([".new"], "the one that was there is in its place again"),
    ([".new", ".old"], "the one that was there is in {old}"),
    (["out"], ""),
])
def test_a_report_that_cannot_be_moved_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                   stuck: list[str], said: str) -> None:
    out, rename = tmp_path / "out", Path.rename
    with folder.new_folder(out, {}) as made:
        (made / "result.json").write_text(json.dumps({"schema": folder.SCHEMA, "files": []}))

    def refuse(path: Path, target: Path) -> Path:
        if path.name.endswith(tuple(stuck)):
            raise OSError(16, "Device or resource busy")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(RunError) as raised, folder.new_folder(out, {}) as made:
        (made / "index.html").write_text("hours of work")
    [new] = tmp_path.glob(".*.new")
    assert (new / "index.html").read_text() == "hours of work"
    old = new.with_suffix(".old")
    assert f"complete and cannot be moved to {out} (Device or resource busy): it is in {new}" in str(raised.value)
    assert said.format(old=old) in str(raised.value)
    assert ((old if ".old" in stuck else out) / "result.json").is_file()


@pytest.mark.usefixtures("bare")
def test_what_somebody_adds_while_a_report_is_made_costs_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out"
    build.build(parse_study(TINY), out)

    def add(made: Path) -> None:
        (made / "index.html").write_text("new")
        (out / "notes.md").write_text("mine")

    with pytest.raises(RunError, match=r"notes.md.* it is in .*\.new"), folder.new_folder(out, {}) as made:
        add(made)
    assert (out / "notes.md").read_text() == "mine" and (out / "result.json").is_file()
    assert [path.read_text() for path in tmp_path.glob(".*.new/index.html")] == ["new"]


def test_a_disk_of_its_own_is_refused_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    monkeypatch.setattr("os.path.ismount", lambda path: Path(path) == out)
    with pytest.raises(RequestError, match=r"a file system of its own .*; try .*report"), folder.new_folder(out, {}):
        raise AssertionError("played")
    assert os.listdir(tmp_path) == ["out"] and os.listdir(out) == []
