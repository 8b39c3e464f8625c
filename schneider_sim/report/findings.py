"""Playing a study: every match-up on common deals, range by range, so that what is seen on the way can be shown."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from ..engines.threads import Runner, run, runner_of
from ..results.result import Result
from ..runs.experiment import RANGE, Experiment
from ..versus.curve import Curve
from ..versus.factorial import Factorial, factorial
from ..versus.field import Series, play_series
from ..versus.payoff import Payoff, compare_all
from ..versus.settings import RulesVaried
from .pieces import GameReport, game_report
from .strength import Strength, play_strength
from .strength import plays_of as plays_of_strength
from .study import Study
from .varied import play_varied, plays_of

Progress = Callable[[int, int], None]
_SMALLEST = 256


@dataclass(frozen=True)
class Played:
    """A match-up of two names: its result, and for duplicates (a is not b) its series."""

    a: str
    b: str
    result: Result
    series: Series | None

    @property
    def name(self) -> str:
        return f"{self.a} – {self.b}"


@dataclass(frozen=True)
class Findings:
    """A study and all that was played for it."""

    study: Study
    report: GameReport
    played: tuple[Played, ...]
    factorial: Factorial | None = None
    more: Any = None  # what the game's report played beside
    varied: tuple[Curve | RulesVaried, ...] = ()
    strength: Strength | None = None

    @property
    def plays(self) -> int:
        """Deals played to the end, all in all."""
        crossed = self.factorial.series if self.factorial else ()
        own = self.report.extra_plays(self.study)
        varied = sum(one.plays for one in self.varied)
        matches = sum(one.result.plays for one in self.played)
        strength = plays_of_strength(self.study)
        return matches + sum(one.experiment.plays for one in crossed) + own + varied + strength

    @property
    def level(self) -> float:
        """Of all intervals."""
        return self.study.level

    @property
    def sure(self) -> str:
        """The same as a reader sees it: "95 %"."""
        return f"{100 * self.study.level:.10g} %"

    @property
    def self_plays(self) -> tuple[Played, ...]:
        """Each policy against itself, on independent deals."""
        return tuple(one for one in self.played if not one.series)

    @cached_property
    def payoff(self) -> Payoff:
        """All match-ups compared at once."""
        met = [(one.a, one.b, one.series) for one in self.played if one.series]
        return compare_all(self.study.players, met, level=self.study.level)

    @property
    def foremost(self) -> tuple[str, str] | None:
        """The match-up that is shown in detail: of the first two where everybody met, else the study's first."""
        payoff = self.payoff
        if not payoff.comparisons:
            return None
        a, b = payoff.order[:2] if payoff.is_complete else payoff.comparisons[0][:2]
        return a, b

    def find(self, a: str, b: str) -> Played | None:
        """The match-up of two names in either order."""
        return next((one for one in self.played if {one.a, one.b} == {a, b}), None)


def first_range(deals: int) -> int:
    """Deals in the first ranges: a power of two from 256 on. They grow; 100,000 deals make more than 200."""
    return min(RANGE, max(_SMALLEST, 1 << max(0, deals.bit_length() - 10)))


def play_study(study: Study, play: Runner | None = None, threads: int | None = None,
               progress: Progress | None = None) -> Findings:
    """Play every match-up of a study, every policy against itself, lead rules with follow rules, what the game adds.

    play: what runs an experiment, by default `threads` threads (not both); progress hears the plays done and all.
    """
    play, threads = runner_of(play, threads), getattr(play, "threads", threads)
    size = first_range(study.deals)
    matches = [*study.pairs, *((name, name) for name in study.players)]
    experiments = [replace(study.experiment(a, b), cut=size) for a, b in matches]
    crossed = 2 * study.factors.deals * study.factors.cells if study.factors else 0
    report = game_report(study.game)
    extra = report.extra_plays(study)
    total = sum(experiment.plays for experiment in experiments) + crossed + extra + plays_of(study)
    total += plays_of_strength(study)
    done = 0
    played: list[Played] = []

    def heard(before: int, plays: int) -> None:
        if progress:
            progress(before + plays, total)

    for (a, b), experiment in zip(matches, experiments, strict=True):
        played.append(_play_one(a, b, experiment, play, partial(heard, done), study.level))
        done += experiment.plays
    cross = _cross(study, play, lambda deals: heard(done, 2 * deals))
    varied = play_varied(study, play, lambda deals: heard(done + crossed, 2 * deals))
    done += crossed + plays_of(study)
    more = report.more(study, threads, partial(heard, done))
    found = Findings(study, report, tuple(played), cross, more, varied)
    return replace(found, strength=play_strength(found, play, threads, partial(heard, done + extra)))


def _cross(study: Study, play: Runner, heard: Callable[[int], None]) -> Factorial | None:
    """Every lead rule with every follow rule on common deals, where the study asks for it."""
    factors = study.factors
    if factors is None:
        return None
    return factorial(factors.leads, factors.follows, lambda a, b: study.of(a, b, factors.deals), study.grammar,
                     against=factors.against, base=factors.base, play=play, hear=heard, level=study.level)


def _play_one(a: str, b: str, experiment: Experiment, play: Runner, heard: Callable[[int], None],
              level: float) -> Played:
    if a == b:
        return Played(a, b, Result(experiment, run(experiment, play=play, progress=heard), level), None)
    series = play_series(experiment, play, lambda deals: heard(2 * deals), size=experiment.cut, keep=True)
    return Played(a, b, Result(experiment, series.tally, level), series)
