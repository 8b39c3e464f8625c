"""The rules of Bohemian Schneider as a frozen value: switches, named variants, and what they mean card by card.

Source: docs/rules-bohemian.md sections 1 and 2.
"""

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from ...base.cards import Pack
from ...base.text import clean, shown, unknown
from ...errors import RequestError

PACK = Pack("789TJQKA")
HONOUR_RANKS = "TJQKA"
HONOURS = 20
HAND, STOCK, TRICKS = 6, 20, 16
LONGEST_RACE = 50  # victory points to play for: the exact figures of a race take time with its square
LARGEST_CARRY = 4_000_000  # deals squared times points: 400 MB and some seconds for the exact figures


@dataclass(frozen=True)
class Rules:
    """One edition of the game; every field is a switch, and the defaults are the immediate-successor edition."""

    beat_rule: str = "next_same_suit"
    follow: str = "free"
    ace_by_seven: str = "off"
    schneider_at: int = 16
    win_points: tuple[int, int, int] = (1, 2, 3)
    tie_10_10: str = "no_score"
    session: str = "deals-6"
    first_dealer: str = "lot"
    draw_timing: str = "after_trick"

    def as_dict(self) -> dict[str, Any]:
        """Every switch in the table's order, in JSON form (`win_points` a list)."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @property
    def session_plan(self) -> tuple[str, int]:
        """The session as (kind, number): ("deals", 6), ("target", 7) or ("stakes", 0)."""
        kind, _, number = self.session.partition("-")
        return kind, int(number or 0)


@dataclass(frozen=True)
class Switch:
    """A rule that may be set: the form its text takes (default first), its meaning and who plays so.

    `read` turns cleaned lower-case text into the canonical value, or None when the text is not of the form.
    """

    form: str
    default: Any
    read: Callable[[str], Any]
    meaning: str
    source: str


def _choice(*values: str, meaning: str, source: str) -> Switch:
    return Switch(" | ".join(values), values[0], lambda text: text if text in values else None, meaning, source)


def _number(text: str, low: int, high: int) -> int | None:
    """A whole number in plain digits from `low` to `high`, or None."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        return None
    return int(text) if low <= int(text) <= high else None


def _win_points(text: str) -> tuple[int, int, int] | None:
    points = [_number(part.strip(), 0, 1000) for part in text.strip("()[]").split(",")]
    if len(points) != 3 or None in points:
        return None
    single, double, triple = (point or 0 for point in points)
    return (single, double, triple) if single <= double <= triple and triple else None


def _session(text: str) -> str | None:
    kind, _, count = text.partition("-")
    number = _number(count, 1, 1000 if kind == "deals" else LONGEST_RACE)
    if text == "stakes":
        return text
    if number is None or kind not in ("deals", "target") or (kind == "deals" and number % 2):
        return None
    return f"{kind}-{number}"


SWITCHES: dict[str, Switch] = {
    "beat_rule": _choice(
        "next_same_suit", "any_higher_same_suit", "next_any_suit",
        meaning="what captures the led card: the next higher rank of its suit, any higher rank of its suit, "
                "the next higher rank of any suit",
        source="deWiki, enWiki, GameRules; variations: Kiddle, CardRulesPlus"),
    "follow": _choice(
        "free", "must_follow", "endgame_only",
        meaning="whether the reply must be of the led suit if the hand has one: never, always, once the stock is empty",
        source="Kiddle; endgame_only from the sister game Elfern"),
    "ace_by_seven": _choice(
        "off", "same_suit", "any_suit",
        meaning="whether a seven captures a led ace: never, that of its suit, any (with next_any_suit only)",
        source="Kiddle; any_suit is the natural extension"),
    "schneider_at": Switch(
        "16, or another whole number from 12 to 19", 16, lambda text: _number(text, 12, 19),
        "honours from which a win counts as Schneider", "16: CardRulesPlus and others; 17: kartenspiele.net"),
    "win_points": Switch(
        "1,2,3, or any three whole numbers from 0 to 1000, none below the one before, not all 0", (1, 2, 3),
        _win_points,
        "victory points of a single win, of Schneider and of Schwarz", "CardRulesPlus"),
    "tie_10_10": _choice(
        "no_score", "redeal", "carry",
        meaning="a 10:10 deal in a session: counts and scores nothing, is void and dealt again by the same dealer, "
                "counts and adds 1 to the next decided deal (once, however many ties come before it)",
        source="successor edition; redeal: CardRulesPlus; carry: after Elfern and 66"),
    "session": Switch(
        "deals-6, or deals-N (N even, 2 to 1000) | target-N (1 to 50, such as target-7) | stakes",
        "deals-6", _session,
        "a session: N deals, or until a player has N victory points; stakes: no match, each deal is paid",
        "successor edition, GameRules; target: CardRulesPlus; stakes: 123sportwetten, kartenspiele.net"),
    "first_dealer": _choice(
        "lot", "low_card", "high_card",
        meaning="who deals first in a session: either at random, or the player who draws the lower (higher) card; "
                "equal ranks draw again",
        source="successor edition; low_card: GameRules; high_card: kartenspiele.net"),
    "draw_timing": _choice(
        "after_trick", "on_play",
        meaning="who takes the top card of the stock: the winner of the trick, or its leader (each draws on playing)",
        source="deWiki; on_play: 123sportwetten"),
}

PLAYED = ("beat_rule", "follow", "ace_by_seven", "draw_timing")
"""The switches that decide which cards are played; the others score what was played."""

