"""A table for tests: builds a trace card by card from hands, calls and tricks, and lets the referee judge it."""

from typing import Any

from schneider_sim.games.bauernschnapsen.rules.contracts import BY_NAME
from schneider_sim.games.bauernschnapsen.rules.legality import POINTS, leader_of, sitting_out, winning_place
from schneider_sim.games.bauernschnapsen.rules.referee import judge
from schneider_sim.games.bauernschnapsen.rules.score import Score
from schneider_sim.games.bauernschnapsen.rules.switches import make_rules


def cards(text):
    return text.split()


def calls_for(contract, declarer):
    """The shortest auction, caller first, that ends in the contract (one bid, everybody else passes)."""
    if contract == "NORMAL":
        return [(seat, "PASS") for seat in (0, 1, 2, 3)]
    calls = [(seat, "PASS") for seat in range(declarer)] + [(declarer, contract)]
    passed = set(range(1, declarer))
    return calls + [((declarer + i) % 4, "PASS") for i in (1, 2, 3) if (declarer + i) % 4 not in passed]


def build(hands, tricks, trump="H", contract="NORMAL", declarer=0, doublings=(), calls=None, **overrides):
    """A judged trace. Deal 3: dealer seat 3, caller seat 0. A trick is 'KS QS ..', '40 QH ..' or '40' alone."""
    rules = make_rules(None, overrides)
    row, away = BY_NAME[contract], sitting_out(rules, contract, declarer)
    held = [cards(hand) for hand in hands]
    held = [sorted(hand, key=lambda card: card[1] != trump) for hand in held]
    score, leader = Score(rules, contract, declarer), leader_of(contract, declarer)
    played = []
    seat = leader or 0
    for text in tricks:
        words = text.split()
        announced = None
        if words[0] in ("20", "40"):
            points = int(words.pop(0))
            suit = words[0][1] if words else trump
            announced = {"suit": suit, "points": points}
            score.announce(seat, points)
        order = [(seat + i) % 4 for i in range(4) if (seat + i) % 4 != away] if words else []
        trick = {"leader": seat, "announced": announced, "cards": words, "seats": order, "winner": None, "points": 0}
        if words:
            trick["winner"] = order[winning_place(row, trump, words)]
            trick["points"] = sum(POINTS[card[0]] for card in words)
            score.after_trick(trick["winner"], trick["points"])
            seat = trick["winner"]
        played.append(trick)
    end = score.end()
    assert end is not None, "the deal is not over"
    multiplier = 2 ** len(doublings)
    trace: dict[str, Any] = {
        "game": "bauernschnapsen", "rules": rules.as_dict(), "policies": {"A": "", "B": ""}, "seed": 1, "deal": 3,
        "first_leader": "A", "dealer": 3, "teams": {"A": [0, 2], "B": [1, 3]}, "redeals": 0, "hands": held,
        "trump": trump, "turned_up": None,
        "calls": [{"seat": s, "call": c} for s, c in calls or calls_for(contract, declarer)],
        "contract": contract, "declarer": declarer,
        "doublings": [{"seat": s, "multiplier": 2 ** (i + 1)} for i, s in enumerate(doublings)],
        "multiplier": multiplier, "leader": leader, "tricks": played, "card_points": score.card_points,
        "marriage_points": score.marriages, "scoring_team": "AB"[end.team], "game_points": end.value * multiplier,
        "ended": end.how,
    }
    judge(trace)
    return trace


def result(*args, **kwargs):
    """(scoring team, game points, how it ended) of `build`."""
    trace = build(*args, **kwargs)
    return trace["scoring_team"], trace["game_points"], trace["ended"]
