"""The outcome of a comparison: what was asked, what was seen, what it says; as a value, as JSON."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..base.tally import Tally
from ..base.text import counted
from ..games import load_game
from ..runs.experiment import Experiment
from ..stats import paired, power
from ..stats.sequential import Sprt as SprtState
from ..stats.values import Estimate, Interval
from ..version import __version__
from . import duplicates as dup
from .question import STATUS, Look, Question, Sprt, anytime, fixed
from .repeat import command, level_words

POWER = 0.9  # with which a run would have found the difference called detectable


@dataclass(frozen=True, eq=False)
class Verdict:
    """A finished comparison of A and B.

    experiment: what was played, its deals those that were needed; limit: the most that were allowed; answer: "H0",
    "H1", "precise" or "undecided"; looks: what was seen at each, the last of which is the end.
    """

    experiment: Experiment
    question: Question
    limit: int
    answer: str
    tally: Tally
    looks: tuple[Look, ...]
    level: float = 0.95
    typed: tuple[str, str] | None = None  # the policies as they were given, for sentences

    @cached_property
    def reader(self) -> dup.Duplicates:
        return dup.duplicates(self.experiment)

    @property
    def status(self) -> int:
        """The exit status: 0 H1 accepted or precision reached, 3 H0 accepted, 4 undecided."""
        return STATUS[self.answer]

    @property
    def pairs(self) -> int:
        return self.looks[-1].pairs

    @property
    def identical(self) -> bool:
        """Whether A and B are one policy, so that the edge is 0 without playing."""
        return dup.alike(self.experiment.match_up)

    @cached_property
    def estimate(self) -> Estimate:
        """A's edge in VP per deal with its interval at `level`, allowing for how the run was stopped."""
        if self.identical:
            return Estimate(0.0, 0.0, 0.0, self.pairs, "by symmetry")
        return self.question.estimate(self.reader.values, self.looks[-1].counts, self.level)

    @cached_property
    def anytime(self) -> Interval:
        """The interval for the edge that holds at every look."""
        return anytime(self.reader.values, self.looks[-1].counts, self.level)

    @cached_property
    def test(self) -> SprtState | None:
        """The log likelihood ratio between its bounds at the end; None where a precision was asked for."""
        question = self.question
        return question.state(self.reader.values, self.looks[-1].counts) if isinstance(question, Sprt) else None

    @cached_property
    def pairing(self) -> paired.Correlation:
        """The correlation within pairs, and how many independent deals the run counts as."""
        return paired.correlation(*self.reader.pairs(self.tally.vector))

    @cached_property
    def detectable(self) -> float:
        """The smallest difference (VP per deal) that these pairs find with probability 0.9 at a two-sided 5 %."""
        spread = power.spread(self.reader.values, self.looks[-1].counts)
        return power.detectable(spread.value or spread.high, self.pairs, power=POWER)

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What a reader must know beside the numbers."""
        said = [f"{name} plays at random: what separates a policy from chance says little about its strength."
                for name in dup.random_ties(self.experiment.match_up)]
        said += load_game(self.experiment.game).remarks(self.experiment.match_up)
        if self.identical:
            return ("A and B are the same policy: the edge is exactly 0, whatever a sample shows.", *said)
        return (*said, *paired.remarks(*self.reader.pairs(self.tally.vector)))

    @property
    def command(self) -> str:
        """The command that repeats the comparison, the policies in full."""
        return self.repeated(str(self.experiment.match_up.a), str(self.experiment.match_up.b))

    def repeated(self, a: str, b: str) -> str:
        """The command that repeats the comparison, the policies as they are given here."""
        words = [a, b, *self.question.options(), "--max-deals", str(self.limit), *level_words(self.level)]
        return command("compare", words, self.experiment)

    def trace(self) -> list[dict[str, Any]]:
        """The looks as rows: pairs, estimate, low, high (valid at every look), the limits for a fixed number, llr."""
        values, rows = self.reader.values, []
        for look in self.looks:
            interval, usual = anytime(values, look.counts, self.level), fixed(values, look.counts, self.level)
            llr = self.question.state(values, look.counts).llr if isinstance(self.question, Sprt) else None
            rows.append({"pairs": look.pairs, "estimate": usual.value, "low": interval.low, "high": interval.high,
                         "fixed_low": usual.low, "fixed_high": usual.high, "llr": llr})
        return rows

    def as_dict(self) -> dict[str, Any]:
        """The whole verdict in the form of `compare --json`."""
        experiment, match_up = self.experiment, self.experiment.match_up
        wins, ties, losses = self.reader.plays(self.tally.vector)
        seen = zip(self.reader.values.tolist(), self.looks[-1].counts.tolist(), strict=True)
        correlation, factor, _, sentence = self.pairing
        return {
            "game": experiment.game, "rules": match_up.rules.as_dict(),
            "policies": {"A": str(match_up.a), "B": str(match_up.b)}, "seed": match_up.seed, "first": experiment.first,
            "deals": experiment.deals, "plays": experiment.plays, "design": match_up.design, "max_deals": self.limit,
            "question": self.question.as_dict() | {"unit": f"{self.reader.unit} per deal"},
            "level": self.level, "verdict": self.answer, "status": self.status,
            "identical": self.identical, "reason": reason(self),
            "estimate": {"statistic": "vp_per_deal", **self.estimate._asdict()},
            "anytime": self.anytime._asdict(),
            "sprt": None if self.test is None else {"llr": self.test.llr, "lower": self.test.lower,
                                                    "upper": self.test.upper},
            "wins": wins, "ties": ties, "losses": losses,
            "pair_counts": [[mean, count] for mean, count in seen if count],
            "pairing": {"correlation": correlation, "factor": factor if math.isfinite(factor) else None,
                        "sentence": sentence},
            "detectable": {"difference": self.detectable, "power": POWER},
            "remarks": list(self.remarks), "looks": self.trace(), "command": self.command,
            "tally_sha256": self.tally.sha256, "version": __version__,
        }


def reason(verdict: Verdict) -> str:
    """Why the run stopped, in a sentence."""
    question, test = verdict.question, verdict.test
    if verdict.identical:
        return "A and B are the same policy: their edge is exactly 0, and more deals cannot change that."
    if verdict.answer == "undecided":
        return f"The limit of {counted(verdict.limit, 'deal')} was reached before the question was decided."
    if isinstance(question, Sprt) and test is not None:
        side, bound = ("upper", test.upper) if verdict.answer == "H1" else ("lower", test.lower)
        taken, other = (question.h1, question.h0) if verdict.answer == "H1" else (question.h0, question.h1)
        return (f"{verdict.answer} accepted: the log likelihood ratio {test.llr:.2f} passed its {side} bound "
                f"{bound:.2f}; an edge of {taken:g} {verdict.reader.unit} explains the deals better than {other:g}.")
    half = (verdict.anytime.high - verdict.anytime.low) / 2
    asked = question.as_dict()["half_width"]
    return f"The half-width of the interval, {half:.2g} {verdict.reader.unit}, is within the requested {asked:g}."


