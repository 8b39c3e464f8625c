"""Policies of stored runs in few words: presets by name, and long texts cut where they can still be told apart."""

from collections.abc import Iterable

_WIDTH = 40  # characters of a policy in a list, more where two would look alike


def short_policy(game_name: str, text: str) -> str:
    """The preset that a canonical text is; else, if the text is long, the shortest that means it: `plain; ties: first`.

    The text itself where the game is not known here or no preset is near.
    """
    from ..games import game_names, load_game

    if game_name not in game_names():
        return text
    grammar, wanted, found = load_game(game_name).grammar, _parts(text), [text]
    defaults = {option.name: option.default for option in grammar.options}
    for name in grammar.presets:
        own = _parts(str(grammar.parse(name)))
        changed = [f"{part}: {value}".rstrip() for part, value in {**defaults, **wanted}.items()
                   if value != {**defaults, **own}.get(part)]
        if not changed:
            return name
        if set(own) - set(defaults) <= set(wanted):  # else the text lacks a section, as that of an older version
            found.append("; ".join([name, *changed]))
    return text if len(text) <= _WIDTH else min(found, key=len)


def _parts(text: str) -> dict[str, str]:
    """The sections and options of a canonical text, each with what stands behind its colon."""
    pairs = (part.partition(":") for part in text.split(";"))
    return {name.strip(): words.strip() for name, _, words in pairs}


def cut_apart(texts: Iterable[str]) -> dict[str, str]:
    """Every text cut to one width, which is as large as it takes for no two to look alike."""
    every, width = set(texts), _WIDTH
    longest = max(map(len, every), default=0)
    while width < longest and len({_cut(text, width) for text in every}) < len(every):
        width += 10
    return {text: _cut(text, width) for text in every}


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[:width - 1]}…"
