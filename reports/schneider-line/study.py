"""Which Schneider line makes the better session? The same deals scored with every line, and sessions of six of them."""

from typing import Any

from gallery_page import Answer, Table, count, dots, figure, interval, legend, shown, statistic

import schneider_sim as ss

QUESTION = "Which Schneider line makes the better session?"
GAME = "bohemian"
DEALS = 1_000_000
SLICE = 1000

USUAL = "from 16 (standard)"
SCORES: dict[str, dict[str, Any]] = {
    **{f"from {line}{' (standard)' if line == 16 else ''}": {"schneider_at": line} for line in range(12, 20)},
    "none: 1, 1, 1": {"win_points": [1, 1, 1]},
    "from 16: 1, 3, 6": {"win_points": [1, 3, 6]},
    "from 16: 2, 3, 4": {"win_points": [2, 3, 4]},
}
A, B = "champion", "plain"


def play(deals: int) -> dict[str, Any]:
    """Champion and plain under every way to score: sessions follow from the deals exactly."""
    return {name: ss.simulate(A, B, deals=deals, seed=301, rules=rules).to_dict() for name, rules in SCORES.items()}


def won(found: dict[str, Any]) -> dict[str, Any]:
    return statistic(found, "session_win_rate")


def drawn_sessions(found: dict[str, Any]) -> dict[str, Any]:
    return statistic(found, "session_draw_rate")


def decided(found: dict[str, Any]) -> float:
    """The share of the decided sessions that the better player wins."""
    return float(won(found)["value"] / (1 - drawn_sessions(found)["value"]))


def answer(played: dict[str, Any]) -> Answer:
    lines = [name for name in SCORES if "schneider_at" in SCORES[name]]
    best = max(lines, key=lambda name: won(played[name])["value"])
    usual, other = played[USUAL], played["from 16: 2, 3, 4"]
    higher = played["from 17"]
    apart = won(played[best])["low"] > won(usual)["high"] and drawn_sessions(played[best])["high"] < drawn_sessions(
        usual)["low"]
    close = [name for name in lines if name != best and won(played[name])["high"] >= won(played[best])["low"]]
    also = f" ({' and '.join(name.split()[1] for name in close)} not told apart)" if close else ""
    first = (f"A line of {best.split()[1]} honours{also}: the better player then wins "
             f"{interval(won(played[best]), percent=True)} "
             f"of the sessions of six and {interval(drawn_sessions(played[best]), percent=True)} are drawn, where the "
             f"usual 16 gives {interval(won(usual), percent=True)} and {interval(drawn_sessions(usual), percent=True)}."
             if apart else "No line is known to be better than the usual 16.")
    shares = [decided(played[name]) for name in lines]
    rare = statistic(played[best], "schneider_rate")
    return Answer(
        [first,
         f"A line of 17 makes it worse: {interval(won(higher), percent=True)} won, "
         f"{interval(drawn_sessions(higher), percent=True)} drawn." if won(higher)["high"] < won(usual)["low"] else
         "A line of 17 is not told apart from 16.",
         (f"The line acts through the draws: of the decided sessions the better player wins {100 * min(shares):.0f} "
          f"to {100 * max(shares):.0f} % under every line. But at {best.split()[1]} a Schneider comes in "
          f"{interval(rare, percent=True)} of the deals and is no longer anything special; at 16 in "
          f"{interval(statistic(usual, 'schneider_rate'), percent=True)}."),
         ("Who wants to keep Schneider rare and have fewer draws can score 2, 3 and 4 points in place of 1, 2 and 3: "
          f"{interval(won(other), percent=True)} won, {interval(drawn_sessions(other), percent=True)} drawn.")],
        f"Sessions of six deals between {A} and {B}: how many the better player wins and how many are drawn, by the "
        "honours from which a win counts as Schneider; below, other points for a win, Schneider and Schwarz.",
        [Table(("Schneider", f"{A} wins", "drawn", f"{B} wins", "Schneider in a deal"),
               [[name, interval(won(found), percent=True), interval(drawn_sessions(found), percent=True),
                 shown(*(1 - won(found)[key] - drawn_sessions(found)["value"] for key in ("value", "high", "low")),
                       percent=True),
                 interval(statistic(found, "schneider_rate"), percent=True) if "none" not in name else "–"]
                for name, found in played.items()],
               "95 % intervals, each alone; all rest on the same deals, so differences are known better than that.")],
        f"Standard rules but for the points. {count(usual['deals'])} deals from 0 of seed 301, each played twice with "
        f"the seats changed, {A} against {B}; sessions of six deals with the deal changing hands follow from them "
        "exactly (delta method for the intervals).",
        "It holds for these two players, who differ by about a sixth of a victory point a deal and do not look at "
        "the score; players who play for or against a Schneider would move the figures. What a better session is "
        "remains a matter of taste: here it is one that the better player wins more often and that is drawn less "
        "often.",
        [f"schneider-sim simulate {A} {B} --deals {DEALS} --seed 301 --rules schneider_at={line}"
         for line in (int(best.split()[1]), 16)])


def draw(played: dict[str, Any]) -> Any:
    drawn, ax = figure(3.9)
    dots(ax, list(played), {"better player wins": [won(found) for found in played.values()],
                            "drawn": [drawn_sessions(found) for found in played.values()]}, "of the sessions of six "
                                                                                            "deals",
         percent=True, zero=None)
    ax.set_xlim(0, 0.7)
    legend(drawn, ax)
    return drawn
