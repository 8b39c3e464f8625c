"""Finding better lists of words, or numbers, for a policy: the public function and what it returns."""

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.text import parse_int, unknown
from ..engines.threads import DeferSignals, signals_at_once
from ..errors import RequestError
from ..games import MatchUp, load_game
from ..policy.grammar import NOT, STAGE, Grammar, Policy
from ..policy.plugins import as_sources, load_all
from ..runs.experiment import Experiment, Files, make_experiment
from ..stats.intervals import mean_estimate
from ..stats.values import Estimate
from ..version import __version__
from ..versus.duplicates import alike, duplicates
from ..versus.repeat import command
from .bench import Bench, OutOfTime, bench
from .climb import Round
from .climb_log import Log
from .climbers import Climbs, WordClimbs
from .moves import vocabulary
from .panel import Panel

if TYPE_CHECKING:
    import pandas as pd

EDGE_FIRST, EDGE_DEALS = 1 << 62, 1 << 20  # the deals of the final edge
MINUTES = 10  # how long a climb takes that is not told

Hear = Callable[[Round], None]
Start = str | Callable[[Any], str]
Words = Mapping[str, Sequence[str]] | Sequence[str]


@dataclass(frozen=True)
class Tuned:
    """What a climb found: `policy`, and its `edge` over `start` on duplicates that the climb did not use.

    experiment: the policy (A) against the start (B) on these duplicates; typed: how the start and the panel were
    named; plugins: the users' preferences that were loaded; interrupted: whether it was stopped before its time.
    """

    experiment: Experiment
    edge: Estimate
    against: tuple[str, ...]
    sections: tuple[str, ...]
    rounds: tuple[Round, ...]
    typed: tuple[str, ...]
    plugins: tuple[Any, ...] = ()
    interrupted: bool = False

    @property
    def policy(self) -> str:
        """The text of the best policy found."""
        return str(self.experiment.match_up.a)

    @property
    def start(self) -> str:
        """The text of the policy that the climb began with."""
        return str(self.experiment.match_up.b)

    @property
    def unit(self) -> str:
        """What a deal is worth is counted in."""
        return str(load_game(self.experiment.game).unit)

    @property
    def tried(self) -> int:
        """How many lists, or points, were tried in all."""
        return sum(one.tried for one in self.rounds)

    @cached_property
    def frame(self) -> "pd.DataFrame":
        """One row per round: round, climb, depth, tried, deals, gain, value, low, high, policy, best."""
        import pandas as pd

        return pd.DataFrame([vars(one) for one in self.rounds], columns=list(Round.__dataclass_fields__))

    @property
    def again(self) -> str:
        """The command that repeats the climb."""
        start, *against = self.typed
        words = [start, *(["--against", ",".join(against)] if against != [start] else [])]
        every = tuple(section.name for section in load_game(self.experiment.game).grammar.sections)
        words += [] if self.sections == every else ["--sections", ",".join(self.sections)]
        whole = replace(self.experiment, first=0, match_up=replace(self.experiment.match_up, plugins=self.plugins))
        return command("tune", [*words, "--rounds", str(len(self.rounds))], whole)

    @property
    def check(self) -> str:
        """The command that plays the deals of the edge again."""
        match_up = self.experiment.match_up
        words = [str(match_up.a), str(match_up.b), "--deals", str(self.experiment.deals)]
        return command("simulate", words, self.experiment)

    def as_dict(self) -> dict[str, Any]:
        """The climb in the form of `tune --json`."""
        experiment, edge = self.experiment, self.edge
        match_up = experiment.match_up
        return {
            "game": experiment.game, "rules": match_up.rules.as_dict(), "policies": {"A": self.policy, "B": self.start},
            "seed": match_up.seed, "first": experiment.first, "deals": experiment.deals, "start": self.start,
            "against": list(self.against), "sections": list(self.sections), "policy": self.policy,
            "edge": {"value": float(edge.value), "low": float(edge.low), "high": float(edge.high), "n": int(edge.n),
                     "method": edge.method},
            "rounds": [dict(vars(one)) for one in self.rounds], "tried": self.tried, "interrupted": self.interrupted,
            "command": self.again, "version": __version__,
        }

    def __str__(self) -> str:
        from .tune_text import report

        return report(self)


