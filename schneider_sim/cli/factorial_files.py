"""What `factorial --out` writes: tables as CSV, the figure as PNG and SVG, and the whole as JSON."""

import contextlib
import csv
import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import RequestError

if TYPE_CHECKING:
    from ..versus.curve import Curve
    from ..versus.factorial import Factorial


def check(folder: Path) -> None:
    """Raises RequestError where nothing could be written to `folder` later; makes nothing."""
    place = folder.absolute()
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    if not (place.is_dir() and os.access(place, os.W_OK | os.X_OK)):
        raise RequestError(f"cannot write to '{folder}': give a folder that can be written with --out")


def write(result: "Factorial | Curve", folder: Path) -> None:
    """Write the study's files into `folder`, each beside its place and then renamed; other files there stay.

    Raises RequestError where the folder cannot be made or written.
    """
    from ..versus.curve import Curve

    figures = _curve_figure(result) if isinstance(result, Curve) else _study_figure(result)
    files = {f"factorial.{kind}": body for kind, body in figures.items()}
    files["factorial.json"] = json.dumps(result.as_dict(), allow_nan=False, indent=1).encode()
    if isinstance(result, Curve):
        files["curve.csv"] = _csv(result.rows())
    else:
        files |= {"cells.csv": _csv(result.rows()), "effects.csv": _csv(result.effect_rows())}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, body in files.items():
            _replace(folder / name, body)
    except OSError as error:
        raise RequestError(f"cannot write to '{folder}': {error.strerror or error}; "
                           "give a folder that can be written with --out") from None


def _replace(path: Path, body: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(body)
        os.replace(beside, path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()


def _csv(rows: list[dict[str, Any]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _study_figure(study: "Factorial") -> dict[str, bytes]:
    from ..report import figures

    with figures.style():
        k, m = study.shape
        figure, ax = figures.new_figure(1.6 + 0.55 * k)
        cells = study.cells
        values, low, high = (numbers.reshape(k, m) for numbers in (cells.estimates, cells.low, cells.high))
        figures.factorial_heat_map(ax, study.leads, study.follows, values, low, high, "VP per deal")
        return {"png": figures.as_png(figure), "svg": figures.as_svg(figure).encode()}


def _curve_figure(curve: "Curve") -> dict[str, bytes]:
    from ..report import figures

    with figures.style():
        figure, axes = figures.new_figure(5.6, 2, 1)
        rows = curve.rows()
        kinds = (("edge", f"VP per deal against {curve.against}"[:40]), ("advantage", "first leader's advantage, VP"))
        for ax, (kind, unit) in zip(axes, kinds, strict=True):
            value, low, high = ([row[name] for row in rows] for name in (kind, f"{kind}_low", f"{kind}_high"))
            figures.option_curve(ax, curve.settings, value, low, high, unit, curve.name)
        return {"png": figures.as_png(figure), "svg": figures.as_svg(figure).encode()}
