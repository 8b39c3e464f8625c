"""docs/rules-bohemian.md names only what exists, and leaves out no switch, variant or worked example."""

import ast
import re
from pathlib import Path

import pytest

from schneider_sim.games.bohemian.rules import SWITCHES, VARIANTS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "rules-bohemian.md").read_text(encoding="utf-8")
FOLDERS = [ROOT / "schneider_sim" / "games" / "bohemian", ROOT / "schneider_sim", ROOT / "tests" / "bohemian"]
REFERENCES = sorted(set(re.findall(r"`([\w/]+\.py)::(\w+)`", TEXT)))
EXAMPLES = re.findall(r"^\| (\d+b?) \|.*\| (.*) \|$", TEXT, flags=re.MULTILINE)


def names_in(path: Path) -> set[str]:
    """Functions, classes and constants at the top of a module."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        for target in node.targets if isinstance(node, ast.Assign) else []:
            names |= {name.id for name in ast.walk(target) if isinstance(name, ast.Name)}
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


@pytest.mark.parametrize("file, name", REFERENCES, ids="::".join)
def test_what_the_contract_names_exists(file, name):
    paths = [folder / file for folder in FOLDERS if (folder / file).exists()]
    assert len(paths) == 1
    assert name in names_in(paths[0])


def test_every_worked_example_has_its_test():
    assert [number for number, _ in EXAMPLES] == [*map(str, range(1, 19)), "18b", *map(str, range(19, 26))]
    tests = names_in(Path(__file__).with_name("test_examples.py"))
    for number, named in EXAMPLES:
        prefix = f"test_example_{number.zfill(3 if number.endswith('b') else 2)}_"
        found = re.findall(r"`(\w+)`", named)
        assert found
        assert set(found) == {name for name in tests if name.startswith(prefix)}


def test_every_switch_value_and_variant_is_explained():
    for name, switch in SWITCHES.items():
        section = re.split(rf"^\| `{name}` \|", TEXT, flags=re.MULTILINE)
        assert len(section) == 2, name
        for value in re.findall(r"[a-z]+(?:_[a-z]+)+|\b(?:free|off|lot|stakes)\b", switch.form):
            assert f"`{value}`" in section[1]
    for variant, switches in VARIANTS.items():
        assert f"`{variant}`" in TEXT
        assert not switches or f"`{' '.join('='.join(pair) for pair in switches.items())}`" in TEXT
