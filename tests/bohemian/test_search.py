"""Search: values against the enumeration of all worlds, evidence against exact odds, determinism, what it refuses."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

import schneider_sim as ss
from naive import bohemian as naive
from schneider_sim.games import MatchUp, load_game
from schneider_sim.games.bohemian import positions
from schneider_sim.games.bohemian import state as at
from schneider_sim.games.bohemian.endgame.rules import solve
from schneider_sim.games.bohemian.positions import Evaluator, position_of, read_position
from schneider_sim.games.bohemian.rules import PACK, value_of_honours

GAME = load_game("bohemian")
PLAIN = "lead: safe honour high; follow: capture dead low; ties: first"
OTHER = "lead: low; follow: capture not-honour; ties: first"


def match(own: str, other: str, **rules) -> MatchUp:
    return MatchUp(GAME.rules(None, rules), GAME.grammar.parse(own), GAME.grammar.parse(other), seed=4)


def rest_of(playing: MatchUp, position, card: str, theirs: frozenset[str], stock: list[str]) -> int:
    """Own honours in the end, by the plain version up to the stock's end and the solved position there."""
    rules = playing.rules.as_dict()
    words = {True: playing.a.sections, False: playing.b.sections}
    hands = {True: set(position.hand), False: set(theirs)}
    won = dict(zip((True, False), positions.honours(playing.rules, position), strict=True))
    tricks = list(zip(position.played[::2], position.played[1::2], strict=True))
    leader, stock = position.led is None, list(stock)

    def choose(own: bool, led: str | None) -> str:
        legal = naive.legal_replies(rules, hands[own], led, len(stock)) if led else hands[own]
        decision = naive.Decision("A", frozenset(hands[own]), frozenset(legal), led, tuple(tricks))
        section = "follow" if led else "lead"
        return naive.in_pack_order(naive.candidates(rules, words[own][section], decision))[0]

    first = True
    while stock:
        led = position.led or card if first else choose(leader, None)
        reply = card if first and position.led else choose(not leader, led)
        first = False
        hands[leader].discard(led)
        hands[not leader].discard(reply)
        tricks.append((led, reply))
        winner = not leader if naive.captures(rules, led, reply) else leader
        won[winner] += naive.count_honours([led, reply])
        top = leader if rules["draw_timing"] == "on_play" else winner
        hands[top].add(stock.pop(0))
        hands[not top].add(stock.pop(0))
        leader = winner
    last = solve(playing.rules, sorted(hands[leader]), sorted(hands[not leader])).honours
    return won[True] + last if leader else 20 - won[False] - last


def worlds_of(position) -> list[tuple[frozenset[str], list[str]]]:
    unseen = [card for card in naive.PACK if card not in {*position.hand, *position.played, position.led}]
    size = 6 - (position.led is not None)
    return [(frozenset(theirs), list(stock)) for theirs in combinations(unseen, size)
            for stock in permutations([card for card in unseen if card not in theirs])]


def enumerated(playing: MatchUp, position, cards) -> dict[str, list[int]]:
    return {card: [rest_of(playing, position, card, theirs, stock) for theirs, stock in worlds_of(position)]
            for card in cards}


def found_in(playing: MatchUp, deal: int, trick: int, leading: bool):
    trace = GAME.trace(playing, deal, "A")
    seat = int((trace["tricks"][trick - 1]["leader"] == "A") != leading)
    return position_of(trace, trick, seat)


