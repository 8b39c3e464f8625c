"""The opening of a deal: the pack shuffled and dealt, the caller's new deal and trumps.

Source: docs/rules-bauernschnapsen.md section 1.
"""

import numpy as np

from ....compiled.jit import compiled
from ....compiled.lanes import out_of_line
from ....compiled.philox import four_words
from . import state as v
from .bits import JACKS, pick, place_of, suits_in
from .streams import CARDS
from .units import CALLS, ROLLOUT, SUIT_QUESTION, TRUMP_QUESTION, ask

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
        four = four_words(deal, redeals * CARD_BLOCKS + block, CARDS, seed)
        for i in range(4):
            w[words + 4 * block + i] = np.int64(four[i])


@compiled(part="loop")
def forget(s):
    """Clear what the calls and the cards of a play leave in the state."""
    for seat in range(4):
        s.tricks[seat] = s.points[seat] = s.marriages[seat] = 0
    s.contract = s.declarer = s.level = s.leader = s.away = s.done = s.played = s.first_tricks = s.last_winner = 0
    s.just = s.routed = s.how = s.team = s.worth = s.calls = 0
    for turn in range(5):
        s.announced[turn] = 0
        for place in range(4):
            s.cards[4 * turn + place] = 0


@compiled(part="loop")
def hand_out(r, w, deck, s):
    """Start a play: clear the state and give every seat its cards."""
    forget(s)
    s.trump = s.turned = s.redeals = 0
    for seat in range(4):
        cards, first = 0, 0
        for i in range(5):
            card = 1 << w[deck + r.deck[5 * seat + i]]
            s.ordered[5 * seat + i] = card
            cards |= card
            if i < r.seen:
                first |= card
        s.hand[seat] = s.dealt[seat] = cards
        s.first[seat] = first


@compiled(part="loop")
def name_trumps(r, me, s, seat, word, turn_word):
    """`seat` names trumps or turns up a card; True when it asks for a new deal instead."""
    first = s.first[seat]
    may_redeal = r.three_unters and first & ~JACKS == 0
    suits = suits_in(first) if r.must_hold else JACKS
    choice = UNDECIDED
    if me.trump.n:
        s.asked[0], s.asked[1] = may_redeal, word
        choice = ask(CALLS, TRUMP_QUESTION, s, seat, suits)
    if choice == NEW_DEAL:
        return True
    if me.search == v.ROLLOUT:
        s.asked[0] = choice if choice >= 0 else place_of(pick(suits, word)) >> 3
        choice = ask(ROLLOUT, SUIT_QUESTION, s, seat, suits)
    if choice == TURN_ONE_UP:
        turn_one_up(r, s, seat, turn_word)
    else:
        s.trump = choice if choice >= 0 else place_of(pick(suits, word)) >> 3
    return False


@compiled(part="expression")
def turn_one_up(r, s, seat, word):
    """Turn up one of the cards that a seat has not seen yet; its suit is trumps."""
    late = 3 if r.turn_up == 1 else 3 + (word >> 31)
    s.turned = s.ordered[5 * seat + late]
    s.trump = place_of(s.turned) >> 3
