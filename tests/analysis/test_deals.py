"""Deals worth seeing: the ones that a plain search over all plays finds, shown side by side."""

import json
import shlex
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import schneider_sim as ss
from commandline import call, refused
from schneider_sim.analysis import deals_text
from schneider_sim.analysis.parting import parting_of, steps_of
from schneider_sim.base.terminal import Style
from schneider_sim.games.bohemian.endgame import losses as bohemian_losses
from schneider_sim.runs.experiment import make_experiment

BOTH = pytest.mark.parametrize("name, a, b, c", [("bohemian", "careful", "plain", "thrifty"),
                                                 ("bauernschnapsen", "bold", "cautious", "expert")])
DEALS = 300


def worth(trace: dict[str, Any]) -> int:
    """A's points in a play minus B's."""
    if "victory_points" in trace:
        return int(trace["victory_points"]["A"] - trace["victory_points"]["B"])
    return int(trace["game_points"]) * (1 if trace["scoring_team"] == "A" else -1)


def plays(name: str, a: str, b: str, leader: str) -> list[dict[str, Any]]:
    return list(ss.replays(a, b, 0, DEALS - 1, 7, first_leader=leader, game=name))


@BOTH
def test_largest_swings_of_c_in_the_place_of_a(name: str, a: str, b: str, c: str) -> None:
    found = ss.deals(a, b, instead=c, deals=DEALS, seed=7, game=name, limit=7)
    plain = [(-abs(worth(left) - worth(right)), left["deal"], leader) for leader in "AB"
             for left, right in zip(plays(name, a, b, leader), plays(name, c, b, leader), strict=True)]
    assert [(-abs(one.value), one.deal, one.first_leader) for one in found.seen] == sorted(plain)[:7]
    for one in found.seen:
        assert one.value == one.points["A"] - one.points["C"]
        assert (worth(one.left), worth(one.right)) == (one.points["A"], one.points["C"])


@BOTH
def test_largest_swings_of_duplicates(name: str, a: str, b: str, c: str) -> None:
    found = ss.deals(a, b, deals=DEALS, seed=7, game=name, limit=5)
    both = zip(plays(name, a, b, "A"), plays(name, a, b, "B"), strict=True)
    plain = sorted((-abs(worth(one) + worth(two)), one["deal"]) for one, two in both)
    assert [(-abs(one.value), one.deal) for one in found.seen] == plain[:5]
    assert {one.first_leader for one in found.seen} == {"A"}


@BOTH
@pytest.mark.parametrize("with_c", [True, False])
def test_earliest_partings_are_those_of_the_traces(name: str, a: str, b: str, c: str, with_c: bool) -> None:
    found = ss.deals(a, b, instead=c if with_c else None, deals=DEALS, seed=7, game=name, limit=10_000, sort="parting")
    seen = {(one.deal, one.first_leader): one.value for one in found.seen}
    for leader in "AB" if with_c else "A":
        right = plays(name, c if with_c else a, b, leader if with_c else "B")
        for one, two in zip(plays(name, a, b, leader), right, strict=True):
            apart = parting_of(name, one, two, not with_c)
            assert seen.get((one["deal"], leader)) == (None if apart is None else apart.trick), one["deal"]
    assert [one.value for one in found.seen] == sorted(seen.values())


def test_parting_names_what_each_would_play() -> None:
    found = ss.deals("careful", "plain", instead="thrifty", deals=DEALS, seed=7, limit=50, sort="parting")
    for one in found.seen:
        assert one.parting is not None
        steps = steps_of("bohemian").steps
        left, right = list(steps(one.left)), list(steps(one.right))
        first = next(k for k in range(32) if left[k] != right[k])
        assert (left[first].what, right[first].what) == (one.parting.first, one.parting.second)
        assert left[first].side == "A", "B plays alike until A parts"


def test_schneiders_are_the_largest() -> None:
    found = ss.deals("careful", "thrifty", deals=DEALS, seed=7, sort="schneider", limit=6)
    plain = sorted((-max(trace["honours"].values()), -abs(0), trace["deal"]) for leader in "AB"
                   for trace in plays("bohemian", "careful", "thrifty", leader))
    assert [one.value for one in found.seen] == [-best for best, _, _ in plain[:6]]
    assert all(max(one.left["honours"].values()) == one.value >= 16 for one in found.seen)


def test_largest_losses_are_those_of_the_tally() -> None:
    found = ss.deals("careful", "plain", deals=DEALS, seed=7, sort="loss", limit=10_000)
    lost = ss.simulate("careful", "plain", deals=DEALS, seed=7, detail="all").tally["endgame_sums"]
    assert sum(one.value for one in found.seen) == lost[0] > 0
    assert [one.value for one in found.seen] == sorted((one.value for one in found.seen), reverse=True)
    assert not ss.deals("careful; endgame: exact", "plain", deals=DEALS, seed=7, sort="loss").seen


