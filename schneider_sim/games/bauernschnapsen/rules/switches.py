"""The rules of Bauernschnapsen as a frozen value: every switch with its values, the default first.

Source: docs/rules-bauernschnapsen.md sections 1 to 10.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from ....base.text import clean, parse_int, unknown
from ....errors import RequestError
from .contracts import BY_NAME, CONTRACTS, NAMES, SETS, canonical

ON_OFF = ("on", "off")
MAX_VALUE = 24  # a contract's value; keeps every possible result of a deal within the tally's 120


class Switch(NamedTuple):
    """A rule that may be set: the form its text takes, the default first, and its meaning."""

    form: str
    meaning: str


CHOICES: dict[str, tuple[tuple[str, ...], str]] = {
    "cut_mode": (("cut", "knock", "cutter_decides"), "3+2 after a cut, five at once after a knock; a policy cuts"),
    "deal_pattern": (("3+2", "1x5"), "packets after a cut; 1x5: the caller decides after the third card"),
    "three_unters": (("optional", "off"), "whether three Unters first let the caller have a new deal"),
    "trump_timing": (("caller_first3", "auction_winner"),
                     "auction_winner: bids on the first two cards, the winner names trumps from them"),
    "trump_must_be_held": (ON_OFF, "the suit named must be among the cards seen"),
    "turnup": (("either_random", "first", "off"), "which undealt card the caller may turn up for trumps"),
    "contracts": (tuple(SETS), ("common: Schnapser, Gang, Bauernschnapser and both Kontra besides the normal game; "
                  "no_bettler, no_show: all but those; NAME=on or off changes single ones")),
    "auction": (("multi", "single"), "bidding goes round until three pass, or once"),
    "equal_rank": (("not_allowed", "earlier_seat_may_hold", "table_order"), "when an equal value may overcall"),
    "gang_priority": (("zehnergang", "gang"), "which of Gang and Zehnergang outranks the other"),
    "schnapser_bidder": (("Fside", "F_only"), "who may bid Schnapser"),
    "bauernschnapser_bidder": (("Fside", "F_only"), "who may bid Bauernschnapser and Bauernloch"),
    "ringerl_timing": (("as_bid", "ends_auction"), "whether a declared five-card suit may be outbid"),
    "must_head": (("all", "trick_contracts_only"), "where following suit must beat if it can"),
    "overtrump": (("forced", "free"), "a trump must beat a trump in the trick if it can"),
    "undertrump": (("forced", "free"), "a trump must be played even if it cannot win"),
    "head_over_ruffed": (("off", "on"), "heading the led suit stays a duty after a ruff"),
    "first_trick_open": (ON_OFF, "each team's first trick stays face up (seen by policies that forget)"),
    "marriage_unit": (("team", "player"), "whose trick makes a marriage count"),
    "claim66": (("auto", "must_claim"), "66 ends the deal by itself or by a claim (policies claim at once)"),
    "schnapser_test": (("by_trick3", "strict_routes"), "how a Schnapser reaches 66"),
    "failed_announce_loses": (("off", "on"), "strict_routes: an announcement that misses 66 loses at once"),
    "freundschaft_test": (("team", "solo"), "whose tricks count in Freundschaftsschnapser"),
    "bettler_partner": (("plays", "sits_out"), "the partner in the no-trick contracts"),
    "plauderer_view": (("before_lead", "after_trick1", "defenders_only"), "when and who sees the open hands"),
    "gang_partner": (("plays", "sits_out"), "the partner in the Gang contracts"),
    "max_double": (("3", "2", "1", "0"), "doublings allowed"),
    "double_contracts": (("all_played", "normal_only", "no_kontra"), "which contracts may be doubled"),
    "double_window": (("before_first_lead", "before_own_first_card"), "when a seat may double"),
    "count": (("up", "down"), "the score is shown from 0 up or from 24 down"),
    "retour": (("exact_23_0", "comeback_from_zero", "off"), "what makes a Retourschneider"),
    "next_match_dealer": (("continue", "rotate_start"), "who deals first in the next match"),
}
_BOOLEAN = tuple(name for name, (values, _) in CHOICES.items() if set(values) == set(ON_OFF))

SWITCHES = {name: Switch(" | ".join(values), meaning) for name, (values, meaning) in CHOICES.items()}
SWITCHES |= {c.name: Switch("off | on" if c.extra else "on | off", "whether it may be bid") for c in CONTRACTS[1:]}
SWITCHES |= {f"value_{c.name}": Switch(f"INT from 1 to {MAX_VALUE}, default {c.value}", "") for c in CONTRACTS[1:]}

VARIANTS: dict[str, dict[str, str]] = {
    "standard": {},
    "common": {"contracts": "common"},
    "no-bettler": {"contracts": "no_bettler"},
    "no-show": {"contracts": "no_show"},
    "single-round": {"auction": "single"},
    "sitting-out": {"bettler_partner": "sits_out", "gang_partner": "sits_out"},
}


@dataclass(frozen=True)
class Rules:
    """Every switch; `enabled` and `values` follow the contract table (NORMAL: always enabled, value 0)."""

    cut_mode: str
    deal_pattern: str
    three_unters: str
    trump_timing: str
    trump_must_be_held: bool
    turnup: str
    contracts: str
    auction: str
    equal_rank: str
    gang_priority: str
    schnapser_bidder: str
    bauernschnapser_bidder: str
    ringerl_timing: str
    must_head: str
    overtrump: str
    undertrump: str
    head_over_ruffed: bool
    first_trick_open: bool
    marriage_unit: str
    claim66: str
    schnapser_test: str
    failed_announce_loses: bool
    freundschaft_test: str
    bettler_partner: str
    plauderer_view: str
    gang_partner: str
    max_double: int
    double_contracts: str
    double_window: str
    count: str
    retour: str
    next_match_dealer: str
    enabled: tuple[bool, ...]
    values: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        """Every switch in JSON form; `make_rules(None, rules.as_dict())` gives the same rules."""
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name in CHOICES}
        switches = dict(zip(NAMES[1:], self.enabled[1:], strict=True))
        return plain | switches | {f"value_{n}": v for n, v in zip(NAMES[1:], self.values[1:], strict=True)}

    def is_on(self, name: str) -> bool:
        """Whether the contract may be bid."""
        return self.enabled[NAMES.index(name)]

    def shown(self, points: int) -> int:
        """A side's game points in the match as they are written down: up from 0, or down from 24."""
        return points if self.count == "up" else max(0, 24 - points)

    def written(self, a: int, b: int) -> str:
        """A score of the match for people."""
        return f"{self.shown(a)}:{self.shown(b)}" + (" to go" if self.count == "down" else "")

    def value(self, name: str) -> int:
        """The contract's value in game points (NORMAL: 0)."""
        return self.values[NAMES.index(name)]

    @property
    def first_seen(self) -> int:
        """Cards of its own that the seat naming trumps has seen: three, or two under auction_winner."""
        return 3 if self.trump_timing == "caller_first3" else 2


