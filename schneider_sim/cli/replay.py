"""`schneider-sim replay`: single deals card by card, as a page or as JSON lines."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import click

from ..results.text_tables import rules_in_words
from . import options
from .output import say, say_json
from .progress import aside


@click.command()
@options.policies
@click.option("--deal", required=True, type=options.Whole(0, options.LAST_DEAL), metavar="K", help="Which deal.")
@click.option("--until", type=options.Whole(0, options.LAST_DEAL), metavar="K2",
              help="Replay all deals from K to K2, this one included.")
@click.option("--first-leader", default="A", type=options.Plain("A", "B"), show_default=True,
              help="The policy that leads to the first trick; in Bauernschnapsen, that of the caller's side.")
@options.seed_option
@options.score_option
@options.common
def command(a: str, b: str, deal: int, until: int | None, game: str, as_json: bool, **request: Any) -> None:
    """Show deals card by card: hands, calls or stock, every trick, who takes it and why."""
    from ..base.terminal import style_of_output
    from ..games import load_game

    traces = _asided(a, b, deal, deal if until is None else until, game=game, **request)
    if as_json:
        for trace in traces:
            say_json(trace)
        return
    style, page = style_of_output(), load_game(game).page or plain_page
    for number, trace in enumerate(traces):
        if number:
            say()
        say("\n".join(page(trace, style)))


def _asided(*what: Any, **request: Any) -> Iterator[dict[str, Any]]:
    """The traces one by one; what a user's plug-in prints while one is made goes to standard error."""
    from ..api import replays

    with aside():
        traces = replays(*what, **request)
    while True:
        with aside():
            trace = next(traces, None)
        if trace is None:
            return
        yield trace


def plain_page(trace: Mapping[str, Any], style: Any) -> Iterator[str]:
    """The lines of a page for any game: every entry of the trace by name, lists of objects one line each."""
    for name, value in trace.items():
        if name == "rules" and isinstance(value, Mapping):
            yield f"rules: {rules_in_words(trace['game'], value)}"
        elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
            yield f"{name}:"
            for number, item in enumerate(value, start=1):
                yield f"{number:4}  " + ", ".join(f"{key} {_text(part, style)}" for key, part in item.items())
        else:
            yield f"{name}: {_text(value, style)}"


def _text(value: Any, style: Any) -> str:
    if isinstance(value, str):
        return style.card(value) if re.fullmatch("[789TJQKA][SHDC]", value) else value
    if isinstance(value, Mapping):
        return " ".join(f"{key}={_text(part, style)}" for key, part in value.items())
    if isinstance(value, list):
        apart = " | " if any(isinstance(part, list) for part in value) else " "
        return apart.join(_text(part, style) for part in value)
    return "-" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
