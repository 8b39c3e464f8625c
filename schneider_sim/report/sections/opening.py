"""Words for the rules in force, as the opening sentences of every game's report need them."""

from collections.abc import Iterable
from typing import Any

from ...versus.repeat import changed_rules


def points(number: int, unit: str) -> str:
    """A number of points, such as "1 victory point"."""
    return f"{number} {unit}{'' if number == 1 else 's'}"


def sentence(clauses: Iterable[str]) -> str:
    """Clauses as one sentence."""
    text = ", and ".join(clauses)
    return f"{text[:1].upper()}{text[1:]}."


def other_rules(game: str, rules: Any, told: Iterable[str]) -> str:
    """Switches with non-default values that the sentences before do not mention."""
    known = {*told}
    left = [change for change in changed_rules(game, rules) if change.partition("=")[0] not in known]
    return f" Other non-default rules: {', '.join(left)}." if left else ""
