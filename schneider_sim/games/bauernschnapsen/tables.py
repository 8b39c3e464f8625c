"""The detail of a run of Bauernschnapsen as tidy pandas frames: contracts, doubling, how games end, marriages.

Rows are by `side`, the policy concerned (A or B). In duplicates the two plays of a deal are not independent; their
intervals count half of the plays, which holds whatever the correlation. Intervals are 95 %.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ...stats.intervals import mean_estimate, wilson
from ...tally import Tally
from .contracts import NAMES
from .layout import V_VALUES
from .rules import Rules

Array = npt.NDArray[Any]
SEATS = ("caller", "left of the caller", "partner of the caller", "dealer")


def tables(tally: Tally, rules: Rules, design: str) -> dict[str, pd.DataFrame]:
    """Every frame of a run, by name."""
    return {
        "game_points": game_points(tally),
        "contracts": contracts(tally, rules, design),
        "bids": bids(tally),
        "doubling": doubling(tally, rules, design),
        "normal_games": normal_games(tally, design),
        "card_points": card_points(tally),
        "tricks": tricks(tally),
        "marriages": marriages(tally, design),
        "opening": opening(tally),
    }


def _halved(n: int, design: str) -> int:
    """The plays that an interval may count on."""
    return max(1, n // 2) if design == "duplicate" and n > 1 else n


def _rate(k: int, n: int, design: str, name: str) -> dict[str, Any]:
    count = _halved(n, design)
    low, high = wilson(k * count / n, count) if n else (0.0, 1.0)
    return {name: k / n if n else float("nan"), "low": low, "high": high, "n": n}


def _declared_by(tally: Tally) -> Array:
    """int64[2, contract, seat, level, 2]: outcomes by the policy of the declarer (A, B)."""
    outcome = tally["outcome"]  # first leader, contract, seat, level, made
    by_policy = np.zeros(outcome.shape, np.int64)
    for first in (0, 1):
        for seat in range(4):
            by_policy[first if seat % 2 == 0 else 1 - first, :, seat] += outcome[first, :, seat]
    return by_policy


def game_points(tally: Tally) -> pd.DataFrame:
    """How often each result came out: first_leader, v (A's game points minus B's), count, share."""
    rows = []
    for first, counts in zip("AB", tally["by_first_leader"], strict=True):
        total = int(counts.sum())
        rows += [{"first_leader": first, "v": value, "count": int(n), "share": n / total}
                 for value, n in zip(V_VALUES, counts, strict=True) if n]
    return pd.DataFrame(rows, columns=["first_leader", "v", "count", "share"])


def contracts(tally: Tally, rules: Rules, design: str) -> pd.DataFrame:
    """What each contract does for the side that plays it, by seat of the declarer (`all` first).

    side, contract, seat, played (plays), share (of all plays), made (rate), low, high, earns (mean game points for the
    side, failures as minus), earns_low, earns_high. The normal game is `made` when the caller's side scores.
    """
    plays = int(tally["by_first_leader"].sum())
    by_policy, rows = _declared_by(tally), []
    for who, contract, seat in np.ndindex(2, len(NAMES), 5):
        part = by_policy[who, contract]
        cells = part.sum(axis=0) if seat == 0 else part[seat - 1]
        n = int(cells.sum())
        if n and not (seat == 1 and contract == 0):
            rate = _rate(int(cells[:, 1].sum()), n, design, "made")
            rate.pop("n")
            rows.append({"side": "AB"[who], "contract": NAMES[contract],
                         "seat": "all" if seat == 0 else SEATS[seat - 1], "played": n, "share": n / plays, **rate,
                         **_earnings(tally, rules, who, contract, cells, design)})
    return pd.DataFrame(rows)


def _earnings(tally: Tally, rules: Rules, who: int, contract: int, cells: Array, design: str) -> dict[str, float]:
    """Mean game points of the declarer's side with its interval."""
    if contract == 0:
        side = tally["normal"][who].sum(axis=1)  # scoring side, 1 2 3, level
        counts = {(1 if s == 0 else -1) * (w + 1) * 2**level: 0 for s, w, level in np.ndindex(2, 3, 4)}
        for s, w, level in np.ndindex(2, 3, 4):
            counts[(1 if s == 0 else -1) * (w + 1) * 2**level] += int(side[s, w, level])
    else:
        value = rules.values[contract]
        counts = {sign * value * 2**level: int(cells[level, (sign + 1) // 2])
                  for sign in (-1, 1) for level in range(4)}
    values = np.array(list(counts), float)
    seen = np.array(list(counts.values()), np.int64)
    kept = seen > 0
    values, seen = values[kept], seen[kept]
    factor = 2**0.5 if design == "duplicate" else 1.0
    top = float(np.abs(values).max())
    found = mean_estimate(values, seen, 0.95, -top, top)
    half = [(found.low - found.value) * factor, (found.high - found.value) * factor]
    return {"earns": found.value, "earns_low": max(-top, found.value + half[0]),
            "earns_high": min(top, found.value + half[1])}


def bids(tally: Tally) -> pd.DataFrame:
    """Calls made: side, seat, contract (PASS for passes), count, per_play (in a play of that side in that seat)."""
    table, rows = tally["bids"], []
    plays = tally["by_first_leader"].sum(axis=1)
    for first, seat, contract in np.ndindex(2, 4, len(NAMES)):
        n = int(table[first, seat, contract])
        if n:
            side = "AB"[first if seat % 2 == 0 else 1 - first]
            rows.append({"side": side, "seat": SEATS[seat], "contract": NAMES[contract] if contract else "PASS",
                         "count": n, "per_play": n / int(plays[first])})
    return pd.DataFrame(rows, columns=["side", "seat", "contract", "count", "per_play"])


def doubling(tally: Tally, rules: Rules, design: str) -> pd.DataFrame:
    """What doubling earns the declarer's side: side, contract, multiplier, played, made, low, high, n, earns."""
    by_policy, rows = _declared_by(tally).sum(axis=2), []
    for who, contract, level in np.ndindex(2, len(NAMES), 4):
        failed, made = (int(x) for x in by_policy[who, contract, level])
        if not failed + made:
            continue
        if contract == 0:
            worth = tally["normal"][who, :, :, :, level].sum(axis=1) @ np.array([1, 2, 3])
            earned = int(worth[0] - worth[1]) * 2**level
        else:
            earned = rules.values[contract] * 2**level * (made - failed)
        rows.append({"side": "AB"[who], "contract": NAMES[contract], "multiplier": 2**level, "played": made + failed,
                     **_rate(made, made + failed, design, "made"), "earns": earned / (made + failed)})
    return pd.DataFrame(rows)


def normal_games(tally: Tally, design: str) -> pd.DataFrame:
    """How normal games end: side (that scores), role (caller's or other), how, points, count, share, low, high, n."""
    table, rows = tally["normal"].sum(axis=4), []
    for first, scores, how, worth in np.ndindex(2, 2, 2, 3):
        n, total = int(table[first, scores, how, worth]), int(table[first].sum())
        if n:
            rows.append({"side": "AB"[first ^ scores], "role": ("caller's side", "other side")[scores],
                         "how": ("66", "last trick")[how], "points": worth + 1, "count": n,
                         **_rate(n, total, design, "share")})
    return pd.DataFrame(rows)


def card_points(tally: Tally) -> pd.DataFrame:
    """Card points of the caller's side at the end of a normal game: side, points, count, share."""
    rows = []
    for first, counts in zip("AB", tally["card_points"], strict=True):
        rows += [{"side": first, "points": points, "count": int(n), "share": n / counts.sum()}
                 for points, n in enumerate(counts) if n]
    return pd.DataFrame(rows, columns=["side", "points", "count", "share"])


def tricks(tally: Tally) -> pd.DataFrame:
    """Tricks in normal games: side (caller's), own, others, count, share."""
    rows = []
    for first, own, others in np.ndindex(2, 6, 6):
        n = int(tally["tricks"][first, own, others])
        if n:
            rows.append({"side": "AB"[first], "own": own, "others": others, "count": n,
                         "share": n / int(tally["tricks"][first].sum())})
    return pd.DataFrame(rows, columns=["side", "own", "others", "count", "share"])


def marriages(tally: Tally, design: str) -> pd.DataFrame:
    """Marriages: side, points (20, 40), held (in the hands dealt), announced, cashed, rate announced of held."""
    table, rows = tally["marriages"], []
    for who, kind in np.ndindex(2, 2):
        held, announced, cashed = (int(x) for x in table[who, 0, kind] + table[1 - who, 1, kind])
        if held:
            rows.append({"side": "AB"[who], "points": (20, 40)[kind], "held": held, "announced": announced,
                         "cashed": cashed, **_rate(announced, held, design, "announced_rate")})
    return pd.DataFrame(rows)


def opening(tally: Tally) -> pd.DataFrame:
    """How trumps came about: side (caller's), named, turned_up (plays), redeals."""
    return pd.DataFrame([{"side": "AB"[first], "named": int(row[0]), "turned_up": int(row[1]), "redeals": int(row[2])}
                         for first, row in enumerate(tally["opening"])])
