"""The rules as a factor: one policy against another under several settings of a switch, on common deals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ..base.estimate import show
from ..base.text import clean, parse_int
from ..engines.threads import Runner, in_order
from ..errors import RequestError
from ..games import load_game
from ..policy.grammar import Grammar
from ..runs.experiment import Experiment
from ..stats.paired import first_leader_advantage
from ..stats.values import Estimate, tail
from ..version import __version__
from .contrasts import ALL, contrast_rows, p_values, pairs_asked
from .duplicates import Floats, alike
from .factorial import match_up_as_dict
from .field import Hear, Joint, Series, check_common, check_size, read_series, together
from .repeat import command, level_words

RULES, VARIANT, SCORE = "rules.", "variant", "score"


class Make(Protocol):
    """Makes the experiment of two policies' texts; variant, rules or score in place of those that it has."""

    def __call__(self, a: str, b: str, **changed: Any) -> Experiment: ...


@dataclass(frozen=True, eq=False)
class RulesVaried:
    """A finished study of one switch of the rules.

    name, settings: what was varied, and how; series: duplicates of `base` (A) and `against` (B) under each setting;
    played: how many of these were played, the others being the same plays, scored again; usual: the experiment without
    the switch; compared: "all", or the setting that the others are compared with.
    """

    name: str
    settings: tuple[str, ...]
    base: str
    against: str
    series: tuple[Series, ...]
    played: int
    usual: Experiment
    level: float = 0.95
    compared: str = ALL

    @cached_property
    def edges(self) -> Joint:
        """A's edge, points per deal, under each setting, with limits that all hold at once."""
        return together(self.series, self.level)

    @property
    def _weights(self) -> Floats:
        return np.eye(len(self.series))

    @cached_property
    def advantages(self) -> list[Estimate]:
        """The first leader's advantage under each setting, from the same deals; the limits all hold at once."""
        level = 1.0 - (1.0 - self.level) / len(self.series)
        return [first_leader_advantage(*one.reader.pairs(one.tally.vector), level, -one.bound, one.bound)
                for one in self.series]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each setting: edge and first leader's advantage with simultaneous limits."""
        p, edges = p_values(self.series, self.edges, self._weights), self.edges
        every = zip(self.settings, edges.estimates.tolist(), edges.low.tolist(), edges.high.tolist(), p,
                    self.advantages, strict=True)
        return [{self.name: setting, "edge": value, "edge_low": low, "edge_high": high, "p_adjusted": one,
                 "advantage": led.value, "advantage_low": led.low, "advantage_high": led.high}
                for setting, value, low, high, one, led in every]

    def contrast_rows(self) -> list[dict[str, Any]]:
        """The differences between settings: first minus second, on the same deals."""
        return contrast_rows(self.settings, self.series, self.edges, self._weights, self.compared, self.level)

    def sentences(self) -> list[str]:
        """Whether the switch changes the edge, plainly."""
        unit, rows = self.series[0].reader.unit, self.contrast_rows()
        widest = max(rows, key=lambda row: abs(row["difference"]))
        sure = [row for row in rows if row["low"] > 0 or row["high"] < 0]
        if not sure:
            return [f"It is not established that {self.name} changes the edge: no difference is told from 0."]
        more, less, sign = (("first", "second", 1) if widest["difference"] > 0 else ("second", "first", -1))
        low, high = sorted((sign * widest["low"], sign * widest["high"]))
        by = show(sign * widest["difference"], low, high, f" {unit} per deal")
        largest = "" if self.compared == ALL else f" from {self.compared}"
        if widest not in sure:
            return [f"{self.name} changes the edge for sure: {len(sure)} of {len(rows)} differences are told from 0."]
        said = f"The largest difference{largest}: at {widest[more]} it is {by} more than at {widest[less]}."
        return [f"{self.name} changes the edge for sure. {said}"]

    @property
    def plays(self) -> int:
        """Deals played to the end."""
        return 2 * self.usual.deals * self.played

    @property
    def command(self) -> str:
        """The command that repeats the study."""
        words = ["--vary", f"{self.name}={','.join(self.settings)}", "--base", self.base, "--against", self.against,
                 "--deals", str(self.usual.deals), *level_words(self.level)]
        words += ["--contrasts", self.compared] if self.compared != ALL else []
        return command("factorial", words, self.usual)

    def as_dict(self) -> dict[str, Any]:
        """The study in the form of `factorial --vary rules.… --json`."""
        match_up = self.usual.match_up
        return {
            "game": self.usual.game, "rules": match_up.rules.as_dict(),
            "policies": {"A": str(match_up.a), "B": str(match_up.b)}, "seed": match_up.seed,
            "first": self.usual.first, "deals": self.usual.deals, "played": self.played, "vary": self.name,
            "settings": list(self.settings), "against": self.against, "base": self.base, "level": self.level,
            "method": self.edges.method, "curve": self.rows(), "contrasts": self.contrast_rows(),
            "match_ups": [{"rules": one.experiment.match_up.rules.as_dict(), **match_up_as_dict(one, self.level)}
                          for one in self.series],
            "sentences": self.sentences(), "command": self.command, "version": __version__,
        }


