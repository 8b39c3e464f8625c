"""Deals worth seeing: where two policies are furthest apart, where they part first, and the Schneiders."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..base.text import parse_int, unknown
from ..engines.threads import DeferSignals, Progress, signals_at_once
from ..errors import RequestError
from ..games import MatchUp, load_game
from ..games.protocol import Losses
from ..policy.grammar import Policy
from ..policy.plugins import as_sources, load_all
from ..runs.experiment import Experiment, Files, make_experiment
from ..store.records import offered_records, record_range
from ..version import __version__
from ..versus.duplicates import duplicates
from ..versus.repeat import command
from .bench import Bench, bench
from .panel import used
from .parting import Parting, parting_of, parting_tricks
from .where import Filter, parse_filter

SORTS = ("swing", "parting", "schneider", "loss")
_CHUNK, _AT_ONCE = 1 << 12, 64  # deals in a piece of work, pieces begun together

Trace = dict[str, Any]


class Seen(NamedTuple):
    """A deal worth seeing: its number and first leader, why it is, and both plays of it.

    value: by the key it was chosen by; points: of A, of B and, in A's place, of C, each minus the other side's;
    left, right: the traces of A against B, and of C (without one, of B) in A's place.
    """

    deal: int
    first_leader: str
    value: int
    points: dict[str, int]
    parting: Parting | None
    left: Trace
    right: Trace


@dataclass(frozen=True)
class Deals:
    """The deals worth seeing in those that were looked through; prints them side by side."""

    experiment: Experiment
    instead: Policy | None
    key: str
    where: str
    matching: int
    seen: tuple[Seen, ...]
    typed: tuple[str, ...]
    limit: int

    @property
    def other(self) -> str:
        """Who plays in A's place in the right play of a pair."""
        return "B" if self.instead is None else "C"

    @property
    def unit(self) -> str:
        """What a deal is worth is counted in."""
        return str(load_game(self.experiment.game).unit)

    def as_dict(self) -> dict[str, Any]:
        """The deals in the form of `deals --json`."""
        experiment = self.experiment
        match_up = experiment.match_up
        policies = {"A": str(match_up.a), "B": str(match_up.b)}
        policies |= {} if self.instead is None else {"C": str(self.instead)}
        return {
            "game": experiment.game, "rules": match_up.rules.as_dict(), "policies": policies, "seed": match_up.seed,
            "first": experiment.first, "deals": [self._as_dict(one) for one in self.seen],
            "looked_through": experiment.deals, "where": self.where or None, "matching": self.matching,
            "command": self.again, "version": __version__,
        }

    def _as_dict(self, one: Seen) -> dict[str, Any]:
        apart = None if one.parting is None else {
            "trick": one.parting.trick, "A": one.parting.first, self.other: one.parting.second}
        return {"deal": one.deal, "first_leader": one.first_leader, "key": self.key, "value": one.value,
                "points": one.points, "parting": apart}

    @property
    def again(self) -> str:
        """The command that finds the deals again."""
        words = [*self.typed[:2], *(["--instead", self.typed[2]] if self.instead else [])]
        words += ["--where", self.where] if self.where else []
        words += ["--sort", self.key, "--deals", str(self.experiment.deals), "--limit", str(self.limit)]
        return command("deals", words, self.experiment)

    def __str__(self) -> str:
        from .deals_text import report

        return report(self)


def deals(
    a: str,
    b: str,
    *,
    instead: str | None = None,
    where: str = "",
    sort: str = "swing",
    deals: int = 100_000,
    first: int = 0,
    limit: int = 10,
    game: str = "bohemian",
    variant: str | None = None,
    rules: Mapping[str, Any] | None = None,
    load: Files = (),
    seed: int = 1,
    threads: int | None = None,
    hear: Progress | None = None,
    defer_signals: DeferSignals = signals_at_once,
) -> Deals:
    """The deals of `first` … `first + deals - 1` that are most worth seeing, each with two plays of it.

    The two plays are A against B and, with `instead`, that policy C in A's place; without it both plays of a
    duplicate, in which B takes the place of A. where: a filter on plays, comparisons of the columns of `simulate
    --records`. sort: "swing", by how many points they differ; "parting", by how early they part; in Bohemian Schneider
    also "schneider", by the winner's honours, and "loss", by the points that A loses in the last six tricks against
    perfect play, where the rules have a table of endgames. hear: called with the deals done; defer_signals: see
    engines.threads.signals_at_once. Raises RequestError for a wrong request.
    """
    if sort not in SORTS:
        raise unknown("order", sort, SORTS)
    limit = parse_int(limit, "limit", 1, 10_000)
    experiment = make_experiment(a, b, game_name=game, variant=variant, rules=rules, deals=deals, seed=seed,
                                 first=first, load=load)
    search = _Search.of(experiment, instead, where, sort, load)
    with bench(threads, defer_signals) as at:
        matching, places = search.best(at, limit, hear)
        seen = at.map(search.seen, places)
    typed = (a, b, *([instead] if instead is not None else []))
    return Deals(experiment, search.instead, sort, where, matching, tuple(seen), typed, limit)


class _Place(NamedTuple):
    """A play that was found: its deal, whether B is first leader, its key, and its swing."""

    deal: int
    b_first: int
    value: int
    swing: int


