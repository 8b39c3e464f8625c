"""The house has floors: imports go downward only, and starting costs no heavy import."""

import ast
import subprocess
import sys
from pathlib import Path

import schneider_sim

ROOT = Path(schneider_sim.__file__).parent
FLOORS = [  # from the cellar up; rooms of one line share a floor
    {"errors", "version"},
    {"text", "files", "spreadsheets"},
    {"plugin_imports"},
    {"jit", "estimate"},
    {"lanes"},
    {"philox"},
    {"cards"},
    {"policy", "terminal"},
    {"tally", "packing"},
    {"stats"},
    {"plugins"},
    {"callbacks"},
    {"games"},
    {"experiment"},
    {"engine"},
    {"execute"},
    {"recipe", "remote", "dispatch", "cluster"},
    {"store", "run", "records", "sessions"},
    {"frames", "showing"},
    {"result", "showing"},
    {"api"},
    {"versus"},
    {"analysis"},
    {"study", "factors"},
    {"report"},
    {"cli"},
    {"__init__", "__main__"},
]
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}


def imported(path: Path) -> set[str]:
    """Top-level rooms of the package that a file imports when it is loaded or used, type checking aside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []
    parts = path.relative_to(ROOT).with_suffix("").parts
    rooms = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        if node.level:
            base = parts[: len(parts) - node.level]
            names = (node.module or "").split(".") if node.module else []
            targets = [[*base, *names]] if names else [[*base, alias.name] for alias in node.names]
        elif (node.module or "").startswith("schneider_sim."):
            targets = [(node.module or "").split(".")[1:]]
        else:
            continue
        rooms |= {target[0] for target in targets if target}
    return rooms


def test_every_room_has_a_floor():
    rooms = {path.stem for path in ROOT.glob("*.py")} | {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert not rooms - set(FLOOR), "give the new module a floor in tests/test_layers.py"


def test_imports_go_downward():
    wrong = []
    for path in ROOT.rglob("*.py"):
        room = path.relative_to(ROOT).with_suffix("").parts[0]
        wrong += [f"{path.relative_to(ROOT)} imports {other}" for other in imported(path)
                  if other != room and FLOOR[other] > FLOOR[room]]
    assert not wrong


def test_games_do_not_know_each_other():
    for path in (ROOT / "games").glob("*/*.py"):
        others = {game.name for game in (ROOT / "games").iterdir() if game.is_dir()} - {path.parent.name}
        source = path.read_text(encoding="utf-8")
        assert not any(f"games.{other}" in source or f"from ..{other}" in source for other in others), path


def loaded_after(code: str) -> set[str]:
    program = f"import sys\n{code}\nprint(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.splitlines()[-1].split()}


def test_starting_is_light():
    heavy = {"numba", "pandas", "matplotlib", "scipy", "pyarrow", "rich", "dask", "numpy", "jinja2"}
    assert not loaded_after("import schneider_sim") & heavy
    assert not loaded_after("import schneider_sim.cli") & heavy


def test_simulating_draws_and_tabulates_nothing():
    code = ("import schneider_sim as ss, json\n"
            "r = ss.simulate('random', 'random', deals=300, threads=1)\njson.dumps(r.as_dict())")
    loaded = loaded_after(code)
    assert "numba" in loaded
    assert not loaded & {"pandas", "matplotlib", "pyarrow", "rich", "dask"}
