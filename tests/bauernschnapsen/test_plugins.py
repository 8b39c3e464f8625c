"""Users' own preferences: they play like the built-in words, and their faults are named."""

import pytest

from schneider_sim.errors import RequestError, RunError
from schneider_sim.games import Match
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.plugins import load_all

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
    return Match(GAME.rules(), grammar.parse(a), grammar.parse(b), plugins=used)


def test_a_preference_over_masks_plays_like_the_word(loaded):
    mine = GAME.play(match_of(loaded, "lead: bullets; follow: not-bullets", "cautious"), 0, 2000)
    built_in = GAME.play(match_of(loaded, "lead: ace; follow: not-ace", "cautious"), 0, 2000)
    assert (mine == built_in).all()


def test_a_preference_over_cards(loaded):
    match = match_of(loaded, "cautious; follow: court", "cautious")
    assert (GAME.play(match, 0, 300) != GAME.play(match_of(loaded, "cautious; follow:", "cautious"), 0, 300)).any()
    GAME.judge(GAME.trace(match, 3, "A"))


def test_faults_name_deal_seat_and_card(loaded):
    with pytest.raises(RunError, match=r"'stranger' of .*mine\.py wants .*[JQKTA][SHDC].*, not in the hand .*"
                                       r"\(deal 100, seat \d, trick 1\)"):
        GAME.play(match_of(loaded, "lead: stranger", "random"), 100, 200)
    with pytest.raises(RunError, match=r"'stumbler' .* raised ZeroDivisionError: .*\(deal \d+, seat \d, trick 2\)"):
        GAME.play(match_of(loaded, "lead: stumbler; follow: stumbler", "random"), 0, 50)


def test_names_in_use_are_refused(tmp_path):
    path = tmp_path / "twice.py"
    path.write_text(SOURCE.replace('"bullets"', '"master"'), encoding="utf-8")
    with pytest.raises(RequestError, match="exists already"):
        load_all((path,), GAME.grammar)