@pytest.mark.parametrize("leader", "AB")
def test_losses_are_what_perfect_endgames_differ_by(leader: str) -> None:
    match_up = make_experiment("careful", "plain", deals=1, seed=7).match_up
    lost = bohemian_losses.losses(match_up, 0, 200, leader)
    exact = ss.replays("careful; endgame: exact", "plain; endgame: exact", 0, 199, 7, first_leader=leader)
    for trace, perfect, (a, b) in zip(ss.replays("careful", "plain", 0, 199, 7, first_leader=leader), exact,
                                      lost.tolist(), strict=True):
        assert worth(perfect) - worth(trace) == a - b, trace["deal"]


@BOTH
def test_filter_keeps_the_plays_that_the_records_have(name: str, a: str, b: str, c: str) -> None:
    where = "points_a >= 2 and first_leader == 'B'"
    found = ss.deals(a, b, instead=c, where=where, deals=DEALS, seed=7, game=name, limit=10_000)
    plain = [trace["deal"] for trace in plays(name, a, b, "B") if worth(trace) >= 2]
    assert found.matching == len(plain)
    assert {one.deal for one in found.seen} <= set(plain) and {one.first_leader for one in found.seen} == {"B"}


@BOTH
def test_side_by_side_fits_the_screen(name: str, a: str, b: str, c: str) -> None:
    for instead in (None, c):
        found = ss.deals(a, b, instead=instead, deals=DEALS, seed=7, game=name, limit=20)
        for one in found.seen:
            lines = list(deals_text.deal(found.value, one, Style()))
            assert max(map(len, lines)) <= 80, max(lines, key=len)
            assert sum(" <> " in line for line in lines) == 1
            coloured = deals_text.deal(found.value, one, Style(True))
            assert [len(line) for line in lines] == [len(line) for line in coloured]


def test_the_outcome_does_not_depend_on_threads() -> None:
    one, two = (ss.deals("careful", "plain", deals=20_000, threads=threads).as_dict() for threads in (1, 3))
    assert one == two
    late = ss.deals("careful", "plain", deals=500, first=2**63 - 500)
    assert all(2**63 - 500 <= seen.deal < 2**63 for seen in late.seen)


@BOTH
def test_json_has_its_form(name: str, a: str, b: str, c: str) -> None:
    words = ["deals", a, b, "--instead", c, "--deals", "200", "--game", name, "--limit", "3", "--json"]
    found = json.loads(call(*words).stdout)
    assert list(found)[:6] == ["game", "rules", "policies", "seed", "first", "deals"] and list(found)[-1] == "version"
    assert [list(one) for one in found["deals"]] == 3 * [["deal", "first_leader", "key", "value", "points", "parting"]]
    assert list(found["deals"][0]["points"]) == ["A", "B", "C"]
    assert list(found["deals"][0]["parting"]) == ["trick", "A", "C"]
    again = shlex.split(found["command"])
    assert json.loads(call(*again[1:], "--json").stdout) == found


def test_nothing_to_see_is_said() -> None:
    result = call("deals", "plain", "plain", "--deals", "100")
    assert result.exit_code == 0 and result.stdout.startswith("Nothing to see in 100 deals from 0 on: the plays are")
    result = call("deals", "plain", "greedy", "--deals", "100", "--where", "honours_a == 20 and tricks_a == 0")
    assert "0 of 200 plays match" in result.stdout


def test_wrong_requests_are_refused(tmp_path: Path) -> None:
    assert "(columns: deal, first_leader, honours_a" in refused("deals", "plain", "greedy", "--where", "honours")
    assert "analyse" in refused("deals", "plain", "greedy", "--sort", "loss", "--variant", "higher")
    assert "analyse" in refused("deals", "bold", "expert", "--sort", "loss", "--game", "bauernschnapsen")
    assert "Schneider" in refused("deals", "bold", "expert", "--game", "bauernschnapsen", "--sort", "schneider")
    assert "unknown policy" in refused("deals", "plain", "greedy", "--instead", "nobody")
    (tmp_path / "file").write_text("")
    assert "cannot write" in refused("deals", "plain", "greedy", "--html", str(tmp_path / "file" / "x.html"))
    with pytest.raises(ss.RequestError, match="unknown order 'swings'"):
        ss.deals("plain", "greedy", sort="swings")


class Reader(HTMLParser):
    """The text of a page, and what it would load from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.loads, self.open = "", list[str](), list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [value for name, value in attrs if name in ("src", "href") and value and value != "data:,"]
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@BOTH
def test_page_stands_alone(name: str, a: str, b: str, c: str, tmp_path: Path) -> None:
    page = tmp_path / "new" / "deals.html"
    result = call("deals", a, b, "--instead", c, "--deals", "200", "--limit", "2", "--game", name, "--html", str(page),
                  "--where", "points_a >= 0 and points_b < 99")
    assert result.exit_code == 0, result.stderr
    reader = Reader()
    reader.feed(page.read_text(encoding="utf-8"))
    assert not reader.loads and not reader.open
    first = json.loads(call("deals", a, b, "--instead", c, "--deals", "200", "--limit", "2", "--game", name, "--where",
                            "points_a >= 0 and points_b < 99", "--json").stdout)["deals"][0]
    assert f"Deal {first['deal']}, {first['first_leader']} first" in reader.text
    assert "points_b < 99" in reader.text and "C against B" in reader.text
    assert "prefers-color-scheme: dark" in page.read_text() and "@media print" in page.read_text()
    assert reader.text.count("every trick explained") == 4
