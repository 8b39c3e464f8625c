"""What a game is: two policies that meet in it, and one typed class with everything that the rest of the house uses.

A game is a class derived from `Game`. What is abstract it must give; the rest has a default that holds for any game.
docs/architecture.md, "How to add a game", goes through it step by step.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any, Protocol

from ..base.cards import Pack
from ..base.estimate import Named
from ..base.tally import Counts, Layout, Tally
from ..errors import RequestError
from ..policy.grammar import Grammar, Policy
from .steps import Line, Step

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from ..stats.paired import Pairs

Page = Callable[[Mapping[str, Any], Any], Iterable[str]]
"""A function of a trace and a terminal style (base/terminal.py) that gives the lines of a page to read."""


class Rules(Protocol):
    """A game's rules: a frozen value whose `as_dict` gives every switch in JSON form."""

    def as_dict(self) -> dict[str, Any]: ...


class Switch(Protocol):
    """A rule that may be set."""

    @property
    def form(self) -> str:
        """The form its text takes, the default first."""

    @property
    def meaning(self) -> str:
        """What it decides, for players."""


@dataclass(frozen=True)
class MatchUp:
    """Two policies under rules on numbered deals: all that a tally depends on besides the deal range.

    design: "duplicate" (each deal twice, policies changing seats) or "independent" (even deals A first, odd B);
    detail: "sample" (about one deal in sixteen) or "all"; score: game points A:B before the deal, in games whose
    policies may look at them; informed: whether a searching A knows B's words, plays B on by them and takes B's plays
    as evidence of them; else it takes B for another of its kind.
    """

    rules: Any
    a: Policy
    b: Policy
    seed: int = 1
    design: str = "duplicate"
    detail: str = "sample"
    score: tuple[int, int] = (0, 0)
    plugins: tuple[Any, ...] = ()
    informed: bool = False

    @property
    def score_by_policy(self) -> dict[str, int]:
        """The score before each deal, as JSON has it."""
        return dict(zip("AB", self.score, strict=True))


class Walk(Protocol):
    """Sessions played one after another from the results of deals in order."""

    @property
    def done(self) -> int:
        """Finished sessions."""

    @property
    def complete(self) -> bool:
        """Whether all that were asked for are finished."""

    @property
    def lengths(self) -> tuple[int, int, int, int]:
        """The fields of versus.sessions.Lengths."""

    def take(self, results: Any) -> int:
        """Play on through the results of the next deals; how many of them were used."""

    def estimates(self) -> list[Named]:
        """The statistics of the sessions."""


class Sessions(Protocol):
    """How a game's deals make up sessions (matches): a module that offers these names."""

    @property
    def UNIT(self) -> str:
        """What one is called: "session" or "match"."""

    @property
    def UNITS(self) -> str:
        """The plural of UNIT."""

    def Walk(self, match_up: MatchUp, count: int) -> Walk:
        """A walk through `count` sessions."""

    def results(self, match_up: MatchUp, start: int, stop: int) -> Any:
        """What a Walk needs of deals start..stop-1, first axis deals; releases the GIL."""

    def exact(self, tally: Tally, match_up: MatchUp) -> list[Named]:
        """The statistics of `Walk.estimates` from a tally of duplicates; [] where the law of a deal is not enough."""

    def exact_length(self, tally: Tally, match_up: MatchUp) -> Any:
        """The mean number of counted deals of a session as a stats Estimate, or None."""


class Records(Protocol):
    """One row for every play: a module that offers these names."""

    @property
    def COLUMNS(self) -> Mapping[str, Any]:
        """Name -> NumPy dtype, or the texts that the column's numbers stand for."""

    def records(self, match_up: MatchUp, start: int, stop: int) -> tuple[Counts, dict[str, Any]]:
        """The tally of deals start..stop-1, and name -> int64[plays]: the plays in order, A first before B first."""


class Steps(Protocol):
    """A play step by step, as games.steps describes it: a module that offers these names."""

    def steps(self, trace: Mapping[str, Any]) -> Iterable[Step]:
        """The decisions of a trace in the order in which they were made."""

    def codes(self, match_up: MatchUp, start: int, stop: int, first_leader: str) -> Counts:
        """int64[deals, n]: the decisions of many deals as numbers, equal where these are."""

    def trick_of(self, column: int) -> int:
        """The trick to which a column of `codes` belongs, 0 before the first lead."""

    def lines(self, trace: Mapping[str, Any], names: Mapping[str, str]) -> Iterable[Line]:
        """A line for each trick, and before and after them."""


class Losses(Protocol):
    """What each policy lost where perfect play is known: a module that offers these names."""

    @property
    def WHERE(self) -> str:
        """In which part of a deal, such as "in the last six tricks"."""

    def known(self, rules: Any) -> bool:
        """Whether losses are known under these rules."""

    def losses(self, match_up: MatchUp, start: int, stop: int, first_leader: str) -> Counts:
        """Victory points that A and B lost there in deals start..stop-1: int64[deals, 2]."""


