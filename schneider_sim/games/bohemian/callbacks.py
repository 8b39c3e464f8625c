"""Users' preferences as machine addresses that the kernel can call, and what to say when one fails."""

import ctypes
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...errors import RequestError, RunError
from ...plugins import CardView, MaskView, Preference
from . import ask
from .rules import PACK, Rules, captures

_ARGUMENTS = 8
_NOISE = ("Failed in", "During:", "File ")  # lines of a Numba error that name no cause
_TRIALS = 200  # decisions that a plug-in is asked again


class Callback(NamedTuple):
    """An address for the kernel, what must stay alive for it, and the function to ask again in plain Python.

    asked: some of the views it was shown, with its answers; stopped: a Ctrl-C that fell into it.
    """

    address: int
    keep: Any
    python: Callable[[tuple[int, ...]], Any]
    asked: dict[tuple[int, ...], int]
    stopped: list[BaseException]


def callback(item: Preference, rules: Rules) -> Callback:
    """The callback of a preference under rules; over masks it is compiled once per process."""
    if item.over == "masks":
        return _compiled(item)
    return _interpreted(item, rules)


@functools.lru_cache(maxsize=64)
def _compiled(item: Preference) -> Callback:
    import numba
    from numba import int64
    from numba.core.errors import NumbaError

    function = numba.njit(item.function, nogil=True)

    def answer(a, b, c, d, e, f, g, h):
        try:
            wanted = int64(function(MaskView(a, b, c, d, e, f, g, h)))
        except Exception:
            wanted = int64(-1)
        return wanted

    try:
        native = numba.cfunc(int64(*[int64] * _ARGUMENTS))(answer)
    except (NumbaError, TypeError, NotImplementedError) as error:
        raise RequestError(f"preference '{item.name}' of {item.path} cannot be compiled ({_reason(error)}): "
                           "write it over integers, or decorate it with over=\"cards\"") from None

    def python(view: tuple[int, ...]) -> Any:
        return item.function(MaskView(*view))

    trials = _trial_views()
    asked = {view: native.ctypes(*view) for view in trials}
    again = {view: native.ctypes(*view) for view in reversed(trials)}
    if again != asked:
        raise RunError(_fickle(item))
    return Callback(native.address, native, python, {}, [])


def _reason(error: Exception) -> str:
    """The first line of a Numba error that says something."""
    lines = (line.strip() for line in str(error).splitlines())
    return next((line[:160] for line in lines if line and not line.startswith(_NOISE)), "no reason given")


def _trial_views() -> list[tuple[int, ...]]:
    """Views as they might occur, the same ones always, to see whether a preference answers twice alike."""
    rng = np.random.Generator(np.random.Philox(key=1))
    views: list[tuple[int, ...]] = []
    for trick in range(1, 17):
        for _ in range(8):
            cards = rng.permutation(32)
            hand = sum(1 << int(card) for card in cards[: min(6, 17 - trick)])
            led = 1 << int(cards[6]) if rng.integers(2) else 0
            known = hand | led | sum(1 << int(card) for card in cards[7 : 7 + 2 * (trick - 1)])
            own = int(rng.integers(min(20, 2 * trick)))
            views.append((hand, hand, known, led, trick, max(22 - 2 * trick, 0), own, max(0, 2 * trick - 2 - own)))
    return views


def _interpreted(item: Preference, rules: Rules) -> Callback:
    names = {1 << bit: PACK.name(bit) for bit in range(32)}
    killers = {c: tuple(k for k in PACK.cards if k != c and captures(rules, c, k)) for c in PACK.cards}
    prey = {c: tuple(p for p in PACK.cards if p != c and captures(rules, p, c)) for c in PACK.cards}

    def python(view: tuple[int, ...]) -> Any:
        candidates, hand, known = (tuple(PACK.names(mask)) for mask in view[:3])
        led = names[view[3]] if view[3] else None
        trick, stock, honours, others = view[4:]
        wanted = item.function(CardView(candidates, hand, known, led, trick, stock, honours, others,
                                        killers.__getitem__, prey.__getitem__))
        return PACK.to_mask({PACK.parse(card) for card in ([wanted] if isinstance(wanted, str) else wanted)})

    asked: dict[tuple[int, ...], int] = {}
    stopped: list[BaseException] = []

    def answer(*view: int) -> int:
        try:
            wanted = int(python(view))
        except (Exception, SystemExit, GeneratorExit):
            return -1
        except BaseException as interruption:  # nothing can be raised through the kernel
            stopped.append(interruption)
            return -1
        if len(asked) < _TRIALS:
            asked.setdefault(view, wanted)
        return wanted

    native = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * _ARGUMENTS)(answer)
    address = ctypes.cast(native, ctypes.c_void_p).value or 0
    return Callback(address, native, python, asked, stopped)


def check(items: tuple[Preference, ...], callbacks: list[Callback], fault: npt.NDArray[np.int64]) -> None:
    """Raise RunError when a preference was at fault, or when asked again in another order answers otherwise."""
    for back in callbacks:
        if back.stopped:
            raise back.stopped[0]
    kind = fault[ask.KIND]
    if kind != ask.NO_FAULT:
        place = int(fault[ask.PLUGIN_INDEX])
        raise RunError(_complaint(items[place], callbacks[place], fault))
    for item, back in zip(items, callbacks, strict=True):
        for view, wanted in reversed(back.asked.items()):
            if back.python(view) != wanted:
                raise RunError(_fickle(item))


def _complaint(item: Preference, back: Callback, fault: npt.NDArray[np.int64]) -> str:
    deal = 256 * int(fault[ask.BLOCK]) + int(fault[ask.LANE])
    where = f"deal {deal}, seat {fault[ask.SEAT]}, trick {fault[ask.TRICK]}"
    view = tuple(int(x) for x in fault[ask.VIEW : ask.VIEW + _ARGUMENTS])
    who = f"preference '{item.name}' of {item.path}"
    if fault[ask.KIND] == ask.NOT_IN_HAND:
        answer = int(fault[ask.ANSWER])
        outside = PACK.names(answer & 0xFFFFFFFF & ~view[1])
        if answer >> 32 or not outside:
            return f"{who} answered {answer}, which is not a set of cards ({where}): return a mask within view.hand"
        return f"{who} wants {' '.join(outside)}, not in the hand {' '.join(PACK.names(view[1]))} ({where})"
    try:
        answer = back.python(view)
    except BaseException as error:
        lines = str(error).strip().splitlines() or ["no message"]
        return f"{who} raised {type(error).__name__}: {lines[0][:200]} ({where})"
    return f"{who} answered {answer!r}, which is not a set of cards ({where}): return cards of view.hand"


def _fickle(item: Preference) -> str:
    return (f"preference '{item.name}' of {item.path} answers the same view differently at different times: "
            "it must keep no state between decisions and use no chance")
