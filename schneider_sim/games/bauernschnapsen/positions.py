"""A decision of Bauernschnapsen, a card or a call, as it stands in a trace; and what may be chosen in it.

Seats here are relative: 0 is the caller. Whatever lies hidden from the seat in turn is in the trace, but not looked at.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.cards import SUITS, parse_suit
from ...base.text import parse_int, shown
from ...errors import RequestError
from .kernel import state as v
from .kernel.state import Vector, rules_vector
from .rules.contracts import NAMES, parse_contract
from .rules.match import TARGET
from .rules.referee import PACK
from .rules.switches import Rules

CARD, BID, SUIT, DOUBLE = range(4)  # what is asked; the numbers of CARDS_QUESTION and so on in kernel/units.py
KINDS = {BID: "bid", SUIT: "trump", DOUBLE: "double"}
TRICKS = 5
TURN_UP, NEW_DEAL = "turn-up", "new-deal"  # beside the suits, as plug-ins know them


@dataclass(frozen=True, eq=False)
class Position:
    """A decision: what is asked, the seat asked, and the record of the play.

    at: for a card 4 * trick + place, both from 0; for a call the number of its kind (search/standing.py). call: the
    number of a call among all, from 1. made: the answer of the record, as a number. choices: all possible answers.
    """

    trace: Mapping[str, Any]
    record: Vector
    question: int
    seat: int
    at: int
    call: int | None
    made: int
    choices: tuple[int, ...]
    state: Vector

    @property
    def trick(self) -> int:
        """The number of the trick, from 1; 0 for a call."""
        return self.at // 4 + 1 if self.question == CARD else 0

    @property
    def names(self) -> list[str]:
        """What may be chosen, by name."""
        return [name_of(self.question, choice) for choice in self.choices]

    @property
    def table_seat(self) -> int:
        """The seat as traces number it."""
        return (self.seat + caller_of(self.trace)) % 4


def caller_of(trace: Mapping[str, Any]) -> int:
    """The seat of the caller (forehand) at the table."""
    return (int(trace["dealer"]) + 1) % 4


def name_of(question: int, choice: int) -> str:
    """What a choice is called: a card, a suit, `turn-up`, `new-deal`, a contract, PASS, `double` or `pass`."""
    if question == CARD:
        return PACK.name(choice.bit_length() - 1)
    if question == SUIT:
        return (*SUITS, TURN_UP, NEW_DEAL)[choice]
    if question == BID:
        return NAMES[choice] if choice else "PASS"
    return ("pass", "double")[choice]


def record_of(rules: Rules, trace: Mapping[str, Any], seed: int) -> Vector:
    """int64[STATE_SIZE]: the state of the play in a judged trace, as the kernel leaves it."""
    state = np.zeros(1, v.STATE)
    s, caller = state[0], caller_of(trace)

    def relative(seat: int) -> int:
        return (seat - caller) % 4

    def mask(card: str | None) -> int:
        return 1 << PACK.bit(PACK.parse(card)) if card else 0

    s["deal"], s["seed"], s["caller"] = trace["deal"], np.uint64(seed).astype(np.int64), caller
    for seat, hand in enumerate(trace["hands"]):
        cards, place = [mask(card) for card in hand], relative(seat)
        s["ordered"][5 * place : 5 * place + 5] = cards
        s["dealt"][place], s["first"][place] = sum(cards), sum(cards[: rules.first_seen])
    s["trump"], s["turned"] = SUITS.index(parse_suit(trace["trump"])), mask(trace["turned_up"])
    s["redeals"], s["calls"] = trace["redeals"], len(trace["calls"])
    for number, call in enumerate(trace["calls"]):
        name = call["call"]
        s["call"][number] = 32 * relative(call["seat"]) + (0 if name == "PASS" else NAMES.index(_contract(name)))
    contract = _contract(trace["contract"])
    s["contract"], s["declarer"] = NAMES.index(contract), relative(trace["declarer"])
    s["level"] = len(trace["doublings"])
    for number, doubling in enumerate(trace["doublings"]):
        s["doubled_by"][number] = relative(doubling["seat"])
    for turn, trick in enumerate(trace["tricks"]):
        leader = relative(trick["leader"])
        s["trick_leader"][turn] = leader
        if said := trick["announced"]:
            s["announced"][turn] = 4 * said["points"] + SUITS.index(parse_suit(said["suit"]))
        for seat, card in zip(trick["seats"], trick["cards"], strict=True):
            s["cards"][4 * turn + (relative(seat) - leader) % 4] = mask(card)
    s["done"] = sum(1 for trick in trace["tricks"] if trick["cards"])
    for side, who in enumerate((trace["first_leader"], "B" if trace["first_leader"] == "A" else "A")):
        s["own_score"][side] = _score(trace, who)
    return state.view(np.int64)


def _score(trace: Mapping[str, Any], who: str) -> int:
    """The match points that a side had before the deal; 0 where the trace does not say."""
    score = trace.get("score", {})
    if not isinstance(score, Mapping):
        raise RequestError(f"the score of the trace must be A's and B's points, not {shown(score)}")
    return parse_int(score.get(who, 0), f"the trace's score of {who}", 0, TARGET - 1)


def _contract(text: str) -> str:
    return str(parse_contract(text).name)


def at_card(rules: Rules, trace: Mapping[str, Any], trick: int, seat: int, seed: int = 1) -> Position:
    """The decision of a seat at the table in a trick (from 1) of a judged trace; RequestError where there is none."""
    tricks = trace["tricks"]
    if trick > len(tricks):
        over = f"the deal is over after {len(tricks)} trick{'' if len(tricks) == 1 else 's'}" if tricks else \
            f"{trace['contract']} is declared, and no card is played"
        raise RequestError(f"there is no trick {trick}: {over}")
    here = tricks[trick - 1]
    if not here["cards"] and seat != here["leader"]:
        raise RequestError(f"seat {seat} plays no card to trick {trick}: seat {here['leader']} ends the deal by "
                           "announcing a marriage")
    if here["cards"] and seat not in here["seats"]:
        raise RequestError(f"seat {seat} plays no card to trick {trick}: it sits out")
    place = (seat - here["leader"]) % 4
    return _standing(rules, trace, record_of(rules, trace, seed), CARD, (seat - caller_of(trace)) % 4,
                     4 * (trick - 1) + place, None, None)


def at_call(rules: Rules, trace: Mapping[str, Any], number: int, seed: int = 1) -> Position:
    """The call of a number (from 1) of a judged trace; RequestError where there is none."""
    record = record_of(rules, trace, seed)
    calls, redeals = call_rows(rules, record), int(trace["redeals"])
    if number > redeals + len(calls):
        raise RequestError(f"there is no call {number}: this deal has {redeals + len(calls)} calls before the first "
                           "lead")
    if number <= redeals:
        raise RequestError(f"call {number} asked for a new deal, and the cards of before are not recorded: the calls "
                           f"of the deal that was played are {redeals + 1} to {redeals + len(calls)}")
    question, seat, at, made = calls[number - redeals - 1]
    return _standing(rules, trace, record, question, seat, at, number, made)


def _standing(rules: Rules, trace: Mapping[str, Any], record: Vector, question: int, seat: int, at: int,
              call: int | None, made: int | None) -> Position:
    from .search.standing import stand

    state, choices = np.zeros(v.STATE_SIZE, np.int64), np.zeros(32, np.int64)
    state[:] = record
    n = stand(rules_vector(rules), record, state, question, seat, at, choices)
    if made is None:
        made = _card_made(record, at)
    return Position(trace, record, question, seat, at, call, made, tuple(int(one) for one in choices[:n]), state)


def _card_made(record: Vector, at: int) -> int:
    """The card of a record; where the deal ended by an announcement, the queen of the marriage."""
    card = int(record[v.CARDS + at])
    return card or 1 << 8 * int(record[v.ANNOUNCED + at // 4] & 3) + 1


def call_rows(rules: Rules, record: Vector) -> list[tuple[int, int, int, int]]:
    """Question, seat, number of its kind and answer of every call in the order asked, new deals aside."""
    from .search.standing import CALL_COLUMNS, MOST_CALLS, calls_of

    state, table = record.copy(), np.zeros(MOST_CALLS * CALL_COLUMNS, np.int64)
    n = calls_of(rules_vector(rules), record, state, table)
    return [(int(a), int(b), int(c), int(d)) for a, b, c, d in table.reshape(-1, CALL_COLUMNS)[:n]]


def seats_to_play(rules: Rules, trace: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """Trick (from 1) and seat at the table of every card decision of a trace, in order."""
    for number, trick in enumerate(trace["tricks"], start=1):
        for seat in trick["seats"] if trick["cards"] else [trick["leader"]]:
            yield number, seat
