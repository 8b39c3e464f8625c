"""A deal of Bauernschnapsen as a page to read: hands, trumps, calls, every trick and who wins it why, the result."""

from collections.abc import Iterator, Mapping
from typing import Any

from ....base.terminal import Style
from ....base.text import value_text
from ...switches import changes
from ..rules.contracts import BY_NAME
from ..rules.legality import schnapser_side
from ..rules.referee import PACK
from ..rules.score import Score
from ..rules.switches import Rules, make_rules

_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_AIMS = {"none": "no trick at all", "all": "every trick", "schnapser": "66 in three tricks of its own"}
_ENDS = {"66": "66 reached", "last_trick": "nobody reached 66, the last trick decides", "contract_made": "made",
         "contract_failed": "failed", "declared": "shown and scored"}


def page(trace: Mapping[str, Any], style: Style) -> Iterator[str]:
    """The lines of the page for a trace in the form of `replay --json`."""
    rules = make_rules(None, trace["rules"])
    yield from _head(trace, rules, style)
    yield from _calls(trace, style)
    row = BY_NAME[trace["contract"]]
    caller = (trace["dealer"] + 1) % 4
    score = Score(rules, row.name, (trace["declarer"] - caller) % 4)
    hands = [sorted(hand, key=PACK.bit) for hand in trace["hands"]]
    for number, trick in enumerate(trace["tricks"], start=1):
        said = trick["announced"]
        if said:
            score.announce((trick["leader"] - caller) % 4, said["points"])
            yield f"{number:3}  {_seat(trace, trick['leader'])} announces {said['points']} in {_SUITS[said['suit']]}"
        if not trick["cards"]:
            break
        for seat, card in zip(trick["seats"], trick["cards"], strict=True):
            hands[seat].remove(card)
        cards = "   ".join(f"{seat}: {style.card(card, 3)}" for seat, card in
                           zip(trick["seats"], trick["cards"], strict=True))
        best = trick["cards"][trick["seats"].index(trick["winner"])]
        score.after_trick((trick["winner"] - caller) % 4, trick["points"])
        lead = "   " if said else f"{number:3}"
        yield (f"{lead}  {cards}   {style.strong(_seat(trace, trick['winner']))} takes {trick['points']}: "
               f"{_why(trick, best, row.trumps and trace['trump'], style)}{_totals(trace, rules, score)}")
    yield ""
    yield _result(trace, style)


def _seat(trace: Mapping[str, Any], seat: int) -> str:
    side = next(who for who, seats in trace["teams"].items() if seat in seats)
    return f"seat {seat} ({side})"


def _head(trace: Mapping[str, Any], rules: Rules, style: Style) -> Iterator[str]:
    changed = [f"{name}={value_text(value)}" for name, value in changes(make_rules, rules.as_dict()).items()]
    yield style.strong(f"Deal {trace['deal']} of seed {trace['seed']}, {trace['first_leader']} is the caller's side"
                       + "".join(f", {text}" for text in changed))
    for side in "AB":
        yield f"{side}: {trace['policies'][side]}"
    if any(trace["score"].values()):
        yield f"The match stands at {rules.written(*trace['score'].values())}."
    yield ""
    caller = (trace["dealer"] + 1) % 4
    for step in range(4):
        seat = (caller + step) % 4
        role = {0: ", caller", 3: ", dealer"}.get(step, "")
        yield f"{_seat(trace, seat) + role:18} {style.cards(sorted(trace['hands'][seat], key=PACK.bit))}"
    if trace["redeals"]:
        yield f"The caller held three Unters first and had the cards dealt again, {trace['redeals']} times."
    turned = trace["turned_up"]
    how = f"turned up with {style.card(turned)}" if turned else "named"
    yield f"Trumps are {_SUITS[trace['trump']]}, {how}."
    yield ""


def _calls(trace: Mapping[str, Any], style: Style) -> Iterator[str]:
    row = BY_NAME[trace["contract"]]
    yield "Calls: " + ", ".join(f"{c['seat']} {'passes' if c['call'] == 'PASS' else c['call']}" for c in trace["calls"])
    who = _seat(trace, trace["declarer"])
    if row.name == "NORMAL":
        text = "The normal game is played"
    else:
        aim = f" ({_AIMS[row.aim]})" if row.aim in _AIMS else ""
        text = f"{who} plays {row.name}{aim}" + ("" if row.trumps or row.aim == "declared" else ", no trumps")
    doubled = "".join(f", {_seat(trace, d['seat'])} makes it times {d['multiplier']}" for d in trace["doublings"])
    yield style.strong(f"{text}{doubled}.")
    yield ""


def _why(trick: Mapping[str, Any], best: str, trump: str | bool, style: Style) -> str:
    if best[1] == trump and trick["cards"][0][1] != trump:
        return f"{style.card(best)} is the highest trump"
    alone = sum(card[1] == best[1] for card in trick["cards"]) == 1
    return f"nobody else has the suit of {style.card(best)}" if alone else f"{style.card(best)} is the highest"


def _totals(trace: Mapping[str, Any], rules: Rules, score: Score) -> str:
    """Where the sum of points counts, the sums by now; pending marriages are not in them."""
    first = trace["first_leader"]
    other = "B" if first == "A" else "A"
    if score.row.aim == "normal":
        return f"   {first} {score.total(0)} : {score.total(1)} {other}"
    if score.row.aim == "schnapser":
        side = schnapser_side(rules, score.contract, score.declarer)
        return f"   declarer {sum(score.card_points[s] + score.marriages[s] for s in side)}"
    return ""


def _result(trace: Mapping[str, Any], style: Style) -> str:
    points, times = trace["game_points"], trace["multiplier"]
    base = f" ({points // times} times {times})" if times > 1 else ""
    what = "" if trace["contract"] == "NORMAL" else f"{trace['contract']} "
    plural = "" if points == 1 else "s"
    how = f"{what}{_ENDS[trace['ended']]}"
    return style.strong(f"{trace['scoring_team']} scores {points} game point{plural}{base}: {how}.")
