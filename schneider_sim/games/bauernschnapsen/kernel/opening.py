"""The opening of a deal: the pack shuffled and dealt, the caller's new deal and trumps.

Random words of a deal, by stream: 0 cards (blocks 0 to 4; a redeal takes the next five), 1 + seat ties,
9 + seat noise, 17 the choice of trumps (word of the relative seat; block = redeals), 18 the card turned up;
19, 23, 27 + seat samples for bids, trumps and cards; 31, 35 + seat whims of bids and doublings; 39 teams of a match.
Source: rules/bauernschnapsen.md section 1.
"""

import numpy as np

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ....compiled.philox import four_words
from .bits import JACKS, pick, place_of, suits_in
from .state import (
    ANNOUNCED,
    ASKED,
    DEALT,
    DECK,
    DOUBLED_BY,
    DOUBLINGS,
    FIRST,
    HAND,
    MUST_HOLD,
    ORDERED,
    OUT,
    P_TRUMP,
    SEEN,
    THREE_UNTERS,
    TRICKS,
    TRUMP,
    TURN_UP,
    TURNED,
)
from .units import CALLS, TRUMP_QUESTION, ask

CARD_STREAM, TIES_STREAM, NOISE_STREAM, TRUMP_STREAM, TURN_STREAM = 0, 1, 9, 17, 18
NEW_DEAL, TURN_ONE_UP, UNDECIDED = 5, 4, -1  # answers to the question of trumps, besides a suit from 0 to 3
CARD_BLOCKS = 5  # of four words each: nineteen draws
CARDS_AT, TIES_AT, LATE_AT, DECK_AT, SPARE_AT, ROWS = map(np.int64, (0, 20, 36, 44, 64, 104))  # places of words, decks
PACK_BITS = np.array([8 * suit + rank for suit in range(4) for rank in range(5)], np.int64)


@compiled(part="expression")
def shuffle(w, words, deck):
    """Lay a shuffled pack (bit numbers) in the 20 places of `w` from `deck` on, by nineteen draws with its words."""
    for i in range(20):
        w[deck + i] = PACK_BITS[i]
    for i in range(19):
        j = i + ((w[words + i] * (20 - i)) >> 32)
        w[deck + i], w[deck + j] = w[deck + j], w[deck + i]


@compiled(part="loop")
def redeal_words(deal, seed, redeals, w, words):
    """The card words of a later shuffle of the same deal into the places of `w` from `words` on."""
    out_of_line()
    for block in range(CARD_BLOCKS):
        four = four_words(deal, redeals * CARD_BLOCKS + block, CARD_STREAM, seed)
        for i in range(4):
            w[words + 4 * block + i] = np.int64(four[i])


@compiled(part="loop")
def hand_out(r, w, deck, s):
    """Start a play: clear the state and give every seat its cards."""
    for i in range(TRICKS, OUT):
        s[i] = 0
    for i in range(TRUMP, DOUBLINGS + 1):
        s[i] = 0
    for i in range(ANNOUNCED, DOUBLED_BY):
        s[i] = 0
    for seat in range(4):
        cards, first = 0, 0
        for i in range(5):
            card = 1 << w[deck + r[DECK + 5 * seat + i]]
            s[ORDERED + 5 * seat + i] = card
            cards |= card
            if i < r[SEEN]:
                first |= card
        s[HAND + seat] = s[DEALT + seat] = cards
        s[FIRST + seat] = first


@compiled(part="loop")
def name_trumps(r, p, me, s, seat, word, turn_word):
    """`seat` names trumps or turns up a card; True when it asks for a new deal instead."""
    first = s[FIRST + seat]
    may_redeal = r[THREE_UNTERS] and first & ~JACKS == 0
    suits = suits_in(first) if r[MUST_HOLD] else JACKS
    choice = UNDECIDED
    if p[me + P_TRUMP]:
        s[ASKED], s[ASKED + 1] = may_redeal, word
        choice = ask(CALLS, TRUMP_QUESTION, s, seat, suits)
    if choice == NEW_DEAL:
        return True
    if choice == TURN_ONE_UP:
        late = 3 if r[TURN_UP] == 1 else 3 + (turn_word >> 31)
        s[TURNED] = s[ORDERED + 5 * seat + late]
        s[TRUMP] = place_of(s[TURNED]) >> 3
        return False
    s[TRUMP] = choice if choice >= 0 else place_of(pick(suits, word)) >> 3
    return False