def compared(playing: MatchUp, position, cards, sampled: int) -> None:
    exact = enumerated(playing, position, cards)
    sums = Evaluator(playing).worth(position, cards, 0, sampled, seed=9)
    points = np.array(value_of_honours(playing.rules))
    assert sums.worlds == sampled
    for number, card in enumerate(cards):
        values, honours = points[exact[card]], np.array(exact[card])
        assert abs(sums.values[number] / sampled - values.mean()) < 4.5 * values.std() / sampled**0.5 + 1e-12
        assert abs(sums.honours[number] / sampled - honours.mean()) < 4.5 * honours.std() / sampled**0.5 + 1e-12
        assert abs(sums.wins[number] / sampled - (values > 0).mean()) < 4.5 * (values > 0).std() / sampled**0.5 + 1e-12
    gaps = points[exact[cards[0]]] - points[exact[cards[1]]]
    paired = sums.products[0, 0] - 2 * sums.products[0, 1] + sums.products[1, 1]
    assert abs(paired / sampled - (gaps**2).mean()) < 4.5 * (gaps**2).std() / sampled**0.5 + 1e-12
    assert (sums.products == sums.products.T).all()


@pytest.mark.parametrize("rules", [{}, {"draw_timing": "on_play", "ace_by_seven": "same_suit"},
                                   {"beat_rule": "any_higher_same_suit", "follow": "must_follow"}], ids=str)
@pytest.mark.parametrize("leading", [True, False])
def test_trick_ten_against_all_worlds(rules, leading):
    """The last draw: 56 worlds at a lead, 42 at a reply."""
    playing = match(PLAIN, OTHER, **rules)
    for deal in (3, 8):
        position = found_in(playing, deal, 10, leading)
        assert len(worlds_of(position)) == (56 if leading else 42)
        cards = positions.legal_cards(playing.rules, position)
        if len(cards) > 1:
            compared(playing, position, cards[:3], 4000 if not rules.get("follow") else 1200)


def test_trick_nine_against_all_worlds():
    """Two draws to go: 5,040 worlds at a lead."""
    playing = match(PLAIN, OTHER)
    position = found_in(playing, 5, 9, True)
    assert len(worlds_of(position)) == 5040
    compared(playing, position, positions.legal_cards(playing.rules, position)[2:4], 20_000)


def test_search_finds_the_best_card_where_all_worlds_are_known():
    """In trick 10 with many samples: no card is better than the searcher's by more than a hundredth."""
    playing = match(PLAIN + "; search: rollout; samples: 4096", PLAIN)
    points = np.array(value_of_honours(playing.rules))
    changed = 0
    for deal in range(12):
        position = found_in(match(PLAIN, PLAIN), deal, 10, True)
        worth = {card: points[found].mean() for card, found in
                 enumerated(playing, position, positions.legal_cards(playing.rules, position)).items()}
        own = Evaluator(match(PLAIN, PLAIN)).choice(position, deal)
        chosen = Evaluator(playing).choice(position, deal)
        changed += chosen != own
        assert worth[chosen] > max(worth.values()) - 0.03
        assert worth[chosen] >= worth[own]
    assert changed


def exact_odds(position, section: list[str], plays: int) -> dict[frozenset[str], float]:
    """The odds of the other hand in a position at a lead, given that the other followed `section` in its last plays."""
    tricks = list(zip(position.played[::2], position.played[1::2], strict=True))
    own = positions.leaders(GAME.rules(), position)

    def likelihood(held: frozenset[str], past: int, left: int) -> float:
        if not left:
            return 1.0
        led, reply = tricks[past]
        card, on_table = (reply, led) if own[past] else (led, None)
        total = 0.0
        for drawn in held:
            hand = held - {drawn} | {card}
            decision = naive.Decision("B", hand, hand, on_table, tuple(tricks[:past]))
            best = naive.candidates({}, section, decision)
            if card in best:
                total += likelihood(hand, past - 1, left - 1) / len(best)
        return total / 6

    hands = {theirs for theirs, _ in worlds_of(position)}
    odds = {theirs: likelihood(theirs, len(tricks) - 1, plays) for theirs in hands}
    return {theirs: chance / sum(odds.values()) for theirs, chance in odds.items()}


