"""What was played, in lines for people: game and rules, policies."""

from collections.abc import Mapping
from typing import Any


def heading(game_name: str, rules: Mapping[str, Any], typed: Mapping[str, str],
            policies: Mapping[str, Any]) -> list[str]:
    """The game with its rules, then each policy: as it was typed and, where that differs, what it stands for."""
    lines = [f"{game_name}, {rules_in_words(game_name, rules)}"]
    from ..versus import names

    return lines + [f"{side}: {names.heading(typed[side], str(policy))}" for side, policy in policies.items()]


def rules_in_words(game_name: str, rules: Mapping[str, Any]) -> str:
    """The switches that differ from the default rules, or that none does."""
    from ..games import game

    usual = game(game_name).rules().as_dict()
    changed = [f"{name}={value_text(value)}" for name, value in rules.items() if value != usual.get(name)]
    return " ".join(changed) or "standard rules"


def value_text(value: Any) -> str:
    """A switch's value as it is typed after KEY=."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
