"""Bauernschnapsen as the rest of the house sees it: policy text, rules, deals to tallies, deals to traces."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...base.cards import Pack
from ...base.estimate import Named
from ...base.tally import Counts, Layout, Tally
from ...policy.grammar import Grammar
from ..belongs import in_policies, read_rules
from ..protocol import Game, MatchUp, Switch, part
from .grammar import grammar, search_work
from .kernel.layout import LAYOUT, V_VALUES
from .rules import referee
from .rules.match import TARGET
from .rules.referee import PACK
from .rules.switches import SWITCHES, VARIANTS, Rules, make_rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ...stats import paired


class Bauernschnapsen(Game):
    """The game `bauernschnapsen`."""

    name = "bauernschnapsen"
    unit = "game points"
    version = 5
    score_limit = TARGET - 1
    pack: Pack = PACK
    layout: Layout = LAYOUT
    variants: Mapping[str, Mapping[str, str]] = VARIANTS
    switches: Mapping[str, Switch] = SWITCHES
    replay_page = part(".results.replay_page", "page")
    sessions = part(".results.sessions")
    records = part(".results.records")
    steps = part(".steps")
    report = part(".report.sections", "REPORT")

    @cached_property
    def grammar(self) -> Grammar:
        return replace(grammar(), elsewhere=in_policies(self.name))

    def rules(self, variant: str | None = None, overrides: Mapping[str, Any] | None = None) -> Rules:
        return read_rules(self.name, make_rules, variant, overrides)

    def play(self, match_up: MatchUp, start: int, stop: int) -> Counts:
        from .prepare import count

        return count(match_up, start, stop)

    def points_by_deal(self, match_up: MatchUp, start: int, stop: int) -> Counts:
        """V in both plays of each deal start..stop-1, with A, with B as first leader: int64[deals, 2]."""
        from .prepare import results

        return results(match_up, start, stop)

    def traces(self, match_up: MatchUp, start: int, stop: int, first_leader: str) -> Iterator[dict[str, Any]]:
        for deal in range(start, stop):
            yield self.trace(match_up, deal, first_leader)

    def trace(self, match_up: MatchUp, deal: int, first_leader: str = "A") -> dict[str, Any]:
        from .prepare import play_one
        from .results.trace import read_trace

        head = {"game": self.name, "rules": match_up.rules.as_dict(),
                "policies": {"A": str(match_up.a), "B": str(match_up.b)}, "seed": match_up.seed,
                "score": match_up.score_by_policy}
        return head | read_trace(play_one(match_up, deal, first_leader), deal, first_leader)

    @property
    def card_columns(self) -> Mapping[str, type]:
        return {**{f"hand_{seat}": int for seat in range(4)}, "first_lead": str}

    def cards(self, trace: Mapping[str, Any]) -> dict[str, Any]:
        hands = {f"hand_{seat}": self.pack.to_mask(cards) for seat, cards in enumerate(trace["hands"])}
        first = trace["tricks"][0]["cards"][:1] if trace["tricks"] else []
        return {**hands, "first_lead": first[0] if first else ""}

    def joint(self, tally: Tally, match_up: MatchUp) -> Counts | None:
        """int64[k, 3]: V with A as the caller's side, V with B, how many deals; None for independent deals."""
        import numpy as np

        if match_up.design != "duplicate":
            return None
        table, values = tally["joint"], np.array(V_VALUES)
        first, second = np.nonzero(table)
        return np.stack([values[first], values[second], table[first, second]], axis=1)

    def by_first_leader(self, tally: Tally) -> dict[str, Counts]:
        """For A and B as first leader int64[k, 2]: V and how many plays."""
        import numpy as np

        values = np.array(V_VALUES)
        split = tally["by_first_leader"]
        return {who: np.stack([values[row > 0], row[row > 0]], axis=1) for who, row in zip("AB", split, strict=True)}

    def estimates(self, tally: Tally, match_up: MatchUp, level: float = 0.95) -> list[Named]:
        from .results.estimates import estimates

        return estimates(tally, match_up, level)

    def meanings(self, match_up: MatchUp) -> dict[str, str]:
        from .results.meanings import meanings

        return meanings(match_up.rules)

    def remarks(self, match_up: MatchUp, a: str = "A", b: str = "B") -> tuple[str, ...]:
        from .results.meanings import remarks

        return remarks(match_up, a, b)

    def victory_pairs(self, tally: Tally, match_up: MatchUp) -> "paired.Pairs":
        from .results.estimates import victory_pairs

        return victory_pairs(tally, match_up)

    def victory_counts(self, tally: Tally, match_up: MatchUp) -> "tuple[npt.NDArray[np.float64], Counts, Counts]":
        from .results.estimates import victory_counts

        return victory_counts(tally, match_up)

    def judge(self, trace: Mapping[str, Any]) -> None:
        referee.judge(trace)

    def work(self, match_up: MatchUp) -> int:
        return max(super().work(match_up), *(search_work(policy) for policy in (match_up.a, match_up.b)))


GAME = Bauernschnapsen()
