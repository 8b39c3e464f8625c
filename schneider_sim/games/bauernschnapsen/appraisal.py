"""What the cards and calls of a position are worth in Bauernschnapsen, as games/protocol.py describes it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.terminal import Style
from ...errors import RequestError
from .. import MatchUp
from ..protocol import Outcomes
from . import positions
from .kernel import state as v
from .positions import BID, CARD, DOUBLE, NEW_DEAL, SUIT, TRICKS, TURN_UP, Position
from .prepare import prepared
from .rules.contracts import CONTRACTS
from .rules.referee import PACK
from .rules.switches import Rules

BLOCK = 256
REST = "The rest is played by both policies' words, their search left out."
_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_SAID = {(SUIT, TURN_UP): ("Turn a card up", "turning a card up"),
         (SUIT, NEW_DEAL): ("Ask for a new deal", "a new deal"),
         (BID, "PASS"): ("Pass", "passing"), (DOUBLE, "double"): ("Double", "doubling"),
         (DOUBLE, "pass"): ("Do not double", "not doubling")}


def typed(rules: Rules, hand: Sequence[str], led: str | None, played: Sequence[str],
          won: tuple[int, int] | None) -> Position:
    """Positions typed card by card lack the calls and the other seats' parts."""
    raise RequestError("--hand is for Bohemian Schneider: give --deal K or --trace FILE")


def first_leader(deal: int, seat: int | None) -> str:
    """Who leads first when A has a seat of the table."""
    return "A" if (_seat(seat) - deal - 1) % 2 == 0 else "B"


def _seat(seat: int | None) -> int:
    if seat is None:
        raise RequestError("--seat S is missing: which seat of the table POLICY has, from 0 to 3")
    if seat not in range(4):
        raise RequestError(f"--seat must be from 0 to 3, not {seat}")
    return seat


def in_trace(rules: Rules, trace: Mapping[str, Any], trick: int, seat: int | None) -> Position:
    """The position in which a seat of the table plays to a trick of a trace."""
    if not 1 <= trick <= TRICKS:
        raise RequestError(f"--trick must be from 1 to {TRICKS}, not {trick}")
    return positions.at_card(rules, trace, trick, _seat(seat))


def at_call(rules: Rules, trace: Mapping[str, Any], call: int, side: str | None) -> Position | None:
    """The position at a call of a trace; None where it is not the side's."""
    found = positions.at_call(rules, trace, call)
    return found if side is None or found.table_seat in trace["teams"][side] else None


def kind(position: Position) -> str:
    """What a move is."""
    return "card" if position.question == CARD else "call"


def moves(rules: Rules, position: Position) -> list[str]:
    """The legal moves, in pack order or in that of the contracts."""
    return position.names


def values(match_up: MatchUp, position: Position) -> list[int]:
    """Every number of game points that a deal may be worth to one side from here, ascending."""
    rules, s = match_up.rules, position.state.view(v.STATE)[0]
    level, most = int(s["level"]), _most_doublings(match_up, position)
    if position.question in (CARD, DOUBLE):
        row = CONTRACTS[int(s["contract"])]
        worths = {1, 2, 3} if row.aim == "normal" else {rules.values[int(s["contract"])]}
    else:
        worths = {1, 2, 3} | {value for value, on in zip(rules.values, rules.enabled, strict=True) if on and value}
    found = {worth << times for worth in worths for times in range(level, max(level, most) + 1)}
    return sorted(found | {-points for points in found})


def _most_doublings(match_up: MatchUp, position: Position) -> int:
    """How often a game may be doubled at most from here on: sides take turns, and one without words never does."""
    rules = match_up.rules
    asked = position.question != CARD or (rules.double_window == "before_own_first_card" and position.at < 4)
    if not asked:
        return 0
    willing = sum(bool(policy.sections["double"]) for policy in (match_up.a, match_up.b))
    more = (position.question == DOUBLE) + (rules.max_double if willing == 2 else willing)
    return min(rules.max_double, int(position.state[v.LEVEL]) + more)


def as_dict(rules: Rules, position: Position) -> dict[str, Any]:
    """The position as JSON has it."""
    trace = position.trace
    if position.question == CARD:
        where: dict[str, Any] = {"trick": position.trick, "seat": position.table_seat}
    else:
        where = {"call": position.call, "kind": positions.KINDS[position.question], "seat": position.table_seat}
    done, table = _played(position), _table(position)
    where |= {"hand": PACK.names(_known(rules, position))}
    if position.question == CARD:
        where |= {"led": table[0] if table else None, "table": table, "played": done}
    named = position.question != SUIT and not (position.question == BID and rules.trump_timing == "auction_winner")
    where |= {"trump": trace["trump"] if named else None, "calls": trace["calls"][: _calls_made(rules, position)]}
    if position.question in (CARD, DOUBLE):
        where |= {"contract": trace["contract"], "declarer": trace["declarer"],
                  "multiplier": 1 << int(position.state[v.LEVEL])}
    return where


def _calls_made(rules: Rules, position: Position) -> int:
    """Bids and passes so far."""
    if position.question == BID:
        return position.at
    return 0 if position.question == SUIT and rules.trump_timing != "auction_winner" else len(position.trace["calls"])


def _known(rules: Rules, position: Position) -> int:
    """The own cards that the seat knows, as a mask."""
    first = position.question == SUIT or (position.question == BID and rules.trump_timing == "auction_winner")
    return int(position.state[(v.FIRST if first else v.HAND) + position.seat])


