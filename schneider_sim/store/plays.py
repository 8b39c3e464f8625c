"""What a stored tally holds: whether a range of deals has the right number of plays, and parts that came later."""


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
    if counts.size not in (game.layout.size, game.layout.core):
        return f"a tally has {game.layout.size} counts, not {counts.size}"
    results = game.by_first_leader(Tally(game.layout, game.layout.filled(counts))).values()
    plays = sum(int(counted.sum() if counted.ndim == 1 else counted[:, -1].sum()) for counted in results)
    wanted = (stop - start) * _PLAYS_OF_A_DEAL[recipe["design"]]
    return "" if plays == wanted else f"these deals have {wanted} plays, not {plays}"


def filled(recipe: Recipe, counts: Counts) -> Counts:
    """The counts with zeros for what the program that kept them did not count yet."""
    if recipe["game"] not in game_names():
        return counts
    layout = load_game(recipe["game"]).layout
    return counts if recipe["layout_version"] != layout.version else layout.filled(counts)


def core(recipe: Recipe, counts: Counts) -> Counts:
    """The counts that a tally's SHA-256 is taken of: without the parts that came later."""
    if recipe["game"] not in game_names():
        return counts
    layout = load_game(recipe["game"]).layout
    return counts if recipe["layout_version"] != layout.version else counts[: layout.core]


def cut_alike(some: Counts, others: Counts) -> tuple[Counts, Counts]:
    """Two vectors of counts as far as both go: the later parts of one may be missing in the other."""
    size = min(some.size, others.size)
    return some[:size], others[:size]
