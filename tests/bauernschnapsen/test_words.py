"""Every word for leading and following against the plain version, at every decision of played deals."""

from pathlib import Path

import numpy as np
import pytest

from bauernschnapsen.moments import moments
from naive.moment import Moment
from naive.words import PLAIN, wanted
from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen.call_words import CALL_WORDS
from schneider_sim.games.bauernschnapsen.decide.card_words import cards_unit
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.grammar import policy_vector
from schneider_sim.games.bauernschnapsen.kernel import state as v
from schneider_sim.games.bauernschnapsen.kernel.layout import LAYOUT
from schneider_sim.games.bauernschnapsen.kernel.loops import play_range
from schneider_sim.games.bauernschnapsen.prepare import prepared
from schneider_sim.games.bauernschnapsen.rules.contracts import NAMES
from schneider_sim.games.bauernschnapsen.rules.referee import PACK
from schneider_sim.games.bauernschnapsen.words import NEGATED, STAGE, WORDS

parse = GAME.grammar.parse
WILD = "cautious; bid: whim; announce: always; noise: 0.3"
BOLD = "bold; double:; noise: 0.2"


def names(cards):
    return set(PACK.names(int(cards)))


def moment_of(rules, s, seat, allowed, memory):
    """The moment of a state, in the plain version's terms."""
    tricks, announced = [], []
    for turn in range(int(s[v.DONE]) + 1):
        leader = int(s[v.TRICK_LEADER + turn])
        cards = [int(c) for c in s[v.CARDS + 4 * turn : v.CARDS + 4 * turn + 4]]
        tricks.append([((leader + place) % 4, PACK.names(card)[0]) for place, card in enumerate(cards) if card])
        if s[v.ANNOUNCED + turn] and tricks[-1]:
            announced.append(turn)
    total = tuple(int(s[v.POINTS + team] + s[v.POINTS + team + 2] + s[v.MARRIAGES + team] + s[v.MARRIAGES + team + 2])
                  for team in (0, 1))
    turned = PACK.names(int(s[v.TURNED]))
    return Moment(rules.as_dict(), NAMES[int(s[v.CONTRACT])], "SHDC"[int(s[v.TRUMP])], int(s[v.DECLARER]), seat,
                  [names(s[v.HAND + other]) for other in range(4)], tricks[:-1], tricks[-1], names(allowed),
                  turned[0] if turned else None, tuple(announced), memory, total)


SITUATIONS = [({}, 99), ({}, 1), ({"first_trick_open": "off"}, 0), ({"plauderer_view": "after_trick1"}, 99),
              ({"plauderer_view": "defenders_only", "must_head": "trick_contracts_only"}, 99),
              ({"bettler_partner": "sits_out", "gang_partner": "sits_out"}, 99),
              ({"overtrump": "free", "undertrump": "free", "head_over_ruffed": "on"}, 2)]


@pytest.mark.parametrize(("overrides", "memory"), SITUATIONS, ids=str)
def test_words_are_those_of_the_plain_version(overrides, memory):
    """Every word wherever there is a choice; each narrows it somewhere, but `win` where a trick must be headed."""
    rules = GAME.rules(None, overrides)
    vector, met = v.rules_vector(rules), set()
    kept = "full" if memory == 99 else "none" if memory == 0 else f"last-{memory}"
    players = {(word, section): policy_vector(parse(f"{section}: {word}; memory: {kept}"))
               for word, entry in WORDS.items() for section in entry.sections}
    players = {key: np.concatenate([p, p]) for key, p in players.items()}
    for text in (WILD, BOLD):
        match_up = MatchUp(rules, parse(text), parse(WILD), seed=6)
        for deal in range(60 if overrides else 120):
            for state, seat, allowed in moments(match_up, deal):
                if allowed & (allowed - 1) == 0:
                    continue
                moment = moment_of(rules, state, seat, allowed, memory)
                section, place = ("follow", v.P_FOLLOW) if moment.table else ("lead", v.P_LEAD)
                for word, entry in WORDS.items():
                    if section not in entry.sections:
                        continue
                    expected = wanted(word, moment)
                    state[v.RULES_AT] = vector.ctypes.data
                    state[v.PLAYERS_AT] = players[word, section].ctypes.data
                    left = cards_unit(place, state.ctypes.data, seat, allowed)
                    assert names(left) == (expected or moment.candidates), (word, moment)
                    if expected and expected != moment.candidates:
                        met.add(word)
    assert met == set(WORDS) - {"win"} or overrides or memory < 99


