"""Fit the tables behind the bids `low-cards`, `high-cards` and `outbid` and the doubling `threshold`.

    .venv/bin/python scripts/bench/fit_bauernschnapsen.py [DEALS] [--write]

`classic` plays the cards. Bettler, Plauderer and Gang are bid at random; a logistic model with one weight for each of
the 32 holdings of a suit is fitted to whether the contract was made. Normal games are those that `classic` leaves to be
played under `contracts=common`, undoubled; for either side there is a weight for each holding of trumps and one for
each of another suit. Weights are printed in hundredths of a log-odds, with how the model does on the second half of the
deals when fitted to the first; with --write they go into the package's chances.json, which changes how `outbid` plays:
raise the version of the game.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.kernel import state as v
from schneider_sim.games.bauernschnapsen.kernel.loops import play_single
from schneider_sim.games.bauernschnapsen.prepare import prepared
from schneider_sim.games.bauernschnapsen.rules.contracts import NAMES

TABLES = Path(__file__).parents[2] / "schneider_sim" / "games" / "bauernschnapsen" / "decide" / "chances.json"
PENALTY = 0.5
LEAST = np.log(0.55 / 0.45)
Floats, Ints = npt.NDArray[np.float64], npt.NDArray[np.int64]


def final_states(policy: str, rules: dict[str, str], seed: int, deals: int) -> Ints:
    """The state vectors at the end of every deal, up to the calls, the policy at all seats."""
    text = GAME.grammar.parse(policy)
    ready = prepared(MatchUp(GAME.rules(None, rules), text, text, seed=seed))
    states = np.zeros((deals, v.STATE_SIZE), np.int64)[:, : v.CALL]
    for deal in range(deals):
        state = np.zeros(v.STATE_SIZE, np.int64)
        play_single(ready.rules, ready.both[0], ready.outside, 0, 0, ready.seed, deal, state)
        states[deal] = state[: v.CALL]
    return states


def holdings(hands: Ints, first: Ints | int) -> Ints:
    """int64[n, 4]: each hand's holdings, from suit `first` on."""
    return np.stack([hands >> 8 * ((first + suit) % 4) & 31 for suit in range(4)], axis=1)


def counts(some: Ints) -> Floats:
    """float64[n, 32]: how often each holding occurs in each row."""
    return np.stack([(some == k).sum(axis=1) for k in range(32)], axis=1).astype(float)


def fit(table: Floats, made: Floats) -> Floats:
    """The weights; the constant is in them."""

    def loss(w: Floats) -> tuple[float, Floats]:
        z = table @ w
        p = 1 / (1 + np.exp(-z))
        cost = np.logaddexp(0, z).sum() - made @ z + PENALTY * (w @ w)
        return float(cost), table.T @ (p - made) + 2 * PENALTY * w

    return np.asarray(minimize(loss, np.zeros(table.shape[1]), jac=True, method="L-BFGS-B").x)


def report(name: str, table: Floats, made: Floats) -> tuple[list[list[int]], Floats]:
    """Print how a fit to the first half does on the second; returns the weights by table, the scores of that half."""
    half = len(made) // 2
    print(f"{name}: {len(made)} hands, {made.mean():.3f} made; weights by holding (bits J Q K T A):")
    weights = np.rint(100 * fit(table, made)).astype(int).reshape(-1, 32).tolist()
    for row in weights:
        print(row)
    scores = table[half:] @ fit(table[:half], made[:half])
    for low, high in ((-20, -2), (-2, -1), (-1, 0), (0, 0.5), (0.5, 1), (1, 2), (2, 20)):
        inside = (low <= scores) & (scores < high)
        if inside.any():
            model, share = (1 / (1 + np.exp(-scores[inside]))).mean(), made[half:][inside].mean()
            print(f"  log-odds {low} to {high}: {inside.sum()} hands, made {share:.3f}, model {model:.3f}")
    return weights, scores


def special(contract: str, deals: int) -> dict[str, list[int]]:
    """The table of a contract without trumps."""
    others = {name: "off" for name in NAMES[1:] if name != contract}
    s = final_states("classic; bid: whim; double:", others, 2024, deals)
    s = s[s[:, v.CONTRACT] > 0]
    hands = s[np.arange(len(s)), v.DEALT + s[:, v.DECLARER]]
    [weights], _ = report(contract, counts(holdings(hands, 0)), (s[:, v.HOW] == v.END_MADE).astype(float))
    return {contract: weights}


def normal(deals: int) -> dict[str, list[int]]:
    """The tables of the normal game."""
    s = final_states("classic; double:", {"contracts": "common"}, 2025, deals)
    s = s[s[:, v.CONTRACT] == v.NORMAL]
    points, tables = np.where(s[:, v.TEAM] == 0, s[:, v.WORTH], -s[:, v.WORTH]), {}
    for name, seats, sign in (("caller", (0, 2), 1), ("defender", (1, 3), -1)):
        rows = [holdings(s[:, v.DEALT + seat], s[:, v.TRUMP]) for seat in seats]
        table = np.concatenate([np.hstack([counts(row[:, :1]), counts(row[:, 1:])]) for row in rows])
        earned = np.tile(sign * points, 2)
        order = np.argsort(np.tile(np.arange(len(s)), 2), kind="stable")
        (trumps, sides), scores = report(f"NORMAL, {name}", table[order], (earned[order] > 0).astype(float))
        tables |= {f"{name}_trumps": trumps, f"{name}_sides": sides}
        likely = scores >= LEAST
        gained = earned[order][len(order) // 2 :][likely].mean()
        print(f"  {likely.mean():.3f} of hands at 0.55 or more earn {gained:.2f} game points, undoubled")
    return tables


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("deals", nargs="?", type=int, default=150_000)
    parser.add_argument("--write", action="store_true", help=f"write {TABLES.name}")
    asked = parser.parse_args()
    tables: dict[str, list[int]] = {}
    for contract in ("BETTLER", "PLAUDERER", "GANG"):
        tables |= special(contract, asked.deals)
    tables |= normal(asked.deals * 4 // 3)
    if asked.write:
        lines = [f' "{name}": {json.dumps(weights)}' for name, weights in tables.items()]
        TABLES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
