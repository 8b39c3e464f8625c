"""When the set-up installs what: a whole .venv is used as it stands, a half-built or outdated one is not."""

import contextlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Installations:
    """bootstrap.py on a made-up folder, with pip and venv replaced by a record of what they were asked."""

    def __init__(self, bootstrap: Any, folder: Path) -> None:
        self.bootstrap = bootstrap
        self.asked: list[str] = []
        self.fault: BaseException | None = None
        self.version = ""
        self.move(folder)

    def move(self, folder: Path) -> None:
        venv = folder / ".venv"
        for name, value in {"ROOT": folder, "VENV": venv, "STAMP": venv / "schneider-sim.json"}.items():
            setattr(self.bootstrap, name, value)

    def make_venv(self) -> None:
        self.asked.append("venv")
        self.version = "3.12.1"
        self.bootstrap.VENV.mkdir(exist_ok=True)
        self.bootstrap.write_stamp({})

    def pip_install(self, *arguments: str) -> None:
        self.asked.append("project" if "--editable" in arguments else Path(arguments[-1]).stem)
        if self.fault:
            raise self.fault

    def set_up(self, wanted: str) -> list[str]:
        """What a set-up for `wanted` asked for, a failure as its last word."""
        self.asked = []
        try:
            self.bootstrap.set_up(wanted)
        except (self.bootstrap.SetUpError, KeyboardInterrupt):
            self.asked.append("failed")
        return self.asked


