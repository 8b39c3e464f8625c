"""The form of a trace: which keys it has, and what kind of value each holds.

Source: docs/rules-bauernschnapsen.md section 12.
"""

from collections.abc import Mapping
from typing import Any

from ....base.text import shown
from ....errors import RequestError

KINDS = {int: "a whole number", str: "a text", dict: "an object", list: "a list"}
TRICK = {"leader": int, "announced": ({"suit": str, "points": int},), "cards": [str], "seats": [int],
         "winner": (int,), "points": int}
TRACE = {
    "game": str, "rules": {}, "deal": int, "first_leader": str, "dealer": int, "teams": {"A": [int], "B": [int]},
    "redeals": int, "hands": [[str]], "trump": str, "turned_up": (str,), "calls": [{"seat": int, "call": str}],
    "contract": str, "declarer": int, "doublings": [{"seat": int, "multiplier": int}], "multiplier": int,
    "leader": (int,), "tricks": [TRICK], "card_points": [int], "marriage_points": [int], "scoring_team": str,
    "game_points": int, "ended": str,
}


def check(value: Any, form: Any, where: str = "") -> None:
    """Raise RequestError for the first value that is not of the form.

    form: a type; [form] for a list of such; (form,) where null may stand in its place; an object's keys and forms,
    besides which it may have others.
    """
    if isinstance(form, tuple):
        if value is not None:
            check(value, form[0], where)
        return
    kind = form if isinstance(form, type) else type(form)
    fits = isinstance(value, Mapping if kind is dict else (list, tuple) if kind is list else kind)
    if not fits or isinstance(value, bool):
        raise RequestError(f"{where or 'a trace'} must be {KINDS[kind]}, not {shown(value)}")
    if kind is list:
        for number, one in enumerate(value, 1):
            check(one, form[0], f"{where} {number}")
    elif kind is dict:
        for key, inner in form.items():
            name = f"{where}: {key}" if where else key
            if key not in value:
                raise RequestError(f"{name} is missing")
            check(value[key], inner, name)
