"""A policy against itself, both sides together: its contracts, doublings, normal games and marriages.

From the tally of independent deals. Every row holds estimates with 95 % intervals, and n counts independent plays.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...stats.intervals import mean_estimate, proportion_estimate
from ...stats.values import Estimate
from ...tally import Tally
from .contracts import NAMES
from .rules import Rules

Array = npt.NDArray[Any]
LEVELS = (1, 2, 4, 8)
DEFENDERS, DECLARERS = "defenders", "declarer's side"
SIDES = "caller's side", "other side"


def share(k: int, n: int) -> Estimate:
    """A share of independent plays with its interval."""
    return Estimate(*proportion_estimate(int(k), int(n)))


class Contract(NamedTuple):
    """A contract: deals in which it was bid, played; how often its side scored; game points of that side per play."""

    contract: str
    n: int
    bid: Estimate
    played: Estimate
    made: Estimate
    earns: Estimate


class Doubling(NamedTuple):
    """Deals of a kind of game at a multiplier, as the side sees them that spoke last (undoubled: the defenders).

    earns: its game points per deal; gain: how much of that its last doubling made, which is half; None when undoubled.
    """

    game: str
    multiplier: int
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


def contracts(tally: Tally, rules: Rules) -> list[Contract]:
    """Every contract that was bid or played, the most frequent first."""
    plays = int(tally["by_first_leader"].sum())
    bids = tally["bids"].sum(axis=(0, 1))
    outcome = tally["outcome"].sum(axis=(0, 2))  # contract, level, failed or made
    rows = []
    for place, name in enumerate(NAMES):
        n = int(outcome[place].sum())
        called = int(bids[place]) if place else 0
        if n or called:
            rows.append(Contract(name, n, share(min(called, plays), plays), share(n, plays),
                                 share(int(outcome[place, :, 1].sum()), n), _earns(tally, rules, place)))
    return sorted(rows, key=lambda row: -row.n)


def _values(tally: Tally, rules: Rules, place: int, level: int) -> tuple[Array, Array]:
    """Game points of the declarer's side in a contract's plays at a level, and how often each came out."""
    if place == 0:
        counts = tally["normal"].sum(axis=(0, 2))[:, :, level]  # scoring side, 1 2 3
        worth = np.array([1, 2, 3]) << level
        return np.concatenate([worth, -worth]), counts.reshape(-1)
    worth = np.array([rules.values[place]]) << level
    return np.concatenate([-worth, worth]), tally["outcome"].sum(axis=(0, 2))[place, level]


def _mean(parts: list[tuple[Array, Array]], factor: float = 1.0) -> Estimate:
    """The mean of a histogram in parts, with the interval of independent plays."""
    values, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    kept = counts > 0
    kept[np.argmax(values)] = kept[np.argmin(values)] = True
    return Estimate(*mean_estimate(factor * values[kept], counts[kept]))


def _earns(tally: Tally, rules: Rules, place: int) -> Estimate:
    seen = [level for level in range(4) if level == 0 or tally["outcome"][:, place, :, level].any()]
    return _mean([_values(tally, rules, place, level) for level in seen])


def doubling(tally: Tally, rules: Rules) -> list[Doubling]:
    """Normal games and all other contracts by multiplier; only those that were doubled at least once."""
    plays = int(tally["by_first_leader"].sum())
    outcome = tally["outcome"].sum(axis=(0, 2))
    rows = []
    for game, places in (("normal game", [0]), ("other contracts", list(range(1, len(NAMES))))):
        if not outcome[places, 1:].any():
            continue
        for level, multiplier in enumerate(LEVELS):
            parts = [_values(tally, rules, place, level) for place in places if outcome[place, level].any()]
            if not parts:
                continue
            side, sign = (DECLARERS, 1) if level == 2 else (DEFENDERS, -1)
            n = int(sum(counts.sum() for _, counts in parts))
            scored = int(sum(counts[sign * values > 0].sum() for values, counts in parts))
            earns = _mean(parts, sign)
            gain = earns._replace(value=earns.value / 2, low=earns.low / 2, high=earns.high / 2) if level else None
            rows.append(Doubling(game, multiplier, side, n, share(n, plays), share(scored, n), earns, gain))
    return rows


def endings(tally: Tally) -> list[Ending]:
    """How the normal games end, of all normal games."""
    table = tally["normal"].sum(axis=(0, 4))  # scoring side, 66 or last trick, 1 2 3
    total = int(table.sum())
    return [Ending(side, points, how, share(int(table[s, h, points - 1]), total))
            for s, side in enumerate(SIDES) for h, how in enumerate(("66", "last trick")) for points in (1, 2, 3)
            if total and not (h and points > 1)]


def marriages(tally: Tally) -> list[Marriage]:
    """Marriages of 20 and of 40 that were dealt."""
    plays = int(tally["by_first_leader"].sum())
    rows = []
    for kind, points in enumerate((20, 40)):
        dealt, announced, cashed = (int(k) for k in tally["marriages"].sum(axis=(0, 1))[kind])
        if dealt:
            rows.append(Marriage(points, dealt, dealt / plays, share(cashed, dealt), share(announced - cashed, dealt),
                                 share(dealt - announced, dealt)))
    return rows
