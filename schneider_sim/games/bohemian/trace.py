"""A recorded deal of the kernel as a trace, in the form of `replay --json`."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ...compiled.lanes import LANES
from .. import MatchUp
from . import state as at
from .rules import PACK, victory_points

_OTHER = {"A": "B", "B": "A"}


def read_trace(space: npt.NDArray[np.uint32], match_up: MatchUp, deal: int, first_leader: str) -> dict[str, Any]:
    """The trace of `deal` from a space that holds the record of its block, played with `first_leader` in seat 0."""
    lane = deal % LANES
    column = space.reshape(-1, LANES)[:, lane].tolist()

    def row(place: int, number: int = 0) -> int:
        return int(column[place // LANES + number])

    seats = (first_leader, _OTHER[first_leader])
    stock = [PACK.names(row(at.STOCK, k))[0] for k in range(at.STOCK_SIZE)]
    tricks = []
    for k in range(at.TRICKS):
        leader, winner = seats[row(at.TURN_IN, k)], seats[row(at.TURN_IN, k + 1)]
        led, reply = PACK.names(row(at.LED_IN, k))[0], PACK.names(row(at.REPLY_IN, k))[0]
        drawn = None
        if k < at.DRAWS:
            first = leader if match_up.rules.draw_timing == "on_play" else winner
            taken = {first: stock[2 * k], _OTHER[first]: stock[2 * k + 1]}
            drawn = {"A": taken["A"], "B": taken["B"]}
        tricks.append({"leader": leader, "led": led, "reply": reply, "winner": winner, "drawn": drawn})
    last = seats[row(at.TURN_IN, at.TRICKS)]
    scores = {last: row(at.SCORE), _OTHER[last]: row(at.SCORE, 1)}
    hands = {seats[k]: PACK.names(row(at.DEALT, k)) for k in range(2)}
    honours = {who: scores[who] & 255 for who in "AB"}
    return {
        "game": "bohemian",
        "rules": match_up.rules.as_dict(),
        "policies": {"A": str(match_up.a), "B": str(match_up.b)},
        "seed": match_up.seed,
        "deal": deal,
        "first_leader": first_leader,
        "hands": {who: hands[who] for who in "AB"},
        "stock": stock,
        "tricks": tricks,
        "honours": honours,
        "tricks_won": {who: scores[who] >> 8 for who in "AB"},
        "victory_points": {who: max(victory_points(match_up.rules, honours[who]), 0) for who in "AB"},
    }