def tune(
    start: Start,
    against: Sequence[str] = (),
    *,
    sections: Sequence[str] | None = None,
    words: Words | None = None,
    numbers: Sequence[float] | None = None,
    spread: float = 1.0,
    seconds: float | None = None,
    rounds: int | None = None,
    game: str = "bohemian",
    variant: str | None = None,
    rules: Mapping[str, Any] | None = None,
    load: Files = (),
    seed: int = 1,
    threads: int | None = None,
    out: str | Path | None = None,
    hear: Hear | None = None,
    defer_signals: DeferSignals = signals_at_once,
) -> Tuned:
    """Climb from the policy `start` to better ones, measured against the policies `against` (by default itself).

    sections: those whose lists are changed, by default all; words: those to try, by default all that the game and the
    files of `load` have, for every section or a mapping from section to words. A `start` that is a function makes
    the text of a policy of `numbers`, which are then tuned with steps of about `spread` (needs the package cma).
    Ends after `rounds` rounds in all or `seconds`, by default ten minutes; a round that time cuts off is dropped, and
    Ctrl-C gives the best so far. out: a folder for the log, from which the same request goes on; hear: called after
    every round; defer_signals: as engines.threads has it. The outcome depends on
    the request and the number of rounds alone.
    Raises RequestError for a wrong request, RunError when a user's preference fails.
    """
    request = _Request.of(start, tuple(against), sections, words, numbers, spread, game, variant, rules, load, seed)
    limit = None if rounds is None else parse_int(rounds, "rounds", 0, 1 << 20)
    if seconds is None and limit is None:
        seconds = 60.0 * MINUTES
    if seconds is not None and not seconds > 0:
        raise RequestError(f"the time must be more than 0 seconds, not {seconds:g}")
    climbs = request.climbs()
    log = None if out is None else Log(out, request.as_dict())
    played: list[Round] = []
    for before, kept in (log.rounds if log else [])[:limit]:
        climbs.restore(kept, before)
        played.append(before)
    with bench(threads, defer_signals) as at:
        at.map(lambda policy: request.panel.points(policy, 0, 1), [request.start])  # compiles what is needed
        interrupted = _play_on(at, climbs, played, limit, seconds, log, hear)
        at.deadline = None
        found = climbs.found(at)
        experiment, edge = _edge(at, request, found)
    return Tuned(experiment, edge, tuple(map(str, request.panel.opponents)), request.sections, tuple(played),
                 request.typed, request.panel.plugins, interrupted)


def _play_on(at: Bench, climbs: Climbs, played: list[Round], limit: int | None, seconds: float | None,
             log: Log | None, hear: Hear | None) -> bool:
    """Play rounds until there are `limit` or the time is up; whether an interruption came first."""
    at.deadline = None if seconds is None else time.monotonic() + seconds
    try:
        while limit is None or len(played) < limit:
            one = climbs.play(at, len(played) + 1)
            played.append(one)
            if log:
                log.add(one, climbs.kept())
            if hear:
                hear(one)
    except OutOfTime:
        pass
    except KeyboardInterrupt:
        return True
    return False


