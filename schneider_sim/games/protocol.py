"""What a game is: two policies that meet in it, and one typed class with everything that the rest of the house uses.

A game is a class derived from `Game`. What is abstract it must give; the rest has a default that holds for any game.
docs/architecture.md, "How to add a game", goes through it step by step.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..base.cards import Pack
from ..base.estimate import Named
from ..base.tally import Counts, Layout, Tally
from ..base.terminal import Style
from ..errors import RequestError
from ..policy.grammar import Grammar, Policy
from .account import Trick
from .reasons import Reason
from .steps import Line, Step

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    from ..stats.paired import Pairs

ReplayPage = Callable[[Mapping[str, Any], Any], Iterable[str]]
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

    def estimates(self, level: float = 0.95) -> list[Named]:
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

    def exact(self, tally: Tally, match_up: MatchUp, level: float = 0.95) -> list[Named]:
        """The statistics of `Walk.estimates` from a tally of duplicates; [] where the law of a deal is not enough."""

    def exact_length(self, tally: Tally, match_up: MatchUp, level: float = 0.95) -> Any:
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


class Accounts(Protocol):
    """A play told trick by trick, as games.account describes it: a module that offers these names.

    style: of cards in texts (base/terminal.py); names: what to call A and B, such as C for a policy in A's place.
    """

    def title(self, trace: Mapping[str, Any]) -> str:
        """Which deal it is, who is first leader, and which rules are not the default."""

    def holdings(self, trace: Mapping[str, Any], names: Mapping[str, str]) -> Iterable[tuple[str, Sequence[str]]]:
        """The cards before the first lead by who holds them; an empty name goes on with the row before."""

    def opening(self, trace: Mapping[str, Any], style: Any, names: Mapping[str, str]) -> Iterable[str]:
        """What came before the first lead, in sentences."""

    def tricks(self, trace: Mapping[str, Any], style: Any, names: Mapping[str, str]) -> Iterable[Trick]:
        """The tricks in order."""

    def result(self, trace: Mapping[str, Any], names: Mapping[str, str]) -> str:
        """Who wins what, in a sentence."""


class Reasons(Protocol):
    """Which word of a policy chose each card: a module that offers this name."""

    def reasons(self, match_up: MatchUp, trace: Mapping[str, Any]) -> "list[Reason] | None":
        """What chose each card of a trace, in the order of play; None where the policies did not play it."""


class Losses(Protocol):
    """What each policy lost where perfect play is known: a module that offers these names."""

    @property
    def WHERE(self) -> str:
        """In which part of a deal, such as "in the last six tricks"."""

    def known(self, rules: Any) -> bool:
        """Whether losses are known under these rules."""

    def losses(self, match_up: MatchUp, start: int, stop: int, first_leader: str) -> Counts:
        """Victory points that A and B lost there in deals start..stop-1: int64[deals, 2]."""


class Decisions(Protocol):
    """What every single decision lost, as games.decisions.TABLE has it: a module that offers these names."""

    @property
    def KINDS(self) -> tuple[str, ...]:
        """The kinds of decisions, such as "lead"."""

    @property
    def VERBS(self) -> Mapping[str, str]:
        """Kind -> what a player then does, or may do: "leads"."""

    @property
    def THINGS(self) -> Mapping[str, tuple[str, str, str, str]]:
        """Kind -> what is done with what, how another one of it is there beside, and what is said of any of them:
        ("leads", "card", "held", "leads a card")."""

    @property
    def MARKS(self) -> tuple[float, float]:
        """Points lost from which a decision is marked as dubious, and as wrong."""

    @property
    def HOW(self) -> str:
        """How the rest of a deal is played, as the end of a sentence."""

    @property
    def NOUNS(self) -> tuple[str, ...]:
        """The words that name a card by themselves; others describe one."""

    @property
    def CONTRARY(self) -> tuple[str, ...]:
        """The words whose contrary, `not-word`, says something of its own."""

    def words(self, kind: str) -> tuple[str, ...]:
        """The words that a card of this kind may have, in the order of the bits of a word set."""

    def decisions(self, match_up: MatchUp, start: int, stop: int, worlds: int) -> "npt.NDArray[Any]":
        """All decisions in both plays of deals start..stop-1; releases the GIL.

        So many worlds choose the best card and as many others measure what the one played loses.
        """

    def of_traces(self, match_up: MatchUp, traces: Sequence[Mapping[str, Any]], worlds: int) -> "npt.NDArray[Any]":
        """All decisions of traces that the referee found right; the match-up's policies play the rest of each deal.

        `unit` is the place of a trace among them, from 0.
        """

    def name(self, kind: int, choice: int) -> str:
        """What a choice in the table is called, such as a card's name."""

    def place(self, row: Any) -> dict[str, int]:
        """Where a decision is to be found, beside deal, first leader, trick and kind, as JSON has it."""

    def choices(self, rules: Any, trace: Mapping[str, Any], row: Any) -> list[str]:
        """The cards that could be played in the decision of a row, in pack order."""

    def fresh(self, match_up: MatchUp, trace: Mapping[str, Any], row: Any, before: int, worlds: int,
              ) -> tuple[float, float]:
        """What the card of a row loses against the better one, and its standard error, on worlds not used before."""


