"""What each published statistic of Bauernschnapsen means, in a line for players."""

from ... import MatchUp
from ..grammar import looks_at_score
from ..rules.match import TARGET
from ..rules.switches import Rules

_RETOUR = {"exact_23_0": "a Retourschneider, after 23:0 for the losers", "off": "a Retourschneider, which is off",
           "comeback_from_zero": "a Retourschneider, by all points from 0 behind on"}


def meanings(rules: Rules) -> dict[str, str]:
    """Statistic -> meaning under these rules, in the order of the estimates; V is A's game points minus B's."""
    matches, schneider, retour = f"share of matches to {TARGET}", "with the losers at 0", _RETOUR[rules.retour]
    heavier = ", 2 for a Schneider" + (", 4 for a Retourschneider" if rules.retour != "off" else "")
    return {
        "vp_per_deal": "game points per play, A's minus B's (V), both being the caller's team equally often",
        "first_leader_advantage": "what calling is worth: half of V with A as the caller's team minus V with B",
        "win_rate": "share of plays in which A scores",
        "tie_rate": "share of plays in which nobody scores: none by the rules",
        "first_leader_win_rate": "share of plays in which the caller's team scores",
        "first_leader_loss_rate": "share of plays in which the other team scores",
        "session_win_rate": f"{matches} that A wins, worked out from the plays",
        "session_draw_rate": f"{matches} that nobody wins: none by the rules",
        "schneider_rate": f"{matches} that A or B wins {schneider}",
        "schneider_rate_a": f"{matches} that A wins {schneider}",
        "schneider_rate_b": f"{matches} that B wins {schneider}",
        "retour_rate": f"{matches} that A or B wins by {retour}",
        "retour_rate_a": f"{matches} that A wins by {retour}",
        "retour_rate_b": f"{matches} that B wins by {retour}",
        "bummerl_balance": f"Bummerl that a match to {TARGET} costs B, minus A's: 1 for a loss{heavier}",
        "session_length": f"deals of a match to {TARGET} on average",
    }


def remarks(match_up: MatchUp, a: str, b: str) -> tuple[str, ...]:
    """Who plays by the score of the match, which stands still here; a, b: what to call the two policies."""
    aware = dict.fromkeys(name for name, policy in ((a, match_up.a), (b, match_up.b)) if looks_at_score(policy))
    return tuple(f"{name} plays by the score of the match, and every deal here begins at "
                 f"{match_up.rules.written(*match_up.score)}: what that is worth shows in whole matches."
                 for name in aware)
