"""What holds for every test: Python as a user's machine sets it, no time limit for examples, and no store."""

import logging
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")
for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONWARNINGS", "PYTHONPATH"):
    os.environ.pop(name, None)  # a user sets none of these, and each has hidden a fault
sys.dont_write_bytecode = False
logging.getLogger("schneider_sim.compiling").disabled = True  # which test meets a cold cache is chance
os.environ["SCHNEIDER_SIM_STORE"] = "0"  # a test of the store names one


def pytest_sessionstart(session: pytest.Session) -> None:
    """Before pytest-xdist starts its processes, the code that all of them run is compiled."""
    if session.config.getoption("numprocesses", None) and not session.config.option.collectonly:
        from compiling import compile_all

        compile_all()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Commands that a test starts heed SIGINT even where this process ignores it.

    A shell without job control starts what runs in the background with SIGINT ignored, and that is inherited; a signal
    with a handler is set to its default in a new program.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
