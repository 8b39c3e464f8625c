"""`replay --html` and `replay --instead`: deals on paper, and two plays of a deal side by side."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

import schneider_sim as ss
from commandline import call, refused
from schneider_sim.report.replays import deal_html

PAIRS = {"bohemian": ("careful", "greedy", "champion", 3), "bauernschnapsen": ("expert", "cautious", "bold", 3)}


class Page(HTMLParser):
    """The texts of a page by the class of the tag they stand in, and the classes of tags in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.classes = "", list[str]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        assert tag != "script" and not any(name.startswith("on") for name in found)
        assert "src" not in found and (tag != "link" or str(found["href"]).startswith("data:"))
        self.classes.append(found.get("class") or "")

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("game", PAIRS)
def test_a_page_has_every_card_with_the_word_that_chose_it(game: str, tmp_path: Path) -> None:
    a, b, _, deal = PAIRS[game]
    file = tmp_path / "ein Blatt.html"
    words = (a, b, "--deal", str(deal), "--until", str(deal + 1), "--game", game)
    told = call("replay", *words, "--html", str(file))
    assert told.exit_code == 0 and told.stdout == call("replay", *words).stdout
    page = Page(file.read_text(encoding="utf-8"))
    traces = [ss.replay(a, b, number, game=game) for number in (deal, deal + 1)]
    cards = sum(len(trick.get("cards", ("led", "reply"))) for trace in traces for trick in trace["tricks"])
    assert page.classes.count("line") == page.classes.count("reason") == cards
    assert page.classes.count("replayed") == 2 and page.classes.count("number") == sum(
        len(trace["tricks"]) for trace in traces)
    assert " takes " in page.text and f"schneider-sim replay {a} {b} --deal {deal} --until {deal + 1}" in page.text
    assert "at random from" in page.text and "the only card allowed" in page.text
    assert ss.replay_page(a, b, deal, deal + 1, game=game).html == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("game", PAIRS)
def test_two_plays_stand_side_by_side_and_the_first_difference_is_marked(game: str, tmp_path: Path) -> None:
    a, b, c, deal = PAIRS[game]
    file, words = tmp_path / "side.html", (a, b, "--deal", str(deal), "--instead", c, "--game", game)
    told = call("replay", *words, "--html", str(file))
    assert told.exit_code == 0 and told.stdout.count(" <> ") == 1 and "They part " in told.stdout
    (one,) = map(json.loads, call("replay", *words, "--json").stdout.splitlines())
    assert one["plays"] == {"A": ss.replay(a, b, deal, game=game), "C": ss.replay(c, b, deal, game=game)}
    assert one["policies"]["C"] == one["plays"]["C"]["policies"]["A"] and one["parting"]["A"] != one["parting"]["C"]
    page = Page(file.read_text(encoding="utf-8"))
    marked = [one for one in page.classes if one.endswith(" here")]
    assert len(marked) == 2 and set(marked) <= {"told here", "top here"} and "C against B" in page.text
    found = ss.replay_page(a, b, deal, instead=c, game=game)
    assert found.traces == list(one["plays"].values())
    assert "They part " in str(found) and str(found).count(" <> ") == 1
    assert found.html == file.read_text(encoding="utf-8") and found._repr_html_().startswith("<iframe")
    assert found.write(tmp_path / "again.html").read_bytes() == file.read_bytes()


def test_plays_that_no_policy_here_made_are_shown_without_words() -> None:
    """Of people, or with words from a file that is not there: the cards are the same, the reasons are left out."""
    trace = ss.replay("careful", "greedy", 3)
    page = str(deal_html(trace))
    human = str(deal_html(trace | {"policies": {"A": "Anna & Bert", "B": "greedy"}}))
    assert page.count('class="reason"') == page.count('class="line"') == 32
    assert human.count('class="reason"') == 0 and human.count('class="line"') == 32


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    words = ("replay", "careful", "greedy", "--deal", "3")
    assert "at most 1,000 deals" in refused(*words, "--until", "1003", "--html", str(tmp_path / "a.html"))
    assert "unknown" in refused(*words, "--instead", "chamion")
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    assert "cannot write" in refused(*words, "--html", str(tmp_path / "file" / "page.html"))
    with pytest.raises(ss.RequestError, match="choose fewer with until"):
        ss.replay_page("careful", "greedy", 3, 1003)
