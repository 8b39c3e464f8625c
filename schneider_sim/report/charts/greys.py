"""A figure in black and white: greys in place of colours, and line styles, marks and hatches that tell them apart."""

from typing import TYPE_CHECKING, Any

from .style import BLUE, GREEN, INK, MUTED, ORANGE, PALE, PURPLE, SKY, VERMILLION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LINES: dict[str, tuple[str, Any]] = {  # colour -> grey and line style of lines
    BLUE: ("#000000", "-"), VERMILLION: ("#555555", (0, (5, 1.6))), GREEN: ("#7a7a7a", (0, (1.2, 1.2))),
    PURPLE: ("#000000", (0, (6, 1.5, 1.2, 1.5))), ORANGE: ("#7a7a7a", "-"), SKY: ("#555555", (0, (1.2, 1.2))),
    INK: ("#000000", (0, (3, 1.2))), "#7b5ea7": ("#9a9a9a", (0, (6, 1.5, 1.2, 1.5, 1.2, 1.5))),
}
_FACES = {  # colour -> grey and hatch of areas
    BLUE: ("#3f3f3f", ""), VERMILLION: ("#9b9b9b", ""), PALE: ("#e2e2e2", ""), SKY: ("#d6d6d6", ""),
    GREEN: ("#8c8c8c", ""), PURPLE: ("#6f6f6f", ""), ORANGE: ("#bdbdbd", ""),
}
_TEXTS = {MUTED: "#444444"}


def in_greys(figure: "Figure") -> None:
    """Change every colour of a finished figure."""
    from matplotlib.collections import Collection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.text import Text

    for line in figure.findobj(Line2D):
        _line(line)
    for area in figure.findobj(Patch):
        _patch(area)
    for some in figure.findobj(Collection):
        _collection(some)
    for text in figure.findobj(Text):
        text.set_color(_text(_hex(text.get_color())))


def _hex(colour: Any) -> str:
    from matplotlib.colors import to_hex

    try:
        return to_hex(colour)
    except ValueError:  # "none", "auto"
        return str(colour)


def _text(colour: str) -> str:
    """Text is as dark as it can be, but for white on dark."""
    if colour in _LINES:
        return "#000000" if _LINES[colour][0] == "#000000" else "#444444"
    return _TEXTS.get(colour, colour)


def _line(line: Any) -> None:
    colour = _hex(line.get_color())
    if colour in _LINES:
        grey, dashes = _LINES[colour]
        line.set_color(grey)
        joined = line.get_linestyle() not in ("None", "none", " ", "") and len(line.get_xdata()) > 2
        if joined and colour != INK:
            line.set_linestyle(dashes)
    for get, put in ((line.get_markerfacecolor, line.set_markerfacecolor),
                     (line.get_markeredgecolor, line.set_markeredgecolor)):
        if (shade := _hex(get())) in _LINES:
            put(_LINES[shade][0])


def _patch(area: Any) -> None:
    face, edge, see_through = _hex(area.get_facecolor()), _hex(area.get_edgecolor()), area.get_alpha()
    if face in _FACES:
        area.set_facecolor(_FACES[face][0])
        area.set_alpha(see_through)
    if edge in _LINES:
        area.set_edgecolor(_LINES[edge][0])
    if area.get_hatch() and edge == MUTED:
        area.set_edgecolor("#333333")


def _collection(some: Any) -> None:
    if some.get_array() is not None:
        return  # coloured by a map, which is grey already
    for get, put in ((some.get_facecolor, some.set_facecolor), (some.get_edgecolor, some.set_edgecolor)):
        found = get()
        if len(found) and (colour := _hex(found[0])) in _LINES:
            put(_LINES[colour][0])

