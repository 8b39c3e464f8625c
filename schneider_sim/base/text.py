"""Text as people type and paste it: invisible look-alikes, nearest names, counts in words."""

import difflib
import math
import operator
import reprlib
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex, cast

from ..errors import RequestError

# What Unicode has ignored where it is not known (Default_Ignorable_Code_Point) beyond category Cf: joiners, fillers,
# variation selectors such as those that phones put after ♠; and the box that makes a digit a key (7️⃣).
# Source: Unicode 15, DerivedCoreProperties.txt.
_IGNORED = ((0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2065, 0x2065), (0x20E3, 0x20E3),
            (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))
_HYPHENS = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\ufe58\ufe63\uff0d"), "-")


def clean(text: str) -> str:
    """`text` in plain form: compatibility characters composed, every dash a hyphen, what has no width gone.

    A no-break space becomes a space. What a reader cannot see must not decide whether a word is known.
    """
    if text.isascii():
        return text
    seen = "".join(c for c in text if unicodedata.category(c) != "Cf" and not _ignored(ord(c)))
    return unicodedata.normalize("NFKC", seen).translate(_HYPHENS)


def _ignored(code: int) -> bool:
    return any(low <= code <= high for low, high in _IGNORED)


def shown(value: object) -> str:
    """Any value on one printable line of at most 60 characters, for an error message."""
    if isinstance(value, str):
        text = value if value.isprintable() else ascii(value)
    elif isinstance(value, int) and abs(value) >= 10**40:
        text = "a very large number"
    else:
        text = reprlib.repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that looks most like `word`, or None when nothing is close."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return close[0] if close else None


def unknown(kind: str, word: str, known: Iterable[str], otherwise: str = "") -> RequestError:
    """The error for a name that does not exist: the nearest name, `otherwise`, and what exists."""
    names = list(known)
    close = nearest(str(word)[:60], names)
    hint = (f"; did you mean '{close}'?" if close else "") + (f"; {otherwise}" if otherwise else "")
    return RequestError(f"unknown {kind} '{shown(word)}'{hint} (known: {', '.join(names)})")


def parse_int(text: object, what: str, low: int, high: int) -> int:
    """`text` as a whole number from `low` to `high`, else a RequestError that says so for `what`."""
    try:
        if isinstance(text, bool) or (isinstance(text, str) and not text.isascii()):
            raise ValueError
        value = int(text) if isinstance(text, str) else operator.index(cast(SupportsIndex, text))
    except (ValueError, TypeError):
        raise RequestError(f"{what} must be a whole number from {low} to {high}, not '{shown(text)}'") from None
    if not low <= value <= high:
        raise RequestError(f"{what} must be from {low} to {high}, not {shown(value)}")
    return value


def listed(names: Iterable[str]) -> str:
    """Names with "; " between them, in quotes where one of them holds a semicolon itself."""
    each = list(names)
    return "; ".join(f"'{name}'" for name in each) if any(";" in name for name in each) else "; ".join(each)


def one_of(names: Sequence[str], most: int = 6) -> str:
    """Names in a sentence of which any may be meant: 'a', 'a or b', 'a, b or c', and how many more."""
    if len(names) > most:
        return f"{', '.join(names[:most])} or one of {len(names) - most} more"
    return " or ".join([part for part in (", ".join(names[:-1]), names[-1]) if part])


def counted(number: int, noun: str) -> str:
    """A number of things: 1 deal, 2,000 deals, 3 matches."""
    plural = f"{noun}es" if noun.endswith("ch") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def remaining(seconds: float) -> str:
    """A time to wait: 0:07, 12:34 or 1:02:03, from four days on in words such as 'some 330,000 years'."""
    if seconds < 4 * 86_400:
        minutes, rest = divmod(math.ceil(seconds), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
    number, unit = (seconds / 86_400, "days") if seconds < 730 * 86_400 else (seconds / (365.25 * 86_400), "years")
    if number > 1e15:
        return "longer than the world will last"
    digits = max(0, len(str(int(number))) - 2)
    return f"some {round(number / 10**digits) * 10**digits:,} {unit}"


def value_text(value: Any) -> str:
    """A switch's value as it is typed after KEY=."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
