"""What does a switch of the rules, or a part of the policy, change? What the report says of a study's table [vary]."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from ...versus.curve import Curve
from ...versus.settings import RulesVaried
from .. import answers
from ..charts.numbers import count
from ..findings import Findings
from ..pieces import Drawing, Table


def answer(findings: Findings) -> Iterator[str]:
    """Whether anything changes, for each thing that is varied."""
    for one in findings.varied:
        yield from one.sentences()


def as_dict(findings: Findings) -> list[dict[str, Any]]:
    """Everything varied as JSON, without what would depend on where the report was made."""
    return [{key: value for key, value in one.as_dict().items() if key not in ("command", "version")}
            for one in findings.varied]


def drawings(findings: Findings) -> Iterator[Drawing]:
    """A figure for each thing that is varied, and one of the differences between settings of the rules."""
    for one in findings.varied:
        n, seed = count(one.series[0].pairs), one.series[0].experiment.match_up.seed
        basis = (f"n = {n} pairs a setting, all on the same deals; {100 * one.level:g} % intervals for all at once "
                 f"({one.edges.method}); seed {seed}")
        yield Drawing(_name(one), f"{one.name} varied", " ".join(one.sentences()), basis, partial(answers.curve, one))
        if isinstance(one, RulesVaried) and one.contrast_rows():
            yield Drawing(f"{_name(one)}_differences", f"{one.name}: differences between the settings",
                          f"What the edge has more at the first setting than at the second, on the same deals, "
                          f"{findings.report.unit} per deal. A hollow mark is open: its interval holds 0.", basis,
                          partial(answers.differences, one))


def tables(findings: Findings) -> Iterator[Table]:
    """The settings of each thing that is varied, and the differences between settings of the rules."""
    import pandas as pd

    for one in findings.varied:
        limits = f"limits hold for all settings at once ({one.edges.method}); n counts pairs"
        yield Table(_name(one), f"{one.name} varied",
                    f"points per deal of the policy, and the first leader's advantage; {limits}",
                    pd.DataFrame(one.rows()).assign(n=one.series[0].pairs))
        if rows := one.contrast_rows():
            yield Table(f"{_name(one)}_differences", f"{one.name}: differences",
                        f"first setting minus second on the same deals; {limits}",
                        pd.DataFrame(rows).assign(n=one.series[0].pairs))


def _name(one: Curve | RulesVaried) -> str:
    """The name of the figure and the table in the report's folder."""
    return "vary_" + re.sub(r"\W+", "_", one.name)
