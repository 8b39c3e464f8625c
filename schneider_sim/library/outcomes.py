"""What the functions of the library return: the value that a command works out, in the one shape of an Outcome."""

import copy
import html
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ..report import answers
from ..results.outcome import Drawings, Outcome, frame, is_table
from ..results.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from ..report.build import Built


@dataclass(frozen=True, repr=False, eq=False)
class Simulated(Result, Outcome):
    """A finished run, with its figures: `rates`, and `honours` in games that count them."""

    def _repr_html_(self) -> str:
        from ..results.text_tables import opening

        answer = opening(self.experiment, self.estimates, *self.names, level=self.level)
        return f"<p><b>{html.escape(answer)}</b></p>{super()._repr_html_()}"

    def _drawings(self) -> Drawings:
        from ..games import load_game

        drawn: dict[str, Any] = {"rates": partial(answers.rates, self)}
        if "honours" in type(load_game(self.experiment.game)).__dict__:
            drawn["honours"] = partial(answers.honours, self)
        return _each_styled(self, **drawn)


class Kind(NamedTuple):
    """How to show the value of a command: its text, main table and figures.

    main: the name of a list in the JSON, or a function of the value that gives the rows.
    """

    text: Callable[[Any], str]
    main: "str | Callable[[Any], list[dict[str, Any]]]"
    drawings: Callable[[Any], Drawings] = lambda value: {}
    own_first: bool = False


