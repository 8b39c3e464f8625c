"""A policy against itself, both sides together: its contracts, doublings, normal games and marriages.

From the tally of independent deals. Every row holds estimates with intervals at the level
`confidence`, and n counts independent plays.
"""

from typing import NamedTuple

import numpy as np

from ....base.tally import Tally
from ....stats.intervals import mean_estimate, proportion_estimate
from ....stats.values import Estimate
from ..rules.contracts import NAMES
from ..rules.switches import Rules
from . import readings
from .readings import ENDS, SIDES, Array, game_points

DEFENDERS, DECLARERS = "defenders", "declarer's side"


def share(k: int, n: int, level: float = 0.95) -> Estimate:
    """A share of independent plays with its interval."""
    return proportion_estimate(int(k), int(n), level)


class Contract(NamedTuple):
    """A contract: deals in which it was bid, played; how often its side scored; game points of that side per play."""

    contract: str
    n: int
    bid: Estimate
    played: Estimate
    made: Estimate
    earns: Estimate


class Doubling(NamedTuple):
    """Deals of a kind of game that were raised so often or oftener (step 1 to 3), as the side sees them that did it.

    Step 0: those that nobody doubled, as the defenders see them. earns: the side's game points per deal as it ended;
    gain: how much more than if the side had not raised, the cards being played alike; None for step 0. Both count what
    the other side's answer to it brought.
    """

    game: str
    step: int
    side: str
    n: int
    of_plays: Estimate
    scores: Estimate
    earns: Estimate
    gain: Estimate | None


class Ending(NamedTuple):
    """How normal games end: the share that ends so."""

    side: str
    points: int
    how: str
    share: Estimate


class Marriage(NamedTuple):
    """Marriages of 20 or 40: how many were dealt; of these announced and counted, announced in vain, kept."""

    points: int
    dealt: int
    per_deal: float
    counted: Estimate
    void: Estimate
    kept: Estimate


def contracts(tally: Tally, rules: Rules, confidence: float = 0.95) -> list[Contract]:
    """Every contract that was bid or played, the most frequent first."""
    plays = int(tally["by_first_leader"].sum())
    bids = tally["bids"].sum(axis=(0, 1))
    outcome = tally["outcome"].sum(axis=(0, 2))  # contract, level, failed or made
    rows = []
    for place, name in enumerate(NAMES):
        n = int(outcome[place].sum())
        called = int(bids[place]) if place else 0
        if n or called:
            rows.append(Contract(name, n, share(min(called, plays), plays, confidence), share(n, plays, confidence),
                                 share(int(outcome[place, :, 1].sum()), n, confidence),
                                 _earns(tally, rules, place, confidence)))
    return sorted(rows, key=lambda row: -row.n)


def _values(tally: Tally, rules: Rules, place: int, level: int) -> tuple[Array, Array]:
    """Game points of the declarer's side in a contract's plays at a level, and how often each came out."""
    return game_points(rules, place, level, tally["outcome"].sum(axis=(0, 2))[place], tally["normal"].sum(axis=(0, 2)))


def _mean(parts: list[tuple[Array, Array]], confidence: float) -> Estimate:
    """The mean of a histogram in parts, with the interval of independent plays."""
    values, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    kept = counts > 0
    kept[np.argmax(values)] = kept[np.argmin(values)] = True
    return mean_estimate(values[kept], counts[kept], confidence)


def _earns(tally: Tally, rules: Rules, place: int, confidence: float) -> Estimate:
    seen = [level for level in range(4) if level == 0 or tally["outcome"][:, place, :, level].any()]
    return _mean([_values(tally, rules, place, level) for level in seen], confidence)


def doubling(tally: Tally, rules: Rules, confidence: float = 0.95) -> list[Doubling]:
    """Normal games and all other contracts by how often they were raised; only those that were doubled at all."""
    plays = int(tally["by_first_leader"].sum())
    outcome = tally["outcome"].sum(axis=(0, 2))
    rows = []
    for game, places in (("normal game", [0]), ("other contracts", list(range(1, len(NAMES))))):
        for step in range(4) if outcome[places, 1:].any() else ():
            levels = (0,) if step == 0 else range(step, 4)
            seen = [(level, place) for level in levels for place in places if outcome[place, level].any()]
            if not seen:
                continue
            side, sign = (DECLARERS, 1) if step == 2 else (DEFENDERS, -1)
            parts = [(sign * values, counts) for values, counts in
                     (_values(tally, rules, place, level) for level, place in seen)]
            n = int(sum(counts.sum() for _, counts in parts))
            scored = int(sum(counts[values > 0].sum() for values, counts in parts))
            # at a final multiplier of 2 ** level the raise to 2 ** step made all but 2 ** (step - 1) of it
            raised = [(values * (2**level - 2 ** (step - 1)) // 2**level, counts)
                      for (level, _), (values, counts) in zip(seen, parts, strict=True)] if step else []
            rows.append(Doubling(game, step, side, n, share(n, plays, confidence), share(scored, n, confidence),
                                 _mean(parts, confidence), _mean(raised, confidence) if step else None))
    return rows


def endings(tally: Tally, confidence: float = 0.95) -> list[Ending]:
    """How the normal games end, of all normal games."""
    table = tally["normal"].sum(axis=(0, 4))  # scoring side, 66 or last trick, 1 2 3
    total = int(table.sum())
    return [Ending(SIDES[one.side], one.points, ENDS[one.how], share(one.seen, total, confidence))
            for one in readings.endings(table) if total and not (one.how and one.points > 1)]


def marriages(tally: Tally, confidence: float = 0.95) -> list[Marriage]:
    """Marriages of 20 and of 40 that were dealt."""
    plays = int(tally["by_first_leader"].sum())
    return [Marriage(points, dealt, dealt / plays, share(cashed, dealt, confidence),
                     share(announced - cashed, dealt, confidence), share(dealt - announced, dealt, confidence))
            for points, dealt, announced, cashed in readings.marriages(tally["marriages"].sum(axis=(0, 1)))]
