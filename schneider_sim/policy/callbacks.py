"""Users' preferences as machine addresses that a kernel can call, and what to say when one fails.

A preference must answer a view always alike. One over masks that uses chance is refused when it is compiled (compiled
code can keep no state); one over cards is asked again, in another order, about a sample of the views it was shown.
"""

import ctypes
import dis
import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..base.cards import Pack
from ..base.text import shown
from ..errors import RequestError, RunError
from .plugins import Preference

View = tuple[int, ...]
_NOISE = ("Failed in", "During:", "File ")  # lines of a Numba error that name no cause
_CHANCE = ("numba_get_np_random_state", "numba_get_py_random_state")  # in the code of what uses random numbers
_NO_CODE = {"IMPORT_NAME": "an import statement", "IMPORT_FROM": "an import statement", "LOAD_BUILD_CLASS": "a class",
            "BEFORE_WITH": "a with statement", "STORE_GLOBAL": "a global that is assigned", "DELETE_GLOBAL":
            "a global that is deleted", "RETURN_GENERATOR": "a generator"}  # by the names of Python's instructions
_MOST_ASKED = 2000
YES_OR_NO = "yes or no"  # the answer of a preference that decides nothing else


class Asked:
    """A sample of the views a preference was shown, with its answers: those of least hash, at most 2,000.

    Which views they are depends on the views alone, not on their order, and they come from the whole of a run.
    """

    def __init__(self) -> None:
        self.answers: dict[View, int] = {}
        self._below = 1 << 32

    def note(self, view: View, answer: int) -> None:
        """Remember the first answer to `view` if it belongs to the sample."""
        if hash(view) & 0xFFFFFFFF < self._below and self.answers.setdefault(view, answer) == answer:
            while len(self.answers) > _MOST_ASKED:
                self._below //= 2
                self.answers = {v: a for v, a in self.answers.items() if hash(v) & 0xFFFFFFFF < self._below}
        elif self.answers.get(view, answer) != answer:
            self.answers[view] = -2  # no answer is equal to this: asking again will show it


class Callback(NamedTuple):
    """An address for the kernel, what must stay alive for it, and the function to ask again in plain Python.

    asked: a sample of the views it was shown; stopped: a Ctrl-C that fell into it.
    """

    address: int
    keep: Any
    python: Callable[[View], Any]
    asked: Asked
    stopped: list[BaseException]


@functools.lru_cache(maxsize=64)
def compiled(item: Preference, view_type: Any, count: int = 0, answer: str = "a mask") -> Callback:
    """The callback of a preference over masks, compiled once per process; view_type: the NamedTuple it is shown.

    count: how many numbers it is called with, of which the view takes the first (0: as many as the view has).
    Raises RequestError where Numba cannot compile it, it does not answer a whole number, or it uses random numbers.
    """
    import numba
    from numba import int64, types

    size = len(view_type._fields)
    try:
        function = numba.njit(item.function, nogil=True)
        native = numba.cfunc(int64(*[int64] * (count or size)))(_adapter(function, view_type, size, count or size))
    except MemoryError:
        raise
    except Exception as error:  # whatever Numba makes of what it does not know, assertions included
        raise _unusable(item, f"cannot be compiled ({_reason(error, item.function)})") from None
    answers = function.nopython_signatures[0].return_type
    if not isinstance(answers, (types.Integer, types.Boolean) if answer == YES_OR_NO else types.Integer):
        raise _unusable(item, f"answers {answers}, not {answer}")
    if any(word in native.inspect_llvm() for word in _CHANCE):
        raise RequestError(f"preference '{item.name}' of {item.path} uses random numbers: it must always give "
                           "the same answer to the same view")
    return Callback(native.address, native, lambda view: item.function(view_type(*view[:size])), Asked(), [])


def _adapter(function: Any, view_type: Any, size: int, count: int) -> Any:
    """A function of `count` integers for Numba, which knows no star in a callback's signature."""
    names = [f"x{i}" for i in range(count)]
    space: dict[str, Any] = {"function": function, "View": view_type}
    exec(f"def answer({', '.join(names)}):\n    try:\n        wanted = int(function(View({', '.join(names[:size])})))\n"
         "    except Exception:\n        wanted = -1\n    return wanted\n", space)
    return space["answer"]


