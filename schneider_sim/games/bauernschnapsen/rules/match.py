"""The match to 24 in plain Python: score, Bummerl, dealers. Source: docs/rules-bauernschnapsen.md section 9."""

from collections.abc import Iterable

from .switches import Rules

TARGET = 24
RETOUR = ("exact_23_0", "comeback_from_zero", "off")


def next_dealer(dealer: int) -> int:
    """The caller of a deal deals the next one."""
    return (dealer + 1) % 4


def bummerl(rules: Rules, results: Iterable[tuple[str, int]]) -> tuple[str, int]:
    """(winner, Bummerl of the loser: 1, 2 or 4) of the deals (scoring team, game points); the rest is ignored."""
    score = {"A": 0, "B": 0}
    led_23_0: set[str] = set()  # teams that once stood at 23:0
    last_runs: dict[str, bool] = {"A": False, "B": False}  # this team came from 0 behind and scored all since
    for team, points in results:
        other = "B" if team == "A" else "A"
        last_runs[team] = last_runs[team] or (score[team] == 0 and score[other] > 0)
        last_runs[other] = False
        score[team] += points
        if score[team] >= TARGET:
            if rules.retour == "exact_23_0" and other in led_23_0:
                return team, 4
            if rules.retour == "comeback_from_zero" and last_runs[team]:
                return team, 4
            return team, 2 if score[other] == 0 else 1
        if score[team] == TARGET - 1 and score[other] == 0:
            led_23_0.add(team)
    raise ValueError("no team reached 24")
