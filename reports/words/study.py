"""Lead or discard: which rules matter? The best list without each of its words, and lead lists with follow lists."""

from typing import Any

from gallery_page import Answer, Table, count, dots, figure, interval, legend, percent, statistic

import schneider_sim as ss

QUESTION = "Lead or discard: which rules matter, word by word?"
GAME = "bohemian"
DEALS = 400_000
SLICE = 1000

LEAD = ["safe@2-15", "not-pip@1-2", "cheap@5-9", "not-blocker", "honour@1-5", "exposed@1-3", "dead", "cheap@1-4",
        "not-low@1-5", "not-short@1-5", "short", "cheap@11-16", "high"]
FOLLOW = ["capture", "not-honour@10-15", "not-cheap@11-16", "dead", "pip", "not-safe", "long", "not-blocker", "high"]
LISTS = {"plain": ("safe honour", "capture dead pip"),
         "careful": ("safe not-blocker honour", "capture not-blocker dead pip"),
         "champion": (" ".join(LEAD), " ".join(FOLLOW))}
LEVEL = 1 - 0.05 / (len(LEAD) + len(FOLLOW) + 2)  # all intervals hold at once with 95 % (Bonferroni)
MEANING = {  # what a word of the list asks for, for people
    "safe@2-15": "lead what cannot be captured (tricks 2 to 15)", "not-pip@1-2": "no pip (tricks 1 and 2)",
    "cheap@5-9": "a 7 or 8 (tricks 5 to 9)", "not-blocker": "keep what could still take an honour",
    "honour@1-5": "an honour (tricks 1 to 5)", "exposed@1-3": "an honour that could be captured (tricks 1 to 3)",
    "dead": "what can capture nothing more", "cheap@1-4": "a 7 or 8 (tricks 1 to 4)",
    "not-low@1-5": "not the lowest (tricks 1 to 5)", "not-short@1-5": "not from a short suit (tricks 1 to 5)",
    "short": "from a short suit", "cheap@11-16": "a 7 or 8 (last six tricks)", "high": "the highest",
    "capture": "capture", "not-honour@10-15": "no honour (tricks 10 to 15)", "not-cheap@11-16": "no 7 or 8 (last six)",
    "pip": "a pip", "not-safe": "keep what would be safe to lead", "long": "from a long suit",
}


def policy(lead: list[str], follow: list[str]) -> str:
    return f"lead: {' '.join(lead)}; follow: {' '.join(follow)}"


def play(deals: int) -> dict[str, Any]:
    """The champion against itself without one word, without its lead or follow list; lists crossed with lists."""
    def loses(a: str) -> dict[str, Any]:
        return ss.simulate("champion", a, deals=deals, seed=501, level=LEVEL).to_dict()

    return {
        "lead": [loses(policy(LEAD[:k] + LEAD[k + 1:], FOLLOW)) for k in range(len(LEAD))],
        "follow": [loses(policy(LEAD, FOLLOW[:k] + FOLLOW[k + 1:])) for k in range(len(FOLLOW))],
        "none": {"lead": loses(policy([], FOLLOW)), "follow": loses(policy(LEAD, []))},
        "crossed": ss.factorial([lead for lead, _ in LISTS.values()], [follow for _, follow in LISTS.values()],
                                against="champion", deals=deals, seed=501).to_dict(),
    }


def edge(found: dict[str, Any]) -> dict[str, Any]:
    return statistic(found, "vp_per_deal")


