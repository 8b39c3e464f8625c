"""Fit the tables behind the bids `low-cards` and `high-cards`: what each holding in a suit adds to the chance.

    .venv/bin/python scripts/bench/fit_bauernschnapsen.py

Bettler and Gang are bid by lot, `cautious` plays the cards, and a logistic model with one weight for each of the 32
holdings of a suit is fitted to whether the contract was made. Weights are printed in hundredths of a log-odds.
"""

import sys

import numpy as np
from scipy.optimize import minimize

from schneider_sim.games import Match
from schneider_sim.games.bauernschnapsen import vectors as v
from schneider_sim.games.bauernschnapsen.contracts import NAMES
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.run import play_one

DEALS = int(sys.argv[1]) if len(sys.argv) > 1 else 60_000
PENALTY = 0.5


def played(contract: str) -> tuple[np.ndarray, np.ndarray]:
    """Holdings of the declarer's suits, int64[n, 4], and whether the contract was made."""
    others = {name: "off" for name in NAMES[1:] if name != contract}
    policy = GAME.grammar.parse("cautious; bid: whim")
    match = Match(GAME.rules(None, others | {"max_double": "0"}), policy, policy, seed=2024)
    hands, made = [], []
    for deal in range(DEALS):
        s = play_one(match, deal, "A")
        if s[v.CONTRACT]:
            hand = int(s[v.DEALT + s[v.DECLARER]])
            hands.append([hand >> 8 * suit & 31 for suit in range(4)])
            made.append(s[v.HOW] == v.END_MADE)
    return np.array(hands), np.array(made, float)


def fit(hands: np.ndarray, made: np.ndarray) -> np.ndarray:
    """32 weights; the constant is in that of the void, four of which no hand has."""
    counts = np.stack([(hands == k).sum(axis=1) for k in range(32)], axis=1).astype(float)

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        z = counts @ w
        p = 1 / (1 + np.exp(-z))
        value = np.logaddexp(0, z).sum() - made @ z + PENALTY * (w @ w)
        return float(value), counts.T @ (p - made) + 2 * PENALTY * w

    return np.asarray(minimize(loss, np.zeros(32), jac=True, method="L-BFGS-B").x)


def main() -> None:
    for contract in ("BETTLER", "GANG"):
        hands, made = played(contract)
        weights = np.rint(100 * fit(hands, made)).astype(int)
        scores = weights[hands].sum(axis=1)
        print(contract, len(made), "played,", round(made.mean(), 3), "made; weights by holding (bits J Q K T A):")
        print(weights.tolist())
        for low, high in ((-2000, -200), (-200, -100), (-100, 0), (0, 50), (50, 100), (100, 200), (200, 2000)):
            inside = (low <= scores) & (scores < high)
            if inside.any():
                model = (1 / (1 + np.exp(-scores[inside] / 100))).mean()
                share = made[inside].mean()
                print(f"  score {low} to {high}: {inside.sum()} hands, made {share:.3f}, model {model:.3f}")


if __name__ == "__main__":
    main()
