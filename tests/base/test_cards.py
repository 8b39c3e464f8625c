"""Cards in and out: every way to write one, and errors that name the card."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schneider_sim import RequestError
from schneider_sim.base.cards import Pack, pretty

PACK = Pack("789TJQKA")


def test_pack_order_is_bit_order():
    assert len(PACK.cards) == 32 and PACK.cards[:9] == ("7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS", "7H")
    assert [PACK.bit(card) for card in PACK.cards] == list(range(32))
    assert PACK.mask == 2**32 - 1
    assert Pack("JQKTA").mask == 0x1F1F1F1F


@given(st.sets(st.sampled_from(PACK.cards)))
def test_masks_round_trip(cards):
    assert set(PACK.names(PACK.to_mask(cards))) == cards


@pytest.mark.parametrize("text, card", [
    ("TS", "TS"), ("ts", "TS"), ("10S", "TS"), ("10♠", "TS"), ("♠10", "TS"), ("T♤", "TS"), (" qh ", "QH"), ("7♥", "7H"),
    ("10h", "TH"), ("Laub-Zehn", "TS"), ("Grün Zehn", "TS"), ("Herz-Unter", "JH"), ("Rot Ober", "QH"),
    ("Schellen-König", "KD"), ("Eichel-Daus", "AC"), ("Eichel Ass", "AC"), ("schellen sieben", "7D"),
    ("Laub\u2011Acht", "8S"), ("\ufeff9C", "9C"), ("ＴＳ", "TS"),
    ("10♠\ufe0f", "TS"), ("♠\ufe0e10", "TS"), ("❤\ufe0fA", "AH"), ("1\ufe0f\u20e30\ufe0f\u20e3♠\ufe0f", "TS"),
    ("🔟♦\ufe0f", "TD"),
    ("7\u200d♥\ufe0f", "7H"), ("\u2066９♧\u2069", "9C"), ("Q\u034fS\U000e0100", "QS"), ("K\u3164D", "KD")])
def test_ways_to_write_a_card(text, card):
    assert PACK.parse(text) == card


@pytest.mark.parametrize("text", ["", "1S", "TX", "SS", "77", "Herz", "TS TS", "10", "\x1b[0m", "9" * 10_000, "T\nS x"])
def test_what_is_no_card(text):
    with pytest.raises(RequestError, match="not a card") as caught:
        PACK.parse(text)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 200


def test_a_card_of_another_pack():
    with pytest.raises(RequestError, match="'9S' is not in the pack of J Q K T A"):
        Pack("JQKTA").parse("9S")


def test_sets_of_cards():
    assert PACK.parse_many(["ts", "Laub-Unter"], 2) == ["TS", "JS"]
    with pytest.raises(RequestError, match="hand: card TS is named twice"):
        PACK.parse_many(["TS", "10♠"], what="hand")
    with pytest.raises(RequestError, match="1 cards where 6 belong"):
        PACK.parse_many(["TS"], 6)


def test_cards_for_people():
    assert [pretty(card) for card in ("TS", "AH")] == ["10♠", "A♥"]