@pytest.fixture
def bootstrap() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "scripts" / "bootstrap.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A checkout with just what decides: two lock files and pyproject.toml."""
    made = tmp_path / "ä b"
    (made / "requirements").mkdir(parents=True)
    for lock in ("run", "test"):
        (made / "requirements" / f"{lock}.txt").write_text(f"{lock}==1\n")
    (made / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    return made


@pytest.fixture
def installs(bootstrap: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Installations:
    monkeypatch.delenv("PYTHON", raising=False)
    record = Installations(bootstrap, folder)
    bootstrap.make_venv, bootstrap.pip_install = record.make_venv, record.pip_install
    bootstrap.venv_version = lambda: record.version
    return record


def test_second_run_installs_nothing(installs: Installations) -> None:
    assert installs.set_up("run") == ["venv", "run", "project"]
    assert installs.set_up("run") == []
    assert installs.set_up("test") == ["test", "project"]
    assert installs.set_up("run") == []
    assert installs.set_up("test") == []


def test_failure_before_anything_was_installed_spoils_nothing(installs: Installations) -> None:
    installs.set_up("run")
    installs.fault = installs.bootstrap.SetUpError("no network", untouched=True)
    assert installs.set_up("test") == ["test", "failed"]
    assert installs.set_up("run") == []


@pytest.mark.parametrize("untouched", [None, False])
def test_set_up_cut_off_is_done_again(installs: Installations, untouched: bool | None) -> None:
    installs.set_up("run")
    installs.fault = KeyboardInterrupt() if untouched is None else installs.bootstrap.SetUpError("disk full", untouched)
    assert installs.set_up("test") == ["test", "failed"]
    installs.fault = None
    assert installs.set_up("test") == ["venv", "test", "project"]


def test_changed_lock_remakes_venv(installs: Installations, folder: Path) -> None:
    installs.set_up("test")
    with (folder / "requirements" / "test.txt").open("a") as lock:
        lock.write("# changed\n")
    assert installs.set_up("test") == ["venv", "test", "project"]


def test_changed_metadata_needs_no_network(installs: Installations, folder: Path) -> None:
    installs.set_up("run")
    text = (folder / "pyproject.toml").read_text(encoding="utf-8")
    (folder / "pyproject.toml").write_text(text.replace("line-length = 120", "line-length = 99"), encoding="utf-8")
    assert installs.set_up("run") == []
    (folder / "pyproject.toml").write_text(text.replace("cli:main", "cli:other"), encoding="utf-8")
    assert installs.set_up("run") == ["project"]


def test_moved_folder_or_other_python_remakes_venv(
    installs: Installations, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installs.set_up("run")
    installs.move(folder.rename(folder.with_name("anders")))
    assert installs.set_up("run") == ["venv", "run", "project"]
    installs.version = "3.13.0"
    assert installs.set_up("run") == ["venv", "run", "project"]
    assert installs.set_up("run") == []
    monkeypatch.setattr(sys, "version_info", (3, 14, 0, "final", 0))
    assert installs.set_up("run") == []
    monkeypatch.setenv("PYTHON", "python3.14")
    assert installs.set_up("run") == ["venv", "run", "project"]


def test_venv_made_by_hand_is_added_to(installs: Installations, folder: Path) -> None:
    (folder / ".venv").mkdir()
    installs.version = "3.11.2"
    assert installs.set_up("run") == ["run", "project"]
    (folder / ".venv" / "schneider-sim.json").unlink()
    installs.version = "3.9.2"
    assert installs.set_up("run") == ["failed"]
    installs.version = ""
    assert installs.set_up("run") == ["venv", "run", "project"]


@pytest.mark.parametrize(
    ("said", "explained"),
    [
        (["ERROR: Could not find a version that satisfies x (from versions: none)"], "the network is missing"),
        (["WARNING: Retrying ... Failed to establish a new connection", "ERROR: No match"], "the network is missing"),
        (["ERROR: Could not install: [Errno 28] No space left on device"], "No space left on device"),
        (["ERROR: THESE PACKAGES DO NOT MATCH THE HASHES"], "DO NOT MATCH THE HASHES"),
        (["Killed"], "Killed"),
        ([], "pip said nothing"),
    ],
)
def test_one_line_about_what_pip_said(bootstrap: Any, said: list[str], explained: str) -> None:
    line = bootstrap.explain(said)
    assert explained in line
    assert "\n" not in line
    assert ("network" in line) == ("network" in explained)


def test_settings_of_other_work_do_not_reach_pip(bootstrap: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_REQUIRE_VIRTUALENV", "PIP_USER"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example/simple")
    env = bootstrap.environment()
    assert not {"PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_REQUIRE_VIRTUALENV"} & env.keys()
    assert (env["PIP_USER"], env["PIP_INDEX_URL"]) == ("0", "https://mirror.example/simple")


@pytest.fixture
def started(bootstrap: Any, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What a job starts, none of which is run."""
    lines: list[list[str]] = []

    def call(line: list[str], **_: Any) -> int:
        lines.append(line[2:])
        return 0

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(bootstrap, "set_up", lambda wanted: lines.append([wanted]))
    monkeypatch.setattr(bootstrap, "become", lambda arguments: call(["", "-m", *arguments[1:]]))
    monkeypatch.setattr(bootstrap.subprocess, "call", call)
    monkeypatch.setattr(bootstrap, "compiling", contextlib.nullcontext)
    return lines


def test_checks_are_those_that_are_named(bootstrap: Any, started: list[list[str]]) -> None:
    assert bootstrap.main("check", "mypy") == 0
    assert started == [["test"], ["mypy"]]
    assert bootstrap.main("check") == 0
    assert [line[0] for line in started[2:]] == ["test", "ruff", "mypy", "pytest"]
    assert bootstrap.main("check", "mypi") == 2 and len(started) == 6


def test_a_check_that_finds_something_is_the_status(bootstrap: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "set_up", lambda wanted: None)
    monkeypatch.setattr(bootstrap.subprocess, "call", lambda line, **_: int("mypy" in line))
    monkeypatch.chdir(ROOT)
    assert (bootstrap.main("check"), bootstrap.main("check", "ruff")) == (1, 0)


def test_tests_run_in_parallel_and_the_caller_has_the_last_word(bootstrap: Any, started: list[list[str]]) -> None:
    bootstrap.main("test", "--all", "-n", "0")
    words = started[-1]
    assert words[:3] == ["pytest", "-n", "auto"] and words[-2:] == ["-n", "0"]
    assert words[words.index("-m") + 1] == "slow or not slow"


def test_the_site_is_built_strictly_where_the_caller_is(
    bootstrap: Any, started: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    bootstrap.main("docs", "out")
    assert started[0] == ["test"]
    assert started[1][:2] == ["mkdocs", "build"] and started[1][-1] == str(tmp_path / "out")
    assert "\nstrict: true\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_tests_run_as_a_users_machine_is_set(bootstrap: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONWARNINGS", "PYTHONPATH"}
    assert not names & os.environ.keys() and not sys.dont_write_bytecode
    seen: list[set[str]] = []

    def become(_: list[str]) -> int:
        seen.append(names & bootstrap.environment().keys())
        return 0

    for name in names:
        monkeypatch.setenv(name, "1")
    monkeypatch.setattr(bootstrap.subprocess, "call", lambda *_, env: 0)
    monkeypatch.setattr(bootstrap, "compiling", contextlib.nullcontext)
    monkeypatch.setattr(bootstrap, "become", become)
    monkeypatch.chdir(bootstrap.ROOT)
    assert bootstrap.run_tests([]) == 0 and seen == [set()]
