"""A game of another package, found by its entry point, works in every command without a change to the program."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commandline import environment

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the tiny game as pip would have installed it."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(HERE / "tinygame.py", folder)
    about = folder / "tinygame-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tinygame\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[schneider_sim.games]\ntiny = tinygame:GAME\n")
    return folder


def run(installed: Path, *words: str, status: int = 0, stdin: str = "", **env: str) -> str:
    """What the command prints with the tiny game installed."""
    around = environment(**env)
    around["PYTHONPATH"] = f"{installed}:{around['PYTHONPATH']}" if around.get("PYTHONPATH") else str(installed)
    chosen = [] if words[0] in ("judge", "runs", "report") else ["--game", "tiny"]
    command = [sys.executable, "-m", "schneider_sim", *words, *chosen]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=around, input=stdin, timeout=300)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def test_simulate_store_and_replay(installed, tmp_path):
    store = str(tmp_path / "runs.sqlite")
    words = ("simulate", "top", "random", "--deals", "500", "--json", "--store", store)
    first = json.loads(run(installed, *words))
    assert first["plays"] == 1000 and sum(map(sum, first["joint"])) == 500
    assert json.loads(run(installed, *words)) == first
    assert "tiny" in run(installed, "runs", "list", "--store", store)
    trace = json.loads(run(installed, "replay", "top", "random", "--deal", "7", "--json"))
    assert len(trace["tricks"]) == 3
    assert "tricks" in run(installed, "replay", "top", "random", "--deal", "7")
    run(installed, "replay", "top", "random", "--deal", "7", "--html", str(tmp_path / "deal.html"))
    assert "tricks" in (tmp_path / "deal.html").read_text(encoding="utf-8")
    run(installed, "judge", "-", stdin=json.dumps(trace))
    trace["tricks"][0]["winner"] = {"A": "B", "B": "A"}[trace["tricks"][0]["winner"]]
    assert "trick 1" in run(installed, "judge", "-", stdin=json.dumps(trace), status=2)


def test_comparisons(installed):
    assert run(installed, "compare", "top", "random", "--precision", "0.2").startswith("answer")
    played = json.loads(run(installed, "tournament", "random", "top", "lead: low", "--deals", "500", "--json"))
    assert len(played["policies"]) == 3
    run(installed, "factorial", "--leads", "high, low", "--follows", "high, low", "--deals", "300")
    assert {"name", "policy"} <= set(json.loads(run(installed, "policies", "--json"))["policies"][0])
    for words in (("rules",), ("preferences",)):
        assert run(installed, *words)
    assert "has no sessions" in run(installed, "sessions", "top", "random", status=2)
    assert "keeps no records of its plays" in run(installed, "deals", "top", "random", status=2)


def test_report(installed, tmp_path):
    study = tmp_path / "study.toml"
    study.write_text('game = "tiny"\ndeals = 300\npolicies = ["random", "top"]\n')
    run(installed, "report", str(study), "--out", str(tmp_path / "out"))
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "top" in page and "tiny" in page


@pytest.mark.slow
def test_dask(installed):
    pytest.importorskip("distributed")
    words = ("simulate", "top", "random", "--deals", "400", "--json", "--no-store")
    plain = json.loads(run(installed, *words))
    assert json.loads(run(installed, *words, "--engine", "dask", "--threads", "1")) == plain


def test_a_play_is_explained_on_a_page(installed):
    program = ("from schneider_sim.report.cards import explained; import json, sys; "
               "print(explained('tiny', json.load(sys.stdin)))")
    trace = run(installed, "replay", "top", "random", "--deal", "7", "--json")
    around = environment(PYTHONPATH=str(installed))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=around, input=trace,
                          check=False, timeout=300)
    assert "tricks" in done.stdout, done.stderr
