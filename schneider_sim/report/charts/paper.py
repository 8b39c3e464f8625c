"""What figures are made for: file formats, width, dots an inch, and a look for screens or for print."""

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from ...base.text import clean, one_of, shown
from ...errors import RequestError

FORMATS = ("png", "svg", "pdf")
STYLES = {
    "screen": "colours, a sans-serif font",
    "print": "greys, line styles and hatches that survive black-and-white print, a sans-serif font",
    "print-serif": "the same with a serif font",
}
NARROWEST, WIDEST, MM = 80.0, 500.0, 25.4  # millimetres, and those of an inch
COARSEST, FINEST = 72, 1200
USUAL_WIDTH = 7.0  # inches
SMALLEST_SCALE = 0.72  # of the usual size of letters, in narrow figures
_WIDTH = re.compile(r"(\d+(?:\.\d+)?)\s*(mm|cm|in|inch|inches|\")?", re.ASCII)
_UNITS = {"mm": 1.0, "cm": 10.0}


@dataclass(frozen=True)
class Paper:
    """How figures are drawn: formats of their files, width in millimetres (None: 178, as on the page), dots an inch of
    PNG files, and one of STYLES."""

    formats: tuple[str, ...] = ("png", "svg")
    width: float | None = None
    dpi: int = 160
    style: str = "screen"

    @property
    def is_print(self) -> bool:
        """Whether figures must survive black-and-white print."""
        return self.style != "screen"

    @property
    def inches(self) -> float:
        """The width of a figure."""
        return USUAL_WIDTH if self.width is None else self.width / MM

    @property
    def scale(self) -> float:
        """The size of letters and lines, of that in a figure of the usual width: smaller in narrow figures."""
        return min(1.0, max(SMALLEST_SCALE, self.inches / USUAL_WIDTH))

    @property
    def options(self) -> list[str]:
        """The options of a command that ask for this; none where nothing was changed."""
        return self.options_over(SCREEN)

    def options_over(self, base: "Paper") -> list[str]:
        """The options that make this of `base`."""
        words = ["--format", ",".join(self.formats)] if self.formats != base.formats else []
        words += ["--width", f"{self.width:g}"] if self.width not in (None, base.width) else []
        words += ["--dpi", str(self.dpi)] if self.dpi != base.dpi else []
        return words + (["--style", self.style] if self.style != base.style else [])


SCREEN = Paper()
_NOW: ContextVar[Paper] = ContextVar("paper", default=SCREEN)


def now() -> Paper:
    """What the figure that is being drawn is made for."""
    return _NOW.get()


@contextlib.contextmanager
def drawing_for(paper: Paper) -> Iterator[None]:
    """While this lasts, `now` is the paper."""
    before = _NOW.set(paper)
    try:
        yield
    finally:
        _NOW.reset(before)


def layout_width() -> float:
    """The width in inches that a figure is laid out in, with letters of the usual size."""
    return now().inches / now().scale


def is_narrow() -> bool:
    """Whether a figure is laid out in less than the usual width."""
    return layout_width() < USUAL_WIDTH - 0.01


def paper(format: "str | Iterable[str] | None" = None, width: object = None, dpi: object = None,
          style: str | None = None, base: Paper = SCREEN, name: str = "--") -> Paper:
    """Settings that are given, over those of `base`; name: what stands before them in errors. Raises RequestError."""
    found = base
    if format is not None:
        found = replace(found, formats=_formats(format, name))
    if width is not None:
        found = replace(found, width=_width(width, name))
    if dpi is not None:
        found = replace(found, dpi=_dpi(dpi, name))
    if style is not None:
        if not isinstance(style, str) or clean(style).strip() not in STYLES:
            raise RequestError(f"{name}style must be {one_of(tuple(STYLES))}, not '{shown(style)}'")
        found = replace(found, style=clean(style).strip())
    return found


def paper_in(given: object) -> Paper:
    """The settings in the table [figures] of a study; RequestError for anything that is wrong."""
    if given is None:
        return SCREEN
    keys = ("format", "width", "dpi", "style")
    if not isinstance(given, Mapping):
        raise RequestError('figures must be a table [figures] such as format = "pdf"')
    from ...base.text import unknown

    for key in given:
        if key not in keys:
            raise unknown("key in figures", key, keys)
    settings: dict[str, Any] = dict(given)
    return paper(**settings, name="figures ")


def _formats(given: "str | Iterable[str]", name: str) -> tuple[str, ...]:
    parts = given.split(",") if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    words = [clean(str(part)).strip().lower().removeprefix(".") for part in parts]
    for word in words:
        if word not in FORMATS:
            raise RequestError(f"{name}format must be png, svg or pdf, or several with commas, not '{shown(word)}'")
    if not words:
        raise RequestError(f"{name}format must name at least one of png, svg and pdf")
    return tuple(word for word in FORMATS if word in words)


def _width(given: object, name: str) -> float:
    """A width in millimetres: a number of them, or text such as 85, 8.5cm or 3.5in."""
    match = _WIDTH.fullmatch(clean(str(given)).strip().lower()) if not isinstance(given, bool) else None
    width = float(match[1]) * _UNITS.get(match[2] or "mm", MM) if match else 0.0
    if not NARROWEST <= width <= WIDEST:
        raise RequestError(f"{name}width must be from {NARROWEST:g} to {WIDEST:g} millimetres, such as 85, 8.5cm or "
                           f"3.5in, not '{shown(given)}'")
    return round(width, 3)


def _dpi(given: object, name: str) -> int:
    text = clean(str(given)).strip()
    whole = not isinstance(given, bool) and text.isascii() and text.isdigit() and len(text) < 6
    if not whole or not COARSEST <= int(text) <= FINEST:
        raise RequestError(f"{name}dpi must be a whole number from {COARSEST} to {FINEST}, such as 300, not "
                           f"'{shown(given)}'")
    return int(text)
