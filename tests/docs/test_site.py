"""The documentation as a site: built strictly, whole, from nothing but this machine's files."""

import os
import re
import subprocess
import sys
import zlib
from html.parser import HTMLParser
from pathlib import Path

import pytest

import schneider_sim
from schneider_sim import stats

pytest.importorskip("mkdocs", reason="the extra 'docs' is not installed")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src"}


class Links(HTMLParser):
    """Where a page leads (`to`), what it loads (`loads`), and what may be jumped to (`anchors`)."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.to: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.to.append(found["href"])
        if tag == "link" and found.get("rel") != "canonical":
            self.loads.append(found["href"])
        if LOADS.get(tag) in found:
            self.loads.append(found[LOADS[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, as scripts/docs builds it."""
    folder = tmp_path_factory.mktemp("site") / "out"
    words = ["mkdocs", "build", "--strict", "--quiet", "-f", str(ROOT / "mkdocs.yml"), "-d", str(folder)]
    done = subprocess.run([sys.executable, "-m", *words], env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
                          capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    return {path: Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html") if path.name != "404.html"}


def test_every_page_of_the_documentation_is_there_and_can_be_searched(site: Path, pages: dict[Path, Links]) -> None:
    for source in (ROOT / "docs").rglob("*.md"):
        assert (site / source.relative_to(ROOT / "docs")).with_suffix(".html") in pages
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert all(text in index for text in ("index.html", "statistics.html", "betting_interval"))


def test_reports_are_inside(site: Path) -> None:
    for study in (ROOT / "reports").glob("*/study.toml"):
        for file in ("index.html", "result.json", "study.toml"):
            path = study.parent / file
            assert (site / path.relative_to(ROOT)).read_bytes() == path.read_bytes()
    assert "builtin/index.html" in (site / "reports" / "index.html").read_text(encoding="utf-8")


def test_links_lead_somewhere_and_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[Path, Links]) -> None:
    for page, links in pages.items():
        assert not [target for target in links.loads if re.match(r"(https?:)?//", target)], page
        for link in {*links.to, *links.loads}:
            target, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", link):
                continue
            aim = (page.parent / target).resolve() if target else page
            aim = aim / "index.html" if aim.is_dir() else aim
            assert aim.is_file() and aim.is_relative_to(site), (page, link)
            if anchor and aim in pages:
                assert anchor in pages[aim].anchors, (page, link)


def test_no_markup_is_left_over(pages: dict[Path, Links]) -> None:
    for page in pages:
        text = re.sub(r"<(code|pre|script)\b.*?</\1>", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.findall(r"\]\(\S+\)|^::: |```", text, re.MULTILINE), page


def test_every_public_name_has_its_entry(site: Path) -> None:
    inventory = (site / "objects.inv").read_bytes()
    lines = zlib.decompress(inventory[inventory.index(b"zlib.\n") + 6 :]).decode().splitlines()
    there = {line.split()[0] for line in lines}
    wanted = [f"schneider_sim.{name}" for name in schneider_sim.__all__ if name != "__version__"]
    for name in stats.__all__:
        module = getattr(stats, name)
        own = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
        names = getattr(module, "__all__", [key for key in own if not key.startswith("_")])
        wanted += [f"schneider_sim.stats.{name}", *(f"schneider_sim.stats.{name}.{each}" for each in names)]
    assert len(wanted) > 60 and not set(wanted) - there
