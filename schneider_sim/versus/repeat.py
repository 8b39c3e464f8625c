"""The command line that repeats a run, from what the run was."""

import shlex
from collections.abc import Iterable
from typing import Any

from ..experiment import Experiment
from ..games import Match, game


def command(verb: str, words: Iterable[str], experiment: Experiment) -> str:
    """`schneider-sim verb words …` with the experiment's game, rules, seed, first deal and users' files."""
    match = experiment.match
    parts = ["schneider-sim", verb, *words, "--seed", str(match.seed)]
    parts += ["--first", str(experiment.first)] if experiment.first else []
    parts += ["--game", experiment.game] if experiment.game != "bohemian" else []
    for switch in changed_rules(experiment.game, match.rules):
        parts += ["--rules", switch]
    for path in files(match):
        parts += ["--load", path]
    return shlex.join(parts)


def changed_rules(game_name: str, rules: Any) -> list[str]:
    """The switches that differ from the game's default rules, as KEY=VALUE."""
    usual = game(game_name).rules(None, {}).as_dict()
    return [f"{name}={_text(value)}" for name, value in rules.as_dict().items() if value != usual[name]]


def files(match: Match) -> list[str]:
    """The files of the users' preferences that the policies use."""
    return list(dict.fromkeys(str(item.path) for item in match.plugins if getattr(item, "path", "")))


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
