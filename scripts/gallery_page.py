"""What the studies of the gallery are made with: answers, numbers as text, figures, and the pages that show them."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from schneider_sim.base.estimate import decimals, percent
from schneider_sim.report.charts.canvas import ShownFigure
from schneider_sim.report.charts.numbers import count, plain
from schneider_sim.report.charts.pictures import picture
from schneider_sim.report.charts.style import COLOURS, MUTED, for_page
from schneider_sim.version import __version__, made_with

__all__ = [
    "REPORTS", "Answer", "Study", "Table", "bold", "count", "dots", "figure", "index", "interval", "legend", "made",
    "page", "percent", "plain", "read_study", "result_of", "shown", "statistic", "write_result", "write_sentences",
]

REPORTS = Path(__file__).resolve().parent.parent / "reports"
SCHEMA = "schneider-sim gallery 1"
GAMES = {"bohemian": "Bohemian Schneider", "bauernschnapsen": "Bauernschnapsen"}
_WIDTH = 5.0  # inches: what a phone shows without making the text too small to read


class Table(NamedTuple):
    """A table of a page; the first column names the row."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


class Answer(NamedTuple):
    """What a study found: sentences, the first of which answers the question, and what they rest on.

    picture: what to see in the figure; basis: n, rules, policies, seed, kind of interval; limits: what is not said or
    not established; commands: what repeats the numbers one by one.
    """

    sentences: Sequence[str]
    picture: str
    tables: Sequence[Table]
    basis: str
    limits: str
    commands: Sequence[str]


class Study(NamedTuple):
    """A study of the gallery: the names that reports/NAME/study.py defines.

    play: deals -> what was found, as JSON; answer, draw: from that to an Answer and a Matplotlib figure; DEALS: of a
    match-up; SLICE: deals of the small run that a test repeats.
    """

    name: str
    question: str
    game: str
    deals: int
    slice: int
    play: Callable[[int], dict[str, Any]]
    answer: Callable[[dict[str, Any]], Answer]
    draw: Callable[[dict[str, Any]], Any]


def read_study(name: str) -> Study:
    """The study in the folder reports/NAME."""
    import runpy

    found = runpy.run_path(str(REPORTS / name / "study.py"))  # unlike an import, leaves no compiled file behind
    return Study(name, *(found[key] for key in ("QUESTION", "GAME", "DEALS", "SLICE", "play", "answer", "draw")))


def shown(value: float, low: float, high: float, percent: bool = False) -> str:
    """Estimate and interval to one digit of the error, two where it begins with 1: '0.824 (0.822 to 0.827)'."""
    factor, sign = (100.0, " %") if percent else (1.0, "")
    places = decimals(factor * low, factor * high)
    if places and factor * (high - low) / 2 * 10 ** (places - 1) >= 2:
        places -= 1
    if percent and low > 0.01:
        places = min(places, 2)  # nobody reads more of a rate in per cent
    number, least, most = (plain(factor * one, places) for one in (value, low, high))
    return f"{number}{sign} ({least} to {most})"


def interval(row: Mapping[str, Any], name: str = "value", percent: bool = False) -> str:
    """A number of a JSON row with its limits: `edge`, `edge_low`, `edge_high`; or `value`, `low`, `high`."""
    prefix = f"{name}_" if f"{name}_low" in row else ""
    return shown(row[name], row[f"{prefix}low"], row[f"{prefix}high"], percent)


def bold(text: str) -> str:
    """A cell that a reader should see first."""
    return f"**{text}**"


def figure(height: float, rows: int = 1, columns: int = 1, **options: Any) -> tuple[Any, Any]:
    """A figure of the gallery's width and its axes; height in inches."""
    drawn = ShownFigure(figsize=(_WIDTH, height), layout="constrained")
    return drawn, drawn.subplots(rows, columns, **options)


def dots(ax: Any, names: Sequence[str], series: Mapping[str, Sequence[Mapping[str, float] | None]], unit: str,
         percent: bool = False, zero: float | None = 0.0) -> Any:
    """Estimates with intervals, a line for each name from the top down, a colour and a mark for each series.

    series: rows with `value`, `low`, `high`, or None where there is nothing; zero: where to draw a line.
    """
    step = 0.5 / len(series)
    for number, (label, rows) in enumerate(series.items()):
        seen = [(place + step * (number - (len(series) - 1) / 2), row) for place, row in enumerate(rows) if row]
        places = [place for place, _ in seen]
        ax.hlines(places, [row["low"] for _, row in seen], [row["high"] for _, row in seen], color=COLOURS[number],
                  linewidth=2)
        ax.plot([row["value"] for _, row in seen], places, "osD^v<"[number], color=COLOURS[number], markersize=5,
                label=label)
    if zero is not None:
        ax.axvline(zero, color=MUTED, linewidth=1, zorder=0.5)
    ax.set_yticks(range(len(names)), list(names))
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.10g} %".replace("-", "−") if percent else
                                 f"{value:.10g}".replace("-", "−"))
    ax.set_xlabel(unit)
    return ax


def legend(drawn: Any, ax: Any, columns: int = 2) -> None:
    """A legend above the axes, wherever there is room."""
    drawn.legend(*ax.get_legend_handles_labels(), loc="outside upper left", ncols=columns, handlelength=1,
                 columnspacing=1.2)