def words(played: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Kind, word and what the list loses without it, the dearest first."""
    every = [("lead", word, edge(one)) for word, one in zip(LEAD, played["lead"], strict=True)]
    every += [("follow", word, edge(one)) for word, one in zip(FOLLOW, played["follow"], strict=True)]
    return sorted(every, key=lambda one: -one[2]["value"])


def answer(played: dict[str, Any]) -> Answer:
    every, none = words(played), {kind: edge(one) for kind, one in played["none"].items()}
    more, less = sorted(none, key=lambda kind: -none[kind]["value"])
    first, second, third = every[:3]
    idle = [f"{kind}: {word}" for kind, word, one in every if one["low"] <= 0 <= one["high"]]
    shares = played["crossed"]["shares"]
    matters = "lead" if shares["lead"] > shares["follow"] else "follow"
    names = {"lead": "leading", "follow": "following"}

    def said(one: tuple[str, str, dict[str, Any]]) -> str:
        kind, word, loss = one
        return f"“{MEANING[word]}” ({'when leading' if kind == 'lead' else 'when following'}) {interval(loss)}"

    return Answer(
        [(f"The rule that matters most is, when {names[first[0]]}, “{MEANING[first[1]]}”: without it the best list "
          f"loses {interval(first[2])} victory points a deal."),
         f"Then come {said(second)} and {said(third)}.",
         (f"Taken whole, rules for {names[more]} matter more: without any of them the list loses "
          f"{interval(none[more])}, without any for {names[less]} {interval(none[less])}."),
         (f"Among lists that people would play (plain, careful, champion) the list for {names[matters]} makes the "
          f"difference: {percent(shares[matters])} % of the variation between them is due to it."),
         (f"The list is not known to be worse without {' or '.join(idle)}." if idle else
          "Every word of the list is known to gain something.")],
        "Victory points a deal that the best list loses without one of its words, against itself with all of them "
        "(logarithmic; words that are not known to matter are left out).",
        [Table(("the list without", "in words", "loses"),
               [[f"{kind}: {word}", MEANING[word], interval(one)] for kind, word, one in every] +
               [[f"the whole {kind} list", "any legal card", interval(one)] for kind, one in none.items()],
               "Victory points a deal; the intervals hold for all lines at once with 95 % (Bonferroni)."),
         Table(("lead list of", *(f"follow list of {name}" for name in LISTS)), crossed_rows(played),
               "Victory points a deal against champion, who has both of its lists; limits for all at once.")],
        f"Standard rules. {count(played['none']['lead']['deals'])} deals from 0 of seed 501 a match-up, each played "
        f"twice with the seats changed. The best list in words is champion: {policy(LEAD, FOLLOW)}. A word is "
        "preferred before all words after it, and what it leaves open is decided by these.",
        "What a word is worth depends on the other words: two that say nearly the same are both cheap to leave out, "
        "and together dear. A list tuned without a word would lose less than this one does without it.",
        [f"schneider-sim simulate champion '{policy(*without(first))}' --deals {DEALS} --seed 501 --level {LEVEL:.6g}",
         played["crossed"]["command"]])


def without(one: tuple[str, str, dict[str, Any]]) -> tuple[list[str], list[str]]:
    """The lists without a word."""
    kind, word, _ = one
    return ([each for each in LEAD if (kind, each) != ("lead", word)],
            [each for each in FOLLOW if (kind, each) != ("follow", word)])


def crossed_rows(played: dict[str, Any]) -> list[list[str]]:
    """The cells as a table of lead lists by follow lists."""
    rows = []
    for name, (lead, _) in LISTS.items():
        cells = [next(one for one in played["crossed"]["cells"] if (one["lead"], one["follow"]) == (lead, follow))
                 for _, follow in LISTS.values()]
        rows.append([name, *("0" if one["low"] == one["high"] else interval({"value": one["edge"], **one})
                             for one in cells)])
    return rows


def draw(played: dict[str, Any]) -> Any:
    shown = [one for one in words(played) if one[2]["low"] > 0]
    drawn, ax = figure(0.25 * len(shown) + 1.0)
    dots(ax, [f"{kind}: {word}" for kind, word, _ in shown],
         {kind: [loss if one == kind else None for one, _, loss in shown] for kind in ("lead", "follow")},
         "victory points a deal lost without it", zero=None)
    ax.set_xscale("log")
    ticks = [0.0001, 0.001, 0.01, 0.1, 1]
    ax.set_xticks(ticks, [f"{one:g}" for one in ticks])
    ax.minorticks_off()
    legend(drawn, ax)
    return drawn
