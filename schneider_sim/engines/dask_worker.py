"""What a Dask worker does: take an experiment as its recipe, play neighbouring ranges, return packed counts."""

import functools
import json
import pkgutil
import time
from typing import Any

import numpy as np

from ..base.packing import pack, unpack
from ..errors import RunError
from ..runs.experiment import Experiment
from ..runs.recipe import experiment_of
from ..version import __version__
from .threads import Ranges, Work


@functools.cache
def identity() -> str:
    """The version of the program and a checksum of its sources: the same on all sides, or nothing is played."""
    from ..compiled.jit import source_checksum

    return f"{__version__} ({source_checksum()})"


def task(ranges: Ranges, work: Work, recipe: str) -> str:
    """The Python expression that plays neighbouring ranges on a worker, which can read it whatever it has installed."""
    asked = {"client": identity(), "ranges": list(ranges), "work": f"{work.__module__}:{work.__qualname__}",
             "recipe": recipe}
    return f"__import__('importlib').import_module('{__name__}').play_remotely({json.dumps(asked)!r})"


def play_remotely(asked: str) -> tuple[list[Any], float]:
    """What the work returns for each of the ranges that `task` asks for, counts packed, and the seconds it took.

    Raises RunError where the client has another version.
    """
    told = json.loads(asked)
    if told["client"] != identity():
        raise RunError(f"the worker {_where()} has schneider-sim {identity()}, this side {told['client']}: both need "
                       "the same")
    work: Work = pkgutil.resolve_name(told["work"])
    experiment = _experiment(told["recipe"])
    begun = time.monotonic()
    outcomes = [work(experiment, start, stop) for start, stop in told["ranges"]]
    packed = [pack(outcome) if isinstance(outcome, np.ndarray) else outcome for outcome in outcomes]
    return packed, time.monotonic() - begun


def received(outcome: Any) -> Any:
    """What `work` returned, from what came over the net."""
    return unpack(outcome) if isinstance(outcome, bytes) else outcome


@functools.lru_cache(maxsize=8)
def _experiment(recipe: str) -> Experiment:
    return experiment_of(json.loads(recipe))


def _where() -> str:
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:
        return "here"
