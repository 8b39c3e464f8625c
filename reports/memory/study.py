"""What is memory worth? Six memories of one list of words, each against each, and each against itself."""

from typing import Any

from gallery_page import Answer, Table, count, dots, figure, interval, legend, percent, shown, statistic

import schneider_sim as ss

QUESTION = "What is memory worth?"
GAME = "bohemian"
DEALS = 400_000
SLICE = 1000

MEMORIES = {"everything": "full", "the last 8 tricks": "last-8", "the honours": "honours",
            "the last 4 tricks": "last-4", "the last 2 tricks": "last-2", "nothing": "none"}
TUNED = {  # what `ss.tune("careful; memory: …", ["champion"], seconds=80, seed=5)` found for a memory
    "nothing": "lead: safe exposed@1-2 low@1-10 cheap not-long@8-16 not-dead@11-16 high@2-16; follow: capture "
               "not-blocker not-guarded safe@1-5 low@1-10 long not-safe@2-16 low@11-16 exposed; memory: none",
    "the last 4 tricks": "lead: safe@2-15 not-guarded@4-10 cheap@11-16 short@11-16 not-low@11-16 not-blocker@1-10 "
                         "high; follow: capture not-blocker dead not-cheap@4-10 long@2-16 pip low@4-16; memory: "
                         "last-4",
    "the honours": "lead: safe@2-15 not-pip@1-2 cheap@2-16 dead@1-10 not-blocker not-long@8-16 honour not-low@1-2; "
                   "follow: capture not-blocker dead not-safe pip; memory: honours",
}


def play(deals: int) -> dict[str, Any]:
    """A tournament of the memories, each memory on both sides, and lists that were made for a memory."""
    everyone = {name: f"champion; memory: {memory}" for name, memory in MEMORIES.items()}
    return {
        "each": ss.tournament(everyone, deals=deals, seed=101).to_dict(),
        "one": ss.vary("memory", list(MEMORIES.values()), base="champion", against="champion", deals=deals,
                       contrasts="honours", seed=101).to_dict(),
        "tuned": {name: ss.simulate(policy, "champion", deals=deals, seed=101).to_dict()
                  for name, policy in TUNED.items()},
    }


def edge(played: dict[str, Any], name: str, other: str) -> dict[str, float]:
    """What a memory gains on another, VP per deal, with limits for all match-ups at once."""
    for one in played["each"]["match_ups"]:
        found = {"value": one["estimate"]["value"], "low": one["all_low"], "high": one["all_high"]}
        if (one["a"], one["b"]) == (name, other):
            return found
        if (one["a"], one["b"]) == (other, name):
            return turned(found)
    return {"value": 0.0, "low": 0.0, "high": 0.0}


def sessions_lost(played: dict[str, Any]) -> str:
    """Of a hundred sessions those that the player without memory wins, with their interval."""
    [one] = [one for one in played["each"]["match_ups"] if (one["a"], one["b"]) == ("everything", "nothing")]
    won, drawn = one["sessions"]
    return shown(*(1 - won[key] - drawn["value"] for key in ("value", "high", "low")), percent=True)


def answer(played: dict[str, Any]) -> Answer:
    nothing, honours = edge(played, "everything", "nothing"), edge(played, "everything", "the honours")
    [eight] = [row for row in played["one"]["contrasts"] if row["second"] == "last-8"]
    compared = "less than" if eight["low"] > 0 else "more than" if eight["high"] < 0 else "not told apart from"
    tuned = {name: turned(statistic(found, "vp_per_deal")) for name, found in played["tuned"].items()}
    led = {row["memory"]: row for row in played["one"]["curve"]}
    kept = percent(1 - tuned["the honours"]["value"] / tuned["nothing"]["value"])
    rows = []
    for name, memory in MEMORIES.items():
        rows.append([name, interval(edge(played, "everything", name)) if memory != "full" else "0",
                     interval(tuned[name]) if name in tuned else "–",
                     interval(edge(played, name, "nothing")) if memory != "none" else "0",
                     interval(led[memory], "advantage")])
    return Answer(
        [(f"Remembering every card is worth {interval(tuned['nothing'])} victory points a deal against an opponent "
          f"who remembers none, and {kept} % of it is the honours: who remembers only these gives up "
          f"{interval(tuned['the honours'])}, if both play by words made for their memory."),
         ("The last four tricks, pips included, are a poor exchange: they give up "
          f"{interval(tuned['the last 4 tricks'])}."),
         ("A player who forgets should play differently. By the words of champion, which were made for a full "
          f"memory, remembering nothing gives up {interval(nothing)} and wins {sessions_lost(played)} of the sessions "
          f"of six; the honours give up {interval(honours)}, {compared} the last eight tricks (by "
          f"{shown(eight['difference'], eight['low'], eight['high'])})."),
         (f"On both sides: if nobody remembers anything, leading first is worth {interval(led['none'], 'advantage')}; "
          f"if both remember the last four tricks, {interval(led['last-4'], 'advantage')}; if both remember "
          f"everything, {interval(led['full'], 'advantage')} (champion's words).")],
        "Victory points a deal of each memory against a player who remembers everything and against one who "
        "remembers nothing, all by the words of champion. Green: words made for that memory.",
        [Table(("remembers", "gives up to everything", "with words made for it", "gains on nothing",
                "leading first, both alike"), rows,
               "Victory points a deal (95 % intervals; those of champion's words hold for all match-ups or settings "
               "at once).")],
        f"Standard rules. {count(played['each']['match_ups'][0]['deals'])} deals from 0 of seed 101 a match-up, each "
        "played twice with the seats changed; the value of leading first from as many independent deals, each policy "
        "against itself. The policies are champion; memory: full, last-8, honours, last-4, last-2 and none, and "
        "three lists that were tuned against champion on other deals (they stand in study.py). A player always knows "
        "the own hand and the cards on the table.",
        "The tuned lists were found in 80 seconds each; better ones would lose less, so what they give up is an "
        "upper bound of what memory is worth against champion. People forget at random; these players forget by a "
        "rule.",
        [played["each"]["command"], played["one"]["command"],
         f"schneider-sim simulate '{TUNED['nothing']}' champion --deals {DEALS} --seed 101"])


def turned(row: dict[str, Any]) -> dict[str, float]:
    """A loss as a gain, an edge as a loss."""
    return {"value": -row["value"], "low": -row["high"], "high": -row["low"]}


def draw(played: dict[str, Any]) -> Any:
    drawn, ax = figure(3.5)
    down, up = ([edge(played, name, other) for name in MEMORIES] for other in ("everything", "nothing"))
    made = [statistic(played["tuned"][name], "vp_per_deal") if name in TUNED else None for name in MEMORIES]
    dots(ax, list(MEMORIES), {"against one who remembers everything": down, "against one who remembers nothing": up,
                              "words made for the memory, against everything": made}, "victory points a deal")
    legend(drawn, ax, 1)
    return drawn
