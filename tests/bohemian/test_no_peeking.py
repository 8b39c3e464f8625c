"""Nobody peeks: what a player cannot know never changes a decision, for every word, preset and plug-in.

A block of real deals is stopped before a decision; in every lane the cards that the player does not know are dealt
again among all the places that hold them (the other hand, the stock, and the forgotten part of what was played); then
the same decision is taken again by the kernel's own code and must be the same.
"""

import numpy as np
import pytest
from numba import njit

from schneider_sim.compiled.cells import cells_at
from schneider_sim.compiled.lanes import LANES
from schneider_sim.games import MatchUp, load_game
from schneider_sim.games.bohemian import callbacks, kernel
from schneider_sim.games.bohemian import game as bohemian
from schneider_sim.games.bohemian import plugins as ask
from schneider_sim.games.bohemian import state as at
from schneider_sim.games.bohemian.search import policies as search
from schneider_sim.games.bohemian.tricks import killers_of
from schneider_sim.policy.plugins import load_all

GAME = load_game("bohemian")
WORDS = [(section.name, word) for section in GAME.grammar.sections for word in section.words]
SHUFFLED = 64  # lanes of a block in which the unknown cards are dealt again
DECISIONS = [(trick, side) for trick in (0, 3, 8, 10, 12) for side in (0, 1)]
PEEKING = """
from schneider_sim import preference
shown = []

@preference("lucky", over="cards")
def lucky(view):
    "Remembers what it was shown as the other player."
    shown.append(view.hand)
    return [card for card in view.candidates if any(card in hand for hand in shown[:-1])]

@preference("spades")
def spades(view):
    return view.candidates & 0xFF & ~(view.known >> 1)
"""


@njit
def decide(space, table, a, b, trick, side, legal, card):
    kernel.decide(space, table, table.words, a, b, table.perfect, trick, side, legal, card)