def is_of_rules(name: str) -> bool:
    """Whether what is varied is a switch, the variant or the score, and not a part of a policy."""
    return name.startswith(RULES) or name in (VARIANT, SCORE)


def default_opponent(grammar: Grammar, base: str) -> str:
    """The opponent where none is named: plain, or the game's second preset; the first one in place of the base."""
    presets = list(grammar.presets)
    usual = "plain" if "plain" in presets else presets[1]
    return usual if str(grammar.parse(usual)) != str(grammar.parse(base)) else presets[0]


def settings_of(text: str, what: str) -> tuple[str, ...]:
    """Settings with commas between them; a setting that is a list stands in brackets: [1,2,3],[1,1,1].

    Raises RequestError for fewer than two, or one that stands twice.
    """
    found, depth = [""], 0
    for letter in clean(text).casefold():
        depth += (letter == "[") - (letter == "]")
        if letter == "," and not depth:
            found.append("")
        elif not letter.isspace():
            found[-1] += letter
    if depth or not all(found):
        raise RequestError(f"{what} must be settings with commas between them, lists in brackets, such as "
                           f"15,16 or [1,2,3],[1,1,1], not '{text}'")
    for place, one in enumerate(found):
        if one in found[:place]:
            raise RequestError(f"{what} names '{one}' twice: name each once")
    if len(found) < 2:
        raise RequestError(f"{what} needs two settings or more, commas between them, not '{text}'")
    return tuple(found)


def changed(name: str, setting: str, rules: Mapping[str, Any]) -> dict[str, Any]:
    """What an experiment has in place of the usual under a setting; rules: the switches that are set besides."""
    if name == VARIANT:
        return {"variant": setting}
    if name == SCORE:
        a, _, b = setting.partition(":")
        return {"score": (parse_int(a, "A's score", 0, 10**6), parse_int(b, "B's score", 0, 10**6))}
    return {"rules": {**rules, name.removeprefix(RULES): setting.strip("[]")}}


def vary_rules(name: str, settings: Sequence[str], make: Make, *, base: str, against: str,
               rules: Mapping[str, Any] | None = None, play: Runner = in_order, hear: Hear | None = None,
               level: float = 0.95, compared: str | None = None) -> RulesVaried:
    """Play `base` against `against` under each setting, on the same deals.

    Settings under which every card is played alike (Game.plays_alike) are played once and scored for each. rules: the
    switches that are set besides. Raises RequestError where two settings make the same rules, or the policies are one.
    """
    tail(level)  # refuses what is no level
    check_size(len(settings), each_other=False)
    experiments = [make(base, against, **changed(name, setting, rules or {})) for setting in settings]
    check_common(experiments)
    pairs_asked(settings, compared or ALL)
    seen: dict[Any, str] = {}
    for setting, one in zip(settings, experiments, strict=True):
        key = (str(one.match_up.rules.as_dict()), one.match_up.score)
        if key in seen:
            raise RequestError(f"'{seen[key]}' and '{setting}' make the same rules: name each once")
        seen[key] = setting
        if alike(one.match_up):
            raise RequestError("A and B are the same policy, whose edge is 0 under any rules: name another with "
                               "--against")
    groups = alike_groups(experiments)
    found, done = dict[int, Series](), 0
    for group in groups:
        def heard(deals: int, before: int = done) -> None:
            if hear:
                hear(before + deals)

        read = read_series([experiments[place] for place in group], play, heard)
        found |= dict(zip(group, read, strict=True))
        done += experiments[group[0]].deals
    return RulesVaried(name, tuple(settings), base, against, tuple(found[k] for k in range(len(settings))),
                       len(groups), make(base, against), level, compared or ALL)


def alike_groups(experiments: Sequence[Experiment]) -> list[list[int]]:
    """The places of the experiments in groups in which every card is played alike."""
    groups: list[list[int]] = []
    for place, one in enumerate(experiments):
        game = load_game(one.game)
        for group in groups:
            if game.plays_alike(experiments[group[0]].match_up, one.match_up):
                group.append(place)
                break
        else:
            groups.append([place])
    return groups
