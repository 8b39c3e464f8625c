"""The detail of a run of Bauernschnapsen as tidy pandas frames: contracts, doubling, how games end, marriages.

Rows are by `side`, the policy concerned (A or B). In duplicates the two plays of a deal are not independent; their
intervals count half of the plays, which holds whatever the correlation. Intervals have the confidence level `level`.
"""

from typing import Any

import numpy as np
import pandas as pd

from ....base.tally import Tally
from ....stats.intervals import mean_estimate, wilson
from ..kernel.layout import V_VALUES
from ..rules.contracts import NAMES
from ..rules.switches import Rules
from . import readings
from .readings import Array

_SHARE = ("share", "low", "high", "n")
SEATS = ("caller", "left of the caller", "partner of the caller", "dealer")


def tables(tally: Tally, rules: Rules, design: str, level: float = 0.95) -> dict[str, pd.DataFrame]:
    """Every frame of a run, by name."""
    return {
        "game_points": game_points(tally, level=level),
        "contracts": contracts(tally, rules, design, level=level),
        "bids": bids(tally, rules, level=level),
        "doubling": doubling(tally, rules, design, confidence=level),
        "normal_games": normal_games(tally, design, level=level),
        "card_points": card_points(tally, level=level),
        "tricks": tricks(tally, level=level),
        "marriages": marriages(tally, design, level=level),
        "opening": opening(tally, level=level),
    }


