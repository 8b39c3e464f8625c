"""Users' own preferences: they play like the built-in words, and their faults are named."""

import dataclasses

import pytest

from schneider_sim.errors import RequestError, RunError
from schneider_sim.games import MatchUp, load_game
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.policy.plugins import load_all

SOURCE = '''
from schneider_sim import preference

ACES = 0x10101010

@preference("bullets")
def bullets(view):
    """aces"""
    return view.hand & ACES

@preference("court", sections=("follow",), over="cards")
def court(view):
    """kings and queens, but not as declarer"""
    return [card for card in view.candidates if card[0] in "KQ" and view.role != "declarer"]

@preference("stranger")
def stranger(view):
    return ~view.hand & 0x1F1F1F1F

@preference("stumbler", over="cards")
def stumbler(view):
    return [card for card in view.hand if 1 / (5 - view.trick - 3) < 9]
'''


@pytest.fixture
def loaded(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(SOURCE, encoding="utf-8")
    return load_all((path,), GAME.grammar)


def match_of(loaded, a, b):
    grammar, plugins = loaded
    used = tuple(item for item in plugins if item.name in f"{a} {b}")
    return MatchUp(GAME.rules(), grammar.parse(a), grammar.parse(b), plugins=used)


def test_a_preference_over_masks_plays_like_the_word(loaded):
    mine = GAME.play(match_of(loaded, "lead: bullets; follow: not-bullets", "cautious"), 0, 2000)
    built_in = GAME.play(match_of(loaded, "lead: ace; follow: not-ace", "cautious"), 0, 2000)
    assert (mine == built_in).all()


def test_a_preference_takes_a_stage(loaded):
    mine = GAME.play(match_of(loaded, "lead: bullets@2-3; follow: not-bullets@1", "cautious"), 0, 2000)
    built_in = GAME.play(match_of(loaded, "lead: ace@2-3; follow: not-ace@1", "cautious"), 0, 2000)
    assert (mine == built_in).all()


def test_a_preference_over_cards(loaded):
    match_up = match_of(loaded, "cautious; follow: court", "cautious")
    assert (GAME.play(match_up, 0, 300) != GAME.play(match_of(loaded, "cautious; follow:", "cautious"), 0, 300)).any()
    GAME.judge(GAME.trace(match_up, 3, "A"))


def test_faults_name_deal_seat_and_card(loaded):
    with pytest.raises(RunError, match=r"'stranger' of .*mine\.py wants .*[JQKTA][SHDC].*, not in the hand .*"
                                       r"\(deal 100, seat \d, trick 1\)"):
        GAME.play(match_of(loaded, "lead: stranger", "random"), 100, 200)
    with pytest.raises(RunError, match=r"'stumbler' .* raised ZeroDivisionError: .*\(deal \d+, seat \d, trick 2\)"):
        GAME.play(match_of(loaded, "lead: stumbler; follow: stumbler", "random"), 0, 50)


def test_names_in_use_are_refused(tmp_path):
    path = tmp_path / "twice.py"
    path.write_text(SOURCE.replace('"bullets"', '"master"'), encoding="utf-8")
    with pytest.raises(RequestError, match="already exists"):
        load_all((path,), GAME.grammar)


CALLS = '''
from schneider_sim import preference

ACES, ORDER = 0x10101010, "JQKTA"

@preference("heaviest", sections="trump")
def heaviest(view):
    """the first suit seen"""
    for suit in range(4):
        if view.seen & view.suits & 31 << 8 * suit:
            return 31 << 8 * suit
    return 0

@preference("turner", sections="trump", over="cards")
def turner(view):
    """turns up whenever it may"""
    return "turn-up" if "turn-up" in view.choices else None

@preference("flush", sections=("bid",))
def flush(view):
    """declares five of a suit"""
    return view.legal & (1 << 11 | 1 << 12)

@preference("ganger", sections="bid", over="cards")
def ganger(view):
    """a Gang with three aces, whatever stands"""
    aces = [card for card in view.hand if card[0] == "A"]
    return "Gang" if len(aces) > 2 and "GANG" in view.legal else None

@preference("two-aces", sections="double")
def two_aces(view):
    """two aces and three trumps against a normal game"""
    aces, trumps, n = view.hand & ACES, view.hand & view.trumps, 0
    for bit in range(32):
        n += (aces >> bit & 1) + 4 * (trumps >> bit & 1)
    return view.contract == 0 and view.role == 2 and n >> 2 >= 3 and n & 3 >= 2

@preference("seldom", sections="double", over="cards")
def seldom(view):
    """with the score behind"""
    return view.role == "defender" and view.score < view.rival_score and view.multiplier == 1

@preference("cheat", sections="bid", over="cards")
def cheat(view):
    return ["KONTRASCHNAPSER", "GANG"]

@preference("typo", sections="bid", over="cards")
def typo(view):
    return "GANGG"

@preference("vague", sections="bid")
def vague(view):
    return 1 << 40

@preference("stranger", sections="trump")
def stranger(view):
    return 0x1F1F1F1F & ~view.suits

@preference("both", sections="trump")
def both(view):
    return view.suits

@preference("louder", sections="double")
def louder(view):
    return 3

@preference("stumbler", sections="double", over="cards")
def stumbler(view):
    return view.hand[9]
'''


@pytest.fixture
def calling(tmp_path):
    path = tmp_path / "calls.py"
    path.write_text(CALLS, encoding="utf-8")
    return load_all((path,), GAME.grammar)


def test_calls_over_masks_play_like_the_words(calling):
    mine = GAME.play(match_of(calling, "cautious; bid: flush; double: two-aces", "bold"), 0, 4000)
    built_in = GAME.play(match_of(calling, "cautious; bid: ringerl; double: aces-trumps", "bold"), 0, 4000)
    assert (mine == built_in).all()


def traces(calling, text, deals, **kwargs):
    match_up = match_of(calling, text, text)
    match_up = dataclasses.replace(match_up, **kwargs)
    for deal in range(deals):
        trace = GAME.trace(match_up, deal, "AB"[deal % 2])
        GAME.judge(trace)
        yield trace


def test_calls_do_what_they_say(calling):
    for trace in traces(calling, "random; trump: heaviest", 30):
        caller = (trace["dealer"] + 1) % 4
        assert trace["trump"] == min((card[1] for card in trace["hands"][caller][:3]), key="SHDC".index)
    assert all(trace["turned_up"] for trace in traces(calling, "random; trump: turner heaviest", 10))
    found = [trace for trace in traces(calling, "random; bid: ganger", 150) if trace["contract"] == "GANG"]
    assert found
    assert all(sum(card[0] == "A" for card in trace["hands"][trace["declarer"]]) >= 3 for trace in found)
    assert all(trace["multiplier"] == 2 - (trace["first_leader"] == "B")
               for trace in traces(calling, "random; double: seldom", 10, score=(9, 3)))


def test_filters_trust_a_loaded_bid_like_a_standing_contract(calling):
    """At 75 in 100 a Gang is worth more than a normal game, and less to the match than what wins it anyway."""
    whole, better, aware = (
        [trace["contract"] for trace in traces(calling, f"random; bid: ganger {words}", 150, score=(23, 23))]
        for words in ("", "if-better", "score-aware"))
    assert whole.count("GANG") == better.count("GANG") > 0
    assert 0 < aware.count("GANG") <= whole.count("GANG")


FAULTS = {
    "bid: cheat": r"'cheat' of .*calls\.py bids KONTRASCHNAPSER \(deal 7, seat 0\): what may be bid is BETTLER, .*GANG",
    "bid: typo": r"'typo' of .*calls\.py: unknown contract 'GANGG'.*\(deal 7, seat 0, section bid\)",
    "bid: vague": r"'vague' of .* answered 1099511627776, which is no mask of contracts \(deal 7, seat 0\)",
    "trump: stranger": r"'stranger' of .* chooses [SHDC].* \(deal \d+, seat \d\): the choices are [SHDC].*, turn-up",
    "trump: both": r"'both' of .* answered \d+, which is not one suit \(deal \d+, seat \d\)",
    "double: louder": r"'louder' of .* answered 3 \(deal 7, seat \d\): answer 1 to double, 0 not to",
    "double: stumbler": r"'stumbler' of .* raised IndexError: tuple index out of range \(deal 7, seat \d, section dou",
}


@pytest.mark.parametrize("text", FAULTS)
def test_faults_of_calls_name_deal_seat_and_call(calling, text):
    with pytest.raises(RunError, match=FAULTS[text]):
        GAME.play(match_of(calling, f"random; {text}", f"random; {text}"), 7, 9)


def test_sections_that_see_different_things_are_kept_apart(tmp_path):
    path = tmp_path / "mixed.py"
    path.write_text("from schneider_sim import preference\n@preference('x', sections=('lead', 'bid'))\ndef x(view):\n"
                    "    return 0\n", encoding="utf-8")
    with pytest.raises(RequestError, match="in lead, in follow, in both, or in one other section"):
        load_all((path,), GAME.grammar)
    path.write_text(path.read_text().replace("('lead', 'bid')", "'bid'"), encoding="utf-8")
    with pytest.raises(RequestError, match=r"unknown section 'bid'.*lead, follow"):
        load_all((path,), load_game("bohemian").grammar)


def test_a_loaded_word_may_be_negated(loaded):
    mine = GAME.play(match_of(loaded, "lead: not-bullets", "cautious"), 0, 500)
    assert (mine == GAME.play(match_of(loaded, "lead: not-ace", "cautious"), 0, 500)).all()
