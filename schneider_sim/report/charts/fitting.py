"""Whether texts fit where they are to stand, and how they are turned or made smaller so that they do."""

from collections.abc import Sequence
from textwrap import fill
from typing import Any

from .names import LONGEST, width
from .paper import is_narrow

_LETTER = 0.62  # a letter's mean width, in units of the font's size
_SMALLEST = 4.5  # points


def text_points(texts: Sequence[str], size: float) -> float:
    """The width of the widest line of texts, in points."""
    return _LETTER * size * max((width(line) for text in texts for line in text.splitlines()), default=0)


def text_inches(texts: Sequence[str], size: float, longest: int = LONGEST) -> float:
    """The width of the widest text, cut to `longest` columns, in inches."""
    return min(text_points(texts, size), _LETTER * size * longest) / 72


def broken(text: str, columns: int = 16) -> str:
    """A text on several lines where the figure is narrow."""
    return fill(text, columns) if is_narrow() else text


def size_within(texts: Sequence[str], points: float, largest: float) -> float:
    """The font size at which all texts fit in a width in points."""
    return min(largest, points / max(text_points(texts, 1.0), 1e-9))


def ticks_within(texts: Sequence[str], pitch: float, size: float = 9.0) -> dict[str, Any]:
    """How labels stand along a horizontal axis, `pitch` points apart: upright, slanted or turned, or smaller."""
    lines = max((text.count("\n") + 1 for text in texts), default=1)
    if text_points(texts, size) <= 0.95 * pitch:
        return {"rotation": 0, "ha": "center", "fontsize": size}
    if pitch >= 2.6 * size * lines:
        return {"rotation": 35, "ha": "right", "rotation_mode": "anchor", "fontsize": size}
    small = max(_SMALLEST, min(size, 0.82 * pitch / lines))
    return {"rotation": 90, "ha": "center", "va": "top", "fontsize": small}
