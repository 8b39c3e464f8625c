"""The referee: replays a trace of `replay --json` by the plain rules and names the first thing that is wrong.

The text a reader of the rules reads: opening, auction, doubling, tricks, result, each judged in the order of play.
"""

import functools
import json
from collections.abc import Mapping
from typing import Any

from ....base.cards import Pack, parse_suit
from ....base.text import shown
from ....errors import RequestError
from .contracts import BY_NAME, parse_contract
from .legality import (
    POINTS,
    Auction,
    announcers,
    leader_of,
    legal,
    may_bid,
    may_double,
    may_redeal,
    sitting_out,
    winning_place,
)
from .score import End, Score
from .switches import Rules, make_rules
from .trace_form import TRACE, check

PACK = Pack("JQKTA")
LAST_DEAL = 2**63 - 1


def judge(trace: Mapping[str, Any]) -> None:
    """Replay a trace by the rules it names; raises RequestError (one line) for the first thing that is wrong."""
    check(trace, TRACE)
    try:
        _Referee(trace).judge()
    except RequestError as wrong:
        raise RequestError(f"deal {shown(trace['deal'])}: {wrong}") from None


@functools.lru_cache(maxsize=64)
def _rules(text: str) -> Rules:
    """The rules of a trace, read once for many traces."""
    return make_rules(None, json.loads(text))


def _must(true: bool, message: str) -> None:
    if not true:
        raise RequestError(message)


