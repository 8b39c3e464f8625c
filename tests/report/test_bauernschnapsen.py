"""The report on Bauernschnapsen: the questions of players, whatever the study; no word of the other game."""

import json
import re
from html import unescape
from pathlib import Path

import pandas as pd
import pytest

from commandline import call

STUDIES = {
    "usual": 'deals = 1500\nseed = 5\npolicies = ["bold", "cautious", "tactician"]\n',
    "one": 'deals = 300\npolicies = ["expert"]\n',
    "few": 'deals = 1\npolicies = ["bold", "random"]\n',
    "no Gang": 'deals = 400\npolicies = ["bold", "random"]\nrules = {GANG = "off", retour = "off", max_double = 0}\n',
    "two cards": 'deals = 300\npolicies = ["bold", "random"]\nrules = {trump_timing = "auction_winner"}\n',
    "doubling": 'deals = 1200\n[policies]\nwild = "bold; double: whim"\n"<b>" = "random; bid: whim; double: whim"\n',
}
QUESTIONS = ("contracts", "gang", "doubling", "matches", "normal", "marriages")
OTHER_GAME = re.compile(r"honour|Bohemian|Schwarz|\bstock\b|\bVP\b|victory point|non-dealer|\bsessions?\b", re.I)
NUMBER = r"−?\d[\d \u202f]*(?:\.\d+)?"


SLOW = ("one", "two cards", "no Gang")  # what is particular to them, the others show too


@pytest.fixture(scope="module", params=[
    pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW), id=name) for name in STUDIES])
def folder(request, tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("report")
    (place / "study.toml").write_text('game = "bauernschnapsen"\n' + STUDIES[request.param], encoding="utf-8")
    done = call("report", str(place / "study.toml"), "--out", str(place / "out"), "--threads", "1", "--no-store")
    assert done.exit_code == 0, done.output
    return place / "out"


def text_of(page: str) -> str:
    return unescape(re.sub(r"<[^>]*>", " ", page))


def answers(folder: Path) -> dict[str, str]:
    """The page's answers by name, as HTML."""
    page = (folder / "index.html").read_text(encoding="utf-8")
    part = page[page.index('id="answers"') : page.index('id="figures"')]
    return dict(re.findall(r'<h3 id="about-(\w+)">(.*?)(?=<h3|<h2|$)', part, re.DOTALL))


def test_every_question_is_answered(folder):
    found = answers(folder)
    study = (folder / "study.toml").read_text(encoding="utf-8")
    left_out = {"gang"} if "GANG" in study or "auction_winner" in study else set()
    assert list(found) == [name for name in QUESTIONS if name not in left_out]
    for name, answer in found.items():
        assert "<p>" in answer and 'class="basis"' in answer, name
        assert not re.search(r"\bnan\b|\binf\b|None", text_of(answer)), name
        assert "independent deals" in answer or name == "gang"
        for link in re.findall(r'href="#(\w+)"', answer):
            assert (folder / "figures" / f"{link}.svg").exists()


def test_estimates_in_sentences_have_intervals(folder):
    """Whatever is estimated, a share or game points, is followed by its limits, which hold it."""
    for name, answer in answers(folder).items():
        for sentence in re.findall(r"<p>(.*?)</p>", answer, re.DOTALL):
            plain = text_of(sentence).replace("\u00a0", " ")
            for match_up in re.finditer(rf"({NUMBER})( %)?( \(({NUMBER}) to ({NUMBER})\))?", plain):
                if match_up[2]:
                    assert match_up[3], f"{name}: no interval in: {plain}"
                if match_up[3]:
                    value, low, high = (float(re.sub(r"[ \u202f]", "", x).replace("−", "-"))
                                        for x in (match_up[1], match_up[4], match_up[5]))
                    assert low <= value <= high, plain


def test_no_word_of_the_other_game(folder):
    page = text_of((folder / "index.html").read_text(encoding="utf-8").partition("</style>")[2])
    page = re.sub(r"session_\w+|memory: honours", "", page)
    assert not OTHER_GAME.search(page), OTHER_GAME.search(page)
    for table in (folder / "tables").glob("*.csv"):
        head = table.read_text(encoding="utf-8").partition("\n")[0]
        assert "honours" not in head


def test_tables_hold_what_the_page_says(folder):
    contracts = pd.read_parquet(folder / "tables" / "own_contracts.parquet")
    for _, rows in contracts.groupby("policy"):
        assert rows["played"].sum() == pytest.approx(1)
    matches = pd.read_parquet(folder / "tables" / "matches.parquet")
    assert (matches["length"] >= 1).all() and (matches["length_low"] <= matches["length_high"]).all()
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert len(matches) == len(result["match_ups"])
    if (folder / "tables" / "gang.csv").exists():
        gang = pd.read_csv(folder / "tables" / "gang.csv")
        assert (gang["made_low"] <= gang["made"]).all() and (gang["gain"] <= gang["gain_high"]).all()


def test_who_plays_by_the_score_is_said_first(folder):
    page = text_of((folder / "index.html").read_text(encoding="utf-8"))
    study = (folder / "study.toml").read_text(encoding="utf-8")
    said = "tactician plays by the score of the match"
    assert page.count(said) == ("tactician" in study)
    assert "as a policy plays by the score; see" not in page or "tactician" in study


def test_the_check_by_played_matches_agrees(folder):
    said = text_of(answers(folder)["matches"])
    if "Checked by playing" in said:
        assert "they agree" in said


def test_the_words_of_the_answers_are_explained(folder):
    page = (folder / "index.html").read_text(encoding="utf-8")
    words = page[page.index('id="words"') : page.index('id="policies"')]
    for word in ("caller", "contract", "Gang", "Plauderer", "Schnapser", "Farbenringerl", "Bummerl", "Schneider"):
        assert re.search(rf"<dt>[^<]*\b{word}\b", words), word
    found = answers(folder)
    if "gang" in found:
        first = re.search(r"<p>(.*?)</p>", found["gang"], re.DOTALL)
        assert first and first[1].startswith("Sure: "), "what a hand is called comes before what it is worth"
