"""A deal of Bohemian Schneider as a page to read: hands, stock, every trick and why it went as it did."""

from collections.abc import Iterator, Mapping
from typing import Any

from ...base.terminal import Style
from ...base.text import value_text
from ..switches import changes
from .referee import SIDES
from .rules import PACK, Rules, captures, is_honour, legal_replies, make_rules

_OTHER = {"A": "B", "B": "A"}
_HAND = 6 * 4  # columns of a hand


def page(trace: Mapping[str, Any], style: Style) -> Iterator[str]:
    """The lines of the page for a trace in the form of `replay --json`."""
    rules = make_rules(None, trace["rules"])
    hands = {side: list(trace["hands"][side]) for side in SIDES}
    stock, score = list(trace["stock"]), {"A": 0, "B": 0}
    yield from _head(trace, rules, style)
    for number, trick in enumerate(trace["tricks"], start=1):
        leader, winner, led, reply = trick["leader"], trick["winner"], trick["led"], trick["reply"]
        other = _OTHER[leader]
        why = _why(rules, style, trick, hands, stock)
        hands[leader].remove(led)
        hands[other].remove(reply)
        won = is_honour(led) + is_honour(reply)
        score[winner] += won
        takes = f"{winner} takes {'nothing' if not won else '1 honour' if won == 1 else '2 honours'}"
        drawn = trick["drawn"]
        draws = f"   draw: A {style.card(drawn['A'], 3)} B {style.card(drawn['B'], 3)}" if drawn else ""
        yield (f"{number:3}  {leader} leads {style.card(led, 3)}   {style.cards(_sorted(hands[leader]), _HAND)}"
               f"{style.strong(takes)}: {why}")
        yield (f"     {other} plays {style.card(reply, 3)}   {style.cards(_sorted(hands[other]), _HAND)}"
               f"A {score['A']:>2} : {score['B']:<2} B{draws}").rstrip()
        for side in SIDES if drawn else ():
            hands[side].append(drawn[side])
        del stock[:2]
    yield ""
    yield _result(trace, rules, style)


def _head(trace: Mapping[str, Any], rules: Rules, style: Style) -> Iterator[str]:
    changed = [f"{name}={value_text(value)}" for name, value in changes(make_rules, rules.as_dict()).items()]
    yield style.strong(f"Deal {trace['deal']} of seed {trace['seed']}, {trace['first_leader']} leads first"
                       + "".join(f", {text}" for text in changed))
    for side in SIDES:
        yield f"{side}: {trace['policies'][side]}"
    yield ""
    for side in SIDES:
        yield f"Hand {side}   {style.cards(_sorted(trace['hands'][side]))}"
    stock = trace["stock"]
    yield f"Stock    {style.cards(stock[:10])}"
    yield f"         {style.cards(stock[10:])}"
    yield ""


def _result(trace: Mapping[str, Any], rules: Rules, style: Style) -> str:
    honours, tricks, points = trace["honours"], trace["tricks_won"], trace["victory_points"]
    counts = f"honours {honours['A']}:{honours['B']}, tricks {tricks['A']}:{tricks['B']}"
    winner = max(SIDES, key=lambda side: honours[side])
    best, won = honours[winner], points[winner]
    if honours["A"] == honours["B"]:
        return style.strong(f"Nobody wins: {counts}.")
    how = " Schwarz" if best == 20 else " Schneider" if best >= rules.schneider_at else ""
    return style.strong(f"{winner} wins{how}, {won} victory point{'' if won == 1 else 's'}: {counts}.")


def _why(rules: Rules, style: Style, trick: Mapping[str, Any], hands: Mapping[str, list[str]], stock: list[str]) -> str:
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
        return f"{other} could capture with {' or '.join(map(card, legal))} and does not"
    if held:
        return f"{other} must follow suit, so that {' and '.join(map(card, held))} may not capture"
    if len(killers) > 1:
        return f"{other} has nothing that captures {card(led)}"
    killer = killers[0]
    place = f"{leader} has it" if killer in hands[leader] else "it is in the stock" if killer in stock else "it is gone"
    return f"only {card(killer)} captures {card(led)}: {place}"


def _kind(rules: Rules, led: str) -> str:
    """What kind of capture takes `led`."""
    if led[0] == "A":
        return "the seven takes the ace"
    return {"next_same_suit": "the next of its suit", "next_any_suit": "the next rank",
            "any_higher_same_suit": "a higher one of its suit"}[rules.beat_rule]


def _sorted(cards: list[str]) -> list[str]:
    return sorted(cards, key=PACK.bit)
