"""How a report on Bohemian Schneider opens: the rules in force in a few sentences, from the switches."""

from collections.abc import Mapping
from typing import Any

from ....report.sections.opening import other_rules, points

_REPLY = {
    "free": "replies with any card",
    "must_follow": "replies with a card of the suit led, or with any card where the hand has none",
    "endgame_only": "replies with any card, once the stock is empty with one of the suit led if the hand has one",
}
_TAKES = {
    "next_same_suit": "takes the trick only if it is the next higher card of the suit led",
    "any_higher_same_suit": "takes the trick if it is a higher card of the suit led",
    "next_any_suit": "takes the trick only if it is of the next higher rank, in whatever suit",
}
_ACE = {"off": "", "same_suit": "; a seven takes an ace of its suit", "any_suit": "; a seven of any suit takes an ace"}
_TIE = {"no_score": "", "redeal": " In a session a deal of 10:10 is dealt again.",
        "carry": " In a session the deal that is decided after one of 10:10 is worth 1 more."}


def rules_in_short(rules: Any) -> str:
    """Bohemian Schneider by these rules."""
    one, two, three = rules.win_points
    at = rules.schneider_at
    drawn = " Each player draws from the stock on playing a card." if rules.draw_timing == "on_play" else ""
    return (
        f"Two players play sixteen tricks with 32 cards and no trumps: one leads, the other {_REPLY[rules.follow]}, "
        f"which {_TAKES[rules.beat_rule]}{_ACE[rules.ace_by_seven]}.{drawn} The player with more than half of the 20 "
        f"honours (ten, jack, queen, king, ace) at the end wins the deal: {points(one, 'victory point')}, "
        f"{two} from {at} honours (Schneider), {three} for all of them (Schwarz).{_TIE[rules.tie_10_10]}"
        + other_rules("bohemian", rules, (
            "follow", "beat_rule", "ace_by_seven", "draw_timing", "win_points", "schneider_at", "tie_10_10",
            "session")))


def glossary(rules: Any) -> Mapping[str, str]:
    """The words of Bohemian Schneider as these rules define them."""
    one, two, three = rules.win_points
    at = rules.schneider_at
    schneider = "19 honours" if at == 19 else f"{at} to 19 honours"
    kind, number = rules.session_plan
    session = {"deals": f"{'six' if number == 6 else number} deals, each player being first leader in "
                        f"{'three' if number == 6 else number // 2}",
               "target": f"deals until a player has {points(number, 'victory point')}",
               "stakes": "none: every deal is paid on its own"}[kind]
    return {
        "honour": "a ten, jack, queen, king or ace; there are 20, and only they count",
        "victory points (VP)": f"what a deal is worth to its winner: {one}, {two} for Schneider, {three} for Schwarz",
        "Schneider, Schwarz": f"a win with {schneider}; one with all 20",
        "safe lead": "a lead that cannot be captured by any card whose place is unknown to the leader",
        "session": session,
    }
