"""Does the order say it all? Ratings, circles and the mixture that nobody beats, for a study where everybody met."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...stats import ranking as solutions
from ...stats.values import Floats
from ...versus import ranking as rank
from ..findings import Findings
from ..pieces import Table

DRAWS = 200  # redrawn payoff matrices, to see which policies an equilibrium needs


class Standing(NamedTuple):
    """A round robin as ratings, circles and an equilibrium, the policies in the study's order.

    hodge: its ratings are mean gains over all, oneself included; weights: float64[k], of the mixture that no policy
    beats; support: float64[k], how often a policy has weight when the payoffs are redrawn within their errors.
    """

    names: tuple[str, ...]
    hodge: solutions.Hodge
    weights: Floats
    support: Floats


def standing(findings: Findings) -> Standing | None:
    """The ranking of a study in which three policies or more all met each other; None of others."""
    payoff = findings.payoff
    if not payoff.is_complete or len(payoff.names) < 3:
        return None
    values, errors = (np.nan_to_num(payoff.matrix(what)) for what in ("value", "error"))
    if not values.any():
        return None  # nothing tells any two apart
    return Standing(payoff.names, solutions.hodge(values, errors), solutions.nash(values).weights,
                    solutions.support_frequency(values, errors, draws=DRAWS))


def sentences(findings: Findings) -> Iterator[str]:
    """What the match-ups say together, in plain words."""
    found = standing(findings)
    if found is None:
        return
    yield rank.circles(list(found.names), found.hodge, np.nan_to_num(findings.payoff.matrix("all_low")))
    places = sorted(range(len(found.names)), key=lambda k: (-found.weights[k], -found.support[k]))
    mixed = [k for k in places if found.weights[k] >= 0.005]
    seen = [k for k in places if found.support[k] > 0 or k in mixed]
    what = f"{found.names[mixed[0]]} alone" if len(mixed) == 1 else (
        "a mixture: " + ", ".join(f"{found.names[k]} {100 * found.weights[k]:.0f} %" for k in mixed))
    often = ", ".join(f"{found.names[k]} in {100 * found.support[k]:.3g} %" for k in seen)
    yield (f"Against an opponent who knows how you choose, the safest choice for each deal is {what} (Nash "
           f"equilibrium). In {DRAWS} payoff tables redrawn within their errors, it includes {often}.")


def as_dict(findings: Findings) -> dict[str, Any] | None:
    """The ranking as JSON."""
    found = standing(findings)
    if found is None:
        return None
    names = ("transitive_share", "cyclic_share", "noise_floor", "cyclic_net", "cyclic_p")
    return {"hodge": {name: getattr(found.hodge, name) for name in names}, "nash": _rows(found)}


def _rows(found: Standing) -> list[dict[str, Any]]:
    every = zip(found.names, found.hodge.ratings.tolist(), found.weights.tolist(), found.support.tolist(), strict=True)
    return [{"policy": name, "rating": rating, "nash_weight": weight, "in_support": seen}
            for name, rating, weight, seen in sorted(every, key=lambda row: -row[1])]


def tables(findings: Findings) -> Iterator[Table]:
    """The ranking as a table."""
    import pandas as pd

    found = standing(findings)
    if found is not None:
        yield Table("ranking", "Ranking",
                    "mean gain over all policies, itself included, points per deal; nash_weight: in the mixture that "
                    f"nobody beats; in_support: how often it has weight in {DRAWS} payoff tables redrawn within their "
                    "errors; n counts pairs a match-up",
                    pd.DataFrame(_rows(found)).assign(n=findings.study.deals))