VARIANTS: dict[str, dict[str, str]] = {
    "standard": {},
    "higher": {"beat_rule": "any_higher_same_suit", "follow": "must_follow"},
    "any-suit": {"beat_rule": "next_any_suit"},
    "seven-takes-ace": {"ace_by_seven": "same_suit"},
}

_NOT_OFFERED = {
    "pack": "the pack is always the 32 cards 7 to ace",
    "trump": "there is never a trump suit",
    "deal_packets": "how the cards are dealt does not change a shuffled deal",
}


def make_rules(variant: str | None = None, overrides: Mapping[str, object] | None = None) -> Rules:
    """The rules of a named variant (None: standard) with single switches overridden.

    Values are text as typed, or JSON: whole numbers, lists of them. Raises RequestError for an unknown variant, switch
    or value, and for combinations that contradict themselves.
    """
    name = "standard" if variant is None else _plain(variant)
    if name not in VARIANTS:
        raise unknown("variant", name, VARIANTS)
    values: dict[str, Any] = dict(VARIANTS[name])
    seen: set[str] = set()
    for key, value in (overrides or {}).items():
        switch = _plain(key)
        if switch in seen:
            raise RequestError(f"rule '{switch}' is set twice; once is enough")
        seen.add(switch)
        values[switch] = _read(switch, value)
    rules = Rules(**values)
    _check_combination(rules)
    return rules


def _plain(value: object) -> str:
    """`value` as cleaned lower-case text; a list of numbers becomes `[1,2,3]`."""
    if isinstance(value, (list, tuple)):
        return shown(f"[{','.join(shown(part) for part in value[:9])}]")
    if hasattr(value, "__index__") and not isinstance(value, bool):
        value = operator.index(value)
    if isinstance(value, str):
        value = " ".join(clean(value).casefold().split())
    return shown(value)


def _read(name: str, value: object) -> Any:
    if name in _NOT_OFFERED:
        raise RequestError(f"rule '{name}' is not offered: {_NOT_OFFERED[name]}")
    if name not in SWITCHES:
        raise unknown("rule", name, SWITCHES)
    canonical = SWITCHES[name].read(_plain(value))
    if canonical is None:
        raise RequestError(f"{name} must be {SWITCHES[name].form}, not '{_plain(value)}'")
    return canonical


def _check_combination(rules: Rules) -> None:
    if rules.ace_by_seven == "any_suit" and rules.beat_rule != "next_any_suit":
        raise RequestError(f"ace_by_seven=any_suit needs beat_rule=next_any_suit, not {rules.beat_rule}")
    kind, number = rules.session_plan
    most = LARGEST_CARRY // (rules.win_points[2] + 1)
    if rules.tie_10_10 == "carry" and kind == "deals" and number**2 > most:
        raise RequestError(f"session={rules.session} is too long for exact figures with tie_10_10=carry and "
                           f"{rules.win_points[2]} points: give {math.isqrt(most) // 2 * 2} deals at most, lower "
                           "win_points, or another tie_10_10")
    if rules.win_points[0] == 0:
        points = ",".join(map(str, rules.win_points))
        if rules.session_plan[0] == "target":
            raise RequestError(f"session={rules.session} might never end with win_points={points}: "
                               "give a single win at least 1 point")
        if rules.tie_10_10 != "no_score":
            raise RequestError(f"tie_10_10={rules.tie_10_10} with win_points={points} would make a tie differ from a "
                               "won deal without points: give a single win at least 1 point")


def is_honour(card: str) -> bool:
    """Whether an ASCII card name counts as one of the 20 honours: ten, jack, queen, king, ace."""
    return card[0] in HONOUR_RANKS


def captures(rules: Rules, led: str, reply: str) -> bool:
    """Whether `reply` wins a trick to which `led` was led (ASCII card names); otherwise the leader wins it."""
    same_suit = led[1] == reply[1]
    if led[0] == "A" and reply[0] == "7":
        return rules.ace_by_seven == "any_suit" or (rules.ace_by_seven == "same_suit" and same_suit)
    steps = PACK.ranks.index(reply[0]) - PACK.ranks.index(led[0])
    if rules.beat_rule == "next_same_suit":
        return same_suit and steps == 1
    if rules.beat_rule == "any_higher_same_suit":
        return same_suit and steps >= 1
    return steps == 1


def legal_replies(rules: Rules, hand: Iterable[str], led: str, stock: int) -> list[str]:
    """The cards of `hand` that may be played to `led` with `stock` cards left in the stock, in the hand's order."""
    cards = list(hand)
    strict = rules.follow == "must_follow" or (rules.follow == "endgame_only" and stock == 0)
    return [card for card in cards if strict and card[1] == led[1]] or cards


def victory_points(rules: Rules, honours: int) -> int:
    """Victory points of a deal for the holder of `honours` (0..20): positive for a win, negative for a loss.

    Raises RequestError for a count that no deal gives.
    """
    if not 0 <= honours <= HONOURS:
        raise RequestError(f"a player takes 0 to {HONOURS} honours in a deal, not {honours}")
    best = max(honours, HONOURS - honours)
    if best * 2 == HONOURS:
        return 0
    single, schneider, schwarz = rules.win_points
    points = schwarz if best == HONOURS else schneider if best >= rules.schneider_at else single
    return points if honours == best else -points


def has_table(rules: Rules) -> bool:
    """Whether every endgame under these rules is looked up in a table, so that losses in it can be counted."""
    return rules.beat_rule == "next_same_suit" and rules.follow == "free"


def value_of_honours(rules: Rules) -> list[int]:
    """`victory_points` for 0, 1, ..., 20 honours: 21 values, antisymmetric about 10."""
    return [victory_points(rules, honours) for honours in range(HONOURS + 1)]
