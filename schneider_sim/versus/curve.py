"""One option of a policy, varied: what it is worth, and what it does to the first leader's advantage."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..base.tally import Tally
from ..engines.threads import Runner, in_order
from ..errors import RequestError
from ..games import load_game
from ..policy.grammar import Grammar
from ..runs.experiment import Experiment
from ..stats.paired import first_leader_advantage_independent
from ..stats.values import Estimate, tail
from ..version import __version__
from .contrasts import contrast_rows, p_values, pairs_asked
from .duplicates import Floats, alike
from .factorial import Make, match_up_as_dict
from .field import Hear, Joint, Series, check_common, check_size, combined, play_field, together
from .ranking import varies
from .repeat import command, level_words
from .variations import check_distinct, with_part


@dataclass(frozen=True, eq=False)
class Curve:
    """A finished study of one option (or section) of a policy.

    name, settings: what was varied, and how; series: duplicates against the opponent, where the policy is not the
    opponent itself; places: which of the settings they belong to; self_plays: independent deals of each policy with
    itself, and their tallies.
    """

    name: str
    settings: tuple[str, ...]
    against: str
    base: str
    series: tuple[Series, ...]
    places: tuple[int, ...]
    self_plays: tuple[tuple[Experiment, Tally], ...]
    level: float = 0.95
    compared: str | None = None

    @cached_property
    def edges(self) -> Joint:
        """VP per deal against the opponent for each setting, with limits that all hold at once."""
        return combined(self._played, self._weights, self.level)

    @cached_property
    def _played(self) -> Joint:
        return together(self.series, self.level)

    @property
    def _weights(self) -> Floats:
        return np.eye(len(self.settings))[:, list(self.places)]

    def contrast_rows(self) -> list[dict[str, Any]]:
        """The differences between settings that were asked for."""
        return [] if self.compared is None else contrast_rows(self.settings, self.series, self._played, self._weights,
                                                               self.compared, self.level)

    @cached_property
    def advantages(self) -> list[Estimate]:
        """The first leader's advantage of each policy with itself; the limits of all settings hold at once."""
        level, estimates = 1.0 - (1.0 - self.level) / len(self.settings), []
        for experiment, tally in self.self_plays:
            values, first, second = load_game(experiment.game).victory_counts(tally, experiment.match_up)
            estimates.append(first_leader_advantage_independent(values, first, second, level))
        return estimates

    def rows(self) -> list[dict[str, Any]]:
        """A row for each setting: edge and first leader's advantage with simultaneous limits."""
        edges, rows = self.edges, []
        p = p_values(self.series, self._played, self._weights)
        for place, (setting, led) in enumerate(zip(self.settings, self.advantages, strict=True)):
            rows.append({self.name: setting, "edge": float(edges.estimates[place]), "edge_low": float(edges.low[place]),
                         "edge_high": float(edges.high[place]), "p_adjusted": p[place],
                         "advantage": led.value, "advantage_low": led.low, "advantage_high": led.high})
        return rows

    def sentences(self) -> list[str]:
        """Whether anything changes along the curve, plainly."""
        _, low, high = np.array([led.limits for led in self.advantages]).T
        return [_range(self.name, "the edge", self.settings, self.edges.low, self.edges.high),
                _range(self.name, "the first leader's advantage", self.settings, low, high)]

    @property
    def plays(self) -> int:
        """Deals played to the end."""
        return sum(one.experiment.plays for one in self.series) + sum(one.plays for one, _ in self.self_plays)

    @property
    def command(self) -> str:
        """The command that repeats the study."""
        experiment = self.series[0].experiment
        words = ["--vary", f"{self.name}={','.join(self.settings)}", "--base", self.base, "--against", self.against,
                 "--deals", str(experiment.deals), *level_words(self.level),
                 *(["--contrasts", self.compared] if self.compared else [])]
        return command("factorial", words, experiment)

    def as_dict(self) -> dict[str, Any]:
        """The study in the form of `factorial --vary … --json`."""
        experiment, match_up = self.self_plays[0][0], self.self_plays[0][0].match_up
        return {
            "game": experiment.game, "rules": match_up.rules.as_dict(), "seed": match_up.seed,
            "first": experiment.first, "deals": experiment.deals,
            "vary": self.name, "settings": list(self.settings), "against": self.against,
            "base": self.base, "level": self.level, "method": self.edges.method,
            "curve": self.rows(), "contrasts": self.contrast_rows(),
            "match_ups": [match_up_as_dict(one, self.level) for one in self.series],
            "advantages": [{"policy": str(one.match_up.a), "design": "independent", **led._asdict()}
                           for (one, _), led in zip(self.self_plays, self.advantages, strict=True)],
            "sentences": self.sentences(), "command": self.command, "version": __version__,
        }


def curve(name: str, settings: Sequence[str], make: Make, grammar: Grammar, *, against: str, base: str,
          play: Runner = in_order, hear: Hear | None = None, level: float = 0.95,
          contrasts: str | None = None) -> Curve:
    """Play `base` with its option or section `name` at each of the settings against one policy, and against itself.

    make(a, b): an Experiment of two policies' texts, always of the same deals. Raises RequestError for settings that
    do not exist or make the same policy.
    """
    tail(level)  # refuses what is no level
    check_size(len(settings), each_other=False)
    policies = [with_part(grammar, grammar.parse(base), name, setting) for setting in settings]
    check_distinct(settings, policies)
    if contrasts is not None:
        pairs_asked(settings, contrasts)
    experiments = [make(str(policy), against) for policy in policies]
    check_common(experiments)
    places = tuple(place for place, one in enumerate(experiments) if not alike(one.match_up))
    if not places:
        raise RequestError("every setting makes the opponent itself: name another policy with --against")
    series = play_field([experiments[place] for place in places], play, hear)
    done, self_plays = sum(one.pairs for one in series), []
    for policy in policies:
        experiment = make(str(policy), str(policy))
        experiment = replace(experiment, match_up=replace(experiment.match_up, design="independent"))
        self_plays.append((experiment, _self_play(experiment, play, hear, done)))
        done += experiment.deals
    return Curve(name, tuple(settings), against, base, tuple(series), places, tuple(self_plays), level, contrasts)


def _self_play(experiment: Experiment, play: Runner, hear: Hear | None, done: int) -> Tally:
    layout = load_game(experiment.game).layout
    total = layout.zeros()
    for _, stop, counts in play(experiment):
        total += counts
        if hear:
            hear(done + stop - experiment.first)
    return Tally(layout, total)


def _range(name: str, what: str, settings: Sequence[str], low: Any, high: Any) -> str:
    """Whether a number changes along the curve, and at which settings it may be largest and smallest.

    low, high: float64[settings], limits that hold at once.
    """
    seen = varies("it is", settings, low, high)
    if seen is None:
        return f"It is not established that {name} changes {what}: the limits of all settings overlap."
    return f"With {name}, {what} changes for sure: {seen}."
