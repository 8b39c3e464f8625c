"""Optional parts of a game: modules of its folder that a command uses and a game may lack.

`page`: page(trace, style) -> lines of a trace for people; `sessions`: see schneider_sim.versus.sessions; `records`: see
schneider_sim.store.records; `steps`: see games/plays.py; `losses`: losses(match, start, stop, first_leader) where
known(rules) says that they are known. And what can be said of any game's rules.
"""

import contextlib
import importlib
import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import RequestError
from . import MODULES, game


def changes(make: Callable[..., Any], rules: Mapping[str, Any]) -> dict[str, Any]:
    """The switches that make `rules` of the standard ones, without those that follow from the others.

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


def part(game_name: str, module: str) -> Any:
    """The module `module` of a game's folder, or None where the game has none; RequestError for an unknown game."""
    game(game_name)
    address = f"{MODULES[game_name].rpartition('.')[0]}.{module}"
    return importlib.import_module(address) if importlib.util.find_spec(address) else None
