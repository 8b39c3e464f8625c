"""A play read out of its state vector in the form of `replay --json`."""

from typing import Any

from ....base.cards import SUITS, Pack
from ..kernel import state as v
from ..kernel.state import Vector
from ..rules.contracts import NAMES

PACK = Pack("JQKTA")


def _card(mask: int) -> str:
    return PACK.name(int(mask).bit_length() - 1)


def _trick(s: Vector, turn: int, caller: int) -> dict[str, Any]:
    """One trick, seats absolute."""
    leader = int(s[v.TRICK_LEADER + turn])
    announced = int(s[v.ANNOUNCED + turn])
    order = [(leader + place) % 4 for place in range(4)]
    played = [(seat, int(card)) for seat, card in zip(order, s[v.CARDS + 4 * turn : v.CARDS + 4 * turn + 4],
                                                      strict=True) if card]
    points = sum({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}[_card(card)[0]] for _, card in played)
    return {
        "leader": (leader + caller) % 4,
        "announced": {"suit": SUITS[announced % 4], "points": announced // 4} if announced else None,
        "cards": [_card(card) for _, card in played],
        "seats": [(seat + caller) % 4 for seat, _ in played],
        "winner": (int(s[v.TRICK_WINNER + turn]) + caller) % 4 if played else None,
        "points": points,
    }


def read_trace(s: Vector, deal: int, first_leader: str) -> dict[str, Any]:
    """The play in `s` from `deal` on; the keys before it (game, rules, policies, seed) are the game's to add."""
    caller = (deal + 1) % 4
    callers, others = sorted([caller, (caller + 2) % 4]), sorted([(caller + 1) % 4, (caller + 3) % 4])
    by_seat = [int(seat - caller) % 4 for seat in range(4)]  # the relative seat of each seat
    ordered = [[_card(card) for card in s[v.ORDERED + 5 * seat : v.ORDERED + 5 * seat + 5]] for seat in by_seat]
    tricks = int(s[v.DONE])
    if tricks < 5 and s[v.ANNOUNCED + tricks]:
        tricks += 1  # the deal ended by an announcement
    declared = s[v.HOW] == v.END_DECLARED
    second = "B" if first_leader == "A" else "A"
    calls = [int(call) for call in s[v.CALL : v.CALL + int(s[v.CALLS])]]
    return {
        "deal": deal, "first_leader": first_leader, "dealer": deal % 4,
        "teams": {"A": callers, "B": others} if first_leader == "A" else {"A": others, "B": callers},
        "redeals": int(s[v.REDEALS]), "hands": ordered, "trump": SUITS[int(s[v.TRUMP])],
        "turned_up": _card(s[v.TURNED]) if s[v.TURNED] else None,
        "calls": [{"seat": (call // 32 + caller) % 4, "call": NAMES[call % 32] if call % 32 else "PASS"}
                  for call in calls],
        "contract": NAMES[int(s[v.CONTRACT])], "declarer": (int(s[v.DECLARER]) + caller) % 4,
        "doublings": [{"seat": (int(s[v.DOUBLED_BY + i]) + caller) % 4, "multiplier": 2 ** (i + 1)}
                      for i in range(int(s[v.LEVEL]))],
        "multiplier": 2 ** int(s[v.LEVEL]),
        "leader": None if declared else (int(s[v.TRICK_LEADER]) + caller) % 4,
        "tricks": [_trick(s, turn, caller) for turn in range(tricks)],
        "card_points": [int(s[v.POINTS + seat]) for seat in by_seat],
        "marriage_points": [int(s[v.MARRIAGES + seat]) for seat in by_seat],
        "scoring_team": first_leader if s[v.TEAM] == 0 else second,
        "game_points": int(s[v.WORTH]) << int(s[v.LEVEL]), "ended": v.ENDS[int(s[v.HOW])],
    }
