"""The heuristics for trumps and bids: what each word of those sections makes of the cards a seat has seen.

A list of words is asked in order; the first that decides wins. Source: docs/policies.md, "Words of Bauernschnapsen".
"""

import json
from importlib import resources

import numpy as np

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ....compiled.philox import four_words
from ..call_words import (
    ACE,
    ASS_BETTLER,
    BAUER,
    BETTLER_LOW,
    BID_EQUITY_AWARE,
    BID_SCORE_AWARE,
    CALL_WORDS,
    IF_BETTER,
    KEEP_ACES,
    KONTRA,
    LONGEST,
    MARRIAGE,
    MOST_CODES,
    REDEAL_UNTERS,
    RINGERL,
    SCHNAPSER,
    SURE,
    TEN_GUARDED,
    TURN_UP_WEAK,
    WEIGHTED,
)
from ..kernel import state as v
from ..kernel.bits import (
    ACELOW,
    ACES,
    ALL,
    JACKS,
    KINGHIGH,
    KINGS,
    NOTHING,
    QUEENHIGH,
    QUEENS,
    STD,
    SUIT,
    TENS,
    bottom_run,
    pairs_in,
    pick,
    place_of,
    points_in,
    popcount,
    suits_in,
    top_run,
    topmost,
)
from ..kernel.opening import NEW_DEAL, TURN_ONE_UP, UNDECIDED
from ..kernel.streams import BID_WHIMS
from ..words import PLUGIN

LOW_CONTRACTS = np.array([v.PLAUDERER, v.BETTLER, v.ASS_BETTLER, v.ASSENBETTLER], np.int64)  # the dearest first
HIGH_CONTRACTS = np.array([v.GANG, v.ZEHNERGANG, v.KOENIGSGANG, v.DAMENGANG], np.int64)
NORMAL_WORTH = 700  # thousandths of a game point that a normal game is worth to the caller's side
NORMAL_TRUST = 600  # the chance in thousandths that the caller's side scores in a normal game
TRUST = 750  # the chance in thousandths that a standing special contract is made
WORD_CHANCES = np.zeros(MOST_CODES, np.int64)
for _word in CALL_WORDS["bid"].values():
    WORD_CHANCES[_word.code] = _word.chance


def _match_equity() -> "np.ndarray":
    """int64[25 * 25]: the chance in thousandths to win a match from (own, other score), as if every deal brought
    either side 1 to 9 points with equal chances."""
    chance = np.zeros((25, 25))
    chance[24, :24] = 1.0
    for ours in range(23, -1, -1):
        for theirs in range(23, -1, -1):
            chance[ours, theirs] = sum(chance[min(ours + n, 24), theirs] + chance[ours, min(theirs + n, 24)]
                                       for n in range(1, 10)) / 18
    return np.rint(1000 * chance).astype(np.int64).ravel()


EQUITY = _match_equity()
# The same by how deals of `classic` against itself end, in hundred-thousandths: scripts/bench/match_equity.py.
_PLAYED = json.loads((resources.files(__package__) / "equity.json").read_text(encoding="utf-8"))
PLAYED_EQUITY, COMMON_EQUITY = (np.array(_PLAYED[name], np.int64).ravel() for name in ("full", "common"))


@compiled(part="expression")
def _suit_score(word, cards):
    """How a word rates a suit by the cards seen of it, at least one; less than 0 where it does not want the suit."""
    n, points, has_ace = popcount(cards), points_in(cards), cards & ACES != 0
    if word == WEIGHTED:
        return points + 6 * n
    fits = (word == LONGEST or (word == MARRIAGE and pairs_in(cards) != 0) or (word == ACE and has_ace)
            or (word == KEEP_ACES and not has_ace and n >= 2) or (word == TEN_GUARDED and cards & TENS != 0 and n >= 2))
    return 100 * n + points if fits else NOTHING - 1


@compiled(part="loop")
def _best_suit(word, first, suits, tie):
    """The suit that `word` prefers, by the highest score with ties at random; UNDECIDED when none qualifies."""
    out_of_line()
    best, where = NOTHING - 1, 0
    for suit in range(4):
        whole = SUIT << 8 * suit
        cards = first & whole
        if not suits & whole or not cards:
            continue
        score = _suit_score(word, cards)
        if score > best:
            best, where = score, 0
        if score == best and score >= 0:
            where |= 1 << 8 * suit
    return place_of(pick(where, tie)) >> 3 if where else UNDECIDED