@njit
def think(rooms, space, table, a, b, trick, side, legal, card):
    fault = cells_at(table.fault)
    fault[ask.FIRST_LANE], fault[ask.STOP_LANE] = 0, LANES
    for lane in range(0, LANES, LANES // 8):  # of the lanes that are shuffled
        fault[ask.FIRST_LANE], fault[ask.STOP_LANE] = lane, lane + 1
        search.think_all(rooms, space, table, a, b, trick, side, legal, card, 3, np.uint64(5))


@njit
def stop_before(space, table, a, b, trick, side):
    """Play the dealt block up to the decision of `trick` and `side`."""
    for row in range(2):
        for i in range(LANES):
            space[at.HOLD + row * LANES + i] = space[at.DEALT + row * LANES + i]
            space[at.SCORE + row * LANES + i] = 0
    space[at.TURN : at.TURN + LANES] = 0
    space[at.SEEN : at.SEEN + LANES] = 0
    for t in range(trick + 1):
        space[at.TURN_IN + t * LANES : at.TURN_IN + (t + 1) * LANES] = space[at.TURN : at.TURN + LANES]
        space[at.LED : at.LED + LANES] = 0
        if t == trick and side == 0:
            break
        kernel.decide(space, table, table.words, a, b, table.perfect, t, 0, at.HOLD, at.LED)
        killers_of(table.reach, table.ace, space, at.LED, at.KILLERS)
        if t == trick:
            break
        kernel.decide(space, table, table.words, a, b, table.perfect, t, 1, at.HOLD + LANES, at.REPLY)
        kernel.record_trick(space, t)
        kernel.resolve(space, t, table.draw_at_once)


@njit
def deal(space, seed):
    kernel.deal_block(space, 3, np.uint64(seed), True, True)


def rows(space: np.ndarray) -> np.ndarray:
    return space.reshape(-1, LANES)


def shuffle_unknown(space, trick: int, side: int, memory: int, sees: int, rng: np.random.Generator) -> None:
    """Deal the cards that the deciding player does not know again among the places where they lie.

    A player who remembers honours knows that what it has forgotten are pips, so these change places among themselves.
    """
    table = rows(space)
    hold, seen = at.HOLD // LANES, at.SEEN // LANES
    for lane in range(0, LANES, LANES // SHUFFLED):
        own, led = int(table[hold + side, lane]), int(table[at.LED // LANES, lane])
        forgotten_at = max(trick - memory, 0)
        remembered = (int(table[seen + trick, lane]) ^ int(table[seen + forgotten_at, lane])) & sees
        unknown = [bit for bit in range(32) if not (own | led | remembered) >> bit & 1]
        moved: dict[int, int] = {}
        for kind in ([bit for bit in unknown if sees >> bit & 1], [bit for bit in unknown if not sees >> bit & 1]):
            moved |= zip(kind, rng.permutation(kind).tolist(), strict=True)

        def permuted(mask: int, moved: dict[int, int] = moved) -> int:
            return sum(1 << moved.get(bit, bit) for bit in range(32) if mask >> bit & 1)

        table[hold + 1 - side, lane] = permuted(int(table[hold + 1 - side, lane]))
        for row in [*range(at.STOCK // LANES, at.STOCK // LANES + 20), *range(seen, seen + trick + 1)]:
            table[row, lane] = permuted(int(table[row, lane]))


def unmoved(playing: MatchUp, decisions=DECISIONS) -> None:
    backs = [callbacks.callback(item, playing.rules) for item in playing.plugins]
    table, a, b = bohemian.seated(playing, backs)
    table.fault.array[ask.STOP_LANE] = LANES
    rng = np.random.default_rng(1)
    rooms = search.thinking(table, open_cards=True) if a.samples else None  # one compilation for all kinds of search

    def decided(space, trick, side, legal, card) -> np.ndarray:
        decide(space, table, a, b, trick, side, legal, card)
        if rooms:
            think(rooms, space, table, a, b, trick, side, legal, card)
        return rows(space)[card // LANES].copy()

    for trick, side in decisions:
        space = np.zeros(at.SIZE, np.uint32)
        deal(space, 5)
        stop_before(space, table, a, b, trick, side)
        legal, card = (at.HOLD + LANES, at.REPLY) if side else (at.HOLD, at.LED)
        table_led = rows(space)[at.LED // LANES].copy()
        answers = decided(space, trick, side, legal, card)
        rows(space)[at.LED // LANES] = table_led
        shuffle_unknown(space, trick, side, a.memory, int(a.sees), rng)
        assert (decided(space, trick, side, legal, card) == answers).all()
    callbacks.check(playing.plugins, backs, table.fault.array)


def playing(text: str, grammar=GAME.grammar, plugins=(), **rules) -> MatchUp:
    policy = grammar.parse(text)
    return MatchUp(GAME.rules(None, rules), policy, policy, plugins=plugins)


@pytest.mark.parametrize("preset", list(GAME.grammar.presets))
def test_no_preset_peeks(preset):
    exact = GAME.grammar.parse(preset).options["endgame"] == "exact"  # which needs to remember everything
    for memory in ("full",) if exact else ("full", "none", "last-2", "honours"):
        unmoved(playing(f"{preset}; memory: {memory}"), DECISIONS[::3])


@pytest.mark.parametrize("section, word", WORDS)
def test_no_word_peeks(section, word):
    for text in (f"{section}: {word}; memory: last-1", f"{section}: not-{word}", f"{section}: {word}@stock"):
        unmoved(playing(text, beat_rule="any_higher_same_suit"), DECISIONS[section == "follow" :: 2])


@pytest.mark.parametrize("text", ["classic; search: rollout; samples: 90; noise: 0.1",
                                  "random; search: rollout; samples: 40; inference: 3", "plain; endgame: exact",
                                  "random; search: pimc; samples: 40; inference: 2",
                                  "plain; search: pimc; samples: 40; memory: last-2",
                                  "classic; search: pimc; samples: 40; memory: honours"])
def test_no_search_peeks(text):
    unmoved(playing(text), [(0, 0), (0, 1), (4, 0), (4, 1), (9, 0), (9, 1), (10, 0), (12, 1)])


def test_noise_does_not_peek():
    unmoved(playing("plain; noise: 0.5"))


def test_a_plug_in_sees_no_more(tmp_path):
    file = tmp_path / "peek.py"
    file.write_text(PEEKING, encoding="utf-8")
    grammar, plugins = load_all((file,), GAME.grammar)
    unmoved(playing("lead: spades; follow: spades", grammar, plugins[1:]), DECISIONS[:4])


def test_a_plug_in_that_remembers_the_other_hand_is_found_out(tmp_path):
    import schneider_sim as ss

    file = tmp_path / "peek.py"
    file.write_text(PEEKING, encoding="utf-8")
    with pytest.raises(ss.RunError, match="answers the same view differently"):
        ss.simulate("lead: lucky", "follow: lucky", deals=50, load=[str(file)])


def test_the_check_notices_a_peek():
    """The same check, told that a player remembers less than it does, fails."""
    match_up = playing("lead: safe; follow: dead")
    table, a, b = bohemian.seated(match_up, [])
    space = np.zeros(at.SIZE, np.uint32)
    deal(space, 5)
    stop_before(space, table, a, b, 9, 0)
    decide(space, table, a, b, 9, 0, at.HOLD, at.LED)
    before = rows(space)[at.LED // LANES].copy()
    rows(space)[at.LED // LANES] = 0
    shuffle_unknown(space, 9, 0, 0, 0, np.random.default_rng(1))
    decide(space, table, a, b, 9, 0, at.HOLD, at.LED)
    assert (before != rows(space)[at.LED // LANES]).any()
