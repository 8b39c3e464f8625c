"""How strong is each policy? What the report says of a study's table [strength]: a ladder to the best known."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ...versus.field import Series
from ..charts import figures
from ..charts.names import labels
from ..charts.numbers import count, shown
from ..findings import Findings
from ..pieces import Answer, Drawing, Table
from ..reading import setting
from ..strength import Rung, Strength
from . import losses
from .common import AXES, scale_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Step(NamedTuple):
    """A policy's points per deal minus those of the one that it is measured against; limits hold for all at once."""

    policy: str
    against: str
    value: float
    low: float
    high: float
    n: int
    tally_sha256: str

    @property
    def is_open(self) -> bool:
        """Whether it is not known who is ahead."""
        return self.low <= 0 <= self.high

    @property
    def text(self) -> str:
        """The value with its limits."""
        return shown(self.value, self.low, self.high)


def ladder(found: Strength) -> list[Step]:
    """Every policy against every one that policies are measured against, where they are not the same."""
    if found.joint is None:
        return []
    played = [rung for rung in found.rungs if rung.series]
    limits = zip(found.joint.estimates.tolist(), found.joint.low.tolist(), found.joint.high.tolist(), strict=True)
    return [_step(rung, rung.series, *three) for rung, three in zip(played, limits, strict=True) if rung.series]


def _step(rung: Rung, series: Series, value: float, low: float, high: float) -> Step:
    """A rung with the edge of A and its limits, as its policy sees them."""
    if rung.side == "B":
        value, low, high = -value, -high, -low
    return Step(rung.policy, rung.against, value, low, high, series.pairs, series.tally.sha256)


def order(findings: Findings, found: Strength) -> list[str]:
    """The policies of the study, the best first where that is known, then those that they are measured against."""
    return list(dict.fromkeys([*findings.payoff.order, *(rung.policy for rung in found.rungs)]))


def answer(findings: Findings) -> Iterator[str]:
    """How far the best policy is from those that it is measured against, and what its cards lose."""
    found = findings.strength
    if found is None:
        return
    best = findings.payoff.order[0]
    steps = [step for step in ladder(found) if step.policy == best]
    if steps:
        yield f"{best} {' and '.join(_distance(step) for step in steps)} {findings.report.unit} per deal."
    for lost in found.losses:
        if lost.policy == best and lost.analysis:
            yield losses.loses(findings, lost)


def _distance(step: Step) -> str:
    if step.is_open:
        return f"cannot be told apart from {step.against}: it gains {step.text}"
    if step.value > 0:
        return f"is ahead of {step.against} by {step.text}"
    return f"is behind {step.against} by {shown(-step.value, -step.high, -step.low)}"


def answers(findings: Findings) -> Iterator[Answer]:
    """What everybody asks of policies: how strong, and where the points go."""
    if findings.strength:
        yield _how_strong(findings, findings.strength)
        yield from losses.answer(findings, findings.strength)


def _how_strong(findings: Findings, found: Strength) -> Answer:
    steps, rivals = ladder(found), list(found.asked.against)
    by = {(step.policy, step.against): step.text for step in steps}
    by |= {(one.policy, one.against): "the same" for one in found.rungs if one.series is None}
    rows = tuple((name, *(by.get((name, rival), "–") for rival in rivals)) for name in order(findings, found))
    sentences = tuple(filter(None, (_rung(findings, steps, rival) for rival in rivals)))
    method = f" ({found.joint.method})" if found.joint else ""
    return Answer(
        "strength", "How strong is each policy?", sentences, ("policy", *(f"against {rival}" for rival in rivals)),
        rows,
        f"{findings.report.unit.capitalize()} per deal, the policy's minus the other's, in duplicates; "
        f"{_pairs(steps, rivals)}, fewer where one of the two searches; {findings.sure} intervals for all at "
        f"once{method}.",
        "strength")


def _pairs(steps: list[Step], rivals: list[str]) -> str:
    """How many deals each column rests on."""
    sizes = {rival: sorted({step.n for step in steps if step.against == rival}) for rival in rivals}
    return "n = " + ", ".join(f"{' or '.join(map(count, some))} pairs against {rival}"
                              for rival, some in sizes.items() if some)