@compiled(part="loop")
def trump_word(r, word, first, suits, may_redeal, tie):
    """What one word says: a suit from 0 to 3, TURN_ONE_UP, NEW_DEAL, or UNDECIDED."""
    out_of_line()
    if word == REDEAL_UNTERS:
        return NEW_DEAL if may_redeal else UNDECIDED
    if word == TURN_UP_WEAK:
        weak = popcount(suits_in(first)) == 3 and first & (ACES | TENS) == 0 and pairs_in(first) == 0
        return TURN_ONE_UP if weak and r.turn_up else UNDECIDED
    return _best_suit(word, first, suits, tie)


@compiled(part="expression")
def run_count(order, cards):
    """How many of the cards have every higher card of their suit beside them."""
    return popcount(topmost(order, cards, ALL & ~cards))


@compiled(part="expression")
def _bit(contract, when):
    return 1 << contract if when else 0


@compiled(part="loop")
def _sure(r, hand):
    """Contracts without trumps that the hand cannot lose, whoever holds what.

    All cards of each suit held are its highest (lowest) ones; as many aces, tens ... as suits is asked first, since
    few hands pass it.
    """
    out_of_line()
    suits, found = popcount(suits_in(hand)), 0
    if popcount(hand & ACES) == suits:
        found |= _bit(v.GANG, top_run(STD, hand)) | _bit(v.ASSENBETTLER, suits > 1 and bottom_run(ACELOW, hand))
    if popcount(hand & TENS) == suits:
        found |= _bit(v.ZEHNERGANG, top_run(ACELOW, hand))
    if popcount(hand & KINGS) == suits:
        found |= _bit(v.KOENIGSGANG, top_run(KINGHIGH, hand))
    if popcount(hand & QUEENS) == suits:
        found |= _bit(v.DAMENGANG, top_run(QUEENHIGH, hand))
    if popcount(hand & JACKS) == suits and suits > 1 and bottom_run(STD, hand):
        found |= 1 << v.BETTLER | 1 << v.PLAUDERER
    low = 1 << v.BETTLER | 1 << v.PLAUDERER | 1 << v.ASSENBETTLER
    return found & ~low if r.away_partner[v.BETTLER] else found  # else the higher cards may lie unused


@compiled(part="loop")
def _bettler_low(hand):
    """No-trick contracts on low cards: no two highest ranks, at most one third, two lowest ranks at least."""
    unters, kings, queens = popcount(hand & JACKS), popcount(hand & KINGS), popcount(hand & QUEENS)
    plain = hand & (ACES | TENS) == 0 and kings <= 1 and unters >= 2
    low = popcount(hand & ACES) + unters
    ace_low = hand & (TENS | KINGS) == 0 and queens <= 1 and low >= 3
    return _bit(v.BETTLER, plain) | _bit(v.ASSENBETTLER, ace_low)


@compiled(part="loop")
def _covered_ace(hand):
    """Ass-Bettler: one ace with two small cards of its suit below it, or alone, and nothing else above a Queen."""
    ace = hand & ACES
    if popcount(ace) != 1 or hand & (TENS | KINGS):
        return 0
    beside = popcount(hand & (SUIT << (place_of(ace) & 24))) - 1
    return _bit(v.ASS_BETTLER, beside != 1 and popcount(hand & JACKS) >= 2)


@compiled(part="loop")
def _with_trumps(word, seat, hand, trumps):
    """The Schnapser and Bauernschnapser families: a long trump suit from the top."""
    out_of_line()
    mine = hand & trumps
    n, aces = popcount(mine), popcount(hand & ACES)
    high = mine & ACES != 0 and mine & TENS != 0
    three = high and n >= 3 and aces >= 2
    forty = seat == 0 and mine & ACES != 0 and pairs_in(mine) != 0
    if word == SCHNAPSER:
        return (_bit(v.SCHNAPSER, three or forty) | _bit(v.SCHNAPSER_MIT_MANN, three or forty)
                | _bit(v.FREUNDSCHAFTSSCHNAPSER, three or (high and n >= 3)))
    runs, low_runs = run_count(STD, hand), run_count(ACELOW, hand)
    every = (n >= 3 and runs == 5) or (n >= 4 and runs >= 4)
    if word == BAUER:
        return _bit(v.BAUERNSCHNAPSER, every) | _bit(v.BAUERNLOCH, n >= 3 and low_runs == 5)
    if word == KONTRA:
        return _bit(v.KONTRASCHNAPSER, three and n + aces >= 6) | _bit(v.KONTRABAUERNSCHNAPSER, n >= 3 and runs == 5)
    return 0


