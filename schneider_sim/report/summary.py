"""What a player wants to know first: who wins, by how much, how sure that is."""

from collections.abc import Iterator

from ..estimate import percent
from ..games import game
from . import factorial
from .numbers import count, shown
from .playing import Findings
from .reading import ahead, leading, statistic


def sentences(findings: Findings) -> list[str]:
    """The findings as a few plain sentences, the most important first."""
    return [*_who_wins(findings), *_order(findings), *_remarks(findings), *factorial.answer(findings),
            *_first_leader(findings)]


def _remarks(findings: Findings) -> list[str]:
    """What the game says of any match-up, once."""
    return list(dict.fromkeys(remark for one in findings.played for remark in game(findings.study.game).remarks(
        one.result.experiment.match, one.a, one.b)))


def _who_wins(findings: Findings) -> Iterator[str]:
    best = leading(findings)
    if best is None:
        return
    one, comparison = best
    a, b = comparison.a, comparison.b
    gain = shown(comparison.value, comparison.all_low, comparison.all_high)
    unit = findings.report.unit
    many = len(findings.payoff.comparisons) > 1
    if comparison.low == comparison.high == 0 or comparison.correlation == -1.0:
        yield f"{a} and {b} cancelled exactly on every deal: nothing tells them apart."
        return
    if not comparison.is_settled:
        yield (f"{a} and {b} cannot be told apart: on {count(comparison.n)} deals, played by both from either side, "
               f"{a} gains {gain} {unit} per deal on {b}.")
    else:
        crown = f"{a} is the strongest of the {len(findings.study.players)} policies" if _is_first(findings, a) else (
            f"{a} is ahead of {b}")
        yield (f"{crown}: on {count(comparison.n)} deals, played by both from either side, it gains {gain} {unit} "
               f"per deal on {b}{', the next best' if many and _is_first(findings, a) else ''}.")
    win, draw = statistic(one, "session_win_rate"), statistic(one, "session_draw_rate")
    if win:
        drawn = draw.value if draw else 0.0
        won = win.value if one.a == a else 1 - win.value - drawn
        ends = f"wins {percent(won)} %, draws {percent(drawn)} % and loses " if drawn else (
            f"wins {percent(won)} % and loses ")
        yield (f"In a {findings.report.session} that is this: {a} {ends}{percent(1 - won - drawn)} % "
               f"against {b}.")


def _is_first(findings: Findings, name: str) -> bool:
    """Whether the policy met every other and is clearly ahead of each."""
    others = [other for other in findings.payoff.names if other != name]
    met = [findings.payoff.between(name, other) for other in others]
    return all(one is not None and one.all_low > 0 for one in met)


def _order(findings: Findings) -> Iterator[str]:
    payoff = findings.payoff
    if len(payoff.comparisons) < 2:
        return
    order = payoff.order
    open_ones = [one for one in payoff.comparisons if not one.is_settled]
    settled = len(payoff.comparisons) - len(open_ones)
    if findings.study.is_round_robin and not open_ones and _is_linear(findings, order):
        yield (f"The order {' > '.join(order)} is established: each policy beats every later one, all "
               f"{len(payoff.comparisons)} intervals holding at once with 95 % certainty.")
        return
    listed = "; ".join(f"{one.a} – {one.b}" for one in open_ones[:6]) + (" …" if len(open_ones) > 6 else "")
    together = (f"f {len(payoff.comparisons)} match-ups {settled} are settled, all intervals holding at once with 95 % "
                f"certainty{f'; open: {listed}' if open_ones else ''}.")
    if not findings.study.is_round_robin:
        yield f"O{together}"
        return
    yield f"The order is not established: o{together}"
    turned = [one for one in map(ahead, payoff.comparisons)
              if one.is_settled and order.index(one.a) > order.index(one.b)]
    doubt = f", although {turned[0].a} beats {turned[0].b}" if turned else "; neighbours that are open may be tied"
    yield f"By mean gain over all others the order is {' > '.join(order)}{doubt}."


def _is_linear(findings: Findings, order: tuple[str, ...]) -> bool:
    pairs = [(a, b) for place, a in enumerate(order) for b in order[place + 1 :]]
    return all(one is not None and one.all_low > 0 for one in (findings.payoff.between(a, b) for a, b in pairs))


def _first_leader(findings: Findings) -> Iterator[str]:
    found = [(one.a, statistic(one, "first_leader_advantage")) for one in findings.self_plays]
    rows = sorted(((name, estimate) for name, estimate in found if estimate), key=lambda row: row[1].value)
    if not rows:
        return
    best = findings.payoff.order[0]
    own = next((estimate for name, estimate in rows if name == best), rows[-1][1])
    unit = findings.report.unit
    text = (f"{findings.report.leading} is worth {shown(own.value, own.low, own.high)} {unit} per deal when {best} "
            "plays itself")
    if len(rows) > 2:
        low, high = rows[0], rows[-1]
        text += (f"; among these policies it runs from {shown(*low[1][1:4])} ({low[0]}) to {shown(*high[1][1:4])} "
                 f"({high[0]})")
    yield text + "."
