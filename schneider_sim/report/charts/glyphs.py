"""Characters that the figures' font lacks: another installed font draws them, or they are named."""

import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_UNDRAWN = "\u200b\u200c\u200d\u2060\ufe0e\ufe0f"  # joiners and selectors: nothing is missed without them


def find_glyphs(figure: "Figure") -> str:
    """Let another font draw what the font of a figure's texts lacks; returns the characters that no font has."""
    from matplotlib.text import Text

    missing: set[str] = set()
    for text in figure.findobj(Text):
        lacking = _lacking(text.get_text())
        if lacking:
            fonts, none = _fonts_for(lacking)
            text.set_fontfamily(["DejaVu Sans", *fonts])
            missing.update(none)
    return "".join(sorted(missing))


def _lacking(text: str) -> frozenset[str]:
    """The characters of a text that DejaVu Sans, which comes with Matplotlib, does not have."""
    if text.isascii():
        return frozenset()
    known = _characters(_own_font())
    return frozenset(c for c in text if ord(c) not in known and c.isprintable() and c not in _UNDRAWN)


@functools.cache
def _own_font() -> str:
    from matplotlib.font_manager import fontManager

    return fontManager.findfont("DejaVu Sans")


@functools.lru_cache(maxsize=64)
def _characters(path: str) -> frozenset[int]:
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(path).get_charmap())


@functools.lru_cache(maxsize=256)
def _fonts_for(characters: frozenset[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Installed fonts that together have as many of the characters as any have, and the characters that none has."""
    left, fonts = set(characters), []
    for name, path in _installed():
        found = {c for c in left if ord(c) in _characters_of(path)}
        if found:
            fonts.append(name)
            left -= found
        if not left:
            break
    return tuple(fonts), frozenset(left)


def _characters_of(path: str) -> frozenset[int]:
    try:
        return _characters(path)
    except (OSError, RuntimeError):  # no font that can be read
        return frozenset()


@functools.cache
def _installed() -> "Iterable[tuple[str, str]]":
    """The upright fonts of normal weight, by name."""
    from matplotlib.font_manager import fontManager

    usual = {font.name: font.fname for font in fontManager.ttflist
             if font.style == "normal" and font.weight in (400, "normal", "regular", "book")
             and not font.name.startswith(("STIX", "cm", "Last Resort"))}
    return tuple(sorted(usual.items()))
