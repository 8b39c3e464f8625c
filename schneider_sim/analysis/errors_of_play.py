"""Where policies lose points: every decision against the best one, by trick, by situation, and the worst of all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..base.text import parse_int
from ..engines.threads import DeferSignals, Progress, signals_at_once
from ..errors import RequestError
from ..games import load_game
from ..games.protocol import Decisions
from ..runs.experiment import Experiment, Files, make_experiment
from ..stats.clusters import Ratio, cluster_ratio
from ..version import __version__
from ..versus.repeat import command
from ..versus.variations import strongest
from .bench import Bench, bench
from .situations import Situation, situations

MOST_WORLDS = 1 << 16
FRESH = 1 << 12  # at least this many worlds measure a single loss again
_TWO_SIDED = 1.96  # standard errors of a 95 % interval
_CHUNK, _AT_ONCE = 8, 32  # deals in a piece of work, pieces begun together

Trace = Mapping[str, Any]
Table = npt.NDArray[Any]


class Cell(NamedTuple):
    """The decisions of one policy in one trick and kind: how many, what one of them loses, and what they do in a play.
    """

    policy: str
    trick: int
    kind: str
    decisions: int
    loss: Ratio
    a_play: Ratio


class Error(NamedTuple):
    """A decision that lost: where, what was played, the better choice, and the loss on worlds that did not choose it.

    choices: all that could be played; marks: of the game; place: where else it is to be found, by name.
    """

    deal: int
    first_leader: str
    trick: int
    policy: str
    kind: str
    played: str
    better: str
    loss: float
    low: float
    high: float
    choices: tuple[str, ...] = ()
    marks: tuple[float, float] = (0.0, 0.0)
    place: tuple[tuple[str, int], ...] = ()

    @property
    def mark(self) -> str:
        """"?" for a wrong choice and "?!" for a dubious one, as chess and backgammon programs print them."""
        dubious, wrong = self.marks
        if self.low <= 0:
            return ""
        return "?" if self.loss >= wrong else "?!" if self.loss >= dubious else ""


class Annotated(NamedTuple):
    """A play with its errors, measured again."""

    trace: Trace
    errors: tuple[Error, ...]


@dataclass(frozen=True)
class Analysis:
    """What every decision lost in deals that two policies, or others, played.

    plays: how many; units: deals; loss: what "A" and "B" lose in a play. given: whether traces were analysed; then the
    policies are those that play the rest of each deal. annotated: the plays of the worst decisions.
    """

    experiment: Experiment
    worlds: int
    plays: int
    units: int
    loss: Mapping[str, Ratio]
    by_trick: tuple[Cell, ...]
    by_situation: tuple[Situation, ...]
    worst: tuple[Error, ...]
    annotated: tuple[Annotated, ...]
    typed: tuple[str, str]
    limit: int
    given: str = ""

    @property
    def unit(self) -> str:
        """What a play is worth is counted in."""
        return str(load_game(self.experiment.game).unit)

    @property
    def again(self) -> str:
        """The command that repeats the analysis."""
        words = list(self.typed)
        words += ["--traces", self.given] if self.given else ["--deals", str(self.experiment.deals)]
        words += ["--worlds", str(self.worlds), "--limit", str(self.limit)]
        experiment = self.experiment
        if self.given:  # the traces say the rules
            same = replace(experiment.match_up, rules=load_game(experiment.game).rules())
            experiment = replace(experiment, match_up=same)
        return command("analyse", words, experiment)

    def as_dict(self) -> dict[str, Any]:
        """The analysis in the form of `analyse --json`."""
        match_up = self.experiment.match_up
        where = {"traces": self.given} if self.given else {"first": self.experiment.first}
        return {
            "game": self.experiment.game, "rules": match_up.rules.as_dict(),
            "policies": {"A": str(match_up.a), "B": str(match_up.b)}, "seed": match_up.seed, **where,
            "deals": self.units, "plays": self.plays, "worlds": self.worlds,
            "loss": {who: {**_limits(loss, "value"), "n": loss.n} for who, loss in self.loss.items()},
            "by_trick": [{"policy": cell.policy, "trick": cell.trick, "kind": cell.kind, "decisions": cell.decisions,
                          **_limits(cell.loss)} for cell in self.by_trick],
            "by_situation": [{"policy": one.policy, "situation": one.words, "decisions": one.decisions,
                              **_limits(one.loss), "share": one.share} for one in self.by_situation],
            "worst": [error_row(one) for one in self.worst],
            "command": self.again, "version": __version__,
        }

    def __str__(self) -> str:
        from .errors_text import report

        return report(self)


def analyse(
    a: str | None = None,
    b: str | None = None,
    *,
    traces: Iterable[Trace] | None = None,
    deals: int = 1000,
    first: int = 0,
    worlds: int = 256,
    limit: int = 10,
    game: str = "bohemian",
    variant: str | None = None,
    rules: dict[str, Any] | None = None,
    load: Files = (),
    seed: int = 1,
    threads: int | None = None,
    given: str = "",
    hear: Progress | None = None,
    defer_signals: DeferSignals = signals_at_once,
) -> Analysis:
    """What A and B lose with every card and call, and where most, in duplicates or in the traces of any players.

    At every decision `worlds` deals as the player may imagine them choose the best card (or call), and as many others
    measure what the one played loses against it, in points; both policies play the rest without search, in Bohemian
    Schneider perfectly from the end of the stock on, where losses are exact. traces: plays in the form of `replay
    --json` instead, all of one game under the same rules; a and b play the rest of them. a, b: by default the best
    preset in words alone. limit: how many of the worst decisions are kept. given: the file of the traces, for repeating
    the command. Raises RequestError for a wrong request.
    """
    worlds = parse_int(worlds, "worlds", 1, MOST_WORLDS)
    limit = parse_int(limit, "limit", 1, 10_000)
    if traces is not None:
        if variant is not None or rules:
            raise RequestError("traces say the rules they were played by: leave out the variant and the rules")
        some = list(traces)
        game, rules = _common(some)
        deals, first, given = len(some), 0, given or "FILE"
    offered = offered_decisions(game)
    a = strongest(load_game(game).grammar) if a is None else a
    b = a if b is None else b
    experiment = make_experiment(a, b, game_name=game, variant=variant, rules=rules, deals=deals, seed=seed,
                                 first=first, load=load)
    work = _Work(experiment, offered, worlds, None if traces is None else some)
    with bench(threads, defer_signals) as at:
        table = work.table(at, hear)
        rows = table[worst_rows(table, limit)]
        errors = work.errors(at, rows)
        plays = at.map(lambda play: work.annotated(*play), work.plays_of(rows, table))
    found = situations(offered, table, worlds)
    return _analysis(work, table, found, errors, plays, (a, b), limit, given)


def offered_decisions(game_name: str) -> Decisions:
    """How the game measures decisions; RequestError for a game that does not."""
    found = load_game(game_name).decisions
    if found is None:
        raise RequestError(f"analyse cannot value the decisions of {game_name}; 'schneider-sim deals' shows where two "
                           "policies part")
    return found


def _common(traces: Sequence[Trace]) -> tuple[str, dict[str, Any]]:
    """The game and the rules of traces, each judged; RequestError where they are wrong or not all the same."""
    if not traces:
        raise RequestError("there is no trace: give one JSON object a line, as replay --json prints")
    name, rules = "", None
    for number, trace in enumerate(traces, start=1):
        if not isinstance(trace, Mapping) or not isinstance(trace.get("game"), str):
            raise RequestError(f"trace {number}: a trace is an object that names its game")
        game = load_game(trace["game"])
        try:
            game.judge(trace)
        except RequestError as error:
            raise RequestError(f"trace {number} is wrong: {error}") from None
        offered_decisions(trace["game"])
        own = game.rules(None, trace["rules"])
        if rules is not None and (trace["game"], own) != (name, rules):
            raise RequestError(f"trace {number} has another game or other rules than the first: analyse each by itself")
        name, rules = trace["game"], own
    assert rules is not None
    return name, rules.as_dict()


@dataclass(frozen=True)
class _Work:
    """The decisions that are looked at."""

    experiment: Experiment
    offered: Decisions
    worlds: int
    traces: Sequence[Trace] | None

    def table(self, at: Bench, hear: Progress | None) -> Table:
        """All decisions, in the order of the deals."""
        first, stop = self.experiment.first, self.experiment.first + self.experiment.deals
        starts, parts = range(first, stop, _CHUNK), list[Table]()
        for some in (starts[k : k + _AT_ONCE] for k in range(0, len(starts), _AT_ONCE)):
            parts += at.map(lambda start: self._piece(start, min(stop, start + _CHUNK)), some)
            if hear:
                hear(min(stop, some[-1] + _CHUNK) - first)
        table = np.concatenate(parts)
        if self.traces is not None:
            table["unit"] = self.units()[table["unit"]]
        return table

    def units(self) -> npt.NDArray[np.int64]:
        """The unit of each play: plays of one deal go together."""
        if self.traces is None:
            return np.repeat(np.arange(self.experiment.deals, dtype=np.int64), 2) + self.experiment.first
        numbers = {key: number for number, key in enumerate(dict.fromkeys(map(_deal_of, self.traces)))}
        return np.array([numbers[_deal_of(trace)] for trace in self.traces], np.int64)

    def _piece(self, start: int, stop: int) -> Table:
        if self.traces is None:
            return self.offered.decisions(self.experiment.match_up, start, stop, self.worlds)
        found = self.offered.of_traces(self.experiment.match_up, self.traces[start:stop], self.worlds)
        found["play"] = found["unit"] = found["unit"] + start
        return found

    def trace_of(self, row: Any) -> Trace:
        """The play of a decision."""
        if self.traces is not None:
            return self.traces[int(row["play"])]
        leader = "AB"[int(row["b_first"])]
        return load_game(self.experiment.game).trace(self.experiment.match_up, int(row["deal"]), leader)

    def errors(self, at: Bench, rows: Table) -> list[Error]:
        """The decisions of these rows, the losses measured again; the largest first."""
        found = at.map(lambda row: self._error(row, self.trace_of(row)), list(rows))
        return sorted(found, key=lambda one: (-one.loss, one.deal, one.first_leader, one.trick))

    def plays_of(self, rows: Table, table: Table) -> list[tuple[Trace, Table]]:
        """The plays of these rows, each with all of its decisions that seem to have lost."""
        names = ["deal", "b_first", "play"]
        keys = dict.fromkeys(tuple(int(row[name]) for name in names) for row in rows)
        lost = table[table["lost"] >= self.offered.MARKS[0] / 2 * self.worlds]
        some = [lost[np.all([lost[name] == value for name, value in zip(names, key, strict=True)], axis=0)]
                for key in keys]
        return [(self.trace_of(part[0]), part) for part in some if len(part)]

    def annotated(self, trace: Trace, rows: Table) -> Annotated:
        """A play with its decisions that lost."""
        return Annotated(trace, tuple(error for error in (self._error(row, trace) for row in rows) if error.mark))

    def _error(self, row: Any, trace: Trace) -> Error:
        match_up, offered, kind = self.experiment.match_up, self.offered, int(row["kind"])
        mean, error = offered.fresh(match_up, trace, row, self.worlds, max(self.worlds, FRESH))
        played, better = (offered.name(kind, int(row[which])) for which in ("played", "better"))
        return Error(int(row["deal"]), "AB"[int(row["b_first"])], int(row["trick"]), "AB"[int(row["policy"])],
                     offered.KINDS[kind], played, better, mean, mean - _TWO_SIDED * error,
                     mean + _TWO_SIDED * error,
                     tuple(offered.choices(match_up.rules, trace, row)), offered.MARKS,
                     tuple(offered.place(row).items()))


def worst_rows(table: Table, limit: int) -> npt.NDArray[np.int64]:
    """Where the decisions stand that lost most as they were measured."""
    lost = np.flatnonzero(table["lost"] > 0)
    order = np.lexsort((table["trick"][lost], table["b_first"][lost], table["deal"][lost], -table["lost"][lost]))
    return lost[order[:limit]]


def _deal_of(trace: Trace) -> tuple[Any, Any]:
    return trace["seed"], trace["deal"]


def _analysis(work: _Work, table: Table, found: list[Situation], errors: list[Error], shown: list[Annotated],
              typed: tuple[str, str], limit: int, given: str) -> Analysis:
    units, place = np.unique(table["unit"], return_inverse=True)
    played = work.units()
    plays_in, plays = np.bincount(np.searchsorted(units, played), minlength=len(units)), len(played)
    lost = table["lost"] / work.worlds

    def by_unit(where: Any, weights: Any = None) -> Any:
        return np.bincount(place[where], None if weights is None else weights[where], len(units))

    loss, cells = {}, list[Cell]()
    for side, who in enumerate("AB"):
        mine = table["policy"] == side
        loss[who] = cluster_ratio(by_unit(mine, lost), plays_in)
        for trick in np.unique(table["trick"]).tolist():
            for kind, name in enumerate(work.offered.KINDS):
                here = mine & (table["trick"] == trick) & (table["kind"] == kind)
                if here.any():
                    sums = by_unit(here, lost)
                    cells.append(Cell(who, trick, name, int(here.sum()), cluster_ratio(sums, by_unit(here)),
                                      cluster_ratio(sums, plays_in)))
    return Analysis(work.experiment, work.worlds, plays, len(units), loss, tuple(cells), tuple(found), tuple(errors),
                    tuple(shown), typed, limit, given)


def error_row(one: Error) -> dict[str, Any]:
    """A decision that lost, as JSON."""
    return {name: value for name, value in one._asdict().items() if name not in ("choices", "marks", "place")} | \
        dict(one.place)


def _limits(loss: Ratio, name: str = "loss") -> dict[str, float | None]:
    """A loss with its limits as JSON; no limits where one deal alone says nothing of others."""
    return {name: loss.value, "low": loss.low if loss.n > 1 else None, "high": loss.high if loss.n > 1 else None}

