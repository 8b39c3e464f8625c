"""The detail of a run of Bohemian Schneider as tidy pandas frames: trick by trick, lead by lead, reply by reply.

Detail is counted on a sample of the deals (all of them under detail="all"), so every frame says its own n: the plays,
leads or replies in the sample that a row rests on. Intervals have the confidence
level `level`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ...base.tally import Counts, Tally
from ...stats.bands import simultaneous_pmf
from ...stats.intervals import wilson
from ...stats.values import two_sided_z
from .layout import CAPTURED, KINDS
from .rules import HONOUR_RANKS, PACK

RANKS = PACK.ranks
_WHO = ("A", "B")
_FIRST_HONOUR = RANKS.index(HONOUR_RANKS[0])

Array = npt.NDArray[Any]


def tables(tally: Tally, design: str, level: float = 0.95) -> dict[str, pd.DataFrame]:
    """Every frame of a run, by name."""
    return {
        "honour_flow": honour_flow(tally, level),
        "lead_success": lead_success(tally, design, level=level),
        "replies": replies(tally, design, level),
        "lead_changes": lead_changes(tally, level),
        "stock_end": stock_end(tally),
        "tricks": tricks(tally),
        "endgame_losses": endgame_losses(tally, design, level),
        "endgame_points": endgame_points(tally, design, level),
    }


def honours(by_first_leader: Mapping[str, Counts], level: float = 0.95) -> pd.DataFrame:
    """One row per (first_leader, honours of A): count, share and the simultaneous band of the 21 shares at `level`."""
    rows: list[dict[str, Any]] = []
    for leader, counts in by_first_leader.items():
        band, total = simultaneous_pmf(counts, level), int(counts.sum())
        for k, count in enumerate(counts.tolist()):
            rows.append({"first_leader": leader, "honours": k, "count": count, "share": count / total if total else 0.0,
                         "low": float(band.low[k]), "high": float(band.high[k])})
    return pd.DataFrame(rows)


def captured(tally: Tally) -> Array:
    """int64[2, 16, 2, 3]: plays of the sample by first leader, trick, player (A, B), honours captured (0, 1, 2)."""
    event = tally["event"].sum(axis=4)  # first leader, trick, leader, led rank, reply rank, kind
    led = np.stack([event[:, :, :, :_FIRST_HONOUR].sum(axis=3), event[:, :, :, _FIRST_HONOUR:].sum(axis=3)], axis=3)
    both = np.stack([led[..., :_FIRST_HONOUR, :].sum(axis=4), led[..., _FIRST_HONOUR:, :].sum(axis=4)], axis=4)
    held, lost = both.sum(axis=5) - both[..., CAPTURED], both[..., CAPTURED]
    by_winner = held + lost[:, :, ::-1]
    counts = np.zeros((2, 16, 2, 3), np.int64)
    counts[..., 1] = by_winner[..., 0, 1] + by_winner[..., 1, 0]
    counts[..., 2] = by_winner[..., 1, 1]
    counts[..., 0] = by_winner.sum(axis=(2, 3, 4))[:, :, None] - counts[..., 1] - counts[..., 2]
    return counts


def honour_flow(tally: Tally, level: float = 0.95) -> pd.DataFrame:
    """Mean honours that a player captures in a trick: first_leader, player, trick, honours, low, high, n (plays)."""
    counts = captured(tally)
    rows = [
        {"first_leader": _WHO[f], "player": _WHO[p], "trick": t + 1, **_mean(counts[f, t, p], level)}
        for f, p, t in np.ndindex(2, 2, 16) if counts[f, t, p].any()
    ]
    return pd.DataFrame(rows, columns=["first_leader", "player", "trick", "honours", "low", "high", "n"])


def self_play_flow(tally: Tally, level: float = 0.95) -> pd.DataFrame:
    """Honour flow of a policy against itself, deals independent: side (first, second), trick, honours, low, high, n."""
    counts = captured(tally)
    by_side = {"first": counts[0, :, 0] + counts[1, :, 1], "second": counts[0, :, 1] + counts[1, :, 0]}
    rows = [{"side": side, "trick": t + 1, **_mean(part[t], level)} for side, part in by_side.items()
            for t in range(16)]
    return pd.DataFrame(rows)


def _mean(counts: Array, level: float) -> dict[str, Any]:
    """Mean of 0, 1, 2 honours in independent plays with its normal interval, kept within 0 to 2."""
    n = int(counts.sum())
    if n == 0:
        return {"honours": float("nan"), "low": 0.0, "high": 2.0, "n": 0}
    mean = (int(counts[1]) + 2 * int(counts[2])) / n
    variance = (int(counts[1]) + 4 * int(counts[2])) / n - mean * mean
    # One play that captured one honour more is added to the variance, so that few plays never look certain.
    half = two_sided_z(level) * ((variance + 1 / n) / n) ** 0.5
    return {"honours": mean, "low": max(0.0, mean - half), "high": min(2.0, mean + half), "n": n}


def lead_success(tally: Tally, design: str, by: tuple[str, ...] = ("player", "trick", "rank", "safe"),
                 level: float = 0.95) -> pd.DataFrame:
    """How often a led card won its trick: the columns `by`, then held, n (leads), success, low, high (Wilson).

    by: any of player (who led), trick, rank, safe (no card that its leader could not place would capture it). In
    duplicates the two plays of a deal are not independent, and the interval counts half of the leads, which holds
    whatever their correlation.
    """
    event = tally["event"].sum(axis=(0, 5))  # trick, player, rank, safe, kind
    axes = {"trick": 0, "player": 1, "rank": 2, "safe": 3}
    names = {"trick": range(1, 17), "player": _WHO, "rank": RANKS, "safe": (False, True)}
    kept = sorted(by, key=lambda name: axes[name])
    table = event.sum(axis=tuple(place for name, place in axes.items() if name not in by))
    rows = []
    for index in np.ndindex(*table.shape[:-1]):
        n = int(table[index].sum())
        if n:
            labels = {axis: names[axis][place] for axis, place in zip(kept, index, strict=True)}
            rows.append({**{axis: labels[axis] for axis in by}, **_rate(n - int(table[index][CAPTURED]), n, "held",
                                                                        "success", design, level)})
    return pd.DataFrame(rows, columns=[*by, "held", "n", "success", "low", "high"])


def replies(tally: Tally, design: str, level: float = 0.95) -> pd.DataFrame:
    """What became of each rank as a reply: player, rank, kind, count, n (replies of that rank), share, low, high.

    kind: captured; declined (a card in hand could have captured, this one did not); discarded (none could).
    """
    table = tally["event"].sum(axis=(0, 1, 3, 4))[::-1]  # player who replied, rank, kind
    rows = []
    for p, rank in np.ndindex(2, 8):
        n = int(table[p, rank].sum())
        for kind, name in enumerate(KINDS):
            if n:
                rows.append({"player": _WHO[p], "rank": RANKS[rank], "kind": name,
                             **_rate(int(table[p, rank, kind]), n, "count", "share", design, level)})
    return pd.DataFrame(rows, columns=["player", "rank", "kind", "count", "n", "share", "low", "high"])


def _rate(k: int, n: int, count: str, share: str, design: str, level: float) -> dict[str, Any]:
    units = 0.5 if design == "duplicate" else 1.0
    interval = wilson(k * units, n * units, level)
    return {count: k, "n": n, share: k / n, "low": interval.low, "high": interval.high}


def lead_changes(tally: Tally, level: float = 0.95) -> pd.DataFrame:
    """How often leads were captured in a play: first_leader, changes, count, share, low, high (all at once), n."""
    return pd.DataFrame(_histograms(tally["lead_changes"], "changes", level))


def _histograms(counts: Array, what: str, level: float) -> Iterator[dict[str, Any]]:
    for f, row in enumerate(counts):
        band, n = simultaneous_pmf(row, level), int(row.sum())
        for k, count in enumerate(row.tolist()):
            yield {"first_leader": _WHO[f], what: k, "count": count, "share": count / n if n else 0.0,
                   "low": float(band.low[k]), "high": float(band.high[k]), "n": n}


def stock_end(tally: Tally) -> pd.DataFrame:
    """A's honours when the stock runs out x at the end: first_leader, at_stock_end, final, count, n (plays)."""
    return _joint(tally["stock_end"], "at_stock_end", "final")