def _text(value: Any) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else clean(str(value)).strip()


def _choice(name: str, text: str) -> str:
    """The switch's own spelling of a value; case, hyphens and true/false do not matter."""
    values = CHOICES[name][0]
    plain = text.casefold().replace("-", "_")
    if name in _BOOLEAN:
        plain = {"true": "on", "yes": "on", "1": "on", "false": "off", "no": "off", "0": "off"}.get(plain, plain)
    for value in values:
        if value.casefold() == plain:
            return value
    raise RequestError(f"{name}: '{text}' is not one of {' | '.join(values)}")


def _switch_name(key: str) -> str:
    """The canonical switch of a key as typed; contract names may be aliases."""
    plain = clean(key).strip()
    low = plain.casefold().replace("-", "_")
    if low in CHOICES:
        return low
    if low.startswith("value_"):
        name = canonical(plain[6:])
        key = f"value_{name}" if name else plain
    else:
        key = canonical(plain) or plain
    if key in ("NORMAL", "value_NORMAL"):
        raise RequestError(f"{key}: the normal game is always on and scores 1, 2 or 3")
    if key not in SWITCHES:
        raise unknown("rule", plain, SWITCHES)
    return key


def _reject(rules: Rules) -> None:
    if rules.failed_announce_loses and rules.schnapser_test != "strict_routes":
        raise RequestError("failed_announce_loses=on needs schnapser_test=strict_routes")
    if rules.cut_mode == "knock" and rules.deal_pattern == "1x5":
        raise RequestError("cut_mode=knock deals five cards at once: it does not go with deal_pattern=1x5")
    twice = rules.is_on("SCHNAPSER") and rules.is_on("FREUNDSCHAFTSSCHNAPSER") and rules.schnapser_bidder == "Fside"
    if twice and rules.freundschaft_test == "solo":
        raise RequestError("freundschaft_test=solo equals SCHNAPSER bid by the partner: set SCHNAPSER=off, "
                           "FREUNDSCHAFTSSCHNAPSER=off or schnapser_bidder=F_only")


def make_rules(variant: str | None = None, overrides: Mapping[str, Any] | None = None) -> Rules:
    """The Rules of a named variant (None: standard) with single switches overridden.

    Raises RequestError for an unknown variant, switch or value, a switch given twice, or a rejected combination.
    """
    name = clean(variant).strip().casefold().replace("_", "-") if variant else "standard"
    if name not in VARIANTS:
        raise unknown("variant", name, VARIANTS)
    given: dict[str, str] = {}
    for key, value in (overrides or {}).items():
        switch = _switch_name(key)
        if switch in given:
            raise RequestError(f"rule '{switch}' is given twice")
        given[switch] = _text(value)
    asked = VARIANTS[name] | given
    chosen: dict[str, Any] = {s: _choice(s, asked.get(s, values[0])) for s, (values, _) in CHOICES.items()}
    chosen |= {s: chosen[s] == "on" for s in _BOOLEAN} | {"max_double": int(chosen["max_double"])}
    inside = SETS[chosen["contracts"]]
    enabled = tuple(_is_on(c, asked.get(c), c in inside) for c in NAMES)
    values = tuple(parse_int(asked.get(f"value_{c}", BY_NAME[c].value), f"value_{c}", min(1, BY_NAME[c].value),
                             MAX_VALUE) for c in NAMES)
    rules = Rules(**chosen, enabled=enabled, values=values)
    _reject(rules)
    return rules


def _is_on(name: str, text: str | None, default: bool) -> bool:
    if text is None:
        return default
    plain = {"true": "on", "yes": "on", "1": "on", "false": "off", "no": "off", "0": "off"}.get(text.casefold(), text)
    if plain.casefold() not in ON_OFF:
        raise RequestError(f"{name}: '{text}' is not one of on | off")
    return plain.casefold() == "on"
