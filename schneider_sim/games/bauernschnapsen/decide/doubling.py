"""The heuristics for doubling: what each word of the section makes of a seat's cards, the contract and the level.

Source: docs/policies.md, "Words of Bauernschnapsen".
"""

import numpy as np

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ....compiled.philox import four_words
from ..call_words import ACES_TRUMPS, DOUBLE_EQUITY_AWARE, DOUBLE_SCORE_AWARE, DOUBLE_WHIM, THRESHOLD
from ..kernel import state as v
from ..kernel.bits import ACES, NOTHING, SUIT, popcount
from ..kernel.streams import DOUBLE_WHIMS
from ..words import PLUGIN
from .bidding import TRUST, equity_of_play, run_count
from .chances import CHANCES, LIKELY, chance_in, normal_score, scores_without_trumps
from .plugins import ask_to_double

TAKEN_OFF = 100  # hundredths: the log-odds that a hand loses once the rivals have doubled


@compiled(part="loop")
def _likely_to_score(r, s, seat, hand, trumps):
    """Whether the player's side is more likely than not to score, judged by its cards."""
    out_of_line()
    contract, level = s.contract, s.level
    aim, order = r.aim[contract], r.order[contract]
    defending, declarer = (seat ^ s.declarer) & 1 == 1, seat == s.declarer
    if aim == v.AIM_NORMAL:
        return normal_score(hand, s.trump, defending) >= LIKELY + (TAKEN_OFF if level else 0)
    if not trumps:  # of the defenders' own cards nothing tells enough about a contract without trumps
        return declarer and chance_in(r, scores_without_trumps(aim == v.AIM_NONE, hand), contract) >= TRUST
    if aim == v.AIM_ALL:
        return run_count(order, hand) == 5 if declarer else defending and run_count(order, hand & trumps) > 0
    return (defending or declarer) and run_count(order, hand & trumps) > (2 if declarer else 0)


@compiled(part="loop")
def double_word(r, s, word, seat, hand):
    """Whether one word says yes to raising the level."""
    out_of_line()
    contract = s.contract
    trumps = SUIT << 8 * s.trump if r.trumped[contract] else NOTHING
    if word >= PLUGIN:
        return ask_to_double(s, word - PLUGIN, seat, hand, trumps)
    if word == DOUBLE_WHIM:
        stream = DOUBLE_WHIMS + ((seat + s.caller) & 3)
        return four_words(s.deal, s.level, stream, s.seed)[0] < 1 << 30
    if word == ACES_TRUMPS:
        defending = (seat ^ s.declarer) & 1 == 1
        return contract == v.NORMAL and defending and popcount(hand & ACES) >= 2 and popcount(hand & trumps) >= 3
    return word == THRESHOLD and _likely_to_score(r, s, seat, hand, trumps)


@compiled(part="loop")
def _raises_equity(r, s, seat, worth):
    """Whether twice the worth is better for the match, by the chance that the own cards give in a normal game, TRUST
    elsewhere."""
    out_of_line()
    ours, theirs, chance = s.own_score[(seat & 1)], s.own_score[1 - (seat & 1)], np.int64(TRUST)
    if r.aim[s.contract] == v.AIM_NORMAL:
        score = normal_score(s.dealt[seat], s.trump, (seat ^ s.declarer) & 1 == 1) - (TAKEN_OFF if s.level else 0)
        chance = np.int64(CHANCES[min(max(score + len(CHANCES) // 2, 0), len(CHANCES) - 1)])
    return equity_of_play(r, ours, theirs, 2 * worth, chance) > equity_of_play(r, ours, theirs, worth, chance)


@compiled(part="loop")
def wants_double(r, me, s, seat):
    """Whether the seat raises the level now."""
    out_of_line()
    score_aware, equity_aware = me.filters >> DOUBLE_SCORE_AWARE & 1, me.filters >> DOUBLE_EQUITY_AWARE & 1
    if score_aware or equity_aware:
        worth = max(1, r.value[s.contract]) << s.level
        if s.own_score[(seat & 1)] + worth >= 24:
            return False
        if s.own_score[1 - (seat & 1)] + worth >= 24:
            return True
        if equity_aware and not _raises_equity(r, s, seat, worth):
            return False
    i, yes = 0, False
    while i < me.double.n and not yes:
        yes = double_word(r, s, me.double.words[i], seat, s.dealt[seat])
        i += 1
    return yes
