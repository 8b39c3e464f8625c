"""The rules of Bauernschnapsen in plain Python on card names ('TS'): what may be bid and played, who wins, what counts.

Seats here are relative: 0 is the caller (forehand), 1 to 3 follow clockwise, 3 is the dealer.
"""

from collections.abc import Sequence

from .contracts import BY_NAME, KONTRAS, NAMES, ORDERS, Contract
from .switches import Rules

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}


def deck_map(rules: Rules, knock: bool = False) -> list[list[int]]:
    """For each seat the places in the pack of its five cards, in the order dealt.

    Source: docs/rules-bauernschnapsen.md section 1.
    """
    if knock or rules.cut_mode == "knock":
        return [list(range(5 * seat, 5 * seat + 5)) for seat in range(4)]
    if rules.deal_pattern == "1x5":
        return [[4 * turn + seat for turn in range(5)] for seat in range(4)]
    return [[3 * seat + i for i in range(3)] + [12 + 2 * seat + i for i in range(2)] for seat in range(4)]


def may_redeal(rules: Rules, first_three: Sequence[str]) -> bool:
    """Whether the caller may ask for a new deal: three Unters among his first three cards."""
    wanted = rules.three_unters == "optional" and rules.trump_timing == "caller_first3"
    return wanted and all(card[0] == "J" for card in first_three)


def rank_of_bid(rules: Rules, contract: str) -> int:
    """The rank of a bid: twice its value, so that `gang_priority=gang` fits between two values."""
    rank = 2 * rules.value(contract)
    if contract == "GANG" and rules.gang_priority == "gang":
        rank = max(rank, 2 * rules.value("ZEHNERGANG") + 1)
    return rank


def outranks(rules: Rules, seat: int, contract: str, high_seat: int, high: str) -> bool:
    """Whether `seat` bidding `contract` overcalls the standing bid. Source: docs/rules-bauernschnapsen.md section 3."""
    mine, theirs = rank_of_bid(rules, contract), rank_of_bid(rules, high)
    if mine != theirs or high == "NORMAL":
        return mine > theirs
    if rules.equal_rank == "earlier_seat_may_hold":
        return seat < high_seat
    return rules.equal_rank == "table_order" and NAMES.index(contract) > NAMES.index(high)


def five_suit(hand: Sequence[str]) -> str | None:
    """The suit of which all five cards are held, if any."""
    suits = {card[1] for card in hand}
    return suits.pop() if len(suits) == 1 and len(hand) == 5 else None


def eligible(rules: Rules, seat: int, contract: str, hand: Sequence[str], trump: str | None) -> bool:
    """Whether `seat` with the cards it has seen may bid the contract at all.

    Source: docs/rules-bauernschnapsen.md section 2, column bidder.
    """
    row = BY_NAME[contract]
    if contract == "NORMAL" or not rules.is_on(contract):
        return False
    bidder = row.bidder
    if contract == "SCHNAPSER" and rules.schnapser_bidder == "F_only":
        bidder = "F"
    if contract in ("BAUERNSCHNAPSER", "BAUERNLOCH") and rules.bauernschnapser_bidder == "F_only":
        bidder = "F"
    if contract == "FARBENRINGERL":
        suit = five_suit(hand)
        if rules.trump_must_be_held:
            return seat != 0 and suit is not None
        return suit is not None and (seat != 0 or suit != trump)
    if contract == "TRUMPFFARBENRINGERL":
        return seat == 0 and five_suit(hand) is not None and five_suit(hand) == trump
    if contract == "ASS_BETTLER" and not any(card[0] == "A" for card in hand):
        return False
    return seat in {"F": (0,), "Fside": (0, 2), "opp": (1, 3), "partner": (2,)}.get(bidder, (0, 1, 2, 3))


def may_bid(rules: Rules, seat: int, contract: str, hand: Sequence[str], trump: str | None,
            high: tuple[int, str]) -> bool:
    """Whether the bid is legal now: eligible and higher than the standing bid (seat, contract)."""
    return eligible(rules, seat, contract, hand, trump) and outranks(rules, seat, contract, *high)


