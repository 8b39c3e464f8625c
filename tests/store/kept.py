"""Stores with small runs in them for the tests of what is done with stored runs."""

from dataclasses import replace
from pathlib import Path

from schneider_sim.engines.threads import run, serial
from schneider_sim.runs.experiment import make_experiment
from schneider_sim.store import Store
from schneider_sim.store.reuse import StoreRunner

CUT = 1 << 11
PLUGIN = ("from schneider_sim import preference\n\n\n@preference('spades')\ndef spades(view):\n"
          "    return view.candidates & 255\n")


def experiment(deals: int, first: int = 0, seed: int = 1, **more):
    b = "cautious" if more.get("game_name") == "bauernschnapsen" else "greedy"
    return replace(make_experiment("random", b, deals=deals, first=first, seed=seed, **more), cut=CUT)


def keep(path: Path, *experiments) -> Path:
    """A store at `path` in which the experiments are kept."""
    with Store(path) as store:
        for wanted in experiments:
            run(wanted, play=StoreRunner(serial, store))
    return path


def everything(path: Path) -> list[tuple[str, int, int, str]]:
    with Store(path) as store:
        return sorted((stored.key, part.start, part.stop, part.sha256)
                      for stored in store.runs() for part in store.parts(stored))


def change(store: Store, stored, number: int, by: int) -> None:
    """Change a count of the part of this number."""
    part = store.parts(stored)[number]
    counts = store.counts(stored, part)
    store.drop([part])
    counts[0] += by
    store.put(stored, part.start, part.stop, counts)
