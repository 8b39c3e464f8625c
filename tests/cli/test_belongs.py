"""A name that belongs to the other game, to the rules or to a policy: one line says where it goes."""

import shlex

import pytest

from commandline import refused

HERE = "bauernschnapsen: add --game bauernschnapsen"
THERE = "bohemian: say --game bohemian"
WRONG = {
    "simulate expert cautious": f"expert belongs to {HERE}",
    "tournament plain expert": f"expert belongs to {HERE}",
    "simulate 'lead: win-cheap' random": f"win-cheap belongs to {HERE}",
    "simulate 'lead: not-trump' random": f"not-trump belongs to {HERE}",
    "simulate 'trump: ace' random": f"trump belongs to {HERE}",
    "simulate 'careful; announce: never' random": f"announce belongs to {HERE}",
    "simulate plain random --rules max_double=1": f"max_double belongs to {HERE}",
    "rules --rules max_double=1": f"max_double belongs to {HERE}",
    "simulate plain random --variant no-bettler": f"variant no-bettler belongs to {HERE}",
    "simulate plain random --score 5:3": f"a score belongs to {HERE}, or leave it out",
    "factorial --vary announce=always,never": f"announce belongs to {HERE}",
    "factorial --vary schneider_at=16,17": "schneider_at is a rule: say --rules schneider_at=16",
    "simulate 'careful; schneider_at: 17' random": "schneider_at is a rule: say --rules schneider_at=16",
    "simulate plain random --rules memory=none": "memory is an option of a policy: write 'POLICY; memory: none'",
    "simulate 'lead: capture' random": "'capture' is a word of follow, not of lead",
    "simulate careful random --game bauernschnapsen": f"careful belongs to {THERE}",
    "simulate bold 'lead: not-honour' --game bauernschnapsen": f"not-honour belongs to {THERE}",
    "simulate bold bold --rules schneider_at=17 --game bauernschnapsen": f"schneider_at belongs to {THERE}",
    "simulate bold bold --variant higher --game bauernschnapsen": f"variant higher belongs to {THERE}",
}


@pytest.mark.parametrize("text, said", WRONG.items())
def test_a_name_in_the_wrong_place(text: str, said: str) -> None:
    assert refused(*shlex.split(text)) == f"schneider-sim: {said}"