class Game(ABC):
    """A game as everything outside its folder sees it."""

    name: str  # as --game takes it
    version: int  # raised whenever play changes; part of a run's key
    unit: str  # what a play is worth is counted in, such as VP
    score_limit: int = 0  # policies may see a score of the match up to this; 0: there is none
    pack: Pack
    layout: Layout
    variants: Mapping[str, Mapping[str, str]]
    switches: Mapping[str, Switch]

    @property
    @abstractmethod
    def grammar(self) -> Grammar:
        """The sections, words, options and presets of a policy's text."""

    @abstractmethod
    def rules(self, variant: str | None = None, overrides: Mapping[str, Any] | None = None) -> Any:
        """The Rules of a named variant with single switches overridden; RequestError for what is rejected."""

    @abstractmethod
    def play(self, match_up: MatchUp, start: int, stop: int) -> Counts:
        """The tally vector of deals start..stop-1, int64[layout.size]; releases the GIL."""

    @abstractmethod
    def traces(self, match_up: MatchUp, start: int, stop: int, first_leader: str) -> Iterator[dict[str, Any]]:
        """The traces of deals start..stop-1, in the form of `replay --json`, from the code path that counts them."""

    @abstractmethod
    def judge(self, trace: Mapping[str, Any]) -> None:
        """Replay a trace by the plain rules; raises RequestError naming the first thing that is wrong."""

    @abstractmethod
    def joint(self, tally: Tally, match_up: MatchUp) -> Counts | None:
        """The two plays of every deal counted together, as `simulate --json` has it; None for independent deals."""

    @abstractmethod
    def by_first_leader(self, tally: Tally) -> dict[str, Counts]:
        """How often each result came out with A, and with B, as first leader."""

    @abstractmethod
    def estimates(self, tally: Tally, match_up: MatchUp) -> list[Named]:
        """The published statistics of a run, each with its interval."""

    @abstractmethod
    def victory_pairs(self, tally: Tally, match_up: MatchUp) -> "Pairs":
        """Duplicates as stats.paired.Pairs of V (A's victory points minus B's), pairs never seen included."""

    @abstractmethod
    def victory_counts(self, tally: Tally, match_up: MatchUp) -> "tuple[npt.NDArray[np.float64], Counts, Counts]":
        """Independent deals: possible V float64[k], how often each was seen with A first, with B first, int64[k]."""

    def points_by_deal(self, match_up: MatchUp, start: int, stop: int) -> Counts:
        """V in both plays of each deal start..stop-1, with A, with B as first leader: int64[deals, 2]."""
        import numpy as np

        rows = []
        for deal in range(start, stop):
            pairs = self.victory_pairs(Tally(self.layout, self.play(match_up, deal, deal + 1)), match_up)
            place = int(np.flatnonzero(pairs.counts)[0])
            rows.append((pairs.first[place], pairs.second[place]))
        return np.array(rows).reshape(-1, 2).astype(np.int64)

    def trace(self, match_up: MatchUp, deal: int, first_leader: str = "A") -> dict[str, Any]:
        """The trace of one play."""
        return next(self.traces(match_up, deal, deal + 1, first_leader))

    def meanings(self, match_up: MatchUp) -> dict[str, str]:
        """Statistic -> what it means under the rules of the match-up, in a line for players."""
        return {}

    def remarks(self, match_up: MatchUp, a: str = "A", b: str = "B") -> tuple[str, ...]:
        """What a reader must know of the match-up beside its numbers, a sentence each; a, b: what to call the two."""
        return ()

    def work(self, match_up: MatchUp) -> int:
        """How long a deal takes, in multiples of the quickest kind of deal: a power of two from 1 to 2**19.

        It sets how many deals are played between two looks, and nothing else.
        """
        return 1 << 9 if any(item.over == "cards" for item in match_up.plugins) else 1

    def honours(self, by_first_leader: Mapping[str, Counts]) -> "pd.DataFrame":
        """How often each number of honours came out, as results.frames makes it; RequestError in other games."""
        raise RequestError(f"{self.name} counts no honours: by_first_leader says how often each result came out")

    @property
    def page(self) -> Page | None:
        """A trace as a page to read; None: every entry of the trace by name."""
        return None

    @property
    def sessions(self) -> Sessions | None:
        """How deals make up sessions (matches); None where a game has none."""
        return None

    @property
    def records(self) -> Records | None:
        """One row for every play; None where a game offers none."""
        return None

    @property
    def steps(self) -> Steps | None:
        """A play step by step; None where a game does not offer it."""
        return None

    @property
    def losses(self) -> Losses | None:
        """What each policy lost where perfect play is known; None where it is not."""
        return None

    @property
    def report(self) -> Any:
        """What only this game has in a report (report.pieces.GameReport); None: what holds for every game alone."""
        return None

    @property
    def study(self) -> str | None:
        """The text of the built-in study: the file `study.toml` in the game's folder, None where there is none."""
        file = resources.files(type(self).__module__.rpartition(".")[0] or type(self).__module__).joinpath("study.toml")
        return file.read_text(encoding="utf-8") if file.is_file() else None
