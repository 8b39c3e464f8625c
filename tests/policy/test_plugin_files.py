"""Plug-ins as files: what was read is what runs, what they import is in the key, and what cannot be is said."""

import os
import sys
from pathlib import Path

import pytest

import schneider_sim as ss
from commandline import call, refused
from schneider_sim.engines.threads import run, serial
from schneider_sim.runs.experiment import make_experiment
from schneider_sim.runs.recipe import experiment_of, key_of, recipe_of
from schneider_sim.store import Store
from schneider_sim.store.reuse import StoreRunner

HEAD = "from schneider_sim import preference\n"
PREFERENCE = '@preference("mine"{})\ndef mine(view):\n    return view.candidates & MASK\n'
MASKS = {"bohemian": (0x00FF, 0xFF00), "bauernschnapsen": (0x001F, 0x1F00)}
GAMES = list(MASKS)


@pytest.fixture(autouse=True)
def as_a_user(monkeypatch):
    """Python writes bytecode, as it does unless told otherwise."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def write(path: Path, text: str) -> Path:
    """A file whose time stamp and length tell no edit."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    return path


def played(file: Path, game: str = "bohemian", word: str = "lead: mine") -> str:
    return ss.simulate(word, "random", deals=300, load=file, game=game).tally_sha256


@pytest.mark.parametrize("game", GAMES)
def test_an_edit_counts_whatever_the_time_stamp_says(tmp_path, game):
    found = []
    for mask in (*MASKS[game], MASKS[game][0]):
        file = write(tmp_path / "mine.py", f"{HEAD}MASK = 0x{mask:04X}\n{PREFERENCE.format('')}")
        found.append(played(file, game))
    assert found[0] != found[1] and found[0] == found[2]
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


IMPORTS = {
    "module": ("from helper import MASK", "helper.py", "MASK = {}"),
    "attribute": ("import helper as h; MASK = h.MASK", "helper.py", "MASK = {}"),
    "helper's own": ("from helper import MASK", "other.py", "MASK = {}"),
    "package": ("from tools import MASK", "tools/masks.py", "MASK = {}"),
    "submodule": ("import tools.masks; MASK = tools.masks.MASK", "tools/masks.py", "MASK = {}"),
    "no __init__": ("from parts import masks; MASK = masks.MASK", "parts/masks.py", "MASK = {}"),
    "named like a standard one": ("from statistics import MASK", "statistics.py", "MASK = {}"),
    "dataclass": ("from helper import MASK", "helper.py", (
        "from __future__ import annotations\nimport dataclasses\n"
        "@dataclasses.dataclass\nclass Masks:\n    mask: int = {}\nMASK = Masks().mask")),
}


@pytest.mark.parametrize("how", IMPORTS)
def test_what_a_plug_in_imports_from_its_folder_is_in_the_key(tmp_path, how):
    line, name, text = IMPORTS[how]
    write(tmp_path / "helper.py", "from other import MASK")
    write(tmp_path / "other.py", "MASK = 1")
    write(tmp_path / "tools" / "__init__.py", "from .masks import MASK")
    file = write(tmp_path / "mine.py", f"{HEAD}{line}\n{PREFERENCE.format('')}")
    runs = []
    with Store(tmp_path / "x.sqlite") as store:
        for mask in ("0x00FF", "0xFF00", "0x00FF"):
            write(tmp_path / name, text.format(mask))
            player = StoreRunner(serial, store)
            wanted = make_experiment("lead: mine", "random", deals=300, load=file)
            runs.append((run(wanted, play=player).sha256, player.played, key_of(recipe_of(wanted))))
            assert name in wanted.match_up.plugins[0].neighbours
            assert key_of(recipe_of(experiment_of(recipe_of(wanted)))) == runs[-1][2]
    assert [deals for _, deals, _ in runs] == [300, 300, 0]
    assert runs[0][0] == runs[2][0] != runs[1][0] and runs[0][2] == runs[2][2] != runs[1][2]
    assert not list(tmp_path.rglob("__pycache__"))
    import statistics

    assert "mean" in dir(statistics)


