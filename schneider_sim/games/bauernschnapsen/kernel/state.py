"""Rules, policies and the state of a play as flat int64 vectors: the places in them, and rules made into one.

The kernel is compiled once for all rules and policies, since both are data. Seats are relative to the caller (0).
"""

import numpy as np
import numpy.typing as npt

from ..rules.contracts import CONTRACTS, NAMES, ORDERS
from ..rules.legality import deck_map, rank_of_bid
from ..rules.switches import Rules
from ..views import ROLES

Vector = npt.NDArray[np.int64]
N = len(CONTRACTS)
(NORMAL, BETTLER, ASSENBETTLER, ASS_BETTLER, SCHNAPSER, PLAUDERER, GANG, ZEHNERGANG, BAUERNSCHNAPSER, BAUERNLOCH,
 KONTRASCHNAPSER, FARBENRINGERL, TRUMPFFARBENRINGERL, KONTRABAUERNSCHNAPSER, MIT_MANN, FREUNDSCHAFT, KOENIGSGANG,
 DAMENGANG) = range(N)
AIMS = ("normal", "none", "schnapser", "all", "declared")
AIM_NORMAL, AIM_NONE, AIM_SCHNAPSER, AIM_ALL, AIM_DECLARED = range(5)
END_66, END_LAST, END_MADE, END_FAILED, END_DECLARED = range(1, 6)
ENDS = ("", "66", "last_trick", "contract_made", "contract_failed", "declared")

# --- the rules: first what each contract is, N places each, then single switches
(VALUE, RANK, BIDDERS, LEAD_BY_D, TRUMPED, ORDER, AIM, DUTIES, AWAY_PARTNER, DOUBLABLE, SIDE_TEAM,
 PLAIN_OVER) = range(0, 12 * N, N)  # PLAIN_OVER: contracts without trumps that may rank over this one, as bits
(MULTI, EQUAL_RANK, RINGERL_ENDS, THREE_UNTERS, BY_AUCTION, MUST_HOLD, TURN_UP, BY_PLAYER, STRICT, MISS_LOSES,
 MAX_DOUBLE, WINDOW_OPEN, FIRST_OPEN, VIEW, SEEN) = range(12 * N, 12 * N + 15)
DECK = 12 * N + 15  # 20 places: where in the pack the cards of seat 0, 1, 2, 3 lie, in the order dealt
RULES_SIZE = DECK + 20
FREE_SUIT, FREE_OVER, FREE_UNDER, HEAD_RUFFED = 1, 2, 4, 8  # bits of DUTIES: what the rules leave free or add

# --- the state of a play
HAND, DEALT, FIRST, TRICKS, POINTS, MARRIAGES, OUT, KNOWN, MAY = range(0, 36, 4)  # by seat; KNOWN, MAY: layouts.py
(TRUMP, TURNED, REDEALS, CONTRACT, DECLARER, LEVEL, LEADER, AWAY, DONE, PLAYED, FIRST_TRICKS, LAST_WINNER, JUST, ROUTED,
 HOW, TEAM, WORTH, CALLS, DOUBLINGS, DEAL, SEED, CALLER, HIDDEN_CARDS) = range(36, 59)
(NOW_ORDER, NOW_TRUMPS, NOW_DUTIES, LED, BEAT, TABLE, BEST_SEAT, PLACE, NOW_AIM) = range(59, 68)  # the trick
OWN_SCORE = 68  # by team: match points before the deal
BEFORE = 70  # by trick: cards played before it
TRICK_LEADER, TRICK_WINNER, ANNOUNCED = 75, 80, 85  # by trick; announced: 4 * points + suit, 0 for nothing
CARDS = 90  # by trick and place: the card, 0 where nobody played
DOUBLED_BY = 110  # by doubling
CALL = 113  # calls in order: 32 * seat + contract (NORMAL: a pass)
MAX_CALLS = 96
ORDERED = CALL + MAX_CALLS  # 20 places: the cards as dealt, five for each seat
SOLVER = ORDERED + 20  # from here on the search keeps its own positions: see solver.py
FRAME = 72  # places of a trick in it, those of the state before OWN_SCORE
TOTALS = SOLVER + 6 * FRAME + 8 * 24  # 32 places
UNITS = TOTALS + 32  # addresses of the units, see units.py
RULES_AT, PLAYERS_AT = UNITS + 3, UNITS + 4  # addresses of the rules and both policies, for units
ASKED = UNITS + 5  # more arguments for a unit
PLUGINS = ASKED + 3  # addresses of users' preferences
MOST_PLUGINS = 8
FAULT = PLUGINS + MOST_PLUGINS  # the first complaint about one: see plugged.py
FAULT_SIZE = 16
ROOM = FAULT + FAULT_SIZE  # 4 places, by seat: see layouts.py for these three
HIDDEN = ROOM + 4
WAYS = HIDDEN + 18
STATE_SIZE = WAYS + 19 * 4 * 6 * 6
OUTSIDE_SIZE = 3 + MOST_PLUGINS + FAULT_SIZE  # what the kernel gets from outside: unit and plug-in addresses, a fault

