"""How long is a match, and what is a lead worth? The chance to win from every score, from how deals end."""

from typing import Any

import numpy as np
from gallery_page import Answer, Table, count, figure, interval, statistic

import schneider_sim as ss
from schneider_sim.report.charts.style import readable_on

QUESTION = "How long is a match, and what is a lead of n points worth?"
GAME = "bauernschnapsen"
DEALS = 400_000
SLICE = 1000

CONTRACTS = {"six (common)": "common", "all fourteen": "full"}
SIX, ALL = CONTRACTS
TARGET, SHOWN, REDRAWN = 24, (0, 3, 6, 9, 12, 15, 18, 21, 23), 400


def play(deals: int) -> dict[str, Any]:
    """Expert at every seat: how deals end, and the chance to win the match from every score."""
    found: dict[str, Any] = {}
    for name, contracts in CONTRACTS.items():
        run = ss.simulate("expert", "expert", deals=deals, seed=831, game=GAME, design="independent",
                          rules={"contracts": contracts}).to_dict()
        del run["joint"]
        found[name] = {"run": run, "equity": equity(run)}
    return found


def equity(run: dict[str, Any]) -> dict[str, list[list[float]]]:
    """The chance to win from (own, other score), before it is known who calls, and how far off it may be (95 %).

    Every deal ends as those that were played did, from the caller's side and from the other; the sides call in turn.
    The error is that of REDRAWN samples as large as this one, drawn from the deals that were played.
    """
    called = {"A": 1, "B": -1}  # A's points less B's, as the caller's side sees them
    counts: dict[int, int] = {}
    for who, sign in called.items():
        for points, seen in run["by_first_leader"][who]:
            counts[sign * int(points)] = counts.get(sign * int(points), 0) + int(seen)
    values, seen = np.array(sorted(counts)), np.array([counts[value] for value in sorted(counts)])
    draws = np.random.default_rng(831).multinomial(seen.sum(), seen / seen.sum(), REDRAWN)
    laws = np.vstack([seen, draws]) / seen.sum()
    chance = race(values, laws)
    return {"value": chance[..., 0].round(5).tolist(), "half": (1.96 * chance[..., 1:].std(axis=-1)).round(5).tolist()}


def race(values: Any, laws: Any) -> Any:
    """float64[24, 24, laws]: the chance to win from each score, the caller of the next deal drawn at random.

    values: the caller's points less the other side's in a deal; laws: float64[laws, values].
    """
    calls = np.zeros((2, TARGET + 1, TARGET + 1, len(laws)))  # own side calls next, the other does; own, other score
    calls[:, TARGET, :] = 1.0
    for own in range(TARGET - 1, -1, -1):
        for other in range(TARGET - 1, -1, -1):
            for caller, sign in ((0, 1), (1, -1)):
                ends = [calls[1 - caller, min(TARGET, own + max(0, sign * v)), min(TARGET, other + max(0, -sign * v))]
                        for v in values.tolist()]
                calls[caller, own, other] = (laws.T * np.array(ends)).sum(axis=0)
    return calls[:, :TARGET, :TARGET].mean(axis=0)


def at(found: dict[str, Any], own: int, other: int) -> dict[str, float]:
    """The chance to win from a score, with its interval."""
    value, half = found["equity"]["value"][own][other], found["equity"]["half"][own][other]
    return {"value": value, "low": max(0.0, value - half), "high": min(1.0, value + half)}


def rise(found: dict[str, Any], own: int) -> dict[str, float]:
    """What the next point is worth from equal scores; limits as if the chance before were known."""
    after, before = at(found, own + 1, own), at(found, own, own)["value"]
    return {key: after[key] - before for key in after}


def answer(played: dict[str, Any]) -> Answer:
    six, all_ = played[SIX], played[ALL]
    length = {name: statistic(found["run"], "session_length") for name, found in played.items()}
    rises = [rise(all_, own)["value"] for own in range(TARGET - 1)]
    step = int(np.argmax(rises))
    idle = all(abs(one) < 0.001 for one in rises[step + 1:])
    schneider = {name: statistic(found["run"], "schneider_rate") for name, found in played.items()}
    return Answer(
        [(f"A match to 24 is {interval(length[SIX])} deals long under the six common contracts and "
          f"{interval(length[ALL])} under all fourteen; a lead of 6:0 wins {interval(at(six, 6, 0), percent=True)} of "
          f"the matches under the six, {interval(at(all_, 6, 0), percent=True)} under all."),
         (f"A lead of three points wins {interval(at(six, 3, 0), percent=True)} at 3:0 and "
          f"{interval(at(six, 21, 18), percent=True)} at 21:18 (six contracts). The first point of a match is worth "
          f"{interval(rise(six, 0), percent=True)} of a match."),
         f"Under all fourteen contracts points count by what one more deal needs: at {step}:{step} the next point is "
         f"worth "
         f"{interval(rise(all_, step), percent=True)} of a match"
         + (f", and the points from {step + 1} to {TARGET - 1} are worth less than 0.1 % each, as one Plauderer or "
            f"Gang "
            "then ends it anyway." if idle else "."),
         (f"The loser has no point (Schneider) in {interval(schneider[SIX], percent=True)} of the matches under the "
          f"six contracts and {interval(schneider[ALL], percent=True)} under all.")],
        "Chance to win the match from every score, six common contracts, between equal sides: own points upwards, "
        "the other side's to the right, in per cent.",
        [table(played[SIX], SIX), table(played[ALL], ALL)],
        f"{count(six['run']['deals'])} independent deals from 0 of seed 831 under either set of contracts, expert at "
        "every seat, doublings included. From the distribution of their game points the chance to win is computed "
        "exactly, score by score, the sides calling in turn and the next caller drawn at random; its error by "
        f"drawing the deals again {REDRAWN} times. Length: delta method.",
        "Both sides are equally good and bid without looking at the score. Near the end sides that do so bid "
        "differently (the word equity-aware does), and the table would change a little. Other players who bid or "
        "double more have shorter matches, and every lead is worth less to them.",
        [f"schneider-sim simulate expert expert --game {GAME} --design independent --deals {DEALS} --seed 831 --rules "
         f"contracts={contracts}" for contracts in CONTRACTS.values()])


def table(found: dict[str, Any], name: str) -> Table:
    """The chances at some scores."""
    widest = max(max(row) for row in found["equity"]["half"])
    return Table((f"{name}: own points", *(f"other {other}" for other in SHOWN)),
                 [[str(own), *(f"{100 * at(found, own, other)['value']:.1f}" for other in SHOWN)] for own in SHOWN],
                 f"Chance to win the match in per cent, {name}; 95 % intervals reach at most {100 * widest:.2f} "
                 "either way.")


def draw(played: dict[str, Any]) -> Any:
    drawn, ax = figure(4.6)
    values = 100 * np.array(played[SIX]["equity"]["value"])
    image = ax.imshow(values, cmap="PuOr_r", vmin=0, vmax=100, origin="lower", aspect="auto")
    for own in SHOWN:
        for other in SHOWN:
            ax.text(other, own, f"{values[own, other]:.0f}", ha="center", va="center", fontsize=8,
                    color=readable_on(*image.cmap(image.norm(values[own, other]))[:3]))
    ax.set_xticks(SHOWN, [str(one) for one in SHOWN])
    ax.set_yticks(SHOWN, [str(one) for one in SHOWN])
    ax.set_xlabel("the other side's points")
    ax.set_ylabel("own points")
    ax.grid(visible=False)
    return drawn


