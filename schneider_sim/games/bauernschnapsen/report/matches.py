"""Matches of Bauernschnapsen: length, Schneider, Retourschneider and Bummerl, worked out from the deals and played."""

from collections.abc import Iterator
from typing import NamedTuple

from ....report.charts.numbers import amount, count, rate, seldom
from ....report.findings import Findings, Played
from ....report.pieces import Answer
from ....report.reading import leading, statistic, winner_first
from ....report.study import Study
from ....stats.values import Estimate
from ....versus.sessions import Sessions, sessions
from ..grammar import looks_at_score
from .contracts import basis

MOST = 5000  # matches of a match-up
DEALS_A_MATCH = 60  # deals of the study for each match that is played


def play(study: Study, threads: int | None) -> dict[tuple[str, str], Sessions]:
    """Matches of every policy against itself, and of match-ups in which somebody plays by the score."""
    aware = {name: looks_at_score(study.experiment(name, name).match_up.a) for name in study.players}
    asked = [(name, name) for name in study.players]
    asked += [(a, b) for a, b in study.pairs if aware[a] or aware[b]]
    number = min(MOST, max(100, study.deals // DEALS_A_MATCH))
    return {(a, b): sessions(study.policies[a], study.policies[b], number, study.seed, game=study.game,
                             variant=study.variant, rules=dict(study.rules), load=study.files, threads=threads,
                             level=study.level)
            for a, b in asked}


class Row(NamedTuple):
    """A match-up seen from `a`: how its matches go; `played`: from matches, as the law of a deal is not enough."""

    a: str
    b: str
    win: Estimate
    length: Estimate
    schneider: Estimate
    retour: Estimate
    balance: Estimate
    played: bool


_NAMES = ("session_win_rate", "session_length", "schneider_rate", "retour_rate", "bummerl_balance")


def rows(findings: Findings) -> list[Row]:
    """Every match-up from the side that is ahead, the most one-sided first, then every policy against itself."""
    found = [row for row in (_row(findings, one) for one in findings.played) if row]
    order = findings.payoff.order
    return sorted(found, key=lambda row: (0, 0.5 - row.win.value) if row.a != row.b else (1, order.index(row.a)))


def _row(findings: Findings, one: Played) -> Row | None:
    estimates = {name: statistic(one, name) for name in _NAMES}
    outcome = findings.more.matches.get((one.a, one.b))
    played = estimates["session_win_rate"] is None
    if played and outcome is not None:
        estimates = {named.statistic: named for named in outcome.played}
    if any(estimates[name] is None for name in _NAMES):
        return None
    win, length, schneider, retour, balance = (estimates[name].estimate for name in _NAMES)
    a, b = winner_first(findings, one)
    if a != one.a:
        win = win.complement
        balance = balance._replace(value=-balance.value, low=-balance.high, high=-balance.low)
    return Row(a, b, win, length, schneider, retour, balance, played)


def answer(findings: Findings) -> Answer:
    """How matches go."""
    found = rows(findings)
    by_pair = {(row.a, row.b): row for row in found}
    said = []
    best = leading(findings)
    if best and (best[1].a, best[1].b) in by_pair:
        row = by_pair[best[1].a, best[1].b]
        said.append(f"{row.a} wins {rate(row.win)} of the matches against {row.b}, which take {amount(row.length)} "
                    f"deals; each costs {row.b} {amount(row.balance)} Bummerl more than {row.a}.")
    own = [row for row in found if row.a == row.b]
    for row in own:
        said.append(f"{row.a} against itself: {amount(row.length)} deals a match, {rate(row.schneider)} end in "
                    f"Schneider, {seldom(row.retour)} in Retourschneider.")
    said += _check(findings)
    table = tuple((f"{row.a} – {row.b}" if row.a != row.b else f"{row.a}, itself",
                   rate(row.win) if row.a != row.b else "–", amount(row.length), seldom(row.schneider),
                   seldom(row.retour), amount(row.balance) if row.a != row.b else "–") for row in found)
    return Answer(
        "matches", "How long is a match, and how does it end?", tuple(said),
        ("match-up", "wins", "deals a match", "Schneider", "Retourschneider", "Bummerl ahead"), table,
        f"{basis(findings)}; match-ups of two policies: {count(findings.study.deals)} duplicates. Computed exactly "
        "from the distribution of deals, by dynamic programming over score and dealer; intervals by the delta method. "
        "Wins and Bummerl are the first-named's; a lost match costs 1 Bummerl, a Schneider 2, a Retourschneider 4."
        + (" Where a policy looks at the score no single distribution of deals is enough: these rows are "
           f"from {count(_number(findings))} matches played." if any(row.played for row in found) else ""))


def _number(findings: Findings) -> int:
    return next(iter(findings.more.matches.values())).count


def _check(findings: Findings) -> Iterator[str]:
    """Whether matches that were played agree with what their deals say."""
    distances = [abs(z) for one in findings.more.matches.values() for z in one.agreement().values() if z is not None]
    if not distances:
        return
    from scipy.special import ndtr

    largest = max(distances)
    chance = min(1.0, len(distances) * 2 * float(ndtr(-largest)))
    verdict = "they agree" if chance > 0.01 else "they do not agree"
    yield (f"Checked by playing {count(_number(findings))} matches of each policy against itself, deal by deal: "
           f"{verdict} with what other deals say; of {len(distances)} figures the farthest is {largest:.1f} standard "
           "errors off.")
