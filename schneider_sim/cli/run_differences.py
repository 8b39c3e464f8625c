"""What sets a stored run apart from one with default settings: rules, detail, score, preferences of the user's own."""

import json
from typing import Any, NamedTuple

from ..base.text import value_text


class Differences(NamedTuple):
    """The keys `rules` (the fewest switches), `detail`, `score`, `plugins` (their words), and all of it in words.

    Every value is None where the stored recipe cannot be read; there are no words for a run with default settings.
    """

    keys: dict[str, Any]
    words: str


def differences(game_name: str, settings: str | None) -> Differences:
    """What the settings of a run, as the store has them, say of it."""
    rules, detail, score, plugins = json.loads(settings or "[null, null, null, null]")
    if rules is None or plugins is None:
        return Differences(dict.fromkeys(("rules", "detail", "score", "plugins")), "recipe damaged")
    changed = _changed(game_name, rules)
    own = [word for entry in plugins for word in entry["words"]]
    words = [f"{name}={value_text(value)}" for name, value in changed.items()]
    if any(score):
        words.append(f"score {':'.join(map(str, score))}")
    if detail != "sample":
        words.append(f"detail {detail}")
    if own:
        words.append(f"plug-ins {', '.join(own)}")
    return Differences({"rules": changed, "detail": detail, "score": score, "plugins": own}, " ".join(words))


def _changed(game_name: str, rules: dict[str, Any]) -> dict[str, Any]:
    """The fewest switches that make these rules; all of them where the game is not known here."""
    from ..games import game_names, load_game
    from ..games.switches import changes

    return changes(load_game(game_name).rules, rules) if game_name in game_names() else rules
