"""When a deal is over, who scores and how much: the compiled twin of score.py.

Source: rules/bauernschnapsen.md sections 5 to 7.
"""

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from .state import (
    AIM,
    AIM_ALL,
    AIM_NONE,
    AIM_NORMAL,
    AIM_SCHNAPSER,
    BY_PLAYER,
    CONTRACT,
    DECLARER,
    DONE,
    END_66,
    END_DECLARED,
    END_FAILED,
    END_LAST,
    END_MADE,
    HOW,
    JUST,
    LAST_WINNER,
    MARRIAGES,
    MISS_LOSES,
    NOW_AIM,
    POINTS,
    ROUTED,
    SIDE_TEAM,
    STRICT,
    TEAM,
    TRICKS,
    VALUE,
    WORTH,
)


@compiled(part="expression")
def _married(r, s, one, two):
    """Marriage points of two seats of a side that count by now."""
    if r[BY_PLAYER]:
        return (s[MARRIAGES + one] if s[TRICKS + one] else 0) + (s[MARRIAGES + two] if s[TRICKS + two] else 0)
    return s[MARRIAGES + one] + s[MARRIAGES + two] if s[TRICKS + one] + s[TRICKS + two] else 0


@compiled(part="expression")
def team_tricks(s, team):
    return s[TRICKS + team] + s[TRICKS + team + 2]


@compiled(part="expression")
def team_total(r, s, team):
    """Card points of the team's tricks and its marriages that count."""
    return s[POINTS + team] + s[POINTS + team + 2] + _married(r, s, team, team + 2)


@compiled(part="expression")
def _close(s, how, team, worth):
    s[HOW], s[TEAM], s[WORTH] = how, team, worth
    return True


@compiled(part="expression")
def _normal_won(r, s, how, team):
    worth = 3 if team_tricks(s, 1 - team) == 0 else 2 if team_total(r, s, 1 - team) < 33 else 1
    return _close(s, how, team, worth)


@compiled(part="expression")
def _contract_over(r, s, made):
    team = s[DECLARER] & 1
    return _close(s, END_MADE if made else END_FAILED, team if made else 1 - team, r[VALUE + s[CONTRACT]])


@compiled(part="loop")
def _schnapser_over(r, s):
    out_of_line()
    one = s[DECLARER]
    team = r[SIDE_TEAM + s[CONTRACT]]
    two = one ^ 2
    won = s[TRICKS + one] + (s[TRICKS + two] if team else 0)
    if won < s[DONE]:
        return _contract_over(r, s, False)
    total = s[POINTS + one] + (s[POINTS + two] if team else 0)
    if not r[STRICT]:
        if team:
            total += _married(r, s, one, two)
        elif won:
            total += s[MARRIAGES + one]
    elif s[ROUTED]:
        total += s[JUST]
    if won and total >= 66:
        return _contract_over(r, s, True)
    if s[DONE] == 3 or (s[JUST] and r[MISS_LOSES]):
        return _contract_over(r, s, False)
    return False


@compiled(part="loop")
def deal_over(r, s):
    """Whether the deal is over by now, after a trick or an announcement; fills in HOW, TEAM and WORTH."""
    aim = r[AIM + s[CONTRACT]]
    done = s[DONE]
    if aim == AIM_NORMAL:
        for team in range(2):
            if team_tricks(s, team) and team_total(r, s, team) >= 66:
                return _normal_won(r, s, END_66, team)
        return done == 5 and _normal_won(r, s, END_LAST, s[LAST_WINNER] & 1)
    if aim == AIM_SCHNAPSER:
        return _schnapser_over(r, s)
    mine = s[TRICKS + s[DECLARER]]
    if aim == AIM_NONE:
        return (mine > 0 or done == 5) and _contract_over(r, s, mine == 0)
    if aim == AIM_ALL:
        return (mine < done or done == 5) and _contract_over(r, s, mine == done)
    return _close(s, END_DECLARED, s[DECLARER] & 1, r[VALUE + s[CONTRACT]])


@compiled(part="expression")
def may_announce(r, s, seat):
    """Whether the seat, on lead, may announce a marriage in this contract."""
    if s[NOW_AIM] == AIM_SCHNAPSER:
        return seat == s[DECLARER] or (r[SIDE_TEAM + s[CONTRACT]] and seat == s[DECLARER] ^ 2)
    return s[NOW_AIM] == AIM_NORMAL
