"""What decisions of Bohemian Schneider lost: what is offered here is described in games.protocol.Decisions."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...compiled.lanes import LANES, make_space
from .. import MatchUp
from ..decisions import OTHERS, TABLE, THERE
from . import state as at
from .game import recorded, seated
from .rules import PACK, STOCK, Rules, is_honour, legal_replies
from .words import WORDS

KINDS = ("lead", "follow")
VERBS = {"lead": "leads", "follow": "replies"}
THINGS = {"lead": ("leads", "card", "held", "leads a card"),
          "follow": ("replies with", "card", "held", "replies with a card")}
MARKS = (0.04, 0.08)  # as GNU Backgammon marks doubtful and bad moves
HOW = "from the end of the stock on losses are exact."
NOUNS = ("honour", "pip", "blocker")
CONTRARY = ("safe", "guarded", "dead", "blocker", "capture", "capture-honour", "capture-safe")
_RELATIVE = {"high", "low", "long", "short"}  # they say what a card is among others
_OTHER = {"A": "B", "B": "A"}

Table = npt.NDArray[Any]


def words(kind: str) -> tuple[str, ...]:
    """The words that say what a card of this kind is, in the order of the bits of a word set."""
    return tuple(word for word, entry in WORDS.items() if kind in entry.sections and word not in _RELATIVE)


def name(kind: int, choice: int) -> str:
    """What a choice in the table is called: a card."""
    return PACK.name(choice)


def place(row: Any) -> dict[str, int]:
    """Where else a decision is to be found: trick and kind say all."""
    return {}


class _Rooms:
    """Compiled policies and rooms for measuring decisions of A against B."""

    def __init__(self, match_up: MatchUp) -> None:
        from .callbacks import callback
        from .search.policies import thinking

        self.match_up = match_up
        self.backs = [callback(item, match_up.rules) for item in match_up.plugins]
        self.table, self.a, self.b = seated(match_up, self.backs)
        self.search = thinking(self.table, True)
        self.here, self.values = make_space(at.SIZE), np.zeros(33, np.int64)
        self.seed = np.uint64(match_up.seed)

    def check(self) -> None:
        from .callbacks import check

        check(self.match_up.plugins, self.backs, self.search.table.fault.array)

    def decisions(self, record: npt.NDArray[np.uint32], lo: int, hi: int, deals: npt.NDArray[np.int64],
                  worlds: int) -> Table:
        """The decisions of the plays in lanes lo … hi - 1 of a record, play after play; deals: of all lanes."""
        from .search import losses

        found = np.zeros((LANES, at.TRICKS, 2, 5), np.int64)
        losses.lose(self.search, record, self.here, self.a, self.b, lo, hi, deals, self.seed, worlds, self.values,
                    found)
        self.check()
        table = np.zeros((hi - lo, at.TRICKS, 2), TABLE)
        table["deal"] = table["unit"] = deals[lo:hi, None, None]
        table["b_first"] = _rows(record)[at.FIRST // LANES, lo:hi, None, None]
        table["trick"] = np.arange(1, at.TRICKS + 1)[:, None]
        table["kind"] = np.arange(2)
        here = found[lo:hi]
        for column, name in ((losses.WHO, "policy"), (losses.CHOICES, "choices"), (losses.PLAYED, "played"),
                             (losses.BETTER, "better"), (losses.LOST, "lost")):
            table[name] = here[..., column]
        for trick in range(at.TRICKS):
            for side, kind in enumerate(KINDS):
                self._describe(record, trick, side, kind, table[:, trick, side], slice(lo, hi))
        return table.reshape(-1)

    def _describe(self, record: npt.NDArray[np.uint32], trick: int, side: int, kind: str, rows: Table,
                  lanes: slice) -> None:
        """Fill the word sets of the decisions of one trick and side."""
        from .search.losses import wanted_cards

        codes = np.array([WORDS[word].code for word in words(kind)], np.int64)
        out = np.zeros((len(codes) + 1, LANES), np.int64)
        wanted_cards(record, self.table, codes, trick, side, out)
        wanted, legal = out[:-1, lanes], out[-1, lanes]
        bits = (np.int64(1) << np.arange(len(codes)))[:, None]
        card = np.int64(1) << rows["played"].astype(np.int64)
        rows["words"] = (((wanted & card) != 0) * bits).sum(axis=0)
        rest = legal & ~card
        for place in range(OTHERS):
            card = rest & -rest
            rest = rest ^ card
            rows["others"][:, place] = (((wanted & card) != 0) * bits).sum(axis=0) + np.where(card != 0, THERE, 0)


def _rows(record: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    return record.reshape(-1, LANES)


def decisions(match_up: MatchUp, start: int, stop: int, worlds: int) -> Table:
    """All decisions in both plays of deals start..stop-1."""
    rooms, parts = _Rooms(match_up), []
    for leader in "AB":
        for place, deals, record in recorded(match_up, start, stop, leader):
            lo = place % LANES
            numbers = place - lo + np.arange(LANES, dtype=np.int64)
            parts.append(rooms.decisions(record, lo, lo + deals, numbers, worlds))
    return np.concatenate(parts)


def of_traces(match_up: MatchUp, traces: Sequence[Mapping[str, Any]], worlds: int) -> Table:
    """All decisions of traces that the referee found right, by whomever they were played."""
    rooms, parts = _Rooms(match_up), [np.zeros(0, TABLE)]
    for start in range(0, len(traces), LANES):
        some = traces[start : start + LANES]
        numbers = np.zeros(LANES, np.int64)
        numbers[: len(some)] = [trace["deal"] for trace in some]
        found = rooms.decisions(_record(some), 0, len(some), numbers, worlds)
        found["unit"] = np.repeat(np.arange(start, start + len(some)), len(found) // len(some))
        parts.append(found)
    return np.concatenate(parts)


def choices(rules: Rules, trace: Mapping[str, Any], row: Any) -> list[str]:
    """The cards that could be played in the decision of a row, in pack order."""
    trick, side, number = trace["tricks"][row["trick"] - 1], int(row["kind"]), int(row["trick"]) - 1
    who = trick["leader"] if side == 0 else _OTHER[trick["leader"]]
    hand = {PACK.parse(card) for card in trace["hands"][who]}
    for past in trace["tricks"][:number]:
        hand.discard(PACK.parse(past["led" if past["leader"] == who else "reply"]))
        hand |= {PACK.parse(past["drawn"][who])} if past["drawn"] else set()
    cards = sorted(hand, key=PACK.bit)
    return cards if side == 0 else legal_replies(rules, cards, PACK.parse(trick["led"]), max(STOCK - 2 * number, 0))


def fresh(match_up: MatchUp, trace: Mapping[str, Any], row: Any, before: int, worlds: int) -> tuple[float, float]:
    """What the card of a row of a table loses against the better one, and its standard error, on new worlds.

    before: the worlds that chose it, and as many that measured it; 0 is the error where the loss is known.
    """
    from .search import losses

    if row["trick"] > at.DRAWS or row["played"] == row["better"]:
        return float(row["lost"]) / before, 0.0
    rooms, trick, side = _Rooms(match_up), int(row["trick"]) - 1, int(row["kind"])
    who = "AB"[int(row["policy"])]
    won = {"A": 0, "B": 0}
    for past in trace["tricks"][:trick]:
        won[past["winner"]] += sum(is_honour(PACK.parse(past[what])) for what in ("led", "reply"))
    cards = np.array([1 << int(row[which]) for which in ("played", "better")], np.int64)
    first = losses.FIRST_WORLD + 2 * -(-before // LANES) * LANES
    losses.fresh(rooms.search, _record([trace]), rooms.here, rooms.a, rooms.b, 0, trick, side, won[who],
                 won[_OTHER[who]], cards, first, worlds, int(trace["deal"]), rooms.seed)
    rooms.check()
    return _difference(rooms.search.sums)


def _difference(sums: npt.NDArray[np.int64]) -> tuple[float, float]:
    """The second card's mean less the first one's, and its standard error, from the sums of a measurement."""
    from .search.policies import CARDS

    worlds, products = int(sums[0]), sums[1 + 3 * CARDS :].reshape(CARDS, CARDS)
    mean = int(sums[2] - sums[1]) / worlds
    square = int(products[0, 0] + products[1, 1] - 2 * products[1, 0]) / worlds
    return mean, math.sqrt(max(square - mean * mean, 0.0) / max(worlds - 1, 1))


def _record(traces: Sequence[Mapping[str, Any]]) -> npt.NDArray[np.uint32]:
    """A space that holds the record of traces, a lane for each."""
    record = make_space(at.SIZE)
    rows = _rows(record)
    for lane, trace in enumerate(traces):
        seats = {trace["first_leader"]: 0, _OTHER[trace["first_leader"]]: 1}
        hands = {who: PACK.to_mask(map(PACK.parse, trace["hands"][who])) for who in "AB"}
        rows[at.FIRST // LANES, lane], seen = trace["first_leader"] == "B", 0
        for number, trick in enumerate(trace["tricks"]):
            leader, other = trick["leader"], _OTHER[trick["leader"]]
            led, reply = (PACK.to_mask([PACK.parse(trick[what])]) for what in ("led", "reply"))
            rows[at.TURN_IN // LANES + number, lane] = seats[leader]
            rows[at.LED_IN // LANES + number, lane] = led
            rows[at.REPLY_IN // LANES + number, lane] = reply
            rows[at.HELD_IN // LANES + 2 * number, lane] = hands[leader]
            rows[at.HELD_IN // LANES + 2 * number + 1, lane] = hands[other]
            rows[at.SEEN // LANES + number, lane] = seen
            hands[leader] ^= led
            hands[other] ^= reply
            seen |= led | reply
            for who in "AB" if trick["drawn"] else "":
                hands[who] |= PACK.to_mask([PACK.parse(trick["drawn"][who])])
            rows[at.TURN_IN // LANES + number + 1, lane] = seats[trick["winner"]]
    return record
