"""Users' own preferences inside the compiled loop: called through an address, lane by lane, at the lanes' own place.

The kernel knows a plug-in only as an address in an array, so loading one compiles nothing again and costs built-in
preferences nothing.
"""

from typing import Any

from llvmlite import ir
from numba import int64, types, uint32
from numba.extending import intrinsic

from ...compiled.cells import cells_at
from ...compiled.jit import compiled
from ...compiled.lanes import LANES, ZERO, get, inv, out_of_line, put
from . import state as at

# places in Table.fault
KIND, BLOCK, LANE, SEAT, TRICK, PLUGIN_INDEX, ANSWER, FIRST_LANE, STOP_LANE = range(9)
VIEW = 9  # from here on: the eight numbers of the view that the plug-in was shown
FAULT_SIZE = VIEW + 8
NO_FAULT, RAISED, NOT_IN_HAND = range(3)


@intrinsic
def call(typingctx: Any, address: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> Any:
    """Call int64 f(8 x int64) at a machine address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i64 = ir.IntType(64)
        pointer = builder.inttoptr(args[0], ir.FunctionType(i64, [i64] * 8).as_pointer())
        return builder.call(pointer, args[1:])

    return types.int64(*[types.int64] * 9), generate


@compiled(part="loop")
def ask_plugin(space, table, index, who, trick, side, hand_row, candidates):
    """Fill row WANTED by asking plug-in `index` wherever policy `who` (0 A, 1 B, 2 both) decides.

    An answer must be a subset of the hand; the first that is not (or a raised exception, answered by a negative
    number) is noted in table.fault, for the lanes that count.
    """
    out_of_line()
    fault, plugins, stock = cells_at(table.fault), cells_at(table.plugins), max(at.STOCK_SIZE - 2 * trick, 0)
    for i in range(LANES):
        put(space, at.WANTED, i, ZERO)
        if fault[KIND] != NO_FAULT:
            continue
        seat = int64(get(space, at.TURN, i)) ^ side
        decides = who == 2 or (seat ^ int64(get(space, at.FIRST, i))) == who
        if not decides or not fault[FIRST_LANE] <= i < fault[STOP_LANE]:
            continue
        hand = int64(get(space, hand_row, i))
        mine, others = get(space, at.SCORE + side * LANES, i), get(space, at.SCORE + (1 - side) * LANES, i)
        view = (int64(get(space, candidates, i)), hand, int64(inv(get(space, at.UNSEEN, i))),
                int64(get(space, at.LED, i)), int64(trick + 1), int64(stock), int64(mine) & 255, int64(others) & 255)
        answer = call(plugins[index], *view)
        if answer >= 0 and answer & ~hand == 0:
            put(space, at.WANTED, i, uint32(answer))
        else:
            fault[KIND] = RAISED if answer < 0 else NOT_IN_HAND
            fault[LANE], fault[SEAT], fault[TRICK] = i, seat, trick + 1
            fault[PLUGIN_INDEX], fault[ANSWER] = index, answer
            for k in range(8):
                fault[VIEW + k] = view[k]
