"""A deal of Bohemian Schneider as a page to read: hands, stock, every trick and why it went as it did.

The account of it, from which other pages are made, is described in games.protocol.Accounts.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ...base.terminal import Style
from ..account import Laid, Trick
from ..switches import changes_in_words
from .referee import SIDES
from .rules import PACK, Rules, captures, is_honour, legal_replies, make_rules

SAME = {"A": "A", "B": "B"}
_OTHER = {"A": "B", "B": "A"}
_HAND = 6 * 4  # columns of a hand


def page(trace: Mapping[str, Any], style: Style) -> Iterator[str]:
    """The lines of the page for a trace in the form of `replay --json`."""
    yield style.strong(title(trace))
    for side in SIDES:
        yield f"{side}: {trace['policies'][side]}"
    yield ""
    for name, cards in holdings(trace):
        yield f"{f'Hand {name}' if name in SIDES else name.capitalize():9}{style.cards(cards)}"
    yield ""
    for trick in tricks(trace, style):
        first, second = trick.laid
        drawn = " ".join(f"{who} {style.card(card, 3)}" for who, card in trick.drawn)
        draws = f"   draw: {drawn}" if drawn else ""
        yield (f"{trick.number:3}  {first.who} leads {style.card(first.card, 3)}   "
               f"{style.cards(_without(first), _HAND)}{style.strong(trick.takes)}: {trick.why}")
        yield (f"     {second.who} plays {style.card(second.card, 3)}   "
               f"{style.cards(_without(second), _HAND)}{trick.score}{draws}").rstrip()
    yield ""
    yield style.strong(result(trace))


def title(trace: Mapping[str, Any]) -> str:
    """Which deal it is, who leads, and the rules that are not the default."""
    changed = changes_in_words(make_rules, make_rules(None, trace["rules"]).as_dict())
    return (f"Deal {trace['deal']} of seed {trace['seed']}, {trace['first_leader']} leads first"
            + "".join(f", {text}" for text in changed))


def holdings(trace: Mapping[str, Any], names: Mapping[str, str] = SAME) -> list[tuple[str, list[str]]]:
    """The cards before the first lead: both hands, and the stock from its top in two rows."""
    stock = list(trace["stock"])
    return [*((names[side], _sorted(trace["hands"][side])) for side in SIDES), ("stock", stock[:10]), ("", stock[10:])]


def opening(trace: Mapping[str, Any], style: Style, names: Mapping[str, str] = SAME) -> list[str]:
    """What came before the first lead: nothing."""
    return []


def tricks(trace: Mapping[str, Any], style: Style, names: Mapping[str, str] = SAME) -> Iterator[Trick]:
    """The tricks in order; names: what to call A and B."""
    rules = make_rules(None, trace["rules"])
    hands = {side: list(trace["hands"][side]) for side in SIDES}
    stock, score = list(trace["stock"]), {"A": 0, "B": 0}
    for number, trick in enumerate(trace["tricks"], start=1):
        leader, winner, led, reply = trick["leader"], trick["winner"], trick["led"], trick["reply"]
        other = _OTHER[leader]
        why = _why(rules, style, trick, hands, stock, names)
        laid = tuple(Laid(names[who], card, tuple(_sorted(hands[who])))
                     for who, card in ((leader, led), (other, reply)))
        hands[leader].remove(led)
        hands[other].remove(reply)
        won = is_honour(led) + is_honour(reply)
        score[winner] += won
        takes = f"{names[winner]} takes {'nothing' if not won else '1 honour' if won == 1 else '2 honours'}"
        drawn = trick["drawn"]
        yield Trick(number, "", laid, takes, why, f"{names['A']} {score['A']:>2} : {score['B']:<2} {names['B']}",
                    tuple((names[side], drawn[side]) for side in SIDES) if drawn else ())
        for side in SIDES if drawn else ():
            hands[side].append(drawn[side])
        del stock[:2]


def result(trace: Mapping[str, Any], names: Mapping[str, str] = SAME) -> str:
    """Who wins the deal, and how."""
    rules = make_rules(None, trace["rules"])
    honours, won_tricks, points = trace["honours"], trace["tricks_won"], trace["victory_points"]
    counts = f"honours {honours['A']}:{honours['B']}, tricks {won_tricks['A']}:{won_tricks['B']}"
    winner = max(SIDES, key=lambda side: honours[side])
    best, won = honours[winner], points[winner]
    if honours["A"] == honours["B"]:
        return f"Nobody wins: {counts}."
    how = " Schwarz" if best == 20 else " Schneider" if best >= rules.schneider_at else ""
    return f"{names[winner]} wins{how}, {won} victory point{'' if won == 1 else 's'}: {counts}."


def _without(laid: Laid) -> list[str]:
    return [card for card in laid.hand if card != laid.card]


def _why(rules: Rules, style: Style, trick: Mapping[str, Any], hands: Mapping[str, list[str]], stock: list[str],
         names: Mapping[str, str]) -> str:
    """Why the winner takes the trick; `hands` still hold the two cards played, `stock` is that before the draw."""
    led, reply, leader = trick["led"], trick["reply"], trick["leader"]
    other = _OTHER[leader]
    card = style.card
    if captures(rules, led, reply):
        return f"{card(reply)} captures {card(led)}, {_kind(rules, led)}"
    killers = [c for c in PACK.cards if c != led and captures(rules, led, c)]
    if not killers:
        return f"nothing captures {card(led)}"
    held = [c for c in killers if c in hands[other]]
    if legal := [c for c in legal_replies(rules, hands[other], led, len(stock)) if c in held]:
        return f"{names[other]} could capture with {' or '.join(map(card, legal))} and does not"
    if held:
        return f"{names[other]} must follow suit, so that {' and '.join(map(card, held))} may not capture"
    if len(killers) > 1:
        return f"{names[other]} has nothing that captures {card(led)}"
    killer = killers[0]
    place = (f"{names[leader]} has it" if killer in hands[leader] else
             "it is in the stock" if killer in stock else "it is gone")
    return f"only {card(killer)} captures {card(led)}: {place}"


def _kind(rules: Rules, led: str) -> str:
    """What kind of capture takes `led`."""
    if led[0] == "A":
        return "the seven takes the ace"
    return {"next_same_suit": "the next of its suit", "next_any_suit": "the next rank",
            "any_higher_same_suit": "a higher one of its suit"}[rules.beat_rule]


def _sorted(cards: list[str]) -> list[str]:
    return sorted(cards, key=PACK.bit)
