"""Two policies: simulate, compare, plan, sessions, deals worth seeing, single deals, and a policy tuned."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import api
from ..base.limits import DEALS
from ..errors import RequestError
from ..runs.experiment import Files, make_experiment
from ..stats.values import tail
from ..versus.names import label
from .arguments import in_arguments
from .outcomes import Found, Simulated
from .playing import Kept, Player, Progress, bar, checked_threads, playing

if TYPE_CHECKING:
    import pandas as pd

    from ..engines.threads import Runner

Rules = Mapping[str, Any] | None


@in_arguments
def simulate(
    a: str, b: str, deals: int = 1_000_000, seed: int = 1, *, game: str = "bohemian", variant: str | None = None,
    rules: Rules = None, first: int = 0, design: str = "duplicate", threads: int | None = None, load: Files = (),
    detail: str = "sample", score: tuple[int, int] = (0, 0), level: float = 0.95, progress: Progress = None,
    play: "Runner | None" = None, engine: Player = None, store: Kept = None, fresh: bool = False,
    scheduler: str | None = None, records: str | Path | None = None,
    cards: bool = False,
) -> Simulated:
    """Play `deals` deals between the policies `a` and `b` and count everything.

    design: "duplicate" plays every deal twice, the policies changing seats; "independent" once, even deals with A as
    first leader. load: Python files with preferences, or functions that `preference` decorates; detail: "sample" or
    "all" (deals counted trick by trick); score: game points of A and B in the match before each deal, for policies that
    look at them (bauernschnapsen); level: of the intervals, 0.95; records: a .parquet file for one row of every play;
    cards: hands, stock and first lead among its columns.

    threads, engine, store, fresh, scheduler: who plays and where runs are kept, see docs/python.md; play: a Runner in
    place of all of them; progress: True for a bar, or a function of the number of deals done.

    Returns a Result: `summary` (statistic, value, low, high, n, method), `joint` (int64[21, 21]), `by_first_leader`
    (int64[21] each), `honours`, `tally_sha256`; figures "rates" and, in Bohemian Schneider, "honours". Raises
    RequestError (a ValueError) for a wrong request, RunError when a user's preference fails or a store breaks.
    """
    experiment = make_experiment(a, b, game_name=game, variant=variant, rules=rules, deals=deals, seed=seed,
                                 first=first, design=design, detail=detail, load=load, score=score)
    if play is not None and threads is not None:
        raise RequestError("threads and play exclude each other: `play` plays on threads of its own, such as "
                           "StoreRunner(threaded(2))")
    if play is not None and (engine is not None or store is not None or fresh or scheduler is not None or records):
        raise RequestError("play stands alone: leave out engine, store, fresh, scheduler and records, or play")
    from ..engines.threads import run

    if cards and records is None:
        raise RequestError("cards needs records: they are columns of its file")
    tail(level)  # refuses what is no level
    names = label(a, "A"), label(b, "B")
    with bar(progress, "deals", deals) as hear:
        if play is not None:
            return Simulated(experiment, run(experiment, progress=hear, play=play), level, names)
        with playing(engine, threads, store, fresh, scheduler) as keeping:
            if records is None:
                return Simulated(experiment, run(experiment, progress=hear, play=keeping), level, names)
            from ..store.records import write_records

            return Simulated(experiment, write_records(experiment, records, keeping, hear, cards), level, names)


@in_arguments
def compare(
    a: str, b: str, *, sprt: tuple[float, float] | None = None, alpha: float = 0.05, beta: float = 0.05,
    precision: float | None = None, max_deals: int = 10**9, game: str = "bohemian", variant: str | None = None,
    rules: Rules = None, load: Files = (), score: tuple[int, int] = (0, 0), seed: int = 1, first: int = 0,
    level: float = 0.95, threads: int | None = None, engine: Player = None, store: Kept = None, fresh: bool = False,
    scheduler: str | None = None, progress: Progress = None,
) -> Found:
    """Play duplicates of A and B until it is decided which is better, or by how much.

    sprt: (H0, H1), two edges in VP (game points) per deal that a sequential test tells apart with errors alpha and
    beta; precision: play until the edge is known within so much either way, by default 0.01. At most max_deals.

    Returns an outcome with `answer` ("H0", "H1", "precise", "undecided"), `status` (0, 3, 4, as the command's exit
    status), `estimate` (value, low, high, n, method) and the table `looks`; figure "looks". Raises RequestError.
    """
    from ..versus.compare import Precision, Sprt
    from ..versus.compare import compare as decide

    if sprt is None and (alpha, beta) != (0.05, 0.05):
        raise RequestError("alpha and beta are errors of a test: give sprt=(H0, H1) with them")
    if sprt is not None and precision is not None:
        raise RequestError("sprt and precision are two questions: ask one of them")
    if sprt is not None and (isinstance(sprt, str) or len(sprt) != 2):
        raise RequestError(f"sprt must be two numbers of points per deal, such as (0, 0.02), not {sprt!r}")
    question = Sprt(*sprt, alpha, beta) if sprt is not None else Precision(precision or 0.01, level) if (
        precision is None or precision) else Precision(precision, level)
    limit = min(max_deals, DEALS - first) if isinstance(first, int) and isinstance(max_deals, int) else max_deals
    experiment = make_experiment(a, b, game_name=game, variant=variant, rules=rules, deals=limit, seed=seed,
                                 first=first, load=load, score=score)
    with playing(engine, threads, store, fresh, scheduler) as play, bar(progress, "deals", None) as hear:
        verdict = decide(experiment, question, play, lambda look, _: hear(look.pairs) if hear else None, level)
    return Found("compare", replace(verdict, typed=(a, b)))


@in_arguments
def plan(
    a: str, b: str, *, difference: float | None = None, deals: int | None = None, alpha: float | None = None,
    power: float = 0.9, pilot: int = 16_384, game: str = "bohemian", variant: str | None = None, rules: Rules = None,
    load: Files = (), seed: int = 1, first: int = 0, level: float = 0.95, threads: int | None = None,
    progress: Progress = None,
) -> Found:
    """Say from a pilot how many deals a difference (VP per deal) needs, or what difference a number of deals can find.

    alpha: two-sided error, by default 1 - level; power: probability of seeing the difference; pilot: deals played to
    plan by, 2 to 10 million.

    Returns an outcome with `needed` (pairs, low, high, …), `missed` (the smallest difference that is found),
    `sentences()`. Raises RequestError where neither is asked or a difference is impossible.
    """
    from functools import partial

    from ..base.text import parse_int
    from ..engines.threads import in_order
    from ..stats.power import check
    from ..versus.plan import plan as planned
    from ..versus.plan import play_pilot

    if difference is None and deals is None:
        raise RequestError("a plan needs difference=D, or deals=N, or both")
    alpha = round(1.0 - level, 12) if alpha is None else alpha
    check(difference, alpha, power)
    deals = None if deals is None else parse_int(deals, "deals", 1, DEALS)
    experiment = make_experiment(a, b, game_name=game, variant=variant, rules=rules, load=load, seed=seed, first=first,
                                 deals=parse_int(pilot, "pilot", 2, 10**7))
    with bar(progress, "pilot", pilot) as hear:
        played = play_pilot(experiment, partial(in_order, threads=checked_threads(threads)), hear=hear)
    return Found("plan", planned(played, difference, deals, alpha, power))


@in_arguments
def play_sessions(
    a: str, b: str, count: int = 100_000, seed: int = 1, *, game: str = "bohemian", variant: str | None = None,
    rules: Rules = None, load: Files = (), level: float = 0.95, threads: int | None = None, progress: Progress = None,
) -> Found:
    """Play `count` whole sessions (matches) on deals from 0 on: first dealer, score and ties as the rules say.

    Returns an outcome whose `summary` has a row per statistic as played (value, low, high, n, method) beside the exact
    figure that follows from other deals (exact, exact_low, exact_high) and z, how many standard errors they are apart.
    Raises RequestError for a wrong request, RunError when a session does not end.
    """
    from ..versus.sessions import sessions

    with bar(progress, "sessions", count) as hear:
        return Found("sessions", sessions(a, b, count, seed, game=game, variant=variant, rules=rules, load=load,
                                          threads=checked_threads(threads), progress=hear, level=level))


@in_arguments
def replay(
    a: str, b: str, deal: int, seed: int = 1, *, first_leader: str = "A", game: str = "bohemian",
    variant: str | None = None, rules: Rules = None, load: Files = (), score: tuple[int, int] = (0, 0),
) -> dict[str, Any]:
    """The trace of one play of one deal as a dict, in the form of `replay --json`.

    deal: 0 to 2**63 - 1; first_leader: "A" or "B". It comes from the code path that counts the deal.
    """
    return api.replay(a, b, deal, seed, first_leader=first_leader, game=game, variant=variant, rules=rules, load=load,
                      score=score)


@in_arguments
def replays(
    a: str, b: str, deal: int, until: int, seed: int = 1, *, first_leader: str = "A", game: str = "bohemian",
    variant: str | None = None, rules: Rules = None, load: Files = (), score: tuple[int, int] = (0, 0),
) -> Iterator[dict[str, Any]]:
    """An iterator over the traces of deals `deal` … `until`, both included."""
    traces: Iterator[dict[str, Any]] = api.replays(a, b, deal, until, seed, first_leader=first_leader, game=game,
                                                   variant=variant, rules=rules, load=load, score=score)
    return traces


@in_arguments
def records(
    a: str, b: str, deals: int = 10_000, seed: int = 1, *, game: str = "bohemian", variant: str | None = None,
    rules: Rules = None, first: int = 0, design: str = "duplicate", load: Files = (), score: tuple[int, int] = (0, 0),
    cards: bool = False, threads: int | None = None, progress: Progress = None,
) -> "pd.DataFrame":
    """One row for every play, in order of the deals: the columns of `simulate --records`, in memory.

    In duplicates the play with A as first leader comes before that with B. Columns of text are categories, the others
    integers of the width that docs/statistics.md gives. cards: also hands (uint32,
    bit 8 * suit + rank, suits S H D C, ranks 7 to A), stock (text, top first) and first_lead. For more plays than
    memory holds: `simulate(records=FILE)`.
    """
    from ..store.records import records_frame

    experiment = make_experiment(a, b, game_name=game, variant=variant, rules=rules, deals=deals, seed=seed,
                                 first=first, design=design, load=load, score=score)
    with playing(None, threads) as play, bar(progress, "deals", deals) as hear:
        return records_frame(experiment, play, hear, cards)


@in_arguments
def deals(
    a: str, b: str, *, instead: str | None = None, where: str = "", sort: str = "swing", deals: int = 100_000,
    first: int = 0, limit: int = 10, game: str = "bohemian", variant: str | None = None, rules: Rules = None,
    load: Files = (), seed: int = 1, threads: int | None = None, progress: Progress = None,
    hear: Any = None,
) -> Found:
    """The deals worth seeing among `deals` from `first` on, each with two plays of it.

    The two are A against B and, with `instead`, that policy C in A's place; without it both plays of a duplicate.
    where: comparisons of the columns of `records`; sort: "swing" (points apart), "parting" (how early), and in Bohemian
    Schneider "schneider" and "loss"; limit: how many to give, 1 to 10,000.

    Returns an outcome with the table `deals` (deal, first_leader, key, value, points, parting) and `seen`, the same
    with both traces. Raises RequestError.
    """
    from ..analysis.deals import deals as look

    with bar(hear if progress is None else progress, "deals", deals) as heard:
        return Found("deals", look(a, b, instead=instead, where=where, sort=sort, deals=deals, first=first, limit=limit,
                                   game=game, variant=variant, rules=rules, load=load, seed=seed,
                                   threads=checked_threads(threads), hear=heard))


@in_arguments
def tune(start: Any, against: Sequence[str] = (), **request: Any) -> Found:
    """Climb from the policy `start` to better ones, measured against the policies `against` (by default itself).

    The arguments are those of schneider_sim.analysis.tune.tune: sections, words, numbers, spread, seconds, rounds,
    game, variant, rules, load, seed, threads, out, hear (a function of the Round that was played).

    Returns an outcome with `policy` (the text that was found), `edge` (value, low, high, n, method: over the start, on
    deals that chose nothing), `rounds`; figure "climb". Raises RequestError for a wrong request.
    """
    from ..analysis.tune import tune as climb

    return Found("tune", climb(start, against, **request))
