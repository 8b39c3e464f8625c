"""What does doubling earn, and when? Doubling switched off, who doubled and what came of it, and a table of hands."""

from math import sqrt
from typing import Any

from gallery_page import Answer, Table, bold, count, figure, interval, plain, statistic

import schneider_sim as ss
from schneider_sim.games.bauernschnapsen import own
from schneider_sim.report.charts.style import readable_on

QUESTION = "What does doubling earn, and when?"
GAME = "bauernschnapsen"
DEALS = 400_000
SLICE = 800

COMMON = {"contracts": "common"}
SILENT = "expert; bid:; double:"
HANDS = 16  # so much rarer than DEALS are the deals whose cards are looked at, which takes long
STEPS = ("not doubled", "doubled", "redoubled", "doubled again")
TRUMPS, ACES = 3, 3  # so many or more count alike


def play(deals: int) -> dict[str, Any]:
    """Expert with and without doubling, and normal games that nobody doubles, by a defender's trumps and aces."""
    run = ss.simulate("expert", "expert", deals=deals, seed=821, game=GAME, rules=COMMON, design="independent")
    table = own.doubling(run.tally, run.experiment.match_up.rules)
    return {
        **{name: ss.simulate("expert", f"expert; double: {words}", deals=deals, seed=822, game=GAME,
                             rules=rules).to_dict() for name, words, rules in (
            ("six", "", COMMON), ("fourteen", "", {}), ("count", "aces-trumps", COMMON))},
        "steps": [{"game": row.game, "step": row.step, "side": row.side, "n": row.n} | {
            what: numbers(getattr(row, what)) for what in ("of_plays", "scores", "earns", "gain")
            if getattr(row, what)} for row in table],
        "steps_sha256": run.tally_sha256,
        "hands": hands(max(1, deals // HANDS)),
    }


def numbers(one: Any) -> dict[str, float]:
    return {"value": float(one.value), "low": float(one.low), "high": float(one.high)}


def hands(deals: int) -> list[dict[str, Any]]:
    """Normal games by a defender's trumps and aces: how often its side scores, and its mean game points."""
    plays = ss.records(SILENT, SILENT, deals, 823, game=GAME, rules=COMMON, design="independent", cards=True)
    seen: dict[tuple[int, int], list[int]] = {}
    for play in plays.itertuples():
        points = (play.points_a - play.points_b) * (-1 if play.first_leader == "A" else 1)
        for seat in ((play.dealer + 2) % 4, play.dealer):  # the caller sits left of the dealer
            mask = int(getattr(play, f"hand_{seat}"))  # ranks J Q K T A, eight bits for a suit
            trumps = (mask >> 8 * "SHDC".index(play.trump) & 0xFF).bit_count()
            aces = (mask & 0x10101010).bit_count()
            seen.setdefault((min(trumps, TRUMPS), min(aces, ACES)), []).append(int(points))
    return [{"trumps": trumps, "aces": aces, "n": len(points), "scores": sum(one > 0 for one in points),
             "sum": sum(points), "squares": sum(one * one for one in points)}
            for (trumps, aces), points in sorted(seen.items())]


def mean(cell: dict[str, Any]) -> dict[str, float]:
    """Game points of the defender's side per deal, with limits for all cells at once (Bonferroni)."""
    n, value = cell["n"], cell["sum"] / cell["n"]
    half = 3.02 * sqrt(max(cell["squares"] / n - value**2, 0.25) / n)  # 0.05 / 20 of them, two-sided
    return {"value": value, "low": value - half, "high": value + half}


def cells(played: dict[str, Any]) -> dict[tuple[int, int], dict[str, Any]]:
    """The cells with enough hands to say anything."""
    return {(one["trumps"], one["aces"]): one for one in played["hands"] if one["n"] >= 30}


def verdict(cell: dict[str, Any] | None) -> str:
    if cell is None:
        return "–"
    found = mean(cell)
    said = interval(found)
    return bold(said) if found["low"] > 0 else said


def often(number: int, most: int) -> str:
    return f"{number} or more" if number == most else str(number)


def enough(found: dict[tuple[int, int], dict[str, Any]], trumps: int) -> str:
    """With how many aces a number of trumps is known to be enough, "" for none."""
    paying = [aces for aces in range(ACES + 1) if (trumps, aces) in found and mean(found[trumps, aces])["low"] > 0]
    if not paying:
        return ""
    text = f"{often(trumps, TRUMPS)} trump{'s' if trumps != 1 else ''}"
    return text if paying[0] == 0 else f"{text} and {paying[0]} or more aces"


def answer(played: dict[str, Any]) -> Answer:
    six, fourteen, counted = (statistic(played[name], "vp_per_deal") for name in ("six", "fourteen", "count"))
    won = statistic(played["six"], "session_win_rate")
    first, = (row for row in played["steps"] if row["game"] == "normal game" and row["step"] == 1)
    again = next((row for row in played["steps"] if row["game"] == "normal game" and row["step"] == 2), None)
    found = cells(played)
    pays = [enough(found, trumps) for trumps in range(TRUMPS, -1, -1)]
    all_contracts = ("Under all fourteen contracts it earns nothing: no normal game is left to double, and this policy "
                     "doubles no other." if abs(fourteen["value"]) < 1e-3 else
                     f"Under all fourteen contracts it earns {interval(fourteen)}.")
    length = statistic(played["six"], "session_length")
    return Answer(
        [(f"Under the six common contracts doubling earns {interval(six)} game points a deal against a side that "
          f"plays alike and never doubles, and wins {interval(won, percent=True)} of the matches."),
         f"When: a defender should double a normal game when the own side has game points to expect from it, which "
         f"is so "
         f"with {', '.join(one for one in pays if one)}." if any(pays) else
         "No count of a defender's trumps and aces is known to be enough to double.",
         f"Expert doubles {interval(first['of_plays'], percent=True)} of the deals; its side then scores in "
         f"{interval(first['scores'], percent=True)} of them and gains {interval(first['gain'])} game points on each"
         + (f". Redoubling comes in {interval(again['of_plays'], percent=True)} of the deals, and the declarers who "
            f"redouble "
            f"gain {interval(again['gain'])}." if again else "."),
         ("Counting only aces and trumps in the way of the books (two aces and three trumps) gives up "
          f"{interval(counted)} of it. {all_contracts}")],
        "Normal games by what a defender holds: game points per deal of the defenders, nobody doubling. Where the "
        "number is above 0, double.",
        [Table(("trumps", *(f"{often(aces, ACES)} ace{'s' if aces != 1 else ''}" for aces in range(ACES + 1))),
               [[often(trumps, TRUMPS), *(verdict(found.get((trumps, aces))) for aces in range(ACES + 1))]
                for trumps in range(TRUMPS + 1)],
               "Game points per deal of the defender's side in a normal game that nobody doubles; limits for all "
               "cells at once; bold: known to be above 0. The ace of trumps counts as both. –: fewer than 30 hands."),
         Table(("normal games", "of all deals", "who raised scores", "gains by it"),
               [[STEPS[row["step"]], interval(row["of_plays"], percent=True),
                 interval(row["scores"], percent=True) if row["step"] else "–",
                 interval(row["gain"]) if "gain" in row else "–"]
                for row in played["steps"] if row["game"] == "normal game"],
               "Gains: game points per such deal, against not raising and playing the same cards; each line holds "
               "those that were raised further.")],
        f"contracts=common, doublings up to three. {count(played['six']['deals'])} duplicates from deal 0 of seed "
        "822, expert against expert without doubling; steps from as many independent deals of seed 821, expert at "
        f"every seat; the table of hands from {count(sum(one['n'] for one in played['hands']))} hands of defenders in "
        f"deals of seed 823 that are played as normal games by expert's cards. A match is then {interval(length)} "
        "deals long.",
        "The table looks at one defender's trumps and aces alone; tens and marriages matter too, and expert weighs "
        "them. Bids by others and the score of the match are left out. Doubling a special contract is not examined: "
        "no class of hands is known with which it pays.",
        [(f"schneider-sim simulate expert 'expert; double:' --game {GAME} --rules contracts=common --deals {DEALS} "
          "--seed 822")])


def draw(played: dict[str, Any]) -> Any:
    import numpy as np

    found = cells(played)
    values = np.full((TRUMPS + 1, ACES + 1), np.nan)
    for place, one in found.items():
        values[place] = mean(one)["value"]
    drawn, ax = figure(3.3)
    most = float(np.nanmax(np.abs(values)))
    image = ax.imshow(values, cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto")
    for (trumps, aces), one in found.items():
        row = mean(one)
        open_one = row["low"] <= 0 <= row["high"]
        ax.text(aces, trumps, plain(row["value"], 1, sign=True) + (" ?" if open_one else ""), ha="center", va="center",
                fontsize=9, color=readable_on(*image.cmap(image.norm(row["value"]))[:3]))
    ax.set_xticks(range(ACES + 1), [often(aces, ACES) for aces in range(ACES + 1)])
    ax.set_yticks(range(TRUMPS + 1), [often(trumps, TRUMPS) for trumps in range(TRUMPS + 1)])
    ax.set_xlabel("aces in a defender's hand")
    ax.set_ylabel("trumps")
    ax.grid(visible=False)
    return drawn