class Outcomes(NamedTuple):
    """What became of moves on common worlds, by move and world: int64[moves, worlds].

    points: own side's minus the other's; honours: own, where the game counts them; groups: int64[worlds], equal for
    worlds that are not independent of each other, None where all are.
    """

    points: "npt.NDArray[np.int64]"
    honours: "npt.NDArray[np.int64] | None"
    groups: "npt.NDArray[np.int64] | None"


class Appraiser(Protocol):
    """Tries the moves of one position on worlds, as the player to move may imagine them; one for each thread."""

    def play(self, moves: Sequence[str], block: int) -> Outcomes:
        """What becomes of `moves` on worlds BLOCK * block … BLOCK * block + BLOCK - 1, the same at every call."""

    def exact(self) -> Outcomes | None:
        """What all legal moves are worth where that is known, as one world; None elsewhere."""

    def choice(self) -> str:
        """The move that the player's policy makes."""


class Positions(Protocol):
    """What the moves of a position are worth: a module that offers these names. A position is the game's own."""

    @property
    def BLOCK(self) -> int:
        """Worlds in a block."""

    @property
    def REST(self) -> str:
        """How the rest of a deal is played, as a sentence."""

    def typed(self, rules: Any, hand: Sequence[str], led: str | None, played: Sequence[str],
              won: tuple[int, int] | None) -> Any:
        """A position from cards as people write them; RequestError for one that cannot be, with the reason."""

    def first_leader(self, deal: int, seat: int | None) -> str:
        """Who is first leader, "A" or "B", when A has a seat in a deal; RequestError where there is no such seat."""

    def in_trace(self, rules: Any, trace: Mapping[str, Any], trick: int, seat: int | None) -> Any:
        """The position in which a seat of a trace plays to a trick (from 1); RequestError where there is none."""

    def at_call(self, rules: Any, trace: Mapping[str, Any], call: int, side: str | None) -> Any:
        """The position at a call (from 1) before the first lead; RequestError where there is none.

        side: None for the seat that is asked, whichever; "A" or "B": None is the answer where the other side is asked.
        """

    def kind(self, position: Any) -> str:
        """What a move is: "card" or "call"."""

    def moves(self, rules: Any, position: Any) -> Sequence[str]:
        """The legal moves, at least one."""

    def values(self, match_up: MatchUp, position: Any) -> Sequence[int]:
        """Numbers of points that a deal may be worth to one side from here, the least and the greatest among them."""

    def as_dict(self, rules: Any, position: Any) -> dict[str, Any]:
        """The position as `position --json` has it."""

    def advice(self, position: Any, move: str, style: Style) -> str:
        """A move as advice that begins a sentence, such as "Lead A♠"."""

    def named(self, position: Any, move: str, style: Style) -> str:
        """A move within a sentence or a table."""

    def described(self, rules: Any, position: Any, style: Style) -> str:
        """The position as a sentence."""

    def evidence(self, position: Any, inference: int) -> str:
        """How worlds are weighted, as a part of a sentence; empty where all that fit count alike."""

    def Appraiser(self, match_up: MatchUp, position: Any, deal: int, seed: int, inference: int) -> Appraiser:
        """An appraiser: A of the match-up is to move, B is the other; `inference` of B's last plays are evidence."""

    def again(self, rules: Any, position: Any) -> Sequence[str]:
        """The position as options of the command."""


