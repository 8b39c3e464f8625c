"""Playing a sample of stored ranges again, to see that the counts are still what the program finds."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..engine import play_range
from ..errors import RequestError, RunError
from ..execute import Engine
from ..recipe import experiment_of
from .database import Part, Store, Stored, sha256


class Checked(NamedTuple):
    """A stored range that was played again, and whether its counts are the same."""

    run: Stored
    start: int
    stop: int
    same: bool


class Sample(NamedTuple):
    """Ranges to be played again, in order, and the runs that cannot be, each with the reason."""

    chosen: list[tuple[Stored, Part]]
    left_out: list[tuple[Stored, str]]


def sample(store: Store, runs: Iterable[Stored], size: int, pick: int = 0, plugins: bool = False) -> Sample:
    """`size` stored ranges of `runs`, drawn by lot: another lot for every `pick`, the same everywhere for the same.

    plugins: take runs with users' preferences as well, whose stored source will be run.
    """
    from ..games import game

    lots: list[tuple[str, Stored, Part]] = []
    left_out: list[tuple[Stored, str]] = []
    for run in runs:
        recipe = store.recipe(run)
        playing = game(recipe["game"])
        if (recipe["game_version"], recipe["layout_version"]) != (playing.version, playing.layout.version):
            left_out.append((run, "another version of the game played it"))
        elif recipe["plugins"] and not plugins:
            left_out.append((run, "it would run the stored source of preferences: --run-plugins allows that"))
        else:
            lots += [(_lot(pick, run, part), run, part) for part in store.parts(run)]
    chosen = [(run, part) for _, run, part in sorted(lots, key=lambda lot: lot[0])[:size]]
    return Sample(sorted(chosen, key=lambda entry: (entry[0].id, entry[1].start)), left_out)


def verify(store: Store, chosen: list[tuple[Stored, Part]], engine: Engine) -> Iterator[Checked]:
    """Play the chosen ranges again; yields each as it is finished."""
    for run in dict.fromkeys(run for run, _ in chosen):
        parts = {(part.start, part.stop): part for other, part in chosen if other == run}
        try:
            experiment = experiment_of(store.recipe(run))
        except RequestError as error:
            raise RunError(f"{run} cannot be played again: {error}") from None
        for part in parts.values():
            store.counts(run, part)
        for start, stop, counts in engine(play_range, experiment, iter(parts)):
            yield Checked(run, start, stop, sha256(counts) == parts[start, stop].sha256)


def _lot(pick: int, run: Stored, part: Part) -> str:
    return hashlib.sha256(f"{pick} {run.key} {part.start}".encode()).hexdigest()
