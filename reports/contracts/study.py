"""Fourteen contracts or six? What is played under either, and under other values, by policies that bid to win."""

from typing import Any

from gallery_page import Answer, Table, count, figure, interval, legend, statistic

import schneider_sim as ss
from schneider_sim.games.bauernschnapsen import own
from schneider_sim.report.charts.style import COLOURS, PALE

QUESTION = "Fourteen contracts or six: why does nobody play a normal game?"
GAME = "bauernschnapsen"
DEALS = 200_000
SLICE = 300

NO_TRICK = ("BETTLER", "ASSENBETTLER", "ASS_BETTLER", "PLAUDERER")
ALL_TRICK = ("GANG", "ZEHNERGANG")
ONE = {f"value_{name}": 1 for name in NO_TRICK}
SETTINGS: dict[str, dict[str, Any]] = {
    "all fourteen": {},
    "Plauderer at 4": {"value_PLAUDERER": 4},
    "no Plauderer": {"PLAUDERER": "off"},
    "no-trick games at 2": dict.fromkeys(ONE, 2),
    "no-trick games at 1": ONE,
    "and Gangs at 2": {**ONE, **{f"value_{name}": 2 for name in ALL_TRICK}},
    "without no-trick games": {"contracts": "no_bettler"},
    "six (common)": {"contracts": "common"},
}
VALUES = ("Plauderer at 4", "no-trick games at 2", "no-trick games at 1", "and Gangs at 2")
GROUPS = {"normal game": ("NORMAL",), "no-trick games": NO_TRICK, "Gang, Zehnergang": ALL_TRICK}


def play(deals: int) -> dict[str, Any]:
    """Expert against itself under every setting, bold under the usual one, and what expert gains on bold."""
    found: dict[str, Any] = {"settings": {}}
    for name, rules in [*SETTINGS.items(), ("bold", {})]:
        policy = "bold" if name == "bold" else "expert"
        run = ss.simulate(policy, policy, deals=deals, seed=811, game=GAME, design="independent", rules=rules)
        rows = own.contracts(run.tally, run.experiment.match_up.rules)
        found["settings"][name] = {"deals": deals, "tally_sha256": run.tally_sha256, "contracts": [
            {"contract": row.contract, "n": row.n} | {what: numbers(getattr(row, what)) for what in (
                "played", "made", "earns")} for row in rows]}
    found["bidding"] = ss.simulate("expert", "bold", deals=deals, seed=812, game=GAME).to_dict()
    run = ss.simulate("expert; bid:", "expert; bid:", deals=deals, seed=811, game=GAME, design="independent")
    found["normal"] = run.to_dict()
    return found


def numbers(one: Any) -> dict[str, float]:
    return {"value": float(one.value), "low": float(one.low), "high": float(one.high)}


def row_of(played: dict[str, Any], setting: str, contract: str) -> dict[str, Any] | None:
    rows = played["settings"][setting]["contracts"]
    return next((row for row in rows if row["contract"] == contract and row["n"]), None)


def share(played: dict[str, Any], setting: str, contracts: tuple[str, ...]) -> dict[str, float]:
    """The share of deals in which one of the contracts is played, with Wilson's interval."""
    from schneider_sim.stats.intervals import proportion_estimate

    found = played["settings"][setting]
    n = sum(row["n"] for row in found["contracts"] if row["contract"] in contracts)
    return numbers(proportion_estimate(n, found["deals"]))


