"""Honest answers from counts: intervals, duplicates, sequential tests, many comparisons, sessions, rankings.

Pure functions of integer counts, usable without the simulator. docs/statistics.md explains every number.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import (
        factorial,
        intervals,
        multiple,
        paired,
        power,
        racing,
        ranking,
        sequential,
        session_estimates,
        sessions,
    )

__all__ = [
    "factorial", "intervals", "multiple", "paired", "power", "racing", "ranking", "sequential", "session_estimates",
    "sessions",
]


def __getattr__(name: str) -> Any:
    """Load a module when it is first used: most answers need one or two of them."""
    if name not in __all__:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return importlib.import_module(f".{name}", __name__)