class Auction:
    """The auction call by call: `turn` is the seat to speak or None when it is over.

    Source: docs/rules-bauernschnapsen.md section 3.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.high: tuple[int, str] = (0, "NORMAL")
        self.passed: set[int] = set()
        self.turn: int | None = 0
        self.count = 0

    def call(self, contract: str | None) -> None:
        """The seat in turn bids `contract` (legal) or passes (None)."""
        seat = self.turn
        assert seat is not None
        self.count += 1
        if contract is not None:
            self.high = (seat, contract)
            if self.rules.ringerl_timing == "ends_auction" and BY_NAME[contract].aim == "declared":
                self.turn = None
                return
        elif self.count > 1:  # the caller's first pass only leaves the normal game standing
            self.passed.add(seat)
        if self.rules.auction == "single":
            self.turn = seat + 1 if seat < 3 else None
            return
        asked = [(seat + step) % 4 for step in (1, 2, 3, 4)]
        waiting = [s for s in asked if s not in self.passed and s != self.high[0]]
        self.turn = waiting[0] if waiting else None


def leader_of(contract: str, declarer: int) -> int | None:
    """Who leads to the first trick; None for a declared game."""
    return {"F": 0, "D": declarer, "": None}[BY_NAME[contract].lead]


def sitting_out(rules: Rules, contract: str, declarer: int) -> int | None:
    """The partner who does not play, if any."""
    row = BY_NAME[contract]
    away = row.aim == "none" and rules.bettler_partner == "sits_out"
    away = away or (row.aim == "all" and not row.trumps and rules.gang_partner == "sits_out")
    return (declarer + 2) % 4 if away else None


def may_double(rules: Rules, contract: str) -> bool:
    """Whether the contract may be doubled at all. Source: docs/rules-bauernschnapsen.md section 8."""
    if BY_NAME[contract].aim == "declared":
        return False
    if rules.double_contracts == "normal_only":
        return contract == "NORMAL"
    return not (rules.double_contracts == "no_kontra" and contract in KONTRAS)


def beats(row: Contract, trump: str | None, card: str, best: str) -> bool:
    """Whether `card` beats `best`, the card that wins the trick so far."""
    if card[1] == best[1]:
        order = ORDERS[row.order]
        return order.index(card[0]) > order.index(best[0])
    return row.trumps and card[1] == trump


def winning_place(row: Contract, trump: str | None, trick: Sequence[str]) -> int:
    """The place in the trick of the card that wins it."""
    best = 0
    for place in range(1, len(trick)):
        if beats(row, trump, trick[place], trick[best]):
            best = place
    return best


def legal(rules: Rules, row: Contract, trump: str | None, hand: Sequence[str], trick: Sequence[str]) -> list[str]:
    """The cards of `hand` that may be played to the trick. Source: docs/rules-bauernschnapsen.md section 4."""
    if not trick:
        return list(hand)
    best = trick[winning_place(row, trump, trick)]
    suit = [card for card in hand if card[1] == trick[0][1]]
    if suit:
        if rules.must_head == "trick_contracts_only" and row.aim in ("normal", "none"):
            return suit
        if rules.head_over_ruffed and best[1] != trick[0][1]:
            of_suit = [card for card in trick if card[1] == trick[0][1]]
            best = of_suit[winning_place(row, trump, of_suit)]
        return [card for card in suit if beats(row, trump, card, best) and card[1] == best[1]] or suit
    trumps = [card for card in hand if row.trumps and card[1] == trump]
    if not trumps:
        return list(hand)
    higher = [card for card in trumps if beats(row, trump, card, best)]
    if not higher:
        return trumps if rules.undertrump == "forced" else list(hand)
    return higher if rules.overtrump == "forced" else trumps


def announcers(rules: Rules, contract: str, declarer: int) -> tuple[int, ...]:
    """The seats that may announce marriages. Source: docs/rules-bauernschnapsen.md sections 5, 6, 7."""
    row = BY_NAME[contract]
    if row.aim == "normal":
        return (0, 1, 2, 3)
    if row.aim == "schnapser":
        return schnapser_side(rules, contract, declarer)
    return ()


def schnapser_side(rules: Rules, contract: str, declarer: int) -> tuple[int, ...]:
    """The seats whose tricks and announcements count in a contract of the Schnapser family."""
    team = contract == "SCHNAPSER_MIT_MANN"
    team = team or (contract == "FREUNDSCHAFTSSCHNAPSER" and rules.freundschaft_test == "team")
    return (declarer, (declarer + 2) % 4) if team else (declarer,)


def normal_value(loser_tricks: int, loser_total: int) -> int:
    """Game points of a won normal game. Source: docs/rules-bauernschnapsen.md section 5."""
    if loser_tricks == 0:
        return 3
    return 2 if loser_total < 33 else 1
