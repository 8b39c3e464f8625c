"""The page of a trace for a game that has none of its own: every entry by name."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .text_tables import rules_in_words


def plain_page(trace: Mapping[str, Any], style: Any) -> Iterator[str]:
    """The lines of a page for any game: every entry of the trace by name, lists of objects one line each."""
    for name, value in trace.items():
        if name == "rules" and isinstance(value, Mapping):
            yield f"rules: {rules_in_words(trace['game'], value)}"
        elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            yield f"{name}:"
            for number, item in enumerate(value, start=1):
                yield f"{number:4}  " + ", ".join(f"{key} {_text(part, style)}" for key, part in item.items())
        else:
            yield f"{name}: {_text(value, style)}"


def _text(value: Any, style: Any) -> str:
    if isinstance(value, str):
        return style.card(value) if re.fullmatch("[789TJQKA][SHDC]", value) else value
    if isinstance(value, Mapping):
        return " ".join(f"{key}={_text(part, style)}" for key, part in value.items())
    if isinstance(value, list):
        apart = " | " if any(isinstance(part, list) for part in value) else " "
        return apart.join(_text(part, style) for part in value)
    return "-" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
