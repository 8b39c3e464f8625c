"""The command line that repeats a run, from what the run was."""

import shlex
from collections.abc import Iterable
from typing import Any

from ..experiment import Experiment
from ..games import Match, game
from ..games.parts import changes
from ..text import value_text


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
    """The switches that make the rules of the game's default ones, as KEY=VALUE."""
    return [f"{name}={value_text(value)}" for name, value in changes(game(game_name).rules, rules.as_dict()).items()]


def files(match: Match) -> list[str]:
    """The files of the users' preferences that the policies use."""
    return list(dict.fromkeys(str(item.path) for item in match.plugins if getattr(item, "path", "")))
