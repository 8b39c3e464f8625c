"""`schneider-sim compare`: decide which of two policies is better, with no more deals than needed."""

import contextlib
import os
import shutil
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.limits import DEALS
from ..errors import RequestError
from . import options, output_folder
from .engine_options import engine_options
from .figure_options import figure_options
from .output import say, say_json
from .progress import aside

if TYPE_CHECKING:
    from ..report.charts.paper import Paper
    from ..versus.compare import Hear, Look, Question
    from ..versus.duplicates import Duplicates


@click.command()
@options.policies
@click.option("--sprt", nargs=2, type=float, metavar="H0 H1",
              help="Test an edge of H0 against one of H1, in VP (game points) per deal, such as 0 0.02.")
@click.option("--alpha", default=0.05, type=float, show_default=True, help="Probability of taking H1 where H0 is true.")
@click.option("--beta", default=0.05, type=float, show_default=True, help="Probability of taking H0 where H1 is true.")
@click.option("--precision", type=float, metavar="W",
              help="Play until the edge is known within W VP (game points) either way.  [default: 0.01]")
@click.option("--max-deals", default=10**9, type=options.Whole(1, DEALS), metavar="N",
              show_default=True, help="Give up after this many deals, such as 10M.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Write the looks and a figure there.")
@figure_options
@options.level_option
@options.seed_option
@options.first_option
@engine_options
@options.common
def command(a: str, b: str, sprt: tuple[float, float] | None, alpha: float, beta: float, precision: float | None,
            max_deals: int, out: Path | None, as_json: bool, game: str, play: Any, level: float,
            look: "Paper", **request: Any) -> int:
    """Play duplicates of A and B until it is decided which is better, or by how much.

    Exit status: 0 H1 accepted or the precision reached, 3 H0 accepted, 4 undecided after --max-deals.
    """
    from ..runs.experiment import make_experiment
    from ..versus.compare import compare
    from ..versus.verdict_text import block

    question = _question(sprt, alpha, beta, precision, level)
    if out is not None:
        output_folder.check(out, "compare")
    limit = min(max_deals, DEALS - request["first"])
    experiment = make_experiment(a, b, game_name=game, deals=limit, **request)
    with aside(), telling(Teller(question, limit, play)) as hear:
        verdict = compare(experiment, question, play, hear, level)
    failed = output_folder.write(out, look=look, make=lambda: output_folder.of_verdict(verdict))
    if as_json:
        say_json(verdict.as_dict())
    else:
        say(block(verdict, a, b))
    output_folder.complain(failed)
    return verdict.status


def _question(sprt: tuple[float, float] | None, alpha: float, beta: float, precision: float | None,
              level: float) -> "Question":
    from ..versus.compare import Precision, Sprt

    if sprt is None and (alpha, beta) != (0.05, 0.05):
        raise RequestError("--alpha and --beta are errors of a test: give --sprt H0 H1 with them")
    if sprt is None:
        return Precision(level=level) if precision is None else Precision(precision, level)
    if precision is not None:
        raise RequestError("--sprt and --precision are two questions: ask one of them")
    return Sprt(*sprt, alpha, beta)


@contextlib.contextmanager
def telling(teller: "Teller") -> Iterator["Hear"]:
    """What hears the looks; the line that it wrote is wiped out in the end, however that comes."""
    try:
        yield teller.hear
    finally:
        teller.wipe()


class Teller:
    """Says how a run stands: on a terminal one line that is written over, elsewhere a line at every doubling."""

    def __init__(self, question: "Question", limit: int, play: Any) -> None:
        self._question, self._limit, self._play = question, limit, play
        self._terminal = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._seen: deque[tuple[float, int]] = deque(maxlen=20)  # the rate is that of the last while
        self._said = time.monotonic()
        self._pairs = 0
        self._dirty = False

    def hear(self, look: "Look", reader: "Duplicates") -> None:
        from ..versus.verdict_text import progress_line

        now = time.monotonic()
        doubled = look.pairs >= 2 * self._pairs and not self._terminal
        if sys.stderr is None or not (doubled or now - self._said >= (0.25 if self._terminal else 10.0)):
            return
        self._said, self._pairs = now, look.pairs
        played = look.pairs - self._play.reused  # what came from the store says nothing about the time left
        self._seen.append((now, played))
        begun, before = self._seen[0]
        rate = (played - before) / (now - begun) if now > begun and played > before else None
        line = progress_line(look, reader, self._question, self._limit, rate)
        if self._terminal:
            line = line[:shutil.get_terminal_size().columns - 1]  # a line that wraps cannot be written over
        sys.stderr.write(f"\r{line}\x1b[K" if self._terminal else f"{line}\n")
        sys.stderr.flush()
        self._dirty = self._terminal

    def wipe(self) -> None:
        if self._dirty:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