@compiled(part="loop")
def whim(s, seat, legal):
    """One of the legal contracts (bits) at random, one time in three; else 0."""
    out_of_line()
    four = four_words(s.deal, s.calls, BID_WHIMS + ((seat + s.caller) & 3), s.seed)
    if not legal or (np.int64(four[0]) * 3) >> 32:
        return 0
    for _ in range((np.int64(four[1]) * popcount(legal)) >> 32):
        legal &= legal - 1
    return place_of(legal)


@compiled(part="loop")
def proposals(r, word, seat, hand, trumps):
    """The contracts that a word would bid on these cards, as bits, whether or not they are legal now."""
    out_of_line()
    if word == RINGERL:
        return 1 << v.FARBENRINGERL | 1 << v.TRUMPFFARBENRINGERL if popcount(suits_in(hand)) == 1 else 0
    if word == SURE:
        return _sure(r, hand)
    if word == BETTLER_LOW:
        return _bettler_low(hand)
    if word == ASS_BETTLER:
        return _covered_ace(hand)
    return _with_trumps(word, seat, hand, trumps)


@compiled(part="expression")
def chance_of(word):
    """The chance in thousandths that a contract bid on a word is made; a user's word is trusted like a standing
    contract."""
    return TRUST if word >= PLUGIN else WORD_CHANCES[word]


@compiled(part="expression")
def worth_of_standing(r, seat, high, high_seat):
    """What the standing contract is worth to the seat's side, in thousandths of a game point."""
    worth = NORMAL_WORTH if high == v.NORMAL else (2 * TRUST - 1000) * r.value[high]
    return worth if (seat ^ high_seat) & 1 == 0 else -worth


@compiled(part="expression")
def _equity(table, ours, theirs, value, chance):
    """The chance of the match, in thousandths of the table's unit, if the own side scores `value` with a chance in
    thousandths, else theirs."""
    won = table[25 * min(ours + value, 24) + theirs]
    lost = table[25 * ours + min(theirs + value, 24)]
    return chance * won + (1000 - chance) * lost


@compiled(part="loop")
def equity_of_play(r, ours, theirs, value, chance):
    """`_equity` by the table of played deals for the contracts that the rules allow."""
    out_of_line()
    if r.bidders[v.PLAUDERER]:
        return _equity(PLAYED_EQUITY, ours, theirs, value, chance)
    return _equity(COMMON_EQUITY, ours, theirs, value, chance)


@compiled(part="loop")
def passes_filters(r, s, filters, seat, contract, high, high_seat, chance):
    """Whether a proposed bid passes the filters, of which `filters` has a bit for each word."""
    out_of_line()
    value = r.value[contract]
    if filters >> IF_BETTER & 1 and (2 * chance - 1000) * value <= worth_of_standing(r, seat, high, high_seat):
        return False
    if not filters >> BID_SCORE_AWARE & 1 and not filters >> BID_EQUITY_AWARE & 1:
        return True
    trust, worth = (NORMAL_TRUST, 2) if high == v.NORMAL else (TRUST, r.value[high])
    if (seat ^ high_seat) & 1:
        trust = 1000 - trust
    ours, theirs = s.own_score[(seat & 1)], s.own_score[1 - (seat & 1)]
    if filters >> BID_EQUITY_AWARE & 1 and equity_of_play(r, ours, theirs, value, chance) <= equity_of_play(
            r, ours, theirs, worth, trust):
        return False
    return not filters >> BID_SCORE_AWARE & 1 or _equity(EQUITY, ours, theirs, value, chance) > _equity(
        EQUITY, ours, theirs, worth, trust)
