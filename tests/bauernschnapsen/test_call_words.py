"""Every word for trumps, bids and doublings against the plain version, at every call of played deals."""

import json
from importlib import resources

import pytest

from naive.bauernschnapsen import NO_TRICK, SHOWN
from naive.calls import bids, trumps, wants_double
from naive.philox import four_words
from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen import call_words
from schneider_sim.games.bauernschnapsen.call_words import CALL_WORDS, MOST_CODES
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.words import PLUGIN

parse = GAME.grammar.parse
TABLES = resources.files("schneider_sim.games.bauernschnapsen.decide")
WEIGHTS = json.loads((TABLES / "chances.json").read_text("utf-8"))
SEED = 12
TRUMP_STREAM, TURN_STREAM, BID_STREAM, DOUBLE_STREAM = 17, 18, 31, 35
EXTRAS = dict.fromkeys(("SCHNAPSER_MIT_MANN", "FREUNDSCHAFTSSCHNAPSER", "KOENIGSGANG", "DAMENGANG"), "on")
SEARCHING = {"mc"}  # sampled deals: tests of the search hold it to account, and golden tallies of its text


def policies(section, more=""):
    """Each word of a section alone, and the filters beside a word that they hold back."""
    for word, entry in CALL_WORDS[section].items():
        if word in SEARCHING:
            continue
        yield f"{word} {'whim' if entry.is_filter else ''}{more}".strip()


def traces(text, rules, deals, score=(0, 0)):
    match_up = MatchUp(GAME.rules(None, rules), parse(text), parse(text), seed=SEED, score=score)
    for deal in range(deals):
        yield deal, GAME.trace(match_up, deal, "AB"[deal % 2])


def from_caller(trace, seat):
    return (seat - trace["dealer"] - 1) % 4


def hand_of(trace, seat):
    return trace["hands"][(seat + trace["dealer"] + 1) % 4]


def score_of(trace, seat):
    """Own and the other side's points, as a seat (from the caller) sees them."""
    ours = "A" if (seat % 2 == 0) == (trace["first_leader"] == "A") else "B"
    a, b = trace["score"]["A"], trace["score"]["B"]
    return (a, b) if ours == "A" else (b, a)


TRUMP_LISTS = [*policies("trump"), "redeal-unters turn-up-weak marriage ace longest", "ten-guarded keep-aces weighted"]


@pytest.mark.parametrize("rules", [{}, {"trump_must_be_held": "off", "turnup": "first"},
                                   {"turnup": "off", "three_unters": "off"}], ids=str)
