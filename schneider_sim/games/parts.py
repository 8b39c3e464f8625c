"""Optional parts of a game: modules of its folder that a command uses and a game may lack.

`page`: page(trace, style) -> lines of a trace for people; `sessions`: see schneider_sim.sessions.
"""

import importlib
import importlib.util
from typing import Any

from . import MODULES, game


def part(game_name: str, module: str) -> Any:
    """The module `module` of a game's folder, or None where the game has none; RequestError for an unknown game."""
    game(game_name)
    address = f"{MODULES[game_name].rpartition('.')[0]}.{module}"
    return importlib.import_module(address) if importlib.util.find_spec(address) else None
