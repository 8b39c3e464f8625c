"""When a deal is over, who scores and how much: the compiled twin of score.py.

Source: docs/rules-bauernschnapsen.md sections 5 to 7.
"""

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from . import state as v


@compiled(part="expression")
def _married(r, s, one, two):
    """Marriage points of two seats of a side that count by now."""
    if r.by_player:
        return (s.marriages[one] if s.tricks[one] else 0) + (s.marriages[two] if s.tricks[two] else 0)
    return s.marriages[one] + s.marriages[two] if s.tricks[one] + s.tricks[two] else 0


@compiled(part="expression")
def team_tricks(s, team):
    return s.tricks[team] + s.tricks[team + 2]


@compiled(part="expression")
def team_total(r, s, team):
    """Card points of the team's tricks and its marriages that count."""
    return s.points[team] + s.points[team + 2] + _married(r, s, team, team + 2)


@compiled(part="expression")
def _close(s, how, team, worth):
    s.how, s.team, s.worth = how, team, worth
    return True


@compiled(part="expression")
def _normal_won(r, s, how, team):
    worth = 3 if team_tricks(s, 1 - team) == 0 else 2 if team_total(r, s, 1 - team) < 33 else 1
    return _close(s, how, team, worth)


@compiled(part="expression")
def _contract_over(r, s, made):
    team = s.declarer & 1
    return _close(s, v.END_MADE if made else v.END_FAILED, team if made else 1 - team, r.value[s.contract])


@compiled(part="loop")
def _schnapser_over(r, s):
    out_of_line()
    one = s.declarer
    team = r.side_team[s.contract]
    two = one ^ 2
    won = s.tricks[one] + (s.tricks[two] if team else 0)
    if won < s.done:
        return _contract_over(r, s, False)
    total = s.points[one] + (s.points[two] if team else 0)
    if not r.strict:
        if team:
            total += _married(r, s, one, two)
        elif won:
            total += s.marriages[one]
    elif s.routed:
        total += s.just
    if won and total >= 66:
        return _contract_over(r, s, True)
    if s.done == 3 or (s.just and r.miss_loses):
        return _contract_over(r, s, False)
    return False


@compiled(part="loop")
def deal_over(r, s):
    """Whether the deal is over by now, after a trick or an announcement; fills in HOW, TEAM and WORTH."""
    aim = r.aim[s.contract]
    done = s.done
    if aim == v.AIM_NORMAL:
        for team in range(2):
            if team_tricks(s, team) and team_total(r, s, team) >= 66:
                return _normal_won(r, s, v.END_66, team)
        return done == 5 and _normal_won(r, s, v.END_LAST, s.last_winner & 1)
    if aim == v.AIM_SCHNAPSER:
        return _schnapser_over(r, s)
    mine = s.tricks[s.declarer]
    if aim == v.AIM_NONE:
        return (mine > 0 or done == 5) and _contract_over(r, s, mine == 0)
    if aim == v.AIM_ALL:
        return (mine < done or done == 5) and _contract_over(r, s, mine == done)
    return _close(s, v.END_DECLARED, s.declarer & 1, r.value[s.contract])


@compiled(part="expression")
def may_announce(r, s, seat):
    """Whether the seat, on lead, may announce a marriage in this contract."""
    if s.now_aim == v.AIM_SCHNAPSER:
        return seat == s.declarer or (r.side_team[s.contract] and seat == s.declarer ^ 2)
    return s.now_aim == v.AIM_NORMAL