@pytest.mark.parametrize("plays", [1, 2, 3])
def test_evidence_weighs_hands_as_it_should(plays):
    """In trick 10 the other holds one of 28 hands: how often each is drawn against its exact odds."""
    from schneider_sim.games.bohemian.search.policies import measure

    words = ["high"]
    playing = match("random", "lead: high; follow: high")
    position = found_in(playing, 2, 10, True)
    odds = exact_odds(position, words, plays)
    evaluator, drawn = Evaluator(playing, "b", plays), Counter[frozenset[str]]()
    outer = evaluator._recorded(position)
    for number in range(40):
        card = np.array([PACK.to_mask(position.hand[:1])], np.int64)
        measure(evaluator.rooms, outer, 9, 0, position.seat, evaluator.a, evaluator.b, evaluator.b, plays, card,
                256 * number, 1, 0, np.uint64(3))
        drawn.update(frozenset(PACK.names(int(hand))) for hand in evaluator.rooms.worlds[at.HAND : at.HAND + 256])
    total = sum(drawn.values())
    for hand, chance in odds.items():
        assert abs(drawn[hand] / total - chance) < 5 * (chance * (1 - chance) / (total / 4)) ** 0.5 + 0.003
    assert max(odds.values()) > 1.5 / 28


def test_worlds_do_not_depend_on_when_they_are_asked_for():
    playing = match("classic", "plain; noise: 0.2")
    position = found_in(playing, 6, 3, False)
    cards = positions.legal_cards(playing.rules, position)
    evaluator = Evaluator(playing, inference=2)
    whole = evaluator.worth(position, cards, 0, 768, deal=5)
    parts = [evaluator.worth(position, cards, first, size, deal=5) for first, size in ((512, 256), (0, 512))]
    assert (parts[0].values + parts[1].values == whole.values).all()
    assert (parts[0].products + parts[1].products == whole.products).all()
    alone = Evaluator(playing, inference=2).worth(position, cards[2:3], 0, 768, deal=5)
    assert alone.values[0] == whole.values[2]
    assert (evaluator.worth(position, cards, 0, 768, deal=6).values != whole.values).any()


@pytest.mark.parametrize("text", ["classic; search: rollout; samples: 48",
                                  "plain; search: rollout; samples: 32; inference: 2; noise: 0.05",
                                  "plain; search: pimc; samples: 8; memory: last-2; noise: 0.05"])
def test_the_counts_do_not_depend_on_threads_and_ranges(text):
    from dataclasses import replace

    from schneider_sim.engines.threads import run
    from schneider_sim.runs.experiment import make_experiment

    wanted = make_experiment(text, "careful", deals=150, first=200, seed=3)
    assert wanted.cut < 4096
    whole = run(replace(wanted, cut=1 << 19), threads=1)
    assert run(replace(wanted, cut=16), threads=2).sha256 == whole.sha256
    mirrored = ss.simulate("careful", text, deals=150, first=200, seed=3)
    np.testing.assert_array_equal(mirrored.tally["joint"], whole["joint"][::-1, ::-1].T)
    for trace in GAME.traces(wanted.match_up, 200, 230, "B"):
        GAME.judge(trace)


def test_search_plays_by_every_rule():
    for rules in ({"beat_rule": "any_higher_same_suit", "follow": "must_follow"},
                  {"beat_rule": "next_any_suit", "ace_by_seven": "any_suit", "draw_timing": "on_play"}):
        for search in ("rollout; samples: 8; inference: 1", "pimc; samples: 8; memory: honours"):
            searching = GAME.grammar.parse(f"plain; search: {search}")
            playing = MatchUp(GAME.rules(None, rules), searching, GAME.grammar.parse("greedy"))
            for trace in GAME.traces(playing, 0, 2, "A"):
                GAME.judge(trace)


def test_search_gains():
    """Few worlds, and more than chance would give: 64 of them, the exact endgame included, are worth a twelfth."""
    result = ss.simulate("classic; search: rollout; samples: 64", "classic", deals=4000, seed=21)
    assert result.estimates[0].low > 0.02


