"""docs/cluster.md says what there is: its command lines are understood, its Python runs."""

import re
import shlex
from pathlib import Path

import click
import pytest

import schneider_sim as ss
from schneider_sim.cli.app import app

TEXT = (Path(__file__).parents[2] / "docs" / "cluster.md").read_text(encoding="utf-8")
LINES = [line.partition("#")[0].strip() for line in re.findall(r"^    (?:\w+\$ +)?schneider-sim (.+)$", TEXT, re.M)]


@pytest.mark.parametrize("line", LINES)
def test_the_command_lines_are_understood(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = [word for word in shlex.split(line) if not word.startswith("[")]
    found: click.Command | None = app.get_command(app.make_context("schneider-sim", words), words[0])
    if isinstance(found, click.Group):
        words = words[1:]
        found = found.get_command(found.make_context("runs", words), words[0])
    assert found is not None
    found.make_context(words[0], words[1:])


def test_there_are_command_lines_of_every_kind():
    assert {line.split()[0] for line in LINES} == {"simulate", "runs"} and len(LINES) > 12


def test_the_python_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    [code] = re.findall(r"```py\n(.+?)```", TEXT, re.S)
    here = re.sub(r"    with cluster.*", "", code, flags=re.S).replace("10_000_000", "10_000")
    found: dict[str, object] = {}
    exec(here, found)
    assert found["result"].tally_sha256 == ss.simulate("careful", "greedy", deals=10_000).tally_sha256  # type: ignore[attr-defined]
