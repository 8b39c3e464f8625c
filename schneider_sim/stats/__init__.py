"""Honest answers from counts: intervals, duplicates, sequential tests, many comparisons, sessions, rankings.

Pure functions of integer counts, usable without the simulator. docs/statistics.md explains every number.
"""

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
