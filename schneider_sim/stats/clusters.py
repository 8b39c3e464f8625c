"""Means over things that come in clusters, such as decisions in deals: the clusters are the independent units."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

METHOD = "t interval, deals as clusters"


class Ratio(NamedTuple):
    """A mean per thing with its 95 % interval; n: clusters."""

    value: float
    low: float
    high: float
    n: int


def cluster_ratio(sums: ArrayLike, sizes: ArrayLike, level: float = 0.95) -> Ratio:
    """The mean per thing, all sums over all sizes, from the sum and the size of each cluster.

    The interval is that of the linearised ratio with the t quantile of n - 1; infinite with a single cluster. With
    equal sizes it is the t interval of the clusters' means. Clusters of size 0 count as clusters.
    Source: Cochran, Sampling Techniques (1977), section 6.4: formula 2.39 for a sample from an infinite population.
    """
    total, size = np.asarray(sums, np.float64), np.asarray(sizes, np.float64)
    n = len(total)
    whole = math.fsum(size)
    mean = math.fsum(total) / whole
    if n < 2:
        return Ratio(mean, -math.inf, math.inf, n)
    square = math.fsum((total - mean * size) ** 2)
    from scipy.special import stdtrit

    half = float(stdtrit(n - 1, (1 + level) / 2)) * math.sqrt(square * n / (n - 1)) / whole
    return Ratio(mean, mean - half, mean + half, n)
