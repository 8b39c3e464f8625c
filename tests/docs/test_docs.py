"""Every command and example in the documentation runs, shows what it shows, and every link leads somewhere.

```python blocks are executed, one namespace a file. In ```console blocks each line after `$ ` is run; the lines shown
below it must be in what it prints (a line that is … stands for any number of them, `> file` writes the file).
"""

import linecache
import re
import shlex
from pathlib import Path

import pytest

from commandline import call

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
VERDICTS = (0, 3, 4)


def blocks(page: Path, language: str) -> list[str]:
    return [body for kind, body in FENCE.findall(page.read_text(encoding="utf-8")) if kind == language]


def with_blocks(language: str) -> list[object]:
    return [pytest.param(page, id=page.relative_to(ROOT).as_posix()) for page in PAGES if blocks(page, language)]


@pytest.mark.parametrize("page", with_blocks("python"))
def test_python_examples_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space: dict[str, object] = {"__name__": "example"}
    for number, body in enumerate(blocks(page, "python"), start=1):
        named = re.match(r"# (\w+\.py)\n", body)
        if named:
            Path(named[1]).write_text(body, encoding="utf-8")
        name = f"<{page.name}, block {number}>"  # the source of functions is looked up here, not in the page
        linecache.cache[name] = len(body), None, body.splitlines(keepends=True), name
        exec(compile(body, name, "exec"), space)


def run(line: str, folder: Path) -> str:
    command, _, target = line.partition(" > ")
    words = shlex.split(command, comments=True)
    assert words[0] == "schneider-sim", f"only schneider-sim can be run in a console block, not {words[0]}"
    done = call(*words[1:], SCHNEIDER_SIM_STORE=str(folder / "store.sqlite"))
    assert done.exit_code in VERDICTS, f"{line}: {done.stderr}"
    if target:
        Path(target.strip()).write_text(done.stdout, encoding="utf-8")
    return done.stdout + done.stderr


@pytest.mark.parametrize("page", with_blocks("console"))
def test_commands_print_what_is_shown(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for body in blocks(page, "python"):
        named = re.match(r"# (\w+\.py)\n", body)
        if named:
            (tmp_path / named[1]).write_text(body, encoding="utf-8")
    for body in blocks(page, "console"):
        printed: list[str] = []
        for line in body.splitlines():
            if line.startswith("$ "):
                printed = [text.rstrip() for text in run(line[2:], tmp_path).splitlines()]
            elif line.strip() not in ("", "…"):
                assert line.rstrip() in printed, f"{page.name} shows a line that is not printed: {line}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
