"""Reading stored ranges and playing a sample again, to see that the counts are still what the program finds."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..engines.threads import Engine
from ..errors import RequestError, RunError
from ..runs.experiment import play_range
from ..runs.recipe import experiment_of
from .database import Damaged, Part, Store, Stored
from .plays import cut_alike


class Checked(NamedTuple):
    """A stored range that was played again or found damaged, and whether its counts are the same.

    part: None for a whole run that is damaged; how: in what way, empty where nothing is.
    """

    run: Stored
    part: Part | None
    same: bool
    how: str = ""

    def __str__(self) -> str:
        where = f"deals {self.part.start} to {self.part.stop - 1} of {self.run}" if self.part else str(self.run)
        return f"{where}: {self.how}" if self.how else where


class Sample(NamedTuple):
    """Ranges to be played again, in order; runs that cannot be, each with the reason; and what is damaged."""

    chosen: list[tuple[Stored, Part]]
    left_out: list[tuple[Stored, str]]
    damaged: list[Checked]


def sample(store: Store, runs: Iterable[Stored], size: int, pick: int = 0, plugins: bool = False) -> Sample:
    """`size` stored ranges of `runs`, drawn at random: others for every `pick`, the same everywhere for the same.

    Every range is read, and those that are damaged are not drawn. plugins: take runs with users' preferences as well,
    whose stored source will be run.
    """
    from ..games import load_game

    lots: list[tuple[str, Stored, Part]] = []
    left_out: list[tuple[Stored, str]] = []
    damaged: list[Checked] = []
    for run in runs:
        try:
            recipe = store.recipe(run)
        except Damaged as error:
            damaged.append(Checked(run, None, False, error.how))
            continue
        sound = list(_sound(store, run, damaged))
        game = load_game(recipe["game"])
        if (recipe["game_version"], recipe["layout_version"]) != (game.version, game.layout.version):
            left_out.append((run, "another version of the game played it"))
        elif recipe["plugins"] and not plugins:
            left_out.append((run, "it would run the stored source of preferences: --run-plugins allows that"))
        else:
            lots += [(_lot(pick, run, part), run, part) for part in sound]
    chosen = [(run, part) for _, run, part in sorted(lots, key=lambda lot: lot[0])[:size]]
    return Sample(sorted(chosen, key=lambda entry: (entry[0].id, entry[1].start)), left_out, damaged)


def _sound(store: Store, run: Stored, damaged: list[Checked]) -> Iterator[Part]:
    """The parts of a run that can be read; the others go to `damaged`."""
    for part in store.parts(run):
        try:
            store.counts(run, part)
            yield part
        except Damaged as error:
            damaged.append(Checked(run, part, False, error.how))


def verify(store: Store, chosen: list[tuple[Stored, Part]], engine: Engine) -> Iterator[Checked]:
    """Play the chosen ranges again; yields each as it is finished."""
    for run in dict.fromkeys(run for run, _ in chosen):
        parts = {(part.start, part.stop): part for other, part in chosen if other == run}
        try:
            experiment = experiment_of(store.recipe(run))
        except RequestError as error:
            raise RunError(f"{run} cannot be played again: {error}") from None
        for start, stop, counts in engine(play_range, experiment, iter(parts)):
            part = parts[start, stop]
            kept, again = cut_alike(store.counts(run, part), counts)
            yield Checked(run, part, bool((kept == again).all()))


def _lot(pick: int, run: Stored, part: Part) -> str:
    return hashlib.sha256(f"{pick} {run.key} {part.start}".encode()).hexdigest()
