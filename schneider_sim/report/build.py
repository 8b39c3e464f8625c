"""A study becomes a folder: index.html, figures, tables, and what it takes to make them again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ..base import spreadsheets
from ..engines.threads import Runner
from ..games import load_game
from ..version import __version__, made_with
from .charts.paper import Paper
from .charts.pictures import Picture, failed, picture, undrawn
from .charts.style import for_page
from .findings import Findings, play_study
from .folder import SCHEMA, files_of, new_folder, report_in
from .page import Shown, render
from .pieces import Drawing, Table
from .sections import common, factorial, ranking, strength, varied
from .small_print import of_drawing
from .study import Study

Progress = Callable[[str, int, int], None]


class Built(NamedTuple):
    """A report on disk: its page, and how its counts compare with those of the report that it replaced.

    unchanged: None where there was none of the same study, else whether every tally is the same; undrawn, failed: what
    must be said of characters that no font has, and of figures that could not be drawn, "" for nothing; findings: what
    was played.
    """

    page: Path
    unchanged: bool | None
    undrawn: str = ""
    failed: str = ""
    findings: Any = None


def build(study: Study, out: str | Path, play: Runner | None = None, threads: int | None = None,
          progress: Progress | None = None) -> Built:
    """Play a study and write its report to the folder `out`, which appears whole or not at all.

    play, threads: as for `play_study`; progress hears ("plays", done, all), then ("figures", done, all). Raises
    RequestError where `out` cannot be written, before anything is played.
    """
    hears = progress or (lambda what, done, total: None)
    before = report_in(Path(out))
    with new_folder(out, study_files(study)) as folder:
        findings = play_study(study, play, threads, lambda done, total: hears("plays", done, total))
        pictures = _write(findings, folder, hears)
        result = report_in(folder)
    same_study = before is not None and result is not None and _asked(before) == _asked(result)
    unchanged = None
    if same_study and before is not None and result is not None:
        unchanged = _hashes(before) == _hashes(result)
    return Built(Path(out) / "index.html", unchanged, undrawn(pictures), failed(pictures), findings)


def _asked(result: dict[str, Any]) -> Any:
    """What was to be played, as a report's result.json says it."""
    keys = ("game", "rules", "policies", "seed", "first", "deals", "design", "leads", "follows", "against", "base",
            "vary", "settings")
    asked = [*result.get("match_ups", []), result.get("factorial") or {}, *result.get("varied", [])]
    ladder = [(one["policy"], one["against"], one["n"]) for one in (result.get("strength") or {}).get("ladder", [])]
    return [{key: one.get(key) for key in keys} for one in asked], ladder


def _hashes(result: dict[str, Any]) -> list[Any]:
    crossed = (result.get("factorial") or {}).get("match_ups", [])
    more = [one for part in result.get("varied", []) for one in part["match_ups"]]
    more += (result.get("strength") or {}).get("ladder", [])
    return [one.get("tally_sha256") for one in [*result.get("match_ups", []), *crossed, *more]]


def drawings_of(findings: Findings) -> list[Drawing]:
    """Every figure of the report, in the order of the page."""
    return [*common.drawings(findings), *strength.drawings(findings), *factorial.drawings(findings),
            *varied.drawings(findings), *findings.report.figures(findings)]


def tables_of(findings: Findings) -> list[Table]:
    """Every table of the report."""
    return [*common.tables(findings), *ranking.tables(findings), *strength.tables(findings),
            *factorial.tables(findings), *varied.tables(findings), *findings.report.tables(findings)]


def _write(findings: Findings, folder: Path, hears: Progress) -> list[Picture]:
    """Fill the folder; the figures that were drawn, and those that could not be."""
    tables = tables_of(findings)
    for table in tables:
        _write_table(table, folder)
    drawings = drawings_of(findings)
    shown, pictures = [], []
    for place, drawing in enumerate(drawings):
        hears("figures", place, len(drawings))
        look = findings.study.figures
        pictures.append(picture(drawing.name, drawing.draw, look, of_drawing(findings, drawing)))
        shown.append(_write_figure(drawing, pictures[-1], folder, look))
    hears("figures", len(drawings), len(drawings))
    (folder / "index.html").write_bytes(render(findings, shown, tables).encode())
    result = as_dict(findings)
    result["files"] = [*files_of(folder), "result.json"]
    (folder / "result.json").write_bytes(to_json(result).encode())
    return pictures


def _write_figure(drawing: Drawing, drawn: Picture, folder: Path, look: Paper) -> Shown:
    place = folder / "figures"
    place.mkdir(exist_ok=True)
    if drawn.error:
        return Shown(drawing.name, drawing.title, drawing.text, drawing.basis, "", (), drawn.error)
    for ending, body in drawn.files.items():
        (place / f"{drawing.name}.{ending}").write_bytes(body)
    label = f"{drawing.title}. {drawing.text}"
    return Shown(drawing.name, drawing.title, drawing.text, drawing.basis,
                 for_page(drawn.svg, drawing.name, label, look), tuple(drawn.files))


def _write_table(table: Table, folder: Path) -> None:
    place = folder / "tables"
    place.mkdir(exist_ok=True)
    safe = table.frame.rename(columns=spreadsheets.cell).map(spreadsheets.cell)
    text = safe.to_csv(index=False, lineterminator="\n", float_format=f"%.{table.digits}g")
    (place / f"{table.name}.csv").write_bytes(spreadsheets.encoded(text))
    table.frame.to_parquet(place / f"{table.name}.parquet", index=False, compression="zstd", compression_level=19)


def study_files(study: Study) -> dict[str, bytes]:
    """What it takes to play the study again: its text as it was given, and the preferences that it loads."""
    return {"study.toml": study.text.encode(), **{path: (study.folder / path).read_bytes() for path in study.load}}


def as_dict(findings: Findings) -> dict[str, Any]:
    """The whole report as JSON: every match-up in the form of `simulate --json`, comparisons, factorial study."""
    study = findings.study
    return {
        "schema": SCHEMA,
        "version": __version__,
        "game_version": load_game(study.game).version,
        "made_with": made_with(),
        "title": study.title,
        "level": study.level,
        "match_ups": [{"names": {"A": one.a, "B": one.b}, **one.result.as_dict()} for one in findings.played],
        "comparisons": [one._asdict() for one in findings.payoff.comparisons],
        "simultaneous": findings.payoff.method,
        "ranking": ranking.as_dict(findings),
        "factorial": factorial.as_dict(findings),
        "varied": varied.as_dict(findings),
        "strength": strength.as_dict(findings),
    }


def to_json(value: Any) -> str:
    """JSON that any reader takes: numbers that are not finite become null."""
    return json.dumps(_finite(value), indent=None, separators=(", ", ": "), ensure_ascii=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    if isinstance(value, float) and value - value != 0:
        return None
    return value
