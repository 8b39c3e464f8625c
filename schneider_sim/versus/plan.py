"""How many deals a question needs, and what a number of deals can miss: from a short pilot."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ..base.limits import DEALS
from ..base.tally import Tally
from ..base.text import counted, remaining
from ..engines.threads import Runner, in_order
from ..errors import RequestError
from ..games import load_game
from ..runs.experiment import Experiment
from ..stats import paired, power
from ..version import __version__
from .duplicates import Duplicates, alike, duplicates, random_ties
from .repeat import command, number

PILOT = 16_384  # pairs, which tell the standard deviation to about one per cent


@dataclass(frozen=True, eq=False)
class Pilot:
    """Deals that were played to plan by: their experiment, tally, and the deals a second on this machine."""

    experiment: Experiment
    reader: Duplicates
    tally: Tally
    speed: float

    @property
    def spread(self) -> power.Spread:
        """Standard deviation of a pair's mean with its 95 % interval; its upper limit where nothing varied."""
        seen = power.spread(self.reader.values, self.reader.counts(self.tally.vector))
        return seen if seen.value else seen._replace(value=seen.high)

    @property
    def pairing(self) -> paired.Correlation:
        return paired.correlation(*self.reader.pairs(self.tally.vector))


@dataclass(frozen=True)
class Planned:
    """A plan: what the pilot says of a difference (VP per deal), or of a number of deals, or of both.

    alpha: two-sided error; chance: power; needed: deals for the difference, None where it was not asked; missed: the
    smallest difference that `deals` find with that power, None where no number was asked.
    """

    pilot: Pilot
    alpha: float
    chance: float
    difference: float | None
    deals: int | None
    needed: power.Plan | None
    missed: float | None

    @property
    def identical(self) -> bool:
        return alike(self.pilot.experiment.match_up)

    @property
    def command(self) -> str:
        """The command that repeats the plan, the policies in full."""
        return self.repeated(str(self.pilot.experiment.match_up.a), str(self.pilot.experiment.match_up.b))

    def repeated(self, a: str, b: str) -> str:
        """The command that repeats the plan, the policies as they are given here."""
        words = [a, b]
        words += ["--difference", number(self.difference)] if self.difference is not None else []
        words += ["--deals", str(self.deals)] if self.deals is not None else []
        words += ["--alpha", number(self.alpha), "--power", number(self.chance)]
        return command("plan", [*words, "--pilot", str(self.pilot.experiment.deals)], self.pilot.experiment)

    def sentences(self) -> list[str]:
        """The plan in words: the answers, then what they rest on."""
        return self.answers() + self.grounds()

    def answers(self) -> list[str]:
        """How many deals are needed, and what a number of deals finds."""
        if self.identical:
            return ["A and B are the same policy: their edge is exactly 0, and no number of deals shows a difference."]
        said = []
        if self.needed is not None and self.difference is not None:
            said += self._for_difference(self.needed, self.difference)
        if self.missed is not None and self.deals is not None:
            finds, take = ("finds", "It takes") if self.deals == 1 else ("find", "They take")
            said.append(f"{counted(self.deals, 'deal')} {finds} a difference of {self.missed:.2g} "
                        f"{self.pilot.reader.unit} with probability {self.chance:g}; a smaller one may be missed. "
                        f"{take} {_duration(self.deals, self.pilot)}.")
        return said

    def grounds(self) -> list[str]:
        """What the pilot saw."""
        pilot, spread, unit = self.pilot, self.pilot.spread, self.pilot.reader.unit
        if self.identical:
            return []
        seen = (f"A pilot of {counted(spread.n, 'pair')}: the mean of a pair has a standard deviation of "
                f"{spread.value:.2g} {unit} ({spread.low:.2g} to {spread.high:.2g}); {_about(pilot.speed)} deals a "
                "second on this machine.")
        said = [seen, pilot.pairing.sentence]
        if spread.low == 0:
            said.append("It varied too little to plan by: the figures assume the largest possible variance.")
        return said + [f"{name} plays at random: such an opponent measures little."
                       for name in random_ties(pilot.experiment.match_up)]

    def _for_difference(self, needed: power.Plan, difference: float) -> list[str]:
        either = max(needed.sequential_h0, needed.sequential_h1)
        fixed = (f"To see a difference of {abs(difference):g} {self.pilot.reader.unit} per deal with a two-sided error "
                 f"of {self.alpha:g} and power {self.chance:g}: {_about(needed.pairs)} deals ({_about(needed.low)} to "
                 f"{_about(needed.high)}), {_duration(needed.pairs, self.pilot)}.")
        looking = (f"A sequential test of the same errors stops after about {_about(either)} deals where one of its "
                   f"hypotheses is true, {_about(needed.sequential_worst)} half-way between them.")
        return [fixed, looking]

    def test(self, a: str, b: str) -> str | None:
        """The command for the sequential test, on deals after the pilot's; None where no difference was asked."""
        if self.difference is None or self.identical:
            return None
        h0, h1 = sorted((0.0, self.difference))
        errors = ["--alpha", number(self.alpha / 2), "--beta", number(round(1.0 - self.chance, 12))]
        experiment = self.pilot.experiment
        after = min(experiment.first + experiment.deals, DEALS - experiment.deals)
        return command("compare", [a, b, "--sprt", number(h0), number(h1), *errors], replace(experiment, first=after))

    def as_dict(self) -> dict[str, Any]:
        """The plan in the form of `plan --json`; what chance and clock decide is `deals_per_second` and `seconds`."""
        experiment, spread, needed = self.pilot.experiment, self.pilot.spread, self.needed
        match_up, pairing = experiment.match_up, self.pilot.pairing
        speed = self.pilot.speed
        return {
            "game": experiment.game, "rules": match_up.rules.as_dict(),
            "policies": {"A": str(match_up.a), "B": str(match_up.b)},
            "seed": match_up.seed, "first": experiment.first, "pilot": experiment.deals, "identical": self.identical,
            "standard_deviation": {"value": spread.value, "low": spread.low, "high": spread.high},
            "deals_per_second": speed, "alpha": self.alpha, "power": self.chance, "difference": self.difference,
            "needed": None if needed is None else {
                "deals": needed.pairs, "low": needed.low, "high": needed.high, "seconds": needed.pairs / speed,
                "sequential_h0": needed.sequential_h0, "sequential_h1": needed.sequential_h1,
                "sequential_worst": needed.sequential_worst},
            "deals": self.deals, "detectable": self.missed,
            "pairing": {"correlation": pairing.correlation, "sentence": pairing.sentence},
            "sentences": self.sentences(), "test": self.test(str(match_up.a), str(match_up.b)),
            "command": self.command, "version": __version__,
        }


