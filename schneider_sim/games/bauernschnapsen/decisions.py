"""What decisions of Bauernschnapsen lost, calls too: what is offered here is described in games.protocol.Decisions."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import MatchUp
from ..decisions import TABLE
from . import positions
from .appraisal import Rooms
from .call_words import CALL_WORDS
from .kernel.state import Vector
from .positions import BID, CARD, DOUBLE, SUIT
from .rules.switches import Rules
from .words import WORDS

KINDS = ("lead", "follow", "bid", "trump", "double")
VERBS = {"lead": "leads", "follow": "follows", "bid": "bids", "trump": "names trumps", "double": "may double"}
THINGS = {"lead": ("leads", "card", "held", "leads a card"), "follow": ("plays", "card", "held", "follows"),
          "bid": ("calls", "bid", "open", "bids or passes"), "trump": ("names", "suit", "open", "names trumps"),
          "double": ("chooses", "doubling", "open", "may double")}
NOUNS = ("pass", "marriage-card", "trump", "ace", "ten", "master")
CONTRARY = ("master", "trump", "ace", "win", "safe", "duck", "pass")
MARKS = (0.2, 0.5)
HOW = "both policies' words play the rest."
_RELATIVE = {"rich", "poor", "high", "low", "long", "short", "win-cheap", "win-rich"}  # what a card is among others
_SOLVED = {"open-hands"}  # it would take longer than all others together
_SAID = {"trump": ("longest", "marriage", "weighted", "ace", "keep-aces", "ten-guarded", "turn-up-weak",
                   "redeal-unters"),
         "bid": ("ringerl", "sure", "bettler-low", "ass-bettler", "schnapser", "bauer", "kontra", "low-cards",
                 "high-cards", "outbid"),
         "double": ("threshold", "aces-trumps")}
_KIND_OF = {BID: KINDS.index("bid"), SUIT: KINDS.index("trump"), DOUBLE: KINDS.index("double")}
_QUESTION_OF = {kind: question for question, kind in _KIND_OF.items()}

Table = npt.NDArray[Any]


def words(kind: str) -> tuple[str, ...]:
    """The words that say what a card or call of this kind is, in the order of the bits of a word set."""
    if kind in _SAID:
        return _SAID[kind] + (() if kind == "trump" else ("pass",))
    return tuple(word for word, entry in WORDS.items() if kind in entry.sections and word not in _RELATIVE | _SOLVED)


def name(kind: int, choice: int) -> str:
    """What a choice in the table is called."""
    question = _QUESTION_OF.get(kind, CARD)
    return positions.name_of(question, 1 << choice if question == CARD else choice)


class _Measuring:
    """Rooms for the plays of A against B, by who has the caller's side, and the words that are looked for."""

    def __init__(self, match_up: MatchUp, worlds: int) -> None:
        from .kernel.units import BID_QUESTION
        from .search.losses import MOST_CHOICES

        assert BID_QUESTION == BID  # the order of KINDS is that of the kernel's questions
        self.match_up, self.worlds = match_up, worlds
        self.rooms = {"A": Rooms(match_up, 0), "B": Rooms(match_up, 1)}
        self.points = np.zeros(MOST_CHOICES * worlds, np.int64)
        listed = [[_code(kind, word) for word in words(kind)] for kind in KINDS]
        self.sizes = np.array([len(some) for some in listed], np.int64)
        self.codes = np.zeros((len(KINDS), max(self.sizes)), np.int64)
        for row, some in zip(self.codes, listed, strict=True):
            row[: len(some)] = some

    def decisions(self, record: Vector, leader: str) -> Table:
        """The decisions of a play."""
        from .search import losses

        found, rooms = np.zeros((losses.MOST_ROWS, losses.COLUMNS), np.int64), self.rooms[leader]
        n = losses.lose(rooms.ready.rules, rooms.players, rooms.ready.outside, rooms.room, record, self.worlds,
                        self.points, self.codes, self.sizes, found)
        rooms.ready.check()
        found, table = found[:n], np.zeros(n, TABLE)
        asked, at, seats = found[:, losses.ASKED], found[:, losses.AT], found[:, losses.WHOM]
        cards = asked == CARD
        table["b_first"] = leader == "B"
        table["trick"] = np.where(cards, at // 4 + 1, 0)
        table["kind"] = np.where(cards, (at % 4 > 0).astype(int), asked + 1)
        table["policy"] = (seats & 1) ^ (leader == "B")
        table["seat"], table["call"], table["choices"] = seats, found[:, losses.CALLED], found[:, losses.CHOICES]
        for column, which in ((losses.PLAYED, "played"), (losses.BETTER, "better")):
            table[which] = [_number(question, choice) for question, choice in zip(asked, found[:, column], strict=True)]
        table["lost"], table["words"] = found[:, losses.LOST], found[:, losses.WORDS]
        table["others"] = found[:, losses.OTHER_WORDS :]
        return table


def _code(kind: str, word: str) -> int:
    if kind not in CALL_WORDS:
        return WORDS[word].code
    return CALL_WORDS[kind][word].code if word in CALL_WORDS[kind] else 0


def _number(question: int, choice: int) -> int:
    return int(choice).bit_length() - 1 if question == CARD else int(choice)


def decisions(match_up: MatchUp, start: int, stop: int, worlds: int) -> Table:
    """All decisions in both plays of deals start..stop-1."""
    from .kernel.state import REDEALS
    from .prepare import play_one

    measuring, parts = _Measuring(match_up, worlds), []
    for deal in range(start, stop):
        for leader in "AB":
            record = play_one(match_up, deal, leader)
            table = measuring.decisions(record, leader)
            table["unit"] = table["deal"] = deal
            parts.append(_at_the_table(table, deal, int(record[REDEALS])))
    return np.concatenate(parts)


def of_traces(match_up: MatchUp, traces: Sequence[Mapping[str, Any]], worlds: int) -> Table:
    """All decisions of traces that the referee found right, by whomever they were played."""
    measuring, parts = _Measuring(match_up, worlds), [np.zeros(0, TABLE)]
    for number, trace in enumerate(traces):
        record = positions.record_of(match_up.rules, trace, match_up.seed)
        table = measuring.decisions(record, trace["first_leader"])
        table["unit"], table["deal"] = number, trace["deal"]
        parts.append(_at_the_table(table, trace["deal"], trace["redeals"]))
    return np.concatenate(parts)


def _at_the_table(table: Table, deal: int, redeals: int) -> Table:
    """The table with seats as traces number them, and calls counted with the new deals asked for before."""
    table["seat"] = (table["seat"] + deal % 4 + 1) % 4
    table["call"] += np.where(table["call"] > 0, redeals, 0).astype(np.int16)
    return table


def _position(rules: Rules, trace: Mapping[str, Any], row: Any, seed: int = 1) -> positions.Position:
    """The position of a decision in a table."""
    if row["trick"] > 0:
        return positions.at_card(rules, trace, int(row["trick"]), int(row["seat"]), seed)
    return positions.at_call(rules, trace, int(row["call"]), seed)


def choices(rules: Rules, trace: Mapping[str, Any], row: Any) -> list[str]:
    """What could be chosen in the decision of a row, in the order of the pack or of the contracts."""
    return _position(rules, trace, row).names


def place(row: Any) -> dict[str, int]:
    """Where a decision is to be found, as `position` takes it."""
    return {"seat": int(row["seat"])} | ({"call": int(row["call"])} if row["call"] else {})


def fresh(match_up: MatchUp, trace: Mapping[str, Any], row: Any, before: int, worlds: int) -> tuple[float, float]:
    """What the choice of a row of a table loses against the better one, and its standard error, on new worlds.

    before: the worlds that chose it, and as many that measured it.
    """
    from .search.worlds import BLOCK, try_block

    if row["played"] == row["better"]:
        return float(row["lost"]) / before, 0.0
    found = _position(match_up.rules, trace, row)
    rooms = Rooms(match_up, 0 if trace["first_leader"] == "A" else 1)
    state = rooms.state(found, int(trace["deal"]), match_up.seed)
    pair = [int(row[which]) for which in ("played", "better")]
    moves = np.array([1 << one if found.question == CARD else one for one in pair], np.int64)
    points, first, apart = np.zeros((2, BLOCK), np.int64), -(-2 * before // BLOCK), []
    for block in range(first, first + -(-worlds // BLOCK)):
        try_block(rooms.ready.rules, rooms.players, rooms.ready.outside, rooms.room, state, found.question, found.seat,
                  moves, block, 0, rooms.likely, rooms.kept, points.reshape(-1))
        rooms.ready.check()
        apart.append(points[1] - points[0])
    gaps = np.concatenate(apart)[:worlds]
    mean = float(gaps.mean())
    unseen = (abs(mean) + 1) / gaps.size  # where all worlds agree, another one in as many may not
    return mean, max(float(gaps.std() / math.sqrt(max(gaps.size - 1, 1))), unseen)
