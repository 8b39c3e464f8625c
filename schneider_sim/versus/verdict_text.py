"""A verdict in words: the block that is pasted into a forum, a commit or a paper, and the line of a run under way."""

from ..base.estimate import decimals, show
from ..base.text import counted, remaining
from ..results.text_tables import policy_in_words
from ..stats.values import exact_moments, histogram
from ..version import __version__
from . import names
from .duplicates import Duplicates
from .question import UNDECIDED, Look, Question, Sprt, anytime
from .repeat import changed_rules
from .verdict import POWER, Verdict, reason

_SHORT = 15  # up to this many kinds of pairs are listed one by one


def block(verdict: Verdict, a: str | None = None, b: str | None = None) -> str:
    """The answer, settings, counts, estimate, why it stopped, what pairing bought and the command to repeat it.

    a, b: the policies as they were typed, by default as the verdict has them, or their full texts.
    """
    match_up = verdict.experiment.match_up
    given = verdict.typed or (str(match_up.a), str(match_up.b))
    typed = given[0] if a is None else a, given[1] if b is None else b
    rows = [("answer", answer(verdict, *typed)), *_settings(verdict, *typed), *_counts(verdict),
            ("edge", _edge(verdict)), ("question", _asked(verdict)), ("stopped", reason(verdict)),
            ("pairing", verdict.pairing.sentence), ("missed", _missed(verdict))]
    rows += [("note", remark) for remark in verdict.remarks]
    rows += [("tally", f"sha256 {verdict.tally.sha256}, schneider-sim {__version__}"),
             ("again", verdict.repeated(*typed))]
    return "\n".join(f"{name:<9} {text}" for name, text in rows if text)


def answer(verdict: Verdict, a: str, b: str) -> str:
    """Which policy is better and by how much, or that they are not told apart; a, b: the policies as typed."""
    unit, (value, low, high, _, _) = f" {verdict.reader.unit} per deal", verdict.estimate
    a, b = names.label(a, "A"), names.label(b, "B")
    if verdict.identical:
        return f"{a} and {b} are the same policy: neither is better"
    if low <= 0 <= high:
        said = f"{a} and {b} are not separated: {a} gains {show(value, low, high, unit)}"
    elif low > 0:
        said = f"{a} is better: {show(value, low, high, unit)}"
    else:
        said = f"{b} is better: {show(-value, -high, -low, unit)}"
    if verdict.answer == UNDECIDED:
        return f"{said}; the question is not decided yet"
    if isinstance(verdict.question, Sprt):
        return f"{said}; {verdict.answer} accepted, an edge of {getattr(verdict.question, verdict.answer.casefold()):g}"
    return said


def progress_line(look: Look, reader: Duplicates, question: Question, limit: int, rate: float | None) -> str:
    """Where a run stands: deals, rate, estimate with its anytime interval, ratio between its bounds, time left."""
    interval = anytime(reader.values, look.counts)
    mean = exact_moments(histogram(reader.values, look.counts)).mean
    parts = [counted(look.pairs, "deal"), f"edge {show(mean, *interval)} {reader.unit}"]
    if isinstance(question, Sprt):
        state = question.state(reader.values, look.counts)
        parts.append(f"LLR {state.llr:.2f} between {state.lower:.2f} and {state.upper:.2f}")
    if rate:
        left = min(question.pairs_left(reader.values, look.counts), limit - look.pairs)
        parts += [f"{rate:,.0f} deals/s", f"{remaining(left / rate)} left"]
    return ", ".join(parts)


def _settings(verdict: Verdict, a: str, b: str) -> list[tuple[str, str]]:
    experiment, match_up = verdict.experiment, verdict.experiment.match_up
    rules = " ".join(changed_rules(experiment.game, match_up.rules)) or "standard rules"
    last = experiment.first + experiment.deals - 1
    deals = (f"{experiment.first} to {last} of seed {match_up.seed}, each played twice, the policies changing seats: "
             f"{counted(experiment.deals, 'pair')}, {counted(experiment.plays, 'play')}")
    return [("compare", f"{experiment.game}, {rules}"), ("A", policy_in_words(a, str(match_up.a))),
            ("B", policy_in_words(b, str(match_up.b))), ("deals", deals)]


def _counts(verdict: Verdict) -> list[tuple[str, str]]:
    wins, ties, losses = verdict.reader.plays(verdict.tally.vector)
    values, counts = verdict.reader.values, verdict.looks[-1].counts
    ahead, behind = int(counts[values > 0].sum()), int(counts[values < 0].sum())
    level = int(counts.sum()) - ahead - behind
    rows = [("plays", f"A won {wins:,}, tied {ties:,}, lost {losses:,}"),
            ("pairs", f"A ahead in {ahead:,}, level in {level:,}, behind in {behind:,}")]
    if values.size <= _SHORT:
        kinds = " ".join(f"{value:+g}:{count}" for value, count in zip(values, counts.tolist(), strict=True))
        rows.append(("", f"by mean {verdict.reader.unit} of the pair: {kinds.replace('+0:', '0:')}"))
    return rows


def _edge(verdict: Verdict) -> str:
    value, low, high, _, method = verdict.estimate
    unit = verdict.reader.unit
    if verdict.identical:
        return f"exactly 0 {unit} per deal, by symmetry"
    return f"{show(value, low, high)} {unit} per deal for A, {100 * verdict.level:g} % interval, {method}"


def _asked(verdict: Verdict) -> str:
    question, test, unit = verdict.question, verdict.test, verdict.reader.unit
    if isinstance(question, Sprt) and test is not None:
        return (f"sequential test of an edge of {question.h0:g} (H0) against {question.h1:g} (H1) {unit} per deal, "
                f"errors {question.alpha:g} and {question.beta:g}: log likelihood ratio {test.llr:.2f} between "
                f"{test.lower:.2f} and {test.upper:.2f}")
    half = verdict.question.as_dict()["half_width"]
    return f"the edge to within {half:g} {unit} per deal either way, valid at every look"


def _missed(verdict: Verdict) -> str:
    if verdict.identical:
        return ""
    if verdict.detectable > verdict.reader.high:
        return "this few deals could hardly have shown any difference"
    return (f"this many deals find a true difference of {_two_digits(verdict.detectable)} {verdict.reader.unit} with "
            f"probability {POWER:g}; a smaller one may have been missed")


def _two_digits(number: float) -> str:
    """A positive number in two significant digits, without an exponent."""
    return f"{number:.{decimals(-number, number)}f}"
