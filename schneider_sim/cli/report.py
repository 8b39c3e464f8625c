"""`schneider-sim report`: play a study, or the built-in one, and write its page, figures and tables."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import RunError
from . import options
from .engine_options import engine_options
from .figure_options import Look, look_options
from .output import say
from .progress import Hear, progress

if TYPE_CHECKING:
    from ..report.build import Progress
    from ..store.reuse import StoreRunner


@click.command()
@click.argument("study", required=False, metavar="[STUDY.toml]", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR",
              help="The folder to write.  [default: report, for a study file reports/NAME]")
@look_options
@click.option("--level", type=float, metavar="L",
              help="Confidence level of all intervals, such as 0.99.  [default: that of the study, or 0.95]")
@options.records_options
@options.game_option
@engine_options
def command(study: Path | None, out: Path | None, game: str, play: "StoreRunner", records: Path | None,
            cards: bool, level: float | None, look: Look) -> None:
    """Play the study in STUDY.toml, or the built-in one of the game, and write a report to a folder.

    The folder holds index.html, figures, tables, and study.toml and result.json, which make it again. A report that
    is there already is replaced when the new one is complete; a folder with anything else in it is left alone.
    """
    from ..report.build import build
    from ..report.folder import default_folder
    from ..report.study import builtin_study, changed_study, read_study
    from ..store.recorder import recording

    written = read_study(study) if study else builtin_study(game)
    chosen = changed_study(written, level, look(base=written.figures))
    place = (out or default_folder(study)).resolve()
    inside = place.exists() and place in (here := Path.cwd(), *here.parents)
    called = {str(chosen.grammar.parse(text)): name for name, text in chosen.policies.items()}
    with recording(play, records, called, cards) as play, _telling(play) as hears:
        built = build(chosen, out or default_folder(study), play=play, progress=hears)
    if built.unchanged is not None:
        same = "every tally is the same as" if built.unchanged else "tallies differ from those"
        print(f"schneider-sim: {same} in the report that was here", file=sys.stderr)
    if inside:
        print("schneider-sim: the folder that you are in was replaced: `cd .` leads to the new one", file=sys.stderr)
    if built.undrawn:
        print(f"schneider-sim: {built.undrawn}", file=sys.stderr)
    say(str(built.page))
    if built.failed:
        raise RunError(built.failed)


@contextlib.contextmanager
def _telling(play: "StoreRunner") -> "Iterator[Progress]":
    """What hears the plays, then the figures, and shows a bar for each."""
    with contextlib.ExitStack() as bars:
        tell: dict[str, Hear] = {}

        def hears(what: str, done: int, total: int) -> None:
            if what not in tell:
                bars.pop_all().close()
                reused = (lambda: play.reused_plays) if what == "plays" else (lambda: 0)
                tell[what] = bars.enter_context(progress(what, total, unit=what, start=reused))
            tell[what](done)

        yield hears
