"""Which rules leave most to skill? How many deals until the better player is ahead with 95 %, rule by rule."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gallery_page import Answer, Table, count, dots, figure, interval, legend, statistic

import schneider_sim as ss
from schneider_sim.stats.session_estimates import session_estimates_independent

QUESTION = "Which rules leave most to skill?"
GAME = "bohemian"
DEALS = 400_000
SLICE = 1000

RULES: dict[str, dict[str, Any]] = {
    "standard": {"rules": {}},
    "only winning counts (1, 1, 1)": {"rules": {"win_points": [1, 1, 1]}},
    "Schneider from 14": {"rules": {"schneider_at": 14}},
    "a 7 takes the ace": {"variant": "seven-takes-ace"},
    "next of any suit captures": {"variant": "any-suit"},
    "any higher captures, follow suit": {"variant": "higher"},
}
BEST = {"seven-takes-ace": "champion-seven", "any-suit": "champion-any-suit", "higher": "champion-higher"}
OTHERS = ("plain", "thrifty")
SURE, MOST = 0.95, 1000  # the longest session that the rules know


def play(deals: int) -> dict[str, Any]:
    """The best list known under each rule against two others, every deal once."""
    found: dict[str, Any] = {}
    for rules, given in RULES.items():
        best = BEST.get(given.get("variant", ""), "champion")
        for other in OTHERS:
            run = ss.simulate(best, other, deals=deals, seed=401, design="independent", **given).to_dict()
            found.setdefault(rules, {})[other] = {"run": run, "until": until(run)}
    return found


def points(honours: int, rules: Mapping[str, Any]) -> int:
    """Victory points of a player who took so many of the 20 honours, less the other's."""
    most = max(honours, 20 - honours)
    step = 0 if most == 10 else 1 if most < rules["schneider_at"] else 2 if most < 20 else 3
    worth = (0, *rules["win_points"])[step]
    return int(worth if honours > 10 else -worth)


def until(run: dict[str, Any]) -> dict[str, Any]:
    """Deals, led first in turn, after which A is ahead with 95 %, as value, low and high; None beyond MOST."""
    values = sorted({points(honours, run["rules"]) for honours in range(21)})
    first, second = (np.zeros(len(values), np.int64) for _ in "AB")
    for counts, leader in ((first, "A"), (second, "B")):
        for honours, seen in enumerate(run["by_first_leader"][leader]):
            counts[values.index(points(honours, run["rules"]))] += seen

    def least(limit: str) -> int | None:
        def ahead(deals: int) -> bool:
            session = session_estimates_independent(values, first, second, f"deals-{deals}")["session_win_rate"]
            return bool(getattr(session, limit) >= SURE)

        return smallest(ahead)

    return {"value": least("value"), "low": least("high"), "high": least("low")}


def smallest(holds: Callable[[int], bool]) -> int | None:
    """The smallest even number up to MOST from which on `holds` does, by bisection; None where there is none."""
    if not holds(MOST):
        return None
    low, high = 0, MOST // 2  # in pairs of deals
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(2 * middle) else (middle, high)
    return 2 * high


def deals_text(row: Mapping[str, Any]) -> str:
    """A number of deals with its limits."""
    value, low, high = (f"{row[key]}" if row[key] else f"more than {MOST}" for key in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def answer(played: dict[str, Any]) -> Answer:
    found = {rules: played[rules]["plain"]["until"] for rules in RULES}
    known = [rules for rules in RULES if found[rules]["value"]]
    fewest = min(known, key=lambda rules: found[rules]["value"])
    usual = found["standard"]
    rest = [rules for rules in RULES if rules != fewest]
    sole = all((found[rules]["low"] or MOST) > found[fewest]["high"] for rules in rest)
    slowest = max(RULES, key=lambda rules: found[rules]["value"] or MOST + 1)
    edges = {rules: statistic(played[rules]["plain"]["run"], "vp_per_deal") for rules in RULES}
    beginner = {rules: played[rules]["thrifty"]["until"] for rules in RULES}
    turned = (beginner[fewest]["low"] or MOST) > (beginner["standard"]["high"] or MOST)
    return Answer(
        [(f"Between good players “{fewest}” leaves most to "
          f"skill{'' if sole else ' (not told apart from all others)'}: by that rule the best list that is known is "
          f"ahead of the books' advice (plain) with 95 % after {deals_text(found[fewest])} deals, by the standard "
          f"rules after {deals_text(usual)}."),
         f"Against a beginner who spares honours (thrifty) it is the other way round: "
         f"{deals_text(beginner['standard'])} "
         f"deals by the standard rules, {deals_text(beginner[fewest])} by the other. The standard rules punish "
         "a beginner at once and then leave little between those who know the advice." if turned else
         f"Against a beginner who spares honours (thrifty) it takes {deals_text(beginner['standard'])} deals by the "
         f"standard rules and {deals_text(beginner[fewest])} by the other.",
         f"Luck lasts longest between good players where “{slowest}” is the rule: {deals_text(found[slowest])} deals.",
         ("A session of six decides little: by the standard rules the better of two good players wins it in "
          f"{interval(statistic(played['standard']['plain']['run'], 'session_win_rate'), percent=True)}.")],
        "Deals, led first in turn, until the best list known under the rules is ahead on points with 95 % "
        "(logarithmic).",
        [Table(("rules", "until ahead of plain", "until ahead of thrifty", "gain on plain a deal",
                "gain on thrifty a deal"),
               [[rules, deals_text(found[rules]), deals_text(played[rules]["thrifty"]["until"]), interval(edges[rules]),
                 interval(statistic(played[rules]["thrifty"]["run"], "vp_per_deal"))] for rules in RULES],
               "Numbers of deals, and victory points a deal; 95 % intervals.")],
        f"{count(played['standard']['plain']['run']['deals'])} independent deals from 0 of seed 401 for each pair and "
        "rule. The chance to be ahead after n deals is that of the sum of n deals, half of them with either first "
        "leader, exactly as these deals fell (convolution; limits by the delta method). Best list: champion, and "
        "champion-seven, champion-any-suit, champion-higher under these rules.",
        "“Skill” is here the distance between these lists. Where words were tuned for longer, or where the books' "
        "advice was not made for the rules, as under other captures, the distance is larger: part of what this shows "
        "is how far plain is from good play there. For the first three rules, which only score differently, both "
        "lists are the same.",
        [(f"schneider-sim simulate champion plain --design independent --seed 401 --deals {DEALS} --rules "
          f"session=deals-{usual['value'] or MOST}")])


def draw(played: dict[str, Any]) -> Any:
    drawn, ax = figure(3.2)
    dots(ax, list(RULES), {f"ahead of {other}": [
        row if all(row.values()) else None for row in (played[rules][other]["until"] for rules in RULES)]
        for other in OTHERS}, "deals until ahead with 95 %", zero=None)
    ax.set_xscale("log")
    ticks = [5, 10, 20, 50, 100, 200]
    ax.set_xticks(ticks, [str(one) for one in ticks])
    ax.minorticks_off()
    legend(drawn, ax)
    return drawn
