"""The table of all endgames where they are made of runs: filled once, one byte a position, found without a search.

A position's key is the sum of a random word for each of its runs; a suit's share of it comes from one table, by the
suit's cards as a number in base three (0 nobody's, 1 the leader's, 2 the other's). Key to place is a perfect hash:
the bucket's displacement is chosen so that no two positions share a place. Since every position is in the table, no
key needs to be kept.
Source: Belazzougui, Botelho, Dietzfelbinger, "Hash, displace, and compress" (ESA 2009).
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import uint64

from ....compiled.jit import compiled
from .addresses import read_int8, read_uint32
from .runs import MOST, RANKS, kinds_of_runs, partial_positions

STATES = 3**RANKS  # of a suit
MIX = np.uint64(0x9E3779B97F4A7C15)
_WORD_BITS = 64
_SALTS, _TRIES = 16, 1 << 16


class Endgames(NamedTuple):
    """The table as compiled code reads it: where its parts lie in memory, since arrays would cost references counted.

    keys: uint64[2, 3**8], a suit's share of the key with the leader's cards as 1, as 2; powers: int64[256], the cards
    of a suit (8 bits) in base three; displacement: uint32[2**bits]; values: int8, honours that the leader wins from
    here on, minus those of the other; bucket_shift, slot_shift: which bits of a key say its bucket, its place.
    """

    keys: int
    powers: int
    displacement: int
    values: int
    bucket_shift: np.uint64
    slot_shift: np.uint64


class Made(NamedTuple):
    """A table and its parts, which must live as long as it is used."""

    table: Endgames
    parts: tuple[npt.NDArray[Any], ...]


NO_TABLE = Endgames(0, 0, 0, 0, np.uint64(0), np.uint64(0))


def _powers_of_three() -> npt.NDArray[np.int64]:
    return np.array([sum(3**rank for rank in range(RANKS) if cards >> rank & 1) for cards in range(256)], np.int64)


def make_table(ring: bool) -> Made:
    """The table of all positions of up to six cards a hand; ring: whether a seven captures the ace of its suit."""
    runs, bits = kinds_of_runs(ring), (15, 19) if ring else (13, 17)  # buckets, places
    shifts = np.uint64(_WORD_BITS - bits[0]), np.uint64(_WORD_BITS - bits[1])
    for salt in range(_SALTS):
        words = np.random.Generator(np.random.Philox(salt)).integers(0, 2**64, len(runs.owner), np.uint64)
        keys, last, parent, hand = _list_positions(runs.cards, words, partial_positions(runs))
        displacement, placed = _place(keys[hand >= 0], *shifts, 1 << bits[0], 1 << bits[1])
        if placed:
            break
    else:
        raise AssertionError("no salt places all positions")
    parts = _suit_keys(runs, words), _powers_of_three(), displacement, np.zeros(1 << bits[1], np.int8)
    keys_at, powers_at, displacement_at, values_at = (part.ctypes.data for part in parts)
    table = Endgames(keys_at, powers_at, displacement_at, values_at, *shifts)
    _fill(runs, words, words[runs.swapped], table, parts[-1], keys, last, parent, hand)
    return Made(table, parts)


@compiled(part="expression")
def place_of_key(table, key):
    """Where the value of the position with this key lies."""
    seed = uint64(read_uint32(table.displacement, key >> table.bucket_shift))
    return ((key ^ seed) * MIX) >> table.slot_shift


@compiled(part="expression")
def value_of_key(table, key):
    """The value of the position with this key, to the player on lead: own honours from here on minus the other's."""
    return read_int8(table.values, place_of_key(table, key))


@compiled
def _list_positions(cards, words, count):
    """Every multiset of runs with at most six cards a hand: key, last kind, the multiset without it, cards of a hand.

    The last is -1 where the hands are not equal, so that it is no position at a lead.
    """
    keys, last, parent = np.zeros(count, np.uint64), np.zeros(count, np.int64), np.zeros(count, np.int64)
    held, hand = np.zeros((count, 2), np.int64), np.zeros(count, np.int64)
    n = 1
    for old in range(count):
        for kind in range(last[old], len(words)):
            mine, theirs = held[old, 0] + cards[kind, 0], held[old, 1] + cards[kind, 1]
            if mine <= MOST and theirs <= MOST:
                keys[n], last[n], parent[n] = keys[old] + words[kind], kind, old
                held[n, 0], held[n, 1] = mine, theirs
                hand[n] = mine if mine == theirs else -1
                n += 1
    return keys, last, parent, hand


