"""Deals replayed one by one: A against B, and where it is asked for, another policy C in A's place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..base.limits import checked_deal
from ..base.text import shown
from ..errors import RequestError
from ..games import MatchUp, load_game
from ..policy.grammar import Policy
from ..policy.plugins import as_sources, load_all
from ..runs.experiment import Experiment, Files, make_experiment
from ..version import __version__
from ..versus.repeat import command
from . import deals_text
from .deals import Deals, Seen
from .panel import used
from .parting import parting_of, steps_of

Trace = dict[str, Any]


@dataclass(frozen=True)
class Replays:
    """The deals of an experiment to be replayed; other: the match-up with C in A's place, None without a C."""

    experiment: Experiment
    first_leader: str
    typed: tuple[str, ...]
    instead: Policy | None = None
    other: MatchUp | None = None

    @property
    def traces(self) -> Iterator[Trace]:
        """The plays of A against B in order."""
        first, stop = self.experiment.first, self.experiment.first + self.experiment.deals
        yield from load_game(self.experiment.game).traces(self.experiment.match_up, first, stop, self.first_leader)

    @property
    def pairs(self) -> Iterator[Seen]:
        """Both plays of every deal in order, of A and of C in A's place."""
        assert self.other is not None
        first, stop = self.experiment.first, self.experiment.first + self.experiment.deals
        others = load_game(self.experiment.game).traces(self.other, first, stop, self.first_leader)
        for left, right in zip(self.traces, others, strict=True):
            mine, theirs = (deals_text.points_of(trace, "A") for trace in (left, right))
            yield Seen(left["deal"], self.first_leader, mine - theirs, {"A": mine, "B": -mine, "C": theirs},
                       parting_of(self.experiment.game, left, right, False), left, right)

    def pair_as_dict(self, one: Seen) -> dict[str, Any]:
        """A pair in the form of `replay --instead --json`."""
        match_up, apart = self.experiment.match_up, one.parting
        return {
            "game": self.experiment.game, "seed": match_up.seed, "deal": one.deal, "first_leader": one.first_leader,
            "policies": {"A": str(match_up.a), "B": str(match_up.b), "C": str(self.instead)}, "points": one.points,
            "parting": None if apart is None else {"trick": apart.trick, "A": apart.first, "C": apart.second},
            "plays": {"A": one.left, "C": one.right}, "version": __version__}

    def side_by_side(self, one: Seen, style: Any) -> str:
        """A pair in lines for people."""
        return "\n".join(deals_text.deal(self.as_deals, one, style))

    @property
    def as_deals(self) -> Deals:
        """The same as deals worth seeing have it, without any of them."""
        return Deals(self.experiment, self.instead, "swing", "", 0, (), self.typed, 1)

    @property
    def again(self) -> str:
        """The command that replays the deals again."""
        first, last = self.experiment.first, self.experiment.first + self.experiment.deals - 1
        words = [*self.typed[:2], *(["--instead", self.typed[2]] if self.instead else []), "--deal", str(first)]
        words += ["--until", str(last)] if last > first else []
        words += ["--first-leader", self.first_leader] if self.first_leader != "A" else []
        return command("replay", words, replace(self.experiment, first=0))


def replays(a: str, b: str, deal: int, until: int | None = None, seed: int = 1, *, instead: str | None = None,
            first_leader: str = "A", game: str = "bohemian", variant: str | None = None,
            rules: Mapping[str, Any] | None = None, load: Files = (), score: tuple[int, int] = (0, 0)) -> Replays:
    """The deals `deal` … `until`, both included, by default `deal` alone; instead: a policy C to stand beside A.

    Raises RequestError.
    """
    deal = checked_deal(deal)
    last = deal if until is None else checked_deal(until, "until")
    if last < deal:
        raise RequestError(f"until must be from {deal} on (the last deal to replay), not {last}")
    if first_leader not in ("A", "B"):
        raise RequestError(f"first leader must be A or B, not '{shown(first_leader)}'")
    experiment = make_experiment(a, b, game_name=game, variant=variant, rules=rules, deals=last - deal + 1, seed=seed,
                                 first=deal, load=load, score=score)
    if instead is None:
        return Replays(experiment, first_leader, (a, b))
    steps_of(game)
    grammar, plugins = load_all(as_sources(load), load_game(game).grammar)
    policy, match_up = grammar.parse(instead), experiment.match_up
    other = replace(match_up, a=policy, plugins=used(plugins, policy, match_up.b))
    return Replays(experiment, first_leader, (a, b, instead), policy, other)
