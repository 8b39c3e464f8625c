"""Perfect endgames against brute force that shares nothing with them, and what is counted of losses in the last six."""

from itertools import combinations

import numpy as np
import pytest

import schneider_sim as ss
from naive import bohemian as naive
from schneider_sim.base.tally import Tally
from schneider_sim.games import MatchUp, load_game
from schneider_sim.games.bohemian.endgame.rules import exact_of, solve
from schneider_sim.games.bohemian.endgame.table import make_table
from schneider_sim.games.bohemian.rules import has_table

GAME = load_game("bohemian")
RULES = [{"beat_rule": beat, "follow": follow, "ace_by_seven": ace}
         for beat in ("next_same_suit", "any_higher_same_suit", "next_any_suit")
         for follow in ("free", "must_follow", "endgame_only")
         for ace in ("off", "same_suit", "any_suit") if ace != "any_suit" or beat == "next_any_suit"]
FEW = ["7S", "9S", "TS", "AS", "9H", "TH", "JH", "AH"]


def brute(rules: dict, own: frozenset[str], other: frozenset[str], led: str | None = None) -> tuple[int, dict]:
    """Own honours from here on and those after each legal card, by trying everything."""
    found: dict = {}
    total = naive.count_honours([*own, *other, *([led] if led else [])])
    if led is None:
        worth = {card: min(naive.reached(rules, own, other, card, reply, found)
                           for reply in naive.legal_replies(rules, set(other), card, 0)) for card in own}
    else:
        worth = {card: -naive.reached(rules, other | {led}, own, led, card, found)
                 for card in naive.legal_replies(rules, set(own), led, 0)}
    honours = {card: (total + value) // 2 for card, value in worth.items()}
    return max(honours.values()), honours


def same(rules: dict, own, other, led=None) -> None:
    assert solve(GAME.rules(None, rules), own, other, led) == brute(rules, frozenset(own), frozenset(other), led)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: " ".join(rules.values()))
def test_all_small_positions(rules):
    """Every position of up to two cards a hand of a few cards, leads and replies, and many of three."""
    for size in (1, 2, 3):
        for number, mine in enumerate(combinations(FEW, size)):
            for theirs in list(combinations([card for card in FEW if card not in mine], size))[number % size :: size]:
                same(rules, mine, theirs)
                same(rules, mine, theirs[1:], theirs[0])


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: " ".join(rules.values()))
def test_larger_positions(rules):
    rng = np.random.default_rng(5)
    for _ in range(6):
        size = int(rng.integers(4, 7))
        cards = [str(card) for card in rng.permutation(naive.PACK)[: 2 * size]]
        same(rules, cards[:size], cards[size:])
        same(rules, cards[:size], cards[size + 1 :], cards[size])


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES, ids=lambda rules: " ".join(rules.values()))
def test_thousands_of_positions(rules):
    rng = np.random.default_rng(6)
    for number in range(1500):
        size = 6 if number % 20 == 0 else int(rng.integers(3, 5))
        of = naive.PACK if number % 2 else naive.PACK[: 2 * 8]
        cards = [str(card) for card in rng.permutation(of)[: 2 * size]]
        same(rules, cards[:size], cards[size:])


def test_the_example_of_the_rules():
    """Example 18b: three cards keep a lead of four honours (5:1), the others lose two of them each way (2:4)."""
    found = solve(GAME.rules(), ["AS", "KS", "QS", "9H", "8D", "7C"], ["JS", "TH", "JH", "9D", "8C", "7D"])
    assert found.honours == 5
    assert found.cards == {"AS": 5, "KS": 5, "QS": 5, "9H": 2, "8D": 2, "7C": 2}