# --- a policy; two of them, the caller's side first, lie in one vector, and `me` is where a seat's own begins
SECTION = 40  # places of a section: the number of words, then their codes
P_TRUMP, P_BID, P_DOUBLE, P_LEAD, P_FOLLOW = range(0, 5 * SECTION, SECTION)
TIES_FIRST, MEMORY, NOISE, ANNOUNCE, SEARCH, SAMPLES, FILTERS, THINKS = range(5 * SECTION, 5 * SECTION + 8)
# THINKS: whether more than the lot chooses a lead, a card to follow
APPLYING = THINKS + 2  # for lead and follow, by aim and role: a section of those words that may want cards
LISTS = len(AIMS) * len(ROLES)
POLICY_SIZE = APPLYING + 2 * LISTS * SECTION
ALWAYS, WHEN_IT_DECIDES, NEVER = range(3)

_SEATS = {"F": 0b0001, "Fside": 0b0101, "opp": 0b1010, "partner": 0b0100, "anyone": 0b1111, "not_F": 0b1110}


def _bidders(rules: Rules) -> list[int]:
    """For each contract the seats that may bid it, as bits; what the cards must be is asked in the auction."""
    only_caller = set()
    if rules.schnapser_bidder == "F_only":
        only_caller.add("SCHNAPSER")
    if rules.bauernschnapser_bidder == "F_only":
        only_caller |= {"BAUERNSCHNAPSER", "BAUERNLOCH"}
    seats = []
    for row, on in zip(CONTRACTS, rules.enabled, strict=True):
        who = "F" if row.name in only_caller else row.bidder
        if row.name == "FARBENRINGERL" and not rules.trump_must_be_held:
            who = "anyone"
        seats.append(_SEATS[who] if on and row.name != "NORMAL" else 0)
    return seats


def _duties(rules: Rules, aim: str) -> int:
    free_suit = rules.must_head == "trick_contracts_only" and aim in ("normal", "none")
    bits = (FREE_SUIT * free_suit, FREE_OVER * (rules.overtrump == "free"), FREE_UNDER * (rules.undertrump == "free"),
            HEAD_RUFFED * rules.head_over_ruffed)
    return sum(bits)


def rules_vector(rules: Rules) -> Vector:
    """int64[RULES_SIZE]: the rules as the kernel reads them."""
    r = np.zeros(RULES_SIZE, np.int64)
    r[BIDDERS : BIDDERS + N] = _bidders(rules)
    team = {"SCHNAPSER_MIT_MANN"} | ({"FREUNDSCHAFTSSCHNAPSER"} if rules.freundschaft_test == "team" else set())
    for c, row in enumerate(CONTRACTS):
        away = rules.bettler_partner if row.aim == "none" else rules.gang_partner if row.aim == "all" else "plays"
        away_counts = away == "sits_out" and not row.trumps
        may_double = {"all_played": row.aim != "declared", "normal_only": row.name == "NORMAL",
                      "no_kontra": row.aim != "declared" and not row.name.startswith("KONTRA")}
        per_contract = {VALUE: rules.values[c], RANK: rank_of_bid(rules, row.name), LEAD_BY_D: row.lead == "D",
                        TRUMPED: row.trumps, ORDER: list(ORDERS).index(row.order), AIM: AIMS.index(row.aim),
                        DUTIES: _duties(rules, row.aim), AWAY_PARTNER: away_counts,
                        DOUBLABLE: may_double[rules.double_contracts], SIDE_TEAM: row.name in team}
        for place, value in per_contract.items():
            r[place + c] = value
    plain = [c for c, row in enumerate(CONTRACTS) if row.aim in ("none", "all") and not row.trumps and rules.enabled[c]]
    for high in range(N):
        r[PLAIN_OVER + high] = sum(1 << c for c in plain if r[RANK + c] >= r[RANK + high])
    by_auction = rules.trump_timing == "auction_winner"
    r[MULTI : MULTI + 15] = [
        rules.auction == "multi", ("not_allowed", "earlier_seat_may_hold", "table_order").index(rules.equal_rank),
        rules.ringerl_timing == "ends_auction", rules.three_unters == "optional" and not by_auction, by_auction,
        rules.trump_must_be_held, 0 if by_auction else ("off", "first", "either_random").index(rules.turnup),
        rules.marriage_unit == "player", rules.schnapser_test == "strict_routes", rules.failed_announce_loses,
        rules.max_double, rules.double_window == "before_own_first_card", rules.first_trick_open,
        ("before_lead", "after_trick1", "defenders_only").index(rules.plauderer_view), rules.first_seen,
    ]
    r[DECK : DECK + 20] = [place for seat in deck_map(rules) for place in seat]
    return r


assert NAMES[DAMENGANG] == "DAMENGANG"
