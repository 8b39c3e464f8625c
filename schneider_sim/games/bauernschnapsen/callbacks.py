"""Users' preferences of Bauernschnapsen: what the kernel's numbers show, and what is said of a fault."""

from ...callbacks import Callback, View, check_alike, check_interruption, compiled, complaint, interpreted
from ...errors import RequestError
from ...plugins import Preference
from . import plugged
from . import vectors as v
from .contracts import NAMES
from .referee import PACK
from .vectors import Vector
from .views import ROLES, CardView, MaskView


def callback(item: Preference) -> Callback:
    """The callback of a preference."""
    if item.over == "masks":
        return compiled(item, MaskView)
    return interpreted(item, _card_view, plugged.ARGUMENTS, PACK)


def _card_view(view: View) -> CardView:
    candidates, hand, known, table, led, beats, trick, contract, trumps, role = view

    def names(cards: int) -> tuple[str, ...]:
        return tuple(PACK.names(cards))

    return CardView(names(candidates), names(hand), names(known), names(table), names(led)[0] if led else None,
                    names(beats), trick, NAMES[contract], names(trumps)[0][1] if trumps else None, ROLES[role])


def check(items: tuple[Preference, ...], backs: list[Callback], fault: Vector) -> None:
    """Raise RunError when a preference was at fault, or when asked again in another order answers otherwise."""
    check_interruption(backs)
    if fault[plugged.KIND] != plugged.NO_FAULT:
        place = int(fault[plugged.INDEX])
        where = f"deal {fault[plugged.DEAL]}, seat {fault[plugged.SEAT]}, trick {fault[plugged.TRICK]}"
        view = tuple(int(x) for x in fault[plugged.VIEW : plugged.VIEW + plugged.ARGUMENTS])
        raise complaint(items[place], backs[place], PACK, view, int(fault[plugged.ANSWER]), where)
    check_alike(items, backs)


def outside(units: Vector, backs: list[Callback]) -> Vector:
    """What the kernel needs from outside: unit addresses, users' preferences, room for a fault."""
    if len(backs) > v.MOST_PLUGINS:
        raise RequestError(f"{len(backs)} preferences of your own in one match: at most {v.MOST_PLUGINS} are taken")
    units[3 : 3 + len(backs)] = [back.address for back in backs]
    return units
