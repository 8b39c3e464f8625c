"""Parts of the kernel that are compiled apart, when a policy first needs them, and called by their address.

Numba optimises a function again within every function that calls it; what a deal seldom needs would so be compiled
many times over. A unit takes seven int64: what is asked, rules, policies, the place of the asker's policy, state (as
addresses), seat and one argument more; it answers with an int64.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ...jit import compiled
from . import vectors as v
from .cells import address_of

CALLS, CARDS, SEARCH = map(np.int64, range(3))  # the units: bids, doublings and trumps; preferences for cards; search
AUCTION_QUESTION, DOUBLING_QUESTION, ONE_DOUBLE_QUESTION, TRUMP_QUESTION = map(np.int64, range(4))  # CALLS
CARDS_QUESTION, BID_QUESTION = map(np.int64, range(2))  # for SEARCH
ARGUMENTS = (types.int64,) * 7


@intrinsic
def _call(typingctx: Any, address: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any) -> Any:
    """Call int64 f(7 x int64) at a machine address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i64 = ir.IntType(64)
        pointer = builder.inttoptr(args[0], ir.FunctionType(i64, [i64] * 7).as_pointer())
        return builder.call(pointer, args[1:])

    return types.int64(*[types.int64] * 8), generate


@compiled(part="loop")
def ask(unit, question, r, p, me, s, seat, argument):
    """A unit's answer to a question."""
    return _call(s[v.UNITS + unit], question, address_of(r), address_of(p), me, address_of(s), seat, argument)


def address(unit: Any) -> int:
    """The machine address of a compiled unit, compiling it or reading it from the cache when first asked for."""
    unit.compile(ARGUMENTS)
    result = unit.overloads[ARGUMENTS]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name))
