"""Numbers for readers: no more digits than their error allows, and a real minus sign."""

from typing import TYPE_CHECKING

from ...base.estimate import decimals, show

if TYPE_CHECKING:
    from ...base.estimate import Estimate


def plain(value: float, places: int, sign: bool = False) -> str:
    """`value` with a number of decimal places; sign: also a plus; zero has neither sign."""
    text = f"{value:.{places}f}"
    if float(text) == 0:
        return text.lstrip("-")
    return ("+" + text if sign and value > 0 else text).replace("-", "−")


def shown(value: float, low: float, high: float, percent: bool = False) -> str:
    """Estimate and interval: '0.124 (0.119 to 0.129)', or '12.4 % (11.9 to 12.9)'."""
    if not percent:
        return show(value, low, high).replace("-", "−")
    places = decimals(100 * low, 100 * high)
    return f"{plain(100 * value, places)} % ({plain(100 * low, places)} to {plain(100 * high, places)})"


def seldom(estimate: "Estimate") -> str:
    """A rate in per cent, or where it is below a hundredth of one as '1 in 38 100 (37 100 to 39 200)'."""
    if not 0 < estimate.low <= estimate.value < 1e-4:
        return rate(estimate)
    one, most, least = (float(f"{1 / share:.3g}") for share in estimate.limits)
    return f"1 in {count(round(one))} ({count(round(least))} to {count(round(most))})"


def count(number: int) -> str:
    """A count with thin spaces between its groups of three digits."""
    return f"{number:,}".replace(",", "\u202f")


def amount(estimate: "Estimate") -> str:
    """An estimate with its interval."""
    return shown(*estimate.limits)


def rate(estimate: "Estimate") -> str:
    """The same in per cent."""
    return shown(*estimate.limits, percent=True)
