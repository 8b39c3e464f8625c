"""`schneider-sim replay`: single deals card by card, as a page or as JSON lines."""

from collections.abc import Iterator
from typing import Any

import click

from ..base.limits import LAST_DEAL
from ..results.plain_page import plain_page
from . import options
from .output import say, say_json
from .progress import aside


@click.command()
@options.policies
@click.option("--deal", required=True, type=options.Whole(0, LAST_DEAL), metavar="K", help="Which deal.")
@click.option("--until", type=options.Whole(0, LAST_DEAL), metavar="K2",
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
    style, page = style_of_output(), load_game(game).replay_page or plain_page
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
