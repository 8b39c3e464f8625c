"""docs/architecture.md names only what exists, and every room of the package."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "schneider_sim"
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
BASES = [ROOT, PACKAGE, PACKAGE / "games" / "bohemian", PACKAGE / "games" / "bauernschnapsen"]
NAMED = sorted(set(re.findall(r"`([\w./-]+(?:/|\.(?:py|md|toml|yml|svg|txt)))(?:::(\w+))?`", TEXT)))
FILES = [path for folder in (PACKAGE, ROOT / "tests", ROOT / "docs") for path in folder.rglob("*") if path.is_file()]


def found(name: str) -> list[Path]:
    """The places that a path of the page may mean: below one of BASES, or, for a bare file name, anywhere."""
    below = [base / name for base in BASES if (base / name).exists()]
    return below if "/" in name or below else [path for path in FILES if path.name == name]


def names_in(path: Path) -> set[str]:
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.name for node in tree if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


@pytest.mark.parametrize("file, name", NAMED, ids=["::".join(filter(None, one)) for one in NAMED])
def test_what_the_page_names_exists(file: str, name: str) -> None:
    if "NAME" in file:  # of something that the reader is going to add
        return
    places = found(file)
    assert places, file
    assert not name or any(name in names_in(path) for path in places), name


def test_the_page_has_every_room() -> None:
    shims = {"execute", "run", "cluster", "__init__", "__main__"}
    rooms = [path for path in PACKAGE.rglob("*") if path.is_dir() and (path / "__init__.py").exists()]
    missing = [path for path in rooms if f"`{path.relative_to(PACKAGE).as_posix()}/`" not in TEXT
               and f"`{path.name}/`" not in TEXT]
    loose = [path for path in PACKAGE.glob("*.py") if path.stem not in shims and f"`{path.name}`" not in TEXT]
    assert not missing + loose


def test_the_glossary_defines_a_word_once() -> None:
    table = TEXT.partition("## Glossary")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \|", table, flags=re.MULTILINE)[1:]  # without the head
    words = [word.strip() for row in rows for word in row.split(",")]
    assert len(words) > 30 and len(set(words)) == len(words)


def test_the_picture_follows_light_dark_and_print() -> None:
    picture = (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in picture and "@media print" in picture and "<title" in picture
    assert "(architecture.svg)" in TEXT