def test_who_knows_the_other_plays_it_on_by_its_words():
    """Against its own words it is the same; against others it changes cards, and gains by it."""
    from dataclasses import replace

    searching = "plain; search: rollout; samples: 64; inference: 2"
    for other, same in (("plain", True), ("thrifty", False)):
        playing = match(searching, other)
        known = GAME.points_by_deal(replace(playing, informed=True), 0, 250)
        assert (known == GAME.points_by_deal(playing, 0, 250)).all() == same
    assert known.mean() > GAME.points_by_deal(playing, 0, 250).mean()


@pytest.mark.parametrize("text, says", [
    ("plain; search: rollout; memory: honours", "does not go with memory: honours"),
    ("plain; search: pimc; memory: none; endgame: exact", "does not go with memory: none"),
    ("plain; search: pimc; memory: none; inference: 1", "needs memory: full, not memory: none"),
    ("samples: 0", "N from 1 to 65536"), ("samples: 65537", "N from 1 to 65536"), ("inference: 17", "K from 0 to 16"),
    ("search: deep", "none | rollout")])
def test_refused(text, says):
    with pytest.raises(ss.RequestError) as caught:
        GAME.grammar.parse(text)
    assert says in str(caught.value)


def test_options_are_printed_in_order():
    text = "random; inference: 4; samples: 9; search: rollout; endgame: exact; noise: 0.5; ties: first"
    assert str(GAME.grammar.parse(text)).endswith(
        "ties: first; noise: 0.5; endgame: exact; search: rollout; samples: 9; inference: 4")


@pytest.mark.parametrize("hand, led, played, says", [
    ("AS KS QS JS TS 9S", "AS", "", "lies in two places: AS"),
    ("AS KS QS JS TS", None, "", "a hand has 6 cards, not 5"),
    ("AS KS QS JS TS 9S", None, "8S", "1 played cards cannot be"),
    ("AS XX QS JS TS 9S", None, "", "'XX' is not a card"),
    ("AS", None, " ".join(card for card in naive.PACK if card != "AS") + " AS", "lies in two places: AS")])
def test_positions_that_cannot_be(hand, led, played, says):
    with pytest.raises(ss.RequestError) as caught:
        read_position(hand.split(), led, played.split())
    assert says in str(caught.value)


def test_a_position_of_a_trace_is_what_the_trace_says():
    playing = match("plain", "greedy; noise: 0.3")
    for trace in GAME.traces(playing, 0, 5, "B"):
        won = {"A": 0, "B": 0}
        for number, trick in enumerate(trace["tricks"]):
            for seat, who in enumerate("BA"):
                position = position_of(trace, number + 1, seat)
                assert positions.honours(playing.rules, position) == (won[who], won[naive.other(who)])
                led = [own == (past["leader"] == who) for own, past in
                       zip(positions.leaders(playing.rules, position), trace["tricks"], strict=False)]
                assert all(led) and len(position.hand) == min(6, 16 - number)
            won[trick["winner"]] += naive.count_honours([trick["led"], trick["reply"]])


def test_the_choice_is_what_the_kernel_played():
    """In every trick, lead and reply, searching or not, in the last six too."""
    for text in ("classic; endgame: exact", "plain; search: rollout; samples: 32; inference: 1",
                 "plain; search: pimc; samples: 16; memory: last-3"):
        playing = MatchUp(GAME.rules(), GAME.grammar.parse(text), GAME.grammar.parse("greedy"), seed=4)
        evaluator = Evaluator(playing)
        trace = GAME.trace(playing, 300, "A")
        for number, trick in enumerate(trace["tricks"]):
            position = position_of(trace, number + 1, 0)
            played = trick["led"] if trick["leader"] == "A" else trick["reply"]
            assert evaluator.choice(position, 300, 4) == played
