"""What `--out DIR` of compare, tournament, factorial and tune writes: tables as CSV, a figure, the whole as JSON."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base import spreadsheets
from ..base.files import not_a_file, replacing
from ..errors import RequestError, RunError
from ..report import answers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..analysis.errors_of_play import Analysis
    from ..analysis.tune import Tuned
    from ..report.charts.paper import Paper
    from ..versus.curve import Curve
    from ..versus.factorial import Factorial
    from ..versus.settings import RulesVaried
    from ..versus.tournament import Tournament
    from ..versus.verdict import Verdict



class Files(NamedTuple):
    """What is to be written: pages, tables and JSON by file name, and the figure that goes with them, if any."""

    numbers: dict[str, bytes]
    figure: str = ""
    draw: "Callable[[], Figure] | None" = None
    note: "Callable[[str], str] | str" = ""  # the figure's small print



_ENDINGS = ("png", "svg", "pdf")
_TABLES = {"compare": ("looks.csv",), "tournament": ("ranking.csv", "payoffs.csv"), "curve": ("curve.csv",),
           "factorial": ("cells.csv", "effects.csv"),
           "analyse": ("by_trick.csv", "by_situation.csv", "worst.csv", "analyse.html")}


def check(folder: Path, kind: str = "") -> None:
    """Raises RequestError where nothing could be written to `folder`, or not the files of a `kind`; makes nothing.

    Files of these names that are there must be an earlier answer's, which its JSON file shows.
    """
    place = folder.absolute()
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    if not (place.is_dir() and os.access(place, os.W_OK | os.X_OK)):
        raise RequestError(f"cannot write to '{folder}': give a folder that can be written with --out")
    names = (f"{kind}.json", *_TABLES[kind], *(f"{kind}.{ending}" for ending in _ENDINGS)) if kind else ()
    there = [folder / name for name in names if (folder / name).exists()]
    for file in there:
        if what := not_a_file(file):
            raise RequestError(f"cannot write '{file}': it is {what}; give another folder with --out")
    if there and not _is_answer(folder / f"{kind}.json"):
        raise RequestError(f"'{there[0]}' is not a file of an earlier answer: give another folder with --out")


def _is_answer(path: Path) -> bool:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and {"game", "rules", "seed", "first"} <= set(found)


def write(folder: Path | None, make: "Callable[[], Files]", look: "Paper | None" = None) -> str:
    """Write files into `folder`, each beside its place and then renamed; other files that are there stay.

    make: called where there is a folder; look: of the figure. Returns why something could not be written or drawn, ""
    where all was: the answer must be printed before that is raised, see `complain`. The numbers are written before the
    figure; characters that no font has are named on standard error.
    """
    if folder is None:
        return ""
    from ..report.charts.paper import SCREEN
    from ..report.charts.pictures import failed, picture, undrawn

    files = make()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return f"cannot make the folder '{folder}': {error.strerror or error}"
    try:
        _write_all(folder, files.numbers)
        if files.draw is None:
            return ""
        drawn = picture(files.figure, files.draw, look or SCREEN, files.note)
        if not drawn.error:
            _write_all(folder, {f"{files.figure}.{ending}": body for ending, body in drawn.files.items()})
    except (RequestError, RunError) as error:
        return str(error)
    if drawn.undrawn:
        print(f"schneider-sim: {undrawn([drawn])}", file=sys.stderr)
    return failed([drawn])


def _write_all(folder: Path, bodies: dict[str, bytes]) -> None:
    for name, body in bodies.items():
        with replacing(folder / name) as beside:
            beside.write_bytes(body)


def complain(failed: str) -> None:
    """Raises RunError with what `write` returned, if anything: to be called when the answer has been printed."""
    if failed:
        raise RunError(failed)


def of_verdict(verdict: "Verdict") -> Files:
    """compare.json, looks.csv, and the trace of the test or the running estimate."""
    numbers = {"compare.json": _json(verdict.as_dict()), "looks.csv": _csv(verdict.trace())}
    return Files(numbers, "compare", lambda: answers.verdict_trace(verdict),
                 answers.small_print(verdict))


def of_tournament(played: "Tournament") -> Files:
    """tournament.json, ranking.csv, payoffs.csv, and the payoff matrix."""
    whole = played.as_dict()
    payoffs = [{"a": one["a"], "b": one["b"], "deals": one["deals"], "edge": one["estimate"]["value"],
                "all_low": one["all_low"], "all_high": one["all_high"]} for one in whole["match_ups"]]
    return Files({"tournament.json": _json(whole), "ranking.csv": _csv(whole["ranking"]),
                  "payoffs.csv": _csv(payoffs)}, "tournament", lambda: answers.payoffs(played),
                 answers.small_print(played))


def of_study(study: "Factorial") -> Files:
    """factorial.json, cells.csv, effects.csv, and the heat map."""
    return Files({"factorial.json": _json(study.as_dict()), "cells.csv": _csv(study.rows()),
                  "effects.csv": _csv(study.effect_rows())}, "factorial", lambda: answers.cells(study),
                 answers.small_print(study))


def of_curve(curve: "Curve | RulesVaried") -> Files:
    """curve.json, curve.csv, and the curve."""
    return Files({"curve.json": _json(curve.as_dict()), "curve.csv": _csv(curve.rows())}, "curve",
                 lambda: answers.curve(curve), answers.small_print(curve))


def of_tune(tuned: "Tuned") -> Files:
    """tune.json, rounds.csv and the climb, beside the log; without rounds there is nothing to draw."""
    whole = {"tune.json": _json(tuned.as_dict())}
    if not tuned.rounds:
        return Files(whole)
    return Files({**whole, "rounds.csv": _csv(tuned.as_dict()["rounds"])}, "tune", lambda: answers.climb(tuned),
                 answers.small_print(tuned))


def of_analysis(found: "Analysis") -> Files:
    """analyse.json, by_trick.csv, by_situation.csv, worst.csv, the losses by trick and kind, the annotated deals."""
    from ..report.errors_page import draw, render

    whole = found.as_dict()
    tables = {name: _csv(whole[name]) for name in ("by_trick", "by_situation", "worst") if whole[name]}
    numbers = {"analyse.json": _json(whole), **{f"{name}.csv": body for name, body in tables.items()},
               "analyse.html": render(found).encode()}
    return Files(numbers, "analyse", lambda: draw(found), answers.small_print(found))


def _json(value: Any) -> bytes:
    return json.dumps(value, allow_nan=False, indent=1).encode()


def _csv(rows: list[dict[str, Any]]) -> bytes:
    return spreadsheets.csv_bytes(list(dict.fromkeys(name for row in rows for name in row)), rows)
