"""The games, each registered in one line here or by an installed package's entry point `schneider_sim.games`."""

import functools
import importlib
from collections.abc import Mapping
from importlib import metadata

from ..base.text import unknown
from ..errors import RequestError
from .protocol import Game, MatchUp, Rules

__all__ = ["BUILT_IN", "Game", "Match", "MatchUp", "Rules", "game", "game_names", "load_game"]

BUILT_IN = {  # name -> module:object
    "bohemian": "schneider_sim.games.bohemian.game:GAME",
    "bauernschnapsen": "schneider_sim.games.bauernschnapsen.game:GAME",
}


@functools.cache
def _registered() -> Mapping[str, str]:
    """Name -> module:object of every game; a name that is built in cannot be taken."""
    found = {entry.name: entry.value for entry in metadata.entry_points(group="schneider_sim.games")}
    return found | BUILT_IN


def game_names() -> tuple[str, ...]:
    """The names of all games, those that come with the program first."""
    return (*BUILT_IN, *(name for name in _registered() if name not in BUILT_IN))


@functools.cache
def load_game(name: str) -> Game:
    """The game called `name`, loaded when first asked for; RequestError where there is none."""
    address = BUILT_IN.get(name) or _registered().get(name)
    if address is None:
        raise unknown("game", name, game_names())
    module, _, attribute = address.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute or "GAME")
    except (ImportError, AttributeError) as error:
        raise RequestError(f"the game {name} of another package cannot be loaded from {address}: {error}") from None
    if not isinstance(found, Game) or found.name != name:
        raise RequestError(f"{address} is not the game {name}: it must be an instance of schneider_sim.games.Game")
    return found


Match, game = MatchUp, load_game  # the names of 0.1, kept for those who use them
