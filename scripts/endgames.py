"""Makes the tables of Bohemian Schneider's endgames and writes them into the package.

    .venv/bin/python scripts/endgames.py
"""

import numpy as np

from schneider_sim.games.bohemian.endgame.stored import file_of
from schneider_sim.games.bohemian.endgame.table import make_table


def main() -> None:
    for ring in (False, True):
        table, (keys, powers, displacement, values) = make_table(ring)
        shifts = np.array([table.bucket_shift, table.slot_shift])
        np.savez_compressed(file_of(ring), keys=keys, powers=powers, displacement=displacement, values=values,
                            shifts=shifts)
        print(f"{file_of(ring).name}: {file_of(ring).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
