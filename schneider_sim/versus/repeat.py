"""The command line that repeats what was done: the one builder of every `again:` line and of `command` in JSON."""

import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from ..base.text import clean
from ..games import load_game
from ..games.switches import changes_in_words
from ..runs.experiment import Experiment


def command(verb: str, words: Iterable[str], experiment: Experiment) -> str:
    """`schneider-sim verb words …` with the experiment's game, rules, seed, first deal, score and users' files.

    All files that were loaded are named: a word of theirs may stand in a policy that no match-up ends up with.
    """
    match_up = experiment.match_up
    return command_line(verb, words, game_name=experiment.game, rules=match_up.rules.as_dict(), seed=match_up.seed,
                        first=experiment.first, design=match_up.design, detail=match_up.detail, score=match_up.score,
                        load=experiment.load)


def command_line(verb: str, words: Iterable[str], *, game_name: str, rules: Mapping[str, Any], seed: int,
                 first: int = 0, design: str = "duplicate", detail: str = "sample",
                 score: Iterable[int] = (0, 0), load: Iterable[str] = ()) -> str:
    """The same from single settings; those that are the default are left out, but for the seed."""
    parts = ["schneider-sim", verb, *words, "--seed", str(seed)]
    parts += ["--first", str(first)] if first else []
    parts += ["--design", design] if design != "duplicate" else []
    parts += ["--detail", detail] if detail != "sample" else []
    parts += ["--score", ":".join(map(str, score))] if any(score) else []
    parts += ["--game", game_name] if game_name != "bohemian" else []
    parts += _rules(game_name, rules)
    for path in load:
        parts += ["--load", f"./{path}" if clean(path).startswith("-") else path]
    return shlex.join(parts)


def level_words(level: float) -> list[str]:
    """The option that asks for a confidence level, none for 95 %."""
    return ["--level", number(level)] if level != 0.95 else []


def changed_rules(game_name: str, rules: Any) -> list[str]:
    """The switches that make the rules of the game's default ones, as KEY=VALUE."""
    return _switches(game_name, rules.as_dict())


def number(value: float) -> str:
    """A number as short as it can be and still the same when it is read."""
    short = f"{value:.15g}"
    return short if float(short) == value else repr(value)


def _rules(game_name: str, rules: Mapping[str, Any]) -> list[str]:
    """The options that make these rules: a variant if there is one of them, else switches."""
    game = load_game(game_name)
    for variant in list(game.variants)[1:]:
        if game.rules(variant).as_dict() == rules:
            return ["--variant", variant]
    return [word for switch in _switches(game_name, rules) for word in ("--rules", switch)]


def _switches(game_name: str, rules: Mapping[str, Any]) -> list[str]:
    return changes_in_words(load_game(game_name).rules, rules)
