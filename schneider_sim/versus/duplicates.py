"""The duplicates of a match as pair means of victory points: what every comparison reads from a tally."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..base.tally import Counts, Tally
from ..errors import RequestError
from ..games import Game, MatchUp, load_game
from ..runs.experiment import Experiment
from ..stats.paired import Pairs

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Duplicates:
    """How to read the pairs of one match, V being A's victory points minus B's.

    values: float64[k], the possible means of a pair, ascending; places: int64[cells], which of them a cell of the
    joint table has; low, high: bounds of V in one play; unit: of V, such as VP.
    """

    game: Game
    match_up: MatchUp
    values: Floats
    places: Counts
    low: float
    high: float
    unit: str

    def pairs(self, vector: Counts) -> Pairs:
        """The joint table of a tally vector as columns."""
        pairs: Pairs = self.game.victory_pairs(Tally(self.game.layout, vector), self.match_up)
        return pairs

    def counts(self, vector: Counts) -> Counts:
        """How often each of `values` was seen: int64[k]."""
        seen = np.bincount(self.places, self.pairs(vector).counts, self.values.size)  # exact below 2**53 pairs
        return seen.astype(np.int64)

    def total(self, vector: Counts) -> float:
        """The sum of the pair means."""
        return float(self.values @ self.counts(vector))

    @cached_property
    def _cells(self) -> Counts:
        """The cell of the joint table that each pair is read from, int64[pairs]."""
        layout = self.game.layout
        part, numbered = layout.part("joint"), layout.zeros()
        numbered[part] = np.arange(1, part.stop - part.start + 1)
        return self.pairs(numbered).counts - 1

    def counts_of(self, table: Counts) -> Counts:
        """As `counts`, from the cells of a joint table, int64[cells]."""
        return np.bincount(self.places, table[self._cells], self.values.size).astype(np.int64)

    def plays(self, vector: Counts) -> tuple[int, int, int]:
        """Plays that A won, tied and lost."""
        pairs = self.pairs(vector)
        return (_count(pairs, pairs.first > 0, pairs.second > 0), _count(pairs, pairs.first == 0, pairs.second == 0),
                _count(pairs, pairs.first < 0, pairs.second < 0))


def duplicates(experiment: Experiment) -> Duplicates:
    """The reader for an experiment of the design `duplicate`; RequestError where the rules make every deal worth 0."""
    game = load_game(experiment.game)
    pairs = game.victory_pairs(Tally(game.layout, game.layout.zeros()), experiment.match_up)
    values, places = np.unique((pairs.first + pairs.second) / 2, return_inverse=True)
    low, high = float(min(pairs.first.min(), pairs.second.min())), float(max(pairs.first.max(), pairs.second.max()))
    if low == high:
        raise RequestError("under these rules no deal is worth anything, so that there is nothing to compare: change "
                           "win_points")
    return Duplicates(game, experiment.match_up, values, places.ravel(), low, high, game.unit)


def alike(match_up: MatchUp) -> bool:
    """Whether the two policies are one and the same, so that the edge is exactly 0: A's chances are B's."""
    return str(match_up.a) == str(match_up.b) and match_up.score[0] == match_up.score[1]


def random_ties(match_up: MatchUp) -> tuple[str, ...]:
    """Which of A and B chooses every card at random: no preference at all, or nothing but noise."""
    return tuple(name for name, policy in (("A", match_up.a), ("B", match_up.b))
                 if not any(policy.sections.values()) or policy.options.get("noise") == "1")


def _count(pairs: Pairs, first: npt.NDArray[np.bool_], second: npt.NDArray[np.bool_]) -> int:
    return int(pairs.counts @ first) + int(pairs.counts @ second)
