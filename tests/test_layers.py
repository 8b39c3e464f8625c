"""The house has floors: imports go downward only, games are named nowhere else, and starting costs no heavy import."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import schneider_sim
from schneider_sim.compiled import jit
from schneider_sim.games import BUILT_IN

ROOT = Path(schneider_sim.__file__).parent
GAMES = "games"
FLOORS = [  # from the cellar up; rooms of one line share a floor, a room within a room comes before it
    {"errors", "version", "compiled"},
    {"base"},
    {"stats"},
    {"policy"},
    {GAMES},
    {"runs"},
    {"engines"},
    {"store"},
    {"results"},
    {"api"},
    {"versus"},
    {"analysis"},
    {"report"},
    {"games/bohemian/report", "games/bauernschnapsen/report"},
    {"library"},
    {"cli"},
    {"__init__", "__main__"},
]
WITHIN = {  # the floors within a room whose files are too many to be one screen
    "games/bauernschnapsen": [
        {"rules"},
        {"words", "call_words", "views"},
        {"kernel"},
        {"grammar"},
        {"decide"},
        {"search"},
        {"prepare"},
        {"results"},
        {"steps", "reasons", "positions"},
        {"appraisal"},
        {"decisions"},
        {"game"},
        {"report", "own", "whatif"},
    ],
    "report": [{"charts"}, {"study", "factors", "varied", "strength", "findings", "pieces", "reading", "figures",
                             "templates", "cards"},
               {"pairs"},
               {"errors_page", "deals_page", "replays", "small_print"}, {"answers", "replays_page"},
               {"sections"}, {"page", "folder", "build"}],
}
SHIMS = {"execute", "run", "cluster"}  # names of 0.1


def room_of(parts: tuple[str, ...]) -> str:
    """The room of FLOORS that a module, as the parts of its dotted name below the package, stands in."""
    deep = "/".join(parts[:3])
    return deep if any(deep in floor for floor in FLOORS) else parts[0]


FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}


def imported(path: Path, when_loaded: bool = False) -> set[tuple[str, ...]]:
    """The modules of the package that a file imports, type checking aside; when_loaded: function bodies aside, too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if when_loaded:
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                node.body = [ast.Pass()]
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []
    parts = path.relative_to(ROOT).with_suffix("").parts
    found = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom):
            continue
        if node.level:
            base = parts[: len(parts) - node.level]
        elif (node.module or "").split(".")[0] == "schneider_sim":
            base = ()
        else:
            continue
        names = (node.module or "").removeprefix("schneider_sim").strip(".")
        target = (*base, *(names.split(".") if names else ()))
        for alias in node.names:
            below = (*target, alias.name)
            exists = ROOT.joinpath(*below).is_dir() or ROOT.joinpath(*below).with_suffix(".py").is_file()
            if exists or target:
                found.add(below if exists else target)
    return found


def files() -> list[Path]:
    return [path for path in ROOT.rglob("*.py") if path.relative_to(ROOT).with_suffix("").parts[0] not in SHIMS]


def test_the_front_door():
    """Few loose modules, each with a floor; every folder says in a line what it holds."""
    loose = {path.stem for path in ROOT.glob("*.py")} - SHIMS
    assert len(loose) <= 7
    rooms = loose | {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert rooms <= set(FLOOR), "give the new room a floor in tests/test_layers.py"
    for path in ROOT.rglob("__init__.py"):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), path


def test_imports_go_downward():
    wrong = []
    for path in files():
        room = room_of(path.relative_to(ROOT).with_suffix("").parts)
        wrong += [f"{path.relative_to(ROOT)} imports {'.'.join(other)}" for other in imported(path)
                  if room_of(other) != room and FLOOR[room_of(other)] > FLOOR[room]
                  and not is_lazy_part(path, other)]
    assert not wrong


def is_lazy_part(path: Path, other: tuple[str, ...]) -> bool:
    """A game's `game.py` alone may lead up to the same game's report, which it loads when it is asked for."""
    parts = path.relative_to(ROOT).parts
    return parts[0] == GAMES and parts[-1] == "game.py" and other[:3] == (*parts[:2], "report")


