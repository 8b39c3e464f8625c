"""Which word of a policy chose each card of a play, asked of the kernel itself: the first words of its list, then one
word more, until the list is complete. What is offered here is described in games.protocol.Reasons.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ...compiled.jit import compiled
from ...compiled.philox import words_of_deal
from ...policy.grammar import Policy
from .. import MatchUp
from ..reasons import NOISE, ONLY, SEARCH, WORDS, Reason, narrowed_by
from .decide.card_words import cards_unit
from .grammar import word_codes
from .kernel import state as v
from .kernel import streams
from .kernel.bits import ALL
from .kernel.loops import play_single
from .kernel.state import Vector
from .kernel.tricks import beat_of, legal_cards
from .prepare import Prepared, prepared
from .results.trace import read_trace
from .rules.referee import PACK
from .views import ROLES
from .words import LATER

_POINTS = dict(zip("JQKTA", (2, 3, 4, 10, 11), strict=True))
_SECTIONS = (("lead", v.P_LEAD, 0), ("follow", v.P_FOLLOW, v.LISTS))  # where their lists by aim and role begin


@compiled
def legal_and_beat(hand, trick, n, order, trumps, duties):
    """The legal cards after the first `n` cards of a trick, masks, and what would beat it so far."""
    beat, table = ALL, np.int64(0)
    for place in range(n):
        card = trick[place]
        beat = beat_of(order, trumps, card) if card & beat else beat
        table |= card
    return legal_cards(hand, trick[0], beat, trumps, duties, order, table), beat


class Decision(NamedTuple):
    """A card due: the state as policies see it, the trick and the place from 0, the seat from the caller, and the cards
    that may be laid, as a mask."""

    state: Vector
    turn: int
    place: int
    seat: int
    allowed: int


def reasons(match_up: MatchUp, trace: Mapping[str, Any]) -> list[Reason] | None:
    """What chose each card of a trace in the order of play; None where the match-up's policies did not play it."""
    ready, final = prepared(match_up), np.zeros(v.STATE_SIZE, np.int64)
    swapped = int(trace["first_leader"] == "B")
    ours, theirs = match_up.score[::-1] if swapped else match_up.score
    play_single(ready.rules, ready.both[swapped], ready.outside, ours, theirs, ready.seed, trace["deal"], final)
    ready.check()
    played = read_trace(final, trace["deal"], trace["first_leader"])
    if any(played[name] != trace[name] for name in ("hands", "calls", "contract", "tricks")):
        return None
    sides = (match_up.b, match_up.a) if swapped else (match_up.a, match_up.b)
    names = tuple(item.name for item in match_up.plugins)
    words = [{name: word_codes(policy, name, names) for name, _, _ in _SECTIONS} for policy in sides]
    found = [_reason(ready, swapped, decision, sides, words) for decision in decisions(final)]
    ready.check()
    return found


def _reason(ready: Prepared, swapped: int, at: Decision, sides: tuple[Policy, Policy],
            words: list[dict[str, dict[int, str]]]) -> Reason:
    """What chose the card of a decision."""
    policy, state, allowed = sides[at.seat & 1], at.state, PACK.names(at.allowed)
    if len(allowed) == 1:
        return Reason(ONLY, "", tuple(allowed), 1)
    if policy.noise_threshold and _noise_word(state, at) < policy.noise_threshold:
        return Reason(NOISE, "", tuple(allowed), len(allowed))
    if policy.options["search"] != "none":
        return Reason(SEARCH, "", tuple(allowed), len(allowed))
    section, place, first = _SECTIONS[at.place > 0]
    seat, declarer = at.seat, int(state[v.DECLARER])
    role = 0 if seat == declarer else 1 if seat == declarer ^ 2 else 2
    number = first + len(ROLES) * int(state[v.NOW_AIM]) + role
    players = ready.both[swapped].copy()
    listed = players.view(v.POLICY)[seat & 1]["applying"][number]
    state[v.RULES_AT], state[v.PLAYERS_AT] = ready.rules.ctypes.data, players.ctypes.data
    codes = [int(code) for code in listed["words"][: listed["n"]]]
    left = [at.allowed]
    for count in range(1, len(codes) + 1):
        players.view(v.POLICY)[seat & 1]["applying"]["n"][number] = count
        left.append(int(cards_unit(place, state.ctypes.data, seat, at.allowed)))
    word = narrowed_by([words[seat & 1][section][code & ~LATER] for code in codes], left)
    announced = not word and at.place == 0 and state[v.ANNOUNCED + at.turn]
    return Reason(WORDS, "a card of the marriage" if announced else word, tuple(PACK.names(left[-1])), len(allowed),
                  policy.options["ties"] == "first")


