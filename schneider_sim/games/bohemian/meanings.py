"""What each published statistic of Bohemian Schneider means, in a line for players."""

from .rules import HONOURS, Rules


def meanings(rules: Rules) -> dict[str, str]:
    """Statistic -> meaning under these rules, in the order of the estimates; V is A's victory points minus B's."""
    at, most = rules.schneider_at, HONOURS - 1
    schneider = f"with {at} to {most} honours (Schwarz is counted apart)" if at < most else f"with {most} honours"
    kind, number = rules.session_plan
    session = {"deals": f"sessions of {number} deals", "target": f"races to {number} victory points",
               "stakes": "sessions, of which there are none under session=stakes"}[kind]
    return {
        "vp_per_deal": "victory points per play, A's minus B's (V), both leading first equally often",
        "first_leader_advantage": "what leading first is worth: half of V with A as first leader minus V with B",
        "win_rate": f"share of plays that A wins, with {HONOURS // 2 + 1} or more of the {HONOURS} honours",
        "tie_rate": f"share of plays that end {HONOURS // 2}:{HONOURS // 2}",
        "schneider_rate": f"share of plays that A or B wins {schneider}",
        "schneider_rate_a": f"share of plays that A wins {schneider}",
        "schneider_rate_b": f"share of plays that B wins {schneider}",
        "schwarz_rate": f"share of plays that A or B wins with all {HONOURS} honours",
        "schwarz_rate_a": f"share of plays that A wins with all {HONOURS} honours",
        "schwarz_rate_b": f"share of plays that B wins with all {HONOURS} honours",
        "first_leader_win_rate": "share of plays that the first leader (the non-dealer) wins; ties are no wins",
        "first_leader_loss_rate": "share of plays that the first leader loses, so that the dealer wins",
        "mean_honours_first_leader": f"honours of {HONOURS} that the first leader takes in a play",
        "session_win_rate": f"share that A wins of {session}, worked out from the plays",
        "session_draw_rate": f"share that nobody wins of {session}, worked out from the plays",
    }
