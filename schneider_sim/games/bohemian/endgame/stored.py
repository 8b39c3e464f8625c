"""The tables of endgames as files beside this one: read in milliseconds, made by scripts/endgames.py in seconds."""

from pathlib import Path

import numpy as np

from .table import Endgames, Made


def file_of(ring: bool) -> Path:
    """Where the table of all endgames lies; ring: whether a seven captures the ace of its suit."""
    return Path(__file__).with_name("ring.npz" if ring else "plain.npz")


def stored_table(ring: bool) -> Made:
    """The table that `make_table` makes."""
    with np.load(file_of(ring)) as file:
        parts = file["keys"], file["powers"], file["displacement"], file["values"]
        bucket_shift, slot_shift = file["shifts"]
    keys, powers, displacement, values = (part.ctypes.data for part in parts)
    return Made(Endgames(keys, powers, displacement, values, bucket_shift, slot_shift), parts)
