"""`schneider-sim preferences`: the words and options that a policy's text may use."""

from typing import Any

import click

from ..results.text_tables import table
from . import options
from .output import say, say_json


@click.command()
@options.game_option
@options.load_option
@options.json_option
def command(game: str, load: tuple[str, ...], as_json: bool) -> None:
    """List the words that a policy's text may use, section by section, and the options."""
    from ..games import load_game
    from .progress import aside

    grammar = load_game(game).grammar
    if load:
        from ..policy.plugins import load_all

        with aside():
            grammar, _ = load_all(load, grammar)
    words = _words(grammar)
    settings = [{"name": option.name, "form": option.form, "default": option.default, "meaning": option.meaning}
                for option in grammar.options]
    if as_json:
        say_json({"game": game, "preferences": words, "options": settings, "tricks": grammar.tricks,
                  "stages": {name: list(stage) for name, stage in grammar.stages.items()}}, indent=2)
        return
    say(table(("word", "where", "meaning"), [(w["name"], ", ".join(w["sections"]), w["meaning"]) for w in words]))
    say()
    say(table(("option", "values", "default", "meaning"), [tuple(option.values()) for option in settings]))
    say()
    say("A policy reads 'section: words; option: value'; words narrow the choice in their order.")
    if negatable := [section.name for section in grammar.sections if section.negatable]:
        say(f"'not-' before a word wants the other cards (in {', '.join(negatable)}).")
        named = "".join(f", @{name} in {first}-{last}" for name, (first, last) in grammar.stages.items())
        say(f"A stage after a word: word@3 acts only in trick 3, word@2-4 in 2 to 4 (of 1 to {grammar.tricks}){named}.")


def _words(grammar: Any) -> list[dict[str, Any]]:
    """Every word once with the sections where it means the same, in the order of the table."""
    found: dict[tuple[str, str], list[str]] = {}
    for section in grammar.sections:
        for word, meaning in section.words.items():
            found.setdefault((word, meaning), []).append(section.name)
    return [{"name": word, "sections": sections, "meaning": meaning} for (word, meaning), sections in found.items()]
