"""No decision may depend on what its player cannot see: hidden hands are dealt again and every decision stays the same.

The kernel decides in a state vector; here the state at each decision of played deals is taken, the hidden cards are
changed within what the rules allow, and the same decision is asked for again.
"""

import functools

import numpy as np
import pytest

from bauernschnapsen.moments import choose, moments, with_units
from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen.call_words import CALL_WORDS
from schneider_sim.games.bauernschnapsen.decide.auction import calls_unit
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.grammar import policy_vector
from schneider_sim.games.bauernschnapsen.kernel import state as v
from schneider_sim.games.bauernschnapsen.prepare import play_one
from schneider_sim.games.bauernschnapsen.rules.referee import PACK
from schneider_sim.games.bauernschnapsen.words import WORDS as PREFERENCES

parse = GAME.grammar.parse
RULES = GAME.rules()
R = v.rules_vector(RULES)


def reshuffled(state, seat, generator, known):
    """The state with the cards that `seat` does not know dealt again among the others, each as many as before."""
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


@functools.cache
def positions(text, deals):
    """Moments of played deals, two of each at most, with the cards that lie open to the player: (s, seat, legal, open).
    """
    return list(_positions(text, deals))


def _positions(text, deals):
    match_up = MatchUp(RULES, parse(text), parse(text), seed=3)
    for deal in range(deals):
        found = [(s.copy(), seat, allowed) for s, seat, allowed in moments(match_up, deal) if allowed & (allowed - 1)]
        for s, seat, allowed in found[deal % 3 :: 5][:2]:
            rivals = [(int(s[v.DECLARER]) + step) % 4 for step in (1, 3)]
            shown = sum(int(s[v.HAND + other]) for other in rivals) if s[v.CONTRACT] == v.PLAUDERER else 0
            yield s, seat, allowed, shown


WORDS = [f"{section}: {word}" for word, entry in PREFERENCES.items() for section in entry.sections]


FORGETFUL = ["cautious; memory: none", "expert; memory: last-1"]


STAGED = ["lead: safe@2-4 low; follow: not-duck@1-3 unload@4"]


SEARCHES = ["search: pimc; samples: 3", "search: pimc; samples: 3; memory: last-1",
            "expert; search: rollout; samples: 20; noise: 0.1", "expert; search: rollout; samples: 16; inference: 3"]


@pytest.mark.parametrize("text", [*WORDS, *FORGETFUL, *STAGED, *SEARCHES])
def test_cards(text):
    generator = np.random.default_rng(1)
    vector = policy_vector(parse(text))
    players = np.concatenate([vector, vector])
    seen = set()
    for state, seat, allowed, shown in positions("bold; bid: whim; double:; noise: 0.2", 90):
        section = v.P_FOLLOW if state[v.PLACE] else v.P_LEAD
        first = choose(R, players, state.copy(), section, seat, allowed)
        assert first & allowed == first != 0
        seen.add(int(state[v.CONTRACT]))
        for _ in range(4):
            changed = reshuffled(state, seat, generator, shown)
            assert choose(R, players, changed, section, seat, allowed) == first
    assert {v.NORMAL, v.BETTLER, v.PLAUDERER, v.GANG} <= seen


CALLS = [f"{section}: {word}" for section, words in CALL_WORDS.items() for word in words]
ROLLED_OUT = [f"{section}: {word}; search: rollout; samples: 32" for section, word in (
    ("trump", "longest"), ("bid", "outbid"), ("double", "threshold"))]


@pytest.mark.parametrize("text", [*CALLS, *ROLLED_OUT, "bid: mc if-better", "bid: bettler-low sure score-aware"])
def test_calls(text):
    """Each seat's own call, with all other hands dealt again."""
    generator = np.random.default_rng(2)
    text += "" if "samples" in text else "; samples: 4"
    vector, mute = policy_vector(parse(text)), policy_vector(parse("random"))
    kind = text.split(":")[0]
    match_up = MatchUp(RULES, parse("random"), parse("random"), seed=8)
    for deal in range(60 if "mc" in text or "search" in text else 120):
        state = with_units(play_one(match_up, deal, "A"))
        state[v.TRICKS : v.MARRIAGES + 4] = 0
        state[v.CONTRACT : v.WORTH + 1] = state[v.PLAYED] = state[v.FIRST_TRICKS] = state[v.CALLS] = 0
        state[v.HAND : v.HAND + 4] = state[v.DEALT : v.DEALT + 4]
        seat = deal % 2 if kind != "trump" else 0
        players = np.concatenate([vector, mute] if seat % 2 == 0 else [mute, vector])
        trump_card = 0
        if kind == "trump":
            first = int(state[v.FIRST])
        outcomes = set()
        for attempt in range(5):
            other = reshuffled(state, seat, generator, trump_card) if attempt else state.copy()
            other[v.RULES_AT], other[v.PLAYERS_AT], at = (int(x.ctypes.data) for x in (R, players, other))
            if kind == "trump":
                hidden = int(state[v.DEALT]) & ~first
                if attempt:  # the caller has not seen its own last two cards either: swap them with seat 1's
                    mine, theirs = PACK.names(hidden), PACK.names(int(other[v.HAND + 1]))[:2]
                    other[v.HAND] = other[v.DEALT] = first | PACK.to_mask(theirs)
                    other[v.HAND + 1] = other[v.DEALT + 1] = (
                        int(other[v.HAND + 1]) & ~PACK.to_mask(theirs) | PACK.to_mask(mine))
                suits = sum(1 << 8 * suit for suit in range(4) if first >> 8 * suit & 31)
                outcomes.add(calls_unit(3, at, 0, suits))
            elif kind == "bid":
                calls_unit(0, at, 0, 0)
                n = int(other[v.CALLS])
                outcomes.add(next((int(c) for c in other[v.CALL : v.CALL + n] if c >> 5 == seat), -1))
            else:
                other[v.DECLARER] = 1 - seat
                calls_unit(2, at, seat, 0)
                outcomes.add(int(other[v.LEVEL]))
        assert len(outcomes) == 1
