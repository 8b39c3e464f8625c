"""Policies as people named them, in sentences and tables."""

_SHORT = 24  # characters that still read well as a name


def label(typed: str, otherwise: str) -> str:
    """A name for sentences and tables: what was typed if that is short, else `otherwise`, such as A or P3."""
    return typed if 0 < len(typed) <= _SHORT and ":" not in typed else otherwise