def _rung(findings: Findings, steps: list[Step], rival: str) -> str:
    """Who comes close to one that policies are measured against."""
    mine = sorted((step for step in steps if step.against == rival and step.policy in findings.study.policies),
                  key=lambda step: -step.value)
    if not mine:
        return ""
    level = [step.policy for step in mine if step.is_open]
    ahead = [step for step in mine if not step.is_open and step.value > 0]
    if ahead:
        listed = ", ".join(f"{step.policy} by {step.text}" for step in ahead)
        return f"Ahead of {rival}: {listed}."
    if level:
        return f"No policy is known to be better than {rival}; not told apart from it: {', '.join(level)}."
    near = mine[0]
    return (f"Every policy is behind {rival}; {near.policy} comes nearest, by "
            f"{shown(-near.value, -near.high, -near.low)} {findings.report.unit} per deal."
            if len(mine) > 1 else f"{near.policy} {_distance(near)} {findings.report.unit} per deal.")


def drawings(findings: Findings) -> Iterator[Drawing]:
    """The ladder, and the losses by trick and kind."""
    found = findings.strength
    if found is None:
        return
    steps = ladder(found)
    if steps:
        lines = _lines(findings, steps)
        scale = scale_of([line.low > 0 for line in lines])
        yield Drawing(
            "strength", "How far from the best",
            f"What those that policies are measured against gain on each policy. A hollow mark is open: its interval "
            f"holds 0.{AXES[scale]}",
            f"{_pairs(steps, list(found.asked.against))}; {findings.sure} intervals for all at once; "
            f"{setting(findings)}",
            lambda: _forest(findings, lines, scale))
    yield from losses.drawings(findings, found)


def _lines(findings: Findings, steps: list[Step]) -> list[Any]:
    """A line for each rung, by rival and distance, from the rival's side."""
    short = labels(list(dict.fromkeys(name for step in steps for name in (step.policy, step.against))))
    rivals = list(findings.strength.asked.against) if findings.strength else []
    steps = sorted(steps, key=lambda step: (rivals.index(step.against), step.value))
    return [figures.Line(f"{short[step.against]} – {short[step.policy]}", -step.value, -step.high, -step.low,
                         step.is_open) for step in steps][: figures.MOST]


def _forest(findings: Findings, lines: list[Any], scale: str) -> "Figure":
    figure, ax = figures.new_figure(figures.height_of(lines))
    figures.forest(ax, lines, f"{findings.report.short} per deal", scale, zero=None if scale == "log" else 0.0)
    return figure


def tables(findings: Findings) -> Iterator[Table]:
    """The ladder, the losses and the deals worth seeing."""
    import pandas as pd

    found = findings.strength
    if found is None:
        return
    if steps := ladder(found):
        method = found.joint.method if found.joint else ""
        yield Table("strength", "How strong each policy is",
                    f"points per deal of the policy minus the other's; limits hold for all at once ({method}); n "
                    "counts pairs", pd.DataFrame([step._asdict() for step in steps]))
    yield from losses.tables(found)
    if found.deals:
        yield Table("deals", "Deals worth seeing",
                    f"what {found.pair[0]} (A) scores in the deals that the page shows; key: why; value: of the key; n "
                    "counts the deals that were looked through",
                    pd.DataFrame([{"key": one.found.key, **_seen(one), "n": one.found.experiment.deals}
                                  for one in found.deals]))


def _seen(one: Any) -> dict[str, Any]:
    return {"deal": one.seen.deal, "first_leader": one.seen.first_leader, "value": one.seen.value,
            "points": one.seen.points["A"]}


def as_dict(findings: Findings) -> dict[str, Any] | None:
    """All of it as JSON, without what would depend on where the report was made."""
    found = findings.strength
    if found is None:
        return None
    asked = found.asked
    return {
        "against": {name: str(findings.study.grammar.parse(text)) for name, text in asked.against.items()},
        "ladder": [step._asdict() for step in ladder(found)],
        "method": found.joint.method if found.joint else None,
        "losses": {"against": found.yardstick, "deals": asked.analysed, "worlds": asked.worlds,
                   "policies": [losses.as_dict(lost) for lost in found.losses]},
        "deals": {"A": found.pair[0], "B": found.pair[1], "shown": [
            {"key": one.found.key, **_seen(one), "looked_through": one.found.experiment.deals}
            for one in found.deals]},
    }
