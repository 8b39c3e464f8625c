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
    """The colour without its transparency."""
    from matplotlib.colors import to_hex

    try:
        return to_hex(colour)
    except ValueError:  # "none", "auto"
        return str(colour)


def _grey(colour: str) -> str:
    """Any other colour as a grey of its lightness; what is no colour stays."""
    if not colour.startswith("#"):
        return colour
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + 3 * f"{round(0.299 * red + 0.587 * green + 0.114 * blue):02x}"


def _stroke(colour: str) -> str:
    return _LINES[colour][0] if colour in _LINES else _grey(colour)


def _text(colour: str) -> str:
    """Text is as dark as it can be, but for white on dark."""
    if colour in _LINES:
        return "#000000" if _LINES[colour][0] == "#000000" else "#444444"
    return _TEXTS.get(colour, _grey(colour))


def _line(line: Any) -> None:
    colour = _hex(line.get_color())
    if colour in _LINES:
        joined = line.get_linestyle() not in ("None", "none", " ", "") and len(line.get_xdata()) > 2
        if joined and colour != INK:
            line.set_linestyle(_LINES[colour][1])
    line.set_color(_stroke(colour))
    for get, put in ((line.get_markerfacecolor, line.set_markerfacecolor),
                     (line.get_markeredgecolor, line.set_markeredgecolor)):
        put(_stroke(_hex(get())))


def _patch(area: Any) -> None:
    """The face of an area, which stays as transparent as it was, and its edge, which is the colour of its hatch."""
    from matplotlib.colors import to_rgba

    for get, put, map_to in ((area.get_facecolor, area.set_facecolor, _face), (area.get_edgecolor, area.set_edgecolor,
                                                                              _stroke)):
        colour = get()
        alpha = to_rgba(colour)[3]
        if alpha > 0:
            put(to_rgba(map_to(_hex(colour)), alpha))


def _face(colour: str) -> str:
    return _FACES[colour][0] if colour in _FACES else _grey(colour)


def _collection(some: Any) -> None:
    from matplotlib.colors import to_rgba

    if some.get_array() is not None:
        return  # coloured by a map, which is grey already
    for get, put in ((some.get_facecolor, some.set_facecolor), (some.get_edgecolor, some.set_edgecolor)):
        found = [to_rgba(_stroke(_hex(colour)), colour[3]) for colour in get()]
        if found:
            put(found)
