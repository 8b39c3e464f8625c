"""What figures, tables and sentences read from findings."""

from typing import Any

from ..stats.values import Counts, Floats
from ..versus.payoff import Comparison
from .charts.names import labels
from .findings import Findings, Played


def leading(findings: Findings) -> tuple[Played, Comparison] | None:
    """The match-up that is shown in detail, from the side that is ahead; None where nobody met.

    That of the first two where everybody met, else the first of the study.
    """
    foremost = findings.foremost
    if foremost is None:
        return None
    one, comparison = findings.find(*foremost), findings.payoff.between(*foremost)
    if one is None or comparison is None:
        return None
    return one, ahead(comparison)


def in_order(findings: Findings) -> str:
    """The order in which policies stand, in words."""
    if findings.payoff.is_complete:
        return "in the order of mean gain over all others, the highest first"
    return "in the order of the study"


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


def towards(one: Played, name: str) -> tuple[Floats, Counts]:
    """A match-up as `name` sees it: the possible means of a pair, float64[k], and their int64[ranges, k] as played."""
    assert one.series is not None and one.series.by_range is not None
    means = one.series.reader.values
    return means if one.a == name else -means, one.series.by_range
