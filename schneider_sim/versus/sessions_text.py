"""Whole sessions (matches) in words and tables: played beside exact, and how long they were."""

from ..base.estimate import show
from ..base.text import counted
from ..results.text_tables import heading, table
from .sessions import Sessions


def report(outcome: Sessions, a: str | None = None, b: str | None = None) -> str:
    """The whole outcome as text; a, b: the policies as they were typed, by default in full."""
    match_up = outcome.experiment.match_up
    typed = str(match_up.a) if a is None else a, str(match_up.b) if b is None else b
    return "\n\n".join([settings(outcome, *typed), figures(outcome), "\n".join(remarks(outcome))])


def settings(outcome: Sessions, a: str, b: str) -> str:
    """What was played, as lines."""
    match_up = outcome.experiment.match_up
    return "\n".join([
        *heading(outcome.experiment.game, match_up.rules.as_dict(), {"A": a, "B": b},
                 {"A": match_up.a, "B": match_up.b}),
        f"{counted(outcome.count, outcome.unit)} on {_deals(0, outcome.deals)} of seed {match_up.seed}",
    ])


def figures(outcome: Sessions) -> str:
    """Played beside exact, and whether they agree."""
    exact = {estimate.statistic: estimate for estimate in outcome.exact}
    agreement, level, rows = outcome.agreement(), f"{100 * outcome.level:g}", []
    for e in outcome.played:
        other = exact.get(e.statistic)
        rows.append((e.statistic, show(e.value, e.low, e.high), e.method,
                     show(other.value, other.low, other.high) if other else "-",
                     verdict(agreement[e.statistic]) if other else "-"))
    header = ("statistic", f"played ({level} % interval)", "method", f"exact ({level} % interval)", "do they agree?")
    return table(header, rows)


def verdict(z: float | None) -> str:
    """A distance in standard errors, in words."""
    if z is None:
        return "yes, by the rules"
    if abs(z) < 2:
        return f"yes (z = {z:.1f})"
    often = "one run in twenty" if abs(z) < 2.6 else "one run in a hundred"
    return f"a little apart (z = {z:.1f}), as {often} is" if abs(z) < 3.3 else f"no (z = {z:.1f})"


def remarks(outcome: Sessions) -> list[str]:
    """How long the sessions were, and where the exact figures come from."""
    lengths, said = outcome.lengths, []
    if lengths.shortest < lengths.longest:
        exact = f"; exact: {show(*outcome.exact_length[:3])}" if outcome.exact_length else ""
        said.append(f"A {outcome.unit} took {lengths.shortest} to {lengths.longest} deals, "
                    f"{lengths.counted / outcome.count:.2f} on average{exact}.")
    elif outcome.exact_length:
        said.append(f"Every {outcome.unit} took {counted(lengths.shortest, 'deal')}.")
    if lengths.void:
        said.append(f"{counted(lengths.void, 'deal')} more had no winner and were dealt again.")
    first = outcome.deals
    said.append(f"The exact figures follow from the duplicates of other deals, {first} to "
                f"{first + outcome.exact_deals - 1}." if outcome.exact else
                "Nothing exact follows from single deals: how these policies play depends on the score of the match.")
    return said


def _deals(first: int, count: int) -> str:
    return f"deal {first}" if count == 1 else f"deals {first} to {first + count - 1}"
