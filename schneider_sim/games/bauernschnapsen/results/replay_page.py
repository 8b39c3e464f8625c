"""A deal of Bauernschnapsen as a page to read: hands, trumps, calls, every trick and who wins it why, the result.

The account of it, from which other pages are made, is described in games.protocol.Accounts.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ....base.terminal import Style
from ...account import Laid, Trick
from ...switches import changes_in_words
from ..rules.contracts import BY_NAME
from ..rules.legality import schnapser_side
from ..rules.referee import PACK
from ..rules.score import Score
from ..rules.switches import Rules, make_rules

SAME = {"A": "A", "B": "B"}
_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_AIMS = {"none": "no trick at all", "all": "every trick", "schnapser": "66 in three tricks of its own"}
_ENDS = {"66": "66 reached", "last_trick": "nobody reached 66, the last trick decides", "contract_made": "made",
         "contract_failed": "failed", "declared": "shown and scored"}


def page(trace: Mapping[str, Any], style: Style) -> Iterator[str]:
    """The lines of the page for a trace in the form of `replay --json`."""
    yield style.strong(title(trace))
    for side in "AB":
        yield f"{side}: {trace['policies'][side]}"
    if standing := _standing(trace):
        yield standing
    yield ""
    for name, cards in holdings(trace):
        yield f"{name:18} {style.cards(cards)}"
    before, trumps, calls, game = _opening(trace, style, SAME)
    yield from filter(None, (before, trumps))
    yield ""
    yield calls
    yield style.strong(game)
    yield ""
    for trick in tricks(trace, style):
        number = f"{trick.number:3}"
        if trick.said:
            yield f"{number}  {trick.said}"
            number = "   "
        if trick.laid:
            seats = trace["tricks"][trick.number - 1]["seats"]
            laid = "   ".join(f"{seat}: {style.card(one.card, 3)}" for seat, one in
                              zip(seats, trick.laid, strict=True))
            who, rest = trick.takes.split(" takes ")
            score = f"   {trick.score}" if trick.score else ""
            yield f"{number}  {laid}   {style.strong(who)} takes {rest}: {trick.why}{score}"
    yield ""
    yield style.strong(result(trace))


def title(trace: Mapping[str, Any]) -> str:
    """Which deal it is, whose side calls, and the rules that are not the default."""
    changed = changes_in_words(make_rules, make_rules(None, trace["rules"]).as_dict())
    return (f"Deal {trace['deal']} of seed {trace['seed']}, {trace['first_leader']} is the caller's side"
            + "".join(f", {text}" for text in changed))


def holdings(trace: Mapping[str, Any], names: Mapping[str, str] = SAME) -> list[tuple[str, list[str]]]:
    """The hands from the caller on."""
    caller, found = (trace["dealer"] + 1) % 4, []
    for step in range(4):
        seat = (caller + step) % 4
        role = {0: ", caller", 3: ", dealer"}.get(step, "")
        found.append((_seat(trace, seat, names) + role, sorted(trace["hands"][seat], key=PACK.bit)))
    return found


def opening(trace: Mapping[str, Any], style: Style, names: Mapping[str, str] = SAME) -> list[str]:
    """What came before the first lead, in sentences: redeals, trumps, calls, contract and doublings."""
    return [text for text in (_standing(trace), *_opening(trace, style, names)) if text]


def tricks(trace: Mapping[str, Any], style: Style, names: Mapping[str, str] = SAME) -> Iterator[Trick]:
    """The tricks in order; names: what to call A and B. An announcement that ends the deal has no cards after it."""
    rules = make_rules(None, trace["rules"])
    row = BY_NAME[trace["contract"]]
    caller = (trace["dealer"] + 1) % 4
    score = Score(rules, row.name, (trace["declarer"] - caller) % 4)
    hands = [sorted(hand, key=PACK.bit) for hand in trace["hands"]]
    for number, trick in enumerate(trace["tricks"], start=1):
        announced, said = trick["announced"], ""
        if announced:
            score.announce((trick["leader"] - caller) % 4, announced["points"])
            said = (f"{_seat(trace, trick['leader'], names)} announces {announced['points']} in "
                    f"{_SUITS[announced['suit']]}")
        if not trick["cards"]:
            yield Trick(number, said, (), "", "", "")
            return
        laid = []
        for seat, card in zip(trick["seats"], trick["cards"], strict=True):
            laid.append(Laid(_seat(trace, seat, names), card, tuple(hands[seat])))
            hands[seat].remove(card)
        best = trick["cards"][trick["seats"].index(trick["winner"])]
        score.after_trick((trick["winner"] - caller) % 4, trick["points"])
        yield Trick(number, said, tuple(laid), f"{_seat(trace, trick['winner'], names)} takes {trick['points']}",
                    _why(trick, best, row.trumps and trace["trump"], style), _totals(trace, rules, score, names))


def result(trace: Mapping[str, Any], names: Mapping[str, str] = SAME) -> str:
    """Who scores, how much, and how the deal ended."""
    points, times = trace["game_points"], trace["multiplier"]
    base = f" ({points // times} times {times})" if times > 1 else ""
    what = "" if trace["contract"] == "NORMAL" else f"{trace['contract']} "
    plural = "" if points == 1 else "s"
    how = f"{what}{_ENDS[trace['ended']]}"
    return f"{names[trace['scoring_team']]} scores {points} game point{plural}{base}: {how}."


def _seat(trace: Mapping[str, Any], seat: int, names: Mapping[str, str] = SAME) -> str:
    side = next(who for who, seats in trace["teams"].items() if seat in seats)
    return f"seat {seat} ({names[side]})"


def _standing(trace: Mapping[str, Any]) -> str:
    """The score of the match before the deal; empty at 0:0."""
    if not any(trace["score"].values()):
        return ""
    return f"The match stands at {make_rules(None, trace['rules']).written(*trace['score'].values())}."


def _opening(trace: Mapping[str, Any], style: Style, names: Mapping[str, str]) -> tuple[str, str, str, str]:
    """Redeals (empty without any), trumps, calls, and the game that is played."""
    redeals = (f"The caller held three Unters first and had the cards dealt again, {trace['redeals']} times."
               if trace["redeals"] else "")
    turned = trace["turned_up"]
    trumps = f"Trumps are {_SUITS[trace['trump']]}, {f'turned up with {style.card(turned)}' if turned else 'named'}."
    calls = "Calls: " + ", ".join(f"{c['seat']} {'passes' if c['call'] == 'PASS' else c['call']}"
                                  for c in trace["calls"])
    row, who = BY_NAME[trace["contract"]], _seat(trace, trace["declarer"], names)
    if row.name == "NORMAL":
        text = "The normal game is played"
    else:
        aim = f" ({_AIMS[row.aim]})" if row.aim in _AIMS else ""
        text = f"{who} plays {row.name}{aim}" + ("" if row.trumps or row.aim == "declared" else ", no trumps")
    doubled = "".join(f", {_seat(trace, d['seat'], names)} makes it times {d['multiplier']}"
                      for d in trace["doublings"])
    return redeals, trumps, calls, f"{text}{doubled}."


def _why(trick: Mapping[str, Any], best: str, trump: str | bool, style: Style) -> str:
    if best[1] == trump and trick["cards"][0][1] != trump:
        return f"{style.card(best)} is the highest trump"
    alone = sum(card[1] == best[1] for card in trick["cards"]) == 1
    return f"nobody else has the suit of {style.card(best)}" if alone else f"{style.card(best)} is the highest"


def _totals(trace: Mapping[str, Any], rules: Rules, score: Score, names: Mapping[str, str]) -> str:
    """Where the sum of points counts, the sums by now; pending marriages are not in them."""
    first = trace["first_leader"]
    other = "B" if first == "A" else "A"
    if score.row.aim == "normal":
        return f"{names[first]} {score.total(0)} : {score.total(1)} {names[other]}"
    if score.row.aim == "schnapser":
        side = schnapser_side(rules, score.contract, score.declarer)
        return f"declarer {sum(score.card_points[s] + score.marriages[s] for s in side)}"
    return ""
