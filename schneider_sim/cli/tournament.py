"""`schneider-sim tournament`: play every policy against every other and rank them."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.limits import DEALS
from ..base.text import counted
from ..errors import RequestError
from ..results.text_tables import table
from . import options, output_folder
from .engine_options import engine_options
from .figure_options import figure_options
from .output import say, say_json
from .progress import progress

if TYPE_CHECKING:
    from ..report.charts.paper import Paper


@click.command()
@click.argument("policies", nargs=-1, type=options.Plain(), metavar="P1 P2 ...")
@click.option("--all", "every", is_flag=True,
              help="All presets of the game that do not search, besides the policies named.")
@click.option("--deals", default=100_000, type=options.Whole(1, DEALS), metavar="N", show_default=True,
              help="Deals per match-up, such as 250k or 1M.")
@click.option("--until-separated", is_flag=True, help="Play on where the order is unclear.")
@click.option("--max-deals", type=options.Whole(1, DEALS), metavar="N",
              help="With --until-separated: at most this many deals per match-up, by default 10M.")
@click.option("--margin", type=click.FloatRange(0), metavar="D",
              help="With --until-separated: a difference of ratings that does not matter, by default 0.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Write tables and the payoff matrix there.")
@figure_options
@options.records_options
@options.level_option
@options.seed_option
@options.first_option
@engine_options
@options.common
def command(policies: tuple[str, ...], every: bool, deals: int, until_separated: bool, max_deals: int | None,
            margin: float | None, out: Path | None, as_json: bool, game: str, play: Any, level: float,
            records: Path | None, cards: bool, look: "Paper", **request: Any) -> None:
    """Play every policy against every other on the same deals, and say what order that establishes."""
    from ..runs.experiment import make_experiment
    from ..store.recorder import recording
    from ..versus import tournament as library
    from ..versus.tournament_text import report

    names = [*policies, *(_others(game, policies) if every else ())]
    if not until_separated and (max_deals is not None or margin is not None):
        which = "--margin" if max_deals is None else "--max-deals"
        raise RequestError(f"{which} needs --until-separated: add it, or give the number of deals by --deals")
    max_deals = 10_000_000 if max_deals is None else max_deals
    if until_separated and max_deals < deals:
        raise RequestError(f"--max-deals {max_deals} is less than --deals {deals}: give more, or fewer --deals")
    if out is not None:
        output_folder.check(out, "tournament")
    make = partial(make_experiment, game_name=game, deals=max(deals, 1024) if until_separated else deals, **request)
    experiments = library.round_robin(names, make, game)
    labels = [library.label(text, place) for place, text in enumerate(names, 1)]
    called = dict(zip((str(one) for one in library.policies_of(experiments, len(names))), labels, strict=True))
    total = sum(one.deals for one in experiments)
    with (recording(play, records, called, cards) as play,
          progress("match-ups", total, start=lambda: play.reused) as hear):
        result = library.tournament(labels, experiments, play, hear=hear, level=level, margin=margin or 0.0,
                                    until=max_deals if until_separated else None, heard=_look)
    failed = output_folder.write(out, look=look, make=lambda: output_folder.of_tournament(result))
    if as_json:
        say_json(result.as_dict())
    else:
        say(report(result, table, names))
    output_folder.complain(failed)


def _others(game: str, policies: tuple[str, ...]) -> list[str]:
    """The game's presets besides those named, without those that search, which is said."""
    from ..games import load_game
    from ..versus.variations import searches

    grammar = load_game(game).grammar
    others = [name for name in grammar.presets if name not in policies]
    slow = [name for name in others if searches(grammar, name)]
    if slow:
        click.echo(f"schneider-sim: --all leaves out presets that search: {', '.join(slow)}; name them to have them "
                   "play", err=True)
    return [name for name in others if name not in slow]


def _look(deals: int, unsettled: int) -> None:
    state = "all are settled" if not unsettled else f"{unsettled} policies are not told apart yet"
    terminal = sys.stderr is not None and sys.stderr.isatty()
    wipe = "\r\x1b[2K" if terminal else ""  # the bar of the first part stands there
    click.echo(f"{wipe}{counted(deals, 'deal')} a match-up: {state}", err=True)
