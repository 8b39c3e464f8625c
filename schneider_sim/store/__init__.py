"""The store of runs: one SQLite file. `database` holds it, `schema` its tables; `exchange` and `verify` work on it."""

from .database import Changed, Part, Store, Stored, chosen_path, mismatch, sha256, switched_off, usual_path
from .plays import core

__all__ = [
    "Changed", "Part", "Store", "Stored", "chosen_path", "core", "mismatch", "sha256", "switched_off", "usual_path",
]
