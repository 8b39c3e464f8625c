"""Users' own preferences inside the compiled play: called through an address, with what the player may know.

Loading one compiles nothing anew and costs the built-in words nothing.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ...jit import compiled
from ...lanes import out_of_line
from . import vectors as v

ARGUMENTS = 10
KIND, DEAL, SEAT, TRICK, INDEX, ANSWER, VIEW = range(7)  # places of a fault; from VIEW on the ten numbers it was shown
NO_FAULT, RAISED, NOT_IN_HAND = range(3)


@intrinsic
def _call(typingctx: Any, address: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any,
          j: Any) -> Any:
    """Call int64 f(10 x int64) at a machine address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i64 = ir.IntType(64)
        pointer = builder.inttoptr(args[0], ir.FunctionType(i64, [i64] * ARGUMENTS).as_pointer())
        return builder.call(pointer, args[1:])

    return types.int64(*[types.int64] * (ARGUMENTS + 1)), generate


@compiled(part="loop")
def ask_plugin(s, index, seat, hand, candidates, unseen):
    """The cards that a user's preference wants; an answer outside the hand is noted as a fault and wants nothing."""
    out_of_line()
    known = 0x1F1F1F1F & ~unseen
    partner = seat == s[v.DECLARER] ^ 2
    role = 0 if seat == s[v.DECLARER] else 1 if partner else 2
    table, led = (s[v.TABLE], s[v.LED]) if s[v.PLACE] else (0, 0)
    answer = _call(s[v.PLUGINS + index], candidates, hand, known, table, led, s[v.BEAT], s[v.DONE] + 1, s[v.CONTRACT],
                   s[v.NOW_TRUMPS], role)
    if answer >= 0 and answer & ~hand == 0:
        return answer
    if s[v.FAULT + KIND] == NO_FAULT:
        view = (candidates, hand, known, table, led, s[v.BEAT], s[v.DONE] + 1, s[v.CONTRACT], s[v.NOW_TRUMPS], role)
        for i in range(ARGUMENTS):
            s[v.FAULT + VIEW + i] = view[i]
        s[v.FAULT + KIND] = RAISED if answer < 0 else NOT_IN_HAND
        s[v.FAULT + DEAL], s[v.FAULT + SEAT] = s[v.DEAL], (seat + s[v.CALLER]) & 3
        s[v.FAULT + TRICK], s[v.FAULT + INDEX], s[v.FAULT + ANSWER] = s[v.DONE] + 1, index, answer
    return 0