def test_stages_of_words():
    """A list of words with stages leaves what the plain words leave that act in the trick."""
    words = [("ace", 1, 2), ("not-high", 2, 4), ("low", 3, 5), ("not-poor", 1, 1), ("trump", 4, 4), ("rich", 1, 5)]
    text = " ".join(f"{word}@{first}-{last}" for word, first, last in words)
    player = policy_vector(parse(f"lead: {text}; follow: {text}"))
    players = np.concatenate([player, player])
    rules = GAME.rules()
    vector, tricks = v.rules_vector(rules), set()
    for deal in range(60):
        for state, seat, allowed in moments(MatchUp(rules, parse(BOLD), parse(WILD), seed=6), deal):
            moment = moment_of(rules, state, seat, allowed, 99)
            state[v.RULES_AT], state[v.PLAYERS_AT] = vector.ctypes.data, players.ctypes.data
            left = cards_unit(v.P_FOLLOW if moment.table else v.P_LEAD, state.ctypes.data, seat, allowed)
            for word, first, last in words:
                if first <= len(moment.tricks) + 1 <= last:
                    chosen = wanted(word.removeprefix("not-"), moment)
                    chosen = moment.candidates - chosen if word.startswith("not-") else chosen
                    moment.candidates = chosen or moment.candidates
            assert names(left) == moment.candidates
            tricks.add(len(moment.tricks))
    assert tricks == set(range(5))


def test_the_plain_version_knows_every_word():
    assert set(PLAIN) == set(WORDS)


def test_the_document_has_every_word():
    page = (Path(__file__).parents[2] / "docs" / "policies.md").read_text(encoding="utf-8")
    for section in GAME.grammar.sections:
        for word, meaning in section.words.items():
            where = section.name
            if section.negatable:
                where = "both" if len(WORDS[word].sections) == 2 else section.name
            assert f"| `{word}` | {where} | {meaning} |" in page
    for preset in GAME.grammar.presets:
        assert f"\n| `{preset}` | " in page.partition("## Presets of Bauernschnapsen")[2]


USED = {"lead": {word.code for word in WORDS.values()}, "follow": {word.code for word in WORDS.values()}} | {
    section: {word.code for word in words.values()} for section, words in CALL_WORDS.items()}
KNOWN = {"lead": "draw", "follow": "keep-marriage", "trump": "ten-guarded", "bid": "bettler-low", "double": "threshold"}


@pytest.mark.parametrize("section", USED)
def test_a_code_without_a_word_wants_nothing(section):
    """No word is what is left over when a code is none of the others."""
    rest = "; ".join(f"{name}: whim" for name in ("bid", "double") if name != section)
    match_up = MatchUp(GAME.rules(), parse(f"{section}: {KNOWN[section]}; {rest}"), parse(rest), seed=4)
    ready = prepared(match_up)
    acts = 0 if section in CALL_WORDS else 0b11111 << STAGE  # in every trick
    code = CALL_WORDS.get(section, WORDS)[KNOWN[section]].code | acts

    def tally(players):
        counts, both = LAYOUT.zeros(), np.stack([players, players])
        play_range(ready.rules, both, ready.outside, np.zeros(2, np.int64), ready.seed, 0, 200, 0, counts)
        return counts.tolist()

    without = tally(np.concatenate([ready.both[0, v.POLICY_SIZE :]] * 2))
    players = ready.both[0].copy()
    policy = players.view(v.POLICY)[0]
    words = policy[section if section in CALL_WORDS else "applying"]["words"]
    assert (words == code).any() and tally(players) != without
    for unknown in set(range(NEGATED)) - USED[section]:
        words[words == code], code = unknown | acts, unknown | acts
        assert tally(players) == without, unknown
