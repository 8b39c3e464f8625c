"""Where each card lies in the kernel's shuffled packs, counted over many deals."""

import numpy as np
from numba import njit

from schneider_sim.compiled.lanes import LANES
from schneider_sim.games.bohemian import kernel
from schneider_sim.games.bohemian import state as at


@njit
def _count(space, blocks, seed, counts):
    for block in range(blocks):
        kernel.deal_block(space, block, seed, False, False)
        for place in range(32):
            for lane in range(LANES):
                card = space[at.PACK + place * LANES + lane]
                bit = 0
                while card > 1:
                    card >>= 1
                    bit += 1
                counts[place, bit] += 1


def position_counts(seed: int, blocks: int) -> np.ndarray:
    """int64[32, 32]: place in the pack x card, over the deals of the first `blocks` blocks."""
    counts = np.zeros((32, 32), np.int64)
    _count(np.zeros(at.SIZE, np.uint32), blocks, np.uint64(seed), counts)
    return counts
