"""What a player wants to know first: who wins, by how much, how sure that is."""

from collections.abc import Iterator, Sequence

import numpy as np

from ...base.estimate import percent
from ...base.text import one_of
from ...games import load_game
from ...versus import ranking as rank
from ..charts.numbers import count, shown
from ..findings import Findings
from ..reading import ahead, leading, statistic
from . import factorial, leading_first, strength, varied


def sentences(findings: Findings) -> list[str]:
    """The findings as a few plain sentences, the most important first."""
    return [*_who_wins(findings), *_order(findings), *strength.answer(findings), *_remarks(findings),
            *factorial.answer(findings), *varied.answer(findings), *_first_leader(findings)]


def _remarks(findings: Findings) -> list[str]:
    """What the game says of any match-up, once."""
    return list(dict.fromkeys(remark for one in findings.played for remark in load_game(findings.study.game).remarks(
        one.result.experiment.match_up, one.a, one.b)))


def _who_wins(findings: Findings) -> Iterator[str]:
    best = leading(findings)
    if best is None or not findings.payoff.is_complete:
        return
    one, comparison = best
    a, b = comparison.a, comparison.b
    gain = shown(comparison.value, comparison.all_low, comparison.all_high)
    unit = findings.report.unit
    if comparison.low == comparison.high == 0 or comparison.correlation == -1.0:
        yield f"The plays of {a} and {b} cancelled exactly on every deal: nothing separates them."
        return
    if not comparison.is_settled:
        yield (f"{a} and {b} cannot be told apart: on {count(comparison.n)} deals, played by both from either side, "
               f"{a} gains {gain} {unit} per deal on {b}.")
    else:
        names = findings.payoff.order
        beats = findings.payoff.beats(names)
        is_first, next_best = (_beats_all(beats, names.index(name), without=names.index(a)) for name in (a, b))
        crown = f"{a} is the strongest of the {len(names)} policies" if is_first and len(names) > 2 else (
            f"{a} is ahead of {b}")
        yield (f"{crown}: on {count(comparison.n)} deals, played by both from either side, it gains {gain} {unit} "
               f"per deal on {b}{', the next best' if len(names) > 2 and is_first and next_best else ''}.")
    win, draw = statistic(one, "session_win_rate"), statistic(one, "session_draw_rate")
    if win:
        drawn = draw.value if draw else 0.0
        won = win.value if one.a == a else 1 - win.value - drawn
        ends = f"wins {percent(won)} %, draws {percent(drawn)} % and loses " if drawn else (
            f"wins {percent(won)} % and loses ")
        yield (f"Over a {findings.report.session}, {a} {ends}{percent(1 - won - drawn)} % "
               f"against {b}.")


def _beats_all(beats: rank.Bools, one: int, without: int) -> bool:
    """Whether a policy surely beats every other, `without` left aside."""
    others = [k for k in range(len(beats)) if k not in (one, without)]
    return bool(beats[one, others].all())


_NAMED = 6


def _order(findings: Findings) -> Iterator[str]:
    payoff = findings.payoff
    if not payoff.comparisons or (len(payoff.comparisons) < 2 and payoff.is_complete):
        return
    sure = f"all intervals holding at once with {findings.sure} certainty"
    if not payoff.is_complete:
        yield from _who_beat_whom(findings)
    open_ones = [one for one in payoff.comparisons if not one.is_settled]
    listed = "; ".join(f"{one.a} – {one.b}" for one in open_ones[:_NAMED])
    listed += f" and {len(open_ones) - _NAMED} more" if len(open_ones) > _NAMED else ""
    settled = len(payoff.comparisons) - len(open_ones)
    together = (f"f {len(payoff.comparisons)} match-ups {settled} are settled, {sure}"
                f"{f'; open: {listed}' if open_ones else ''}.")
    if not payoff.is_complete:
        yield f"O{together}"
        return
    chain, is_whole = _chain(findings, payoff.order)
    if is_whole:
        yield f"The order {chain} is established: each policy beats every later one, {sure}."
        return
    yield f"The order is not established: o{together}"
    yield _strongest(payoff.order, payoff.beats(payoff.order))
    if chain:
        yield f"Established is {chain}; between commas it is open."


def _chain(findings: Findings, names: Sequence[str]) -> tuple[str, bool]:
    """As much of an order as match-ups establish, and whether that is all of it; "" for nothing."""
    groups = rank.groups(range(len(names)), findings.payoff.beats(names))
    chain = " > ".join(", ".join(names[k] for k in group) for group in groups)
    return chain if len(groups) > 1 else "", len(groups) == len(names)


def _strongest(names: Sequence[str], beats: rank.Bools) -> str:
    """Who may be the strongest: the policies that nobody surely beats."""
    unbeaten = [names[k] for k in rank.may_be_first(beats)]
    if not unbeaten:
        return "No policy is the strongest: each is beaten by another."
    if len(unbeaten) == 1:
        return f"Only {unbeaten[0]} is not beaten by any other."
    return f"Which is the strongest is open: nobody surely beats {one_of(unbeaten)}."


def _who_beat_whom(findings: Findings) -> Iterator[str]:
    """What match-ups say where not everybody met: no order over all, but that of a set in which all met."""
    payoff = findings.payoff
    won = [one for one in map(ahead, payoff.comparisons) if one.is_settled]
    by_winner = {name: [one for one in won if one.a == name] for name in payoff.order}
    by = {one: f"{one.b} by {shown(one.value, one.all_low, one.all_high)}" for one in won}
    said = [f"{name} beats {', '.join(by[one] for one in ones[:_NAMED])}"
            f"{' …' if len(ones) > _NAMED else ''}" for name, ones in by_winner.items() if ones]
    more = f"; {len(said) - _NAMED} more are in the table" if len(said) > _NAMED else ""
    yield (f"Not all of the {len(payoff.names)} policies met, so they cannot be ranked. "
           + (f"Established gains, in {findings.report.unit} per deal: {'; '.join(said[:_NAMED])}{more}." if said else
              "No gain is established."))
    for names in payoff.sets:
        if len(names) > 2 and payoff.all_met(names):
            chain, is_whole = _chain(findings, names)
            open_part = "" if is_whole else "; between commas it is open"
            yield (f"Among {', '.join(names)}, who all met, the order is "
                   f"{chain + open_part if chain else 'not established'}.")


def _first_leader(findings: Findings) -> Iterator[str]:
    found = leading_first.advantages(findings)
    if not found:
        return
    first = findings.payoff.order[0]
    name = first if first in found else next(iter(found))
    own = statistic(next(one for one in findings.self_plays if one.a == name), "first_leader_advantage")
    unit = findings.report.unit
    text = (f"{findings.report.leading} is worth {shown(own.value, own.low, own.high)} {unit} per deal when {name} "
            "plays itself")
    if len(found) > 1:
        seen = rank.varies("it is", list(found), np.array([one.low for one in found.values()]),
                           np.array([one.high for one in found.values()]), "with")
        text += f"; it depends on who plays: {seen}" if seen else "; no two of these policies differ in it for sure"
    yield text + "."
