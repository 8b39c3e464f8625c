"""Estimates with their intervals, and how many digits their error allows."""

import math
from typing import Any, NamedTuple


class Estimate(NamedTuple):
    """An estimate with its interval; `n` counts independent units, `method` names how the interval was made."""

    value: float
    low: float
    high: float
    n: int
    method: str

    @property
    def limits(self) -> tuple[float, float, float]:
        """Value, low and high."""
        return self.value, self.low, self.high

    @property
    def complement(self) -> "Estimate":
        """A share as the share of the others."""
        return self._replace(value=1 - self.value, low=1 - self.high, high=1 - self.low)

    def named(self, statistic: str) -> "Named":
        """The estimate of a statistic."""
        return Named(statistic=statistic, **self._asdict())


class Named(NamedTuple):
    """A statistic: its name, value, limits, number of independent units and how the interval was made.

    Where the rules leave nothing to estimate, as sessions under session=stakes, value and limits are missing: NaN as in
    a pandas frame, null in JSON, a dash for people.
    """

    statistic: str
    value: float
    low: float
    high: float
    n: int
    method: str

    @property
    def estimate(self) -> Estimate:
        """The estimate without its name."""
        return Estimate(value=self.value, low=self.low, high=self.high, n=self.n, method=self.method)

    @property
    def given(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)

    @property
    def shown(self) -> str:
        """Value and interval for people, or a dash."""
        return show(*self.estimate.limits) if self.given else "-"

    def as_dict(self) -> dict[str, Any]:
        """The statistic as JSON: plain Python numbers."""
        limits = {"value": self.value, "low": self.low, "high": self.high}
        numbers = {name: float(number) if self.given else None for name, number in limits.items()}
        return {"statistic": self.statistic, **numbers, "n": int(self.n), "method": self.method}


def missing(statistic: str, why: str) -> Named:
    """The statistic without a value; `why` stands for the method."""
    return Estimate(math.nan, math.nan, math.nan, 0, why).named(statistic)


def decimals(low: float, high: float) -> int:
    """Decimal places worth printing: two significant digits of the interval's half-width, at most 9."""
    half = (high - low) / 2
    if not (math.isfinite(half) and half > 1e-12):  # less is rounding
        return 4
    return min(9, max(0, 1 - math.floor(math.log10(half))))


def show(value: float, low: float, high: float, unit: str = "") -> str:
    """`value` with no more digits than its interval allows, `unit`, then the interval: '0.124 (0.119 to 0.129)'."""
    places = decimals(low, high)
    return f"{_number(value, places)}{unit} ({_number(low, places)} to {_number(high, places)})"


def percent(share: float, places: int = 0) -> str:
    """A share in per cent, without the sign; a share that would round to certainty is shown as a bound."""
    least, rounding = 10.0**-places, 1e-14
    if rounding < 100 * share < least:
        return f"< {least:.{places}f}"
    if 100 - least < 100 * share < 100 - rounding:
        return f"> {100 - least:.{places}f}"
    return _number(100 * share, places)


def _number(value: float, places: int) -> str:
    text = f"{value:.{places}f}"
    return text.lstrip("-") if float(text) == 0 else text
