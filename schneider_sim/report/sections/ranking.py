"""Does the order say it all? Ratings, circles and the mixture that nobody beats, for a study where everybody met."""

from collections.abc import Iterator
from typing import Any

from ...versus import ranking as rank
from ...versus.payoff import DRAWS, Payoff
from ..findings import Findings
from ..pieces import Table


def ranked(findings: Findings) -> Payoff | None:
    """The payoffs of a study in which three policies or more all met each other; None of others."""
    payoff = findings.payoff
    if not payoff.is_complete or len(payoff.names) < 3:
        return None
    return payoff if payoff.matrix("value", own=0.0).any() else None  # else nothing tells any two apart


def sentences(findings: Findings) -> Iterator[str]:
    """What the match-ups say together, in plain words."""
    payoff = ranked(findings)
    if payoff is None:
        return
    names, (hodge, weights, support) = payoff.names, payoff.solution
    yield rank.circles(list(names), hodge, payoff.matrix("all_low", own=0.0))
    places = sorted(range(len(names)), key=lambda k: (-weights[k], -support[k]))
    mixed = [k for k in places if weights[k] >= 0.005]
    seen = [k for k in places if support[k] > 0 or k in mixed]
    what = f"{names[mixed[0]]} alone" if len(mixed) == 1 else (
        "a mixture: " + ", ".join(f"{names[k]} {100 * weights[k]:.0f} %" for k in mixed))
    often = ", ".join(f"{names[k]} in {100 * support[k]:.3g} %" for k in seen)
    yield (f"Against an opponent who knows how you choose, the safest choice for each deal is {what} (Nash "
           f"equilibrium). In {DRAWS} payoff tables redrawn within their errors, it includes {often}.")


def as_dict(findings: Findings) -> dict[str, Any] | None:
    """The ranking as JSON."""
    payoff = ranked(findings)
    return {"hodge": rank.shares(payoff.solution.hodge), "nash": _rows(payoff)} if payoff else None


def _rows(payoff: Payoff) -> list[dict[str, Any]]:
    hodge, weights, support = payoff.solution
    every = zip(payoff.names, hodge.ratings.tolist(), weights.tolist(), support.tolist(), strict=True)
    return [{"policy": name, "rating": rating, "nash_weight": weight, "in_support": seen}
            for name, rating, weight, seen in sorted(every, key=lambda row: -row[1])]


def tables(findings: Findings) -> Iterator[Table]:
    """The ranking as a table."""
    import pandas as pd

    payoff = ranked(findings)
    if payoff is not None:
        yield Table("ranking", "Ranking",
                    "mean gain over all policies, itself included, points per deal; nash_weight: in the mixture that "
                    f"nobody beats; in_support: how often it has weight in {DRAWS} payoff tables redrawn within their "
                    "errors; n counts pairs a match-up",
                    pd.DataFrame(_rows(payoff)).assign(n=findings.study.deals))
