"""A third game in one file: six cards, two players, three tricks, the higher card wins; who takes more tricks scores 1.

It is what docs/architecture.md, "How to add a game", describes at its smallest, and no part of the program.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from schneider_sim.base.cards import Pack
from schneider_sim.base.estimate import Named
from schneider_sim.base.tally import Counts, Layout, Tally
from schneider_sim.base.text import unknown
from schneider_sim.errors import RequestError
from schneider_sim.games import Game, MatchUp
from schneider_sim.policy.grammar import Grammar, Policy, Preset, Section
from schneider_sim.stats import intervals, paired

PACK = Pack("9TJQKA")  # of which the game uses the spades
CARDS = PACK.cards[:6]
WORTH = np.array([-1.0, -1.0, 1.0, 1.0])  # a play by A's tricks
WORDS = {"high": "the highest card", "low": "the lowest card"}


@dataclass(frozen=True)
class Rules:
    """The one rule that may be set: whether a tie-break card is turned, which changes nothing but the name."""

    turned: str = "off"

    def as_dict(self) -> dict[str, Any]:
        return {"turned": self.turned}


@dataclass(frozen=True)
class Switch:
    """A rule that may be set."""

    form: str
    meaning: str


class Tiny(Game):
    """The game `tiny`."""

    name = "tiny"
    version = 1
    unit = "points"
    pack = PACK
    layout = Layout({"joint": (4, 4), "tricks": (2, 4)})  # A's tricks as first leader and as second; by first leader
    variants: Mapping[str, Mapping[str, str]] = MappingProxyType({"standard": {}})
    switches: Mapping[str, Any] = MappingProxyType({"turned": Switch("off | on", "whether a card is turned up")})

    @property
    def grammar(self) -> Grammar:
        presets = {"random": Preset("lead:; follow:", "any card"),
                   "top": Preset("lead: high; follow: high", "the best first")}
        return Grammar((Section("lead", WORDS), Section("follow", WORDS)), presets, options=())

    def rules(self, variant: str | None = None, overrides: Mapping[str, Any] | None = None) -> Rules:
        if variant not in (None, "standard"):
            raise unknown("variant", str(variant), self.variants)
        for key, value in (overrides or {}).items():
            if key not in self.switches:
                raise unknown("rule", key, self.switches)
            if value not in ("off", "on"):
                raise RequestError(f"turned must be off or on, not '{value}'")
        return Rules(**(overrides or {}))

    def play(self, match_up: MatchUp, start: int, stop: int) -> Counts:
        joint, by_leader = np.zeros((4, 4), np.int64), np.zeros((2, 4), np.int64)
        for deal in range(start, stop):
            leaders = "AB" if match_up.design == "duplicate" else "AB"[deal % 2]
            tricks = [trace_of(match_up, deal, leader)["tricks_won"]["A"] for leader in leaders]
            for leader, won in zip(leaders, tricks, strict=True):
                by_leader["AB".index(leader), won] += 1
            if len(tricks) == 2:
                joint[tricks[0], tricks[1]] += 1
        return np.concatenate([joint.ravel(), by_leader.ravel()])

    def traces(self, match_up: MatchUp, start: int, stop: int, first_leader: str) -> Iterator[dict[str, Any]]:
        for deal in range(start, stop):
            yield trace_of(match_up, deal, first_leader)

    def judge(self, trace: Mapping[str, Any]) -> None:
        for number, trick in enumerate(trace["tricks"], start=1):
            won = CARDS.index(trick["reply"]) > CARDS.index(trick["led"])
            if won != (trick["winner"] != trick["leader"]):
                raise RequestError(f"trick {number}: the higher card wins, which is not {trick['winner']}'s")

    def joint(self, tally: Tally, match_up: MatchUp) -> Counts | None:
        return tally["joint"] if match_up.design == "duplicate" else None

    def by_first_leader(self, tally: Tally) -> dict[str, Counts]:
        return dict(zip("AB", tally["tricks"], strict=True))

    def estimates(self, tally: Tally, match_up: MatchUp, level: float = 0.95) -> list[Named]:
        wins = int(tally["tricks"][:, 2:].sum())
        named = {"win_rate": intervals.proportion_estimate(wins, int(tally["tricks"].sum()), level)}
        if match_up.design == "duplicate":
            pairs = self.victory_pairs(tally, match_up)
            named |= {"vp_per_deal": paired.edge(*pairs, level, -1.0, 1.0),
                      "first_leader_advantage": paired.first_leader_advantage(*pairs, level, -1.0, 1.0)}
        else:
            counts = self.victory_counts(tally, match_up)
            named |= {"vp_per_deal": paired.edge_independent(*counts, level, -1.0, 1.0),
                      "first_leader_advantage": paired.first_leader_advantage_independent(*counts, level, -1.0, 1.0)}
        return [Named(name, *estimate) for name, estimate in named.items()]

    def victory_pairs(self, tally: Tally, match_up: MatchUp) -> paired.Pairs:
        return paired.from_table(tally["joint"], WORTH)

    def victory_counts(self, tally: Tally, match_up: MatchUp) -> tuple[Any, Counts, Counts]:
        return WORTH, *tally["tricks"]

    def meanings(self, match_up: MatchUp) -> dict[str, str]:
        return {"win_rate": "plays in which A takes two tricks or more", "vp_per_deal": "A's points minus B's",
                "first_leader_advantage": "half of what leading first is worth"}


def trace_of(match_up: MatchUp, deal: int, first_leader: str) -> dict[str, Any]:
    """One play; the cards depend on seed and deal alone, a seat's chance on the trick as well."""
    cards = list(CARDS)
    random.Random(f"{match_up.seed} {deal}").shuffle(cards)
    other = {"A": "B", "B": "A"}
    hands = {first_leader: cards[:3], other[first_leader]: cards[3:]}
    policies, seats = {"A": match_up.a, "B": match_up.b}, {first_leader: 0, other[first_leader]: 1}
    trace: dict[str, Any] = {
        "game": "tiny", "rules": match_up.rules.as_dict(), "policies": {"A": str(match_up.a), "B": str(match_up.b)},
        "seed": match_up.seed, "deal": deal, "first_leader": first_leader,
        "hands": {who: list(hand) for who, hand in sorted(hands.items())}, "tricks": [],
    }
    leader, won = first_leader, {"A": 0, "B": 0}
    for number in range(3):
        chosen = {}
        for who, section in ((leader, "lead"), (other[leader], "follow")):
            luck = random.Random(f"{match_up.seed} {deal} {seats[who]} {number}")
            chosen[who] = card_of(policies[who], section, hands[who], luck)
            hands[who].remove(chosen[who])
        led, reply = chosen[leader], chosen[other[leader]]
        winner = other[leader] if CARDS.index(reply) > CARDS.index(led) else leader
        trace["tricks"].append({"leader": leader, "led": led, "reply": reply, "winner": winner})
        won[winner] += 1
        leader = winner
    return trace | {"tricks_won": won}


def card_of(policy: Policy, section: str, hand: list[str], luck: random.Random) -> str:
    for word in policy.sections[section]:
        return (max if word == "high" else min)(hand, key=CARDS.index)
    return luck.choice(hand)


GAME = Tiny()
