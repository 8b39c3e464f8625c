"""`schneider-sim analyse`: what policies or players lose with their cards, and where."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.limits import DEALS, LAST_DEAL
from ..errors import RequestError
from . import options, output_folder
from .figure_options import figure_options
from .output import say, say_json
from .progress import progress
from .signals import defer_signals

if TYPE_CHECKING:
    from ..report.charts.paper import Paper


@click.command()
@click.argument("a", metavar="[A]", required=False, type=options.Plain())
@click.argument("b", metavar="[B]", required=False, type=options.Plain())
@click.option("--traces", metavar="FILE", type=click.Path(),
              help="Analyse these plays, as `replay --json` prints them (-: standard input), by whomever they were "
                   "played; A and B then play the rest of each deal, by default the best preset in words alone.")
@click.option("--deals", type=options.Whole(1, DEALS), metavar="N",
              help="How many deals to play and analyse, each twice.  [default: 1000]")
@click.option("--first", type=options.Whole(0, LAST_DEAL), metavar="K",
              help="The number of the first deal.  [default: 0]")
@click.option("--worlds", default=256, type=options.Whole(1, 1 << 16), metavar="N", show_default=True,
              help="So many imagined deals choose the best card, and as many others measure the loss.")
@click.option("--limit", default=10, type=options.Whole(1, 10_000), metavar="N", show_default=True,
              help="How many of the worst decisions to show.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR",
              help="Also write tables, a figure, and a page of annotated deals to read and print.")
@figure_options
@options.seed_option
@options.threads_option
@options.common
def command(a: str | None, b: str | None, traces: str | None, deals: int | None, first: int | None, out: Path | None,
            as_json: bool, look: "Paper", **request: Any) -> None:
    """Show what A and B lose with their cards and calls: how much, where most, and the worst of all."""
    from ..analysis.errors_of_play import analyse
    from ..analysis.errors_text import report
    from ..base.terminal import style_of_output
    from .trace_lines import read_traces

    if traces is None and b is None:
        raise RequestError("give two policies, A and B, or plays with --traces FILE")
    if traces is not None and (deals is not None or first is not None):
        raise RequestError("--traces says which deals: leave out --deals and --first")
    if out is not None:
        output_folder.check(out, "analyse")
    some = None if traces is None else read_traces(traces)
    deals = (deals or 1000) if some is None else len(some)
    with progress("analysing", deals, "deals" if some is None else "plays") as hear:
        found = analyse(a, b, traces=some, deals=deals, first=first or 0,
                        given=traces or "", hear=hear, defer_signals=defer_signals, **request)
    failed = output_folder.write(out, look=look, make=lambda: output_folder.of_analysis(found))
    if as_json:
        say_json(found.as_dict())
    else:
        say(report(found, style_of_output()))
    output_folder.complain(failed)
