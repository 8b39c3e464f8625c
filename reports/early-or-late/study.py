"""Early or late: when should honours go? One rule with a trick at which it ends, added to a list that has none."""

from typing import Any

from gallery_page import Answer, Table, count, figure, interval, legend, statistic

import schneider_sim as ss
from schneider_sim.report.charts.style import COLOURS, MUTED

QUESTION = "Early or late: when should honours go?"
GAME = "bohemian"
DEALS = 200_000
SLICE = 500

TRICKS = (1, 2, 3, 4, 5, 6, 8, 10, 12)
LEAD, FOLLOW = "safe not-blocker honour dead short high", "capture not-blocker dead pip not-safe long high"
LEVEL = 1 - 0.05 / (3 * len(TRICKS))  # all intervals hold at once with 95 % (Bonferroni)
RULES = {
    "lead exposed honours first, up to this trick": "lead: exposed@1-{k} " + LEAD + "; follow: " + FOLLOW,
    "hold safe honours back, up to this trick":
        "lead: safe not-blocker not-honour@1-{k} honour dead short high; follow: " + FOLLOW,
    "throw away honours freely, up to this trick":
        "lead: " + LEAD + "; follow: capture not-honour@{next}-16 " + FOLLOW.removeprefix("capture "),
}
EXPOSED, SAFE, THROWN = RULES


def play(deals: int) -> dict[str, Any]:
    """Each rule that ends with each trick, against the list without it."""
    return {rule: [ss.simulate(text.format(k=k, next=k + 1), f"lead: {LEAD}; follow: {FOLLOW}", deals=deals, seed=601,
                               level=LEVEL).to_dict() for k in TRICKS] for rule, text in RULES.items()}


def edges(played: dict[str, Any], rule: str) -> dict[int, dict[str, Any]]:
    """What the rule gains when it ends with a trick."""
    return {k: statistic(one, "vp_per_deal") for k, one in zip(TRICKS, played[rule], strict=True)}


def answer(played: dict[str, Any]) -> Answer:
    exposed, safe, thrown = (edges(played, rule) for rule in RULES)
    best = max(exposed, key=lambda k: exposed[k]["value"])
    sole = all(exposed[best]["low"] > one["high"] for k, one in exposed.items() if k != best)
    until = f"in trick {best} alone" if best == 1 else f"in tricks 1 to {best}"
    late = next((k for k in TRICKS if exposed[k]["high"] < 0), None)
    held = min(safe.values(), key=lambda one: one["value"])
    top = max(thrown, key=lambda k: thrown[k]["value"])
    paid = [k for k in TRICKS if thrown[k]["low"] > 0]
    return Answer(
        [f"{'Early' if exposed[best]['low'] > 0 and best <= 3 else 'No rule is known'}: leading an honour that could "
         f"be "
         f"captured {until} gains {interval(exposed[best])} victory points a deal"
         f"{'' if sole else ' (not told apart from some other tricks)'}"
         + (f", but doing so up to trick {late} costs {interval(minus(exposed[late]))}." if late else "."),
         ("The card that captures it is in the other hand only about once in four at the first lead (6 of the 26 "
          "cards that are not seen); later the other player has kept it."),
         f"Safe honours should not be saved: holding them back costs up to {interval(minus(held))}."
         if held["high"] < 0 else "It is not established that holding back safe honours costs anything.",
         f"When throwing away, honours that can take nothing more may go up to trick {top} or so; keeping them from "
         f"then on gains {interval(thrown[top])} on throwing them away to the end." if paid else
         "It is not established that it matters when honours are thrown away."],
        "Victory points a deal that a rule gains on the same list without it, by the trick up to which it acts. The "
        "axis is cut at −0.2.",
        [Table(("up to trick", *RULES), [[f"{k}", *(interval(found[k]) for found in (exposed, safe, thrown))]
                                         for k in TRICKS],
               "Victory points a deal; the intervals hold for all cells at once with 95 % (Bonferroni).")],
        f"Standard rules. {count(played[EXPOSED][0]['deals'])} deals from 0 of seed 601 for each cell, each played "
        f"twice with the seats changed, against the list of classic: lead: {LEAD}; follow: {FOLLOW}. An honour is "
        "exposed when a card that could capture it has not been seen; safe when it cannot be captured any more. From "
        "the third rule's trick on, honours are not thrown away as long as there is anything else.",
        "The other words and the opponent stay the same in all of it. Against an opponent who expects exposed "
        "honours, or with other words after it, the best trick may be another: champion, which was tuned as a whole, "
        "leads them in trick 1 and, where nothing is safe, up to trick 3.",
        [(f"schneider-sim simulate '{RULES[EXPOSED].format(k=best)}' classic --deals {DEALS} --seed 601 --level "
          f"{LEVEL:.6g}")])


def minus(row: dict[str, Any]) -> dict[str, float]:
    """A gain as a loss."""
    return {"value": -row["value"], "low": -row["high"], "high": -row["low"]}


def draw(played: dict[str, Any]) -> Any:
    drawn, ax = figure(3.5)
    for number, rule in enumerate(RULES):
        found = edges(played, rule)
        ax.vlines(TRICKS, [one["low"] for one in found.values()], [one["high"] for one in found.values()],
                  color=COLOURS[number], linewidth=2)
        ax.plot(TRICKS, [one["value"] for one in found.values()], color=COLOURS[number], marker="osD"[number],
                markersize=4.5, linewidth=1, label=rule)
    ax.axhline(0, color=MUTED, linewidth=1, zorder=0.5)
    ax.set_ylim(-0.2, 0.06)
    ax.set_xticks(TRICKS, [str(k) for k in TRICKS])
    ax.set_xlabel("trick up to which the rule acts")
    ax.set_ylabel("victory points a deal")
    legend(drawn, ax, 1)
    return drawn
