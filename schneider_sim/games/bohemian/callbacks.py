"""Users' preferences of Bohemian Schneider: what the kernel's eight numbers show, and the message for a fault."""

import functools

import numpy as np
import numpy.typing as npt

from ...compiled.lanes import LANES
from ...policy.callbacks import (
    Callback,
    View,
    cards_as_mask,
    check_alike,
    check_interruption,
    compiled,
    complaint,
    interpreted,
)
from ...policy.plugins import Preference
from . import plugins
from .rules import PACK, Rules, captures
from .views import CardView, MaskView

_ARGUMENTS = len(MaskView._fields)


def callback(item: Preference, rules: Rules) -> Callback:
    """The callback of a preference under rules."""
    if item.over == "masks":
        return compiled(item, MaskView)
    return interpreted(item, functools.partial(_card_view, rules), _ARGUMENTS, cards_as_mask(PACK))


@functools.cache
def _relations(rules: Rules) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """The killers and the prey of every card."""
    killers = {c: tuple(k for k in PACK.cards if k != c and captures(rules, c, k)) for c in PACK.cards}
    prey = {c: tuple(p for p in PACK.cards if p != c and captures(rules, p, c)) for c in PACK.cards}
    return killers, prey


def _card_view(rules: Rules, view: View) -> CardView:
    candidates, hand, known = (tuple(PACK.names(mask)) for mask in view[:3])
    led = PACK.names(view[3])[0] if view[3] else None
    trick, stock, honours, others = view[4:]
    killers, prey = _relations(rules)
    return CardView(candidates, hand, known, led, trick, stock, honours, others, killers.__getitem__, prey.__getitem__)


def check(items: tuple[Preference, ...], backs: list[Callback], fault: npt.NDArray[np.int64]) -> None:
    """Raise RunError when a preference was at fault, or when asked again in another order answers otherwise."""
    check_interruption(backs)
    if fault[plugins.KIND] != plugins.NO_FAULT:
        place, deal = int(fault[plugins.PLUGIN_INDEX]), LANES * int(fault[plugins.BLOCK]) + int(fault[plugins.LANE])
        where = f"deal {deal}, seat {fault[plugins.SEAT]}, trick {fault[plugins.TRICK]}"
        view = tuple(int(x) for x in fault[plugins.VIEW : plugins.VIEW + _ARGUMENTS])
        raise complaint(items[place], backs[place], PACK, view, int(fault[plugins.ANSWER]), where)
    check_alike(items, backs)