def _played(position: Position) -> list[str]:
    """The cards of the completed tricks in order."""
    return [card for trick in position.trace["tricks"][: max(0, position.trick - 1)] for card in trick["cards"]]


def _table(position: Position) -> list[str]:
    """The cards of the present trick so far."""
    return PACK.names(int(position.state[v.TABLE])) and list(
        position.trace["tricks"][position.trick - 1]["cards"][: bin(int(position.state[v.TABLE])).count("1")])


def advice(position: Position, move: str, style: Style) -> str:
    """A move as advice."""
    if position.question == CARD:
        return f"{'Play' if position.state[v.PLACE] else 'Lead'} {style.card(move)}"
    if (position.question, move) in _SAID:
        return _SAID[position.question, move][0]
    return f"Name {_SUITS[move]}" if position.question == SUIT else f"Bid {move}"


def named(position: Position, move: str, style: Style) -> str:
    """A move within a sentence or a table."""
    if position.question == CARD:
        return style.card(move)
    if (position.question, move) in _SAID:
        return _SAID[position.question, move][1]
    return _SUITS[move] if position.question == SUIT else move


def described(rules: Rules, position: Position, style: Style) -> str:
    """The position as a sentence."""
    trace, seat = position.trace, position.table_seat
    hand = f"the hand: {style.cards(PACK.names(_known(rules, position)))}"
    facts = as_dict(rules, position)
    trumps = f", trumps {_SUITS[facts['trump']]}" if facts["trump"] else ""
    if position.question == CARD:
        table = f", on the table {style.cards(_table(position))}" if _table(position) else ""
        times = f" times {facts['multiplier']}" if facts["multiplier"] > 1 else ""
        return (f"Trick {position.trick}, seat {seat}{table}; {hand}; {trace['contract']}{times} by seat "
                f"{trace['declarer']}{trumps}.")
    said = [f"{call['seat']} {'passes' if call['call'] == 'PASS' else call['call']}" for call in facts["calls"]]
    what = {SUIT: "trumps", BID: "a bid", DOUBLE: "doubling"}[position.question]
    game = f"; {trace['contract']} times {facts['multiplier']}" if position.question == DOUBLE else ""
    so_far = f"; so far {', '.join(said)}" if said else ""
    return f"Call {position.call}, {what}, seat {seat}; {hand}{trumps}{so_far}{game}."


def evidence(position: Position, inference: int) -> str:
    """How worlds are weighted."""
    if position.question == CARD:
        return f"weighted by the last {inference} card plays of the other seats" if inference else ""
    return "" if position.question == SUIT else "and the others' calls so far by their words"


def again(rules: Rules, position: Position) -> list[str]:
    """The position as options of the command."""
    where = ["--trick", str(position.trick)] if position.question == CARD else ["--call", str(position.call)]
    return ["--trace", "FILE", *where, "--seat", str(position.table_seat)]


class Rooms:
    """Compiled policies and rooms for trying choices: A of the match-up is on the side `own` (0 that of the caller)."""

    def __init__(self, match_up: MatchUp, own: int) -> None:
        self.ready = prepared(match_up, calls=True)
        pair = self.ready.both[own]
        remembering = pair[: v.POLICY_SIZE].copy()
        remembering[v.P_MEMORY] = TRICKS
        self.players = np.concatenate([pair, remembering])
        from .search.rollouts import DRAWN, ROOM_SIZE
        from .search.worlds import BLOCK as SIZE

        assert SIZE == BLOCK
        self.room = np.zeros(ROOM_SIZE, np.int64)
        self.likely, self.kept = np.zeros(DRAWN * BLOCK, np.int64), np.zeros(BLOCK, np.int64)

    def state(self, position: Position, deal: int, seed: int) -> npt.NDArray[np.int64]:
        """The state of a position with the luck of a deal of a seed."""
        state = position.state.copy()
        state[v.DEAL], state[v.SEED] = deal, np.uint64(seed).astype(np.int64)
        return state


class Appraiser:
    """Tries the moves of one position on worlds; A of the match-up is to move."""

    def __init__(self, match_up: MatchUp, position: Position, deal: int, seed: int, inference: int) -> None:
        self._rooms, self._position, self._inference = Rooms(match_up, position.seat & 1), position, inference
        self._state = self._rooms.state(position, deal, seed)
        self._choices = dict(zip(position.names, position.choices, strict=True))

    def play(self, names: Sequence[str], block: int) -> Outcomes:
        """What becomes of moves on the worlds of a block; with evidence, worlds of one draw go together."""
        from .search.worlds import try_block

        rooms, position = self._rooms, self._position
        choices = np.array([self._choices[name] for name in names], np.int64)
        points = np.zeros((len(names), BLOCK), np.int64)
        try_block(rooms.ready.rules, rooms.players, rooms.ready.outside, rooms.room, self._state, position.question,
                  position.seat, choices, block, self._inference, rooms.likely, rooms.kept, points.reshape(-1))
        rooms.ready.check()
        weighted = self._inference and position.question == CARD
        return Outcomes(points, None, rooms.kept + (np.int64(block) << 32) if weighted else None)

    def exact(self) -> Outcomes | None:
        """What moves are worth depends on hidden cards and luck to the end."""
        return None

    def choice(self) -> str:
        """The move that A makes here, with its search if it has one."""
        from .search.worlds import own_choice

        rooms, position = self._rooms, self._position
        if len(position.choices) == 1:
            return position.names[0]
        found = int(own_choice(rooms.ready.rules, rooms.players, rooms.ready.outside, self._state, position.question,
                               position.seat))
        rooms.ready.check()
        return positions.name_of(position.question, found)
