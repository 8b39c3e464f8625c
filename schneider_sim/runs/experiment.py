"""What to run: two policies under rules on a range of numbered deals, as one frozen value."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..base.limits import DEALS, checked_deal, checked_deals, checked_seed
from ..base.tally import Counts
from ..base.text import parse_int, shown, unknown
from ..errors import RequestError
from ..games import Game, MatchUp, load_game
from ..games.belongs import scored_game
from ..policy.grammar import read_word
from ..policy.plugin_functions import file_name
from ..policy.plugins import Preference, as_sources, load_all

RANGE = 1 << 19  # deals in the first ranges of work: keeping one costs less than 2 % of playing it
LONGEST = 16  # times as many in the last ranges of a long run
DESIGNS = ("duplicate", "independent")

Files = str | Path | Preference | Iterable[str | Path | Preference]


@dataclass(frozen=True)
class Experiment:
    """A match of a game on deals first … first + deals - 1; its tally depends on nothing else.

    cut: deals in the shortest ranges of work, a power of two; it changes what is seen on the way, not the tally.
    load: the users' files that were named, whether a policy uses their words or not; for repeating the command.
    """

    game: str
    match_up: MatchUp
    first: int
    deals: int
    cut: int = RANGE
    load: tuple[str, ...] = field(default=(), compare=False)

    @property
    def plays(self) -> int:
        return self.deals * (2 if self.match_up.design == "duplicate" else 1)

    @property
    def match(self) -> MatchUp:
        """The name that `match_up` had in version 0.1."""
        return self.match_up

    def ranges(self, size: int | None = None) -> Iterator[tuple[int, int]]:
        """The deals cut into ranges (start, stop), stop excluded, at the multiples of `size`.

        Without a size, ranges begin with `cut` deals and grow to LONGEST times that, so that a long run has few of
        them and each is about a 64th at most of what comes before it.
        """
        start, end = self.first, self.first + self.deals
        while start < end:
            step = size or self._step(start)
            stop = min(end, (start // step + 1) * step)
            yield start, stop
            start = stop

    def _step(self, start: int) -> int:
        grown = 1 << max(0, min(start.bit_length(), self.deals.bit_length()) - 7)
        return max(self.cut, min(grown, LONGEST * self.cut))


def usual_cut(experiment: Experiment) -> int:
    """Deals in the shortest ranges of work of such an experiment, if nobody wants to look at shorter ones."""
    return RANGE // load_game(experiment.game).work(experiment.match_up)


def play_range(experiment: Experiment, start: int, stop: int) -> Counts:
    """The counts of deals start..stop-1 of the experiment, int64[layout.size]; releases the GIL while it plays."""
    return load_game(experiment.game).play(experiment.match_up, start, stop)


def make_experiment(
    a: str,
    b: str,
    *,
    game_name: str = "bohemian",
    variant: str | None = None,
    rules: Mapping[str, Any] | None = None,
    deals: int = 1_000_000,
    seed: int = 1,
    first: int = 0,
    design: str = "duplicate",
    detail: str = "sample",
    load: Files = (),
    score: tuple[int, int] = (0, 0),
) -> Experiment:
    """An Experiment from what a user says; raises RequestError for anything that is wrong."""
    game = load_game(game_name)
    files = as_sources(load)
    grammar, plugins = load_all(files, game.grammar)
    if not isinstance(rules or {}, Mapping):
        raise RequestError(f"rules must be switches and values, such as {{'follow': 'free'}}, not {shown(rules)}")
    if design not in DESIGNS:
        raise unknown("design", design, DESIGNS)
    if detail not in ("sample", "all"):
        raise unknown("detail", detail, ("sample", "all"))
    points = _points(score, game)
    seed = checked_seed(seed)
    first = checked_deal(first, "first")
    deals = checked_deals(deals)
    if first + deals > DEALS:
        raise RequestError(f"first + deals must not go beyond {DEALS}, not {first} + {deals}")
    policy_a, policy_b = grammar.parse(a), grammar.parse(b)
    used = {read_word(word).name for p in (policy_a, policy_b) for words in p.sections.values() for word in words}
    match_up = MatchUp(game.rules(variant, rules or {}), policy_a, policy_b, seed, design, detail, points,
                  tuple(item for item in plugins if item.name in used))
    return Experiment(game_name, match_up, first, deals, RANGE // game.work(match_up),
                      tuple(_file_of(file) for file in files))


def _file_of(source: Any) -> str:
    """The file to name when the command is repeated; a function that was defined in place would stand in one."""
    if not isinstance(source, Preference):
        return str(source)
    return source.path or file_name(source.name)


def _points(score: object, game: Game) -> tuple[int, int]:
    """A's and B's game points in the match before each deal."""
    if isinstance(score, str) or not isinstance(score, Iterable) or len(points := list(score)) != 2:
        raise RequestError(f"score must be A's and B's game points, such as (12, 7), not {shown(score)}")
    if not game.score_limit and [str(number) for number in points] != ["0", "0"]:
        raise RequestError(f"a score belongs to {scored_game(game.name)}, or leave it out")
    ours, theirs = (parse_int(number, f"{who}'s score", 0, game.score_limit)
                    for number, who in zip(points, "AB", strict=True))
    return ours, theirs
