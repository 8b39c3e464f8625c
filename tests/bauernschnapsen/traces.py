"""Traces for tests: every switch away from its default, and policies that do everything the rules allow."""

import functools

from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.rules.switches import CHOICES

SWITCHES: list[dict[str, str]] = [{}]
for _name, (_values, _) in CHOICES.items():
    for _value in _values[1:]:
        SWITCHES.append({_name: _value})
        if _name == "failed_announce_loses":
            SWITCHES[-1]["schnapser_test"] = "strict_routes"
SWITCHES += [{name: "on"} for name in ("SCHNAPSER_MIT_MANN", "FREUNDSCHAFTSSCHNAPSER", "KOENIGSGANG", "DAMENGANG")]
SWITCHES += [{"overtrump": "free", "undertrump": "free"},
             {"FREUNDSCHAFTSSCHNAPSER": "on", "freundschaft_test": "solo", "schnapser_bidder": "F_only"},
             {"bettler_partner": "sits_out", "gang_partner": "sits_out", "double_window": "before_own_first_card"},
             {"marriage_unit": "player", "SCHNAPSER_MIT_MANN": "on", "auction": "single"}]

WILD = ("trump: turn-up-weak redeal-unters; bid: whim; double: whim; announce: always",
        "bold; noise: 0.5; double: whim", "bold; trump: ; bid: whim; announce: when-it-decides",
        "expert; memory: last-1")


@functools.cache
def match(switch_items, pair=0):
    a, b = ((0, 1), (2, 3))[pair]
    parse = GAME.grammar.parse
    return MatchUp(GAME.rules(None, dict(switch_items)), parse(WILD[a]), parse(WILD[b]), seed=11)


def trace_of(switch, number):
    """Trace `number` of a long list under the switch: deals, first leaders and policies in turn."""
    return GAME.trace(match(tuple(switch.items()), number // 4 % 2), number, "AB"[number // 2 % 2])
