"""Parts of the kernel that are compiled apart, when a policy first needs them, and called by their address.

Numba optimises a function again within every function that calls it; what a deal seldom needs would so be compiled
many times over. A unit takes four int64: what is asked, the address of the state, a seat and one argument more; it
answers with an int64. Rules and policies it finds by the state: with more than four, arguments would travel by memory,
which cost a short deal a tenth of its time.
"""

import functools
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ....compiled.jit import compiled
from . import state as v
from .fields import FieldsType, SeriesType, address_of, fields_of

# the units: bids, doublings and trumps; preferences for cards; open cards solved; plays rolled out
CALLS, CARDS, SEARCH, ROLLOUT = map(np.int64, range(4))
(AUCTION_QUESTION, DOUBLING_QUESTION, ONE_DOUBLE_QUESTION, TRUMP_QUESTION, REST_OF_AUCTION, REST_OF_DOUBLING,
 CALLS_AGREE) = map(np.int64, range(7))  # for CALLS
# for SEARCH and ROLLOUT
CARDS_QUESTION, BID_QUESTION, SUIT_QUESTION, DOUBLE_QUESTION, OPEN_QUESTION = map(np.int64, range(5))
ARGUMENTS = (types.int64,) * 4
rules_in, rules_at = fields_of(FieldsType(v.RULES))
state_in, state_at = fields_of(FieldsType(v.STATE))
_, position_at = fields_of(FieldsType(v.POSITION))  # with which a state begins
policies_in, policies_at = fields_of(SeriesType(FieldsType(v.POLICY)))  # two, that of the caller's side first


@intrinsic
def _call(typingctx: Any, address: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Call int64 f(4 x int64) at a machine address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i64 = ir.IntType(64)
        pointer = builder.inttoptr(args[0], ir.FunctionType(i64, [i64] * 4).as_pointer())
        return builder.call(pointer, args[1:])

    return types.int64(*[types.int64] * 5), generate


@compiled(part="expression")
def introduce(r, p, s):
    """Write into the state where units find the rules and the policies."""
    s.rules_at, s.players_at = address_of(r), address_of(p)


@compiled(part="expression")
def introduced(state):
    """Rules, policies and state, as a unit is told of them."""
    s = state_at(state)
    return rules_at(s.rules_at), policies_at(s.players_at), s


@compiled(part="loop")
def ask(unit, question, s, seat, argument):
    """A unit's answer to a question."""
    return _call(s.units[unit], question, address_of(s), seat, argument)


@functools.cache
def address(unit: Any) -> int:
    """The machine address of a compiled unit, compiling it or reading it from the cache when first asked for."""
    unit.compile(ARGUMENTS)
    result = unit.overloads[ARGUMENTS]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name))
