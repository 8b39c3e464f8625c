"""A game of another package, found by its entry point, works in every command without a change to the program."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from commandline import call, environment
from schneider_sim import games
from schneider_sim.report.cards import explained

pytestmark = pytest.mark.usefixtures("installed")

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that holds the tiny game as pip would have installed it, found by this process while the tests run."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(HERE / "tinygame.py", folder)
    about = folder / "tinygame-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tinygame\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[schneider_sim.games]\ntiny = tinygame:GAME\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        forget()
        yield folder
    sys.modules.pop("tinygame", None)
    forget()


def forget() -> None:
    """Look for games again when next asked."""
    games._registered.cache_clear()
    games.load_game.cache_clear()


def chosen(*words: str) -> tuple[str, ...]:
    return words if words[0] in ("judge", "runs", "report") else (*words, "--game", "tiny")


def run(*words: str, status: int = 0, stdin: str = "") -> str:
    """What the command prints with the tiny game installed."""
    done = call(*chosen(*words), stdin=stdin)
    assert done.exit_code == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def run_apart(installed: Path, *words: str) -> str:
    """What the command prints as a process of its own, which must find the game by itself."""
    around = environment()
    around["PYTHONPATH"] = f"{installed}:{around['PYTHONPATH']}" if around.get("PYTHONPATH") else str(installed)
    command = [sys.executable, "-m", "schneider_sim", *chosen(*words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=around, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_simulate_store_and_replay(installed, tmp_path):
    store = str(tmp_path / "runs.sqlite")
    words = ("simulate", "top", "random", "--deals", "500", "--json", "--store", store)
    first = json.loads(run_apart(installed, *words))
    assert first["plays"] == 1000 and sum(map(sum, first["joint"])) == 500
    assert json.loads(run(*words)) == first
    assert "tiny" in run("runs", "list", "--store", store)
    trace = json.loads(run("replay", "top", "random", "--deal", "7", "--json"))
    assert len(trace["tricks"]) == 3
    assert "tricks" in run("replay", "top", "random", "--deal", "7")
    run("replay", "top", "random", "--deal", "7", "--html", str(tmp_path / "deal.html"))
    assert "tricks" in (tmp_path / "deal.html").read_text(encoding="utf-8")
    run("judge", "-", stdin=json.dumps(trace))
    trace["tricks"][0]["winner"] = {"A": "B", "B": "A"}[trace["tricks"][0]["winner"]]
    assert "trick 1" in run("judge", "-", stdin=json.dumps(trace), status=2)


def test_comparisons():
    assert run("compare", "top", "random", "--precision", "0.2").startswith("answer")
    played = json.loads(run("tournament", "random", "top", "lead: low", "--deals", "500", "--json"))
    assert len(played["policies"]) == 3
    run("factorial", "--leads", "high, low", "--follows", "high, low", "--deals", "300")
    assert {"name", "policy"} <= set(json.loads(run("policies", "--json"))["policies"][0])
    for words in (("rules",), ("preferences",)):
        assert run(*words)
    assert "has no sessions" in run("sessions", "top", "random", status=2)
    assert "keeps no records of its plays" in run("deals", "top", "random", status=2)


def test_report(tmp_path):
    study = tmp_path / "study.toml"
    study.write_text('game = "tiny"\ndeals = 300\npolicies = ["random", "top"]\n[strength]\n')
    run("report", str(study), "--out", str(tmp_path / "out"))
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "top" in page and "tiny" in page
    assert "How strong is each policy?" in page  # measured against its best preset, as it has none that searches
    assert "Where do the policies lose" not in page and "Deals worth seeing" not in page
    strength = json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))["strength"]
    assert [(one["policy"], one["against"], one["n"]) for one in strength["ladder"]] == [("random", "top", 300)]


@pytest.mark.slow
def test_dask(installed):
    pytest.importorskip("distributed")
    words = ("simulate", "top", "random", "--deals", "400", "--json", "--no-store")
    plain = json.loads(run(*words))
    assert json.loads(run_apart(installed, *words, "--engine", "dask", "--threads", "1")) == plain


def test_a_play_is_explained_on_a_page():
    trace = json.loads(run("replay", "top", "random", "--deal", "7", "--json"))
    assert "tricks" in str(explained("tiny", trace))
