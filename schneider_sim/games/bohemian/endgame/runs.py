"""Runs: what a position of the last six tricks consists of where only the next rank of a suit captures.

A run is a maximal chain of cards of one suit of which each is captured by the next, cut where both neighbours lie in
one hand: there the one can never capture the other. Its cards lie in the two hands in turn. Nothing else of a position
matters, so a position is a multiset of runs and who leads. Where a seven captures its ace, the ranks close to a ring.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

RANKS = 8
FIRST_HONOUR = 3  # from the ten on
MOST = 6  # cards of a hand

Integers = npt.NDArray[np.int64]


class Runs(NamedTuple):
    """The kinds of runs, by number; owner 0 is the player on lead. Cards of a run count from its lowest, 0.

    cards: int64[kinds, 2], those of each owner; owner: of the lowest card; length; honours: a bit for each card that is
    one; below, above: int64[kinds, 8], what is left of a run on either side of a card that is played, -1 for nothing;
    swapped: the kind with owners exchanged; open: int64[2, 8, 9], the kind by owner, lowest rank and length; closed:
    int64[2], the whole ring of a suit by the owner of its seven, -1 where there is none.
    """

    cards: Integers
    owner: Integers
    length: Integers
    honours: Integers
    below: Integers
    above: Integers
    swapped: Integers
    open: Integers
    closed: Integers


def kinds_of_runs(ring: bool) -> Runs:
    """All runs that two hands of six cards may hold; ring: whether a seven captures the ace of its suit."""
    known: dict[tuple[int, int, int], int] = {}  # owner, length, honours -> kind
    open_kinds = np.full((2, RANKS, RANKS + 1), -1)
    for length in range(1, RANKS + 1):
        for low in range(RANKS if ring else RANKS + 1 - length):
            honours = sum(1 << k for k in range(length) if (low + k) % RANKS >= FIRST_HONOUR)
            for owner in range(2):
                open_kinds[owner, low, length] = known.setdefault((owner, length, honours), len(known))
    closed = np.array([len(known), len(known) + 1] if ring else [-1, -1])
    whole = sum(1 << k for k in range(FIRST_HONOUR, RANKS))
    rows = [*known, *((owner, RANKS, whole) for owner in range(2) if ring)]
    below, above = np.full((2, len(rows), RANKS), -1)
    swapped = np.empty(len(rows), np.int64)
    for kind, (owner, length, honours) in enumerate(rows):
        if kind in closed:
            swapped[kind] = closed[1 - owner]
            for card in range(RANKS):
                above[kind, card] = open_kinds[owner ^ (card + 1) & 1, (card + 1) % RANKS, RANKS - 1]
            continue
        swapped[kind] = known[1 - owner, length, honours]
        for card in range(length):
            if card:
                below[kind, card] = known[owner, card, honours & (1 << card) - 1]
            if card + 1 < length:
                above[kind, card] = known[owner ^ (card + 1) & 1, length - card - 1, honours >> card + 1]
    cards = np.array([[(length + 1 - owner) // 2, (length + owner) // 2] for owner, length, _ in rows])
    owners, lengths, honours_of = np.array(rows).T.copy()
    return Runs(cards, owners, lengths, honours_of, below, above, swapped, open_kinds, closed)


def partial_positions(runs: Runs) -> int:
    """How many multisets of runs there are with at most six cards in either hand."""
    ways = np.zeros((MOST + 1, MOST + 1), np.int64)
    ways[0, 0] = 1
    for mine, theirs in runs.cards:
        for a in range(mine, MOST + 1):
            for b in range(theirs, MOST + 1):
                ways[a, b] += ways[a - mine, b - theirs]
    return int(ways.sum())
