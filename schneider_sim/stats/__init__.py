"""Honest answers from counts: intervals, duplicates, sequential tests, many comparisons, sessions, rankings.

Pure functions of integer counts, usable without the simulator. docs/statistics.md explains every number.
"""
