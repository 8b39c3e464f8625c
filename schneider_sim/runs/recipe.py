"""An experiment as plain data and back: what names a stored run, travels to workers and goes into exports.

A recipe holds all that a tally depends on besides the deal range: game and version of its play, tally layout, rules,
canonical policies, seed, design, detail, score, and the source of the users' preferences that the policies use, with
the modules of its folder that it imports.
"""

import hashlib
import json
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..base.text import shown
from ..errors import RequestError, RunError
from ..games import load_game
from .experiment import Experiment, make_experiment

Recipe = dict[str, Any]
PARTS = frozenset({"game", "game_version", "layout_version", "rules", "a", "b", "seed", "design", "detail", "score",
                   "plugins"})


def recipe_of(experiment: Experiment) -> Recipe:
    """The recipe of an experiment, in JSON values; the deal range is no part of it."""
    game, match_up = load_game(experiment.game), experiment.match_up
    sources: dict[str, Any] = {}
    for item in match_up.plugins:
        entry = sources.setdefault(item.path, {"file": Path(item.path).name, "words": [], "source": item.source,
                                               **_beside(item.neighbours)})
        entry["words"].append(item.name)
    return {
        "game": experiment.game, "game_version": game.version, "layout_version": game.layout.version,
        "rules": match_up.rules.as_dict(), "a": str(match_up.a), "b": str(match_up.b), "seed": match_up.seed,
        "design": match_up.design, "detail": match_up.detail, "score": list(match_up.score),
        "plugins": sorted(sources.values(), key=lambda entry: entry["words"]),
    }


def check_held(experiment: Experiment) -> None:
    """Raises RequestError where a preference cannot be sent elsewhere."""
    for item in experiment.match_up.plugins:
        if item.unheld:
            raise RequestError(f"preference '{item.name}' cannot be sent to workers ({item.unheld}): save it in a file "
                               "and load that")


def _beside(neighbours: Mapping[str, str]) -> dict[str, Any]:
    """A plug-in's neighbours as a part of its entry, which has none where there are none: old keys stay as they are."""
    return {"neighbours": dict(neighbours)} if neighbours else {}


def as_text(recipe: Recipe) -> str:
    """The recipe as JSON in one form, whatever the order of its parts."""
    return json.dumps(recipe, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def key_of(recipe: Recipe) -> str:
    """The name of a run, 64 hexadecimal digits: SHA-256 of its recipe, where a plug-in's file may have any name."""
    plugins = [{"words": sorted(entry["words"]), "source": entry["source"], **_beside(entry.get("neighbours", {}))}
               for entry in recipe["plugins"]]
    return hashlib.sha256(as_text({**recipe, "plugins": plugins}).encode()).hexdigest()


def experiment_of(recipe: Recipe, first: int = 0, deals: int = 1) -> Experiment:
    """The experiment of a recipe on deals first … first + deals - 1; runs the source of its plug-ins.

    Raises RunError where this version of the program does not play it as the one that wrote it did.
    """
    with tempfile.TemporaryDirectory() as folder:
        places: dict[str, str] = {}
        for number, entry in enumerate(recipe["plugins"]):
            if "\ufffd" in entry["source"]:
                raise RunError(f"{entry['file']} is not UTF-8 text and cannot be run from a copy: save it as UTF-8")
            place = Path(folder, str(number), entry["file"])
            for name, text in {entry["file"]: entry["source"], **entry.get("neighbours", {})}.items():
                _write(Path(folder, str(number)), name, text)
            places[str(place)] = entry["file"]
        experiment = make_experiment(
            recipe["a"], recipe["b"], game_name=recipe["game"], rules=recipe["rules"], deals=deals,
            seed=recipe["seed"], first=first, design=recipe["design"], detail=recipe["detail"],
            score=(recipe["score"][0], recipe["score"][1]), load=tuple(places),
        )
    match_up = experiment.match_up
    named = tuple(replace(item, path=places[item.path]) for item in match_up.plugins)
    experiment = replace(experiment, match_up=replace(match_up, plugins=named))
    game = load_game(experiment.game)
    now = {"game_version": game.version, "layout_version": game.layout.version}
    for part, version in now.items():
        if recipe[part] != version:
            raise RunError(f"{experiment.game} was played by another version ({part} {recipe[part]}, here {version}): "
                           "run it with the version that made it")
    if key_of(recipe_of(experiment)) != key_of(recipe):
        raise RunError(f"a recipe of {experiment.game} means something else here than where it was written: use the "
                       "same version of schneider-sim on both sides")
    return experiment


def _write(folder: Path, name: str, text: str) -> None:
    """Write a plug-in's file or a neighbour below `folder`; RunError for a name that leads out of it."""
    place = folder / name
    if ".." in place.parts or folder not in place.parents:
        raise RunError(f"'{shown(name)}' is not a valid name of a plug-in's file: the recipe was altered")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode())
