"""What sets a stored run apart from one by the standard: rules, detail, score, preferences of the user's own."""

import json
from typing import Any

from ..text import value_text


def unusual(game_name: str, settings: str | None) -> dict[str, Any]:
    """The keys `rules` (the fewest switches), `detail`, `score`, `plugins` (their words); settings: as the store says.

    Every value is None where the stored recipe cannot be read.
    """
    rules, detail, score, plugins = json.loads(settings) if settings else (None,) * 4
    if rules is None or plugins is None:
        return dict.fromkeys(("rules", "detail", "score", "plugins"))
    words = [word for entry in plugins for word in entry["words"]]
    return {"rules": _changed(game_name, rules), "detail": detail, "score": score, "plugins": words}


def in_words(found: dict[str, Any]) -> str:
    """The same in a few words, none for a run by the standard."""
    if found["rules"] is None:
        return "recipe damaged"
    words = [f"{name}={value_text(value)}" for name, value in found["rules"].items()]
    if any(found["score"]):
        words.append(f"score {':'.join(map(str, found['score']))}")
    if found["detail"] != "sample":
        words.append(f"detail {found['detail']}")
    if found["plugins"]:
        words.append(f"plug-ins {', '.join(found['plugins'])}")
    return " ".join(words)


def _changed(game_name: str, rules: dict[str, Any]) -> dict[str, Any]:
    """The fewest switches that make these rules; all of them where the game is not known here."""
    from ..games import MODULES, game
    from ..games.parts import changes

    return changes(game(game_name).rules, rules) if game_name in MODULES else rules
