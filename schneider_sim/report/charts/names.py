"""Names that fit in a figure: cut so that each can still be told from the others, with a key to what was cut."""

import functools
import unicodedata
from collections.abc import Iterable

LONGEST = 22  # characters of a label


def width(text: str) -> int:
    """The columns that a text takes: two for a character of full width, none for a combining one."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)

LONGEST_RULE = 44  # characters of a rule in a figure


def labels(names: Iterable[str], longest: int = LONGEST) -> dict[str, str]:
    """Names short enough for a figure, no two alike: name -> label.

    A long name loses its end, or its middle where another begins in the same way, or is numbered.
    """
    return dict(_labels(tuple(dict.fromkeys(names)), longest))


@functools.lru_cache(maxsize=32)
def _labels(every: tuple[str, ...], longest: int) -> dict[str, str]:
    taken = {name for name in every if width(name) <= longest}
    ends = [_head(name, longest - 1) + "…" for name in every]
    short: dict[str, str] = {}
    for name, end in zip(every, ends, strict=True):
        if width(name) <= longest:
            short[name] = name
            continue
        tries = [end] if ends.count(end) == 1 else []
        half = (longest - 1) // 2
        tries.append(f"{_head(name, longest - 1 - half)}…{_tail(name, half)}")
        tries += [f"{_head(name, longest - 2 - len(str(number)))}… {number}" for number in range(2, len(every) + 3)]
        short[name] = next(text for text in tries if text not in taken)
        taken.add(short[name])
    return short


def key(names: Iterable[str], longest: int = LONGEST) -> dict[str, str]:
    """The labels that are cut, and the names that they stand for."""
    return {label: name for name, label in labels(names, longest).items() if label != name}


def _head(text: str, columns: int) -> str:
    while width(text) > columns:
        text = text[:-1]
    return text.rstrip()


def _tail(text: str, columns: int) -> str:
    while width(text) > columns:
        text = text[1:]
    return text.lstrip()
