"""The random words: known answers, the counter's carry, and streams that do not meet."""

import numpy as np
import pytest
from numba import njit

from naive import philox
from schneider_sim.compiled.lanes import LANES
from schneider_sim.compiled.philox import random_words, words_of_block
from schneider_sim.compiled.philox import words_of_deal as four_words


@njit
def lanes(low, high, block, stream, k0, k1, space):
    random_words(low, high, block, stream, k0, k1, space, 0)


@njit
def aligned(low, high, block, stream, k0, k1, space):
    words_of_block(low, high, block, stream, k0, k1, space, 0)


def words(deal: int, block: int = 0, stream: int = 0, seed: int = 0) -> np.ndarray:
    """uint32[4, LANES]: the words of deals `deal` and on."""
    space = np.zeros(4 * LANES, np.uint32)
    halves = [np.uint32(x) for x in (deal % 2**32, deal >> 32, block, stream, seed % 2**32, seed >> 32)]
    lanes(*halves, space)
    if deal % LANES == 0:
        again = np.zeros_like(space)
        aligned(*halves, again)
        assert (again == space).all()
    return space.reshape(4, LANES)


@pytest.mark.parametrize("deal, block, stream, seed, expected", [
    (0, 0, 0, 0, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    (2**64 - 1, 2**32 - 1, 2**32 - 1, 2**64 - 1, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    (0x85A308D3243F6A88, 0x13198A2E, 0x03707344, 0x299F31D0A4093822, "d16cfe09 94fdcceb 5001e420 24126ea1")])
def test_known_answers(deal, block, stream, seed, expected):
    """Source: kat_vectors of Random123, philox4x32 with 10 rounds."""
    assert " ".join(f"{word:08x}" for word in words(deal, block, stream, seed)[:, 0]) == expected
    single = four_words(np.uint64(deal), block, stream, np.uint64(seed))
    assert " ".join(f"{word:08x}" for word in single) == expected
    assert " ".join(f"{word:08x}" for word in philox.four_words(deal, block, stream, seed)) == expected


@pytest.mark.parametrize("deal", [0, 2**32 - 100, 2**32 - LANES, 2**63 - LANES])
def test_lanes_are_the_deals_that_follow(deal):
    block = words(deal, 3, 2, 7)
    for lane in (0, 1, 99, 100, LANES - 1):
        assert tuple(block[:, lane]) == four_words(np.uint64(deal + lane), 3, 2, np.uint64(7))


def test_streams_blocks_and_seeds_do_not_meet():
    seen = {tuple(words(deal, block, stream, seed)[:, 0])
            for deal in (0, 1) for block in (0, 1) for stream in (0, 1) for seed in (0, 1, 2**32)}
    assert len(seen) == 24
