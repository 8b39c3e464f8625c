"""`schneider-sim position`: what each legal card of a position is worth."""

from typing import Any

import click

from ..base.limits import LAST_DEAL
from . import options
from .output import say, say_json
from .progress import aside
from .signals import defer_signals


@click.command()
@click.argument("policy", metavar="POLICY", type=options.Plain())
@click.option("--against", metavar="POLICY", type=options.Plain(), help="Who the other player is; by default the same.")
@click.option("--deal", type=options.Whole(0, LAST_DEAL), metavar="K",
              help="A deal that the two play, or which deal of a trace file.")
@click.option("--trick", type=options.Whole(1, 99), metavar="T", help="In which trick of the deal, from 1 on.")
@click.option("--call", type=options.Whole(1, 999), metavar="N",
              help="Instead of a trick: call N of all that are asked before the first lead, from 1 on "
                   "(Bauernschnapsen).")
@click.option("--seat", type=options.Whole(0, 3), metavar="S",
              help="The seat of POLICY; by default 0, the first leader. Bauernschnapsen: needed with --trick.")
@click.option("--trace", type=click.Path(), metavar="FILE",
              help="A file of traces, one JSON object a line, as `replay --json` prints.")
@click.option("--hand", type=options.Plain(), metavar="CARDS", help="The cards of the hand, such as 'TS 9H 7C …'.")
@click.option("--led", type=options.Plain(), metavar="CARD", help="The card that the other player has led.")
@click.option("--played", default="", type=options.Plain(), metavar="CARDS",
              help="The cards of the completed tricks in order, led and reply in turn.")
@click.option("--honours", type=options.Plain(), metavar="OWN:OTHER", help="Honours so far; checked, not needed.")
@click.option("--worlds", default=4096, type=options.Whole(2, 1 << 20), metavar="N", show_default=True,
              help="How many worlds to try at most.")
@options.seed_option
@options.threads_option
@options.common
def command(policy: str, as_json: bool, **request: Any) -> None:
    """Say what each legal card or call is worth to the player to move: in a deal, a trace, or with cards as typed."""
    from ..analysis.position import position

    with aside():
        found = position(policy, defer_signals=defer_signals, **request)
    if as_json:
        say_json(found.as_dict())
        return
    from ..analysis.position_text import report
    from ..base.terminal import style_of_output

    say(report(found, style_of_output()))
