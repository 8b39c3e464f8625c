"""A report wherever it is made: the user's Matplotlib settings, fonts, spreadsheets, names and keyboards."""

import csv
import json
import re
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd
import pytest

from commandline import call
from schneider_sim.cli import output_folder
from schneider_sim.errors import RunError
from schneider_sim.games import load_game
from schneider_sim.report.charts import figures, glyphs
from schneider_sim.report.charts import running as growing
from schneider_sim.report.charts.names import key, labels, width
from schneider_sim.report.charts.pictures import picture
from schneider_sim.report.charts.style import EIGHT
from schneider_sim.report.pieces import game_report

LONG = "careful that forgets everything after two tricks", "careful that forgets everything after three tricks"
STUDY = f"""deals = 60
[policies]
"=SUM(1)" = "greedy"
"ü 中" = "plain"
"{LONG[0]}" = "careful; memory: last-2"
"{LONG[1]}" = "careful; memory: last-3"
"""
USERS: Any = {
    "text.usetex": True, "savefig.transparent": True, "savefig.bbox": "tight", "font.family": ["serif"],
    "font.size": 30.0, "axes.formatter.limits": [-1, 1], "axes.formatter.use_locale": True, "figure.dpi": 30.0}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A report on STUDY on a machine whose only font is Matplotlib's own, and what it said on standard error."""
    place = tmp_path_factory.mktemp("hostile")
    (place / "study.toml").write_text(STUDY, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(glyphs, "_installed", tuple)
        glyphs._fonts_for.cache_clear()
        done = call("report", str(place / "study.toml"), "--out", str(place / "out"), "--threads", "1")
        glyphs._fonts_for.cache_clear()
    assert done.exit_code == 0, done.output
    return place / "out", done.stderr


def compared(out: Path) -> Any:
    return call("compare", "plain", "greedy", "--max-deals", "1024", "--out", str(out))


def test_the_users_matplotlibrc_changes_no_figure(tmp_path: Path) -> None:
    usual = compared(tmp_path / "usual")
    with matplotlib.rc_context(USERS):
        done = compared(tmp_path / "odd")
        assert matplotlib.rcParams["text.usetex"] is True, "the user's own settings come back"
    assert (done.exit_code, done.stdout) == (usual.exit_code, usual.stdout)
    for name in ("compare.png", "compare.svg"):
        assert (tmp_path / "odd" / name).read_bytes() == (tmp_path / "usual" / name).read_bytes(), name


def test_an_error_while_drawing_loses_no_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ValueError("no such font\nin this place")

    monkeypatch.setattr(figures, "running_estimate", fail)
    done = compared(tmp_path / "out")
    assert done.exit_code == 1 and done.stdout.startswith("answer    plain is better")
    assert "figure compare could not be drawn (ValueError: no such font in this place)" in done.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"compare.json", "looks.csv"}

    (tmp_path / "study.toml").write_text('deals = 20\npolicies = ["plain", "greedy"]\n')
    done = call("report", str(tmp_path / "study.toml"), "--out", str(tmp_path / "report"), "--threads", "1")
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert done.exit_code == 1 and done.stdout.endswith("index.html\n")
    assert "figure running could not be drawn" in done.stderr
    assert "This figure could not be drawn</strong> (ValueError: no such font" in page
    assert (tmp_path / "report" / "figures" / "payoff.png").exists() and page.count("<figure") > 5
    assert json.loads((tmp_path / "report" / "result.json").read_text(encoding="utf-8"))["match_ups"]


def test_what_cannot_be_written_does_not_lose_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise RunError("cannot write the file: no room")

    monkeypatch.setattr(output_folder, "replacing", full)
    done = compared(tmp_path / "out")
    assert done.exit_code == 1 and done.stdout.startswith("answer    plain is better")
    assert "cannot write" in done.stderr


