"""Errors that speak of a function's arguments where the command line would speak of its options."""

import functools
import re
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ..errors import RequestError

P = ParamSpec("P")
R = TypeVar("R")
_OPTION = re.compile(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)\b")
_NAMES = {"no-store": "store=None", "until-separated": "until_separated=True", "all": "all=True"}


def in_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """The function, its RequestErrors naming arguments: `max_deals` for `--max-deals`."""

    @functools.wraps(function)
    def named(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except RequestError as error:
            raise RequestError(as_arguments(str(error))) from error.__cause__

    return named


def as_arguments(message: str) -> str:
    """A message with every option as the argument that it is in Python."""
    return _OPTION.sub(lambda found: _NAMES.get(found[1], found[1].replace("-", "_")), message)
