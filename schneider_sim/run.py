"""The name that store.reuse had in version 0.1."""

from .store.reuse import StoreRunner as Player  # noqa: F401
