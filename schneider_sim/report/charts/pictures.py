"""Drawing a figure to its files: an error loses the figure and nothing else, and is told."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from .style import as_png, as_svg, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Picture(NamedTuple):
    """A figure as SVG and PNG, both empty where it could not be drawn.

    undrawn: characters of its texts that no font here has; error: why there is no figure, "" where there is one.
    """

    name: str
    svg: str
    png: bytes
    undrawn: str = ""
    error: str = ""


def picture(name: str, draw: "Callable[[], Figure]") -> Picture:
    """Draw a figure, whatever happens."""
    try:
        with style():
            from .glyphs import find_glyphs

            figure = draw()
            undrawn = find_glyphs(figure)
            return Picture(name, as_svg(figure), as_png(figure), undrawn)
    except Exception as error:  # the numbers must not be lost with a figure, whatever the user's set-up does to it
        said = " ".join(str(error).split()) or "no message"
        return Picture(name, "", b"", error=f"{type(error).__name__}: {said[:200]}")


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
