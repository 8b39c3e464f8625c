"""How figures look: colours that colour-blind eyes tell apart, sizes, and figures without pyplot's global list."""

import atexit
import contextlib
import html
import io
import os
import re
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import paper as papers
from .paper import SCREEN, Paper

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, MUTED, GRID, PAPER = "#1b1b1f", "#5a5f66", "#d8dade", "#fefefe"
BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY = "#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9"
PALE = "#b8bcc2"
COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)
"""The palette of Okabe and Ito without the yellow that vanishes on white and the black that is the text's."""
EIGHT = (*COLOURS, INK, "#7b5ea7")
"""For eight lines in one figure, no two alike."""
_ROLES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper", BLUE: "blue"}
_SETTINGS: Any = {
    "font.size": 10, "axes.titlesize": 10.5, "axes.labelsize": 10, "xtick.labelsize": 9, "ytick.labelsize": 9,
    "legend.fontsize": 9, "legend.frameon": False, "axes.titlelocation": "left", "axes.titleweight": "bold",
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True, "axes.grid": True,
    "grid.color": GRID, "grid.linewidth": 0.7, "axes.edgecolor": MUTED, "axes.labelcolor": INK, "text.color": INK,
    "axes.titlecolor": INK, "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelcolor": INK,
    "ytick.labelcolor": INK, "figure.facecolor": PAPER, "axes.facecolor": "none", "savefig.facecolor": "auto",
    "hatch.linewidth": 0.6, "svg.fonttype": "none", "text.parse_math": False, "svg.hashsalt": "schneider-sim",
    "pdf.fonttype": 42,
}


_PRINT: Any = {
    "text.color": "#000000", "axes.labelcolor": "#000000", "axes.titlecolor": "#000000", "xtick.labelcolor": "#000000",
    "ytick.labelcolor": "#000000", "axes.edgecolor": "#333333", "xtick.color": "#333333", "ytick.color": "#333333",
    "figure.facecolor": "#ffffff", "grid.color": "#d0d0d0", "hatch.linewidth": 0.8, "svg.fonttype": "path",
}
_SERIF: Any = {"font.family": ["STIXGeneral", "DejaVu Serif", "DejaVu Sans"], "font.size": 11}


@contextlib.contextmanager
def style(paper: Paper = SCREEN) -> Iterator[None]:
    """The settings under which figures are made and written for a paper; the caller's own come back afterwards.

    They start from Matplotlib's defaults, not from the user's matplotlibrc: the same figure looks the same anywhere.
    A character that the font lacks raises no warning; see `glyphs.py`.
    """
    _make_room_for_matplotlib()
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        if paper.is_print:
            matplotlib.rcParams.update(_PRINT)
        if paper.style == "print-serif":
            matplotlib.rcParams.update(_SERIF)
        with papers.drawing_for(paper):
            yield


def _make_room_for_matplotlib() -> None:
    """Give Matplotlib a folder until the process ends where the home has no room, so that it complains of nothing."""
    if "MPLCONFIGDIR" in os.environ or "matplotlib" in sys.modules or _home_is_writable():
        return
    os.environ["MPLCONFIGDIR"] = folder = tempfile.mkdtemp(prefix="schneider_sim-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)


def _home_is_writable() -> bool:
    try:
        with tempfile.TemporaryFile(dir=os.path.expanduser("~")):
            return True
    except OSError:
        return False


def new_figure(height: float = 3.6, rows: int = 1, columns: int = 1, **options: Any) -> "tuple[Figure, Any]":
    """A figure of the paper's width and its axes (one, or an array as of `Figure.subplots`); height in inches."""
    from .canvas import ShownFigure

    figure = ShownFigure(figsize=(papers.layout_width(), height), layout="constrained")
    return figure, figure.subplots(rows, columns, **options)


def as_png(figure: "Figure", dpi: int = 160) -> bytes:
    """The figure as PNG in the 256 colours, for print greys, that suit it best: a third of the bytes."""
    from PIL import Image

    drawn, file = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=dpi)
    dots = {"dpi": (dpi, dpi), "optimize": True}
    image = Image.open(drawn)
    greys = papers.now().is_print
    flat = image.convert("L") if greys else image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    flat.save(file, "png", **dots)
    return file.getvalue()


def as_svg(figure: "Figure") -> str:
    """The figure as SVG, the same for the same figure; its text is text, which can be found and copied."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    taken = getattr(figure, "small_print_inches", 0.0)
    return _shorter(file.getvalue()).replace("<svg ", f'<svg data-inches="{taken:.4f}" ' if taken else "<svg ", 1)


def as_pdf(figure: "Figure") -> bytes:
    """The figure as PDF, the same for the same figure, with its fonts."""
    file = io.BytesIO()
    figure.savefig(file, format="pdf", metadata={"CreationDate": None, "Producer": None, "Creator": None})
    return file.getvalue()


def _shorter(svg: str) -> str:
    """The same drawing in fewer bytes: no indentation, paths to a thousandth of a point."""
    svg = re.sub(r"\n +", "\n", svg)
    return re.sub(r' d="[^"]*"', lambda path: re.sub(r"(\.\d{3})\d+", r"\1", path[0]), svg)


def for_page(svg: str, name: str, label: str, look: Paper = SCREEN) -> str:
    """SVG to stand within a page: ids of its own, beginning with `name`; ink and paper from the page's theme.

    Its small print goes, since the page says the same. What is made for print stays black on white in any theme.
    """
    body = _without_small_print(svg[svg.index("<svg") :])
    body = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", body, flags=re.DOTALL)
    seen: Counter[str] = Counter()

    def unique(match: re.Match[str]) -> str:
        seen[match[1]] += 1
        return f'id="{name}-{match[1]}"' if seen[match[1]] == 1 else f'id="{name}-{match[1]}-{seen[match[1]]}"'

    body = re.sub(r'(?<=\s)id="([^"]*)"', unique, body)
    body = body.replace("url(#", f"url(#{name}-").replace('href="#', f'href="#{name}-')
    if not look.is_print:
        body = body.replace(f"fill: {PAPER}", "fill: none", 1)  # the page's paper, and the shadows of a scrolled box
        for colour, role in _ROLES.items():
            body = body.replace(colour, f"var(--{role})")
    head = re.sub(r' (width|height)="[^"]*pt"', "", body[: body.index(">")])
    if look.width is not None:
        head += f' style="max-width: {look.width:g}mm"'
    return f'{head} role="img" aria-label="{html.escape(label)}"{body[body.index(">"):]}'


def _without_small_print(svg: str) -> str:
    """The drawing without the group of its small print, and without the place that it took at the bottom."""
    found = re.search(r'<g id="small-print">', svg)
    if found is None:
        return svg
    depth, end = 0, found.start()
    for tag in re.finditer(r"<g\b[^>]*?(/)?>|</g>", svg[found.start():]):
        depth += 0 if tag[1] else -1 if tag[0] == "</g>" else 1
        if depth == 0:
            end = found.start() + tag.end()
            break
    taken = re.search(r'data-inches="([\d.]+)"', svg)
    svg = svg[: found.start()] + svg[end:]
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    if box is None or taken is None:
        return svg
    height = float(box[2]) - 72 * float(taken[1])
    return svg.replace(box[0], f'viewBox="0 0 {box[1]} {height:.4f}"', 1)


def readable_on(red: float, green: float, blue: float) -> str:
    """Black or white, whichever stands out from a colour (channels 0..1, relative luminance)."""
    channels = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)]
    luminance = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    return "#000000" if luminance > 0.18 else "#ffffff"
