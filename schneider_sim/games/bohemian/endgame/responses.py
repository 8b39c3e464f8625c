"""Best responses in the last six tricks to a known policy: what is offered here is said in games/protocol.py."""

import numpy as np
import numpy.typing as npt

from ....compiled.lanes import LANES
from ....errors import RequestError
from ....policy.grammar import Policy
from ... import MatchUp
from .. import state as at
from ..callbacks import callback
from ..callbacks import check as check_plugins
from ..game import recorded, seated

WHERE = f"from trick {at.DRAWS + 1} on"
_LAST = at.TRICKS - at.DRAWS - 2  # with less memory, what is remembered depends on the order of the last tricks


def check(policy: Policy) -> None:
    """RequestError for a policy that remembers some of the last tricks and not all of them."""
    if 1 <= policy.memory < _LAST:
        raise RequestError(f"exploit needs a policy that remembers nothing or the last {_LAST} tricks or more, not "
                           f"memory: {policy.options['memory']}")


def responses(match_up: MatchUp, start: int, stop: int) -> npt.NDArray[np.float64]:
    """V of deals start..stop-1 when A goes over to its best response once the stock is empty: float64[deals, 2]."""
    from .response import respond, rooms

    backs = [callback(item, match_up.rules) for item in match_up.plugins]
    table, _, b = seated(match_up, backs)
    found, t = np.empty((stop - start, 2), np.float64), rooms(table)
    for play, leader in enumerate("AB"):
        for place, deals, space in recorded(match_up, start, stop, leader):
            first = place % LANES
            worth = np.empty(LANES, np.float64)
            respond(t, space, table, b, first, first + deals, worth)
            found[place - start : place - start + deals, play] = worth[first : first + deals]
    check_plugins(match_up.plugins, backs, table.fault.array)
    return found
