"""docs/cluster.md says what there is: its command lines are understood, its Python runs."""

import re
import shlex
from pathlib import Path

import click
import pytest

import schneider_sim as ss
from schneider_sim.cli.app import app
from schneider_sim.cli.runs import _LISTED
from schneider_sim.runs.experiment import RANGE, make_experiment

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "cluster.md").read_text(encoding="utf-8")
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


def test_figures_are_those_of_the_program_and_of_the_measurements():
    sizes = [stop - start for start, stop in make_experiment("careful", "greedy", deals=10**10).ranges()]
    first, last = (f"2<sup>{size.bit_length() - 1}</sup>" for size in (RANGE, max(sizes)))
    assert f"Ranges begin with {first} deals and grow to {last}" in TEXT
    assert f"{len(sizes):,} ranges" in TEXT and f"on a range of {first} deals" in TEXT and f"one of {last}" in TEXT
    assert f"the newest {_LISTED}," in TEXT
    measured = (DOCS / "performance.md").read_text(encoding="utf-8")
    rows = [re.search(rf"^\| {size:,} \|(.+)$", measured, re.M) for size in (RANGE, max(sizes))]
    feeds = [row[1].split("|")[3].strip() for row in rows if row]
    assert f"feeds about {feeds[0]} workers" in TEXT and f"{feeds[1]} once ranges have grown" in TEXT
    for mark in ("17 MiB", "1.7 %"):
        assert mark in TEXT and mark in measured


def test_the_places_where_things_are_kept_are_those_of_the_program(monkeypatch):
    from platformdirs.macos import MacOS
    from platformdirs.unix import Unix

    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    page = (DOCS / "install.md").read_text(encoding="utf-8")
    home = str(Path.home())
    for system in (Unix, MacOS):
        folders = system("schneider_sim", appauthor=False)
        for folder in (folders.user_cache_dir, folders.user_data_dir):
            assert f"`{folder.replace(home, '~')}`" in page, folder
    assert "`%LOCALAPPDATA%\\schneider_sim\\Cache`" in page and "`runs.sqlite`" in page


def test_nobody_is_told_to_fetch_the_package_from_an_index():
    """It is not published: what is installed is the source's folder, or a wheel made from it."""
    root = DOCS.parent
    places = [root / "README.md", *DOCS.rglob("*.md"), *(root / "schneider_sim").rglob("*.py")]
    asked = [f"{path.name}: {line}" for path in places for line in path.read_text(encoding="utf-8").splitlines()
             if re.search(r"pip install [-\w ]*['\"]?schneider[-_]sim(?![-_.\w]*\.whl)|schneider-sim\[dask\]", line)]
    assert asked == []
    assert "pip install '.[dask]'" in TEXT
