"""Users' preferences as machine addresses that the kernel can call, and what to say when one fails."""

import ctypes
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from ...errors import RequestError, RunError
from ...plugins import Preference
from . import plugged
from . import vectors as v
from .contracts import NAMES
from .referee import PACK
from .vectors import Vector
from .views import ROLES, CardView, MaskView

_TRIALS = 200  # decisions that a preference over cards is asked again


class Callback(NamedTuple):
    """An address for the kernel, what must stay alive for it, the function in plain Python, some answers, a Ctrl-C."""

    address: int
    keep: Any
    python: Callable[[tuple[int, ...]], Any]
    asked: dict[tuple[int, ...], int]
    stopped: list[BaseException]


def callback(item: Preference) -> Callback:
    """The callback of a preference; over masks it is compiled once per process."""
    return _compiled(item) if item.over == "masks" else _interpreted(item)


@functools.lru_cache(maxsize=64)
def _compiled(item: Preference) -> Callback:
    import numba
    from numba import int64
    from numba.core.errors import NumbaError

    function = numba.njit(item.function, nogil=True)

    def answer(a, b, c, d, e, f, g, h, i, j):
        try:
            wanted = int64(function(MaskView(a, b, c, d, e, f, g, h, i, j)))
        except Exception:
            wanted = int64(-1)
        return wanted

    try:
        native = numba.cfunc(int64(*[int64] * plugged.ARGUMENTS))(answer)
    except (NumbaError, TypeError, NotImplementedError) as error:
        reason = next((line.strip() for line in str(error).splitlines() if line.strip()), "no reason given")
        raise RequestError(f"preference '{item.name}' of {item.path} cannot be compiled ({reason[:160]}): "
                           "write it over integers, or decorate it with over=\"cards\"") from None
    return Callback(native.address, native, lambda view: item.function(MaskView(*view)), {}, [])


def _card_view(view: tuple[int, ...]) -> CardView:
    candidates, hand, known, table, led, beats, trick, contract, trumps, role = view

    def names(cards: int) -> tuple[str, ...]:
        return tuple(PACK.names(cards))

    return CardView(names(candidates), names(hand), names(known), names(table), names(led)[0] if led else None,
                    names(beats), trick, NAMES[contract], names(trumps)[0][1] if trumps else None, ROLES[role])


def _interpreted(item: Preference) -> Callback:
    asked: dict[tuple[int, ...], int] = {}
    stopped: list[BaseException] = []

    def python(view: tuple[int, ...]) -> int:
        wanted = item.function(_card_view(view))
        return PACK.to_mask({PACK.parse(card) for card in ([wanted] if isinstance(wanted, str) else wanted)})

    def answer(*view: int) -> int:
        try:
            wanted = python(view)
        except Exception:
            return -1
        except BaseException as interruption:  # nothing can be raised through the kernel
            stopped.append(interruption)
            return -1
        if len(asked) < _TRIALS:
            asked.setdefault(view, wanted)
        return wanted

    native = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * plugged.ARGUMENTS)(answer)
    return Callback(ctypes.cast(native, ctypes.c_void_p).value or 0, native, python, asked, stopped)


def check(items: tuple[Preference, ...], backs: list[Callback], fault: Vector) -> None:
    """Raise RunError when a preference was at fault, or when asked again in another order answers otherwise."""
    for back in backs:
        if back.stopped:
            raise back.stopped[0]
    if fault[plugged.KIND] != plugged.NO_FAULT:
        place = int(fault[plugged.INDEX])
        raise RunError(_complaint(items[place], backs[place], [int(x) for x in fault]))
    for item, back in zip(items, backs, strict=True):
        for view, wanted in reversed(back.asked.items()):
            if back.python(view) != wanted:
                raise RunError(f"preference '{item.name}' of {item.path} answers the same view differently at "
                               "different times: it must keep no state between decisions and use no chance")


def _complaint(item: Preference, back: Callback, fault: list[int]) -> str:
    where = f"deal {fault[plugged.DEAL]}, seat {fault[plugged.SEAT]}, trick {fault[plugged.TRICK]}"
    view = tuple(fault[plugged.VIEW : plugged.VIEW + plugged.ARGUMENTS])
    who, answer = f"preference '{item.name}' of {item.path}", fault[plugged.ANSWER]
    if fault[plugged.KIND] == plugged.NOT_IN_HAND:
        outside = PACK.names(answer & PACK.mask & ~view[1])
        if answer & ~PACK.mask or not outside:
            return f"{who} answered {answer}, which is not a set of cards ({where}): return a mask within view.hand"
        return f"{who} wants {' '.join(outside)}, not in the hand {' '.join(PACK.names(view[1]))} ({where})"
    try:
        back.python(view)
    except BaseException as error:
        lines = str(error).strip().splitlines() or ["no message"]
        return f"{who} raised {type(error).__name__}: {lines[0][:200]} ({where})"
    return f"{who} answered a negative number, which is not a set of cards ({where}): return cards of view.hand"


def outside(units: Vector, backs: list[Callback]) -> Vector:
    """What the kernel needs from outside: unit addresses, users' preferences, room for a fault."""
    if len(backs) > v.MOST_PLUGINS:
        raise RequestError(f"{len(backs)} preferences of your own in one match: at most {v.MOST_PLUGINS} are taken")
    units[3 : 3 + len(backs)] = [back.address for back in backs]
    return units
