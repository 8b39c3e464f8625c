"""Figures for an article and intervals at another level: files, size, look and small print, wherever they are asked."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

import schneider_sim as ss
from commandline import call, refused
from schneider_sim.report.charts.paper import Paper, paper
from schneider_sim.report.charts.style import for_page

STUDY = """title = "On paper"
deals = 600
seed = 7
rules = {schneider_at = 17}
level = 0.9

[policies]
plain = "plain"
"a name of more than twenty-two characters" = "careful; memory: none"

[figures]
format = ["pdf", "png"]
width = 85
style = "print"
"""
COMMANDS: dict[str, tuple[str, ...]] = {
    "compare": ("compare", "plain", "greedy", "--max-deals", "2000", "--precision", "0.5"),
    "tournament": ("tournament", "plain", "greedy", "careful", "--deals", "300"),
    "factorial": ("factorial", "--leads", "safe,low", "--follows", "capture,low", "--deals", "300"),
    "curve": ("factorial", "--vary", "memory=none,full", "--deals", "300"),
    "tune": ("tune", "plain", "--rounds", "1"),
    "analyse": ("analyse", "plain", "greedy", "--deals", "3", "--worlds", "8"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on STUDY, at the level 0.99 and with coarse PNG files by options of the command."""
    place = tmp_path_factory.mktemp("paper") / "zu Papier"
    place.mkdir()
    (place / "s.toml").write_text(STUDY, encoding="utf-8")
    done = call("report", str(place / "s.toml"), "--out", str(place / "out"), "--level", "0.99", "--dpi", "100",
                "--no-store")
    assert done.exit_code == 0, done.output
    return place / "out"