@dataclass(frozen=True)
class _Request:
    """What was asked for, checked."""

    game: str
    grammar: Grammar
    start: Policy
    panel: Panel
    sections: tuple[str, ...]
    words: Mapping[str, tuple[str, ...] | None]
    typed: tuple[str, ...]
    make: Callable[[Sequence[float]], Policy] | None
    numbers: tuple[float, ...]
    spread: float
    load: tuple[str, ...]

    @classmethod
    def of(cls, start: Start, against: tuple[str, ...], sections: Sequence[str] | None, words: Words | None,
           numbers: Sequence[float] | None, spread: float, game_name: str, variant: str | None,
           rules: Mapping[str, Any] | None, load: Files, seed: int) -> "_Request":
        """The request, or RequestError for what is wrong with it."""
        game = load_game(game_name)
        if callable(start) == (numbers is None):
            raise RequestError("tune takes the text of a policy, or a function with numbers=[...] to begin with")
        text = start(list(numbers)) if callable(start) and numbers is not None else str(start)
        probe = make_experiment(text, text, game_name=game_name, variant=variant, rules=rules, deals=1, seed=seed,
                                load=load)
        duplicates(probe)  # refuses rules under which no deal is worth anything
        grammar, plugins = load_all(as_sources(load), game.grammar)
        begin = probe.match_up.a
        if begin.options.get("search", "none") != "none":
            raise RequestError("tune changes the words of a policy that does not search: leave its search out, and "
                               "add it to the policy that is found")
        known = [section.name for section in grammar.sections]
        named = known if sections is None else list(sections)
        for name in named:
            if name not in known:
                raise unknown("section", name, known)
        order = tuple(name for name in known if name in named)
        panel = Panel(game, probe.match_up.rules, tuple(map(grammar.parse, against or (text,))), probe.match_up.seed,
                      plugins)

        def make(values: Sequence[float]) -> Policy:
            return grammar.parse(start(values)) if callable(start) else begin

        return cls(game_name, grammar, begin, panel, order, _words(grammar, order, words),
                   (text, *(against or (text,))), make if callable(start) else None, tuple(numbers or ()), spread,
                   probe.load)

    def climbs(self) -> Climbs:
        """What plays the rounds."""
        if self.make is not None:
            from .evolution import Law, NumberClimbs

            return NumberClimbs(self.panel, self.make, Law(self.numbers, self.spread, self.panel.seed))
        known = [vocabulary(self.grammar, name, self.words[name]) for name in self.sections]
        return WordClimbs(self.panel, known, self.start, self.grammar)

    def as_dict(self) -> dict[str, Any]:
        """The request as the log begins with it: all that the rounds depend on."""
        sources = {item.name: hashlib.sha256(item.source.encode()).hexdigest() for item in self.panel.plugins}
        return {"log": "schneider-sim tune 1", "version": __version__, "game": self.game,
                "game_version": self.panel.game.version, "rules": self.panel.rules.as_dict(),
                "start": str(self.start), "against": [str(one) for one in self.panel.opponents],
                "sections": list(self.sections),
                "words": {name: None if some is None else list(some) for name, some in self.words.items()},
                "numbers": list(self.numbers), "spread": self.spread, "seed": self.panel.seed, "plugins": sources}


def _words(grammar: Grammar, sections: Sequence[str], words: Words | None) -> dict[str, tuple[str, ...] | None]:
    """The words to try by section; None for all."""
    if words is None:
        return dict.fromkeys(sections)
    if isinstance(words, str):
        raise RequestError(f"words must be a list, such as {words.split()!r}, not the text '{words}'")
    known = {section.name: section.words for section in grammar.sections}
    by_section = words if isinstance(words, Mapping) else {
        name: [word for word in words if word in known[name]] for name in sections}
    named = list(words) if not isinstance(words, Mapping) else [word for some in words.values() for word in some]
    everywhere = {word: "" for name in sections for word in known[name]}
    for word in named:
        if word not in everywhere:
            bare = str(word).removeprefix(NOT).partition(STAGE)[0]
            if bare != word and bare in everywhere:
                raise RequestError(f"words must name '{bare}' alone, not '{word}': its not- form and its stages are "
                                   "tried with it")
            raise unknown("word", word, everywhere)
    return {name: tuple(by_section.get(name, ())) for name in sections}


def _edge(at: Bench, request: _Request, found: Policy) -> tuple[Experiment, Estimate]:
    """The experiment that measures the policy found against the start, and what it says."""
    import numpy as np

    panel = Panel(request.panel.game, request.panel.rules, (request.start,), request.panel.seed, request.panel.plugins)
    match_up: MatchUp = panel.match(found, request.start)
    experiment = Experiment(request.game, match_up, EDGE_FIRST, EDGE_DEALS, load=request.load)
    if alike(match_up):
        return experiment, Estimate(0.0, 0.0, 0.0, EDGE_DEALS, "the same policy")
    reader = duplicates(experiment)
    (points,) = panel.all_points(at, [found], EDGE_FIRST, EDGE_FIRST + EDGE_DEALS)
    values, counts = np.unique(points, return_counts=True)
    bound = max(abs(reader.low), abs(reader.high))
    return experiment, mean_estimate(values / 2, counts, 0.95, -bound, bound)


__all__ = ["EDGE_DEALS", "EDGE_FIRST", "Tuned", "tune"]
