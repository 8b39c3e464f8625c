"""`schneider-sim deals`: the deals that are worth seeing, side by side."""

from pathlib import Path
from typing import Any

import click

from ..base.limits import DEALS
from . import options, output_folder
from .output import say, say_json
from .progress import progress
from .signals import defer_signals


@click.command()
@options.policies
@click.option("--instead", metavar="C", type=options.Plain(), help="Compare A with C in its place.")
@click.option("--where", default="", metavar="EXPRESSION", type=options.Plain(),
              help="Only plays that match, such as 'points_a >= 2 and first_leader == \"B\"': the columns of "
                   "`simulate --records`, compared with numbers or text; and, or, not, ( ).")
@click.option("--sort", default="swing", type=options.Plain("swing", "parting", "schneider", "loss"),
              show_default=True, help="By points apart, by how early the plays part, by the winner's honours, "
                                      "or by what A loses in the last six tricks.")
@click.option("--deals", default=100_000, type=options.Whole(1, DEALS), metavar="N", show_default=True,
              help="How many deals to look through.")
@click.option("--limit", default=10, type=options.Whole(1, 10_000), metavar="N", show_default=True,
              help="How many to show.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Also write a page to read and print.")
@options.seed_option
@options.first_option
@options.threads_option
@options.common
def command(a: str, b: str, html: Path | None, as_json: bool, **request: Any) -> None:
    """Show the deals that are worth seeing: where A and B, or A and C, are furthest apart or part first."""
    from ..analysis.deals import deals
    from ..analysis.deals_text import report
    from ..base.terminal import style_of_output

    if html is not None:
        output_folder.check(html.parent)
    with progress("looking through", request["deals"]) as hear:
        found = deals(a, b, hear=hear, defer_signals=defer_signals, **request)
    failed = ""
    if html is not None:
        from ..report.deals_page import render

        page = output_folder.Files({html.name: render(found).encode()})
        failed = output_folder.write(html.parent, lambda: page)
    if as_json:
        say_json(found.as_dict())
    else:
        say(report(found, style_of_output()))
    output_folder.complain(failed)