def tricks(tally: Tally) -> pd.DataFrame:
    """A's tricks x honours: first_leader, tricks, honours, count, n (all plays)."""
    return _joint(tally["outcome"], "tricks", "honours")


def _joint(counts: Array, row: str, column: str) -> pd.DataFrame:
    """The cells of two joint tables that were seen."""
    f, x, y = np.nonzero(counts)
    return pd.DataFrame({"first_leader": np.array(_WHO)[f], row: x, column: y, "count": counts[f, x, y],
                         "n": counts.sum(axis=(1, 2))[f]})


def endgame_losses(tally: Tally, design: str, level: float = 0.95) -> pd.DataFrame:
    """Honours lost by a card of the last six tricks against perfect play: player, trick, kind (lead, reply), lost,
    low, high, n (decisions, forced ones too). Empty where that is not counted: rules without a table of endgames, or
    tallies of before. Exact for every card; the interval is for other deals, and counts half in duplicates.
    """
    table, leads = tally["endgame_lost"].sum(axis=3), tally["endgame_leads"]
    rows = []
    for player, trick, kind in np.ndindex(2, 6, 2):
        n = int(leads[player if kind == 0 else 1 - player, trick])
        if n:
            sizes = np.arange(1, table.shape[3] + 1)
            first, second = (int((table[player, trick, kind] * sizes**power).sum()) for power in (1, 2))
            rows.append({"player": _WHO[player], "trick": 11 + trick, "kind": ("lead", "reply")[kind],
                         **_mean_loss(first, second, n, design, level)})
    return pd.DataFrame(rows, columns=["player", "trick", "kind", "lost", "low", "high", "n"])


