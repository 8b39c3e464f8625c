"""The store of runs: one SQLite file. `database` holds it, `schema` its tables; `exchange` and `verify` work on it."""

from .database import Part, Store, Stored, chosen_path, mismatch, sha256, switched_off, usual_path

__all__ = ["Part", "Store", "Stored", "chosen_path", "mismatch", "sha256", "switched_off", "usual_path"]
