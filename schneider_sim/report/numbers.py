"""Numbers for readers: no more digits than their error allows, and a real minus sign."""

from ..estimate import decimals, show


def plain(value: float, places: int, sign: bool = False) -> str:
    """`value` with so many decimal places; sign: also a plus; zero has neither sign."""
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


def count(number: int) -> str:
    """A count with thin spaces between its groups of three digits."""
    return f"{number:,}".replace(",", "\u202f")
