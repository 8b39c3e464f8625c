"""The name that charts.figures had in version 0.1."""

from .charts.figures import *  # noqa: F403
