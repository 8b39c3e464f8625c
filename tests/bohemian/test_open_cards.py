"""Search by open cards: against plain minimax on all worlds, and worlds against what a player remembers."""

from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from numba import njit

from naive import bohemian as naive
from schneider_sim.compiled.lanes import LANES, make_space
from schneider_sim.games import MatchUp, load_game
from schneider_sim.games.bohemian import positions
from schneider_sim.games.bohemian import state as at
from schneider_sim.games.bohemian.endgame.rules import exact_of, solve
from schneider_sim.games.bohemian.positions import Evaluator, position_of
from schneider_sim.games.bohemian.rules import PACK, Rules, value_of_honours
from schneider_sim.games.bohemian.search.open_cards import room_for, solve_all
from schneider_sim.games.bohemian.search.worlds import GONE

GAME = load_game("bohemian")
PLAIN = "lead: safe honour high; follow: capture dead low"
POOR = "lead: blocker honour; follow: honour high; ties: first"


class Plain:
    """Minimax with open cards over every card, on sets of names; True is the searcher."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.words = rules, rules.as_dict()
        self.known: dict[Any, int] = {}

    def value(self, hands: dict[bool, frozenset[str]], stock: tuple[str, ...], leader: bool, led: str | None) -> int:
        """The searcher's honours from here on, those of the trick on the table included."""
        if not stock:
            return self._endgame(hands, leader, led)
        key = (hands[True], hands[False], len(stock), leader, led)
        if key not in self.known:
            mover = leader if led is None else not leader
            cards = hands[mover] if led is None else naive.legal_replies(self.words, set(hands[mover]), led, len(stock))
            found = [self.after(hands, stock, leader, led, card) for card in cards]
            self.known[key] = max(found) if mover else min(found)
        return self.known[key]

    def after(self, hands: dict[bool, frozenset[str]], stock: tuple[str, ...], leader: bool, led: str | None,
              card: str) -> int:
        if led is None:
            return self.value(hands, stock, leader, card)
        left = {leader: hands[leader] - {led}, (not leader): hands[not leader] - {card}}
        winner = leader != naive.captures(self.words, led, card)
        won = naive.count_honours([led, card]) if winner else 0
        if stock:
            first = leader if self.words["draw_timing"] == "on_play" else winner
            left = {side: left[side] | {stock[0 if side == first else 1]} for side in left}
        return won + self.value(left, stock[2:], winner, None)

    def _endgame(self, hands: dict[bool, frozenset[str]], leader: bool, led: str | None) -> int:
        mover = leader if led is None else not leader
        if not hands[mover]:
            return 0
        key = (hands[True], hands[False], leader, led)
        if key not in self.known:
            honours = naive.count_honours([*hands[True], *hands[False]])
            other = hands[not mover] - {led}
            found = solve(self.rules, sorted(hands[mover]), sorted(other), led).honours
            self.known[key] = found if mover else honours - found
        return self.known[key]


@njit
def opened(room, space, exact, trick, side, seat, at_once, lanes, out):
    solve_all(room, space, exact, trick, side, seat, at_once, lanes, out)


@pytest.mark.parametrize("rules", [{}, {"draw_timing": "on_play", "ace_by_seven": "same_suit"},
                                   {"schneider_at": 13}], ids=str)
