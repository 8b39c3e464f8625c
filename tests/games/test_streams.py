"""The random streams of each game: one table, and no two that meet."""

import importlib
import pkgutil
from itertools import pairwise

import pytest

from schneider_sim.games import bauernschnapsen, bohemian
from schneider_sim.games.bauernschnapsen.kernel import streams
from schneider_sim.games.bauernschnapsen.kernel.streams import STREAMS


def test_the_table_of_bauernschnapsen_has_every_stream():
    named = {int(value) for name, value in vars(streams).items() if name.isupper() and name != "STREAMS"}
    assert sorted(stream.first for stream in STREAMS.values()) == sorted(named)
    taken = [number for stream in STREAMS.values() for number in range(stream.first, stream.first + stream.seats)]
    assert len(set(taken)) == len(taken)


@pytest.mark.parametrize("package, seats", [(bauernschnapsen, 4), (bohemian, 2)])
def test_streams_of_modules_do_not_meet(package, seats):
    """Bauernschnapsen has its numbers in the table alone; those of Bohemian Schneider leave room for its seats."""
    found: dict[int, str] = {0: "cards"}
    for module in pkgutil.iter_modules(package.__path__):
        loaded = importlib.import_module(f"{package.__name__}.{module.name}")
        for name, value in vars(loaded).items():
            if name.endswith("STREAM"):
                assert package is bohemian, f"{module.name}.{name} belongs in streams.py"
                assert found.setdefault(int(value), name) == name
    numbers = sorted(found)
    assert all(b - a >= (seats if a else 1) for a, b in pairwise(numbers))
