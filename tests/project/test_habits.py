"""What a forge and an editor read: the workflow, the checks before a commit, the templates, the decision pages."""

import os
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def job() -> dict[str, Any]:
    found: dict[str, Any] = read(ROOT / ".github" / "workflows" / "test.yml")["jobs"]["test"]
    return found


def test_the_workflow_runs_every_python_of_the_project_on_every_system() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [line.rsplit(" ", 1)[1] for line in project["classifiers"] if re.search(r":: 3\.\d+$", line)]
    matrix = job()["strategy"]["matrix"]
    assert matrix["python"] == named and project["requires-python"] == f">={named[0]}"
    assert {name.split("-")[0] for name in matrix["system"]} == {"ubuntu", "windows", "macos"}
    assert job()["strategy"]["fail-fast"] is False


def test_the_workflow_runs_what_is_there() -> None:
    runs = [step["run"] for step in job()["steps"] if "run" in step]
    assert runs[0] == "scripts/test" and runs[1].endswith("scripts/bootstrap.py test")
    paths = [word for line in runs for word in shlex.split(line) if word.startswith("scripts/")]
    assert all((ROOT / path).is_file() for path in paths)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_name_what_they_use_and_may_only_read(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow[True]  # "on" is YAML's word for true
    for each in workflow["jobs"].values():
        keys = set(each["strategy"]["matrix"])
        assert set(re.findall(r"matrix\.(\w+)", path.read_text(encoding="utf-8"))) == keys
        assert each["timeout-minutes"]
        assert all(("uses" in step) != ("run" in step) for step in each["steps"])
        assert all(re.fullmatch(r"[\w.-]+/[\w.-]+@v\d+", step["uses"]) for step in each["steps"] if "uses" in step)


def test_checks_before_a_commit_need_no_network() -> None:
    [repository] = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    bootstrap = (ROOT / "scripts" / "bootstrap.py").read_text(encoding="utf-8")
    for hook in repository["hooks"]:
        script, *names = shlex.split(hook["entry"])
        assert hook["language"] == "script" and os.access(ROOT / script, os.X_OK)
        assert names and all(f'    "{name}": (' in bootstrap for name in names)
    for path in re.findall(r'"(tests/\w+\.py)"', bootstrap):
        assert (ROOT / path).is_file()


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md")), ids=lambda path: path.name)
def test_issue_templates_are_short_and_say_what_they_are(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    _, head, body = text.split("---\n", 2)
    assert set(yaml.safe_load(head)) == {"name", "about", "labels"}
    assert 0 < len(body.strip().splitlines()) < 15


def test_decisions_are_numbered_and_fit_on_a_page() -> None:
    numbers = [path.name[:3] for path in DECISIONS]
    assert len(set(numbers)) == len(numbers)
    for path in DECISIONS:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith(f"# {path.name[:3]} ") and len(lines) < 60, path.name