def _unusable(item: Preference, why: str) -> RequestError:
    return RequestError(f"preference '{item.name}' of {item.path} {why}: write it over integers, or decorate it with "
                        "over=\"cards\"")


def _reason(error: Exception, function: Any) -> str:
    """What a preference has that Numba cannot compile, or the first line of its error that says something."""
    found = sorted({step.opname for step in dis.get_instructions(function)} & _NO_CODE.keys())
    if found:
        return f"it has {_NO_CODE[found[0]]}"
    if function.__code__.co_flags & inspect.CO_VARKEYWORDS:
        return "it takes arguments with **"
    lines = (line.strip() for line in str(error).splitlines())
    said = next((line for line in lines if line and not line.startswith(_NOISE)), "")
    return shown(said[:160]) if said else f"{type(error).__name__}, no reason given"


def cards_as_mask(pack: Pack) -> Callable[[Any], int]:
    """What reads the answer of a preference over cards: one card's name or several."""
    return lambda wanted: pack.to_mask({pack.parse(card) for card in several(wanted, "names of cards such as 'TS'")})


def several(wanted: Any, what: str) -> list[str]:
    """An answer that is one name or several, as a list; RequestError where it is not `what`."""
    names = [wanted] if isinstance(wanted, str) else list(wanted) if isinstance(wanted, Iterable) else None
    if names is None or not all(isinstance(name, str) for name in names):
        raise RequestError(f"answered {shown(wanted)}, not {what}")
    return names


def interpreted(item: Preference, see: Callable[[View], Any], count: int, read: Callable[[Any], int]) -> Callback:
    """The callback of a preference over cards: `see` makes what it is shown of the kernel's `count` numbers, `read` a
    number of its answer."""
    asked, stopped = Asked(), list[BaseException]()

    def python(view: View) -> int:
        return read(item.function(see(view)))

    def answer(*view: int) -> int:
        if stopped:
            return -1
        try:
            wanted = python(view)
        except (Exception, SystemExit, GeneratorExit):
            return -1
        except BaseException as interruption:  # nothing can be raised through the kernel
            stopped.append(interruption)
            return -1
        asked.note(view, wanted)
        return wanted

    native = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * count)(answer)
    return Callback(ctypes.cast(native, ctypes.c_void_p).value or 0, native, python, asked, stopped)


def check_interruption(backs: Iterable[Callback]) -> None:
    """Raise the Ctrl-C that fell into a preference."""
    for back in backs:
        if back.stopped:
            raise back.stopped[0]


def check_alike(items: Iterable[Preference], backs: Iterable[Callback]) -> None:
    """Ask every preference again about the sampled views, in another order; RunError where one answers otherwise."""
    for item, back in zip(items, backs, strict=True):
        for view, wanted in sorted(back.asked.answers.items(), reverse=True):
            if back.python(view) != wanted:
                raise RunError(f"preference '{item.name}' of {item.path} answers the same view differently at "
                               "different times: it must keep no state between decisions and use no chance")


def complaint(item: Preference, back: Callback, pack: Pack, view: View, answer: int, where: str) -> RunError:
    """The error for a preference that raised (a negative answer) or wants what is not in its hand, view[1]."""
    if answer < 0:
        return raised(item, back, view, where, "a set of cards")
    who = f"preference '{item.name}' of {item.path}"
    outside = pack.names(answer & pack.mask & ~view[1])
    if answer & ~pack.mask or not outside:
        return RunError(f"{who} answered {answer}, which is not a set of cards ({where}): "
                        "return a mask within view.hand")
    hand = " ".join(pack.names(view[1]))
    return RunError(f"{who} wants {' '.join(outside)}, not in the hand {hand} ({where})")


def raised(item: Preference, back: Callback, view: View, where: str, wanted: str) -> RunError:
    """The error for a preference that raised an exception, asked once more to learn which."""
    who = f"preference '{item.name}' of {item.path}"
    try:
        back.python(view)
    except RequestError as error:  # the answer cannot be read
        return RunError(f"{who}: {error} ({where})")
    except BaseException as error:
        lines = str(error).strip().splitlines() or ["no message"]
        return RunError(f"{who} raised {type(error).__name__}: {shown(lines[0][:200])} ({where})")
    return RunError(f"{who} answered a negative number, not {wanted} ({where})")
