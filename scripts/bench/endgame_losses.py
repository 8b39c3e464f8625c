"""What counting the losses of the last six tricks costs: the share of a run's time, with the kernel alone.

    .venv/bin/python scripts/bench/endgame_losses.py

The same deals with and without, in turns; the best of several rounds, processor time of one core. Start it several
times, with nothing else on the machine: how code and data lie in memory is worth some per cent.
"""

import time

import numpy as np

from schneider_sim.compiled.lanes import make_space
from schneider_sim.games.bohemian import counting, game, state
from schneider_sim.games.bohemian.layout import LAYOUT
from schneider_sim.runs.experiment import make_experiment

DEALS, ROUNDS = 1 << 18, 15


def share(a: str, b: str) -> None:
    """Print the share of the time of a run of A against B."""
    match_up = make_experiment(a, b).match_up
    table, first, second = game.seated(match_up, [])
    best = {True: np.inf, False: np.inf}
    for _ in range(ROUNDS):
        for counted in best:
            rules = table._replace(exact=table.exact._replace(known=counted))
            room, counts = make_space(state.SIZE), LAYOUT.zeros()
            what = np.uint64(1), counting.DUPLICATE, False, rules, first, second, counts
            begun = time.process_time()
            counting.count_range(room, 0, 0, DEALS, *what)
            best[counted] = min(best[counted], time.process_time() - begun)
    found = 1 - best[False] / best[True]
    print(f"{a} v {b}: {2 * DEALS / best[True] / 1e6:.2f} M plays/s, losses of the last six {100 * found:.1f} % of it")


if __name__ == "__main__":
    for rival in ("careful", "champion"):
        share("champion", rival)
