"""What a game adds to the report that is the same for every game: one module per game, registered in one line."""

import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..errors import RequestError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from .findings import Findings
    from .study import Study

MODULES = {
    "bohemian": "schneider_sim.games.bohemian.report",
    "bauernschnapsen": "schneider_sim.games.bauernschnapsen.report.sections",
}


class Drawing(NamedTuple):
    """A figure of the page: file name, heading, what to see in it, what it rests on, and how it is drawn.

    text: one or two sentences for a player; basis: n, interval, rules and seed.
    """

    name: str
    title: str
    text: str
    basis: str
    draw: "Callable[[], Figure]"


class Table(NamedTuple):
    """A table in the report's folder: file name, heading, what its rows are, the frame, significant digits as CSV."""

    name: str
    title: str
    text: str
    frame: "pd.DataFrame"
    digits: int = 7


class Answer(NamedTuple):
    """A question of players and its answer: sentences, a table ready to be read, what both rest on.

    name: of the answer's place on the page, `about-NAME`; figure: the name of the Drawing that goes with it, if any.
    """

    name: str
    question: str
    sentences: tuple[str, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    basis: str
    figure: str = ""


class GameReport(Protocol):
    """A game's module `report`, under the name REPORT."""

    title: str  # the game's name for readers
    unit: str  # of a deal's points, in full
    short: str  # the same as a symbol
    session: str  # what a session is called, and more of them
    sessions: str
    leading: str  # what a first leader does: "… is worth"
    leading_title: str  # the same as a heading, and within one
    leading_short: str
    first: str  # who gains by it: "its … gains"
    advantage: str  # what is gained, as on an axis
    first_leader: str  # who that is, as in "the first leader is …"
    rates: tuple[tuple[str, str, str], ...]  # rare statistics, what they are called, and what they are a share of
    method: str  # what a reader must know of the game's own tables

    def game_in_short(self, rules: Any) -> str:
        """The rules in force in a few sentences, which name every switch that is not the standard's."""

    def glossary(self, rules: Any) -> "Mapping[str, str]":
        """The game's words and what they mean by these rules."""

    def extra_plays(self, study: "Study") -> int:
        """How many plays `more` will play."""

    def more(self, study: "Study", threads: int | None, hear: "Callable[[int], None]") -> Any:
        """What the game's report plays beside the match-ups, for `findings.more`; hear: plays that are done."""

    def answers(self, findings: "Findings") -> "Iterable[Answer]":
        """What players of this game ask, in the order of the page."""

    def figures(self, findings: "Findings") -> "Iterable[Drawing]":
        """The figures that only this game has, in the order of the page."""

    def tables(self, findings: "Findings") -> "Iterable[Table]":
        """The tables that only this game has."""


def game_report(name: str) -> GameReport:
    """The report of the game called `name`; raises RequestError where it has none."""
    if name not in MODULES:
        raise RequestError(f"{name} has no report (games with one: {', '.join(MODULES)})")
    found: GameReport = importlib.import_module(MODULES[name]).REPORT
    return found
