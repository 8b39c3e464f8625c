"""Write the chances to win a match that the word `equity-aware` goes by, from how deals of a policy end.

    .venv/bin/python scripts/bench/match_equity.py [DEALS]

`classic` plays itself under all contracts and under the common ones. A table has the chance
to win the match at every score, own points first, in hundred-thousandths, each deal ending as the played ones did; who
is to call is left out, since either side calls as often. The tables go into the package's equity.json, which changes
how the word plays: raise the version of the game.
"""

import json
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

import schneider_sim as ss
from schneider_sim.games.bauernschnapsen.rules.match import TARGET

FILE = Path(__file__).parents[2] / "schneider_sim" / "games" / "bauernschnapsen" / "decide" / "equity.json"
POLICY = "classic"
SEED = 20261202


def points(contracts: str, deals: int) -> dict[int, float]:
    """How often a deal brings a side each number of points, either side alike."""
    run = ss.simulate(POLICY, POLICY, game="bauernschnapsen", rules={"contracts": contracts}, deals=deals, seed=SEED)
    counts: dict[int, int] = {}
    for rows in run.by_first_leader.values():
        for value, count in rows:
            counts[abs(int(value))] = counts.get(abs(int(value)), 0) + int(count)
    return {value: count / sum(counts.values()) for value, count in sorted(counts.items())}


def equity(often: dict[int, float]) -> npt.NDArray[np.float64]:
    """float64[25, 25]: the chance to win from (own, other score)."""
    chance = np.zeros((TARGET + 1, TARGET + 1))
    chance[TARGET, :TARGET] = 1
    for ours in range(TARGET - 1, -1, -1):
        for theirs in range(TARGET - 1, -1, -1):
            chance[ours, theirs] = sum(share / 2 * (chance[min(ours + value, TARGET), theirs]
                                                    + chance[ours, min(theirs + value, TARGET)])
                                       for value, share in often.items())
    return chance


def main() -> None:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    tables = {name: np.rint(100_000 * equity(points(name, deals))).astype(int).tolist() for name in ("full", "common")}
    rows = ",\n".join(f'"{name}": [\n' + ",\n".join(f" {json.dumps(row)}" for row in table) + "]"
                      for name, table in tables.items())
    FILE.write_text("{" + rows + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