@pytest.mark.parametrize("words", TRUMP_LISTS)
def test_trumps(words, rules):
    for deal, trace in traces(f"trump: {words}", rules, 250):
        hand = hand_of(trace, 0)
        choice = trumps(words.split(), trace["rules"], hand[:3])
        assert choice != "new-deal", "such a hand is dealt again"
        block = trace["redeals"]
        if choice == "turn-up":
            late = trace["rules"]["turnup"] != "first" and four_words(deal, block, TURN_STREAM, SEED)[0] >= 2**31
            assert trace["turned_up"] == hand[4 if late else 3] and trace["trump"] == trace["turned_up"][1]
        else:
            lot = four_words(deal, block, TRUMP_STREAM, SEED)[0]
            assert (trace["trump"], trace["turned_up"]) == (choice[lot * len(choice) // 2**32], None)
        assert not block or "redeal-unters" in words


def check_bids(words, trace, deal):
    """The calls of a trace, one after the other; returns the contracts bid."""
    standing, holder, made = "NORMAL", 0, set()
    for number, call in enumerate(trace["calls"]):
        seat = from_caller(trace, call["seat"])
        lot = four_words(deal, number, BID_STREAM + call["seat"], SEED)
        wanted = bids(words, trace["rules"], WEIGHTS, seat, hand_of(trace, seat), trace["trump"], standing, holder,
                      score_of(trace, seat), lot)
        assert call["call"] in (wanted or {"PASS"}), (trace["calls"], number, hand_of(trace, seat), trace["trump"])
        if call["call"] != "PASS":
            standing, holder = call["call"], seat
            made.add(standing)
    return made


BID_LISTS = [*policies("bid"), "whim if-better score-aware",
             "ringerl bauer sure kontra schnapser ass-bettler bettler-low if-better",
             "low-cards high-cards score-aware", "schnapser kontra bauer score-aware"]
LEAST = {"ringerl": 1, "sure": 3, "bettler-low": 2, "ass-bettler": 1, "schnapser": 3, "bauer": 1, "kontra": 2,
         "whim": 12, "low-cards": 3, "high-cards": 4, "outbid": 6, "if-better whim": 8, "score-aware whim": 8,
         "equity-aware whim": 8}
RARE = {"ringerl", "sure", "schnapser", "bauer", "kontra"}  # hands of which deals are few
BIDDING = [(EXTRAS, (0, 0)), (EXTRAS | {"equal_rank": "table_order"}, (19, 22)),
           ({"bettler_partner": "sits_out", "auction": "single"}, (3, 17)),
           ({"BAUERNSCHNAPSER": "off", "KONTRABAUERNSCHNAPSER": "off", "SCHNAPSER": "off",
             "SCHNAPSER_MIT_MANN": "on"}, (0, 0))]


@pytest.mark.parametrize("words", BID_LISTS)
def test_bids(words):
    """Every call; as many contracts come up as shows that the words were put to the test."""
    made = set()
    for rules, score in BIDDING:
        deals = 250 if words not in RARE else 1500 if rules is EXTRAS or words == "kontra" else 400
        for deal, trace in traces(f"trump: longest; bid: {words}", rules, deals, score):
            made |= check_bids(words.split(), trace, deal)
    assert len(made) >= LEAST.get(words, 2), made


DOUBLE_LISTS = [*policies("double"), "threshold score-aware", "threshold equity-aware", "whim equity-aware",
                "aces-trumps threshold", "score-aware"]


@pytest.mark.parametrize("words", DOUBLE_LISTS)
def test_doublings(words):
    """Who doubles, in every contract, before the first lead."""
    levels = set()
    for rules, score in (({"contracts": "common"}, (0, 0)), (EXTRAS, (9, 18)),
                         ({"bettler_partner": "sits_out", "gang_partner": "sits_out"}, (2, 1))):
        for deal, trace in traces(f"trump: longest; bid: whim; double: {words}", rules, 250, score):
            check_doublings(words.split(), trace, deal)
            levels.add(len(trace["doublings"]))
    assert levels >= {0, 1} or words in ("score-aware", "equity-aware")


def check_doublings(words, trace, deal):
    contract, declarer = trace["contract"], from_caller(trace, trace["declarer"])
    found: list[int] = []
    away = trace["rules"]["bettler_partner" if contract in NO_TRICK else "gang_partner"] == "sits_out"
    away = away and (contract in NO_TRICK or contract.endswith("GANG"))
    asking = contract not in SHOWN
    while asking and len(found) < 3:
        asking = False
        for seat in range(4):
            if (seat - declarer) % 2 == len(found) % 2 or (away and seat == (declarer + 2) % 4):
                continue
            stream = DOUBLE_STREAM + (seat + trace["dealer"] + 1) % 4
            if wants_double(words, trace["rules"], WEIGHTS, seat, hand_of(trace, seat), trace["trump"], contract,
                            declarer, len(found), score_of(trace, seat), four_words(deal, len(found), stream, SEED)[0]):
                found.append(seat)
                asking = True
                break
    assert [from_caller(trace, item["seat"]) for item in trace["doublings"]] == found, (trace["hands"], contract)


def test_every_word_has_a_code_of_its_own():
    """No two share one, all leave room for users' words, and each is named after its word."""
    named = {name: value for name, value in vars(call_words).items() if name.isupper() and isinstance(value, int)}
    del named["MOST_CODES"]
    entries = [(section, word, entry) for section, words in CALL_WORDS.items() for word, entry in words.items()]
    codes = [entry.code for *_, entry in entries]
    assert sorted(codes) == sorted(named.values()) and len(set(codes)) == len(codes)
    assert min(codes) >= 0 and max(codes) < MOST_CODES <= PLUGIN
    for section, word, entry in entries:
        name = word.upper().replace("-", "_")
        assert entry.code in (named.get(name), named.get(f"{section.upper()}_{name}")), word