def test_a_spreadsheet_reads_names_and_runs_none(hostile: tuple[Path, str]) -> None:
    folder, _ = hostile
    for path in (folder / "tables").glob("*.csv"):
        raw = path.read_bytes()
        assert raw.startswith(b"\xef\xbb\xbf") or raw.isascii(), path
        with path.open(encoding="utf-8-sig", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        for cell in cells:
            if cell.startswith(("=", "+", "-", "@")):
                float(cell)  # a number is no formula
    exact = pd.read_parquet(folder / "tables" / "first_leader.parquet")
    assert "=SUM(1)" in set(exact["policy"])
    assert "'=SUM(1)" in set(pd.read_csv(folder / "tables" / "first_leader.csv")["policy"])
    assert (folder / "tables" / "first_leader.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def test_a_glyph_without_a_font_is_named(hostile: tuple[Path, str]) -> None:
    assert "no font here has 中: PNG figures show a box" in hostile[1]


def test_a_glyph_is_drawn_in_another_font_that_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib import get_data_path
    from matplotlib.ft2font import FT2Font

    folder = Path(get_data_path()) / "fonts" / "ttf"
    own = FT2Font(str(folder / "DejaVuSans.ttf")).get_charmap()
    other = folder / "STIXGeneral.ttf"
    character = next(chr(code) for code in FT2Font(str(other)).get_charmap() if code not in own and
                     chr(code).isprintable())
    monkeypatch.setattr(glyphs, "_installed", lambda: (("STIXGeneral", str(other)),))
    glyphs._fonts_for.cache_clear()
    drawn: list[Any] = []

    def draw() -> Any:
        figure, ax = figures.new_figure(2)
        drawn.append(ax.set_title(f"{character}!"))
        return figure

    assert picture("one", draw)[3:] == ("", "")
    assert drawn[0].get_fontfamily() == ["DejaVu Sans", "STIXGeneral"]
    glyphs._fonts_for.cache_clear()


def test_cut_names_differ_and_have_a_key_on_the_page(hostile: tuple[Path, str]) -> None:
    page = unescape((hostile[0] / "index.html").read_text(encoding="utf-8"))
    found = dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", page[page.index('id="cut-names"') :]))
    assert sorted(found.values()) == sorted(LONG) and all("…" in label for label in found)
    assert all(f">{label}</text>" in page for label in found), "figures use these labels"
    many = [f"{'x' * 30} {number}{'y' * 25}" for number in range(40)] + ["中" * 20, "中" * 30]
    short = labels(many)
    assert len(set(short.values())) == len(many) and max(map(width, short.values())) <= 22
    assert key(many) == {label: name for name, label in short.items()}


class Boxes(HTMLParser):
    """Reads whether header cells have a scope and boxes that scroll can be reached by keyboard."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[bool] = []
        self.tables = self.heads = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "th":
            self.heads += 1
            assert given.get("scope") == "col"
        if {"scroll", "plot"} & set((given.get("class") or "").split()):
            assert given.get("tabindex") == "0" and given.get("role") == "region" and given.get("aria-label")
        if tag == "div":
            self.open.append("scroll" in (given.get("class") or ""))
        if tag == "table":
            self.tables += 1
            assert self.open and self.open[-1], "a table that is wider than the text scrolls"

    def handle_endtag(self, tag: str) -> None:
        if tag == "div":
            self.open.pop()


def test_wide_tables_stay_in_the_text_and_are_reached_by_keyboard(hostile: tuple[Path, str]) -> None:
    page = (hostile[0] / "index.html").read_text(encoding="utf-8")
    seen = Boxes(page)
    assert seen.tables >= 4 and seen.heads >= 12
    assert "max-content; min-width: 100%; max-width: calc" not in page


def test_the_opening_tells_the_rules_in_force() -> None:
    bohemian, bauern = load_game("bohemian"), load_game("bauernschnapsen")
    tell, tell_bauern = game_report("bohemian").game_in_short, game_report("bauernschnapsen").game_in_short
    said = tell(bohemian.rules("higher", {"schneider_at": 17, "first_dealer": "low_card"}))
    for part in ("a card of the suit led, or with any card where the hand has none", "a higher card of the suit led",
                 "2 from 17 honours", "non-default rules: first_dealer=low_card."):
        assert part in said
    assert "next higher" not in said and "standard" not in tell(bohemian.rules())
    said = tell_bauern(bauern.rules("common", {"max_double": 0, "value_GANG": 11, "overtrump": "free"}))
    for part in ("GANG (11)", "KONTRASCHNAPSER (12)", "Nobody doubles.", "non-default rules: overtrump=free."):
        assert part in said
    assert "BETTLER" not in said
    words = game_report("bauernschnapsen").glossary(bauern.rules("common", {"retour": "off"}))
    assert "Bettler, Plauderer" not in words and "Retourschneider" not in str(words) and "Gang" in words


@pytest.mark.parametrize("name", ["bohemian", "bauernschnapsen"])
def test_no_switch_is_passed_over_in_the_opening(name: str) -> None:
    """Every switch that differs from the standard changes the opening, or the words below it."""
    playing = load_game(name)
    told = game_report(name)
    tell = (told.game_in_short, told.glossary)
    usual = [str(part(playing.rules())) for part in tell]
    other = {"bohemian": {"beat_rule": "next_any_suit", "follow": "endgame_only", "ace_by_seven": "same_suit",
                          "schneider_at": 15, "win_points": [1, 2, 4], "tie_10_10": "redeal", "session": "deals-8",
                          "first_dealer": "high_card", "draw_timing": "on_play"},
             "bauernschnapsen": {"trump_timing": "auction_winner", "auction": "single", "bettler_partner": "sits_out",
                                 "gang_partner": "sits_out", "max_double": 2, "retour": "off", "GANG": "off",
                                 "value_GANG": 7, "must_head": "trick_contracts_only", "count": "down"}}[name]
    for switch, value in other.items():
        assert [str(part(playing.rules(None, {switch: value}))) for part in tell] != usual, switch


def test_one_look_is_drawn(tmp_path: Path) -> None:
    frame = growing.running([-1.0, 0.0, 1.0], [[100, 200, 130]])
    with figures.style():
        figure, ax = figures.new_figure(3)
        figures.running_estimate(ax, frame, "VP per deal")
        segments = [path for bars in ax.collections for path in bars.get_paths()]
        assert len(frame) == 1 and len(segments) == 2 and ax.lines[0].get_marker() == "o"
        for path in segments:
            low, high = path.vertices[:, 1]
            assert low < float(frame["value"].iloc[0]) < high
        figures.as_svg(figure)


def overlaps(figure: Any, texts: list[Any]) -> list[tuple[str, str]]:
    """Neighbouring texts that run into each other, once the figure is laid out."""
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in texts]
    steep = {text.get_rotation() for text in texts} == {35.0}
    if steep:  # slanted boxes overlap although the letters do not: the lines are far enough apart
        apart = [b.x1 - a.x1 for a, b in pairwise(boxes)]
        return [] if min(apart) > 1.2 * texts[0].get_fontsize() * figure.dpi / 72 else [("slanted", "labels")]
    return [(a.get_text(), b.get_text()) for (a, one), (b, two) in pairwise(zip(texts, boxes, strict=True))
            if one.x0 < two.x1 and two.x0 < one.x1 and one.y0 < two.y1 and two.y0 < one.y1]


@pytest.mark.parametrize("size", [3, 9, 12, 16, 40])
def test_a_heat_map_of_many_policies_can_be_read(size: int) -> None:
    import numpy as np

    names = list(labels(f"careful that forgets after {number} tricks" for number in range(size)).values())
    values = np.subtract.outer(np.arange(size), np.arange(size)) / 100 + np.where(np.eye(size, dtype=bool), np.nan, 0)
    with figures.style():
        figure, ax = figures.new_figure(figures.heat_map_height(names, names))
        figures.payoff_heat_map(ax, names, values, values - 0.012, values + 0.012, "VP")
        assert not overlaps(figure, ax.get_xticklabels()) and not overlaps(figure, ax.get_yticklabels())
        row = [text for text in ax.texts if text.get_position()[1] < 0]
        assert not overlaps(figure, row) and bool(ax.texts) == (size <= figures.NUMBERED)
        assert min(text.get_fontsize() for text in [*ax.texts, *ax.get_xticklabels()]) >= 4.5
        assert "square root" in figure.axes[1].get_ylabel(), "the colours are not linear, and that is said"


@pytest.mark.parametrize("size", [5, 31, 60])
def test_a_curve_of_many_settings_can_be_read_and_joins_no_categories(size: int) -> None:
    words = [f"last-{number} of all the tricks" for number in range(size)]
    numbers = [f"{number / 100}" for number in range(size)]
    with figures.style():
        for settings, joined in ((words, False), (numbers, True)):
            figure, ax = figures.new_figure(figures.curve_height(settings) / 2)
            figures.option_curve(ax, settings, [0.1] * size, [0.0] * size, [0.2] * size, "VP", "memory")
            assert (ax.lines[0].get_linewidth() > 0) is joined
            assert not overlaps(figure, [text for text in ax.get_xticklabels() if text.get_text()])


def test_eight_lines_have_eight_colours() -> None:
    assert len(set(EIGHT)) == 8
    flow = pd.DataFrame([(side, trick, mean, 0.0, 1.0) for side, mean in (("first", 0.6), ("second", 0.4))
                         for trick in range(1, 17)], columns=["side", "trick", "honours", "low", "high"])
    with figures.style():
        figure, ax = figures.new_figure(3)
        figures.lead_gain(ax, {str(number): flow for number in range(40)})
        named = [text.get_color() for text in ax.texts if text.get_text().isdigit()]
        assert len(named) == len(set(named)) == 8
        figures.as_svg(figure)
