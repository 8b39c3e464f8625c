"""The tables of endgames in the package are those that the program makes."""

import numpy as np
import pytest

from schneider_sim.games.bohemian.endgame.stored import stored_table
from schneider_sim.games.bohemian.endgame.table import make_table


@pytest.mark.parametrize("ring", [False, True])
def test_the_file_holds_what_is_made(ring):
    made, read = make_table(ring), stored_table(ring)
    assert (made.table.bucket_shift, made.table.slot_shift) == (read.table.bucket_shift, read.table.slot_shift)
    for ours, theirs in zip(made.parts, read.parts, strict=True):
        assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
