"""The table of endgames is made once, whoever asks first: compiled code reads it by its address."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from schneider_sim.games.bohemian.endgame import rules as endgame_rules
from schneider_sim.games.bohemian.rules import make_rules


def test_threads_that_ask_at_once_get_the_same_table() -> None:
    endgame_rules._table.cache_clear()
    endgame_rules._killers.cache_clear()
    together = Barrier(6)

    def ask(_: int) -> tuple[int, object]:
        together.wait()
        exact = endgame_rules.exact_of(make_rules())
        return exact.killers, exact.table

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(ask, range(6)))
    assert all(killers == found[0][0] and table == found[0][1] for killers, table in found)
