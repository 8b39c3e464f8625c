"""No more digits than the error allows: estimates as text."""

from __future__ import annotations

import math

from .values import Estimate

_MOST = 12


def decimals(low: float, high: float, significant: int = 2) -> int:
    """Decimals that show half the width low..high with a number of significant digits, 0 to 12; 2 for a bare point."""
    half = (high - low) / 2
    if not math.isfinite(half):
        return 0
    if half <= 0.0:
        return 2
    return min(_MOST, max(0, significant - 1 - math.floor(math.log10(half))))


def shown(estimate: Estimate, percent: bool = False, signed: bool = False) -> str:
    """An estimate with its interval as text, such as "+0.124 (0.119 to 0.129)" or "5.21 % (5.17 to 5.25)".

    """
    factor = 100.0 if percent else 1.0
    value, low, high = (factor * x for x in estimate[:3])
    places = decimals(low, high)
    unit = " %" if percent else ""
    return f"{value:{'+' if signed else ''}.{places}f}{unit} ({low:.{places}f} to {high:.{places}f})"
