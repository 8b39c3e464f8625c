"""How many plays a tally holds, and whether a range of deals has so many."""


from ..base.tally import Counts, Tally
from ..games import game_names, load_game
from ..runs.recipe import Recipe

_PLAYS_OF_A_DEAL = {"duplicate": 2, "independent": 1}


def unlike(recipe: Recipe, start: int, stop: int, counts: Counts) -> str:
    """In what the counts cannot be those of deals start … stop - 1; empty where they can, or nobody here can tell.

    Another version of the layout, or a game that is not known here, may mean something else by the same places.
    """
    if recipe["game"] not in game_names():
        return ""
    game = load_game(recipe["game"])
    if recipe["layout_version"] != game.layout.version:
        return ""
    if counts.size != game.layout.size:
        return f"a tally has {game.layout.size} counts, not {counts.size}"
    results = game.by_first_leader(Tally(game.layout, counts)).values()
    plays = sum(int(counted.sum() if counted.ndim == 1 else counted[:, -1].sum()) for counted in results)
    wanted = (stop - start) * _PLAYS_OF_A_DEAL[recipe["design"]]
    return "" if plays == wanted else f"so many deals are {wanted} plays, not {plays}"
