"""What each legal move of a position is worth: worlds are played on until the moves are told apart or spent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..base.limits import LAST_DEAL
from ..base.text import parse_int
from ..engines.threads import DeferSignals, signals_at_once
from ..games import load_game
from ..games.protocol import Appraiser, Positions
from ..policy.grammar import Policy
from ..runs.experiment import Experiment, Files, make_experiment
from ..version import __version__
from ..versus.repeat import command
from .bench import bench
from .position_source import Source, part_of, rules_of
from .worths import Appraisers, Worth, exact_worth, race

WORLDS, MOST_WORLDS = 4096, 1 << 20


@dataclass(frozen=True)
class Valued:
    """A position and what its legal moves are worth, the best first; prints it for people."""

    experiment: Experiment
    position: Any
    method: str
    worlds: int
    choice: str
    cards: tuple[Worth, ...]
    typed: tuple[str, ...]

    @property
    def best(self) -> list[str]:
        """The moves that no other is shown to be better than."""
        return [one.card for one in self.cards if one.behind_low <= 0]

    @property
    def part(self) -> Positions:
        """What the game offers for positions."""
        return part_of(load_game(self.experiment.game))

    @property
    def kind(self) -> str:
        """What a move is: "card" or "call"."""
        return self.part.kind(self.position)

    @property
    def policies(self) -> dict[str, Policy]:
        """Who plays the rest of the deal."""
        return {"own": self.experiment.match_up.a, "other": self.experiment.match_up.b}

    @property
    def facts(self) -> dict[str, Any]:
        """The position as JSON has it."""
        return self.part.as_dict(self.experiment.match_up.rules, self.position)

    @property
    def again(self) -> str:
        """The command that says it again."""
        return command("position", self.typed, replace(self.experiment, first=0))

    def as_dict(self) -> dict[str, Any]:
        """The answer in the form of `position --json`."""
        match_up = self.experiment.match_up
        return {
            "game": self.experiment.game, "rules": match_up.rules.as_dict(),
            "policies": {side: str(policy) for side, policy in self.policies.items()}, "seed": match_up.seed,
            "position": self.facts, "method": self.method, "worlds": self.worlds, "choice": self.choice,
            "best": self.best, f"{self.kind}s": [one.as_dict(self.kind) for one in self.cards], "command": self.again,
            "version": __version__,
        }

    def __str__(self) -> str:
        from .position_text import report

        return report(self)


def position(
    policy: str,
    *,
    against: str | None = None,
    deal: int | None = None,
    trick: int | None = None,
    call: int | None = None,
    seat: int | None = None,
    trace: str | Path | Mapping[str, Any] | None = None,
    hand: str | Sequence[str] | None = None,
    led: str | None = None,
    played: str | Sequence[str] = (),
    honours: str | Sequence[int] | None = None,
    worlds: int = WORLDS,
    game: str = "bohemian",
    variant: str | None = None,
    rules: dict[str, Any] | None = None,
    load: Files = (),
    seed: int = 1,
    threads: int | None = None,
    defer_signals: DeferSignals = signals_at_once,
) -> Valued:
    """What each legal card is worth to the player to move, who plays `policy`, against `against` (default: the same).

    The position is trick `trick` of a deal (`deal`, `seat`), or of a trace (a file with one JSON object a line, of
    which `deal` picks one, or the object itself), or given by cards: own hand, the card led by the other player, the
    cards of the completed tricks, led and reply in turn. honours: own and the other's so far, such as "2:1", which is
    checked. Instead of a trick, `call` asks for the call of that number (from 1) of all before the first lead, in games
    that have calls. At most `worlds` worlds are tried. Raises RequestError for positions that cannot be.
    """
    source = Source(deal, trick, call, seat, trace, hand, led, played, honours)
    source.check()
    worlds = parse_int(worlds, "worlds", 2, MOST_WORLDS)
    threads = None if threads is None else parse_int(threads, "threads", 1, 1024)
    record = source.record()
    if record is not None:
        game, rules = record["game"], rules_of(record, variant, rules)
    number = parse_int(record["deal"] if record is not None else deal or 0, "deal", 0, LAST_DEAL)
    experiment = make_experiment(policy, policy if against is None else against, game_name=game, deals=1,
                                 variant=variant if record is None else None, rules=rules, first=number, seed=seed,
                                 load=load)
    part = part_of(load_game(game))
    found = source.position(part, experiment, record)
    typed = [policy, *(["--against", against] if against is not None else []), *source.words(part, experiment, found),
             *(["--worlds", str(worlds)] if worlds != WORLDS else [])]
    return Valued(experiment, found, *_valued(part, experiment, found, worlds, threads, defer_signals), tuple(typed))


def _valued(part: Positions, experiment: Experiment, found: Any, worlds: int, threads: int | None,
            defer_signals: DeferSignals) -> tuple[str, int, str, tuple[Worth, ...]]:
    """Method, worlds, choice and what the moves are worth."""
    match_up = experiment.match_up
    moves = part.moves(match_up.rules, found)

    def appraiser() -> Appraiser:
        inference = int(match_up.a.options.get("inference", "0"))
        return part.Appraiser(match_up, found, experiment.first, match_up.seed, inference)

    first = appraiser()
    choice, known = first.choice(), first.exact()
    if known is not None:
        return "exact", 1, choice, exact_worth(moves, known)
    with bench(threads, defer_signals) as at:
        cards = race(at, Appraisers(appraiser, first), moves, part.BLOCK, worlds, part.values(match_up, found))
    return "rollout", max(one.worlds for one in cards), choice, cards