@compiled
def _place(keys, bucket_shift, slot_shift, buckets, slots):
    """A displacement for each bucket so that all keys have places of their own; False if there is none."""
    begin, displacement = np.zeros(buckets + 1, np.int64), np.zeros(buckets, np.uint32)
    for key in keys:
        begin[np.int64(key >> bucket_shift) + 1] += 1
    members, filled, most = np.empty(len(keys), np.uint64), np.zeros(buckets + 1, np.int64), 0
    for number in range(buckets):
        most = max(most, begin[number + 1])
        begin[number + 1] += begin[number]
        filled[number] = begin[number]
    for key in keys:
        bucket = np.int64(key >> bucket_shift)
        members[filled[bucket]] = key
        filled[bucket] += 1
    taken, mine = np.zeros(slots, np.bool_), np.empty(most, np.int64)
    for size in range(most, 0, -1):
        for number in range(buckets):
            start = begin[number]
            if begin[number + 1] - start != size:
                continue
            done = False
            for seed in range(_TRIES):
                done = True
                for k in range(size):
                    slot = np.int64(((members[start + k] ^ uint64(seed)) * MIX) >> slot_shift)
                    if taken[slot]:
                        for j in range(k):
                            taken[mine[j]] = False
                        done = False
                        break
                    taken[slot], mine[k] = True, slot
                if done:
                    displacement[number] = seed
                    break
            if not done:
                return displacement, False
    return displacement, True


@compiled
def _suit_keys(runs, words):
    """uint64[2, 3**8]: the sum of the words of a suit's runs, with the leader's cards as digit 1, as digit 2."""
    keys, owner = np.zeros((2, STATES), np.uint64), np.empty(RANKS, np.int64)
    for state in range(STATES):
        rest = state
        for rank in range(RANKS):
            owner[rank] = rest % 3 - 1
            rest //= 3
        uncut = runs.closed[0] >= 0
        for rank in range(RANKS):
            if owner[rank] < 0:
                uncut = False
                continue
            before = owner[(rank + 7) & 7] if rank or runs.closed[0] >= 0 else -1
            if before == 1 - owner[rank]:
                continue  # it goes on a run that begins below
            uncut, length = False, 1
            while length < RANKS and owner[(rank + length) & 7] == owner[rank] ^ length & 1 and (
                    rank + length < RANKS or runs.closed[0] >= 0):
                length += 1
            for side in range(2):
                keys[side, state] += words[runs.open[owner[rank] ^ side, rank, length]]
        if uncut:
            for side in range(2):
                keys[side, state] += words[runs.closed[owner[0] ^ side]]
    return keys


@compiled(part="expression")
def _word(words, kind):
    return words[kind] if kind >= 0 else uint64(0)


@compiled(part="loop")
def _changes(runs, words):
    """uint64[kinds, 8]: what playing a card of a run adds to a position's key."""
    changes = np.zeros(runs.below.shape, np.uint64)
    for kind in range(len(words)):
        for card in range(runs.length[kind]):
            left = _word(words, runs.below[kind, card]) + _word(words, runs.above[kind, card])
            changes[kind, card] = left - words[kind]
    return changes


@compiled
def _fill(runs, words, turned_words, table, values, keys, last, parent, hand):
    """The value of every position, from those of one card a hand to those of six."""
    changes = _changes(runs, words)
    kinds, times = np.empty(2 * MOST, np.int64), np.empty(2 * MOST, np.int64)
    whose, change, honour = (np.empty(2 * MOST, np.int64), np.empty(2 * MOST, np.uint64), np.empty(2 * MOST, np.int64))
    for cards in range(1, MOST + 1):
        for position in range(len(keys)):
            if hand[position] != cards:
                continue
            n, node, turned = 0, position, uint64(0)
            while node:
                turned += turned_words[last[node]]
                if n and kinds[n - 1] == last[node]:
                    times[n - 1] += 1
                else:
                    kinds[n], times[n] = last[node], 1
                    n += 1
                node = parent[node]
            replies = 0
            for i in range(n):
                for card in range(1 - runs.owner[kinds[i]], runs.length[kinds[i]], 2):
                    whose[replies], change[replies] = i, changes[kinds[i], card]
                    honour[replies] = runs.honours[kinds[i]] >> card & 1
                    replies += 1
            best = -99
            for i in range(n):
                kind = kinds[i]
                for card in range(runs.owner[kind], runs.length[kind], 2):
                    key, led = keys[position] + changes[kind, card], runs.honours[kind] >> card & 1
                    worst = _in_the_same_run(runs, words, turned_words, changes, table, kind, card, key, turned)
                    for j in range(replies):
                        if worst <= best:
                            break
                        if whose[j] != i or times[i] > 1:
                            worst = min(worst, led + honour[j] + value_of_key(table, key + change[j]))
                    best = max(best, worst)
            values[place_of_key(table, keys[position])] = best


@compiled(part="loop")
def _in_the_same_run(runs, words, turned_words, changes, table, kind, card, key, turned):
    """The least that leading a card is worth when the reply is of its own run; 99 where there is no such reply."""
    worst, led = 99, runs.honours[kind] >> card & 1
    below, above = runs.below[kind, card], runs.above[kind, card]
    if above >= 0:
        honours = led + (runs.honours[above] & 1)
        after = turned - turned_words[kind] + _word(turned_words, below) + _word(turned_words, runs.above[above, 0])
        worst = -honours - value_of_key(table, after)
        for reply in range(2, runs.length[above], 2):
            honours = led + (runs.honours[above] >> reply & 1)
            worst = min(worst, honours + value_of_key(table, key + changes[above, reply]))
    if below >= 0:
        for reply in range(1 - runs.owner[below], runs.length[below], 2):
            honours = led + (runs.honours[below] >> reply & 1)
            worst = min(worst, honours + value_of_key(table, key + changes[below, reply]))
    return worst
