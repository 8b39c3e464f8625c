"""What figures, tables and sentences read from findings."""

from collections.abc import Iterable
from typing import Any

from .payoff import Comparison
from .playing import Findings, Played, Series


def leading(findings: Findings) -> tuple[Played, Comparison] | None:
    """The match-up at the top: the best two that met, seen from the better; None where nobody met."""
    order = findings.payoff.order
    met = [(a, b) for place, a in enumerate(order) for b in order[place + 1 :] if findings.payoff.between(a, b)]
    if not met:
        return None
    a, b = min(met, key=lambda pair: order.index(pair[0]) + order.index(pair[1]))
    one, comparison = findings.find(a, b), findings.payoff.between(a, b)
    if one is None or comparison is None:
        return None
    return one, ahead(comparison)


def labels(names: Iterable[str], longest: int = 22) -> dict[str, str]:
    """Names short enough for a figure; those that would then be alike are numbered."""
    short: dict[str, str] = {}
    for name in names:
        text, number = name if len(name) <= longest else name[: longest - 1].rstrip() + "…", 2
        while text in short.values():
            text, number = f"{name[: longest - 4].rstrip()}… {number}", number + 1
        short[name] = text
    return short


def pair(findings: Findings, a: str, b: str) -> str:
    """A match-up's label in a figure."""
    short = labels(findings.study.policies)
    return f"{short[a]} – {short[b]}" if a != b else f"{short[a]}, itself"


def ahead(comparison: Comparison) -> Comparison:
    """The comparison from the side that is ahead."""
    return comparison if comparison.value >= 0 else comparison.seen_from(comparison.b)


def winner_first(findings: Findings, one: Played) -> tuple[str, str]:
    """The names of a match-up as every table and figure puts them: who is ahead first."""
    comparison = findings.payoff.between(one.a, one.b)
    seen = ahead(comparison) if comparison else one
    return seen.a, seen.b


def setting(findings: Findings) -> str:
    """Rules and seed, as every caption says them."""
    study = findings.study
    rules = [study.variant or "standard", *(f"{key}={text(value)}" for key, value in study.rules.items())]
    return f"rules: {', '.join(rules)}; seed {study.seed}"


def text(value: Any) -> str:
    """The value of a rule as a user writes it."""
    return ",".join(map(str, value if isinstance(value, list) else [value]))


def statistic(one: Played, name: str) -> Any:
    """The named estimate of a match-up, or None where there is none."""
    found = (estimate for estimate in one.result.estimates if estimate.statistic == name and estimate.given)
    return next(found, None)


def towards(one: Played, name: str) -> Series:
    """The series of a match-up as `name` sees it."""
    assert one.series is not None
    return one.series if one.a == name else one.series.turned()
