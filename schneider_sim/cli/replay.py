"""`schneider-sim replay`: single deals card by card, as text, as a page to print, or as JSON lines."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..base.limits import LAST_DEAL
from ..results.plain_page import plain_page
from . import options, output_folder
from .output import say, say_json
from .progress import aside

if TYPE_CHECKING:
    from ..analysis.replays import Replays

T = TypeVar("T")


@click.command()
@options.policies
@click.option("--deal", required=True, type=options.Whole(0, LAST_DEAL), metavar="K", help="Which deal.")
@click.option("--until", type=options.Whole(0, LAST_DEAL), metavar="K2",
              help="Replay all deals from K to K2, this one included.")
@click.option("--instead", metavar="C", type=options.Plain(),
              help="Show C in A's place beside A, and mark where the two plays part.")
@click.option("--first-leader", default="A", type=options.Plain("A", "B"), show_default=True,
              help="The policy that leads to the first trick; in Bauernschnapsen, that of the caller's side.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE",
              help="Also write a page to read and print, with the word of the policy that chose each card.")
@options.seed_option
@options.score_option
@options.common
def command(a: str, b: str, html: Path | None, as_json: bool, **request: Any) -> None:
    """Show deals card by card: hands, calls or stock, every trick, who takes it and why."""
    from ..analysis.replays import replays

    with aside():
        found = replays(a, b, **request)
    failed = _write(html, found)
    if found.other is None:
        _show(found, as_json)
    else:
        _show_pairs(found, as_json)
    output_folder.complain(failed)


def _write(html: Path | None, found: "Replays") -> str:
    """Write the page, if it is asked for; why it could not be written, or ""."""
    if html is None:
        return ""
    from ..report.replays_page import check, render

    output_folder.check(html.parent)
    check(found)
    with aside():
        page = output_folder.Files({html.name: render(found).encode()})
    return output_folder.write(html.parent, lambda: page)


def _show(found: "Replays", as_json: bool) -> None:
    from ..base.terminal import style_of_output
    from ..games import load_game

    traces = _asided(found.traces)
    if as_json:
        for trace in traces:
            say_json(trace)
        return
    style, page = style_of_output(), load_game(found.experiment.game).replay_page or plain_page
    for number, trace in enumerate(traces):
        if number:
            say()
        say("\n".join(page(trace, style)))


def _show_pairs(found: "Replays", as_json: bool) -> None:
    from ..analysis.deals_text import grounds
    from ..base.terminal import style_of_output

    style = style_of_output()
    for one in _asided(found.pairs):
        if as_json:
            say_json(found.pair_as_dict(one))
        else:
            say(found.side_by_side(one, style))
            say()
    if not as_json:
        say("\n".join([*grounds(found.as_deals), f"again: {found.again}"]))


def _asided(items: Iterator[T]) -> Iterator[T]:
    """Items one by one; what a user's plug-in prints while one is made goes to standard error."""
    while True:
        with aside():
            item = next(items, None)
        if item is None:
            return
        yield item