@pytest.mark.parametrize("room", WITHIN)
def test_imports_within_a_room_go_downward(room):
    floor = {name: number for number, names in enumerate(WITHIN[room]) for name in names}
    base, wrong = tuple(room.split("/")), []
    for path in files():
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[: len(base)] != base or parts[-1] == "__init__":
            continue
        inner = parts[len(base)]
        for other in imported(path):
            if other[: len(base)] == base and len(other) > len(base) and other[len(base)] in floor:
                above = floor[other[len(base)]] > floor[inner]
                wrong += [f"{path.relative_to(ROOT)} imports {'.'.join(other)}"] * (above and inner != "game")
    assert not wrong


def test_no_import_cycle():
    """What files import when they are loaded, function bodies aside, makes no circle."""
    graph = {}
    for path in files():
        own = path.relative_to(ROOT).with_suffix("").parts
        own = own[:-1] if own[-1] == "__init__" else own
        graph[own] = imported(path, when_loaded=True) - {own}
    state: dict[tuple[str, ...], int] = {}

    def visit(module, way):
        assert state.get(module) != 1, " -> ".join(".".join(one) for one in [*way, module])
        if module in state or module not in graph:
            return
        state[module] = 1
        for other in graph[module]:
            visit(other, [*way, module])
        state[module] = 2

    for module in graph:
        visit(module, [])


def test_games_do_not_know_each_other():
    for path in (ROOT / GAMES).glob("*/**/*.py"):
        own = path.relative_to(ROOT / GAMES).parts[0]
        assert not [other for other in imported(path)
                    if other[0] == GAMES and len(other) > 1 and other[1] in set(BUILT_IN) - {own}], path


def test_no_game_is_named_outside_its_folder():
    """Only the default, help and prose may name a game; no code imports one or asks which it is."""
    for path in files():
        parts = path.relative_to(ROOT).parts
        if parts[0] == GAMES:
            continue
        assert not [other for other in imported(path) if other[0] == GAMES and len(other) > 1 and other[1] in BUILT_IN]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                text = ast.unparse(node)
                default = path.name in ("policies.py", "repeat.py") and re.search(r"[!=]= .bohemian.", text)
                named = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)} & set(BUILT_IN)
                assert not named or default, f"{path} asks for a game: {text}"


def test_any_edit_changes_the_checksum_of_compiled_code(tmp_path, monkeypatch):
    """Old machine code must not run after an edit of any file of the package, wherever the file stands."""
    copy = tmp_path / "schneider_sim"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "__file__", str(copy / "compiled" / "jit.py"))
    one_a_folder = {path.parent: path for path in sorted(copy.rglob("*.py"))}
    seen = {jit.source_checksum()}
    for path in one_a_folder.values():
        path.write_bytes(path.read_bytes() + b"\n")
        seen.add(jit.source_checksum())
    assert len(seen) == len(one_a_folder) + 1


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


def test_comparing_needs_no_scipy_of_its_own():
    """SciPy's array layer takes longer to load than a sequential test takes to play and judge."""
    code = ("from schneider_sim.runs.experiment import make_experiment\n"
            "from schneider_sim.versus.compare import Sprt, compare\n"
            "compare(make_experiment('champion', 'careful', deals=20_000), Sprt(0, 0.05)).as_dict()")
    program = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert not loaded & {"scipy.special", "scipy.optimize", "scipy.stats", "pandas", "dask", "sqlite3"}
    assert "schneider_sim.stats.multiple" not in loaded


def test_statistics_are_loaded_when_they_are_used():
    code = "import schneider_sim.stats as s\nassert 'paired' in dir(s)\nfrom schneider_sim.stats import power, sessions"
    assert "scipy" not in loaded_after(code)
    import schneider_sim.stats.paired
    from schneider_sim import stats

    assert stats.paired is schneider_sim.stats.paired
    with pytest.raises(AttributeError, match="no attribute 'median'"):
        stats.median  # noqa: B018
