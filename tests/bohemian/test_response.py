"""Best responses in the last six tricks against a plain expectimax over all cards; what they must do in any case."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import schneider_sim as ss
from naive import bohemian as naive
from schneider_sim.games import MatchUp, load_game
from schneider_sim.games.bohemian.endgame.responses import responses
from schneider_sim.games.bohemian.endgame.rules import solve
from schneider_sim.games.bohemian.rules import victory_points

GAME = load_game("bohemian")


def match(a: str, b: str, **rules: str) -> MatchUp:
    return MatchUp(GAME.rules(None, rules), GAME.grammar.parse(a), GAME.grammar.parse(b), seed=6)


def best_response(match_up: MatchUp, trace: dict[str, Any]) -> float:
    """A's expected points minus B's from trick 11 on: every card of A, B's cards as often as it plays them."""
    rules, policy = match_up.rules.as_dict(), match_up.b
    noise, random = float(policy.options["noise"]), policy.options["ties"] == "random"
    hands = {who: set(trace["hands"][who]) for who in "AB"}
    tricks, won = [], {"A": 0, "B": 0}
    for trick in trace["tricks"][:10]:
        tricks.append((trick["led"], trick["reply"]))
        hands[trick["leader"]].discard(trick["led"])
        hands[naive.other(trick["leader"])].discard(trick["reply"])
        won[trick["winner"]] += naive.count_honours([trick["led"], trick["reply"]])
        for who in "AB":
            hands[who].add(trick["drawn"][who])
    known: dict[Any, float] = {}

    def plays(hand: frozenset[str], other: frozenset[str], led: str | None, past: Any) -> dict[str, float]:
        """B's cards with their chances."""
        legal = set(naive.legal_replies(rules, set(hand), led, 0)) if led else set(hand)
        choices = legal
        if policy.options["endgame"] == "exact":
            best = solve(match_up.rules, hand, other - {led}, led)
            choices = {card for card in legal if best.cards[card] == best.honours}
        decision = naive.Decision("B", hand, frozenset(choices), led, past)
        section = policy.sections["follow" if led else "lead"]
        words = naive.in_pack_order(naive.candidates(rules, section, decision, policy.options["memory"]))
        words = words if random else words[:1]
        return {card: noise / len(legal) + (1 - noise) * (card in words) / len(words) for card in legal}

    def worth(a: frozenset[str], b: frozenset[str], leader: str, honours: int, past: Any) -> float:
        if not a:
            return victory_points(match_up.rules, honours)
        key = a, b, leader, honours
        if key not in known:
            def after(led: str, reply: str) -> float:
                winner = naive.other(leader) if naive.captures(rules, led, reply) else leader
                more = naive.count_honours([led, reply]) if winner == "A" else 0
                return worth(a - {led, reply}, b - {led, reply}, winner, honours + more, (*past, (led, reply)))

            if leader == "A":
                known[key] = max(math.fsum(chance * after(led, reply) for reply, chance
                                           in plays(b, a, led, past).items() if chance) for led in a)
            else:
                known[key] = math.fsum(chance * max(after(led, reply) for reply
                                                    in naive.legal_replies(rules, set(a), led, 0))
                                       for led, chance in plays(b, a, None, past).items() if chance)
        return known[key]

    leader = trace["tricks"][10]["leader"]
    return worth(frozenset(hands["A"]), frozenset(hands["B"]), leader, won["A"], tuple(tricks))


@pytest.mark.parametrize("b, rules", [
    ("champion", {}),
    ("plain; ties: first", {}),
    ("lead: honour low@11-13; follow: capture-honour high; noise: 0.25", {}),
    ("careful; memory: none", {"draw_timing": "on_play"}),
    ("careful; memory: honours", {"ace_by_seven": "same_suit"}),
    ("plain; memory: last-4", {}),
    ("plain; endgame: exact; noise: 0.1", {}),
    ("careful", {"beat_rule": "any_higher_same_suit", "follow": "must_follow"}),
    ("greedy; endgame: exact", {"beat_rule": "next_any_suit", "follow": "endgame_only", "ace_by_seven": "any_suit"}),
], ids=str)
def test_best_response_is_that_of_a_plain_expectimax(b: str, rules: dict[str, str]) -> None:
    playing = match("plain", b, **rules)
    found = responses(playing, 252, 258)
    for play, leader in enumerate("AB"):
        for deal in range(252, 258):
            right = best_response(playing, GAME.trace(playing, deal, leader))
            assert found[deal - 252, play] == pytest.approx(right, abs=1e-9), (deal, leader)


def test_a_best_response_is_at_least_as_good_as_any_play_and_as_perfect_play() -> None:
    """Against `ties: first` nothing is left to chance, so it holds deal by deal."""
    playing = match("champion; endgame: exact", "careful; ties: first")
    found, played = responses(playing, 0, 600), GAME.points_by_deal(playing, 0, 600)
    assert (found >= played).all() and found.mean() > played.mean() + 0.02
    assert (found == np.round(found)).all()


def test_against_perfect_play_nothing_is_won() -> None:
    playing = match("champion; endgame: exact", "champion; endgame: exact")
    assert (responses(playing, 0, 300) == GAME.points_by_deal(playing, 0, 300)).all()


def test_what_is_expected_is_what_is_won_in_the_mean() -> None:
    """The expectation over ties does not depend on the block in which a deal is asked for."""
    playing = match("careful", "random")
    whole = responses(playing, 200, 300)
    np.testing.assert_array_equal(np.concatenate([responses(playing, 200, 270), responses(playing, 270, 300)]), whole)
    np.testing.assert_array_equal(responses(replace(playing, seed=6), 200, 300), whole)


def test_a_memory_whose_order_matters_is_refused() -> None:
    with pytest.raises(ss.RequestError, match="last 4 tricks or more, not memory: last-2"):
        ss.exploit("plain; memory: last-2", deals=10)
