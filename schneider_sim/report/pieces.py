"""The pieces of a report: figures, tables, answers, and what a game adds to those that every game has."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.estimate import Estimate
from ..games import Game, load_game

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from ..versus.field import Series
    from .findings import Findings
    from .study import Study


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


class Counted(NamedTuple):
    """What a policy of a match-up lost where its game counts that exactly, points in a play.

    where: in which part of a deal, such as "in the last six tricks"; cells: by trick and kind of decision.
    """

    where: str
    total: Estimate
    cells: tuple[tuple[int, str, Estimate], ...]


class GameReport:
    """What a game adds to the report that is the same for every game; each value here holds for any game."""

    title = ""  # the game's name for readers
    unit = "points"  # of a deal's points, in full
    short = "points"  # the same as a symbol
    session = "session"  # what a session is called, and more of them
    sessions = "sessions"
    leading = "Leading to the first trick"  # what a first leader does: "… is worth"
    leading_title = "Leading first"  # the same as a heading, and within one
    leading_short = "leading first"
    first = "first leader"  # who gains by it: "its … gains"
    advantage = "first leader's advantage"  # what is gained, as on an axis
    first_leader = "the player who leads to the first trick"  # who that is, as in "the first leader is …"
    rates: tuple[tuple[str, str, str], ...] = ()  # rare statistics, what they are called, and what they are a share of
    method = ""  # what a reader must know of the game's own tables

    def game_in_short(self, rules: Any) -> str:
        """The rules in force in a few sentences, which mention every switch that is not at its default."""
        return ""

    def glossary(self, rules: Any) -> "Mapping[str, str]":
        """The game's words and what they mean by these rules."""
        return {}

    def extra_plays(self, study: "Study") -> int:
        """How many plays `more` will play."""
        return 0

    def more(self, study: "Study", threads: int | None, hear: "Callable[[int], None]") -> Any:
        """What the game's report plays beside the match-ups, for `findings.more`; hear: plays that are done."""
        return None

    def counted_losses(self, series: "Series", side: str) -> Counted | None:
        """What a side of a match-up lost, where the game counts that exactly while it plays; None elsewhere."""
        return None

    def answers(self, findings: "Findings") -> "Iterable[Answer]":
        """What players of this game ask, in the order of the page."""
        return ()

    def figures(self, findings: "Findings") -> "Iterable[Drawing]":
        """The figures that only this game has, in the order of the page."""
        return ()

    def tables(self, findings: "Findings") -> "Iterable[Table]":
        """The tables that only this game has."""
        return ()


class _PlainReport(GameReport):
    """The report of a game that adds nothing."""

    def __init__(self, game: Game) -> None:
        self.title, self.unit, self.short = game.name, game.unit, game.unit


def game_report(name: str) -> GameReport:
    """The report of the game called `name`."""
    game = load_game(name)
    return game.report or _PlainReport(game)
