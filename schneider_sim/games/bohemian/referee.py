"""The referee: replays a trace card by card by the rules as a person reads them, and names the first thing wrong.

It does not ask whether the cards are those of the trace's seed and deal number, nor whether the policies would play so:
any play of the game may be put before it. The rules themselves stand in rules.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...base.text import clean, nearest, shown
from ...errors import RequestError
from .rules import HAND, HONOURS, PACK, STOCK, TRICKS, Rules, captures, is_honour, legal_replies, make_rules
from .rules import victory_points as points_for

SIDES = ("A", "B")
TRACE_KEYS = ("game", "rules", "policies", "seed", "deal", "first_leader", "hands", "stock", "tricks", "honours",
              "tricks_won", "victory_points")
TRICK_KEYS = ("leader", "led", "reply", "winner", "drawn")


class Outcome(NamedTuple):
    """What a deal came to, each by side ("A", "B")."""

    honours: dict[str, int]
    tricks_won: dict[str, int]
    victory_points: dict[str, int]


@dataclass
class Deal:
    """A deal being played: what lies where, who leads, what has been won."""

    rules: Rules
    hands: dict[str, list[str]]
    stock: list[str]
    leader: str
    honours: dict[str, int] = field(default_factory=lambda: {"A": 0, "B": 0})
    tricks_won: dict[str, int] = field(default_factory=lambda: {"A": 0, "B": 0})


def judge(trace: Mapping[str, Any]) -> Outcome:
    """Replay a trace in the form of `replay --json` and return what the deal came to.

    Raises RequestError with one line on the first thing that is wrong: where, what, and what would be right. Cards may
    be written in every form that cards are read in; a rules switch that is absent has its default.
    """
    _keys(trace, TRACE_KEYS, "the trace")
    if trace["game"] != "bohemian":
        raise RequestError(f"game is {shown(trace['game'])}: this referee judges bohemian")
    _header(trace)
    table = Deal(_rules(trace["rules"]), *_cards_dealt(trace), _side(trace["first_leader"], "first_leader"))
    tricks = trace["tricks"]
    if not isinstance(tricks, (list, tuple)):
        raise RequestError(f"tricks must be a list of {TRICKS} tricks, not {shown(tricks)}")
    for number, trick in enumerate(tricks[:TRICKS], start=1):
        _play(table, trick, f"trick {number}")
    if len(tricks) != TRICKS:
        raise RequestError(f"tricks: {len(tricks)} were played, and a deal has {TRICKS}")
    return _settle(table, trace)


def _play(table: Deal, trick: Any, where: str) -> None:
    """One trick: lead, reply, who takes it, and the draw."""
    _keys(trick, TRICK_KEYS, where)
    leader, responder = table.leader, _other(table.leader)
    if _side(trick["leader"], f"{where}: leader") != leader:
        why = "won the trick before" if sum(table.tricks_won.values()) else "is the first leader"
        raise RequestError(f"{where}: {responder} cannot lead, since {leader} {why} and leads")
    led = _take(table, leader, trick["led"], f"{where}: led")
    legal = legal_replies(table.rules, table.hands[responder], led, len(table.stock))
    reply = _take(table, responder, trick["reply"], f"{where}: reply")
    if reply not in legal:
        raise RequestError(f"{where}: {responder} may not reply {reply} to {led}, since follow={table.rules.follow} "
                           f"asks for the suit led: {' or '.join(legal)}")
    winner = responder if captures(table.rules, led, reply) else leader
    if _side(trick["winner"], f"{where}: winner") != winner:
        what = f"{reply} captures {led}" if winner == responder else f"{reply} does not capture {led}"
        raise RequestError(f"{where}: {_other(winner)} is not the winner: {what}, so {winner} takes the trick")
    table.honours[winner] += is_honour(led) + is_honour(reply)
    table.tricks_won[winner] += 1
    table.leader = winner
    _draw(table, leader if table.rules.draw_timing == "on_play" else winner, trick["drawn"], where)


def _take(table: Deal, side: str, value: Any, where: str) -> str:
    """A card out of a hand and onto the table."""
    card = _card(value, where)
    if card not in table.hands[side]:
        raise RequestError(f"{where}: {card} is not in the hand of {side} ({' '.join(table.hands[side])})")
    table.hands[side].remove(card)
    return card


def _draw(table: Deal, first: str, drawn: Any, where: str) -> None:
    """While the stock lasts both draw, `first` the top card and the other the next."""
    if not table.stock:
        if drawn is not None:
            raise RequestError(f"{where}: drawn must be null, since the stock is empty, not {shown(drawn)}")
        return
    if drawn is None:
        raise RequestError(f"{where}: drawn is null, but {len(table.stock)} cards are left in the stock")
    _keys(drawn, SIDES, f"{where}: drawn")
    for side in (first, _other(first)):
        card, right = _card(drawn[side], f"{where}: drawn {side}"), table.stock.pop(0)
        if card != right:
            order = "first" if side == first else "second"
            raise RequestError(f"{where}: {side} cannot have drawn {card}: {side} draws {order} "
                               f"(draw_timing={table.rules.draw_timing}) and the stock's top card is {right}")
        table.hands[side].append(card)


def _settle(table: Deal, trace: Mapping[str, Any]) -> Outcome:
    """The counts at the end against those in the trace."""
    right = Outcome(table.honours, table.tricks_won,
                    {side: max(0, points_for(table.rules, table.honours[side])) for side in SIDES})
    for name, counts in right._asdict().items():
        written = trace[name]
        _keys(written, SIDES, name)
        for side in SIDES:
            _number(written[side], f"{name} {side}", 0, 1000)
        if name == "honours" and written["A"] + written["B"] != HONOURS:
            raise RequestError(f"honours: {written['A']} and {written['B']} add to {written['A'] + written['B']}, "
                               f"and there are {HONOURS}")
        for side in SIDES:
            if written[side] != counts[side]:
                raise RequestError(f"{name}: the play gives A {counts['A']} and B {counts['B']}, "
                                   f"not A {written['A']} and B {written['B']}")
    return right


def _header(trace: Mapping[str, Any]) -> None:
    _number(trace["seed"], "seed", 0, 2**64 - 1)
    _number(trace["deal"], "deal", 0, 2**63 - 1)
    _keys(trace["policies"], SIDES, "policies")
    for side in SIDES:
        if not isinstance(trace["policies"][side], str):
            raise RequestError(f"policies {side} must be a policy's text, not {shown(trace['policies'][side])}")


def _rules(value: Any) -> Rules:
    if not isinstance(value, Mapping):
        raise RequestError(f"rules must be an object of switches, not {shown(value)}")
    try:
        return make_rules(None, value)
    except RequestError as error:
        raise RequestError(f"rules: {error}") from None


def _cards_dealt(trace: Mapping[str, Any]) -> tuple[dict[str, list[str]], list[str]]:
    """Both hands and the stock: each card of the pack exactly once."""
    _keys(trace["hands"], SIDES, "hands")
    hands = {side: _cards(trace["hands"][side], HAND, f"hands {side}") for side in SIDES}
    stock = _cards(trace["stock"], STOCK, "stock")
    seen: dict[str, str] = {}
    for place, cards in (("hands A", hands["A"]), ("hands B", hands["B"]), ("stock", stock)):
        for card in cards:
            if card in seen:
                raise RequestError(f"{place}: card {card} is named twice (already in {seen[card]})")
            seen[card] = place
    return hands, stock


def _cards(value: Any, count: int, what: str) -> list[str]:
    if not isinstance(value, (list, tuple)):
        raise RequestError(f"{what} must be a list of {count} cards, not {shown(value)}")
    if len(value) != count:
        raise RequestError(f"{what}: {len(value)} cards where {count} belong")
    return [_card(card, what) for card in value]


def _card(value: Any, where: str) -> str:
    if not isinstance(value, str) or len(value) > 40 or not clean(value).isprintable():
        raise RequestError(f"{where}: {shown(value)} is not a card: write rank and suit, such as TS or 10S")
    try:
        return PACK.parse(value)
    except RequestError as error:
        raise RequestError(f"{where}: {error}") from None


def _other(side: str) -> str:
    return "B" if side == "A" else "A"


def _side(value: Any, what: str) -> str:
    if value != "A" and value != "B":
        raise RequestError(f"{what} must be A or B, not {shown(value)}")
    return str(value)


def _number(value: Any, what: str, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise RequestError(f"{what} must be a whole number from {low} to {high}, not {shown(value)}")


def _keys(value: Any, wanted: tuple[str, ...], what: str) -> None:
    """`value` must be an object with exactly the keys wanted."""
    if not isinstance(value, Mapping):
        raise RequestError(f"{what} must be an object with {', '.join(wanted)}, not {shown(value)}")
    for key in wanted:
        if key not in value:
            raise RequestError(f"{what} lacks '{key}'")
    for key in value:
        if key not in wanted:
            close = nearest(str(key)[:60], wanted)
            hint = f" (did you mean '{close}'?)" if close else ""
            raise RequestError(f"{what} has '{shown(key)}', which means nothing here{hint}")
