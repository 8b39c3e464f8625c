"""No decision may depend on what its player cannot see: hidden hands are dealt anew and every decision stays the same.

The kernel decides in a state vector; here the state at each decision of played deals is taken, the hidden cards are
changed within what the rules allow, and the same decision is asked for again.
"""

import numba
import numpy as np
import pytest

from schneider_sim.games import Match
from schneider_sim.games.bauernschnapsen import units
from schneider_sim.games.bauernschnapsen import vectors as v
from schneider_sim.games.bauernschnapsen.auction import calls_unit
from schneider_sim.games.bauernschnapsen.cells import cells
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.playing import decide
from schneider_sim.games.bauernschnapsen.policies import BID, DOUBLE, TRUMP, policy_vector
from schneider_sim.games.bauernschnapsen.preferences import cards_unit
from schneider_sim.games.bauernschnapsen.referee import PACK
from schneider_sim.games.bauernschnapsen.run import play_one
from schneider_sim.games.bauernschnapsen.search import search_unit
from schneider_sim.games.bauernschnapsen.words import WORDS as PREFERENCES

parse = GAME.grammar.parse
RULES = GAME.rules()
R = v.rules_vector(RULES)


@numba.njit
def choose(rules, players, me, state, section, seat, allowed):
    words = np.zeros(104, np.int64)
    return decide(cells(rules, 0), cells(players, 0), me, cells(state, 0), cells(words, 0), section, seat, allowed)


def with_units(state):
    for place, unit in enumerate((calls_unit, cards_unit, search_unit)):
        state[v.UNITS + place] = units.address(unit)
    return state


def reshuffled(state, seat, generator, known):
    """The state with the cards that `seat` does not know dealt anew among the others, each as many as before."""
    other = state.copy()
    hidden = [PACK.bit(card) for s in range(4) if s != seat for card in PACK.names(int(state[v.HAND + s]) & ~known)]
    hidden = list(generator.permutation(hidden))
    for s in range(4):
        if s == seat:
            continue
        out = int(state[v.DEALT + s]) & ~int(state[v.HAND + s])
        kept = int(state[v.HAND + s]) & known
        n = len(PACK.names(int(state[v.HAND + s]) & ~known))
        hand = kept | sum(1 << int(hidden.pop()) for _ in range(n))
        other[v.HAND + s], other[v.DEALT + s], other[v.FIRST + s] = hand, hand | out, 0
        other[v.ORDERED + 5 * s : v.ORDERED + 5 * s + 5] = [1 << PACK.bit(c) for c in PACK.names(hand | out)]
    return other


def positions(text, deals):
    """States before a card, rebuilt from played deals: (state, seat, allowed, whether leading)."""
    match = Match(RULES, parse(text), parse(text), seed=3)
    for deal in range(deals):
        final = play_one(match, deal, "A")
        if final[v.HOW] == v.END_DECLARED:
            continue
        stop = int(final[v.DONE])
        turn = deal % max(1, min(3, stop))
        s = final.copy()
        s[v.TRICKS : v.OUT] = 0
        s[v.PLAYED] = s[v.FIRST_TRICKS] = s[v.JUST] = 0
        s[v.HAND : v.HAND + 4] = s[v.DEALT : v.DEALT + 4]
        for t in range(turn):
            leader, winner = int(s[v.TRICK_LEADER + t]), int(s[v.TRICK_WINNER + t])
            table = [int(c) for c in s[v.CARDS + 4 * t : v.CARDS + 4 * t + 4]]
            for place, card in enumerate(table):
                s[v.HAND + (leader + place) % 4] &= ~card
            s[v.TRICKS + winner] += 1
            s[v.POINTS + winner] += 20
            s[v.BEFORE + t] = s[v.PLAYED]
            s[v.PLAYED] |= sum(table)
        s[v.DONE], s[v.LEADER] = turn, s[v.TRICK_LEADER + turn]
        s[v.PLACE] = s[v.LED] = s[v.TABLE] = 0
        s[v.BEAT], s[v.BEST_SEAT] = 0x1F1F1F1F, s[v.LEADER]
        s[v.POSSIBLE : v.POSSIBLE + 4] = 0x1F1F1F1F
        s[v.PROVEN : v.PROVEN + 4] = 0
        yield with_units(s), int(s[v.LEADER]), int(s[v.HAND + s[v.LEADER]])


