"""`schneider-sim tune`: climb from a policy to a better one, a word at a time."""

import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.text import clean, shown
from ..errors import RequestError
from . import options, output_folder
from .figure_options import figure_options
from .output import say, say_json
from .progress import aside
from .signals import INTERRUPTED, defer_signals

if TYPE_CHECKING:
    from ..report.charts.paper import Paper

_PART = re.compile(r"(\d+(?:\.\d+)?)\s*(h|min|m|s)?", re.ASCII)
_SECONDS = {"h": 3600, "m": 60, "min": 60, "s": 1, "": 1}


class Duration(click.ParamType):
    """A time in seconds, also in the forms 90s, 10m, 1.5h and 1h30m."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = clean(str(value)).strip().casefold()
        parts = _PART.findall(text)
        total = sum(float(number) * _SECONDS[unit] for number, unit in parts)
        if not parts or _PART.sub("", text).strip() or not 0 < total <= 1e7:
            raise RequestError(f"{param.opts[-1] if param else 'time'} must be a time such as 90s, 10m or 1h30m, not "
                               f"'{shown(value)}'")
        return total


@click.command()
@click.argument("start", metavar="START", type=options.Plain())
@click.option("--against", type=options.Plain(), metavar="P1,P2",
              help="The opponents, commas between them.  [default: START]")
@click.option("--sections", type=options.Plain(), metavar="S1,S2",
              help="Change the lists of these sections only, such as lead,follow.")
@click.option("--time", "seconds", type=Duration(), metavar="TIME",
              help="Stop after this time, such as 90s, 10m, 1h30m.  [default: 10m without --rounds]")
@click.option("--rounds", type=options.Whole(0, 1 << 20), metavar="N",
              help="Stop after this many rounds in all: the same rounds give the same policy on every machine.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR",
              help="Keep the log there round by round, and go on with it; write the result and a figure there.")
@figure_options
@options.seed_option
@options.threads_option
@options.common
def command(start: str, against: str | None, sections: str | None, seconds: float | None, rounds: int | None,
            out: Path | None, as_json: bool, look: "Paper", **request: Any) -> int:
    """Climb from the policy START to better ones: try small changes of its lists on common deals, keep what gains.

    The final edge over START is measured on deals that were not used for choosing. Ctrl-C gives the best so far.
    """
    from ..analysis.tune import tune
    from ..analysis.tune_text import report, round_line
    from ..games import load_game

    if out is not None:
        output_folder.check(out)
    unit = load_game(request["game"]).unit

    def hear(one: Any) -> None:
        click.echo(round_line(one, unit), err=True)

    with aside():
        tuned = tune(start, _names(against), sections=_names(sections) or None, seconds=seconds, rounds=rounds,
                     out=out, hear=hear, defer_signals=defer_signals, **request)
    failed = output_folder.write(out, look=look, make=lambda: output_folder.of_tune(tuned))
    if as_json:
        say_json(tuned.as_dict())
    else:
        say(report(tuned))
    output_folder.complain(failed)
    if not tuned.interrupted:
        return 0
    kept = f"; to continue: {shlex.join(['schneider-sim', *sys.argv[1:]])}" if out is not None else ""
    click.echo(f"schneider-sim: interrupted after {len(tuned.rounds)} rounds{kept}", err=True)
    return INTERRUPTED


def _names(text: str | None) -> list[str]:
    return [part.strip() for part in (text or "").split(",") if part.strip()]
