"""What holds for every test: generated examples have no time limit, since machines are shared, and runs no store."""

import os

from hypothesis import settings

settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")
os.environ["SCHNEIDER_SIM_STORE"] = "0"  # a test of the store names one