class Found(Outcome):
    """The outcome of a command.

    A table is also an attribute, such as `result.ranking`; so is what the value itself has, such as `verdict.status`
    or `tuned.policy`.
    """

    def __init__(self, command: str, value: Any) -> None:
        self.command_name, self.value = command, value

    @property
    def _kind(self) -> Kind:
        return KINDS[self.command_name]

    @cached_property
    def _document(self) -> dict[str, Any]:
        found: dict[str, Any] = self.value.as_dict()
        return found

    def as_dict(self) -> dict[str, Any]:
        return copy.deepcopy(self._document)

    @property
    def summary(self) -> "pd.DataFrame":
        main = self._kind.main
        return frame(self.as_dict()[main] if isinstance(main, str) else main(self.value))

    def _drawings(self) -> Drawings:
        return self._kind.drawings(self.value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("value", "command_name"):  # asked for while a pickle is read
            raise AttributeError(name)
        own = hasattr(self.value, name)
        if own and (self._kind.own_first or not is_table(self._document.get(name))):
            return getattr(self.value, name)
        if name in self.tables:
            return self.table(name)
        raise AttributeError(f"the outcome of {self.command_name} has no '{name}'; its tables are "
                             f"{', '.join(self.tables)}")

    def __dir__(self) -> list[str]:
        own = [name for name in dir(self.value) if not name.startswith("_")]
        return sorted({*super().__dir__(), *own, *self.tables})

    def __str__(self) -> str:
        return self._kind.text(self.value)

    def __repr__(self) -> str:
        return f"<{self.command_name}: {self._first_line()}>"

    def _first_line(self) -> str:
        return " ".join(str(self).partition("\n")[0].removeprefix("answer ").split())

    def _html_head(self) -> str:
        return self._first_line()


class Reported(Outcome):
    """A report on disk: `page`, its tables by name, its figures by name, and what result.json holds."""

    def __init__(self, built: "Built", document: dict[str, Any]) -> None:
        self.page, self.built, self._document = built.page, built, document

    def as_dict(self) -> dict[str, Any]:
        return self._document

    @property
    def tables(self) -> "dict[str, pd.DataFrame]":
        from ..report.build import tables_of

        return {table.name: table.frame.copy() for table in tables_of(self.built.findings)}

    def _drawings(self) -> Drawings:
        from ..report.build import drawings_of
        from ..report.small_print import of_drawing

        findings = self.built.findings
        return {one.name: partial(_styled, one.draw, of_drawing(findings, one), findings.study.figures)
                for one in drawings_of(findings)}

    def __repr__(self) -> str:
        return f"<report: {self.page}>"

    def _html_head(self) -> str:
        return str(self.page)


def _styled(draw: Callable[[], Any], note: Callable[[str], str], base: Any = None, *, width: Any = None,
            style: str | None = None, small_print: bool = True) -> Any:
    """A figure as the program's files have it, whatever the user's matplotlibrc says."""
    from ..report.charts.finish import finished
    from ..report.charts.paper import SCREEN, paper

    look = paper(width=width, style=style, base=base or SCREEN)
    return finished(draw, look, note if small_print else "")


def _each_styled(value: Any, **drawn: Callable[[], Any]) -> Drawings:
    note = answers.small_print(value)
    return {name: partial(_styled, draw, note) for name, draw in drawn.items()}


def _verdict_text(value: Any) -> str:
    from ..versus.verdict_text import block

    return block(value)


def _tournament_text(value: Any) -> str:
    from ..results.text_tables import table
    from ..versus.tournament_text import report

    return report(value, table)


def _study_text(value: Any) -> str:
    from ..results.text_tables import table
    from ..versus import factorial_text

    return factorial_text.study(value, table)


def _curve_text(value: Any) -> str:
    from ..results.text_tables import table
    from ..versus import factorial_text

    return factorial_text.curve(value, table)


def _rules_text(value: Any) -> str:
    from ..results.text_tables import table
    from ..versus import factorial_text

    return factorial_text.rules_varied(value, table)


def _sessions_text(value: Any) -> str:
    from ..versus.sessions_text import report

    return report(value)


def _analysis_text(value: Any) -> str:
    from ..analysis.errors_text import report

    return report(value)


def _position_text(value: Any) -> str:
    from ..analysis.position_text import report

    return report(value)


def _exploit_text(value: Any) -> str:
    from ..analysis.exploit_text import report

    return report(value)


def _planned_rows(value: Any) -> list[dict[str, Any]]:
    """The deals that the difference needs, and the difference that the deals find."""
    needed, spread = value.needed, value.pilot.spread
    rows = [{"statistic": "standard_deviation", "value": spread.value, "low": spread.low, "high": spread.high}]
    if needed is not None:
        rows.append({"statistic": "deals_needed", "value": needed.pairs, "low": needed.low, "high": needed.high})
    if value.missed is not None:
        rows.append({"statistic": "detectable_difference", "value": value.missed, "low": None, "high": None})
    return rows


def _session_rows(value: Any) -> list[dict[str, Any]]:
    """Each statistic as it was played, beside the exact figure and how far they are apart."""
    exact, apart = {one.statistic: one for one in value.exact}, value.agreement()
    rows = []
    for one in value.played:
        other = exact.get(one.statistic)
        rows.append({**one.as_dict(), "exact": other.value if other else None,
                     "exact_low": other.low if other else None, "exact_high": other.high if other else None,
                     "z": apart.get(one.statistic)})
    return rows


KINDS = {
    "compare": Kind(_verdict_text, lambda value: [value.as_dict()["estimate"]],
                    lambda value: _each_styled(value, looks=partial(answers.verdict_trace, value))),
    "tournament": Kind(_tournament_text, "ranking",
                       lambda value: _each_styled(value, payoffs=partial(answers.payoffs, value),
                                                  ratings=partial(answers.ratings, value))),
    "factorial": Kind(_study_text, "cells",
                      lambda value: _each_styled(value, cells=partial(answers.cells, value),
                                                 effects=partial(answers.effects, value))),
    "rules": Kind(_rules_text, "curve",
                  lambda value: _each_styled(value, curve=partial(answers.curve, value),
                                             differences=partial(answers.differences, value))),
    "vary": Kind(_curve_text, "curve", lambda value: _each_styled(value, curve=partial(answers.curve, value))),
    "plan": Kind(lambda value: "\n".join(value.sentences()), _planned_rows),
    "sessions": Kind(_sessions_text, _session_rows,
                     lambda value: _each_styled(value, rates=partial(answers.rates, value))),
    "tune": Kind(str, lambda value: [{"statistic": "vp_per_deal", **value.as_dict()["edge"]}],
                 lambda value: _each_styled(value, climb=partial(answers.climb, value)) if value.rounds else {},
                 own_first=True),
    "deals": Kind(str, "deals"),
    "analyse": Kind(_analysis_text, "by_trick",
                    lambda value: _each_styled(value, losses=partial(answers.losses, value)), own_first=True),
    "position": Kind(_position_text, lambda value: value.as_dict()[f"{value.kind}s"], own_first=True),
    "exploit": Kind(_exploit_text, lambda value: [{"statistic": "vp_per_deal", **value.as_dict()["edge"]}]),
}