def endgame_points(tally: Tally, design: str, level: float = 0.95) -> pd.DataFrame:
    """Victory points that a player loses in the last six tricks of a play: player, lost, low, high, n (deals).

    Empty where that is not counted, as endgame_losses.
    """
    n, plays = int(tally["endgame_deals"][0]), 2 if design == "duplicate" else 1
    sums = [int(count) for count in tally["endgame_sums"]]
    rows = []
    for player in range(2 if n else 0):
        mean = _mean_loss(sums[player], sums[2 + player], n, "independent", level)
        rows.append({"player": _WHO[player], **{name: mean[name] / plays for name in ("lost", "low", "high")}, "n": n})
    return pd.DataFrame(rows, columns=["player", "lost", "low", "high", "n"])


def endgame_points_by_trick(tally: Tally, design: str, points: Sequence[int], level: float = 0.95) -> pd.DataFrame:
    """Victory points that a player's leads and replies in each of the last six tricks lose in a play: player, trick,
    kind (lead, follow), lost, low, high, n (plays). points: what 0 to 20 honours are worth.

    Empty where that is not counted, as endgame_losses; the interval is for other deals, and counts half in duplicates.
    """
    table, worth = tally["endgame_lost"], np.array(points)
    n = int(tally["endgame_deals"][0]) * (2 if design == "duplicate" else 1)
    before, size = np.indices(table.shape[3:])
    lost = np.where(before > size, worth[before] - worth[before - size - 1], 0)
    rows = []
    for player, trick, kind in np.ndindex(2, 5, 2) if n else ():  # in the last trick there is no choice
        first, second = (int((table[player, trick, kind] * lost**power).sum()) for power in (1, 2))
        rows.append({"player": _WHO[player], "trick": 11 + trick, "kind": ("lead", "follow")[kind],
                     **_mean_loss(first, second, n, design, level)})
    return pd.DataFrame(rows, columns=["player", "trick", "kind", "lost", "low", "high", "n"])


def _mean_loss(first: int, second: int, n: int, design: str, level: float) -> dict[str, Any]:
    """A mean loss from sums of losses and of their squares, with its normal interval, at least 0."""
    mean, units = first / n, n / 2 if design == "duplicate" else n
    # One decision more that loses 1 is added to the variance, so that few never look certain.
    half = two_sided_z(level) * ((second / n - mean * mean + 1 / units) / units) ** 0.5
    return {"lost": mean, "low": max(0.0, mean - half), "high": mean + half, "n": n}
