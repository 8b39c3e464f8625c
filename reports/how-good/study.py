"""How good is the best? The ladder, what search and an opponent who knows the list win from it, where it loses."""

from typing import Any

from gallery_page import Answer, Table, count, dots, figure, interval, statistic

import schneider_sim as ss

QUESTION = "How good is the best?"
GAME = "bohemian"
DEALS = 1_000_000
SLICE = 5000

LADDER = ("random", "greedy", "thrifty", "plain", "careful", "classic", "master")


def play(deals: int) -> dict[str, Any]:
    """The ladder in full; search, exploitation and single decisions on fewer deals, as they take long."""
    return {
        "ladder": {name: ss.simulate(name, "champion", deals=deals, seed=701).to_dict() for name in LADDER},
        "searcher": ss.simulate("searcher", "champion", deals=max(1, deals // 200), seed=702).to_dict(),
        "exploit": ss.exploit("champion", deals=max(1, deals // 500), seed=703).to_dict(),
        "losses": ss.analyse("champion", "champion", deals=max(1, deals // 1000), worlds=128, limit=1,
                             seed=704).to_dict(),
    }


def edge(found: dict[str, Any]) -> dict[str, Any]:
    return statistic(found, "vp_per_deal")


def sessions(found: dict[str, Any]) -> str:
    return interval(statistic(found, "session_win_rate"), percent=True)


def stages(played: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Victory points that A loses in a play, by stage and kind; sums of the table by trick."""
    plays = played["losses"]["plays"]
    found: dict[str, dict[str, float]] = {}
    for row in played["losses"]["by_trick"]:
        if row["policy"] == "A":
            stage = "tricks 1–3" if row["trick"] <= 3 else "tricks 4–10" if row["trick"] <= 10 else "tricks 11–16"
            kind = "leads" if row["kind"] == "lead" else "replies"
            found.setdefault(stage, {}).setdefault(kind, 0.0)
            found[stage][kind] += row["loss"] * row["decisions"] / plays
    return found


def by_trick(played: dict[str, Any]) -> list[list[str]]:
    """A row for each trick: what A loses in a play by leads and by replies, in thousandths."""
    rows: dict[int, list[str]] = {}
    for row in played["losses"]["by_trick"]:
        if row["policy"] == "A":
            scale = 1000 * row["decisions"] / played["losses"]["plays"]
            known = row["low"] is not None
            text = interval({key: scale * row["loss" if key == "value" else key] for key in (
                "value", "low", "high")}) if known else "–"
            rows.setdefault(row["trick"], [str(row["trick"])]).append(text)
    return list(rows.values())


def answer(played: dict[str, Any]) -> Answer:
    search, exploit, loss = edge(played["searcher"]), played["exploit"], played["losses"]["loss"]["A"]
    master, plain = edge(played["ladder"]["master"]), edge(played["ladder"]["plain"])
    parts = {f"{kind} of {stage}": value for stage, kinds in stages(played).items() for kind, value in kinds.items()}
    worst = max(parts, key=lambda name: parts[name])
    beaten = ("It can still be beaten clearly" if exploit["edge"]["low"] > 0 else
              "It is not established that it can be beaten clearly")
    return Answer(
        [("The best list of words (champion) gains "
          f"{interval({'value': -plain['value'], 'low': -plain['high'], 'high': -plain['low']})} victory points a "
          f"deal on the books' advice, and a player who searches gains {interval(search)} on it."),
         (f"{beaten}: an opponent who knows its words wins at least {interval(exploit['edge'])} from it, "
          f"{interval(exploit['endgame'])} of that in the last six tricks alone."),
         f"Playing the last six tricks perfectly (master) is worth {interval(master)}.",
         (f"Against the best card on imagined deals it loses {interval(loss)} a play by its own choices, the largest "
          f"part, in this sample, in {worst} (about {parts[worst]:.2f}).")],
        "Victory points a deal of each player against the best list of words. Above the line: what beats it.",
        [Table(("player", "gains on champion", "wins a session of six"),
               [["who knows its words (at least)", interval(exploit["edge"]), "–"],
                ["searcher", interval(search), sessions(played["searcher"])],
                *([name, interval(edge(played["ladder"][name])), sessions(played["ladder"][name])]
                  for name in reversed(LADDER))],
               "Victory points a deal and sessions, 95 % intervals, each alone. “At least”: a lower bound; its "
               "interval is that of the bound."),
         Table(("champion loses in trick", "by its leads", "by its replies"), by_trick(played),
               f"Thousandths of a victory point a play; {interval(loss)} points in all. 95 % intervals, each alone. "
               "Below 0: there the 128 imagined deals chose a worse card than the list did.")],
        f"Standard rules. {count(played['ladder']['plain']['deals'])} duplicates from deal 0 of seed 701 for the "
        f"ladder, {count(played['searcher']['deals'])} of seed 702 for searcher, {count(exploit['deals'])} of seed "
        f"703 for the opponent who knows the words, {count(played['losses']['deals'])} of seed 704 for the losses: at "
        "each decision 128 imagined deals choose the best card and 128 others measure it; exact in the last six "
        "tricks.",
        "How far the best possible play is away is not known: what beats champion is a lower bound, and the losses "
        "are measured against an opponent who goes on by champion's words. What a player who saw all cards could win "
        "is not measured.",
        [played["exploit"]["command"], played["losses"]["command"],
         f"schneider-sim simulate searcher champion --deals {max(1, DEALS // 200)} --seed 702"])


def draw(played: dict[str, Any]) -> Any:
    drawn, ax = figure(3.2)
    shown = ["thrifty", "plain", "careful", "classic"]
    rows = [played["exploit"]["edge"], edge(played["searcher"]), edge(played["ladder"]["master"]),
            {"value": 0.0, "low": 0.0, "high": 0.0}, *(edge(played["ladder"][name]) for name in reversed(shown[1:]))]
    names = ["who knows its words", "searcher", "master", "champion", *reversed(shown[1:])]
    dots(ax, names, {"": rows}, "victory points a deal against champion")
    return drawn
