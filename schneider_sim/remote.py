"""What a Dask worker does: take an experiment as its recipe, play a range, return packed counts."""

import functools
import json
from typing import Any

import numpy as np

from .errors import RunError
from .execute import Work
from .experiment import Experiment
from .packing import pack, unpack
from .recipe import experiment_of
from .version import __version__


@functools.cache
def identity() -> str:
    """The version of the program and a checksum of its sources: the same on all sides, or nothing is played."""
    from .jit import source_checksum

    return f"{__version__} ({source_checksum()})"


def play_remotely(start: int, stop: int, work: Work, recipe: str, client: str) -> Any:
    """`work` on deals start … stop - 1 of the recipe's experiment; counts are packed. RunError for another version."""
    if client != identity():
        raise RunError(f"the worker {_where()} has schneider-sim {identity()}, this side {client}: both need the same")
    outcome = work(_experiment(recipe), start, stop)
    return pack(outcome) if isinstance(outcome, np.ndarray) else outcome


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