class _Referee:
    """One trace being judged; seats inside are relative to the caller."""

    def __init__(self, trace: Mapping[str, Any]) -> None:
        _must(trace["game"] == "bauernschnapsen", f"game is {trace['game']!r:.40}, not 'bauernschnapsen'")
        self.trace = trace
        self.rules = _rules(json.dumps(dict(trace["rules"])))
        self.trump: str | None = None

    def seat(self, value: Any, what: str) -> int:
        """A seat of the trace as a relative one."""
        _must(0 <= value <= 3, f"{what} must be a seat from 0 to 3, not {value!r:.40}")
        return int(value - self.caller) % 4

    def name(self, seat: int) -> str:
        return f"seat {(seat + self.caller) % 4}"

    def judge(self) -> None:
        self._table()
        self._opening()
        self._auction()
        self._doublings()
        end = self._tricks()
        self._result(end)

    def _table(self) -> None:
        t = self.trace
        deal, dealer = t["deal"], t["dealer"]
        _must(0 <= deal <= LAST_DEAL, f"deal must be from 0 to {LAST_DEAL}, not {shown(deal)}")
        _must(dealer == deal % 4, f"dealer must be {deal % 4}, the deal number modulo 4, not {dealer!r:.40}")
        self.caller = (dealer + 1) % 4
        _must(t["first_leader"] in ("A", "B"), f"first_leader must be A or B, not {t['first_leader']!r:.40}")
        mine = sorted([self.caller, (self.caller + 2) % 4])
        others = [seat for seat in range(4) if seat not in mine]
        teams = {"A": mine, "B": others} if t["first_leader"] == "A" else {"A": others, "B": mine}
        _must(dict(t["teams"]) == teams, f"teams must be {teams}: the first leader's team holds the caller's seat")
        _must(len(t["hands"]) == 4, f"hands: {len(t['hands'])} hands where 4 belong")
        hands = [PACK.parse_many(hand, 5, f"hand of seat {seat}") for seat, hand in enumerate(t["hands"])]
        PACK.parse_many([card for hand in hands for card in hand], 20, "hands")
        self.hands = [hands[(seat + self.caller) % 4] for seat in range(4)]

    def _opening(self) -> None:
        redeals, turned = self.trace["redeals"], self.trace["turned_up"]
        _must(redeals >= 0, f"redeals must be 0 or more, not {redeals}")
        _must(redeals == 0 or may_redeal(self.rules, ["JS", "JH", "JD"]), "these rules know no redeal")
        self.trump = parse_suit(self.trace["trump"])
        if turned is None:
            return
        turned = PACK.parse(turned)
        allowed = self.rules.turnup != "off" and self.rules.trump_timing == "caller_first3"
        _must(allowed, "these rules know no turning up")
        blind = self.hands[0][3:4] if self.rules.turnup == "first" else self.hands[0][3:]
        _must(turned in blind, f"the card turned up, {turned}, must be one of {' '.join(blind)}")
        _must(turned[1] == self.trump, f"trump must be the suit of the card turned up, {turned}")

    def _seen(self, seat: int) -> list[str]:
        """The cards that `seat` has seen when it bids."""
        return self.hands[seat] if self.rules.trump_timing == "caller_first3" else self.hands[seat][:2]

    def _auction(self) -> None:
        auction = Auction(self.rules)
        for entry in self.trace["calls"]:
            _must(auction.turn is not None, "a call after the end of the auction")
            turn = auction.turn or 0
            seat = self.seat(entry["seat"], "the seat of a call")
            _must(seat == turn, f"{self.name(turn)} is to call, not {self.name(seat)}")
            if entry["call"] == "PASS":
                auction.call(None)
                continue
            contract = parse_contract(entry["call"]).name
            trump = self.trump if self.rules.trump_timing == "caller_first3" else None
            ok = may_bid(self.rules, seat, contract, self._seen(seat), trump, auction.high)
            _must(ok, f"{self.name(seat)} may not bid {contract} over {auction.high[1]}")
            auction.call(contract)
        _must(auction.turn is None, f"the auction is not over: {self.name(auction.turn or 0)} is to call")
        self.declarer, self.contract = auction.high
        _must(parse_contract(self.trace["contract"]).name == self.contract, f"the contract must be {self.contract}")
        declarer = self.seat(self.trace["declarer"], "declarer")
        _must(declarer == self.declarer, f"the declarer must be {self.name(self.declarer)}")
        self.row = BY_NAME[self.contract]
        self.away = sitting_out(self.rules, self.contract, self.declarer)
        namer = 0 if self.rules.trump_timing == "caller_first3" else self.declarer
        held = [card[1] for card in self.hands[namer][: self.rules.first_seen]]
        named = self.trace["turned_up"] is None and self.rules.trump_must_be_held
        _must(not named or self.trump in held,
              f"trump {self.trump} is not among the suits first held, {' '.join(held)}")

    def _doublings(self) -> None:
        entries = self.trace["doublings"]
        level, last_place = 0, -1
        leader = leader_of(self.contract, self.declarer) or 0
        for entry in entries:
            seat = self.seat(entry["seat"], "the seat of a doubling")
            _must(may_double(self.rules, self.contract), f"{self.contract} may not be doubled")
            _must(level < self.rules.max_double, f"no more than {self.rules.max_double} doublings")
            speaks = (self.declarer + (1 if level % 2 == 0 else 0)) % 2
            _must(seat % 2 == speaks, f"{self.name(seat)} is not of the side to double")
            _must(seat != self.away, f"{self.name(seat)} sits out and may not double")
            if self.rules.double_window == "before_own_first_card":
                place = (seat - leader) % 4
                _must(place > last_place, f"{self.name(seat)} has played its first card and may not double")
                last_place = place
            level += 1
            _must(entry["multiplier"] == 2**level, f"the multiplier after {self.name(seat)} must be {2**level}")
        self.multiplier = 2**level
        _must(self.trace["multiplier"] == self.multiplier, f"multiplier must be {self.multiplier}")

    def _tricks(self) -> End:
        self.left = [list(hand) for hand in self.hands]
        self.score = Score(self.rules, self.contract, self.declarer)
        leader = leader_of(self.contract, self.declarer)
        told = self.trace["leader"]
        told = None if told is None else self.seat(told, "leader")
        _must(told == leader, f"the leader must be {'null' if leader is None else self.name(leader)}")
        end = self.score.end() if leader is None else None
        for number, trick in enumerate(self.trace["tricks"], 1):
            _must(end is None or self._may_go_on(end), f"trick {number}: the deal was over before it")
            _must(leader is not None and number <= 5, f"trick {number}: one too many")
            leader, end = self._trick(number, trick, leader or 0)
        if end is None:
            raise RequestError(f"the deal is not over after {len(self.trace['tricks'])} tricks")
        return end

    def _may_go_on(self, end: End) -> bool:
        """An overlooked 66 is not lost when it must be claimed."""
        return end.how == "66" and self.rules.claim66 == "must_claim"

    def _trick(self, number: int, trick: Mapping[str, Any], leader: int) -> tuple[int, End | None]:
        where = f"trick {number}"
        told = self.seat(trick["leader"], f"{where}: leader")
        _must(told == leader, f"{where}: the leader must be {self.name(leader)}")
        end = self._announcement(where, trick, leader)
        cards = PACK.parse_many(trick["cards"], None, where)
        if not cards:
            _must(end is not None, f"{where}: no card was played")
            _must(not trick["seats"] and trick["winner"] is None and trick["points"] == 0,
                  f"{where}: ended by an announcement, so seats must be empty, winner null and points 0")
            return leader, end
        _must(end is None or self._may_go_on(end), f"{where}: the deal was over when {self.name(leader)} announced")
        order = [(leader + step) % 4 for step in range(4)]
        order = [seat for seat in order if seat != self.away]
        seats = [self.seat(seat, f"{where}: seats") for seat in trick["seats"]]
        _must(seats == order, f"{where}: the order of seats must be {', '.join(map(self.name, order))}")
        _must(len(cards) == len(order), f"{where}: {len(cards)} cards where {len(order)} belong")
        for place, (seat, card) in enumerate(zip(order, cards, strict=True)):
            _must(card in self.left[seat], f"{where}: {self.name(seat)} does not hold {card}")
            allowed = legal(self.rules, self.row, self.trump, self.left[seat], cards[:place])
            if place == 0 and trick["announced"] is not None:
                allowed = [c for c in allowed if c[0] in "KQ" and c[1] == parse_suit(trick["announced"]["suit"])]
            _must(card in allowed, f"{where}: {self.name(seat)} may not play {card}, only {' '.join(allowed)}")
            self.left[seat].remove(card)
        winner = order[winning_place(self.row, self.trump, cards)]
        points = sum(POINTS[card[0]] for card in cards)
        _must(self.seat(trick["winner"], f"{where}: winner") == winner, f"{where}: the winner is {self.name(winner)}")
        _must(trick["points"] == points, f"{where}: points must be {points}")
        self.score.after_trick(winner, points)
        return winner, self.score.end()

    def _announcement(self, where: str, trick: Mapping[str, Any], leader: int) -> End | None:
        announced = trick["announced"]
        if announced is None:
            return None
        may = announcers(self.rules, self.contract, self.declarer)
        _must(leader in may, f"{where}: {self.name(leader)} may not announce in {self.contract}")
        suit = parse_suit(announced["suit"])
        pair = f"K{suit}" in self.left[leader] and f"Q{suit}" in self.left[leader]
        _must(pair, f"{where}: {self.name(leader)} does not hold K{suit} and Q{suit}")
        points = 40 if suit == self.trump else 20
        _must(announced["points"] == points, f"{where}: the marriage counts {points}")
        self.score.announce(leader, points)
        return self.score.end()

    def _result(self, end: End) -> None:
        t = self.trace
        if self._may_go_on(end):
            claimed = [self.score.normal_win(team, "66") for team in self.score.reached()]
            end = next((e for e in claimed if self._team(e.team) == t["scoring_team"]), end)
        for key, counts in (("card_points", self.score.card_points), ("marriage_points", self.score.marriages)):
            by_seat = [counts[(seat - self.caller) % 4] for seat in range(4)]
            _must(list(t[key]) == by_seat, f"{key} must be {by_seat}")
        _must(t["ended"] == end.how, f"ended must be '{end.how}', not {t['ended']!r:.40}")
        _must(t["scoring_team"] == self._team(end.team), f"scoring_team must be {self._team(end.team)}")
        points = end.value * self.multiplier
        _must(t["game_points"] == points, f"game_points must be {points}, not {t['game_points']!r:.40}")

    def _team(self, team: int) -> str:
        """The policy of a team: the caller's is the first leader's."""
        first: str = self.trace["first_leader"]
        return first if team == 0 else "B" if first == "A" else "A"