def test_open_cards_against_plain_minimax(rules):
    """Random positions in tricks 10, 9 and 8, leads and replies, either player leading."""
    parsed, rng = GAME.rules(None, rules), np.random.default_rng(3)
    points = np.array(value_of_honours(parsed), np.int64)
    different = set()
    for trick, side, lanes in ((9, 0, 24), (9, 1, 24), (8, 0, 5), (8, 1, 8), (7, 0, 1), (7, 1, 1)):
        space, plain = make_space(at.SIZE), []
        rows = space.reshape(-1, LANES)
        for lane in range(lanes):
            cards = [str(card) for card in rng.permutation(naive.PACK)]
            hands = {True: frozenset(cards[:6]), False: frozenset(cards[6:12])}
            stock, played = tuple(cards[12 : 32 - 2 * trick]), cards[32 - 2 * trick :]
            leads = bool(rng.integers(2))
            led = sorted(hands[leads])[0] if side else None
            mine = int(rng.integers(naive.count_honours(played) + 1))
            theirs = naive.count_honours(played) - mine
            mask = {who: PACK.to_mask(hands[who]) for who in hands}
            rows[at.TURN // LANES, lane] = 0 if leads else 1
            rows[at.HOLD // LANES : at.HOLD // LANES + 2, lane] = mask[leads], mask[not leads]
            rows[at.SCORE // LANES : at.SCORE // LANES + 2, lane] = (mine, theirs) if leads else (theirs, mine)
            rows[at.LED // LANES, lane] = PACK.to_mask([led] if led else [])
            for number, card in enumerate(stock):
                rows[at.STOCK // LANES + 2 * trick + number, lane] = PACK.to_mask([card])
            plain.append(mine + Plain(parsed).value(hands, stock, leads, led))
        at_once = np.uint32("draw_timing" in rules)
        opened(room_for(points), space, exact_of(parsed), trick, side, 0, at_once, lanes, at.EVENTS)
        assert points[rows[at.EVENTS // LANES, :lanes]].tolist() == points[plain].tolist()
        different |= set(points[plain].tolist())
    assert len(different) >= 3


def match(own: str, **rules) -> MatchUp:
    return MatchUp(GAME.rules(None, rules), GAME.grammar.parse(own), GAME.grammar.parse("plain"), seed=4)


def found_in(deal: int, trick: int, leading: bool, **rules):
    trace = GAME.trace(match("greedy", **rules), deal, "A")
    seat = int((trace["tricks"][trick - 1]["leader"] == "A") != leading)
    return position_of(trace, trick, seat)


@pytest.mark.parametrize("leading", [True, False])
def test_choice_in_trick_ten_against_all_worlds(leading):
    """All worlds of the last draw, each by plain minimax: the card chosen is never worse than that of poor words, and
    finds nearly all that these lose."""
    searching, wordy = Evaluator(match(POOR + "; search: pimc; samples: 4096")), Evaluator(match(POOR))
    rules, lost, left = GAME.rules(), 0.0, 0.0
    points = np.array(value_of_honours(rules))
    for deal in range(10):
        position, plain = found_in(deal, 10, leading), Plain(rules)
        own = positions.honours(rules, position)[0]
        unseen = [card for card in naive.PACK if card not in {*position.hand, *position.played, position.led}]
        worth = dict.fromkeys(positions.legal_cards(rules, position), 0.0)
        for theirs in combinations(unseen, 6 - (not leading)):
            for stock in permutations([card for card in unseen if card not in theirs]):
                hands = {True: frozenset(position.hand), False: frozenset(filter(None, (*theirs, position.led)))}
                for card in worth:
                    worth[card] += points[own + plain.after(hands, stock, leading, position.led, card)]
        worlds = 56 if leading else 42
        card, words = searching.choice(position, deal), wordy.choice(position, deal)
        assert worth[card] >= worth[words]
        lost += (max(worth.values()) - worth[words]) / worlds
        left += (max(worth.values()) - worth[card]) / worlds
    assert lost > 0.3 and left < lost / 5


def known_to(memory: str, position) -> set[str]:
    tricks = list(zip(position.played[::2], position.played[1::2], strict=True))
    return naive.remembered(memory, tricks) | {*position.hand} | ({position.led} - {None})


@pytest.mark.parametrize("memory", ["none", "honours", "last-2", "full"])
@pytest.mark.parametrize("trick, leading", [(3, False), (8, True), (13, True)])
def test_worlds_are_those_that_fit_what_is_remembered(memory, trick, leading):
    """Hand, stock and forgotten cards have their sizes and honours in every world; a card that fits may be anywhere."""
    playing = match(f"{PLAIN}; search: pimc; samples: 256; memory: {memory}")
    evaluator, position = Evaluator(playing), found_in(1, trick, leading)
    known = known_to(memory, position)
    unseen = [card for card in naive.PACK if card not in known]
    size, stock = min(6, 17 - trick) - (not leading), max(20 - 2 * (trick - 1), 0)
    gone = len(unseen) - size - stock
    played = naive.count_honours(position.played) - naive.count_honours([c for c in position.played if c in known])
    if gone == 0 and trick > 10:
        return  # a world of which nothing is drawn: the choice is exact
    held, worlds = dict.fromkeys(unseen, 0), 0
    for deal in range(12):
        evaluator.choice(position, deal)
        rows = evaluator.search.worlds.reshape(-1, LANES)
        for lane in range(LANES):
            hand = PACK.names(int(rows[at.HAND // LANES, lane]) & ~PACK.to_mask([position.led] if position.led else []))
            forgotten = PACK.names(int(rows[GONE // LANES, lane])) if gone else ()
            drawn = [PACK.names(int(rows[at.STOCK // LANES + 20 - stock + n, lane]))[0] for n in range(stock)]
            assert (len(hand), len(forgotten)) == (size, gone)
            assert sorted((*hand, *forgotten, *drawn)) == sorted(unseen)
            assert naive.count_honours(forgotten) == played
            worlds += 1
            for card in hand:
                held[card] += 1
    honours = naive.count_honours(unseen)
    for card, times in held.items():
        stays = 1 - (played / honours if naive.is_honour(card) else (gone - played) / (len(unseen) - honours))
        chance = stays * size / (size + stock)
        assert abs(times / worlds - chance) < 5 * (chance * (1 - chance) / worlds) ** 0.5 + 1e-9


def test_choice_without_stock_against_all_hands():
    """Trick 14, honours alone remembered: all hands that fit, each by the solved endgame."""
    rules = GAME.rules()
    points = np.array(value_of_honours(rules))
    changed = 0
    for deal in range(30):
        position = found_in(deal, 14, True)
        unseen = sorted(set(naive.PACK) - known_to("honours", position))
        theirs_honours = [card for card in unseen if naive.is_honour(card)]
        pips = [card for card in unseen if not naive.is_honour(card)]
        own, total, hands = positions.honours(rules, position)[0], dict.fromkeys(position.hand, 0.0), 0
        for rest in combinations(pips, 3 - len(theirs_honours)):
            found = solve(rules, position.hand, [*theirs_honours, *rest]).cards
            hands += 1
            for card in total:
                total[card] += points[own + found[card]]
        text = f"{PLAIN}; memory: honours"
        card = Evaluator(match(f"{text}; search: pimc; samples: 4096")).choice(position, deal)
        words = Evaluator(match(text)).choice(position, deal)
        changed += card != words
        assert total[card] / hands > max(total.values()) / hands - 0.06
        assert total[card] >= total[words]
    assert changed


def test_what_is_forgotten_is_all_that_memory_changes():
    """A memory that still holds every trick plays as a full one while there is a stock."""
    texts = [f"{PLAIN}; search: pimc; samples: 64; memory: {memory}" for memory in ("full", "last-16")]
    for deal in range(3):
        for trick in (2, 5, 9):
            position = found_in(deal, trick, False)
            assert len({Evaluator(match(text)).choice(position, deal) for text in texts}) == 1


@pytest.mark.slow
def test_open_cards_gain():
    import schneider_sim as ss

    for memory in ("full", "none"):
        result = ss.simulate(f"classic; search: pimc; samples: 128; memory: {memory}", f"classic; memory: {memory}",
                             deals=1200, seed=21)
        assert result.estimates[0].low > 0