def _noise_word(state: Vector, at: Decision) -> int:
    """The random word of a decision that says whether it is noisy."""
    stream = streams.NOISE + ((at.seat + int(state[v.CALLER])) & 3)
    four = words_of_deal(state[v.DEAL], np.int64(at.turn >> 2), np.int64(stream), state[v.SEED])
    return int(four[at.turn & 3])


def decisions(final: Vector) -> Iterator[Decision]:
    """The decisions on cards of a play from the state at its end; all share one state, set again for each."""
    s = final.copy()
    s[v.TRICKS : v.MARRIAGES + 4] = 0
    s[v.PLAYED] = s[v.FIRST_TRICKS] = s[v.JUST] = s[v.HOW] = 0
    s[v.HAND : v.HAND + 4] = s[v.DEALT : v.DEALT + 4]
    s[v.CARDS : v.CARDS + 20] = s[v.ANNOUNCED : v.ANNOUNCED + 5] = s[v.BEFORE : v.BEFORE + 5] = 0
    s[v.TRICK_LEADER : v.TRICK_LEADER + 5] = s[v.TRICK_WINNER : v.TRICK_WINNER + 5] = 0
    for turn in range(int(final[v.DONE])):
        yield from _trick(final, s, turn)


def _trick(final: Vector, s: Vector, turn: int) -> Iterator[Decision]:
    leader, winner = int(final[v.TRICK_LEADER + turn]), int(final[v.TRICK_WINNER + turn])
    said = int(final[v.ANNOUNCED + turn])
    s[v.DONE], s[v.LEADER], s[v.TRICK_LEADER + turn], s[v.BEFORE + turn] = turn, leader, leader, s[v.PLAYED]
    s[v.ANNOUNCED + turn], s[v.MARRIAGES + leader] = said, s[v.MARRIAGES + leader] + (said >> 2)
    trick, laid, best = np.zeros(4, np.int64), 0, leader
    s[v.BEAT], s[v.TABLE], s[v.LED] = ALL, 0, 0
    for place in range(4):
        seat, card = (leader + place) % 4, int(final[v.CARDS + 4 * turn + place])
        if not card:
            continue
        s[v.PLACE], s[v.BEST_SEAT] = place, best
        hand = int(s[v.HAND + seat])
        allowed = hand & PACK.to_mask(rank + "SHDC"[said & 3] for rank in "KQ") if said and not place else hand
        if laid:
            facts = (int(s[v.NOW_ORDER]), int(s[v.NOW_TRUMPS]), int(s[v.NOW_DUTIES]))
            legal, s[v.BEAT] = legal_and_beat(hand, trick, laid, *facts)
            allowed = int(legal)
        yield Decision(s, turn, place, seat, allowed)
        best = seat if card & int(s[v.BEAT]) else best
        s[v.HAND + seat] &= ~card
        s[v.CARDS + 4 * turn + place] = card
        s[v.LED] = s[v.LED] or card
        s[v.TABLE] |= card
        trick[laid] = card
        laid += 1
    if s[v.TRICKS + (winner & 1)] + s[v.TRICKS + 2 + (winner & 1)] == 0:
        s[v.FIRST_TRICKS] |= s[v.TABLE]
    s[v.TRICKS + winner] += 1
    s[v.POINTS + winner] += sum(_POINTS[card[0]] for card in PACK.names(int(s[v.TABLE])))
    s[v.PLAYED] |= s[v.TABLE]
