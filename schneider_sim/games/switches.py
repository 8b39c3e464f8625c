"""The switches of any game: which of them turn the standard rules into given ones."""

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from ..base.text import value_text
from ..errors import RequestError


def changes(make: Callable[..., Any], rules: Mapping[str, Any]) -> dict[str, Any]:
    """The switches that turn the standard rules into `rules`, without those that follow from the others.

    make: a game's function from a variant and switches to Rules; rules: every switch, as Rules.as_dict gives them.
    """
    usual = make().as_dict()
    changed = {name: value for name, value in rules.items() if value != usual.get(name)}
    for name in reversed(list(changed)):
        rest = {other: value for other, value in changed.items() if other != name}
        with contextlib.suppress(RequestError):
            if make(None, rest).as_dict() == rules:
                changed = rest
    return changed


def changes_in_words(make: Callable[..., Any], rules: Mapping[str, Any]) -> list[str]:
    """The same switches as people type them: KEY=VALUE."""
    return [f"{name}={value_text(value)}" for name, value in changes(make, rules).items()]
