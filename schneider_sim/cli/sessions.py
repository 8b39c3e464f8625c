"""`schneider-sim sessions`: whole sessions (matches) played as the rules say, beside what theory makes of the deals."""

import contextlib
from typing import TYPE_CHECKING, Any

import click

from ..base.text import counted
from ..results.text_tables import heading, table
from . import options
from .output import say, say_json
from .progress import Hear, progress

if TYPE_CHECKING:
    from ..versus.sessions import Sessions

COUNT = 100_000


@click.command()
@options.policies
@click.option("--count", default=COUNT, type=options.Whole(1, 10**12), metavar="N", show_default=True,
              help="How many sessions; deals, when the rules have no sessions.")
@options.seed_option
@options.threads_option
@options.common
def command(a: str, b: str, count: int, as_json: bool, **request: Any) -> None:
    """Play whole sessions (matches): first dealer, score and ties as the rules say."""
    from ..games import load_game
    from ..versus.sessions import sessions

    offered = load_game(request["game"]).sessions
    units = offered.UNITS if offered else "sessions"
    with contextlib.ExitStack() as bars:
        exact: list[Hear] = []

        def exactly(done: int) -> None:
            if not exact:  # how many deals it takes is known when the sessions are played
                bars.pop_all().close()
                exact.append(bars.enter_context(progress("other deals for the exact figures", None)))
            exact[0](done)

        hear = bars.enter_context(progress("playing", count, units))
        outcome = sessions(a, b, count, progress=hear, exactly=exactly, **request)
        shown = outcome.as_dict()
    if as_json:
        say_json(shown)
        return
    say(settings(outcome, a, b))
    say()
    say(figures(outcome))
    say()
    for line in remarks(outcome):
        say(line)


def settings(outcome: "Sessions", a: str, b: str) -> str:
    """What was played, as lines."""
    match_up = outcome.experiment.match_up
    return "\n".join([
        *heading(outcome.experiment.game, match_up.rules.as_dict(), {"A": a, "B": b},
                 {"A": match_up.a, "B": match_up.b}),
        f"{counted(outcome.count, outcome.unit)} on {_deals(0, outcome.deals)} of seed {match_up.seed}",
    ])


def figures(outcome: "Sessions") -> str:
    """Played beside exact, and whether they agree."""
    from ..base.estimate import show

    exact = {estimate.statistic: estimate for estimate in outcome.exact}
    agreement, rows = outcome.agreement(), []
    for e in outcome.played:
        other = exact.get(e.statistic)
        rows.append((e.statistic, show(e.value, e.low, e.high), e.method,
                     show(other.value, other.low, other.high) if other else "-",
                     verdict(agreement[e.statistic]) if other else "-"))
    return table(("statistic", "played (95 % interval)", "method", "exact (95 % interval)", "do they agree?"), rows)


def verdict(z: float | None) -> str:
    """A distance in standard errors, in words."""
    if z is None:
        return "yes, by the rules"
    if abs(z) < 2:
        return f"yes (z = {z:.1f})"
    often = "one run in twenty" if abs(z) < 2.6 else "one run in a hundred"
    return f"a little apart (z = {z:.1f}), as {often} is" if abs(z) < 3.3 else f"no (z = {z:.1f})"


def remarks(outcome: "Sessions") -> list[str]:
    """How long the sessions were, and where the exact figures come from."""
    from ..base.estimate import show

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