WORDS = [f"{section}: {word}" for word, entry in PREFERENCES.items() for section in entry.sections]


FORGETFUL = ["cautious; memory: none", "expert; memory: last-1"]


@pytest.mark.parametrize("text", [*WORDS, *FORGETFUL, "search: pimc; samples: 3"])
def test_cards(text):
    generator = np.random.default_rng(1)
    vector = policy_vector(parse(text))
    players = np.concatenate([vector, vector])
    base = "bold; double:" if "pimc" not in text else "cautious"
    for state, seat, allowed in positions(base, 40 if "pimc" in text else 60):
        me = (seat & 1) * v.POLICY_SIZE
        for section in (v.P_LEAD, v.P_FOLLOW):
            first = choose(R, players, me, state.copy(), section, seat, allowed)
            assert first & allowed == first != 0
            for _ in range(4):
                changed = reshuffled(state, seat, generator, 0)
                assert choose(R, players, me, changed, section, seat, allowed) == first


CALLS = [f"bid: {word}" for word in BID] + [f"double: {word}" for word in DOUBLE] + [f"trump: {word}" for word in TRUMP]


@pytest.mark.parametrize("text", [*CALLS, "bid: mc if-better", "bid: bettler-low sure score-aware"])
def test_calls(text):
    """Each seat's own call, with all other hands dealt anew."""
    generator = np.random.default_rng(2)
    vector, mute = policy_vector(parse(text + "; samples: 4")), policy_vector(parse("random"))
    kind = text.split(":")[0]
    match = Match(RULES, parse("random"), parse("random"), seed=8)
    for deal in range(60 if "mc" in text else 120):
        state = with_units(play_one(match, deal, "A"))
        state[v.TRICKS : v.OUT] = 0
        state[v.CONTRACT : v.DOUBLINGS + 1] = 0
        state[v.HAND : v.HAND + 4] = state[v.DEALT : v.DEALT + 4]
        seat = deal % 2 if kind != "trump" else 0
        players = np.concatenate([vector, mute] if seat % 2 == 0 else [mute, vector])
        trump_card = 0
        if kind == "trump":
            first = int(state[v.FIRST])
        outcomes = set()
        for attempt in range(5):
            other = reshuffled(state, seat, generator, trump_card) if attempt else state.copy()
            address = [int(x.ctypes.data) for x in (R, players, other)]
            if kind == "trump":
                hidden = int(state[v.DEALT]) & ~first
                if attempt:  # the caller has not seen its own last two cards either: swap them with seat 1's
                    mine, theirs = PACK.names(hidden), PACK.names(int(other[v.HAND + 1]))[:2]
                    other[v.HAND] = other[v.DEALT] = first | PACK.to_mask(theirs)
                    other[v.HAND + 1] = other[v.DEALT + 1] = (
                        int(other[v.HAND + 1]) & ~PACK.to_mask(theirs) | PACK.to_mask(mine))
                suits = sum(1 << 8 * suit for suit in range(4) if first >> 8 * suit & 31)
                outcomes.add(calls_unit(3, *address[:2], 0, address[2], 0, suits))
            elif kind == "bid":
                calls_unit(0, *address[:2], 0, address[2], 0, 0)
                n = int(other[v.CALLS])
                outcomes.add(next((int(c) for c in other[v.CALL : v.CALL + n] if c >> 5 == seat), -1))
            else:
                other[v.DECLARER] = 1 - seat
                calls_unit(2, *address[:2], 0, address[2], seat, 0)
                outcomes.add(int(other[v.LEVEL]))
        assert len(outcomes) == 1
