"""A climb in lines for people: what was found and by how much it is better, then the rounds, then what it rests on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..base.estimate import show
from ..results.text_tables import heading, table
from ..versus.names import label

if TYPE_CHECKING:
    from .climb import Round
    from .tune import Tuned


def report(tuned: "Tuned") -> str:
    """The whole climb as text."""
    parts = [f"{sentence(tuned)}\n{tuned.policy}", rounds(tuned.rounds, tuned.unit), "\n".join(_grounds(tuned))]
    return "\n\n".join(part for part in parts if part)


def sentence(tuned: "Tuned") -> str:
    """What was found, first of all."""
    edge, start = tuned.edge, label(tuned.typed[0], "the start")
    if tuned.policy == tuned.start:
        done = "No round was finished" if not tuned.rounds else f"{tuned.tried:,} changes were tried"
        return f"{done}: nothing better than {start} was found."
    which = "better" if edge.low > 0 else "worse" if edge.high < 0 else "(not separated from 0) better"
    return (f"Found a policy that is {show(edge.value, edge.low, edge.high, f' {tuned.unit} a deal')} {which} than "
            f"{start}:")


def round_line(one: "Round", unit: str) -> str:
    """A round in a line, while the climb goes on."""
    gained = f"gained {one.gain:.4f} {unit} a deal" if one.gain else "found nothing"
    return f"round {one.round}, climb {one.climb}: {one.tried:,} changes, {gained}; now {one.policy}"


def rounds(played: "Sequence[Round]", unit: str) -> str:
    """The table of rounds."""
    if not played:
        return ""
    rows = [(one.round, one.climb, one.depth, f"{one.tried:,}", f"{one.gain:.4f}" if one.gain else "-",
             show(one.value, one.low, one.high)) for one in played]
    return table(("round", "climb", "depth", "tried", "gain", f"then, {unit} a deal against the panel"), rows,
                 (0, 1, 2, 3, 4))


def _grounds(tuned: "Tuned") -> list[str]:
    match_up = tuned.experiment.match_up
    typed = {"start": tuned.typed[0]}
    policies = {"start": match_up.b}
    lines = heading(tuned.experiment.game, match_up.rules.as_dict(), typed, policies)
    lines += [f"against: {', '.join(tuned.typed[1:])}"] if tuned.typed[1:] != tuned.typed[:1] else []
    if tuned.policy == tuned.start:
        return [*lines, f"again: {tuned.again}"]
    first, deals = tuned.experiment.first, tuned.experiment.deals
    return [*lines, f"The edge over the start: {deals:,} duplicates from deal {first} on, which the climb did not use.",
            f"again: {tuned.again}", f"check: {tuned.check}"]
