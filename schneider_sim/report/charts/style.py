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

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, MUTED, GRID, PAPER = "#1b1b1f", "#5a5f66", "#d8dade", "#fefefe"
BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY = "#0072b2", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#56b4e9"
PALE = "#b8bcc2"
COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY)
"""The palette of Okabe and Ito without the yellow that vanishes on white and the black that is the text's."""
EIGHT = (*COLOURS, INK, "#7b5ea7")
"""For eight lines in one figure, no two alike."""
WIDTH = 7.0
_ROLES = {INK: "ink", MUTED: "muted", GRID: "grid", PAPER: "paper", BLUE: "blue"}
_SETTINGS: Any = {
    "font.size": 10, "axes.titlesize": 10.5, "axes.labelsize": 10, "xtick.labelsize": 9, "ytick.labelsize": 9,
    "legend.fontsize": 9, "legend.frameon": False, "axes.titlelocation": "left", "axes.titleweight": "bold",
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True, "axes.grid": True,
    "grid.color": GRID, "grid.linewidth": 0.7, "axes.edgecolor": MUTED, "axes.labelcolor": INK, "text.color": INK,
    "axes.titlecolor": INK, "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelcolor": INK,
    "ytick.labelcolor": INK, "figure.facecolor": PAPER, "axes.facecolor": "none", "savefig.facecolor": "auto",
    "hatch.linewidth": 0.6, "svg.fonttype": "none", "text.parse_math": False, "svg.hashsalt": "schneider-sim",
}


@contextlib.contextmanager
def style() -> Iterator[None]:
    """The settings under which figures are made and written; the caller's own come back afterwards.

    They start from Matplotlib's defaults, not from the user's matplotlibrc: the same figure looks the same anywhere.
    A character that the font lacks raises no warning; see `glyphs.py`.
    """
    _make_room_for_matplotlib()
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
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
    """A figure of the page's width and its axes (one, or an array as of `Figure.subplots`); height in inches."""
    from .canvas import ShownFigure

    figure = ShownFigure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots(rows, columns, **options)


def as_png(figure: "Figure") -> bytes:
    """The figure as PNG, 160 dots an inch, in the 256 colours that suit it best: a third of the bytes."""
    from PIL import Image

    drawn, file = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=160)
    dots = {"dpi": (160, 160), "optimize": True}
    Image.open(drawn).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, "png", **dots)
    return file.getvalue()


def as_svg(figure: "Figure") -> str:
    """The figure as SVG, the same for the same figure; its text is text, which can be found and copied."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return _shorter(file.getvalue())


def _shorter(svg: str) -> str:
    """The same drawing in fewer bytes: no indentation, paths to a thousandth of a point."""
    svg = re.sub(r"\n +", "\n", svg)
    return re.sub(r' d="[^"]*"', lambda path: re.sub(r"(\.\d{3})\d+", r"\1", path[0]), svg)


def for_page(svg: str, name: str, label: str) -> str:
    """SVG to stand within a page: ids of its own, beginning with `name`; ink and paper from the page's theme."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", body, flags=re.DOTALL)
    seen: Counter[str] = Counter()

    def unique(match: re.Match[str]) -> str:
        seen[match[1]] += 1
        return f'id="{name}-{match[1]}"' if seen[match[1]] == 1 else f'id="{name}-{match[1]}-{seen[match[1]]}"'

    body = re.sub(r'(?<=\s)id="([^"]*)"', unique, body)
    body = body.replace("url(#", f"url(#{name}-").replace('href="#', f'href="#{name}-')
    body = body.replace(f"fill: {PAPER}", "fill: none", 1)  # the page's own paper, and the shadows of a scrolled box
    for colour, role in _ROLES.items():
        body = body.replace(colour, f"var(--{role})")
    head = re.sub(r' (width|height)="[^"]*pt"', "", body[: body.index(">")])
    return f'{head} role="img" aria-label="{html.escape(label)}"{body[body.index(">"):]}'


def readable_on(red: float, green: float, blue: float) -> str:
    """Black or white, whichever stands out from a colour (channels 0..1, relative luminance)."""
    channels = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)]
    luminance = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    return "#000000" if luminance > 0.18 else "#ffffff"
