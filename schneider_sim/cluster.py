"""The name that engines.dask had in version 0.1."""

from .engines.dask import cluster  # noqa: F401
