"""`schneider-sim sessions`: whole sessions (matches) played as the rules say, beside what theory makes of the deals."""

import contextlib
from typing import TYPE_CHECKING, Any

import click

from . import options
from .engine_options import engine_options
from .output import say, say_json
from .progress import Hear, progress

if TYPE_CHECKING:
    from ..store.reuse import StoreRunner

COUNT = 100_000


@click.command()
@options.policies
@click.option("--count", default=COUNT, type=options.Whole(1, 10**12), metavar="N", show_default=True,
              help="How many sessions; deals, when the rules have no sessions.")
@options.level_option
@options.seed_option
@engine_options
@options.common
def command(a: str, b: str, count: int, as_json: bool, play: "StoreRunner", **request: Any) -> None:
    """Play whole sessions (matches): first dealer, score and ties as the rules say."""
    from ..games import load_game
    from ..versus.sessions import sessions
    from ..versus.sessions_text import report

    offered = load_game(request["game"]).sessions
    units = offered.UNITS if offered else "sessions"
    with contextlib.ExitStack() as bars:
        exact: list[Hear] = []

        def exactly(done: int) -> None:
            if not exact:  # how many deals it takes is known when the sessions are played
                bars.pop_all().close()
                exact.append(bars.enter_context(progress("other deals for the exact figures", None)))
            exact[0](done)

        hear = bars.enter_context(progress("playing", count, units))
        outcome = sessions(a, b, count, progress=hear, exactly=exactly, play=play, engine=play.engine,
                           **request)
        shown = outcome.as_dict()
    if as_json:
        say_json(shown)
        return
    say(report(outcome, a, b))
    say(f"Again: {outcome.repeated(a, b)}")
