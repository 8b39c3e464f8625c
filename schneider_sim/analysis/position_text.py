"""A position in lines for people: what to play in a sentence, every move in a table, and what it rests on."""

import math
from typing import TYPE_CHECKING

from ..base.estimate import decimals, percent
from ..base.terminal import Style
from ..games import load_game
from ..results.text_tables import heading, table

if TYPE_CHECKING:
    from .position import Valued
    from .worths import Worth


def report(found: "Valued", style: Style | None = None) -> str:
    """The whole as text."""
    style = style or Style()
    return "\n\n".join([sentence(found, style), _table(found, style), "\n".join(_grounds(found, style))])


def sentence(found: "Valued", style: Style) -> str:
    """The best move, what it is worth, and how far ahead it is."""
    first, unit = found.cards[0], load_game(found.experiment.game).unit
    start = f"{found.part.advice(found.position, first.card, style)}: worth {_value(first)} {unit}"
    rest = [f"; {said}" for said in (_alike(found, style), _choice(found, style)) if said]
    return f"{start}{_ahead(found, style)}{''.join(rest)}."


def _ahead(found: "Valued", style: Style) -> str:
    """By how much the first move is better than the next that is told apart."""
    if len(found.cards) == 1:
        return f", the only legal {found.kind}"
    behind = [one for one in found.cards if one.card not in found.best]
    if not behind:
        return ""
    following = behind[0]
    if found.method == "exact":
        return f" exactly, {following.behind:g} more than {_named(found, following.card, style)}"
    gap = _show(following.behind, following.behind_low, following.behind_high)
    return f", {gap.replace(' (', f' more than {_named(found, following.card, style)} (', 1)}"


def _alike(found: "Valued", style: Style) -> str:
    others = found.best[1:]
    if not others:
        return ""
    said = [_named(found, other, style) for other in others]
    names = said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"
    one = len(others) == 1
    if found.method == "exact":
        return f"{names} {'is' if one else 'are'} worth as much"
    return f"{names} {'is' if one else 'are'} not told apart"


def _choice(found: "Valued", style: Style) -> str:
    """What the policy plays, where that is not the best."""
    if found.choice in found.best:
        return ""
    played = next(one for one in found.cards if one.card == found.choice)
    loss = f"{played.behind:g}" if found.method == "exact" else _show(played.behind, played.behind_low,
                                                                       played.behind_high)
    verb = "plays" if found.kind == "card" else "chooses"
    return f"{called(found.typed[0])} {verb} {_named(found, found.choice, style)} and loses {loss}"


def _named(found: "Valued", move: str, style: Style) -> str:
    return found.part.named(found.position, move, style)


def called(typed: str) -> str:
    """What to call a policy in a sentence: its name, if it was typed as one."""
    return typed if typed.isidentifier() else "the policy"


def _value(one: "Worth") -> str:
    if one.low == one.high:
        return f"{one.value:g}"
    return f"{one.value:.{decimals(one.low, one.high)}f}"


def _show(value: float, low: float, high: float) -> str:
    """A number and its interval, as base.estimate has it, with three decimal places at most."""
    places = min(3, decimals(low, high))
    parts = [f"{number:.{places}f}" for number in (value, low, high)]
    value_text, low_text, high_text = (part.lstrip("-") if float(part) == 0 else part for part in parts)
    return f"{value_text} ({low_text} to {high_text})"


def _table(found: "Valued", style: Style) -> str:
    """Every move; the widths count the symbols, not the colours."""
    plain = Style(style.symbols)
    exact, honours = found.method == "exact", found.cards[0].honours is not None
    header = [found.kind, "value" if exact else "value (95 %)", "behind" if exact else "behind (95 %)"]
    header += ["honours"] * honours + ["win"] + ["worlds"] * (not exact)
    rows = []
    for one in found.cards:
        behind = f"{one.behind:g}" if exact else _show(one.behind, one.behind_low, one.behind_high)
        value = f"{one.value:g}" if exact else _show(one.value, one.low, one.high)
        row = [f"{_mark(found, one)} {_named(found, one.card, plain)}", value, behind]
        if one.honours is not None:
            row.append(f"{one.honours:.{0 if exact else _places(one)}f}")
        row.append(f"{percent(one.win)} %")
        rows.append([*row, *([] if exact else [f"{one.worlds:,}"])])
    return table(header, rows, right=tuple(range(3, 4 + honours + (not exact))))


def _places(one: "Worth") -> int:
    """Decimals of honours: about those of an error of three honours a world."""
    return max(0, 1 - math.floor(math.log10(6 / math.sqrt(one.worlds))))


def _mark(found: "Valued", one: "Worth") -> str:
    return ("*" if one.card in found.best else " ") + (">" if one.card == found.choice else " ")


def _grounds(found: "Valued", style: Style) -> list[str]:
    experiment = found.experiment
    match_up = experiment.match_up
    typed = {"own": found.typed[0], "other": found.typed[2] if "--against" in found.typed[1:2] else found.typed[0]}
    lines = heading(experiment.game, match_up.rules.as_dict(), typed, found.policies)
    lines.append(found.part.described(match_up.rules, found.position, style))
    plays = "plays" if found.kind == "card" else "chooses"
    lines.append(f"*: no {found.kind} is shown to be better. >: what the policy {plays}.")
    if found.method == "exact":
        lines.append("Exact: all cards are known, and both play perfectly to the end.")
    else:
        inference = int(match_up.a.options.get("inference", "0"))
        evidence = found.part.evidence(found.position, inference)
        lines.append(f"At most {found.worlds:,} worlds of seed {match_up.seed} that fit what the player has seen"
                     f"{f', {evidence}' if evidence else ''}, the same for all {found.kind}s.")
        lines.append(found.part.REST)
        lines.append("Intervals hold although the race looks often; those of 'behind' hold for all "
                     f"{found.kind}s at once.")
    return [*lines, f"again: {found.again}"]
