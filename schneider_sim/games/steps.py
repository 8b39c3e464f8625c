"""What every game says of a play step by step: its decisions in order, and its lines for showing plays side by side.

What a game offers for this is described in games.protocol.Steps.
"""

from typing import NamedTuple


class Step(NamedTuple):
    """A decision: in which trick (0: before the first lead), by which side (A, B), and what was played or said."""

    trick: int
    side: str
    what: str
    card: bool = True


class Part(NamedTuple):
    """A piece of a line: text, or a card's name, padded to `width` columns."""

    text: str
    width: int = 0
    card: bool = False


class Line(NamedTuple):
    """A line about a play: the trick it shows (0: before the first, -1: the result) and its pieces."""

    trick: int
    parts: tuple[Part, ...]