def _halved(n: int, design: str) -> int:
    """The plays that an interval may count on."""
    return max(1, n // 2) if design == "duplicate" and n > 1 else n


def _rate(k: int, n: int, design: str, name: str, level: float) -> dict[str, Any]:
    count = _halved(n, design)
    low, high = wilson(k * count / n, count, level) if n else (0.0, 1.0)
    return {name: k / n if n else float("nan"), "low": low, "high": high, "n": n}


def game_points(tally: Tally, level: float = 0.95) -> pd.DataFrame:
    """How often each result came out: first_leader, v (A's game points minus B's), count, share, low, high, n."""
    rows = []
    for first, counts in zip("AB", tally["by_first_leader"], strict=True):
        total = int(counts.sum())
        rows += [{"first_leader": first, "v": value, "count": int(n),
                  **_rate(int(n), total, "independent", "share", level)}
                 for value, n in zip(V_VALUES, counts, strict=True) if n]
    return pd.DataFrame(rows, columns=["first_leader", "v", "count", *_SHARE])


def contracts(tally: Tally, rules: Rules, design: str, level: float = 0.95) -> pd.DataFrame:
    """What each contract does for the side that plays it, by seat of the declarer (`all` first).

    side, contract, seat, played (plays), share (of all plays), made (rate), low, high, earns (mean game points for the
    side, failures as minus), earns_low, earns_high. The normal game is `made` when the caller's side scores.
    """
    plays = int(tally["by_first_leader"].sum())
    by_policy, rows = readings.declared(tally), []
    for who, contract, seat in np.ndindex(2, len(NAMES), 5):
        part = by_policy[who, contract]
        cells = part.sum(axis=0) if seat == 0 else part[seat - 1]
        n = int(cells.sum())
        if n and not (seat == 1 and contract == 0):
            rate = _rate(int(cells[:, 1].sum()), n, design, "made", level)
            rate.pop("n")
            rows.append({"side": "AB"[who], "contract": NAMES[contract],
                         "seat": "all" if seat == 0 else SEATS[seat - 1], "played": n, "share": n / plays, **rate,
                         **_earnings(tally, rules, who, contract, cells, design, level)})
    return pd.DataFrame(rows)


def _earnings(tally: Tally, rules: Rules, who: int, contract: int, cells: Array, design: str,
              confidence: float, levels: tuple[int, ...] = (0, 1, 2, 3)) -> dict[str, float]:
    """Mean game points of the declarer's side at some levels of doubling, with its interval."""
    normal = tally["normal"][who].sum(axis=1)  # scoring side, 1 2 3, level
    parts = [readings.game_points(rules, contract, level, cells, normal) for level in levels]
    values, seen = (np.concatenate(column) for column in zip(*parts, strict=True))
    values, seen = values[seen > 0], seen[seen > 0]
    factor = 2**0.5 if design == "duplicate" else 1.0
    top = float(np.abs(values).max())
    found = mean_estimate(values, seen, confidence, -top, top)
    half = [(found.low - found.value) * factor, (found.high - found.value) * factor]
    return {"earns": found.value, "earns_low": max(-top, found.value + half[0]),
            "earns_high": min(top, found.value + half[1])}


def bids(tally: Tally, rules: Rules, level: float = 0.95) -> pd.DataFrame:
    """Calls made: side, seat, contract (PASS for passes), count, per_play (in a play of that side in that seat), n.

    A seat passes twice at most, and bids a contract once unless equal values may be held. The limits low and high hold
    for whatever is spread most within that.
    """
    table, rows = tally["bids"], []
    plays = tally["by_first_leader"].sum(axis=1)
    for first, seat, contract in np.ndindex(2, 4, len(NAMES)):
        n = int(table[first, seat, contract])
        if n:
            side = "AB"[first if seat % 2 == 0 else 1 - first]
            most = 1 if contract and rules.equal_rank == "not_allowed" else 2
            low, high = wilson(n / most, int(plays[first]), level)
            rows.append({"side": side, "seat": SEATS[seat], "contract": NAMES[contract] if contract else "PASS",
                         "count": n, "per_play": n / int(plays[first]), "low": most * low, "high": most * high,
                         "n": int(plays[first])})
    return pd.DataFrame(rows, columns=["side", "seat", "contract", "count", "per_play", "low", "high", "n"])


def doubling(tally: Tally, rules: Rules, design: str, confidence: float = 0.95) -> pd.DataFrame:
    """What doubling earns the declarer's side: side, contract, multiplier, played, made, low, high, n, earns.

    earns: mean game points, with earns_low and earns_high.
    """
    by_policy, rows = readings.declared(tally).sum(axis=2), []
    for who, contract, level in np.ndindex(2, len(NAMES), 4):
        failed, made = (int(x) for x in by_policy[who, contract, level])
        if not failed + made:
            continue
        cells = np.zeros((4, 2), np.int64)
        cells[level] = failed, made
        rows.append({"side": "AB"[who], "contract": NAMES[contract], "multiplier": 2**level, "played": made + failed,
                     **_rate(made, made + failed, design, "made", confidence),
                     **_earnings(tally, rules, who, contract, cells, design, confidence, (level,))})
    return pd.DataFrame(rows)


def normal_games(tally: Tally, design: str, level: float = 0.95) -> pd.DataFrame:
    """How normal games end: side (that scores), role (caller's or other), how, points, count, share, low, high, n."""
    table, rows = tally["normal"].sum(axis=4), []
    for first in (0, 1):
        total = int(table[first].sum())
        rows += [{"side": "AB"[first ^ one.side], "role": readings.SIDES[one.side], "how": readings.ENDS[one.how],
                  "points": one.points, "count": one.seen, **_rate(one.seen, total, design, "share", level)}
                 for one in readings.endings(table[first]) if one.seen]
    return pd.DataFrame(rows)


def card_points(tally: Tally, level: float = 0.95) -> pd.DataFrame:
    """Card points of the caller's side at the end of a normal game: side, points, count, share, low, high, n."""
    rows = []
    for first, counts in zip("AB", tally["card_points"], strict=True):
        rows += [{"side": first, "points": points, "count": int(n),
                  **_rate(int(n), int(counts.sum()), "independent", "share", level)}
                 for points, n in enumerate(counts) if n]
    return pd.DataFrame(rows, columns=["side", "points", "count", *_SHARE])


def tricks(tally: Tally, level: float = 0.95) -> pd.DataFrame:
    """Tricks in normal games: side (caller's), own, others, count, share, low, high, n."""
    rows = []
    for first, own, others in np.ndindex(2, 6, 6):
        n = int(tally["tricks"][first, own, others])
        if n:
            rows.append({"side": "AB"[first], "own": own, "others": others, "count": n,
                         **_rate(n, int(tally["tricks"][first].sum()), "independent", "share", level)})
    return pd.DataFrame(rows, columns=["side", "own", "others", "count", *_SHARE])


def marriages(tally: Tally, design: str, level: float = 0.95) -> pd.DataFrame:
    """Marriages: side, points (20, 40), held (in the hands dealt), announced, cashed; announced_rate of those held.

    cashed_rate: of those announced, with its limits; the others were void.
    """
    table, rows = tally["marriages"], []
    for who in (0, 1):
        rows += [{"side": "AB"[who], "points": points, "held": held, "announced": announced, "cashed": cashed,
                  **_rate(announced, held, design, "announced_rate", level),
                  **_cashed(_rate(cashed, announced, design, "cashed_rate", level))}
                 for points, held, announced, cashed in readings.marriages(table[who, 0] + table[1 - who, 1])]
    return pd.DataFrame(rows)


def _cashed(rate: dict[str, Any]) -> dict[str, Any]:
    return {"cashed_rate": rate["cashed_rate"], "cashed_low": rate["low"], "cashed_high": rate["high"]}


def opening(tally: Tally, level: float = 0.95) -> pd.DataFrame:
    """How trumps came about: side (caller's), named, turned_up (plays), redeals; turned_up_rate, low, high, n."""
    return pd.DataFrame([{"side": "AB"[first], "named": int(row[0]), "turned_up": int(row[1]), "redeals": int(row[2]),
                          **_rate(int(row[1]), int(row[0] + row[1]), "independent", "turned_up_rate", level)}
                         for first, row in enumerate(tally["opening"])])
