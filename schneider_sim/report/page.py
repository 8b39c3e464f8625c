"""The page of a report: one self-contained HTML file from the findings, figures and tables."""

from collections.abc import Sequence
from importlib import resources
from typing import Any, NamedTuple

from ..estimate import decimals
from ..version import __version__
from . import summary
from .common import statistic
from .numbers import count, plain, shown
from .payoff import Comparison
from .playing import Findings, Played
from .registry import Table

_RATES = (("win_rate", "won by A"), ("tie_rate", "tied"), ("schneider_rate", "Schneider"), ("schwarz_rate", "Schwarz"))


class Shown(NamedTuple):
    """A figure on the page; svg stands in the page as it is."""

    name: str
    title: str
    text: str
    basis: str
    svg: str


def render(findings: Findings, figures: Sequence[Shown], tables: Sequence[Table]) -> str:
    """The page as HTML. Whatever comes from the study is escaped; nothing is loaded from elsewhere."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    here = resources.files(__package__)
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(here.joinpath("template.html").read_text(encoding="utf-8"))
    study = findings.study
    from .build import versions

    return template.render(
        style=Markup(here.joinpath("page.css").read_text(encoding="utf-8")),
        study=study, report=findings.report, version=__version__, versions=versions(),
        rules=_rules(findings), summary=summary.sentences(findings), policies=_policies(findings),
        match_ups=_match_ups(findings), self_plays=_self_plays(findings), rates=[title for _, title in _RATES],
        figures=[(figure, Markup(figure.svg)) for figure in figures], tables=tables, method=findings.payoff.method,
        hashes=[(one.name, one.result.tally_sha256) for one in findings.played],
        deals=count(study.deals), plays=count(sum(one.result.plays for one in findings.played)), count=count)


def _rules(findings: Findings) -> list[tuple[str, str]]:
    rules = findings.played[0].result.experiment.match.rules.as_dict()
    return [(key, ", ".join(map(str, value)) if isinstance(value, list) else str(value)) for key, value in rules.items()]


def _policies(findings: Findings) -> list[tuple[str, str]]:
    grammar_texts = {one.a: str(one.result.experiment.match.a) for one in findings.self_plays}
    return [(name, grammar_texts[name]) for name in findings.payoff.order]


class _MatchUp(NamedTuple):
    """A row of the table of match-ups."""

    name: str
    gain: str
    verdict: str
    rates: list[str]
    session: str
    factor: str


def _match_ups(findings: Findings) -> list[_MatchUp]:
    rows = []
    for comparison in sorted(findings.payoff.comparisons, key=lambda one: -abs(one.value)):
        one = findings.find(comparison.a, comparison.b)
        if one is not None:
            rows.append(_MatchUp(
                one.name, shown(comparison.value, comparison.all_low, comparison.all_high), _verdict(comparison),
                [_percent(one, name) for name, _ in _RATES], _percent(one, "session_win_rate"), _factor(comparison)))
    return rows


def _verdict(comparison: Comparison) -> str:
    if not comparison.is_settled:
        return "open"
    return f"{comparison.a if comparison.value > 0 else comparison.b} is ahead"


def _percent(one: Played, name: str) -> str:
    """A rate as '12.3 ± 0.4 %', digits as its interval allows; a dash where the game has none such."""
    estimate: Any = statistic(one, name)
    if estimate is None:
        return "–"
    low, high = 100 * estimate.low, 100 * estimate.high
    places = decimals(low, high)
    return f"{plain(100 * estimate.value, places)} ± {plain((high - low) / 2, places)} %"


def _factor(comparison: Comparison) -> str:
    return f"× {comparison.factor:.2g}" if comparison.factor < 1e6 else "all"


def _self_plays(findings: Findings) -> list[tuple[str, str, str]]:
    rows = []
    for one in findings.self_plays:
        lead, honours = statistic(one, "first_leader_advantage"), statistic(one, "mean_honours_first_leader")
        if lead:
            rows.append((one.a, shown(*lead[1:4]), shown(*honours[1:4]) if honours else "–"))
    return rows