@pytest.mark.parametrize("rules", [RULES[0], RULES[1], RULES[-1]], ids=str)
def test_the_other_player_gets_the_rest(rules):
    """A reply is worth what its lead leaves: the best reply to the best lead brings the position's value."""
    rng = np.random.default_rng(7)
    for _ in range(40):
        cards = [str(card) for card in rng.permutation(naive.PACK)[:12]]
        position = solve(GAME.rules(None, rules), cards[:6], cards[6:])
        for led, honours in position.cards.items():
            reply = solve(GAME.rules(None, rules), cards[6:], [card for card in cards[:6] if card != led], led)
            assert reply.honours + honours == naive.count_honours(cards)


def test_suits_may_be_exchanged():
    rng, swap = np.random.default_rng(8), str.maketrans("SHDC", "DCSH")
    for rules in RULES:
        cards = [str(card) for card in rng.permutation(naive.PACK)[:12]]
        other = [card[0] + card[1].translate(swap) for card in cards]
        found, again = (solve(GAME.rules(None, rules), some[:6], some[6:]) for some in (cards, other))
        assert found.honours == again.honours
        assert {card[0] + card[1].translate(swap): value for card, value in found.cards.items()} == again.cards


@pytest.mark.parametrize("own, other, led, says", [
    ("AS KS", "AS 7D", None, "lies in two places: AS"), ("", "", None, "equal hands of 1 to 6 cards, not 0 and 0"),
    ("AS KS", "7D", None, "not 2 and 1"), ("AS", "7D", "8D", "not 1 and 2"), ("1S", "7D", None, "'1S' is not a card")])
def test_positions_that_cannot_be(own, other, led, says):
    with pytest.raises(ss.RequestError, match=says):
        solve(GAME.rules(), own.split(), other.split(), led)


def test_the_table_is_small():
    assert has_table(GAME.rules()) and has_table(GAME.rules("seven-takes-ace")) and not has_table(GAME.rules("higher"))
    for ring in (False, True):
        assert sum(part.nbytes for part in make_table(ring).parts) < 1_000_000
    assert exact_of(GAME.rules()).known


@pytest.mark.parametrize("text, says", [
    ("plain; endgame: exact; memory: none", "does not go with memory: none"),
    ("memory: last-3; endgame: exact", "does not go with memory: last-3"), ("endgame: perfect", "words | exact")])
def test_refused(text, says):
    with pytest.raises(ss.RequestError, match=says.replace("|", "\\|")):
        GAME.grammar.parse(text)


def test_it_is_printed_after_noise():
    text = "lead: safe; follow:; endgame: exact; noise: 0.5; ties: first"
    assert str(GAME.grammar.parse(text)) == "lead: safe; follow:; ties: first; noise: 0.5; endgame: exact"
    assert str(GAME.grammar.parse("plain; endgame: words")) == str(GAME.grammar.parse("plain"))


def lost_in(trace: dict, rules) -> tuple[list, int]:
    """From a trace: (loser, trick, kind, own honours in the end until then, honours lost), and A's minimax honours."""
    plays, tricks = [], trace["tricks"]
    won = {"A": 0, "B": 0}
    for number, trick in enumerate(tricks):
        leader, other = trick["leader"], naive.other(trick["leader"])
        if number >= 10:
            rest = tricks[number:]
            hands: dict[str, list[str]] = {leader: [], other: []}
            for later in rest:
                hands[later["leader"]].append(later["led"])
                hands[naive.other(later["leader"])].append(later["reply"])
            before = solve(rules, hands[leader], hands[other])
            ours = won[leader] + before.honours
            if number == 10:
                minimax = ours if leader == "A" else 20 - ours
            after = won[leader] + before.cards[trick["led"]]
            if after < ours:
                plays.append((leader, number, 0, ours, ours - after))
            hands[leader].remove(trick["led"])
            replies = solve(rules, hands[other], hands[leader], trick["led"])
            theirs, got = won[other] + replies.honours, won[other] + replies.cards[trick["reply"]]
            if got < theirs:
                plays.append((other, number, 1, theirs, theirs - got))
        won[trick["winner"]] += naive.count_honours([trick["led"], trick["reply"]])
    return plays, minimax


