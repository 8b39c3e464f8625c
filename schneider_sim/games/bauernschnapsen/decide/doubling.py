"""The heuristics for doubling: what each word of the section makes of a seat's cards, the contract and the level.

Source: rules/bauernschnapsen.md section 11.
"""

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ....compiled.philox import four_words
from ..kernel import state as v
from ..kernel.bits import ACES, NOTHING, SUIT, popcount
from ..words import PLUGIN
from .bidding import TRUST, run_count
from .chances import LIKELY, chance_in, normal_score, scores_without_trumps
from .plugins import ask_to_double

THRESHOLD, ACES_TRUMPS, DOUBLE_WHIM, DOUBLE_SCORE_AWARE = range(4)
DOUBLE_WHIM_STREAM = 35  # + the seat as seated
TAKEN_OFF = 100  # hundredths: the log-odds that a hand loses once the rivals have doubled


@compiled(part="loop")
def double_word(r, s, word, seat, hand):
    """Whether one word says yes to raising the level."""
    out_of_line()
    contract, level = s[v.CONTRACT], s[v.LEVEL]
    if word == DOUBLE_WHIM:
        return four_words(s[v.DEAL], level, DOUBLE_WHIM_STREAM + ((seat + s[v.CALLER]) & 3), s[v.SEED])[0] < 1 << 30
    aim, order = r[v.AIM + contract], r[v.ORDER + contract]
    trumps = SUIT << 8 * s[v.TRUMP] if r[v.TRUMPED + contract] else NOTHING
    if word >= PLUGIN:
        return ask_to_double(s, word - PLUGIN, seat, hand, trumps)
    defending = (seat ^ s[v.DECLARER]) & 1 == 1
    if word == ACES_TRUMPS:
        return aim == v.AIM_NORMAL and defending and popcount(hand & ACES) >= 2 and popcount(hand & trumps) >= 3
    if aim == v.AIM_NORMAL:
        return normal_score(hand, s[v.TRUMP], defending) >= LIKELY + (TAKEN_OFF if level else 0)
    declarer = seat == s[v.DECLARER]
    if not trumps:  # of the defenders' own cards nothing tells enough about a contract without trumps
        return declarer and chance_in(r, scores_without_trumps(aim == v.AIM_NONE, hand), contract) >= TRUST
    if aim == v.AIM_ALL:
        return run_count(order, hand) == 5 if declarer else defending and run_count(order, hand & trumps) > 0
    return (defending or declarer) and run_count(order, hand & trumps) > (2 if declarer else 0)


@compiled(part="loop")
def wants_double(r, p, me, s, seat):
    """Whether the seat raises the level now."""
    out_of_line()
    score_aware = False
    for i in range(1, p[me + v.P_DOUBLE] + 1):
        score_aware |= p[me + v.P_DOUBLE + i] == DOUBLE_SCORE_AWARE
    if p[me + v.P_DOUBLE] == score_aware:
        return False
    if score_aware:
        worth = max(1, r[v.VALUE + s[v.CONTRACT]]) << s[v.LEVEL]
        if s[v.OWN_SCORE + (seat & 1)] + worth >= 24:
            return False
        if s[v.OWN_SCORE + 1 - (seat & 1)] + worth >= 24:
            return True
    for i in range(1, p[me + v.P_DOUBLE] + 1):
        word = p[me + v.P_DOUBLE + i]
        if word != DOUBLE_SCORE_AWARE and double_word(r, s, word, seat, s[v.DEALT + seat]):
            return True
    return False