def test_an_import_inside_a_function_is_read_with_the_file(tmp_path):
    write(tmp_path / "late.py", "KEPT = 'S'")
    text = '@preference("mine", over="cards")\ndef mine(view):\n    from late import KEPT\n'
    file = write(tmp_path / "mine.py", f"{HEAD}{text}    return [c for c in view.candidates if c[1] == KEPT]\n")
    wanted = make_experiment("lead: mine", "random", deals=60, load=file)
    write(tmp_path / "late.py", "KEPT = 'H'")
    assert wanted.match_up.plugins[0].neighbours == {"late.py": "KEPT = 'S'"}
    masks = write(tmp_path / "masks.py", f"{HEAD}MASK = 0xFF\n{PREFERENCE.format('')}")
    assert run(wanted).sha256 == run(make_experiment("lead: mine", "random", deals=60, load=masks)).sha256


def test_helpers_of_one_name_in_two_folders_do_not_meet(tmp_path):
    files = []
    for word, mask in (("one", "0x00FF"), ("two", "0xFF00")):
        write(tmp_path / word / "helper.py", f"MASK = {mask}")
        text = f"{HEAD}from helper import MASK\n{PREFERENCE.format('')}".replace("mine", word)
        files.append(write(tmp_path / word / "mine.py", text))
    both = ss.simulate("lead: one", "lead: two", deals=300, load=files)
    file = write(tmp_path / "masks.py", HEAD + "\n".join(
        f'@preference("{word}")\ndef {word}(view):\n    return view.candidates & {mask}'
        for word, mask in (("one", 0xFF), ("two", 0xFF00))))
    assert both.tally_sha256 == ss.simulate("lead: one", "lead: two", deals=300, load=file).tally_sha256


@pytest.mark.parametrize("game", GAMES)
def test_the_key_without_helpers_is_what_it_always_was(tmp_path, game):
    """Runs that were stored before plug-ins could import their neighbours are found again."""
    file = write(tmp_path / "mine.py", f"{HEAD}MASK = 255\n{PREFERENCE.format('')}")
    plugins = recipe_of(make_experiment("lead: mine", "random", load=file, game_name=game))["plugins"]
    assert plugins == [{"file": "mine.py", "words": ["mine"], "source": file.read_text()}]
    recipe = {"game": "x", "game_version": 1, "layout_version": 1, "rules": {}, "a": "a", "b": "b", "seed": 1,
              "design": "duplicate", "detail": "sample", "score": [0, 0], "plugins": plugins}
    assert key_of(recipe) == "4641e066b2111b2c04db929118e1e8a70577e07c455486a1e56b6a415207ce86"


SETTINGS = ('from pathlib import Path\nMASK = int(Path(__file__).with_name("mask.txt").read_text())\n'
            + PREFERENCE.format(""))
CARDS = ('from pathlib import Path\nSUIT = "SH"[int(Path(__file__).with_name("mask.txt").read_text()) > 255]\n'
         '@preference("mine", over="cards")\ndef mine(view):\n'
         "    return [card for card in view.candidates if card[1] == SUIT]\n")


@pytest.mark.parametrize("game, text", [("bohemian", SETTINGS), ("bauernschnapsen", SETTINGS), ("bohemian", CARDS)])
def test_a_stored_run_is_checked_before_it_is_believed(tmp_path, game, text):
    """The settings that a plug-in reads are not in the key: other counts are found out, and the plug-in named."""
    file, store = write(tmp_path / "mine.py", HEAD + text), str(tmp_path / "x.sqlite")
    words = ("simulate", "lead: mine", "random", "--game", game, "--load", str(file), "--deals", "300")
    (tmp_path / "mask.txt").write_text(str(MASKS[game][0]))
    assert call(*words, "--store", store).exit_code == 0
    again = call(*words, "--store", store)
    assert again.exit_code == 0 and "300 deals came from the store" in again.stderr
    (tmp_path / "mask.txt").write_text(str(MASKS[game][1]))
    for more in ((), ("--fresh",), ("--first", "300")):
        said = refused(*words, "--store", store, *more, status=1)
        assert "'mine' of mine.py depends on more than its file" in said and "runs delete" in said
    assert not list(tmp_path.rglob("__pycache__"))