class Responses(Protocol):
    """Best responses to a known policy: a module that offers these names."""

    @property
    def WHERE(self) -> str:
        """In which part of a deal, such as "from trick 11 on"."""

    def check(self, policy: Policy) -> None:
        """RequestError where the best response to this policy cannot be worked out, with the reason."""

    def responses(self, match_up: MatchUp, start: int, stop: int) -> "npt.NDArray[np.float64]":
        """V of deals start..stop-1, with A and with B first, when A goes over to its best response to B there.

        float64[deals, 2]: the expectation over B's ties and noise from there on.
        """


class part:
    """An optional part of a game: a module of its package, or a name in it, imported when first asked for."""

    def __init__(self, module: str, name: str = "") -> None:
        self._module, self._name = module, name

    def __get__(self, game: object, kind: type) -> Any:
        module = import_module(self._module, kind.__module__.rpartition(".")[0])
        return getattr(module, self._name) if self._name else module


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

    def __reduce__(self) -> Any:
        """Pickled by name: a game is code, not data."""
        from . import load_game

        return load_game, (self.name,)

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
    def estimates(self, tally: Tally, match_up: MatchUp, level: float = 0.95) -> list[Named]:
        """The published statistics of a run, each with its interval at the confidence level `level`."""

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

    def plays_alike(self, one: MatchUp, other: MatchUp) -> bool:
        """Whether two match-ups play every card of every deal alike, so that the tally of one is that of the other."""
        return one == other

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

    def honours(self, by_first_leader: Mapping[str, Counts], level: float = 0.95) -> "pd.DataFrame":
        """How often each number of honours came out, as results.frames makes it; RequestError in other games."""
        raise RequestError(f"{self.name} counts no honours: by_first_leader says how often each result came out")

    # What a game may offer beside, as `part` of one of its modules; None: it does not.
    replay_page: ReplayPage | None = None  # a trace as a page to read; None: every entry of the trace by name
    accounts: Accounts | None = None  # a play told trick by trick
    reasons: Reasons | None = None  # which word chose each card
    sessions: Sessions | None = None  # how deals make up sessions (matches)
    records: Records | None = None  # one row for every play
    steps: Steps | None = None  # a play step by step
    losses: Losses | None = None  # what each policy lost where perfect play is known
    positions: Positions | None = None  # what the moves of a position are worth
    responses: Responses | None = None  # best responses to a known policy
    decisions: Decisions | None = None  # what every single decision lost
    report: Any = None  # what only this game has in a report (report.pieces.GameReport)

    @property
    def card_columns(self) -> Mapping[str, type]:
        """Name -> int (a mask of cards) or str, of what `cards` gives; none where a game does not offer it."""
        return {}

    def cards(self, trace: Mapping[str, Any]) -> dict[str, Any]:
        """The cards of a trace as columns of records: hands as masks, the stock from the top, the first lead."""
        return {}

    @property
    def study(self) -> str | None:
        """The text of the built-in study: the file `study.toml` in the game's folder, None where there is none."""
        file = resources.files(type(self).__module__.rpartition(".")[0] or type(self).__module__).joinpath("study.toml")
        return file.read_text(encoding="utf-8") if file.is_file() else None
