"""The page of a report: one self-contained HTML file from the findings, figures and tables."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..base.estimate import decimals, percent
from ..version import made_with
from ..versus.payoff import Comparison
from ..versus.repeat import number
from .charts import names
from .charts.numbers import count, shown
from .findings import Findings, Played
from .pieces import Answer, Table
from .reading import ahead, in_order, statistic, text
from .sections import factorial, leading_first, ranking, seen, strength, summary
from .study import Study, written_study
from .templates import fill


class Shown(NamedTuple):
    """A figure on the page; svg stands in the page as it is; error: why there is none."""

    name: str
    title: str
    text: str
    basis: str
    svg: str
    formats: tuple[str, ...] = ()
    error: str = ""


def options_of(study: Study) -> str:
    """The options of the command that makes the report again, beside those that are in the study's file."""
    written = written_study(study)
    words = ["--level", number(study.level)] if study.level != written.level else []
    return "".join(f" {word}" for word in [*words, *study.figures.options_over(written.figures)])


def render(findings: Findings, figures: Sequence[Shown], tables: Sequence[Table]) -> str:
    """The page as HTML."""
    from markupsafe import Markup

    study = findings.study
    leads = leading_first.rows(findings)
    return _unbroken(fill(
        "study.html", study.title, study=study, sure=findings.sure, options=options_of(study),
        report=findings.report, versions=made_with(),
        in_force=findings.played[0].result.experiment.match_up.rules, rules=_rules(findings),
        summary=_said(findings, summary.sentences(findings)), policies=_policies(findings),
        match_ups=_match_ups(findings), ranking=_said(findings, ranking.sentences(findings)),
        in_order=in_order(findings), answers=_spoken(findings, figures), ties=_ties(findings), self_plays=leads,
        honours=any(row.honours != "–" for row in leads),
        deals_seen=seen.blocks(findings), whose_deals=seen.sentence(findings),
        figures=[(figure._replace(title=quoted(findings, figure.title)), *_said(findings, [figure.text]),
                  Markup(figure.svg)) for figure in figures],
        cut_names=_cut_names(findings), tables=tables, method=findings.payoff.method,
        hashes=[*((one.name, one.result.tally_sha256) for one in findings.played), *_crossed(findings)],
        deals=count(study.deals), plays=count(findings.plays), count=count))


def _cut_names(findings: Findings) -> list[tuple[str, str]]:
    """The labels that figures cut, with what they stand for."""
    crossed = factorial.cut_names(findings.factorial) if findings.factorial else {}
    return [*names.key(findings.study.policies).items(), *crossed.items()]


def _spoken(findings: Findings, figures: Sequence[Shown]) -> list[Answer]:
    """What everybody and what players of the game ask, spaced as all of the page, with links to figures there are."""
    drawn = {figure.name for figure in figures}
    return [answer._replace(sentences=tuple(_said(findings, answer.sentences)), basis=_spaced([answer.basis])[0],
                            figure=answer.figure if answer.figure in drawn else "")
            for answer in (*strength.answers(findings), *findings.report.answers(findings))]


def _ties(findings: Findings) -> bool:
    """Whether any play was tied."""
    found = [statistic(one, "tie_rate") for one in findings.played]
    return any(estimate is not None and estimate.value > 0 for estimate in found)


def _said(findings: Findings, sentences: Iterable[str]) -> list[str]:
    """Sentences as they stand on the page: spaced, and names in quotes that one could take for words of them."""
    return [quoted(findings, sentence) for sentence in _spaced(sentences)]


def quoted(findings: Findings, text: str) -> str:
    """A text in which every name of a policy that holds a space or comma stands in quotes."""
    names = sorted((name for name in findings.study.policies if " " in name or "," in name), key=len, reverse=True)
    if not names:
        return text
    return re.sub(rf"(?<![\w“])({'|'.join(map(re.escape, names))})(?![\w”])", r"“\1”", text)


def _spaced(sentences: Iterable[str]) -> list[str]:
    """Sentences that have a space before the per cent sign, as everything on the page."""
    return [re.sub(r"(?<=\d)%(?=[\s,;.)]|$)", " %", sentence) for sentence in sentences]


def _unbroken(page: str) -> str:
    """The page with no line break between a number and its per cent sign."""
    return re.sub(r"(?<=\d) %", "\u00a0%", page)


def _crossed(findings: Findings) -> list[tuple[str, str]]:
    """The match-ups of the factorial study, with the SHA-256 of their tallies."""
    series = [*(findings.strength.series if findings.strength else ()),
              *(findings.factorial.series if findings.factorial else ()),
              *(one for part in findings.varied for one in part.series)]
    return [(f"{one.experiment.match_up.a} – {one.experiment.match_up.b}", one.tally.sha256) for one in series]


def _rules(findings: Findings) -> list[tuple[str, str]]:
    rules = findings.played[0].result.experiment.match_up.rules.as_dict()
    return [(key, text(value)) for key, value in rules.items()]


def _policies(findings: Findings) -> list[tuple[str, str]]:
    grammar_texts = {one.a: str(one.result.experiment.match_up.a) for one in findings.self_plays}
    return [(name, grammar_texts[name]) for name in findings.payoff.order]


class _MatchUp(NamedTuple):
    """A row of the table of match-ups."""

    name: str
    gain: str
    is_settled: bool
    won: str
    tied: str
    lost: str
    session: str
    factor: str


def _match_ups(findings: Findings) -> list[_MatchUp]:
    rows = []
    for comparison in sorted(map(ahead, findings.payoff.comparisons), key=lambda one: -one.value):
        one = findings.find(comparison.a, comparison.b)
        if one is not None:
            turned = one.a != comparison.a
            rows.append(_MatchUp(
                f"{comparison.a} – {comparison.b}", shown(comparison.value, comparison.all_low, comparison.all_high),
                comparison.is_settled, *_percents(one, "win_rate", "tie_rate", turned),
                _percents(one, "session_win_rate", "session_draw_rate", turned)[0], _factor(comparison)))
    return rows


def _percents(one: Played, win: str, tie: str, turned: bool) -> tuple[str, str, str]:
    """Won, tied and lost in per cent by A, or by B where `turned`, with the digits that the intervals allow."""
    won, tied = statistic(one, win), statistic(one, tie)
    if won is None:
        return "–", "–", "–"
    drawn = tied.value if tied else 0.0
    places = min(3, decimals(100 * won.low, 100 * won.high))
    one_way, middle, other = (percent(share, places) for share in (won.value, drawn, 1 - won.value - drawn))
    return (other, middle, one_way) if turned else (one_way, middle, other)


def _factor(comparison: Comparison) -> str:
    if comparison.factor > 1e6:
        return "exact"
    return f"× {comparison.factor:.{1 if comparison.factor < 10 else 0}f}"
