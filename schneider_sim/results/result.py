"""What a run found: its settings, its tally, and the estimates, as Python values, frames and JSON."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..base.estimate import Named
from ..base.tally import Counts, Tally
from ..base.text import counted
from ..games import load_game
from ..runs.experiment import Experiment
from ..version import __version__

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """A finished run. It prints, and shows in a notebook, as its table of statistics.

    Results are equal when the same deals were played in the same way and gave the same counts. The arrays and the list
    that it gives are copies.
    """

    experiment: Experiment
    tally: Tally
    level: float = 0.95
    names: tuple[str, str] = field(default=("A", "B"), compare=False)  # what sentences call the two policies

    @cached_property
    def _key(self) -> tuple[str, int, int, str]:
        """What was played, on which deals, and what came of it."""
        from ..runs.recipe import key_of, recipe_of

        return key_of(recipe_of(self.experiment)), self.experiment.first, self.experiment.deals, self.tally.sha256

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return (self._key, self.level) == (other._key, other.level)

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def plays(self) -> int:
        return self.experiment.plays

    @property
    def tally_sha256(self) -> str:
        """SHA-256 of the counts: equal for equal runs on any machine, thread count, chunking."""
        return self.tally.sha256

    @property
    def joint(self) -> Counts | None:
        """int64[21, 21]: A's honours as first leader x A's honours when B was; None for independent deals."""
        joint: Counts | None = load_game(self.experiment.game).joint(self.tally, self.experiment.match_up)
        return None if joint is None else joint.copy()

    @property
    def by_first_leader(self) -> dict[str, Counts]:
        """A's honours when A (B) was first leader: int64[21] each."""
        split: dict[str, Counts] = load_game(self.experiment.game).by_first_leader(self.tally)
        return {who: counts.copy() for who, counts in split.items()}

    @cached_property
    def _estimates(self) -> list[Named]:
        named: list[Named] = load_game(self.experiment.game).estimates(
            self.tally, self.experiment.match_up, self.level)
        return named

    @property
    def estimates(self) -> list[Named]:
        """Every published statistic with its interval at the confidence level `level`."""
        return list(self._estimates)

    @property
    def honours(self) -> "pd.DataFrame":
        """One row per (first_leader, honours of A): count, share, low, high (simultaneous band at `level`).

        Raises RequestError for a game without honours.
        """
        return load_game(self.experiment.game).honours(self.by_first_leader, self.level)

    @property
    def summary(self) -> "pd.DataFrame":
        """One row per statistic: statistic, value, low, high, n, method."""
        from .frames import summary

        return summary(self.estimates)

    def as_dict(self) -> dict[str, Any]:
        """The result in the form of `simulate --json`."""
        experiment, match_up = self.experiment, self.experiment.match_up
        joint = self.joint
        return {
            "game": experiment.game,
            "rules": match_up.rules.as_dict(),
            "policies": {"A": str(match_up.a), "B": str(match_up.b)},
            "seed": match_up.seed,
            **({"score": match_up.score_by_policy} if load_game(experiment.game).score_limit else {}),
            "first": experiment.first,
            "deals": experiment.deals,
            "plays": experiment.plays,
            "design": match_up.design,
            "level": self.level,
            "tally_sha256": self.tally_sha256,
            "joint": None if joint is None else _plain(joint),
            "by_first_leader": {who: _plain(counts) for who, counts in self.by_first_leader.items()},
            "estimates": [estimate.as_dict() for estimate in self.estimates],
            "version": __version__,
        }

    def __repr__(self) -> str:
        experiment, match_up = self.experiment, self.experiment.match_up
        return (f"<Result of {experiment.game}, {str(match_up.a)!r} against {str(match_up.b)!r}, "
                f"{counted(experiment.deals, 'deal')} from {experiment.first} on, seed {match_up.seed}, "
                f"{match_up.design}, tally {self.tally_sha256[:12]}>")

    def __str__(self) -> str:
        from .text_tables import opening, settings, statistics

        answer = opening(self.experiment, self.estimates, *self.names, level=self.level)
        table = statistics(self.estimates, self.level)
        return "\n\n".join([answer, settings(self.experiment), table, f"Tally {self.tally_sha256}"])

    def _repr_html_(self) -> str:
        from .frames import as_html

        return as_html(self.experiment, self.estimates, self.level)


def _plain(counts: Any) -> Any:
    return counts.tolist() if hasattr(counts, "tolist") else counts
