"""The command line `schneider-sim`: one short module per command, loaded when that command is asked for."""

from .app import main

__all__ = ["main"]
