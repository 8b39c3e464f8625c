"""Policies as people named them: in a heading, in a sentence, in a table."""

from collections.abc import Sequence

_SHORT = 24  # characters that still read well as a name


def heading(typed: str, policy: str) -> str:
    """A policy as it was typed and, where that differs, what it stands for: 'careful  =  lead: …'."""
    name = typed or "''"
    return policy if name == policy else f"{name}  =  {policy}"


def label(typed: str, otherwise: str) -> str:
    """A name for sentences and tables: what was typed if that is short, else `otherwise`, such as A or P3."""
    return typed if 0 < len(typed) <= _SHORT and ":" not in typed else otherwise


def listed(names: Sequence[str]) -> str:
    """Names in a row: 'a', 'a and b', 'a, b and c'."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