@pytest.mark.parametrize("text, says", [
    ("import no_such_helper\n", r"there is no module 'no_such_helper': neither no_such_helper\.py in .* nor"),
    ("import tools.absent\n", "no module 'tools.absent' in"),
    ("import sealed\n", r"only sealed\.so, which cannot be imported"),
    ("from broken import x\n", "SyntaxError"),
    ("from latin import x\n", "latin.py line 1: not UTF-8"),
    ("import numba\n@numba.njit(cache=True)\ndef f(x):\n    return x\n", "mine.py line 3: leave out cache=True"),
])
def test_a_neighbour_that_cannot_be_imported_is_explained(tmp_path, text, says):
    write(tmp_path / "tools" / "__init__.py", "")
    write(tmp_path / "broken.py", "def x(:")
    (tmp_path / "sealed.so").write_bytes(b"\0")
    (tmp_path / "latin.py").write_bytes("x = 'ü'".encode("latin-1"))
    with pytest.raises(ss.RequestError, match=says) as caught:
        ss.simulate("lead: mine", "random", load=write(tmp_path / "mine.py", HEAD + text + PREFERENCE.format("")))
    assert "\n" not in str(caught.value) and "mine.py" in str(caught.value)


def mask(line: str) -> str:
    return f'@preference("mine")\ndef mine(view):\n    {line}\n    return view.hand\n'


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("text, says", [
    (mask("import math"), "cannot be compiled (it has an import statement)"),
    (mask("with open('x'): pass"), "cannot be compiled (it has a with statement)"),
    (mask("class A: pass"), "cannot be compiled (it has a class)"),
    (mask("global MASK; MASK = 3"), "cannot be compiled (it has a global that is assigned)"),
    ('@preference("mine")\ndef mine(view, **k):\n    return view.hand\n', "it takes arguments with **"),
    (mask("k = {}; dict(a=1, **k)"), "cannot be compiled"),
    ('@preference("mine")\nclass mine:\n    pass\n', "not the class mine"),
    ('import functools\nmine = preference("mine")(functools.partial(max, 1))\n', "not a partial"),
    ('import numba\n@preference("mine")\n@numba.njit\ndef mine(view):\n    return view.hand\n', "@njit"),
    ('@preference\ndef mine(view):\n    return view.hand\n', '@preference("mine")'),
    ('@preference("mine")\ndef mine(view, more):\n    return view.hand\n', "mine(view): missing a required argument"),
    ('@preference("mine", over="cards")\nasync def mine(view):\n    return view.hand\n', "an async function"),
])
def test_what_cannot_be_compiled_is_one_line_with_word_and_file(tmp_path, game, text, says):
    file = write(tmp_path / "mine.py", HEAD + text)
    said = refused("simulate", "lead: mine", "random", "--deals", "10", "--load", str(file), "--game", game)
    assert says in said and str(file) in said and "mine" in said.replace(str(file), "")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("answer, says", [
    ("['AX']", r"'mine' of .*mine\.py: 'AX' is not a card.* \(deal 0, "), ("None", "answered None, not names of cards"),
    ("[3]", r"answered \[3\], not names of cards"), ("{'TS': 1} and 7", "answered 7, not names"),
])
def test_an_answer_that_cannot_be_read_is_quoted(tmp_path, game, answer, says):
    text = f'@preference("mine", over="cards")\ndef mine(view):\n    return {answer}\n'
    with pytest.raises(ss.RunError, match=says) as caught:
        played(write(tmp_path / "mine.py", HEAD + text), game)
    assert "raised" not in str(caught.value)


@pytest.mark.parametrize("section, answer, says", [
    ("trump", "['S']", r"answered \['S'\], not one of view.choices"), ("trump", "'X'", "unknown choice of trumps 'X'"),
    ("bid", "4", "answered 4, not names of contracts"), ("double", "'yes'", "answered 'yes', not True or False"),
])
def test_a_call_that_cannot_be_read_is_quoted(tmp_path, section, answer, says):
    text = f'@preference("mine", sections="{section}", over="cards")\ndef mine(view):\n    return {answer}\n'
    with pytest.raises(ss.RunError, match=says):
        played(write(tmp_path / "mine.py", HEAD + text), "bauernschnapsen", f"{section}: mine")


def test_a_preference_that_is_not_loaded_is_told_how_in_python():
    """What somebody meets who decorates a function in a notebook and forgets to name it."""
    with pytest.raises(ss.RequestError, match=r'in Python load="FILE.py"'):
        ss.simulate("lead: court", "random", deals=10)
    with pytest.raises(ss.RequestError, match=r"names of Python files, .* not 3"):
        ss.simulate("random", "random", deals=10, load=3)  # type: ignore[arg-type]
