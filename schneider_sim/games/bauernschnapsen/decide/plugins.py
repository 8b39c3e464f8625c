"""Users' own preferences inside the compiled play: called through an address, with what the player may know.

Loading one compiles nothing again and costs the built-in words nothing.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ..kernel.bits import NOTHING, SUIT, place_of, popcount, suits_in
from ..kernel.opening import NEW_DEAL as DEAL_AGAIN
from ..kernel.opening import TURN_ONE_UP, UNDECIDED

ARGUMENTS = 10
KIND, DEAL, SEAT, TRICK, INDEX, ANSWER, VIEW = range(7)  # places of a fault; from VIEW on the ten
# numbers that were shown; the trick is 0 before the first lead
NO_FAULT, RAISED, NOT_ALLOWED = map(np.int64, range(3))
TURN_UP, NEW_DEAL = np.int64(1 << 40), np.int64(1 << 41)  # answers to the question of trumps, besides cards


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
def _note(s, kind, index, seat, trick, answer, view):
    """Note the first fault."""
    out_of_line()
    if s.fault[KIND] == NO_FAULT:
        for i in range(ARGUMENTS):
            s.fault[VIEW + i] = view[i]
        s.fault[KIND], s.fault[DEAL], s.fault[SEAT] = kind, s.deal, (seat + s.caller) & 3
        s.fault[TRICK], s.fault[INDEX], s.fault[ANSWER] = trick, index, answer
    return NOTHING


@compiled(part="loop")
def _ask(s, index, seat, trick, allowed, view):
    """The answer of a user's preference to a view of ten numbers; one with bits that are not allowed is noted as a
    fault and wants nothing."""
    out_of_line()
    answer = _call(s.plugins[index], view[0], view[1], view[2], view[3], view[4], view[5], view[6], view[7],
                   view[8], view[9])
    if answer >= 0 and answer & ~allowed == 0:
        return answer
    return _note(s, RAISED if answer < 0 else NOT_ALLOWED, index, seat, trick, answer, view)


@compiled(part="expression")
def _role(s, seat):
    return NOTHING if seat == s.declarer else NOTHING + 1 if seat == s.declarer ^ 2 else NOTHING + 2


@compiled(part="loop")
def ask_plugin(s, index, seat, hand, candidates, unseen):
    """The cards that a user's preference wants."""
    out_of_line()
    known = 0x1F1F1F1F & ~unseen
    table, led = (s.table, s.led) if s.place else (NOTHING, NOTHING)
    return _ask(s, index, seat, s.done + 1, hand, (
        candidates, hand, known, table, led, s.beat, s.done + 1, s.contract, s.now_trumps, _role(s, seat)))


@compiled(part="expression")
def _scores(s, seat):
    return s.own_score[(seat & 1)], s.own_score[1 - (seat & 1)]


@compiled(part="loop")
def ask_trumps(r, s, index, seat, seen, suits, may_redeal):
    """The trumps of a user's preference: a suit from 0 to 3, TURN_ONE_UP, NEW_DEAL, or UNDECIDED.

    suits: those that may be named, an Unter for each.
    """
    out_of_line()
    ours, theirs = _scores(s, seat)
    named = suits * SUIT
    up, redeal = TURN_UP if r.turn_up else NOTHING, NEW_DEAL if may_redeal else NOTHING
    view = (seen, named, up, redeal, ours, theirs, NOTHING, NOTHING, NOTHING, NOTHING)
    answer = _ask(s, index, seat, NOTHING, named | up | redeal, view)
    if answer & (up | redeal):
        return DEAL_AGAIN if answer & redeal else TURN_ONE_UP
    if popcount(suits_in(answer)) > 1:
        answer = _note(s, NOT_ALLOWED, index, seat, NOTHING, answer, view)
    return place_of(answer) >> 3 if answer else UNDECIDED


@compiled(part="loop")
def ask_bids(s, index, seat, hand, trumps, legal, high, high_seat):
    """The contracts (bits) that a user's preference would bid."""
    out_of_line()
    ours, theirs = _scores(s, seat)
    return _ask(s, index, seat, NOTHING, legal, (
        hand, trumps, seat, legal, high, high_seat, ours, theirs, NOTHING, NOTHING))


@compiled(part="loop")
def ask_to_double(s, index, seat, hand, trumps):
    """Whether a user's preference doubles."""
    out_of_line()
    ours, theirs = _scores(s, seat)
    return _ask(s, index, seat, NOTHING, NOTHING + 1, (
        hand, trumps, s.contract, _role(s, seat), np.int64(1) << s.level, seat, s.declarer, ours, theirs,
        NOTHING)) != 0
