"""`schneider-sim plan`: say how many deals a question needs."""

from typing import Any

import click

from ..base.limits import DEALS
from ..results.text_tables import heading
from . import options
from .output import say, say_json
from .progress import progress


@click.command()
@options.policies
@click.option("--difference", type=float, metavar="D",
              help="The difference to see, in VP (game points) per deal, such as 0.02.")
@click.option("--deals", type=options.Whole(1, DEALS), metavar="N",
              help="What difference would this many deals find, and what could they miss?")
@click.option("--alpha", type=float, help="Two-sided error of the test.  [default: 1 - LEVEL, 0.05]")
@click.option("--power", default=0.9, type=float, show_default=True, help="Probability of seeing the difference.")
@click.option("--pilot", default=16_384, type=options.Whole(2, 10**7), metavar="N", show_default=True,
              help="Deals played to plan by.")
@options.level_option
@options.seed_option
@options.first_option
@options.threads_option
@options.common
def command(a: str, b: str, difference: float | None, deals: int | None, alpha: float | None, power: float, pilot: int,
            threads: int | None, as_json: bool, game: str, level: float, **request: Any) -> None:
    """Play a short pilot of A against B and say how many deals, and seconds, a difference needs."""
    from functools import partial

    from ..engines.threads import in_order
    from ..errors import RequestError
    from ..runs.experiment import make_experiment
    from ..stats.power import check
    from ..stats.values import tail
    from ..versus.plan import plan, play_pilot

    if difference is None and deals is None:
        raise RequestError("a plan needs --difference D, or --deals N, or both")
    tail(level)  # refuses what is no level
    alpha = round(1.0 - level, 12) if alpha is None else alpha
    check(difference, alpha, power)
    experiment = make_experiment(a, b, game_name=game, deals=pilot, **request)
    with progress("pilot", pilot) as hear:
        played = play_pilot(experiment, partial(in_order, threads=threads), hear=hear)
    planned = plan(played, difference, deals, alpha, power)
    if as_json:
        say_json(planned.as_dict())
        return
    match_up = experiment.match_up
    say("\n".join([*planned.answers(), *heading(game, match_up.rules.as_dict(), {"A": a, "B": b},
                                                {"A": match_up.a, "B": match_up.b}),
                   *planned.grounds(), *([f"test: {test}"] if (test := planned.test(a, b)) else []),
                   f"again: {planned.repeated(a, b)}"]))
