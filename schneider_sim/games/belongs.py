"""Where a name belongs that a request puts in the wrong place: in another game, in the rules, in a policy."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..base.text import clean
from ..errors import RequestError
from ..policy.grammar import NOT
from . import BUILT_IN, game_names, load_game


def in_policies(here: str) -> Callable[[str], str]:
    """For a name in the policies of game `here` that is none there: where it belongs, or an empty text."""

    def elsewhere(name: str) -> str:
        plain = name.removeprefix(NOT)
        if name in load_game(here).switches:
            return f"{name} is a rule: say --rules {name}={_usual(here, name)}"
        found = (other for other in _others(here) if plain in _policy_names(other) or name in load_game(other).switches)
        return _hint(here, name, found)

    return elsewhere


def read_rules(here: str, make: Callable[..., Any], variant: str | None, overrides: Mapping[str, Any] | None) -> Any:
    """The Rules that `make` makes of a variant and switches, or an error that says where an unknown name belongs."""
    try:
        return make(variant, overrides)
    except RequestError as error:
        names = {_plain(key) for key in overrides or {} if isinstance(key, str)} - _folded(load_game(here).switches)
        for name in sorted(names):
            if name in {option.name for option in load_game(here).grammar.options}:
                value = next(value for key, value in (overrides or {}).items() if _plain(key) == name)
                raise RequestError(f"{name} is an option of a policy: write 'POLICY; {name}: {value}'") from None
            if hint := _hint(here, name, (one for one in _others(here) if name in _folded(load_game(one).switches))):
                raise RequestError(hint) from None
        name = _plain(variant) if isinstance(variant, str) else ""
        if name and name not in load_game(here).variants:
            found = (other for other in _others(here) if name in load_game(other).variants)
            if hint := _hint(here, f"variant {name}", found):
                raise RequestError(hint) from None
        raise error


def add_game(here: str, other: str) -> str:
    """What to do with a request for game `here` that belongs to another."""
    return f"{'add' if here == next(iter(BUILT_IN)) else 'say'} --game {other}"


def scored_game(here: str) -> str:
    """The game whose deals depend on a score, and what to do to play it."""
    other = next(name for name in game_names() if load_game(name).score_limit)
    return f"{other}: {add_game(here, other)}"


def _hint(here: str, name: str, found: Iterator[str]) -> str:
    other = next(found, None)
    return f"{name} belongs to {other}: {add_game(here, other)}" if other else ""


def _others(here: str) -> Iterator[str]:
    return (name for name in game_names() if name != here)


def _policy_names(other: str) -> set[str]:
    """Presets, sections, words and options of a game."""
    grammar = load_game(other).grammar
    words = {word for section in grammar.sections for word in section.words}
    parts = {section.name for section in grammar.sections} | {option.name for option in grammar.options}
    return {*grammar.presets, *words, *parts}


def _usual(here: str, switch: str) -> str:
    from ..base.text import value_text

    return value_text(load_game(here).rules().as_dict()[switch])


def _plain(text: str) -> str:
    return clean(text).strip().casefold()


def _folded(names: Mapping[str, Any]) -> set[str]:
    return {name.casefold() for name in names}