@dataclass(frozen=True)
class _Search:
    """What is looked for: the match, C in A's place, the filter, and the order."""

    experiment: Experiment
    instead: Policy | None
    other: MatchUp
    keep: Filter | None
    sort: str

    @classmethod
    def of(cls, experiment: Experiment, instead: str | None, where: str, sort: str, load: Files) -> "_Search":
        game, match_up = load_game(experiment.game), experiment.match_up
        records = offered_records(game)
        duplicates(experiment)  # refuses rules under which no deal is worth anything
        if sort == "schneider" and "honours_a" not in records.COLUMNS:
            raise RequestError(f"no deal of {experiment.game} is a Schneider: sort by swing or parting, or filter, "
                               "such as --where 'points_a >= 12'")
        if sort == "loss":
            _losses(experiment)
        policy, other = None, match_up
        if instead is not None:
            grammar, plugins = load_all(as_sources(load), game.grammar)
            policy = grammar.parse(instead)
            other = replace(match_up, a=policy, plugins=used(plugins, policy, match_up.b))
        return cls(experiment, policy, other, parse_filter(where, records.COLUMNS) if where.strip() else None, sort)

    def best(self, at: Bench, limit: int, hear: Progress | None) -> tuple[int, list[_Place]]:
        """How many plays pass the filter, and the best `limit` of those that have something to see."""
        first, stop = self.experiment.first, self.experiment.first + self.experiment.deals
        starts, matching, best = range(first, stop, self._chunk), 0, list[_Place]()
        for some in (starts[k : k + _AT_ONCE] for k in range(0, len(starts), _AT_ONCE)):
            for count, places in at.map(lambda start: self._look(start, min(stop, start + self._chunk), limit), some):
                matching += count
                best += places
            best = sorted(best, key=self._order)[:limit]
            if hear:
                hear(min(stop, some[-1] + self._chunk) - first)
        return matching, best

    @property
    def _chunk(self) -> int:
        return min(_CHUNK, self.experiment.cut)

    def _order(self, place: _Place) -> tuple[int, int, int, int]:
        """Best first: the earliest parting, else the largest value; then the largest swing."""
        value = place.value if self.sort == "parting" else -abs(place.value)
        return value, -abs(place.swing), place.deal, place.b_first

    def _look(self, start: int, stop: int, limit: int) -> tuple[int, list[_Place]]:
        """The same for deals start..stop-1."""
        passed = np.ones((stop - start, 2), bool)
        columns: dict[str, Any] = {}
        if self.keep is not None or self.sort == "schneider":
            _, columns = record_range(self.experiment, start, stop)
        if self.keep is not None:
            passed = self.keep(columns).reshape(-1, 2)
        swings = self._swings(start, stop)
        values, there = (swings, swings != 0) if self.sort == "swing" else self._values(start, stop, columns)
        found = np.argwhere(passed & there)
        if self.instead is None and self.sort in ("swing", "parting"):
            found = found[np.unique(found[:, 0], return_index=True)[1]]  # both plays are seen at once
        deals, b_first = found.T
        key = values[deals, b_first] if self.sort == "parting" else -np.abs(values[deals, b_first])
        first = np.lexsort((b_first, deals, -np.abs(swings[deals, b_first]), key))[:limit]
        places = [_Place(start + deal, late, int(values[deal, late]), int(swings[deal, late]))
                  for deal, late in found[first].tolist()]
        return int(passed.sum()), places

    def _values(self, start: int, stop: int, columns: Any) -> tuple[Any, Any]:
        """The key of every play, [deals, 2] with A, with B first, and whether there is anything to see in it."""
        if self.sort == "schneider":
            honours = np.maximum(columns["honours_a"], columns["honours_b"]).reshape(-1, 2)
            return honours, honours >= self.experiment.match_up.rules.schneider_at
        if self.sort == "loss":
            losses = _losses(self.experiment).losses
            lost = np.stack([losses(self.experiment.match_up, start, stop, leader)[:, 0] for leader in "AB"], axis=1)
            return lost, lost > 0
        tricks = np.stack([parting_tricks(self.experiment.game, self.experiment.match_up, self.other, start, stop,
                                          (leader, self._right_leader(leader))) for leader in "AB"], axis=1)
        return tricks, tricks >= 0

    def _swings(self, start: int, stop: int) -> Any:
        """A's points in each play minus those of the one who takes its place: int64[deals, 2]."""
        game = load_game(self.experiment.game)
        ours = game.points_by_deal(self.experiment.match_up, start, stop)
        if self.instead is None:
            return np.repeat(ours.sum(axis=1)[:, None], 2, axis=1)
        return ours - game.points_by_deal(self.other, start, stop)

    def _right_leader(self, first_leader: str) -> str:
        return first_leader if self.instead is not None else "BA"["AB".index(first_leader)]

    def seen(self, place: _Place) -> Seen:
        """Both plays of a deal that was found."""
        game, leader = load_game(self.experiment.game), "AB"[place.b_first]
        left = game.trace(self.experiment.match_up, place.deal, leader)
        right = game.trace(self.other, place.deal, self._right_leader(leader))
        ours, theirs = (game.points_by_deal(match_up, place.deal, place.deal + 1)[0].tolist()
                        for match_up in (self.experiment.match_up, self.other))
        mine = ours[place.b_first]
        points = {"A": mine, "B": -mine} | ({} if self.instead is None else {"C": theirs[place.b_first]})
        apart = parting_of(self.experiment.game, left, right, self.instead is None)
        return Seen(place.deal, leader, place.value, points, apart, left, right)


def _losses(experiment: Experiment) -> Losses:
    """What each policy lost where perfect play is known; RequestError where that is not so."""
    found = load_game(experiment.game).losses
    if found is None or not found.known(experiment.match_up.rules):
        raise RequestError("--sort loss needs a table of endgames, as Bohemian Schneider has under standard rules; "
                           "sort by swing or parting, or ask 'schneider-sim analyse' which decisions lose most")
    return found
