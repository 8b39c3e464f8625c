"""The name that engines.threads had in version 0.1."""

from .engines.threads import *  # noqa: F403
from .engines.threads import Runner as Play  # noqa: F401
