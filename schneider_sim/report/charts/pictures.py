"""Drawing a figure to its files: an error loses the figure and nothing else, and is told."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from .finish import finished
from .paper import SCREEN, Paper
from .style import as_pdf, as_png, as_svg, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Picture(NamedTuple):
    """A figure as SVG for a page, and its files by ending; all empty where it could not be drawn.

    undrawn: characters of its texts that no font here has; error: why there is no figure, "" where there is one.
    """

    name: str
    svg: str
    files: Mapping[str, bytes]
    undrawn: str = ""
    error: str = ""


def picture(name: str, draw: "Callable[[], Figure]", paper: Paper = SCREEN,
            note: "str | Callable[[str], str]" = "") -> Picture:
    """Draw a figure for a paper, whatever happens; note: its small print, as `finished` takes it."""
    try:
        with style(paper):
            from .glyphs import find_glyphs

            figure = finished(draw, paper, note)
            undrawn = find_glyphs(figure)
            svg = as_svg(figure)
            made: dict[str, Callable[[], bytes]] = {
                "png": lambda: as_png(figure, paper.dpi), "svg": svg.encode, "pdf": lambda: as_pdf(figure)}
            return Picture(name, svg, {ending: made[ending]() for ending in paper.formats}, undrawn)
    except Exception as error:  # the numbers must not be lost with a figure, whatever the user's set-up does to it
        said = " ".join(str(error).split()) or "no message"
        return Picture(name, "", {}, error=f"{type(error).__name__}: {said[:200]}")


def undrawn(pictures: Iterable[Picture]) -> str:
    """A line on the characters that no font here has, or ""."""
    characters = "".join(sorted({c for one in pictures for c in one.undrawn}))
    return (f"no font here has {' '.join(characters[:20])}: PNG figures show a box in place of each; install a font "
            "that has them, such as Noto") if characters else ""


def failed(pictures: Iterable[Picture]) -> str:
    """A line on the figures that could not be drawn, or ""."""
    without = [one for one in pictures if one.error]
    if not without:
        return ""
    one = without[0].name
    which = f"figure {one}" if len(without) == 1 else f"{len(without)} figures, {one} among them,"
    return f"{which} could not be drawn ({without[0].error}); all numbers were written"
