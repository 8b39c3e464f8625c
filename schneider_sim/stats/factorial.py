"""Factorial studies: is it the lead rule or the follow rule?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import RequestError
from .multiple import Simultaneous, max_t
from .values import Floats


class Effects(NamedTuple):
    """Effects of the rows (k), of the columns (m) and their interaction (k times m, row by row), each simultaneous.

    mean: of all cells; shares: of the variance between cells that rows, columns and interaction account for, with
    what noise alone would give taken off.
    """

    mean: float
    rows: Simultaneous
    columns: Simultaneous
    interaction: Simultaneous
    shares: tuple[float, float, float]


def contrasts(rows: int, columns: int) -> tuple[Floats, Floats, Floats]:
    """What makes row effects, column effects and interactions from the cells of a table taken row by row.

    float64[rows, rows * columns], float64[columns, ...], float64[rows * columns, ...].
    """
    by_row: Floats = np.eye(rows) - 1.0 / rows
    by_column: Floats = np.eye(columns) - 1.0 / columns
    row_means, column_means = np.full((1, columns), 1.0 / columns), np.full((1, rows), 1.0 / rows)
    of_rows: Floats = np.kron(by_row, row_means)
    of_columns: Floats = np.kron(column_means, by_column)
    of_both: Floats = np.kron(by_row, by_column).astype(np.float64)
    return of_rows, of_columns, of_both


def effects(cells: ArrayLike, covariance: ArrayLike, level: float = 0.95) -> Effects:
    """Main effects and interaction of a two-way table of estimates on common deals.

    cells: float64[k, m], k and m at least 2, such as the edge of lead rule i with follow rule j against one opponent;
    covariance: float64[k m, k m] of the cells taken row by row (`multiple.from_chunks`). All k + m + k m intervals
    hold at once (max-T over all contrasts). Raises RequestError where a
    contrast has no variance, as with two rules that play alike: leave one of them out.
    """
    table = np.asarray(cells, dtype=np.float64)
    if table.ndim != 2 or min(table.shape) < 2:
        raise RequestError("a factorial study needs two rules or more on either side")
    k, m = table.shape
    matrix = np.asarray(covariance, dtype=np.float64)
    if matrix.shape != (k * m, k * m):
        raise RequestError(f"a covariance of shape {matrix.shape} does not go with {k * m} cells")
    weights = np.vstack(contrasts(k, m))
    moved = weights @ matrix @ weights.T
    moved = (moved + moved.T) / 2
    if np.any(np.diag(moved) <= 1e-14 * max(float(np.diag(matrix).max()), 1e-300)):
        raise RequestError("an effect has no variance: leave out a rule that plays like another, or play more deals")
    every = max_t(weights @ table.ravel(), moved, level)
    parts = (slice(0, k), slice(k, k + m), slice(k + m, None))
    squares = np.array([np.sum(every.estimates[part] ** 2) for part in parts]) * np.array([m, k, 1])
    noise = np.array([np.sum(every.standard_errors[part] ** 2) for part in parts]) * np.array([m, k, 1])
    net = np.maximum(squares - noise, 0.0)
    shares = net / net.sum() if net.sum() > 0.0 else np.zeros(3)
    rows, columns, interaction = (_part(every, part) for part in parts)
    return Effects(float(table.mean()), rows, columns, interaction, (float(shares[0]), float(shares[1]),
                                                                     float(shares[2])))


def _part(every: Simultaneous, part: slice) -> Simultaneous:
    """Some of the simultaneous intervals."""
    return Simultaneous(every.estimates[part], every.low[part], every.high[part], every.p_values[part],
                        every.standard_errors[part], every.critical)
