"""The gallery in reports/: what its pages say is what its studies found, and the studies find it again."""

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import schneider_sim as ss

ROOT = Path(__file__).resolve().parents[2]
REPORTS, SCRIPTS = ROOT / "reports", ROOT / "scripts"
NAMES = sorted(path.parent.name for path in REPORTS.glob("*/study.py"))
QUICK = {"first-lead", "skill", "schneider-line", "match"}  # studies whose slices take next to no time
pytestmark = pytest.mark.skipif(not NAMES, reason="a source archive has no reports")


@pytest.fixture(scope="module")
def pages() -> Any:
    """The module that makes the pages, imported as scripts/gallery imports it."""
    sys.path.insert(0, str(SCRIPTS))
    try:
        import gallery_page  # type: ignore[import-not-found, unused-ignore]

        yield gallery_page
    finally:
        sys.path.remove(str(SCRIPTS))
        sys.modules.pop("gallery_page", None)


def result(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((REPORTS / name / "result.json").read_text(encoding="utf-8"))
    return found


class Words(HTMLParser):
    """What a page says, and where it leads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.text, self.to, self.loads = "", list[str](), list[str]()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.to += [found["href"] or ""] if tag == "a" and "href" in found else []
        self.loads += [found["src"] or ""] if "src" in found else []

    def handle_data(self, data: str) -> None:
        self.text += data


def test_every_question_is_on_the_index() -> None:
    index = Words(REPORTS / "index.html")
    assert len(NAMES) >= 11 and not index.loads
    for name in NAMES:
        assert f"{name}/index.html" in index.to and f"{name}/study.py" in index.to
        assert result(name)["question"] in index.text
        assert result(name)["answer"][0] in index.text.replace("\u00a0", " ")
    for page in (REPORTS / "index.html", *(REPORTS / name / "index.html" for name in NAMES)):
        for target in Words(page).to:
            assert (page.parent / target).is_file(), (page, target)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_what_was_found(name: str, pages: ModuleType) -> None:
    found = result(name)
    assert pages.fingerprint(found["played"]) == found["sha256"]
    assert list(pages.read_study(name).answer(found["played"]).sentences) == found["answer"]
    assert pages.page(name) == (REPORTS / name / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_sentences_change_with_the_numbers(name: str, pages: ModuleType) -> None:
    study, found = pages.read_study(name), result(name)["played"]

    def moved(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: moved(part) for key, part in value.items()}
        if isinstance(value, list):
            return [moved(part) for part in value]
        return value * 0.9 if isinstance(value, float) else value

    texts = (" ".join(study.answer(played).sentences) for played in (found, moved(found)))
    before, after = (re.findall(r"\d+\.\d+", text) for text in texts)
    assert before and before != after


@pytest.mark.parametrize("name", [
    name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in NAMES])
def test_a_slice_of_a_study_is_what_it_was(name: str, pages: ModuleType) -> None:
    study, stored = pages.read_study(name), result(name)["slice"]
    assert pages.fingerprint(study.play(stored["deals"])) == stored["sha256"]


def test_numbers_follow_from_the_counts() -> None:
    """What the page on the first lead says of champion, from the stored counts, by hand."""
    run = result("first-lead")["played"]["next of the suit captures (standard)"]["best"]
    sums, wins = {"A": 0, "B": 0}, 0
    for who, counts in run["by_first_leader"].items():
        for honours, seen in enumerate(counts):
            worth = sum((honours >= 11, honours >= 16, honours == 20)) - sum((honours <= 9, honours <= 4, honours == 0))
            sums[who] += worth * seen
            wins += seen * (honours > 10 if who == "A" else honours < 10)
    deals = run["deals"]
    by_hand = {"first_leader_advantage": (sums["A"] - sums["B"]) / deals, "first_leader_win_rate": wins / deals}
    for one in run["estimates"]:
        if one["statistic"] in by_hand:
            assert one["value"] == pytest.approx(by_hand.pop(one["statistic"]), abs=1e-12)
    assert not by_hand
    again = ss.simulate("champion", "champion", deals=deals, seed=run["seed"], design="independent")
    assert again.tally_sha256 == run["tally_sha256"]


def test_a_study_is_asked_for_by_name() -> None:
    done = subprocess.run([sys.executable, "-B", str(SCRIPTS / "gallery.py"), "memroy"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "") and "memory" in done.stderr


@pytest.mark.slow
def test_a_whole_study_finds_the_same_numbers(pages: ModuleType) -> None:
    found = result("skill")
    assert pages.fingerprint(pages.read_study("skill").play(found["deals"])) == found["sha256"]
