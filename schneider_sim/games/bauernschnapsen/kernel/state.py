"""Rules, policies and the state of a play as the kernel reads them: structured dtypes with named fields of int64.

Compiled code reads them by name (fields.py): `s.hand[seat]`. Elsewhere they are flat int64 vectors; `HAND` of this
module is the place of the field `hand` in one, and so for every field, `P_BID` and so on for a policy's.
The kernel is compiled once for all rules and policies, since both are data. Seats are relative to the caller (0).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ..rules.contracts import CONTRACTS, NAMES, ORDERS
from ..rules.legality import deck_map, rank_of_bid
from ..rules.switches import Rules
from ..views import ROLES

Vector = npt.NDArray[np.int64]
N = len(CONTRACTS)
NORMAL = NAMES.index("NORMAL")
BETTLER = NAMES.index("BETTLER")
ASSENBETTLER = NAMES.index("ASSENBETTLER")
ASS_BETTLER = NAMES.index("ASS_BETTLER")
SCHNAPSER = NAMES.index("SCHNAPSER")
PLAUDERER = NAMES.index("PLAUDERER")
GANG = NAMES.index("GANG")
ZEHNERGANG = NAMES.index("ZEHNERGANG")
BAUERNSCHNAPSER = NAMES.index("BAUERNSCHNAPSER")
BAUERNLOCH = NAMES.index("BAUERNLOCH")
KONTRASCHNAPSER = NAMES.index("KONTRASCHNAPSER")
FARBENRINGERL = NAMES.index("FARBENRINGERL")
TRUMPFFARBENRINGERL = NAMES.index("TRUMPFFARBENRINGERL")
KONTRABAUERNSCHNAPSER = NAMES.index("KONTRABAUERNSCHNAPSER")
SCHNAPSER_MIT_MANN = NAMES.index("SCHNAPSER_MIT_MANN")
FREUNDSCHAFTSSCHNAPSER = NAMES.index("FREUNDSCHAFTSSCHNAPSER")
KOENIGSGANG = NAMES.index("KOENIGSGANG")
DAMENGANG = NAMES.index("DAMENGANG")
AIMS = ("normal", "none", "schnapser", "all", "declared")
AIM_NORMAL = AIMS.index("normal")
AIM_NONE = AIMS.index("none")
AIM_SCHNAPSER = AIMS.index("schnapser")
AIM_ALL = AIMS.index("all")
AIM_DECLARED = AIMS.index("declared")
ENDS = ("", "66", "last_trick", "contract_made", "contract_failed", "declared")
END_66 = ENDS.index("66")
END_LAST = ENDS.index("last_trick")
END_MADE = ENDS.index("contract_made")
END_FAILED = ENDS.index("contract_failed")
END_DECLARED = ENDS.index("declared")
FREE_SUIT, FREE_OVER, FREE_UNDER, HEAD_RUFFED = 1, 2, 4, 8  # bits of `duties`: what the rules leave free or add
EQUAL_RANKS = ("not_allowed", "earlier_seat_may_hold", "table_order")
TURN_UPS = ("off", "first", "either_random")
VIEWS = ("before_lead", "after_trick1", "defenders_only")
SEARCHES = ("none", "pimc", "rollout")
PIMC, ROLLOUT = np.int64(1), np.int64(2)  # for compiled code
ANNOUNCES = ("always", "when-it-decides", "never")
ALWAYS, WHEN_IT_DECIDES, NEVER = (ANNOUNCES.index(name) for name in ("always", "when-it-decides", "never"))


def _dtype(*fields: tuple[Any, ...]) -> "np.dtype[Any]":
    """A structured dtype: of each field its name, and, unless it is one int64, its shape or its dtype and shape."""
    full = []
    for name, *kind in fields:
        of = kind.pop(0) if kind and isinstance(kind[0], np.dtype) else np.dtype(np.int64)
        full.append((name, of, *kind))
    return np.dtype(full)


RULES = _dtype(
    # by contract
    ("value", N),  # game points
    ("rank", N),  # of a bid, legality.py
    ("bidders", N),  # seats that may bid it, as bits
    ("lead_by_d", N),  # whether the declarer leads, not the caller
    ("trumped", N),  # whether there are trumps
    ("order", N),  # of the ranks: the number of contracts.ORDERS
    ("aim", N),  # the number of AIMS
    ("duties", N),  # FREE_SUIT and so on
    ("away_partner", N),  # whether the declarer's partner sits out
    ("doublable", N),
    ("side_team", N),  # whether the partner's tricks count for the declarer
    ("plain_over", N),  # contracts without trumps that may rank over this one, as bits
    # single switches
    ("multi",),  # bidding goes round until three pass
    ("equal_rank",),  # the number of EQUAL_RANKS
    ("ringerl_ends",),  # a five-card suit ends the auction
    ("three_unters",),  # they allow a new deal
    ("by_auction",),  # the winner of the auction names trumps
    ("must_hold",),  # trumps must be among the cards seen
    ("turn_up",),  # the number of TURN_UPS
    ("by_player",),  # a marriage needs a trick of the player's own
    ("strict",),  # a Schnapser's routes
    ("miss_loses",),  # an announcement that misses 66 loses
    ("max_double",),
    ("window_open",),  # doubling before a seat's own first card
    ("first_open",),  # each team's first trick stays face up
    ("open_hands",),  # when and to whom, in Plauderer: the number of VIEWS
    ("seen",),  # cards seen when trumps are named
    ("deck", 20),  # where in the pack the cards of seat 0, 1, 2, 3 lie, in the order dealt
)

_POSITION: tuple[tuple[Any, ...], ...] = (  # what a search copies for every trick
    # by seat
    ("hand", 4),
    ("tricks", 4),
    ("points", 4),  # card points won
    ("marriages", 4),  # points announced
    # of the deal
    ("trump",),
    ("contract",), ("declarer",),
    ("level",),  # doublings so far
    ("leader",), ("away",),  # who sits out, -1 for nobody
    ("done",),  # tricks so far
    ("last_winner",),
    ("just",),  # points announced a moment ago
    ("routed",),  # whether that was on one of the routes of a strict Schnapser
    ("how",), ("team",), ("worth",),  # the end: the number of ENDS, the side that scores, undoubled
    # of the trick
    ("now_order",), ("now_trumps",), ("now_duties",), ("now_aim",),
    ("led",), ("beat",), ("table",), ("best_seat",), ("place",),
)
POSITION = _dtype(*_POSITION)
TRY = _dtype(("moves",), ("led",), ("beat",), ("winner",), ("table",), ("place",), ("turn",), ("card",),
             ("key",), ("asked",))  # solver.py
TURN = _dtype(("seat",), ("place",), ("done",), ("moves",), ("suit",), ("beat",), ("winner",), ("table",), ("card",),
              ("key",))  # none_or_all.py
ANSWER = _dtype(("key",), ("asked",), ("first",), ("found",))
MEMO, ANSWERS = 1 << 9, 1 << 8  # how many positions and answers are kept there
SEARCH_SPACE = _dtype(
    ("frames", POSITION, (6,)), ("tries", TRY, (24,)),  # solver.py: a position a trick, a try a card
    ("turns", TURN, (21,)), ("cards", 4), ("left",), ("memo", MEMO),  # none_or_all.py: a turn a card
    ("number",), ("newest",), ("kept",), ("kept_deal", 8), ("answers", ANSWER, (ANSWERS,)),
)
MAX_CALLS = 96
MOST_UNITS = 4
MOST_PLUGINS = 8
FAULT_SIZE = 16
STATE = _dtype(
    *_POSITION,
    ("dealt", 4), ("first", 4),  # by seat: all cards, those seen when trumps are named
    ("turned",), ("redeals",),
    ("played",), ("first_tricks",),  # cards of tricks so far, of each team's first
    ("calls",),  # how many
    ("deal",), ("seed",),
    ("caller",),  # the seat at the table
    ("own_score", 2),  # by team: match points before the deal
    ("before", 5),  # by trick: cards played before it
    ("trick_leader", 5), ("trick_winner", 5),
    ("announced", 5),  # by trick: 4 * points + suit, 0 for nothing
    ("cards", 20),  # by trick and place: the card, 0 where nobody played
    ("doubled_by", 3),  # by doubling
    ("call", MAX_CALLS),  # in order: 32 * seat + contract (NORMAL: a pass)
    ("ordered", 20),  # the cards as dealt, five for each seat
    ("search", SEARCH_SPACE),
    ("totals", 32),  # of a search, by card, contract or suit
    ("units", MOST_UNITS), ("room_at",), ("rules_at",), ("players_at",),  # addresses: units.py, search/rollouts.py
    ("asked", 4),  # more arguments for a unit
    ("plugins", MOST_PLUGINS),  # addresses of users' preferences
    ("fault", FAULT_SIZE),  # the first complaint about one: plugged.py
    ("known", 4), ("may", 4), ("room", 4), ("hidden", 20), ("hidden_cards",), ("recalled",),  # layouts.py
    ("ways", 21 * 6 * 6 * 6),
)

WORDS_OF_LIST = 39
LIST = _dtype(("n",), ("words", WORDS_OF_LIST))  # words in order: how many, and their codes
LISTS = len(AIMS) * len(ROLES)
POLICY = _dtype(
    ("trump", LIST), ("bid", LIST), ("double", LIST), ("lead", LIST), ("follow", LIST),
    ("ties_first",),
    ("memory",),  # completed tricks
    ("noise",),  # the threshold of 32 bits
    ("announce",),  # the number of ANNOUNCES
    ("search",),  # the number of SEARCHES
    ("samples",), ("inference",),
    ("informed",),  # whether its search knows the rivals' words
    ("filters",),  # words of `bid` and `double` that hold calls back, as bits
    ("thinks", 2),  # whether more than the lot chooses a lead, a card to follow
    ("applying", LIST, (2 * LISTS,)),  # for lead and follow, by aim and role: those words that may want cards
)


def size_of(dtype: "np.dtype[Any]") -> int:
    """How many int64 a dtype has."""
    return dtype.itemsize // 8


def place(dtype: "np.dtype[Any]", name: str) -> int:
    """The place of a field in a flat vector."""
    assert dtype.fields is not None
    return dtype.fields[name][1] // 8


RULES_SIZE, STATE_SIZE, POLICY_SIZE, POSITION_SIZE = map(size_of, (RULES, STATE, POLICY, POSITION))
PLUGINS_AT = MOST_UNITS + 1  # in what the kernel gets from outside: units, room for rollouts, plug-ins, a fault
FAULT_AT = PLUGINS_AT + MOST_PLUGINS
OUTSIDE_SIZE = FAULT_AT + FAULT_SIZE


def __getattr__(name: str) -> int:
    """The place of a field: of a policy for P_NAME, else of the state or the rules, which share no name."""
    field, dtypes = (name[2:], (POLICY,)) if name.startswith("P_") else (name, (STATE, RULES))
    for dtype in dtypes if name.isupper() else ():
        if field.lower() in (dtype.names or ()):
            return place(dtype, field.lower())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
    r = np.zeros(1, RULES)
    r["bidders"] = _bidders(rules)
    team = {"SCHNAPSER_MIT_MANN"} | ({"FREUNDSCHAFTSSCHNAPSER"} if rules.freundschaft_test == "team" else set())
    for c, row in enumerate(CONTRACTS):
        away = rules.bettler_partner if row.aim == "none" else rules.gang_partner if row.aim == "all" else "plays"
        may_double = {"all_played": row.aim != "declared", "normal_only": row.name == "NORMAL",
                      "no_kontra": row.aim != "declared" and not row.name.startswith("KONTRA")}
        of_contract = {"value": rules.values[c], "rank": rank_of_bid(rules, row.name), "lead_by_d": row.lead == "D",
                       "trumped": row.trumps, "order": list(ORDERS).index(row.order), "aim": AIMS.index(row.aim),
                       "duties": _duties(rules, row.aim), "away_partner": away == "sits_out" and not row.trumps,
                       "doublable": may_double[rules.double_contracts], "side_team": row.name in team}
        for name, value in of_contract.items():
            r[name][0, c] = value
    ranks = r["rank"][0]
    plain = [c for c, row in enumerate(CONTRACTS) if row.aim in ("none", "all") and not row.trumps and rules.enabled[c]]
    r["plain_over"] = [sum(1 << c for c in plain if ranks[c] >= ranks[high]) for high in range(N)]
    for name, value in _switches(rules).items():
        r[name] = value
    r["deck"] = [place for seat in deck_map(rules) for place in seat]
    return r.view(np.int64)


def _switches(rules: Rules) -> dict[str, int]:
    """The single switches by field."""
    by_auction = rules.trump_timing == "auction_winner"
    return {
        "multi": rules.auction == "multi",
        "equal_rank": EQUAL_RANKS.index(rules.equal_rank),
        "ringerl_ends": rules.ringerl_timing == "ends_auction",
        "three_unters": rules.three_unters == "optional" and not by_auction,
        "by_auction": by_auction,
        "must_hold": rules.trump_must_be_held,
        "turn_up": 0 if by_auction else TURN_UPS.index(rules.turnup),
        "by_player": rules.marriage_unit == "player",
        "strict": rules.schnapser_test == "strict_routes",
        "miss_loses": rules.failed_announce_loses,
        "max_double": rules.max_double,
        "window_open": rules.double_window == "before_own_first_card",
        "first_open": rules.first_trick_open,
        "open_hands": VIEWS.index(rules.plauderer_view),
        "seen": rules.first_seen,
    }
