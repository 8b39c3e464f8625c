"""The options that say how figures are drawn: file formats, width, dots an inch, and the look."""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ..errors import RequestError
from . import options

if TYPE_CHECKING:
    from ..report.charts.paper import Paper

Look = Callable[..., "Paper"]
_OPTIONS = options.chain(
    click.option("--format", "format", metavar="F1,F2", type=options.Plain(),
                 help="Formats of figures: png, svg, pdf, commas between them.  [default: png,svg]"),
    click.option("--width", metavar="MM", type=options.Plain(),
                 help="Width of figures in millimetres, such as 85 for a column; also 8.5cm or 3.5in.  [default: 178]"),
    click.option("--dpi", metavar="N", type=options.Plain(), help="Dots an inch of PNG figures.  [default: 160]"),
    click.option("--style", metavar="NAME", type=options.Plain(),
                 help="Look of figures: screen, or print or print-serif for black-and-white print.  [default: screen]"),
)


def look_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--format --width --dpi --style as `look`, a function that gives the Paper; base: what was not said."""
    @_OPTIONS
    @functools.wraps(function)
    def command(*args: Any, format: Any, width: Any, dpi: Any, style: Any, **kwargs: Any) -> Any:
        from ..report.charts.paper import paper

        look = functools.partial(paper, format, width, dpi, style)
        look()  # refuses what cannot be before anything is played
        return function(*args, look=look, **kwargs)

    return command


def figure_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same as `look`, a Paper, for a command with --out, which they need."""
    @look_options
    @functools.wraps(function)
    def command(*args: Any, look: Look, **kwargs: Any) -> Any:
        chosen = look()
        if chosen.options and kwargs.get("out") is None:
            raise RequestError(f"{chosen.options[0]} says how the figure is drawn: give a folder for it with --out")
        return function(*args, look=chosen, **kwargs)

    return command