def answer(played: dict[str, Any]) -> Answer:
    normal = {name: share(played, name, ("NORMAL",)) for name in SETTINGS}
    plauderer = row_of(played, "all fourteen", "PLAUDERER")
    assert plauderer
    alone = statistic(played["normal"], "first_leader_advantage")
    needed = {key: alone[key] / (2 * plauderer["made"][other] - 1) for key, other in (
        ("value", "value"), ("low", "high"), ("high", "low"))}
    edge = statistic(played["bidding"], "vp_per_deal")
    cheap = normal["no-trick games at 1"]
    mended = {name: one["value"] for name, one in normal.items()}
    why = ("Because a Plauderer pays better than a normal game" if plauderer["earns"]["low"] > alone["high"] else
           "Not because a Plauderer paid better")
    mend = ("No values that were tried mend it." if max(normal[name]["high"] for name in VALUES) < 0.5 else
            "Other values mend it.")
    best = max((name for name in SETTINGS if "six" not in name), key=lambda name: mended[name])
    return Answer(
        [(f"{why}: by players who bid to win it is played in "
          f"{interval(share(played, 'all fourteen', ('PLAUDERER',)), percent=True)} of the deals, made in "
          f"{interval(plauderer['made'], percent=True)} and earns {interval(plauderer['earns'])} game points, where a "
          f"normal game earns its caller's side {interval(alone)}; of {count(DEALS)} deals "
          f"{count(normal_games(played))} are normal games."),
         (f"{mend} A game that is made so often is worth bidding at nearly any price: at that rate a Plauderer would "
          f"have to be worth {interval(needed)} points or less before the caller's side would rather play on. With "
          f"every no-trick game at a single point {interval(cheap, percent=True)} of the deals are normal games, at "
          f"two points {interval(normal['no-trick games at 2'], percent=True)}."),
         (f"{'What mends it is' if mended[best] > 0.5 else 'Not even this mends it:'} fewer contracts: “{best}” gives "
          f"{interval(normal[best], percent=True)} normal games, the six common contracts "
          f"{interval(normal['six (common)'], percent=True)}."),
         ("Players who bid only what the shape of their hands promises, as books advise (bold), do play normal "
          f"games, in {interval(share(played, 'bold', ('NORMAL',)), percent=True)} of the deals, and lose "
          f"{interval(edge)} game points a deal to those who bid to win.")],
        "What is played, in per cent of the deals, by expert at every seat. The names on the left say how the rules "
        "were changed, from all fourteen contracts to the six common ones.",
        [Table(("rules", "normal game", "no-trick games", "Gang, Zehnergang"),
               [[name, *(interval(share(played, name, group), percent=True) for group in GROUPS.values())]
                for name in SETTINGS], "Of all deals, 95 % intervals (Wilson); what is missing are declared "
                                       "five-card suits."),
         Table(("all fourteen", "played", "made", "earns"),
               [[row["contract"].capitalize().replace("_", "-"), *(interval(row["played"], percent=True),
                 interval(row["made"], percent=True), interval(row["earns"]))]
                for row in played["settings"]["all fourteen"]["contracts"] if row["n"] > 100],
               "Earns: game points of the declarer's side per deal in which it is played.")],
        f"{count(played['settings']['all fourteen']['deals'])} independent deals from 0 of seed 811 for each setting, "
        "expert at every seat: it bids the contract of the best expectation by fitted tables. Against bold: as many "
        "duplicates of seed 812, all contracts.",
        "The tables by which expert bids were fitted under the usual rules, and its defence against a Plauderer is "
        "not the best: a player who solves sampled deals lets a little less through. People who defend better would "
        "make fewer Plauderer. Doublings of no-trick games, which expert does not attempt, are left out.",
        [(f"schneider-sim simulate expert expert --game {GAME} --design independent --deals {DEALS} --seed 811 "
         "--rules value_PLAUDERER=4"), f"schneider-sim simulate expert bold --game {GAME} --deals {DEALS} --seed 812"])


def normal_games(played: dict[str, Any]) -> int:
    row = row_of(played, "all fourteen", "NORMAL")
    return row["n"] if row else 0


def draw(played: dict[str, Any]) -> Any:
    drawn, ax = figure(3.5)
    left = [0.0] * len(SETTINGS)
    for (group, contracts), colour in zip(GROUPS.items(), (COLOURS[2], COLOURS[1], COLOURS[0]), strict=True):
        widths = [100 * share(played, name, contracts)["value"] for name in SETTINGS]
        ax.barh(list(SETTINGS), widths, left=left, color=colour, height=0.7, label=group)
        left = [one + width for one, width in zip(left, widths, strict=True)]
    ax.barh(list(SETTINGS), [100 - one for one in left], left=left, color=PALE, height=0.7, label="declared")
    ax.invert_yaxis()
    ax.set_xlim(0, 100)
    ax.grid(axis="y", visible=False)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("% of the deals")
    legend(drawn, ax)
    return drawn
