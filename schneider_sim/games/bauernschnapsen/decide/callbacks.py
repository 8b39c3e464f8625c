"""Users' preferences of Bauernschnapsen: what the kernel's numbers show, and the message for a fault."""

from collections.abc import Callable
from typing import Any

from ....base.text import shown, unknown
from ....errors import RequestError, RunError
from ....policy.callbacks import (
    YES_OR_NO,
    Callback,
    View,
    cards_as_mask,
    check_alike,
    check_interruption,
    compiled,
    complaint,
    interpreted,
    raised,
    several,
)
from ....policy.plugins import CARD_SECTIONS, Preference
from ..kernel import state as v
from ..kernel.state import Vector
from ..rules.contracts import NAMES, parse_contract
from ..rules.referee import PACK
from ..views import (
    ROLES,
    BidCards,
    BidMasks,
    CardView,
    DoubleCards,
    DoubleMasks,
    MaskView,
    TrumpCards,
    TrumpMasks,
)
from . import plugins as plugged

_TURN_UP, _NEW_DEAL = int(plugged.TURN_UP), int(plugged.NEW_DEAL)
_MASKS = {"cards": (MaskView, "a mask"), "trump": (TrumpMasks, "a mask"), "bid": (BidMasks, "a mask of contracts"),
          "double": (DoubleMasks, YES_OR_NO)}


def _kind(item: Preference) -> str:
    """What it decides about: "cards", or the section that it stands in."""
    return "cards" if item.sections[0] in CARD_SECTIONS else item.sections[0]


def callback(item: Preference) -> Callback:
    """The callback of a preference."""
    kind = _kind(item)
    if item.over == "masks":
        view, answer = _MASKS[kind]
        return compiled(item, view, plugged.ARGUMENTS, answer)
    forms: dict[str, tuple[Callable[[View], Any], Callable[[Any], int]]] = {
        "cards": (_card_view, cards_as_mask(PACK)), "trump": (_trump_view, _read_trumps),
        "bid": (_bid_view, _read_bids), "double": (_double_view, _read_yes)}
    see, read = forms[kind]
    return interpreted(item, see, plugged.ARGUMENTS, read)


def _names(cards: int) -> tuple[str, ...]:
    return tuple(PACK.names(cards))


def _suits(cards: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name[1] for name in _names(cards)))


def _trump(cards: int) -> str | None:
    return _suits(cards)[0] if cards else None


def _contracts(bits: int) -> tuple[str, ...]:
    return tuple(name for place, name in enumerate(NAMES) if bits >> place & 1)


def _card_view(view: View) -> CardView:
    candidates, hand, known, table, led, beats, trick, contract, trumps, role = view
    return CardView(_names(candidates), _names(hand), _names(known), _names(table), _names(led)[0] if led else None,
                    _names(beats), trick, NAMES[contract], _trump(trumps), ROLES[role])


def _choices(view: View) -> tuple[str, ...]:
    return _suits(view[1]) + ("turn-up",) * (view[2] > 0) + ("new-deal",) * (view[3] > 0)


def _trump_view(view: View) -> TrumpCards:
    return TrumpCards(_names(view[0]), _choices(view), view[4], view[5])


def _read_trumps(wanted: Any) -> int:
    answers = {None: 0, "turn-up": _TURN_UP, "new-deal": _NEW_DEAL}
    answers |= {suit: 0x1F << 8 * place for place, suit in enumerate("SHDC")}
    if not (wanted is None or isinstance(wanted, str)):
        raise RequestError(f"answered {shown(wanted)}, not one of view.choices or None")
    if wanted not in answers:
        raise unknown("choice of trumps", str(wanted), [*"SHDC", "turn-up", "new-deal"])
    return answers[wanted]


def _bid_view(view: View) -> BidCards:
    hand, trumps, seat, legal, standing, holder, score, rival_score = view[:8]
    return BidCards(_names(hand), _suits(trumps)[0], seat, _contracts(legal), NAMES[standing], holder, score,
                    rival_score)


def _read_bids(wanted: Any) -> int:
    names = [] if wanted is None else several(wanted, "names of contracts such as 'GANG', or None")
    return sum({1 << NAMES.index(parse_contract(name).name) for name in names})


def _double_view(view: View) -> DoubleCards:
    hand, trumps, contract, role, *rest = view[:9]
    return DoubleCards(_names(hand), _trump(trumps), NAMES[contract], ROLES[role], *rest)


def _read_yes(wanted: Any) -> int:
    try:
        if not isinstance(wanted, (str, bytes, float)):
            return int(wanted)
    except (TypeError, ValueError):
        pass
    raise RequestError(f"answered {shown(repr(wanted))}, not True or False")


def check(items: tuple[Preference, ...], backs: list[Callback], fault: Vector) -> None:
    """Raise RunError when a preference was at fault, or when asked again in another order answers otherwise."""
    check_interruption(backs)
    if fault[plugged.KIND] != plugged.NO_FAULT:
        place = int(fault[plugged.INDEX])
        view = tuple(int(x) for x in fault[plugged.VIEW : plugged.VIEW + plugged.ARGUMENTS])
        raise _complaint(items[place], backs[place], view, int(fault[plugged.ANSWER]), fault)
    check_alike(items, backs)


def _complaint(item: Preference, back: Callback, view: View, answer: int, fault: Vector) -> RunError:
    """The error for what a preference answered, by deal, seat and card, bid, suit or yes."""
    kind, where = _kind(item), f"deal {fault[plugged.DEAL]}, seat {fault[plugged.SEAT]}"
    if kind == "cards":
        return complaint(item, back, PACK, view, answer, f"{where}, trick {fault[plugged.TRICK]}")
    if answer < 0:
        return raised(item, back, view, f"{where}, section {kind}", _MASKS[kind][1])
    who = f"preference '{item.name}' of {item.path}"
    if kind == "bid":
        wrong, may = _contracts(answer & ~view[3]), ", ".join(_contracts(view[3]))
        what = f"bids {', '.join(wrong)}" if wrong else f"answered {answer}, which is no mask of contracts"
        return RunError(f"{who} {what} ({where}): what may be bid is {may}")
    if kind == "trump":
        wrong = _suits(answer & ~view[1] & PACK.mask) + ("turn-up",) * (answer & _TURN_UP > 0) + (
            "new-deal",) * (answer & _NEW_DEAL > 0)
        several = f"answered {answer}, which is not one suit"
        what = f"chooses {', '.join(wrong)}" if wrong else several
        return RunError(f"{who} {what} ({where}): the choices are {', '.join(_choices(view))}")
    return RunError(f"{who} answered {answer} ({where}): answer 1 to double, 0 not to")


def outside(units: Vector, backs: list[Callback]) -> Vector:
    """What the kernel needs from outside: unit addresses, users' preferences, room for a fault."""
    if len(backs) > v.MOST_PLUGINS:
        raise RequestError(f"{len(backs)} preferences of your own in one match: at most {v.MOST_PLUGINS} are taken")
    units[v.PLUGINS_AT : v.PLUGINS_AT + len(backs)] = [back.address for back in backs]
    return units
