"""Figures that the documentation repeats are those of the code, or of the one page that measured them."""

import re
from pathlib import Path

import pytest

from schneider_sim.engines import dask_ledger as ledger
from schneider_sim.games.bauernschnapsen.rules.match import TARGET
from schneider_sim.runs import experiment
from schneider_sim.runs.experiment import LONGEST, RANGE, make_experiment

DOCS = Path(__file__).parents[2] / "docs"
SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def text(page: str) -> str:
    return " ".join((DOCS / page).read_text(encoding="utf-8").split())


def figures(page: str, pattern: str) -> list[int]:
    """The whole numbers that a pattern's group finds on a page, at least one."""
    found = [int(number.replace(",", "").translate(SUPERSCRIPT)) for number in re.findall(pattern, text(page))]
    assert found, f"{page} says nothing like {pattern}"
    return found


def power(number: int) -> int:
    assert number & (number - 1) == 0
    return number.bit_length() - 1


def scheduled() -> dict[int, tuple[float, int]]:
    """The table of performance.md: by deals of a range, milliseconds of client and scheduler, and workers."""
    row = r"\| ([\d,]+) \| [\d.]+ s \| \d+ \| ([\d.]+) ms, [\d.]+ % \| ([\d,]+) \|"
    return {int(deals.replace(",", "")): (float(cost), int(workers.replace(",", "")))
            for deals, cost, workers in re.findall(row, text("performance.md"))}


def test_ranges_are_those_that_are_played():
    long = make_experiment("careful", "greedy", deals=10_000_000_000)
    ranges = list(long.ranges())
    sizes = [stop - start for start, stop in ranges[:-1]]
    assert (sizes[0], max(sizes)) == (RANGE, LONGEST * RANGE)
    assert figures("cluster.md", r"begin with 2<sup>(\d+)</sup> deals") == [power(RANGE)]
    assert figures("cluster.md", r"grow to 2<sup>(\d+)</sup>") == [power(LONGEST * RANGE)]
    for page in ("cluster.md", "performance.md"):
        assert figures(page, r"deals(?: of Bohemian Schneider)? are ([\d,]+) ranges") == [len(ranges)]
    [grown] = re.findall(r"grow from 2(\S+) deals to 2(\S+) from deal 2(\S+) on, and to 2(\S+) from deal 2(\S+) on",
                         text("performance.md"))
    first, second, at_second, last, at_last = (2 ** int(n.translate(SUPERSCRIPT)) for n in grown)
    by_start = dict(zip((start for start, _ in ranges), sizes, strict=False))
    assert (first, second, last) == (RANGE, 2 * RANGE, LONGEST * RANGE)
    for size, start in ((second, at_second), (last, at_last)):
        assert by_start[start] == size and by_start[start - size // 2] == size // 2


def test_what_one_scheduler_feeds_is_as_measured():
    measured = scheduled()
    assert set(measured) == {RANGE, 2 * RANGE, LONGEST * RANGE}
    for deals, where in ((RANGE, "in the first deals of a run"), (LONGEST * RANGE, "once ranges have grown")):
        cost, workers = measured[deals]
        assert figures("cluster.md", rf"about ([\d,]+) (?:workers )?{where}") == [workers]
        assert f"{cost} ms of processor time on a range of 2<sup>{power(deals)}</sup>" in text("cluster.md") or (
            f"{cost} ms on one of 2<sup>{power(deals)}</sup>" in text("cluster.md"))
    assert figures("performance.md", r"With ([\d,]+) workers the first deals") == [measured[RANGE][1]]
    assert figures("performance.md", r"; with ([\d,]+) the whole run") == [measured[LONGEST * RANGE][1]]
    assert f"until it takes {ledger._TASK} s" in text("performance.md")


@pytest.mark.parametrize("page, pattern, value", [
    ("rules-bauernschnapsen.md", r"A match goes to (\d+) game points", TARGET),
    ("performance.md", r"is 0\.9 % of playing 2(\S+) deals", power(experiment.RANGE)),
])
def test_single_figures(page, pattern, value):
    assert figures(page, pattern) == [value]
