"""The score of a deal while it is played, in plain Python: tricks, card points, marriages, and when it ends.

Seats are relative to the caller (0), as in legality.py. Source: docs/rules-bauernschnapsen.md sections 5 to 7.
"""

from typing import NamedTuple

from .contracts import BY_NAME
from .legality import normal_value, schnapser_side
from .switches import Rules


class End(NamedTuple):
    """How a deal ended: 66, last_trick, contract_made, contract_failed or declared; team 0 is the caller's."""

    how: str
    team: int
    value: int


class Score:
    """Running counts of one deal; `after_trick` and `announce` feed it, `end` asks whether the deal is over."""

    def __init__(self, rules: Rules, contract: str, declarer: int) -> None:
        self.rules, self.contract, self.declarer = rules, contract, declarer
        self.row = BY_NAME[contract]
        self.tricks = [0, 0, 0, 0]
        self.card_points = [0, 0, 0, 0]
        self.marriages = [0, 0, 0, 0]
        self.played = 0
        self.last_winner = 0
        self.just_announced = 0  # points of an announcement that no card has followed yet
        self.routed = False  # strict_routes: the last announcement stands on one of the two routes

    def announce(self, seat: int, points: int) -> None:
        """`seat`, on lead, announces 20 or 40."""
        self.marriages[seat] += points
        self.just_announced = points
        self.routed = self.played == (1 if points == 40 else 2)

    def after_trick(self, winner: int, points: int) -> None:
        """A trick worth `points` goes to `winner`."""
        self.tricks[winner] += 1
        self.card_points[winner] += points
        self.played += 1
        self.last_winner = winner
        self.just_announced = 0

    def team_tricks(self, team: int) -> int:
        return self.tricks[team] + self.tricks[team + 2]

    def total(self, team: int) -> int:
        """Card points of the team's tricks and those of its marriages that count."""
        seats = (team, team + 2)
        if self.rules.marriage_unit == "player":
            married = sum(self.marriages[s] for s in seats if self.tricks[s])
        else:
            married = sum(self.marriages[s] for s in seats) if self.team_tricks(team) else 0
        return sum(self.card_points[s] for s in seats) + married

    def normal_win(self, team: int, how: str) -> End:
        """The end by which `team` wins the normal game."""
        return End(how, team, normal_value(self.team_tricks(1 - team), self.total(1 - team)))

    def reached(self) -> list[int]:
        """The teams with a trick and 66 or more."""
        return [team for team in (0, 1) if self.team_tricks(team) and self.total(team) >= 66]

    def contract_end(self, made: bool) -> End:
        """The end of a special contract."""
        team = self.declarer % 2 if made else 1 - self.declarer % 2
        return End("contract_made" if made else "contract_failed", team, self.rules.value(self.contract))

    def end(self) -> End | None:
        """The End if the deal is over by now, else None; 66 in the normal game counts as claimed."""
        aim, mine = self.row.aim, self.tricks[self.declarer]
        if aim == "declared":
            return End("declared", self.declarer % 2, self.rules.value(self.contract))
        if aim == "schnapser":
            return self._schnapser()
        if aim == "none":
            return self.contract_end(False) if mine else self.contract_end(True) if self.played == 5 else None
        if aim == "all":
            if mine < self.played:
                return self.contract_end(False)
            return self.contract_end(True) if self.played == 5 else None
        for team in self.reached():
            return self.normal_win(team, "66")
        return self.normal_win(self.last_winner % 2, "last_trick") if self.played == 5 else None

    def _schnapser(self) -> End | None:
        side = schnapser_side(self.rules, self.contract, self.declarer)
        won = sum(self.tricks[s] for s in side)
        if won < self.played:
            return self.contract_end(False)
        total = sum(self.card_points[s] for s in side)
        if self.rules.schnapser_test == "by_trick3":
            total += self._counted(side)
        elif self.just_announced and self.routed:
            total += self.just_announced
        if won and total >= 66:
            return self.contract_end(True)
        missed = self.just_announced > 0 and self.rules.failed_announce_loses
        return self.contract_end(False) if missed or self.played == 3 else None

    def _counted(self, side: tuple[int, ...]) -> int:
        if self.rules.marriage_unit == "player":
            return sum(self.marriages[s] for s in side if self.tricks[s])
        return sum(self.marriages[s] for s in side) if any(self.tricks[s] for s in side) else 0