@pytest.mark.parametrize("rules", [{}, {"ace_by_seven": "same_suit", "draw_timing": "on_play", "schneider_at": 13}],
                         ids=str)
def test_losses_are_those_of_the_plays(rules):
    """Recounted from traces; and in every play A's losses minus B's are A's minimax value minus its honours."""
    playing = MatchUp(GAME.rules(None, rules), GAME.grammar.parse("plain"), GAME.grammar.parse("greedy; noise: 0.3"),
                    seed=9, detail="all")
    tally = Tally(GAME.layout, GAME.play(playing, 30, 90))
    lost, leads = np.zeros_like(tally["endgame_lost"]), np.zeros_like(tally["endgame_leads"])
    points: dict[tuple[int, str], int] = {}
    value = [naive.victory_points(rules, {"A": honours, "B": 20 - honours}) for honours in range(21)]
    for first in "AB":
        for trace in GAME.traces(playing, 30, 90, first):
            plays, minimax = lost_in(trace, playing.rules)
            honours = {"A": 0, "B": 0}
            for who, trick, kind, before, size in plays:
                lost["AB".index(who), trick - 10, kind, before, size - 1] += 1
                honours[who] += size
                fall = value[before]["A"] - value[before]["B"] - value[before - size]["A"] + value[before - size]["B"]
                points[trace["deal"], who] = points.get((trace["deal"], who), 0) + fall
            assert honours["A"] - honours["B"] == minimax - trace["honours"]["A"]
            for number in range(10, 16):
                leads["AB".index(trace["tricks"][number]["leader"]), number - 10] += 1
    assert lost.sum() > 100
    np.testing.assert_array_equal(tally["endgame_lost"], lost)
    np.testing.assert_array_equal(tally["endgame_leads"], leads)
    a, b = (np.array([points.get((deal, who), 0) for deal in range(30, 90)]) for who in "AB")
    assert tally["endgame_sums"].tolist() == [a.sum(), b.sum(), (a * a).sum(), (b * b).sum(), (a * b).sum()]
    assert tally["endgame_deals"].tolist() == [60]


def test_perfect_play_loses_nothing():
    for rules in ({}, {"ace_by_seven": "same_suit"}):
        tally = ss.simulate("plain; endgame: exact", "greedy", deals=2000, rules=rules, detail="all").tally
        lost = tally["endgame_lost"].sum(axis=(1, 2, 3, 4))
        assert lost[0] == 0 < lost[1]
        assert tally["endgame_sums"][0] == 0 < tally["endgame_sums"][1]
    assert not ss.simulate("plain", "greedy", deals=300, variant="higher", detail="all").tally["endgame_deals"].any()


def test_perfect_play_gains():
    """A third of a tenth of a point against the same words (strength of the classic's last six tricks)."""
    result = ss.simulate("classic; endgame: exact", "classic", deals=60_000, seed=12)
    best = result.estimates[0]
    assert best.statistic == "vp_per_deal" and 0.025 < best.low < best.high < 0.038


def test_the_tables_say_what_was_lost():
    from schneider_sim.games.bohemian.tables import endgame_losses, endgame_points

    tally = ss.simulate("classic; endgame: exact", "plain", deals=3000, detail="all").tally
    frame, points = endgame_losses(tally, "duplicate"), endgame_points(tally, "duplicate")
    assert len(frame) == 24 and not frame[frame.player == "A"].lost.any()
    theirs = frame[frame.player == "B"]
    assert (theirs.low <= theirs.lost).all() and (theirs.lost <= theirs.high).all()
    sizes = np.arange(1, 13)
    assert (theirs.lost * theirs.n).sum() == pytest.approx((tally["endgame_lost"][1] * sizes).sum())
    assert points.lost.tolist() == [0, tally["endgame_sums"][1] / 6000] and points.high[0] > 0
    higher = ss.simulate("plain", "greedy", deals=300, variant="higher", detail="all").tally
    assert endgame_losses(higher, "duplicate").empty and endgame_points(higher, "duplicate").empty