def statistic(result: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An estimate of a run in the form of `simulate --json`."""
    found: dict[str, Any] = next(one for one in result["estimates"] if one["statistic"] == name)
    return found


def fingerprint(played: Any) -> str:
    """SHA-256 of all hashes of tallies, counts and numbers (to five places) that a study found."""
    return hashlib.sha256("\n".join(_pieces(played, "")).encode()).hexdigest()


def _pieces(value: Any, key: str) -> Iterable[str]:
    if key in ("version", "command", "sentences", "seconds", "deals_per_second"):
        return
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _pieces(part, str(name))
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _pieces(part, key)
    else:
        yield f"{key} {value:.5f}" if isinstance(value, float) else f"{key} {value}"


def made(study: Study) -> dict[str, Any]:
    """Play a study and the slice that is tested; what result.json holds."""
    return {"schema": SCHEMA, "question": study.question, "game": study.game, "deals": study.deals,
            "slice": {"deals": study.slice, "sha256": fingerprint(study.play(study.slice))},
            "played": (played := study.play(study.deals)), "sha256": fingerprint(played), "version": __version__,
            "made_with": made_with()}


def result_of(name: str) -> dict[str, Any]:
    """What the folder's result.json holds."""
    found: dict[str, Any] = json.loads((REPORTS / name / "result.json").read_text(encoding="utf-8"))
    return found


def write_result(study: Study, result: Mapping[str, Any]) -> None:
    """Write result.json, figure.svg and figure.png."""
    folder, text = REPORTS / study.name, _as_text(result)
    drawn = picture("figure", lambda: study.draw(json.loads(text)["played"]))
    if drawn.error:
        raise RuntimeError(f"the figure of {study.name} cannot be drawn: {drawn.error}")
    (folder / "result.json").write_bytes(text.encode())
    (folder / "figure.svg").write_bytes(drawn.svg.encode())
    (folder / "figure.png").write_bytes(drawn.files["png"])


def write_sentences(name: str) -> None:
    """Write into result.json what the study says of its numbers, for whoever reads no page."""
    result = result_of(name)
    said = read_study(name).answer(result["played"])
    more = {"answer": list(said.sentences), "picture": said.picture}
    ordered = {key: value for key, value in result.items() if key not in (*more, "played")} | more
    (REPORTS / name / "result.json").write_bytes(_as_text(ordered | {"played": result["played"]}).encode())


def _as_text(result: Mapping[str, Any]) -> str:
    """A result as JSON, an object of a list on a line."""
    text = json.dumps(result, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace('},{"', '},\n{"') + "\n"


def page(name: str) -> str:
    """The page of a study, from its result.json and figure.svg alone."""
    study, result = read_study(name), result_of(name)
    answer = study.answer(result["played"])
    return _filled("gallery_study.html", study.question, name=name, answer=answer, game=GAMES[study.game],
                   svg=_svg(name, f"{study.question} {answer.picture}"), result=result, versions=result["made_with"])


class Entry(NamedTuple):
    """A study on the index: the sentence that answers, and what to see in its figure."""

    name: str
    question: str
    game: str
    sentence: str
    picture: str
    svg: str


def entries(names: Iterable[str]) -> list[Entry]:
    """The studies for the index, in this order."""
    found = []
    for name in names:
        study = read_study(name)
        answer = study.answer(result_of(name)["played"])
        found.append(Entry(name, study.question, GAMES[study.game], answer.sentences[0], answer.picture,
                           _svg(name, f"{study.question} {answer.picture}")))
    return found


def index(names: Iterable[str], reports: Sequence[tuple[str, str]]) -> str:
    """The index page; reports: folders of whole reports and their titles."""
    found = entries(names)
    games = {game: [one for one in found if one.game == game] for game in GAMES.values()}
    return _filled("gallery_index.html", "What millions of deals say", games=games, reports=reports, number=len(found))


def _svg(name: str, label: str) -> str:
    return for_page((REPORTS / name / "figure.svg").read_text(encoding="utf-8"), name, label)


def _filled(template: str, title: str, **values: Any) -> str:
    """A page from a template beside this file, in the frame and style of the program's own pages."""
    from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined
    from markupsafe import Markup, escape

    own, theirs = FileSystemLoader(str(Path(__file__).parent)), PackageLoader("schneider_sim.report", "")
    environment = Environment(loader=ChoiceLoader([own, theirs]), autoescape=True, undefined=StrictUndefined,
                              trim_blocks=True, lstrip_blocks=True)

    def marked(text: str) -> Markup:
        plain_text = text.strip("*")
        found = re.match(r"(.*) \(([−\d.]+ to [−\d.]+)\)$", plain_text)
        cell = Markup("{}<small>{}</small>").format(*found.groups()) if found else escape(plain_text)
        return Markup("<strong>{}</strong>").format(cell) if text.startswith("**") else cell

    environment.filters |= {"marked": marked, "svg": Markup}
    style = Markup(theirs.get_source(environment, "page.css")[0])
    filled = environment.get_template(template).render(title=title, style=style, version=__version__, count=count,
                                                       **values)
    return filled.replace(" %", "\u00a0%") + "\n"
