"""A run in lines for people: what was played, its statistics as a table, and what they mean."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..base.text import counted

if TYPE_CHECKING:
    from ..base.estimate import Named
    from ..runs.experiment import Experiment


def table(header: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[int] = ()) -> str:
    """Aligned columns as wide as their text, whatever the terminal; `right`: the columns set flush right."""
    cells = [list(header), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]

    def line(row: Sequence[str]) -> str:
        parts = [cell.rjust(width) if k in right else cell.ljust(width)
                 for k, (cell, width) in enumerate(zip(row, widths, strict=True))]
        return "  ".join(parts).rstrip()

    return "\n".join([line(cells[0]), line(["-" * width for width in widths]), *map(line, cells[1:])])


def heading(game_name: str, rules: Mapping[str, Any], typed: Mapping[str, str],
            policies: Mapping[str, Any]) -> list[str]:
    """The game with its rules, then each policy: as it was typed and, where that differs, what it stands for."""
    lines = [f"{side}: {policy_in_words(typed[side], str(policy))}" for side, policy in policies.items()]
    return [f"{game_name}, {rules_in_words(game_name, rules)}", *lines]


def policy_in_words(typed: str, policy: str) -> str:
    """A policy as it was typed and, where that differs, what it stands for: 'careful  =  lead: …'."""
    name = typed or "''"
    return policy if name == policy else f"{name}  =  {policy}"


def rules_in_words(game_name: str, rules: Mapping[str, Any]) -> str:
    """The switches that turn the standard rules into these, or "standard rules"."""
    from ..games import load_game
    from ..games.switches import changes_in_words

    return " ".join(changes_in_words(load_game(game_name).rules, rules)) or "standard rules"


def settings(experiment: "Experiment", a: str | None = None, b: str | None = None) -> str:
    """What was played, as lines: rules, policies, deals, seed; a, b: the policies as typed, by default in full."""
    match_up = experiment.match_up
    first, last = experiment.first, experiment.first + experiment.deals - 1
    deals = f"Deals {first} to {last}" if last > first else f"Deal {first}"
    how = "each twice, the policies changing seats" if match_up.design == "duplicate" else "each once"
    at = f", each at {match_up.rules.written(*match_up.score)} in the match" if any(match_up.score) else ""
    typed = {"A": str(match_up.a) if a is None else a, "B": str(match_up.b) if b is None else b}
    return "\n".join([
        *heading(experiment.game, match_up.rules.as_dict(), typed, {"A": match_up.a, "B": match_up.b}),
        f"{deals} of seed {match_up.seed}, {how}: {counted(experiment.plays, 'play')}{at}",
    ])


def opening(experiment: "Experiment", estimates: "Iterable[Named]", a: str = "A", b: str = "B",
            level: float = 0.95) -> str:
    """The sentence that answers who is better and by how much; a, b: what to call the two policies.

    Where both are the same policy, what leading first is worth.
    """
    from ..base.estimate import show
    from ..games import load_game

    found, match_up = {one.statistic: one for one in estimates}, experiment.match_up
    same = str(match_up.a) == str(match_up.b) and match_up.score[0] == match_up.score[1]
    one = found["first_leader_advantage" if same else "vp_per_deal"]
    unit, limits = f" {load_game(experiment.game).unit} per deal", f"{100 * level:g} % interval"
    gain = f"{show(one.value, one.low, one.high, unit)}, {limits}."
    if same and one.low <= 0 <= one.high:
        return ("The same policy on both sides: neither is better. Whether leading first is worth anything is not "
                f"established: {gain}")
    if same:
        return f"The same policy on both sides: neither is better. Leading first is worth {gain}"
    if one.low > 0:
        return f"{a} is better than {b}: it gains {gain}"
    if one.high < 0:
        return f"{b} is better than {a}: it gains {show(-one.value, -one.high, -one.low, unit)}, {limits}."
    return f"{a} and {b} are not separated: {a} gains {gain}"


def statistics(estimates: "Iterable[Named]", level: float = 0.95) -> str:
    """The table of statistics, with no more digits than the error allows."""
    rows = [(e.statistic, e.shown, f"{e.n:,}", e.method) for e in estimates]
    return table(("statistic", f"value ({100 * level:g} % interval)", "n", "method"), rows, right=(2,))


def meanings(experiment: "Experiment") -> str:
    """What each statistic means, a line each."""
    from ..games import load_game

    said = load_game(experiment.game).meanings(experiment.match_up)
    width = max(map(len, said))
    return "\n".join(f"{name.ljust(width)}  {meaning}" for name, meaning in said.items())
