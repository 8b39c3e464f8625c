"""Questions about single decisions as functions: what cards are worth, what play loses, what a policy gives away."""

from typing import Any

from .arguments import in_arguments
from .outcomes import Found


@in_arguments
def analyse(a: str | None = None, b: str | None = None, **request: Any) -> Found:
    """What policies A and B lose with every card and call, and where most, in duplicates or in given traces.

    The arguments are those of schneider_sim.analysis.errors_of_play.analyse: traces, deals, first, worlds, limit, game,
    variant, rules, load, seed, threads.

    Returns an outcome with `loss`, the tables `by_trick`, `by_situation` and `worst`, and the figure "losses". Raises
    RequestError for a wrong request.
    """
    from ..analysis.errors_of_play import analyse as losses

    return Found("analyse", losses(a, b, **request))


@in_arguments
def position(policy: str, **request: Any) -> Found:
    """What each legal card or call of a position is worth to the player to move, who plays `policy`.

    The arguments are those of schneider_sim.analysis.position.position: against, deal, trick, call, seat, trace, hand,
    led, played, honours, worlds, game, variant, rules, load, seed, threads.

    Returns an outcome with the table of the cards or calls (card or call, value, low, high, honours, win, worlds,
    behind, behind_low, behind_high), `choice` and `best`. Raises RequestError for a position that cannot be.
    """
    from ..analysis.position import position as value

    return Found("position", value(policy, **request))


@in_arguments
def exploit(policy: str, **request: Any) -> Found:
    """A lower bound on what an opponent who knows `policy` wins from it, in points a deal.

    The arguments are those of schneider_sim.analysis.exploit.exploit: by, deals, first, game, variant, rules, load,
    seed, threads.

    Returns an outcome with `edge` and `endgame` (value, low, high, n, method). Raises RequestError.
    """
    from ..analysis.exploit import exploit as bound

    return Found("exploit", bound(policy, **request))
