"""Files that a command writes: links are followed, pipes refused, nobody's file is lost, and any name will do."""

import json
import os
from pathlib import Path

import pytest

from commandline import call, refused
from schneider_sim.base.files import replacing
from schneider_sim.errors import RequestError, RunError
from schneider_sim.runs.experiment import make_experiment
from schneider_sim.store import Store
from schneider_sim.store.records import write_records
from schneider_sim.store.reuse import StoreRunner

POLICIES = ("plain", "greedy")
PLAYED = (*POLICIES, "--deals", "300", "--engine", "serial")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "runs.sqlite"
    assert call("simulate", *PLAYED, "--store", str(path)).exit_code == 0
    return path


def words(kind: str, target: Path, store: Path) -> tuple[str, ...]:
    """A command that writes `target`, whose folder is that of an answer for `compare`."""
    return {
        "records": ("simulate", *PLAYED, "--store", str(store), "--records", str(target)),
        "export": ("runs", "export", str(target), "--store", str(store)),
        "compare": ("compare", *POLICIES, "--precision", "2", "--max-deals", "64", "--store", str(store),
                    "--engine", "serial", "--out", str(target.parent)),
    }[kind]


KINDS = {"records": "plays.parquet", "export": "runs.json", "compare": "compare.json"}
EVERY = pytest.mark.parametrize("kind", KINDS)


@EVERY
def test_links_are_followed_and_stay(tmp_path: Path, store: Path, kind: str) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    link, file = tmp_path / "here" / KINDS[kind], tmp_path / "there" / "kept"
    for _ in range(2):  # a link to nothing, then to what was written
        if not link.is_symlink():
            link.symlink_to("../there/kept")
        assert call(*words(kind, link, store)).exit_code == 0
        assert link.is_symlink() and file.stat().st_size > 100 and os.listdir(tmp_path / "there") == ["kept"]
        os.chmod(file, 0o600)
    assert file.stat().st_mode & 0o777 == 0o600


@EVERY
@pytest.mark.parametrize("obstacle", ["pipe", "folder", "theirs", "empty"])
def test_what_is_no_file_of_ours_is_left_alone(tmp_path: Path, store: Path, kind: str, obstacle: str) -> None:
    target = tmp_path / KINDS[kind]
    if obstacle == "pipe":
        os.mkfifo(target)
    elif obstacle == "folder":
        target.mkdir()
    else:
        target.write_text("years of work" if obstacle == "theirs" else "")
    said = refused(*words(kind, target, store))
    assert str(target) in said
    assert {"pipe": "it is a pipe", "folder": "it is a folder"}.get(obstacle, "another") in said
    assert os.listdir(tmp_path) == [target.name]
    assert obstacle != "theirs" or target.read_text() == "years of work"


def test_files_of_one_kind_never_replace_those_of_another(tmp_path: Path, store: Path) -> None:
    file = tmp_path / "both.parquet"
    assert call(*words("export", file, store)).exit_code == 0
    assert "a file of another kind is there" in refused(*words("records", file, store))
    assert call(*words("export", file, store)).exit_code == 0
    file.unlink()
    assert call(*words("records", file, store)).exit_code == 0
    assert "a file of another kind is there" in refused(*words("export", file, store))
    assert call(*words("records", file, store)).exit_code == 0


@pytest.mark.parametrize("command, name", [
    (("tournament", *POLICIES), "ranking.csv"), (("factorial",), "cells.csv"),
    (("factorial", "--vary", "memory=full,none"), "curve.png"),
])
def test_tables_of_somebody_else_are_left_alone(tmp_path: Path, command: tuple[str, ...], name: str) -> None:
    (tmp_path / name).write_text("mine")
    assert "not a file of an earlier answer" in refused(*command, "--deals", "64", "--out", str(tmp_path))
    assert (tmp_path / name).read_text() == "mine"


def test_nothing_is_played_for_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    def engine(*_: object) -> None:
        raise AssertionError("played")

    target = tmp_path / "plays.parquet"
    target.write_text("mine")
    with pytest.raises(RequestError, match="another kind"):
        write_records(make_experiment(*POLICIES), target, StoreRunner(engine, lambda: Store(tmp_path / "runs.sqlite")))  # type: ignore[arg-type]
    assert os.listdir(tmp_path) == ["plays.parquet"]


def test_a_file_that_cannot_take_its_place_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "plays.parquet"

    def play(new: Path) -> None:
        new.write_text("hours of play")
        path.mkdir()

    with pytest.raises(RunError, match=r"the whole file is there as '.*plays-\w+\.parquet'"), replacing(path) as new:
        play(new)
    [kept] = tmp_path.glob("plays-*.parquet")
    assert kept.read_text() == "hours of play" and len(os.listdir(tmp_path)) == 2


def test_a_protected_file_and_a_link_in_a_circle_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, link = tmp_path / "a", tmp_path / "link"
    file.write_text("mine")
    link.symlink_to("link")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != file)  # as for anybody but root
    for path, said in ((file, "protected against writing"), (link, "leads nowhere")):
        with pytest.raises(RequestError, match=said), replacing(path):
            raise AssertionError
    assert file.read_text() == "mine" and link.is_symlink()


@pytest.mark.parametrize("folder", ["a folder", "für Größe", "50%20off?#x", "-dash", "quote'\"s", "中文", "a" * 200])
def test_folders_and_files_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / folder)
    store, rows, out = f"{folder[:40]}.sqlite", f"./{folder[:40]}.parquet", f"./{folder[:40]}.json"
    done = call("simulate", *PLAYED, "--store", f"./{store}", "--records", rows)
    assert done.exit_code == 0, done.output
    assert call("runs", "export", out, "--store", f"./{store}").exit_code == 0
    assert call("runs", "import", out, "--store", "./other").exit_code == 0
    for opened in (f"./{store}", "./other"):
        [listed] = json.loads(call("runs", "list", "--json", "--store", opened).stdout)["runs"]
        assert listed["deals"] == 300
    assert sorted(os.listdir()) == sorted([store, rows[2:], out[2:], "other"])
    with Store(Path(store), reading=True) as read:
        assert len(read.runs()) == 1
