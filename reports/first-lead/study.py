"""What is the first lead worth? Policies against themselves on independent deals, under the rules that are played."""

from typing import Any

from gallery_page import Answer, Table, count, dots, figure, interval, legend, statistic

import schneider_sim as ss

QUESTION = "What is the first lead worth, under which rules, for whom?"
GAME = "bohemian"
DEALS = 400_000
SLICE = 1000

RULES: dict[str, dict[str, Any]] = {
    "next of the suit captures (standard)": {"rules": {}},
    "and a 7 takes the ace": {"variant": "seven-takes-ace"},
    "next of any suit captures": {"variant": "any-suit"},
    "any higher of the suit captures": {"rules": {"beat_rule": "any_higher_same_suit"}},
    "and suit must be followed": {"variant": "higher"},
    "next captures, follow when stock is out": {"rules": {"follow": "endgame_only"}},
    "next captures, always follow": {"rules": {"follow": "must_follow"}},
}
BEST = {"seven-takes-ace": "champion-seven", "any-suit": "champion-any-suit", "higher": "champion-higher"}
PLAYERS = ("best", "plain", "thrifty", "random")
STANDARD = next(iter(RULES))


def play(deals: int) -> dict[str, Any]:
    """Each player against itself, each deal once, the seats drawn in turn."""
    found: dict[str, Any] = {}
    for rules, given in RULES.items():
        for who in PLAYERS:
            policy = BEST.get(given.get("variant", ""), "champion") if who == "best" else who
            found.setdefault(rules, {})[who] = ss.simulate(policy, policy, deals=deals, seed=201, design="independent",
                                                           **given).to_dict()
    return found


def advantage(played: dict[str, Any], rules: str, who: str) -> dict[str, Any]:
    """What leading first is worth, VP a deal."""
    return statistic(played[rules][who], "first_leader_advantage")


def answer(played: dict[str, Any]) -> Answer:
    best = {rules: advantage(played, rules, "best") for rules in RULES}
    most = max(best, key=lambda rules: best[rules]["value"])
    harms = [rules for rules, one in best.items() if one["high"] < 0]
    won, lost = (statistic(played[STANDARD]["best"], f"first_leader_{how}_rate") for how in ("win", "loss"))
    by_player = sorted(PLAYERS, key=lambda who: -advantage(played, STANDARD, who)["value"])
    listed = ", ".join(f"{'champion' if who == 'best' else who} {interval(advantage(played, STANDARD, who))}"
                       for who in by_player)
    harm = ("It is a small burden where " + "; ".join(f"“{rules}” "
                                                      f"{interval(best[rules])}" for rules in harms) + "." if harms
            else "Under none of these rules is it known to harm.")
    return Answer(
        [(f"By the standard rules leading first is worth {interval(best[STANDARD])} victory points a deal to the best "
          f"list that is known: the leader wins {interval(won, percent=True)} of the deals and loses "
          f"{interval(lost, percent=True)}."),
         f"The rules change it most: “{most}” makes it worth {interval(best[most])}. {harm}",
         (f"It is no property of the cards: by the standard rules it is worth {listed} victory points. Who follows at "
          "random seldom plays the one card that captures, so the lead hardly ever changes.")],
        "Victory points a deal that leading first is worth when both sides play alike. The axis is cut at 1: play at "
        "random (in the table) goes beyond it.",
        [Table(("rules", "best list", "plain", "thrifty", "random"),
               [[rules, *(interval(advantage(played, rules, who)) for who in PLAYERS)] for rules in RULES],
               "Victory points a deal, 95 % intervals, each alone. Best list: champion, and champion-seven, "
               "champion-any-suit and champion-higher where these are the rules."),
         Table(("rules, best list", "leader wins", "10:10", "leader loses", "Schneider by either"),
               [[rules, *(interval(statistic(played[rules]["best"], name), percent=True) for name in (
                   "first_leader_win_rate", "tie_rate", "first_leader_loss_rate", "schneider_rate"))]
                for rules in RULES])],
        f"{count(played[STANDARD]['best']['deals'])} independent deals from 0 of seed 201 for each policy and rule, "
        "each played once, a policy against itself. The first leader is the player who did not deal. Normal "
        "intervals of means, Wilson intervals of rates.",
        "champion was tuned under the standard rules; where no list was tuned (the rules about following, and any "
        "higher card without them) better play may change the figure. It is established only that the sign and size "
        "are these for these lists.",
        [f"schneider-sim simulate champion champion --design independent --deals {DEALS} --seed 201",
         (f"schneider-sim simulate champion champion --design independent --deals {DEALS} --seed 201 --rules "
          "follow=must_follow")])


def draw(played: dict[str, Any]) -> Any:
    drawn, ax = figure(3.9)
    names = {"best": "best list", "plain": "plain", "thrifty": "thrifty"}
    dots(ax, list(RULES), {names[who]: [advantage(played, rules, who) for rules in RULES] for who in names},
         "victory points a deal for leading first")
    ax.set_xlim(right=1.0)
    legend(drawn, ax, 3)
    return drawn
