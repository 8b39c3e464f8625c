"""How cards and words look on standard output: symbols, colours, or plain ASCII, by what the reader can see."""

import os
import sys
from typing import NamedTuple

from .cards import pretty

_RED, _BOLD, _DIM, _PLAIN = "\x1b[31m", "\x1b[1m", "\x1b[2m", "\x1b[0m"


class Style(NamedTuple):
    """Whether suit symbols and colours may be used."""

    symbols: bool = False
    colour: bool = False

    def card(self, name: str, width: int = 0) -> str:
        """A card such as 'TS', padded to `width` columns: 10♠, or 10S without symbols."""
        text = pretty(name) if self.symbols else name.replace("T", "10")
        padding = " " * (width - len(text))
        return (f"{_RED}{text}{_PLAIN}" if self.colour and name[1] in "HD" else text) + padding

    def cards(self, names: list[str] | tuple[str, ...], width: int = 0) -> str:
        """Several cards with a blank between them, padded to `width` columns."""
        bare = Style(self.symbols)
        length = len(" ".join(map(bare.card, names)))
        return " ".join(map(self.card, names)) + " " * (width - length)

    def strong(self, text: str) -> str:
        return f"{_BOLD}{text}{_PLAIN}" if self.colour else text

    def dim(self, text: str) -> str:
        return f"{_DIM}{text}{_PLAIN}" if self.colour else text


def style_of_output() -> Style:
    """The style for standard output: colours on a terminal only, and not where NO_COLOR is set."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(prints_symbols(), colour)


def prints_symbols() -> bool:
    """Whether standard output can show suit symbols: by its encoding, and not where the locale is said to be C."""
    env = os.environ
    coerced = "" if env.get("LC_CTYPE") == "C.UTF-8" else env.get("LC_CTYPE", "")  # Python sets this for LANG=C itself
    named = env.get("LC_ALL") or coerced or env.get("LANG", "")
    if named in ("C", "POSIX") and not (env.get("PYTHONUTF8") or env.get("PYTHONIOENCODING")):
        return False
    try:
        "♠♥♦♣".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True