def play_pilot(experiment: Experiment, play: Runner = in_order, clock: Callable[[], float] = time.perf_counter,
               hear: Callable[[int], None] | None = None) -> Pilot:
    """Play the experiment's deals and take the time; what has to be compiled or loaded is not part of it.

    hear: called with the number of deals done.
    """
    for _ in play(replace(experiment, deals=1)):
        pass
    reader = duplicates(experiment)
    layout = load_game(experiment.game).layout
    total, begun = layout.zeros(), clock()
    for _, stop, counts in play(replace(experiment, cut=min(1024, experiment.cut))):
        total += counts
        if hear:
            hear(stop - experiment.first)
    return Pilot(experiment, reader, Tally(layout, total), experiment.deals / max(clock() - begun, 1e-9))


def plan(pilot: Pilot, difference: float | None = None, deals: int | None = None, alpha: float = 0.05,
         chance: float = 0.9) -> Planned:
    """The deals that a difference (VP per deal) needs, and the difference that a number of deals can miss.

    alpha: two-sided error; chance: the power. Raises RequestError where neither is asked, or the difference is 0 or
    more than a deal can be worth.
    """
    if difference is None and deals is None:
        raise RequestError("a plan needs --difference D, or --deals N, or both")
    top = max(abs(pilot.reader.low), abs(pilot.reader.high))
    if difference is not None and not abs(difference) < top:
        raise RequestError(f"these policies cannot differ by {difference:g} {pilot.reader.unit} per deal: a deal of "
                           f"theirs is worth {top:g} at most")
    if alike(pilot.experiment.match_up):
        return Planned(pilot, alpha, chance, difference, deals, None, None)
    needed = None if difference is None else power.plan(pilot.spread, difference, alpha, chance, pilot.speed)
    missed = None if deals is None else power.detectable(pilot.spread.value, deals, alpha, chance)
    return Planned(pilot, alpha, chance, difference, deals, needed, missed)


def _about(number: float) -> str:
    """A number in two significant digits, without an exponent."""
    if number < 10:
        return f"{number:.2g}"
    digits = len(str(int(number))) - 2
    return f"{round(number / 10**digits) * 10**digits:,}"


def _duration(deals: int, pilot: Pilot) -> str:
    seconds = deals / pilot.speed
    if seconds >= 4 * 86_400:
        return remaining(seconds)
    for size, unit in ((86_400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"about {_about(seconds / size)} {unit}"
    return "less than a second" if seconds < 1 else f"about {_about(seconds)} seconds"
