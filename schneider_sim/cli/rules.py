"""`schneider-sim rules`: the variants and switches of a game's rules."""

from typing import TYPE_CHECKING, Any

import click

from ..base.text import value_text
from ..results.text_tables import table
from . import options
from .output import say, say_json

if TYPE_CHECKING:
    from ..games import Game


@click.command()
@options.game_option
@options.rules_options
@options.json_option
def command(game: str, variant: str | None, rules: dict[str, str], as_json: bool) -> None:
    """List the variants and switches of a game; with --variant or --rules, show the rules that result."""
    from ..games import load_game

    chosen = load_game(game)
    in_force = chosen.rules(variant, rules).as_dict()
    switches = _switches(chosen)
    variants = {name: dict(changes) for name, changes in chosen.variants.items()}
    if as_json:
        say_json({"game": game, "rules": in_force, "variants": variants, "switches": switches}, indent=2)
        return
    for switch in switches:
        value = in_force.get(switch["name"])
        say(f"{switch['name']}={'' if value is None else value_text(value)}")
        say(f"    {switch['form']}")
        if switch["meaning"]:
            say(f"    {switch['meaning']}")
    say()
    changes = {name: " ".join(f"{k}={v}" for k, v in changed.items()) for name, changed in variants.items()}
    say(table(("variant", "changes"), [(name, text or "none") for name, text in changes.items()]))


def _switches(game: "Game") -> list[dict[str, Any]]:
    """Every switch: name, default, form, meaning."""
    usual = game.rules().as_dict()
    return [{"name": name, "default": usual.get(name), "form": switch.form, "meaning": switch.meaning}
            for name, switch in game.switches.items()]
