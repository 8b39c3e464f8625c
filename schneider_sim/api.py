"""The library's functions: simulate a match-up, replay single deals of it."""

from collections.abc import Mapping
from typing import Any

from . import games
from .base.limits import checked_deal
from .engines.threads import Progress, Runner, run, runner_of
from .errors import RequestError
from .results.result import Result
from .runs.experiment import Files, make_experiment
from .stats.values import tail


def simulate(
    a: str,
    b: str,
    deals: int = 1_000_000,
    seed: int = 1,
    *,
    game: str = "bohemian",
    variant: str | None = None,
    rules: Mapping[str, Any] | None = None,
    first: int = 0,
    design: str = "duplicate",
    threads: int | None = None,
    load: Files = (),
    detail: str = "sample",
    score: tuple[int, int] = (0, 0),
    level: float = 0.95,
    progress: Progress | None = None,
    play: Runner | None = None,
) -> Result:
    """Play `deals` deals between the policies `a` and `b` and count everything.

    design: "duplicate" plays every deal twice, the policies changing seats; "independent" once, even deals with A as
    first leader. load: Python files with preferences; detail: "sample" or "all" (deals counted trick by trick);
    score: game points of A and B in the match before each deal, for policies that look at them (bauernschnapsen);
    level: of the intervals;
    progress: called with the number of deals done; play: who plays the ranges, such as a run.Player with a store, by
    default `threads` threads of this process (not both). Raises RequestError (a ValueError) for a wrong request,
    RunError when a user's preference fails.
    """
    experiment = make_experiment(a, b, game_name=game, variant=variant, rules=rules, deals=deals, seed=seed,
                                 first=first, design=design, detail=detail, load=load, score=score)
    tail(level)  # refuses what is no level
    return Result(experiment, run(experiment, progress=progress, play=runner_of(play, threads)), level)


def replay(
    a: str,
    b: str,
    deal: int,
    seed: int = 1,
    *,
    first_leader: str = "A",
    game: str = "bohemian",
    variant: str | None = None,
    rules: Mapping[str, Any] | None = None,
    load: Files = (),
    score: tuple[int, int] = (0, 0),
) -> dict[str, Any]:
    """The trace of one play of one deal, in the form of `replay --json`, from the code path that counts it."""
    return next(replays(a, b, deal, deal, seed, first_leader=first_leader, game=game, variant=variant, rules=rules,
                        load=load, score=score))


def replays(
    a: str,
    b: str,
    deal: int,
    until: int,
    seed: int = 1,
    *,
    first_leader: str = "A",
    game: str = "bohemian",
    variant: str | None = None,
    rules: Mapping[str, Any] | None = None,
    load: Files = (),
    score: tuple[int, int] = (0, 0),
) -> Any:
    """An iterator over the traces of deals `deal` … `until`, both included."""
    deal = checked_deal(deal)
    until = checked_deal(until, "until")
    if until < deal:
        raise RequestError(f"until must be from {deal} on (the last deal to replay), not {until}")
    if first_leader not in ("A", "B"):
        raise RequestError(f"first leader must be A or B, not '{first_leader}'")
    experiment = make_experiment(a, b, game_name=game, variant=variant, rules=rules, deals=until - deal + 1, seed=seed,
                                 first=deal, load=load, score=score)
    return games.load_game(game).traces(experiment.match_up, deal, until + 1, first_leader)
