"""Which words separate the decisions that lose most: what was played, what was held, and in which tricks.

A situation is a set of at most two words for the card played, one of at most two for another card that could have been
played, and a range of tricks. Words are searched on every second deal and measured on the others, so that a situation
found by luck shows none of it. A decision belongs to the first situation that fits it.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..games.decisions import OTHERS, THERE
from ..games.protocol import Decisions
from ..stats.clusters import Ratio, cluster_ratio

MOST = 5  # situations of a policy
_PARTS = 5  # ranges of tricks begin and end between these parts of a deal
_FEWEST = 25  # decisions from which a situation may be found
_DEVIATIONS = 2.5  # standard errors by which it must lose more than other decisions where it is found
_PLAINER = 0.95  # what a situation of one word more must be worth less than

BEFORE = 0, 0  # the part of a deal before the first lead

Table = npt.NDArray[Any]


class Class(NamedTuple):
    """Cards that have some words and lack others: bits of a word set; text: the words as in a policy."""

    has: int
    lacks: int
    text: tuple[str, ...]


class Situation(NamedTuple):
    """Decisions of a policy that lose alike: in words, how many there were, what one of them lost, and the share of
    all that the policy lost in the deals of the measurement."""

    policy: str
    words: str
    decisions: int
    loss: Ratio
    share: float | None


class _Found(NamedTuple):
    """A situation as it is searched for."""

    score: float
    kind: int
    played: Class
    held: Class
    tricks: tuple[int, int]


def situations(offered: Decisions, table: Table, worlds: int) -> list[Situation]:
    """The situations in which each policy loses most, the most telling first; none where there are too few deals."""
    units, place = np.unique(table["unit"], return_inverse=True)
    searched, last = place % 2 == 0, int(table["trick"].max())
    found = []
    for side, who in enumerate("AB"):
        mine = (table["policy"] == side) & (table["choices"] > 1)
        looked, measured = table[mine & searched], table[mine & ~searched]
        whole = measured["lost"].sum()
        places = place[mine & ~searched]
        for one in _search(offered, looked, last):
            here = _fits(one, measured)
            if here.any():
                at = places[here] // 2
                lost = np.bincount(at, measured["lost"][here] / worlds, len(units) // 2)
                loss = cluster_ratio(lost, np.bincount(at, minlength=len(units) // 2))
                share = float(measured["lost"][here].sum() / whole) if whole > 0 else None
                found.append(Situation(who, _in_words(offered, one, last), int(here.sum()), loss, share))
            measured, places = measured[~here], places[~here]
    return found


def parts_of(last: int) -> list[tuple[int, int]]:
    """A deal of `last` tricks in parts: the first and the last trick of each."""
    cuts = sorted({1, *(round(last * k / _PARTS) + 1 for k in range(1, _PARTS)), last + 1})
    return list(zip(cuts, (cut - 1 for cut in cuts[1:]), strict=False))


def classes(words: Sequence[str], nouns: Sequence[str], contrary: Sequence[str]) -> list[Class]:
    """All cards, those of every word or contrary of a word, and of every two of these; fewer words first."""
    singles = [Class(1 << bit, 0, (word,)) for bit, word in enumerate(words)]
    singles += [Class(0, 1 << words.index(word), (f"not-{word}",)) for word in contrary if word in words]
    pairs = [Class(one.has | two.has, one.lacks | two.lacks, one.text + two.text)
             for one, two in combinations(singles, 2) if not (one.has | two.has) & (one.lacks | two.lacks)]
    order = {word: place for place, word in enumerate(nouns)}
    ordered = [one._replace(text=tuple(sorted(one.text, key=lambda word: order.get(word, -1)))) for one in pairs]
    return [Class(0, 0, ()), *singles, *ordered]


def _search(offered: Decisions, table: Table, last: int) -> Iterator[_Found]:
    """The situations that tell most, one after another, each among the decisions that none before it fits."""
    kinds = [_Counted(kind, classes(offered.words(name), offered.NOUNS, offered.CONTRARY), table, last)
             for kind, name in enumerate(offered.KINDS)]
    for _ in range(MOST):
        mean, deviation = (float(table["lost"].mean()), float(table["lost"].std())) if len(table) else (0.0, 0.0)
        if deviation == 0:
            return
        best = max((one.best(mean, deviation) for one in kinds), key=lambda one: one.score)
        if best.score < _DEVIATIONS:
            return
        yield best
        here = _fits(best, table)
        kinds[best.kind].forget(table[here])
        table = table[~here]


class _Counted:
    """For each two classes of cards played and held, in each part of a deal: how many decisions, and what they lost."""

    def __init__(self, kind: int, known: Sequence[Class], table: Table, last: int) -> None:
        self.kind, self.known = kind, known
        self.parts = parts_of(last) if table["trick"][table["kind"] == kind].any() else [BEFORE]
        self.number = np.zeros((len(self.parts), len(known), len(known)))
        self.lost = np.zeros_like(self.number)
        self.length = np.array([len(one.text) for one in known])
        self._add(table, 1)

    def forget(self, table: Table) -> None:
        """Take decisions away again."""
        self._add(table, -1)

    def _add(self, table: Table, sign: int) -> None:
        for place, (low, high) in enumerate(self.parts):
            some = table[(table["kind"] == self.kind) & (table["trick"] >= low) & (table["trick"] <= high)]
            played = np.stack([_has(one, some["words"]) for one in self.known], axis=1).astype(np.float64)
            held = np.stack([_is_held(one, some["others"]) for one in self.known], axis=1).astype(np.float64)
            self.number[place] += sign * (played.T @ held)
            self.lost[place] += sign * (played.T @ (held * some["lost"][:, None].astype(np.float64)))

    def best(self, mean: float, deviation: float) -> _Found:
        """The classes and tricks that tell most: those whose mean loss exceeds `mean` by the most standard errors."""
        parts = len(self.parts)
        ranges = sorted(combinations(range(parts + 1), 2), key=lambda one: one[0] - one[1])
        return max((self._best(low, high, mean, deviation, high - low < parts) for low, high in ranges),
                   key=lambda one: one.score)

    def _best(self, low: int, high: int, mean: float, deviation: float, said: bool) -> _Found:
        number, lost = self.number[low:high].sum(axis=0), self.lost[low:high].sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            score = np.where(number >= _FEWEST, (lost - number * mean) / (np.sqrt(number) * deviation), 0.0)
        score *= _PLAINER ** (self.length[:, None] + self.length[None, :] + said)
        row, column = divmod(int(np.argmax(score)), len(self.known))
        tricks = self.parts[low][0], self.parts[high - 1][1]
        return _Found(float(score[row, column]), self.kind, self.known[row], self.known[column], tricks)


def _has(one: Class, words: Any) -> Any:
    return (words & one.has == one.has) & (words & one.lacks == 0)


def _is_held(one: Class, others: Any) -> Any:
    there = (others & THERE) != 0
    return np.logical_or.reduce([_has(one, others[:, place]) & there[:, place] for place in range(OTHERS)])


def _fits(one: _Found, table: Table) -> Any:
    here = (table["kind"] == one.kind) & (table["trick"] >= one.tricks[0]) & (table["trick"] <= one.tricks[1])
    return here & _has(one.played, table["words"]) & _is_held(one.held, table["others"])


def _in_words(offered: Decisions, one: _Found, last: int) -> str:
    """The situation as a sentence without its subject, its words those of a policy."""
    kind = offered.KINDS[one.kind]
    does, thing, there, anything = offered.THINGS[kind]
    text = f"{does} {_card(offered, one.played, thing)}" if one.played.text else anything
    if one.held.text:
        text += f" while {_card(offered, one.held, thing)} is {there}"
    low, high = one.tricks
    if (low, high) in ((1, last), BEFORE):
        return text
    return f"{text}, {'trick' if low == high else 'tricks'} {low}{'' if low == high else f'-{high}'}"


def _card(offered: Decisions, one: Class, thing: str) -> str:
    noun = "" if one.text[-1] in offered.NOUNS else f" {thing}"
    text = " ".join(one.text) + noun
    return f"{'an' if text[0] in 'aeio' or text.startswith('honour') else 'a'} {text}"
