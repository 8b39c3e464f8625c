"""`schneider-sim rules`: the variants and switches of a game's rules."""

from typing import Any

import click

from ..base.text import value_text
from ..results.text_tables import table
from . import options
from .output import say, say_json


@click.command()
@options.game_option
@options.rules_options
@options.json_option
def command(game: str, variant: str | None, rules: dict[str, str], as_json: bool) -> None:
    """List the variants and switches of a game; with --variant or --rules, show the rules that result."""
    from ..games import load_game as playing

    playing_game = playing(game)
    in_force = playing_game.rules(variant, rules).as_dict()
    switches = _switches(playing_game)
    variants = {name: dict(changes) for name, changes in playing_game.variants.items()}
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


def _switches(game: Any) -> list[dict[str, Any]]:
    """Every switch: name, default, form, meaning. A game gives `form` and `meaning`, or both in one text."""
    found, usual = [], game.rules().as_dict()
    for name, switch in game.switches.items():
        if isinstance(switch, str):
            form, _, meaning = switch.partition(" - ")
        else:
            form, meaning = switch.form, switch.meaning
        found.append({"name": name, "default": usual.get(name), "form": form, "meaning": meaning})
    return found
