"""The name that results.self_play had in version 0.1."""

from .results.self_play import *  # noqa: F403
