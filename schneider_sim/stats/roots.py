"""The root of a function between two points, by Brent's method, without SciPy, whose import takes longer."""

import math
from collections.abc import Callable

EPSILON = 8.9e-16


def root(function: Callable[[float], float], low: float, high: float, xtol: float = 2e-12, rtol: float = EPSILON,
         most: int = 200) -> float:
    """An x in low … high with function(x) = 0, to within xtol + rtol |x|; the function changes its sign between them.

    Step by step what `scipy.optimize.brentq` does, and equal to it in every bit. Raises ValueError where the signs at
    the ends are the same, or `most` steps do not suffice.
    Source: Brent, Algorithms for Minimization Without Derivatives (1973), chapter 4.
    """
    before, here, other = low, high, 0.0  # the last two points, and the one on the root's far side
    f_before, f_here, f_other = function(before), function(here), 0.0
    if f_before == 0.0 or f_here == 0.0:
        return before if f_before == 0.0 else here
    if f_before * math.copysign(1.0, f_here) > 0.0:
        raise ValueError(f"the function has one sign at {low} and {high}")
    last = step = 0.0
    for _ in range(most):
        if (f_before > 0.0) != (f_here > 0.0):
            other, f_other, last, step = before, f_before, here - before, here - before
        if abs(f_other) < abs(f_here):
            before, here, other = here, other, here
            f_before, f_here, f_other = f_here, f_other, f_here
        near, half = (xtol + rtol * abs(here)) / 2, (other - here) / 2
        if f_here == 0.0 or abs(half) < near:
            return here
        tried = math.inf
        if abs(last) > near and abs(f_here) < abs(f_before):
            tried = _interpolated(before, here, other, f_before, f_here, f_other)
        short = 2 * abs(tried) < min(abs(last), 3 * abs(half) - near)
        last, step = (step, tried) if short else (half, half)
        before, f_before = here, f_here
        here += step if abs(step) > near else math.copysign(near, half)
        f_here = function(here)
    raise ValueError(f"no root found between {low} and {high} in {most} steps")


def _interpolated(before: float, here: float, other: float, f_before: float, f_here: float, f_other: float) -> float:
    """The step to the root of a line through two points, or of an inverse parabola through three."""
    if before == other:
        return -f_here * (here - before) / (f_here - f_before)
    slope, slope_other = (f_before - f_here) / (before - here), (f_other - f_here) / (other - here)
    return (-f_here * (f_other * slope_other - f_before * slope)
            / (slope_other * slope * (f_other - f_before)))