@pytest.fixture(scope="module")
def made(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The same study from Python, at the level that its file asks for."""
    return ss.make_report(folder / "study.toml", tmp_path_factory.mktemp("other") / "out", dpi=72, format="svg",
                          store=None)


def test_the_files_are_of_the_formats_the_size_and_the_resolution(folder: Path) -> None:
    names = {path.name for path in (folder / "figures").iterdir()}
    drawn = {name.partition(".")[0] for name in names}
    assert names == {f"{name}.{ending}" for name in drawn for ending in ("pdf", "png")} and "payoff" in drawn
    for name in drawn:
        with Image.open(folder / "figures" / f"{name}.png") as image:
            assert abs(image.width - 85 / 25.4 * 100) <= 1 and image.info["dpi"] == pytest.approx((100, 100), abs=0.1)
        pdf = (folder / "figures" / f"{name}.pdf").read_bytes()
        box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+)", pdf)
        assert pdf.startswith(b"%PDF-") and box is not None and float(box[1]) == pytest.approx(85 / 25.4 * 72, abs=0.5)
        assert b"CreationDate" not in pdf


def test_print_has_no_colours(folder: Path) -> None:
    for path in (folder / "figures").glob("*.png"):
        with Image.open(path) as image:
            red, green, blue = image.convert("RGB").split()
            assert red.tobytes() == green.tobytes() == blue.tobytes(), path.name


def test_the_page_and_its_command_say_what_was_asked(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "schneider-sim report study.toml --out again --level 0.99 --dpi 100" in page
    assert "95\u00a0%" not in page and "95 %" not in page and "95 of 100" not in page
    assert page.count("99\u00a0%") > 10 and "99 of 100 such intervals" in page
    assert 'href="figures/payoff.pdf"' in page and "payoff.svg" not in page and "max-width: 85mm" in page
    assert "“a name of more than twenty-two characters”" in page.partition("The policies")[0]
    assert "small-print" not in page and "The darker, the greater the gain" in page
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert result["level"] == 0.99 and "figures/payoff.pdf" in result["files"]
    assert {one["level"] for one in result["match_ups"]} == {0.99}


def test_intervals_are_those_of_the_level(folder: Path, made: Any) -> None:
    """Of every table, against the same study at 0.9, which its file asks for: none narrower, and most wider."""
    assert made.to_dict()["level"] == 0.9
    wide = {path.stem: path for path in (folder / "tables").glob("*.csv")}
    assert set(made.tables) == set(wide)
    import pandas as pd

    for name, table in made.tables.items():
        other = pd.read_csv(wide[name])
        for low, high in (("low", "high"), ("all_low", "all_high"), ("any_low", "any_high")):
            if low in table and len(table):
                here, there = table[high] - table[low], other[high] - other[low]
                assert (there >= here - 1e-6).all() and (there > here).mean() > 0.5, (name, low)


def test_the_small_print_says_what_a_figure_rests_on(made: Any) -> None:
    for name in made.figures:
        figure = made.figure(name)
        said = " ".join(figure.texts[-1].get_text().split())
        assert said.startswith("Bohemian Schneider: ") and "schneider_at=17; seed 7" in said and "n = " in said, name
        assert "Polic" in said and ("90 %" in said or "error probabilities 10 %" in said or name == "replies"), said
    said = " ".join(made.figure("payoff").texts[-1].get_text().split())
    assert "a name of more than twenty-two characters = careful; memory: none" in said
    assert "Names cut: a name of more than t… = a name of more than twenty-two characters." in said
    bare = made.figure("payoff", small_print=False)
    assert not bare.texts and bare.get_size_inches()[0] == pytest.approx(85 / 25.4)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if name == "tune" else name
                                  for name in COMMANDS])
def test_other_commands_write_the_same_kind_of_figure(name: str, tmp_path: Path) -> None:
    words = (*COMMANDS[name], "--out", str(tmp_path / name), "--format", "pdf,svg", "--width", "8.5cm", "--style",
             "print-serif")
    done = call(*words)
    assert done.exit_code in (0, 3, 4), done.output
    written = {path.suffix for path in (tmp_path / name).glob(f"{name}.*")}
    assert {".pdf", ".svg"} <= written and ".png" not in written
    svg = (tmp_path / name / f"{name}.svg").read_text(encoding="utf-8")
    width = re.search(r'width="([\d.]+)pt"', svg)
    assert width is not None and float(width[1]) == pytest.approx(85 / 25.4 * 72, abs=0.5)
    assert not re.search(r"(?<=[: ])#(0072b2|d55e00|009e73)", svg) and 'id="small-print"' in svg
    before = (tmp_path / name / f"{name}.pdf").read_bytes()
    if name == "curve":
        assert call(*words).exit_code == 0
        assert (tmp_path / name / f"{name}.pdf").read_bytes() == before
        assert (tmp_path / name / f"{name}.svg").read_text(encoding="utf-8") == svg


@pytest.mark.parametrize(("words", "said"), [
    (("--format", "gif"), "--format must be png, svg or pdf, or several with commas, not 'gif'"),
    (("--width", "12"), "--width must be from 80 to 500 millimetres, such as 85, 8.5cm or 3.5in, not '12'"),
    (("--width", "wide"), "--width must be from 80"),
    (("--dpi", "1e3"), "--dpi must be a whole number from 72 to 1200"),
    (("--style", "prnt"), "--style must be screen, print or print-serif, not 'prnt'"),
    (("--level", "1"), "level 1.0 is not a confidence level")])
def test_what_cannot_be_is_refused(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    assert said in refused("report", "--out", str(tmp_path / "r"), *words)
    if words[0] != "--level":
        assert said in refused("compare", "plain", "greedy", "--out", str(tmp_path / "r"), *words)
        assert "give a folder for it with --out" in refused("tune", "plain", "--style", "print")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("line", "said"), [
    ("[figures]\nformt = 'pdf'", "unknown key in figures 'formt'; did you mean 'format'?"),
    ("[figures]\nwidth = true", "figures width must be"), ("figures = 3", "figures must be a table"),
    ("level = 'high'", "level must be a number"), ("level = 95", "level")])
def test_a_study_is_read_strictly(line: str, said: str, tmp_path: Path) -> None:
    place = tmp_path / "s.toml"
    top, table = (line, "") if "[" not in line else ("", line)
    place.write_text(f"policies = ['plain']\n{top}\n{table}\n", encoding="utf-8")
    assert said in refused("report", str(place), "--out", str(tmp_path / "r"))
    with pytest.raises(ss.RequestError, match="width must be"):
        ss.make_report(place if not top and not table else None, tmp_path / "r", width="1mm")


def test_units_of_width() -> None:
    assert [paper(width=one).width for one in (85, "85", "85 mm", "8.5cm", "3.5in")] == [85, 85, 85, 85, 88.9]
    assert Paper(width=90).scale == 0.72 and Paper().scale == 1 and Paper(width=400).scale == 1


def small_figure() -> Figure:
    from schneider_sim.report.charts import figures

    figure, ax = figures.new_figure()
    figures.forest(ax, [figures.Line("one – another", 0.2, 0.1, 0.3), figures.Line("two", 0.0, -0.1, 0.1, True)], "VP")
    return figure


def test_a_narrow_figure_is_small_in_all_its_parts() -> None:
    """Letters, lines and marks have 72 % of their size; nothing leaves the paper."""
    from schneider_sim.report.charts.finish import finished

    usual, small = (finished(small_figure, one, "Small print. " * 20) for one in (Paper(), Paper(width=85)))
    sizes = [{text.get_text(): text.get_fontsize() for text in one.axes[0].texts} for one in (usual, small)]
    for text in set(sizes[0]) & set(sizes[1]):
        assert sizes[1][text] == pytest.approx(0.72 * float(sizes[0][text]))
    widths = [[line.get_linewidth() for line in one.axes[0].lines] for one in (usual, small)]
    assert widths[1] == pytest.approx([0.72 * width for width in widths[0]])
    canvas = FigureCanvasAgg(small)
    canvas.draw()
    renderer: Any = canvas.get_renderer()
    box = small.bbox
    texts: list[Any] = [*small.axes[0].texts, *small.texts, small.axes[0].xaxis.label]
    for text in texts:
        extent = text.get_window_extent(renderer)
        assert extent.x0 >= -1 and extent.x1 <= box.x1 + 1 and extent.y0 >= -1 and extent.y1 <= box.y1 + 1, text


def test_greys_keep_lines_apart() -> None:
    from schneider_sim.report.charts.greys import _FACES, _LINES

    assert len(set(map(str, _LINES.values()))) == len(_LINES)
    assert len({grey for grey, _ in _FACES.values()}) == len(_FACES)
    assert all(len(set(to_rgb(grey))) == 1 for grey, _ in (*_LINES.values(), *_FACES.values()))


def test_a_pages_figure_has_no_small_print_nor_a_gap_for_it() -> None:
    from schneider_sim.report.charts.finish import finished
    from schneider_sim.report.charts.style import as_svg

    heights = []
    for note in ("", "Small print.\nSecond line."):
        svg = for_page(as_svg(finished(small_figure, Paper(), note)), "f", "label")
        assert "Small print" not in svg and "small-print" not in svg
        found = re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', svg)
        assert found is not None
        heights.append(float(found[1]))
    assert heights[0] == pytest.approx(heights[1], abs=0.01)


def test_files_are_the_same_whatever_the_hash_seed() -> None:
    code = ("from schneider_sim.report.charts.pictures import picture; from schneider_sim.report.charts.paper import *;"
            "import sys, hashlib; sys.path.insert(0, 'tests/report'); from test_paper import small_figure;"
            "p = picture('f', small_figure, Paper(('png', 'svg', 'pdf'), 85.0, 100, 'print'), 'Ä small print');"
            "print(p.error, {k: hashlib.sha256(v).hexdigest() for k, v in p.files.items()})")
    root = Path(__file__).parents[2]
    import os

    said = {subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root,
                           env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "PYTHONPATH": os.pathsep.join(
                               [*sys.path[:1], str(root), str(root / "tests"), os.environ.get("PYTHONPATH", "")])},
                           ).stdout for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))}
    assert len(said) == 1 and "pdf" in next(iter(said))
