"""What a deal pays when there are no sessions (session=stakes): as played, and from the law of a deal."""

from collections import Counter

import numpy as np

from ...base.estimate import Named
from ...stats import intervals, ratios
from ...stats.paired import Pairs
from .rules import Rules

NAME = "payment_per_deal"


def played(seen: Counter[tuple[int, int, int]], rules: Rules, level: float = 0.95) -> Named:
    """A's mean payment per deal from counts of (paid to A, paid to B, deals up to the next decided one)."""
    most, total = float(rules.win_points[2]), sum(deals * count for (_, _, deals), count in seen.items())
    if rules.tie_10_10 == "carry":  # a tie raises the next payment, so the unit is what lies between two decided deals
        longest = max(20, *(deals for _, _, deals in seen))
        units = {(float(a - b), deals): count for (a, b, deals), count in seen.items()}
        amounts = {sign * (won + bonus) for sign in (1.0, -1.0) for won in rules.win_points for bonus in (0, 1)}
        possible = {(amount, deals): 0 for amount in sorted(amounts) for deals in range(1, longest + 1)} | units
        paid, deals = np.array(list(possible)).T
        return ratios.ratio_estimate(paid, deals, list(possible.values()), level).named(NAME)
    payments: Counter[float] = Counter({-most: 0, 0.0: total, most: 0})
    for (a, b, _), count in seen.items():
        if a != b:
            payments[float(a - b)] += count
            payments[0.0] -= count
    values = sorted(payments)
    return intervals.mean_estimate(values, [payments[v] for v in values], level, -most, most).named(NAME)


def exact(pairs: Pairs, tie: str, level: float = 0.95) -> Named:
    """A's mean payment per deal for the law seen in duplicates, the first leader alternating.

    tie: "redeal" leaves ties out; "carry" adds one to a decided deal after a tie, whose first leader was the other
    policy. Interval: delta method, every pair a unit.
    """
    n = int(pairs.counts.sum())
    laws = [(side, pairs.counts / n) for side in (pairs.first, pairs.second)]
    mean = [float(values @ shares) for values, shares in laws]
    ties = [float(shares[values == 0].sum()) for values, shares in laws]
    lead = [float(np.sign(values) @ shares) for values, shares in laws]
    value, moved = 0.0, np.zeros(pairs.counts.size)
    for one, other in ((0, 1), (1, 0)):
        values = laws[one][0]
        if tie == "redeal":
            decided = 1.0 - ties[one] or 1.0
            value += mean[one] / decided / 2
            moved += (values - (values != 0) * mean[one] / decided) / decided / 2
        else:
            carried = 1.0 if tie == "carry" else 0.0
            value += (mean[one] + carried * ties[other] * lead[one]) / 2
            moved += (values + carried * (ties[other] * np.sign(values) + (values == 0) * lead[other])) / 2
    centred = intervals.mean_estimate(moved, pairs.counts, level)
    return Named(NAME, value, value + centred.low - centred.value, value + centred.high - centred.value, centred.n,
                 "delta method")
