"""Rules as people type them: switches, aliases, sets, variants, and what is rejected."""

import pytest

from schneider_sim.errors import RequestError
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.rules.contracts import NAMES, parse_contract
from schneider_sim.games.bauernschnapsen.rules.switches import CHOICES, SWITCHES, VARIANTS, make_rules


def test_every_switch_takes_every_value_and_comes_back():
    for name, (values, _) in CHOICES.items():
        for value in values:
            over = {name: value}
            if over == {"failed_announce_loses": "on"}:
                over["schnapser_test"] = "strict_routes"
            rules = make_rules(None, over)
            assert make_rules(None, rules.as_dict()) == rules
            assert set(rules.as_dict()) == set(SWITCHES)
    for variant in VARIANTS:
        assert make_rules(variant) == make_rules(None, VARIANTS[variant])


def test_contract_sets_and_single_contracts():
    on = {name for name in NAMES if make_rules("common").is_on(name)}
    assert on == {"NORMAL", "SCHNAPSER", "GANG", "BAUERNSCHNAPSER", "KONTRASCHNAPSER", "KONTRABAUERNSCHNAPSER"}
    full = make_rules()
    assert [name for name in NAMES if full.is_on(name)] == list(NAMES[:14])
    assert {n for n in NAMES if full.is_on(n) and not make_rules("no-bettler").is_on(n)} == {
        "BETTLER", "ASSENBETTLER", "ASS_BETTLER", "PLAUDERER"}
    rules = make_rules("common", {"Ass-Bettler": "on", "gangl": False, "value_Bauer": 11, "value-gang": "8"})
    assert rules.is_on("ASS_BETTLER") and not rules.is_on("GANG")
    assert (rules.value("BAUERNSCHNAPSER"), rules.value("GANG")) == (11, 8)


@pytest.mark.parametrize("alias, name", [
    ("Rufer", "NORMAL"), ("Fechter", "BETTLER"), ("ass fechter", "ASS_BETTLER"), ("Drei-Stich", "SCHNAPSER"),
    ("Land", "GANG"), ("Zehnerloch", "ZEHNERGANG"), ("Bauer", "BAUERNSCHNAPSER"), ("Jodler", None),
    ("Kontra-Drei-Stich", "KONTRASCHNAPSER"), ("Farbensolo", "FARBENRINGERL"), ("Herrenjodler", "TRUMPFFARBENRINGERL"),
    ("Schnapser zusammen", "FREUNDSCHAFTSSCHNAPSER"), ("königsgang", "KOENIGSGANG"),
])
def test_aliases(alias, name):
    if name is None:
        with pytest.raises(RequestError, match="unknown contract"):
            parse_contract(alias)
    else:
        assert parse_contract(alias).name == name


@pytest.mark.parametrize("variant, overrides, message", [
    ("standrad", {}, "did you mean 'standard'"),
    (None, {"overtrumps": "free"}, "did you mean 'overtrump'"),
    (None, {"overtrump": "maybe"}, "not one of forced | free"),
    (None, {"NORMAL": "off"}, "always on"),
    (None, {"value_NORMAL": "2"}, "always on"),
    (None, {"value_GANG": "25"}, "from 1 to 24"),
    (None, {"value_GANG": "9.5"}, "whole number"),
    (None, {"GANG": "perhaps"}, "on | off"),
    (None, {"GANG": "on", "Gangl": "off"}, "given twice"),
    (None, {"failed_announce_loses": "on"}, "strict_routes"),
    (None, {"cut_mode": "knock", "deal_pattern": "1x5"}, "five cards at once"),
    (None, {"FREUNDSCHAFTSSCHNAPSER": "on", "freundschaft_test": "solo"}, "SCHNAPSER=off"),
    (None, {"deal_packets": "3+2"}, "unknown rule"),
])
def test_rejected_rules(variant, overrides, message):
    with pytest.raises(RequestError) as caught:
        make_rules(variant, overrides)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_policy_texts():
    for name in GAME.grammar.presets:
        policy = GAME.grammar.parse(name)
        assert GAME.grammar.parse(str(policy)) == policy
    assert str(GAME.grammar.parse("random")) == "trump:; bid:; double:; lead:; follow:"
    with pytest.raises(RequestError, match="unknown word in 'bid' 'shure'; did you mean 'sure'"):
        GAME.grammar.parse("bid: shure")
    with pytest.raises(RequestError, match="samples"):
        GAME.grammar.parse("samples: 0")
