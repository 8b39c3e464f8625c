"""The page: self-contained, escaped, without faults in a browser."""

import re
import shutil
import subprocess
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest

import schneider_sim as ss
from schneider_sim.report.build import drawings_of
from schneider_sim.report.findings import Findings, play_study
from schneider_sim.report.page import render
from schneider_sim.report.pieces import game_report
from schneider_sim.report.sections import ranking
from schneider_sim.report.sections.summary import sentences
from schneider_sim.report.study import Study, parse_study
from schneider_sim.versus.payoff import Comparison, Payoff

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class Reader(HTMLParser):
    """Collects tags, ids, addresses and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            assert not name.startswith("on"), (tag, name)
            if name == "id":
                self.ids[value or ""] += 1
            if name in ("href", "src", "xlink:href"):
                self.links.append(value or "")

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def page(report: Path) -> str:
    return (report / "index.html").read_text(encoding="utf-8")


def test_nothing_comes_from_elsewhere(page: str, report: Path) -> None:
    reader = Reader(page)
    assert reader.tags["script"] == reader.tags["iframe"] == 0 and reader.tags["link"] == 1
    for link in reader.links:
        if link.startswith("#"):
            assert link[1:] in reader.ids, link
        elif not link.startswith("data:"):
            assert (report / link).is_file(), link
    assert not re.search(r"@import|url\((?!['\"]?(#|data:))", page)
    assert [name for name, times in reader.ids.items() if times > 1] == []


def test_names_are_text_and_nothing_else(page: str) -> None:
    assert "<script" not in page and "</script" not in page and "<b>" not in page
    assert "&lt;/script&gt;&lt;b&gt;" in page and "&lt;script&gt;alert(1)" in page
    text = "".join(Reader(page).text)
    assert "$x^2$ {{ 7*7 }} 10\u00a0%" in text and '& "Größe"' in text and "49" not in text.split("Every match-up")[0]


def test_a_reader_finds_answer_method_and_command(page: str, report: Path) -> None:
    text = "".join(Reader(page).text)
    assert "is the strongest of the 3 policies" in text
    assert "schneider-sim report study.toml --out" in text and "1\u202f500 deals a match-up" in text
    assert text.count("seed 5") >= 12 and text.count("rules: standard, schneider_at=17") >= 11
    assert "Lead rule or follow rule? The " in text and " rule matters more than the " in text
    assert "The grey cell is the opponent itself." in text
    assert "n = 1\u202f200 pairs a combination, all on the same deals; 95\u00a0% intervals for all at once" in text
    assert "Does the ranking say it all?" in text and "(Nash equilibrium). In 200 payoff tables" in text
    for word in ("SHA-256", "95\u00a0%", "duplicate", "numpy", "schneider_at", "n = 1\u202f500"):
        assert word in text, word
    assert "nan" not in re.findall(r"[a-z]+", text)
    for name in ("prefers-color-scheme: dark", "@media print", 'name="viewport"'):
        assert name in page


def test_the_game_and_its_words_come_before_the_tables(page: str) -> None:
    text = "".join(Reader(page).text)
    places = [text.index(part) for part in (
        "Two players play sixteen tricks", "2 from 17 honours (Schneider)", "Words\n", "pairing",
        "all at once (max-T)", "settled, open", "The policies", "The first leader is the non-dealer", "Figures\n")]
    assert places == sorted(places)
    assert not re.search(r"\d %", text) and "below 1\u202f000 pairs" in text and "in hindsight" not in text


def test_the_first_leaders_plays_add_up(report: Path, page: str) -> None:
    frame = pd.read_csv(report / "tables" / "first_leader.csv")
    assert frame.groupby("policy")["count"].sum().tolist() == [1500] * 3 and set(frame["n"]) == {1500}
    assert list(frame["first_leader"][:3]) == ["won", "tied", "lost"]
    assert ((frame["low"] < frame["share"]) & (frame["share"] < frame["high"])).all()
    alone = ss.simulate("plain", "plain", deals=1500, seed=5, rules={"schneider_at": 17}, design="independent")
    won = alone.by_first_leader["A"][11:].sum() + alone.by_first_leader["B"][:10].sum()
    row = frame[(frame["policy"] == "</script><b>") & (frame["first_leader"] == "won")]
    assert row["count"].item() == won and f"<td class=\"number\">{100 * won / 1500:.1f}</td>" in page


def test_every_caption_says_n_interval_rules_and_seed() -> None:
    text = 'deals = 1200\nseed = 9\nrules = {schneider_at = 15}\npolicies = ["plain", "greedy", "random"]\n'
    drawings = drawings_of(play_study(parse_study(text), threads=1))
    assert len(drawings) == 12 and len({drawing.name for drawing in drawings}) == 12
    for drawing in drawings:
        for part in ("n = ", " %", "rules: standard, schneider_at=15", "seed 9"):
            assert part in drawing.basis, (drawing.name, part)
        assert drawing.title and drawing.text.endswith(".")


def test_figures_take_ink_and_paper_from_the_page(page: str, report: Path) -> None:
    for path in (report / "figures").glob("*.svg"):
        alone = path.read_text(encoding="utf-8")
        assert "var(--" not in alone and "#1b1b1f" in alone, path
    assert "var(--ink)" in page and "#1b1b1f" not in page.split("</style>", 1)[1]


def test_no_figure_stays_open(report: Path) -> None:
    from matplotlib._pylab_helpers import Gcf

    assert report.is_dir() and not Gcf.figs


def told(text: str) -> str:
    return " ".join(sentences(play_study(parse_study(text), threads=1)))


def test_sentences_do_not_claim_more_than_is_known() -> None:
    said = told('deals = 300\n[policies]\nx = "plain"\ny = "plain; memory: last-12"\nz = "random"\n')
    assert "x and y cannot be told apart" in said or "y and x cannot be told apart" in said
    assert "open: x – y" in said and "is established" not in said and "The order is not established: of 3" in said
    twins = told('deals = 300\n[policies]\nx = "plain"\ny = "plain"\n')
    assert "cancelled exactly" in twins and "strongest" not in twins
    alone = told('deals = 4\npolicies = ["plain"]\n')
    assert alone.startswith("Leading to the first trick") and alone.count(".") == 4


FOUR = """deals = 1500
match_ups = [["champion", "plain"], ["plain", "random"], ["careful", "random"], ["greedy", "random"]]
policies = ["random", "greedy", "plain", "careful", "champion"]
"""
GROUPS = """deals = 1500
match_ups = [["plain", "greedy"], ["plain", "random"], ["greedy", "random"], ["champion", "careful"]]
policies = ["random", "greedy", "plain", "careful", "champion"]
"""


def test_who_did_not_all_meet_is_not_ranked() -> None:
    """By mean gain over those whom each met, plain stood above champion, which beats it."""
    findings = play_study(parse_study(FOUR), threads=1)
    said = " ".join(sentences(findings))
    assert said.startswith("Not all of the 5 policies met, so they cannot be ranked. Established gains")
    assert "champion beats plain by 0." in said and "careful beats random by 2." in said
    assert not re.search(r"strongest|next best|order| > |Nash", said) and list(ranking.sentences(findings)) == []
    assert findings.payoff.order == findings.study.players and not findings.payoff.is_complete
    page = render(findings, [], [])
    assert "Listed in the order of the study." in page and "mean gain over all others" not in page
    captions = " ".join(drawing.text for drawing in drawings_of(findings))
    assert "best" not in captions and "in the order of the study" in captions


def test_only_a_set_that_all_met_is_put_in_order() -> None:
    findings = play_study(parse_study(GROUPS), threads=1)
    said = " ".join(sentences(findings))
    assert "Among random, greedy, plain" not in said  # they stand by their gain
    assert "Among plain, greedy, random, who all met, the order is plain > greedy > random." in said
    assert findings.payoff.sets == (("plain", "greedy", "random"), ("champion", "careful"))


def test_the_first_leaders_advantage_names_those_that_may_have_the_largest() -> None:
    findings = play_study(parse_study('deals = 1500\npolicies = ["plain", "careful", "random"]'), threads=1)
    last = list(sentences(findings))[-1]
    assert "it is largest with random, smallest with careful or plain" in last


STUDY = Study("t", "bohemian", None, {}, dict.fromkeys("abc", ""), (("a", "b"), ("a", "c"), ("b", "c")), 100, 1, 0)


def beating(ab: float, ac: float, bc: float, error: float) -> Findings:
    """Findings of three policies with these gains, their intervals three errors wide."""
    payoff = Payoff(tuple("abc"), tuple(
        Comparison(*pair, gain, gain - 2 * error, gain + 2 * error, gain - 3 * error, gain + 3 * error, 100, "normal",
                   error, 0.0, 1.0) for pair, gain in zip(STUDY.pairs, (ab, ac, bc), strict=True)), "made up")
    findings = Findings(STUDY, game_report("bohemian"), ())
    vars(findings)["payoff"] = payoff
    return findings


def test_a_circle_is_said_and_its_mixture() -> None:
    findings = beating(0.2, -0.1, 0.1, 0.001)
    circle, mixture = ranking.sentences(findings)
    assert "Some policies beat each other in a circle, so no ranking says it all: a beats b beats c beats a" in circle
    assert "a mixture: c 50 %, a 25 %, b 25 %" in mixture and "a in 100 %" in mixture
    assert next(row["policy"] for row in (ranking.as_dict(findings) or {})["nash"]) == "a"


def test_an_order_without_circles_has_one_best() -> None:
    order, best = ranking.sentences(beating(0.1, 0.2, 0.1, 0.001))
    assert order.startswith("The ratings explain every match-up")
    assert "differences in rating account for 100.00% of the payoffs" in order
    assert "each deal is a alone" in best and "it includes a in 100 %." in best
    _, unsure = ranking.sentences(beating(0.001, 0.2, 0.2, 0.01))
    share = [float(part) for part in re.findall(r"[ab] in ([\d.]+) %", unsure)]
    assert len(share) == 2 and sum(share) >= 100 and min(share) > 30, "a and b may each be the best"


def test_nothing_is_said_of_policies_that_did_not_all_meet_or_are_alike() -> None:
    for text in ('match_ups = "vs plain"\npolicies = ["plain", "greedy", "random"]', 'policies = ["plain", "greedy"]',
                 '[policies]\na = "plain"\nb = "plain"\nc = "plain"'):
        findings = play_study(parse_study(f"deals = 20\n{text}"), threads=1)
        assert list(ranking.sentences(findings)) == [] and ranking.as_dict(findings) is None


def console(address: str, profile: Path) -> list[str]:
    """What a page says on the console of headless Chromium; skips where there is none."""
    browser = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if browser is None:
        pytest.skip(f"no browser found (looked for {', '.join(BROWSERS)})")
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-dev-shm-usage", f"--user-data-dir={profile}", "--enable-logging=stderr", "--dump-dom", address],
        capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=120, check=False)
    assert "</html>" in done.stdout, done.stderr
    return [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def test_a_browser_has_nothing_to_complain_about(report: Path, tmp_path: Path) -> None:
    faulty = tmp_path / "faulty.html"
    faulty.write_text("<!DOCTYPE html><html><body><script>console.error('seen')</script></body></html>")
    assert any("seen" in line for line in console(faulty.as_uri(), tmp_path / "profile")), "the console is not heard"
    assert console((report / "index.html").as_uri(), tmp_path / "profile") == []
