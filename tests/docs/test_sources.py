"""Every `Source:` of the package points at something that is there: a section of a page, a file, a name; or at a paper.

Forms: `docs/PAGE.md section 4` (a numbered heading), `docs/PAGE.md, "Heading"`, a file of the repository, the name of
a function in backticks, and for books and papers an author with a year, an arXiv number or a site in brackets.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "schneider_sim").rglob("*.py"))
PAGE = r"docs/[\w./-]+\.md"
PAPER = re.compile(r"[A-Z][\w'-]+.*(\((?:1[89]|20)\d\d\)|\b(?:1[89]|20)\d\d\)|arXiv \d{4}\.\d{5}|\([a-z]+\.[a-z]+\))")


def sources() -> list[tuple[str, str]]:
    """(file, what follows `Source:` up to the end of its paragraph)."""
    found = []
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found += [(path.relative_to(ROOT).as_posix(), " ".join(text.split()))
                          for text in re.findall(r"Source: (.*?)(?:\n\s*\n|\Z)", node.value, flags=re.DOTALL)]
    return found


def headings(page: Path) -> list[str]:
    return re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)


def wrong(source: str) -> str:
    """What a source names that does not exist; empty for one that is right."""
    pages = re.findall(PAGE, source)
    for page, rest in zip(pages, re.split(PAGE, source)[1:], strict=True):
        if not (ROOT / page).exists():
            return f"no page {page}"
        titles = headings(ROOT / page)
        numbered = re.match(r" sections? (\d+(?:(?:, | and | to )\d+)*)", rest)
        named = re.match(r', "([^"]+)"', rest)
        if not numbered and not named:
            return f"{page} without a section"
        for number in re.findall(r"\d+", numbered[1]) if numbered else ():
            if not any(title.startswith(f"{number}. ") for title in titles):
                return f"no section {number} in {page}"
        if named and named[1] not in titles:
            return f"no heading '{named[1]}' in {page}"
    files = re.findall(r"[\w/.-]+\.(?:md|py)\b", re.sub(PAGE, "", source))
    for file in files:
        if not [path for path in (ROOT, ROOT / "schneider_sim") if (path / file).exists()] and not any(
                path.name == file for path in FILES):
            return f"no file {file}"
    names = re.findall(r"`([a-z_.]+)`", re.sub(r'"[^"]*"', "", source))
    for name in names:
        if not any(re.search(rf"^(?:def|class) {name.rpartition('.')[2]}\b", path.read_text(encoding="utf-8"),
                             flags=re.MULTILINE) for path in FILES):
            return f"nothing called {name}"
    return "" if pages or files or names or PAPER.search(source) else "neither a page, nor a file, nor a paper"


@pytest.mark.parametrize("file, source", sources())
def test_what_is_cited_exists(file, source):
    assert wrong(source) == "", f"{file}: Source: {source}"


def test_there_are_sources():
    assert len(sources()) > 50


@pytest.mark.parametrize("source", [
    "rules/bauernschnapsen.md section 11.", "docs/rules-bauernschnapsen.md section 99.", "docs/policies.md.",
    'docs/policies.md, "No such heading".', "section 4.", "rules section 9; the table of statistics in docs.",
    "as in `no_such_function`.", "scripts/bench/none.py"])
def test_a_source_that_leads_nowhere_is_found(source):
    assert wrong(source)
