"""Plays of Bauernschnapsen step by step: the names are those of games.protocol.Steps."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...base.tally import Counts
from .. import MatchUp
from ..steps import Line, Part, Step
from . import prepare as run
from .kernel import state as v
from .kernel.loops import play_single

_OPENING = [v.REDEALS, v.TURNED, v.TRUMP, *range(v.CALL, v.CALL + v.MAX_CALLS), v.LEVEL,
            *range(v.DOUBLED_BY, v.DOUBLED_BY + 3)]
_PLAYED = [place for turn in range(5)
           for place in (v.ANNOUNCED + turn, *range(v.CARDS + 4 * turn, v.CARDS + 4 * turn + 4))]


def steps(trace: Mapping[str, Any]) -> Iterator[Step]:
    """Trumps, calls, doublings, announcements and cards of a trace in the order in which they came."""
    by_auction = trace["rules"]["trump_timing"] == "auction_winner"
    trumps = _trumps(trace, trace["declarer"] if by_auction else (trace["dealer"] + 1) % 4)
    if not by_auction:
        yield trumps
    for call in trace["calls"]:
        yield Step(0, _side(trace, call["seat"]), "passes" if call["call"] == "PASS" else call["call"], False)
    if by_auction:
        yield trumps
    for doubling in trace["doublings"]:
        yield Step(0, _side(trace, doubling["seat"]), f"times {doubling['multiplier']}", False)
    for number, trick in enumerate(trace["tricks"], start=1):
        if said := trick["announced"]:
            yield Step(number, _side(trace, trick["leader"]), f"announces {said['points']} in {said['suit']}", False)
        for seat, card in zip(trick["seats"], trick["cards"], strict=True):
            yield Step(number, _side(trace, seat), card)


def _trumps(trace: Mapping[str, Any], seat: int) -> Step:
    again = f"has {trace['redeals']} redeals and " if trace["redeals"] else ""
    how = "turns up" if trace["turned_up"] else "names"
    return Step(0, _side(trace, seat), f"{again}{how} {trace['trump']}", False)


def _side(trace: Mapping[str, Any], seat: int) -> str:
    return next(who for who, seats in trace["teams"].items() if seat in seats)


def codes(match_up: MatchUp, start: int, stop: int, first_leader: str) -> Counts:
    """What happened in deals start..stop-1: int64[deals, n], the opening, then announcement and cards by trick."""
    ready, kept = run.prepared(match_up), _OPENING + _PLAYED
    found = np.empty((stop - start, len(kept)), np.int64)
    swapped = int(first_leader == "B")
    ours, theirs = match_up.score[::-1] if swapped else match_up.score
    for deal in range(start, stop):
        state = np.zeros(v.STATE_SIZE, np.int64)
        play_single(ready.rules, ready.both[swapped], ready.outside, ours, theirs, ready.seed, deal, state)
        found[deal - start] = state[kept]
    ready.check()
    return found


def trick_of(column: int) -> int:
    """The trick of a column of `codes`, 0 for what came before the first lead."""
    return 0 if column < len(_OPENING) else (column - len(_OPENING)) // 5 + 1


def lines(trace: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[Line]:
    """The contract, then a line for each trick: cards by seat in order, the winner and the points; then the result."""
    times = f" times {trace['multiplier']}" if trace["multiplier"] > 1 else ""
    who = f"{names[_side(trace, trace['declarer'])]}, seat {trace['declarer']}"
    yield Line(0, (Part(f"{trace['contract']}{times} ({who}), trumps {trace['trump']}"),))
    for number, trick in enumerate(trace["tricks"], start=1):
        said = trick["announced"]
        if said:
            yield Line(number, (Part(f"{number:2} seat {trick['leader']} announces {said['points']}"),))
        if not trick["cards"]:
            break
        cards = [part for seat, card in zip(trick["seats"], trick["cards"], strict=True)
                 for part in (Part(str(seat)), Part(card, 3, True))]
        takes = f"{names[_side(trace, trick['winner'])]}{trick['winner']}+{trick['points']}"
        yield Line(number, (Part("  " if said else f"{number:2}"), *cards, Part(takes)))
    side = names[trace["scoring_team"]]
    yield Line(-1, (Part(f"{side} scores {trace['game_points']}: {trace['ended'].replace('_', ' ')}"),))
