"""`schneider-sim policies`: the named policies of a game with their text."""

import click

from . import options
from .output import say, say_json


@click.command()
@options.game_option
@options.json_option
def command(game: str, as_json: bool) -> None:
    """List the named policies with their text."""
    from ..games import load_game

    grammar = load_game(game).grammar
    presets = [{"name": name, "policy": str(grammar.parse(name)), "about": preset.about}
               for name, preset in grammar.presets.items()]
    if as_json:
        say_json({"game": game, "policies": presets}, indent=2)
        return
    width = max(len(preset["name"]) for preset in presets)
    for preset in presets:
        say(f"{preset['name']:{width}}  {preset['about']}\n{'':{width}}  {preset['policy']}")
    say()
    say(f"A name may be followed by sections that replace its own: '{presets[-1]['name']}; ties: first'.")
    say(f"'schneider-sim preferences{_of(game)}' lists the words.")


def _of(game: str) -> str:
    return "" if game == "bohemian" else f" --game {game}"
