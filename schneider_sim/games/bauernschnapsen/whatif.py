"""The name that results.gang_trials had in version 0.1."""

from .results.gang_trials import *  # noqa: F403
