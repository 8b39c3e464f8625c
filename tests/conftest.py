"""What holds for every test: generated examples have no time limit, since test machines are shared."""

from hypothesis import settings

settings.register_profile("shared machine", deadline=None)
settings.load_profile("shared machine")
