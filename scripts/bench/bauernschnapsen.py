"""Plays per second of Bauernschnapsen on one thread, the solver's time, and OpenSpiel's euchre in the same run.

    .venv/bin/python scripts/bench/bauernschnapsen.py

OpenSpiel (pip install open_spiel) is used when it is there: its euchre, played by `pyspiel.evaluate_bots` with uniform
random bots, is a game of the same size. Every figure is the best of several rounds, in processor time.
"""

import time
from collections.abc import Callable

import numpy as np

from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.kernel import state as v
from schneider_sim.games.bauernschnapsen.prepare import play_one
from schneider_sim.games.bauernschnapsen.rules.contracts import NAMES
from schneider_sim.games.bauernschnapsen.search.solver import solve_many

ROUNDS, DEALS, SEARCHED, POSITIONS, HANDS = 5, 1 << 17, 1 << 7, 2000, 3000


def best(run: Callable[[], object]) -> float:
    """The shortest processor time of several rounds, in seconds."""
    times = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        run()
        times.append(time.process_time() - begun)
    return min(times)


def plays(policy: str, rules: dict[str, str], deals: int = DEALS) -> None:
    text = GAME.grammar.parse(policy)
    match_up = MatchUp(GAME.rules(None, rules), text, text)
    GAME.play(match_up, 0, min(deals, 256))
    seconds = best(lambda: GAME.play(match_up, 0, deals))
    print(f"{policy:30} {rules or 'standard rules'!s:32} {2 * deals / seconds / 1e6:8.4f} M plays/s")


def dealt(contract: str) -> np.ndarray:
    """States before the first card of a contract played by the caller on random deals, trumps his longest suit."""
    text = GAME.grammar.parse("random; trump: longest")
    match_up, states = MatchUp(GAME.rules(), text, text), []
    rules, number = v.rules_vector(GAME.rules()), NAMES.index(contract)
    for deal in range(POSITIONS):
        s = play_one(match_up, deal, "A")
        s[v.HAND : v.HAND + 4] = s[v.DEALT : v.DEALT + 4]
        s[v.TRICKS : v.MARRIAGES + 4] = 0
        s[v.CONTRACT : v.WORTH + 1] = s[v.PLAYED] = s[v.FIRST_TRICKS] = 0
        s[v.CONTRACT], s[v.AWAY], s[v.PLACE] = number, -1, 0
        s[v.NOW_AIM], s[v.NOW_ORDER] = rules[v.AIM + number], rules[v.ORDER + number]
        s[v.NOW_TRUMPS] = 31 << 8 * int(s[v.TRUMP]) if rules[v.TRUMPED + number] else 0
        states.append(s)
    return np.stack(states)


def solver(contract: str, goal: int, what: str) -> None:
    rules, states = v.rules_vector(GAME.rules()), dealt(contract)
    answers = np.empty(POSITIONS, np.int64)
    solve_many(rules, states, goal, answers)
    seconds = best(lambda: solve_many(rules, states, goal, answers))
    print(f"five tricks, {contract:10} {what:37} {seconds / POSITIONS * 1e6:6.1f} µs a deal")


def open_spiel() -> None:
    try:
        import pyspiel  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        print("OpenSpiel is not installed: pip install open_spiel to compare with its euchre")
        return
    game = pyspiel.load_game("euchre")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(4)]

    def run() -> None:
        for number in range(HANDS):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)

    run()
    print(f"OpenSpiel euchre, uniform random bots {HANDS / best(run) / 1e6:31.4f} M plays/s")


def main() -> None:
    common = {"contracts": "common"}
    for policy in ("random", "cautious", "bold", "classic", "expert", "master"):
        plays(policy, {})
    plays("random", {"trump_must_be_held": "off"})
    for policy in ("classic", "expert"):
        plays(policy, common)
    plays("searcher", {}, SEARCHED)
    plays("searcher", common, SEARCHED // 8)
    open_spiel()
    solver("NORMAL", 1, "does the caller's side win")
    solver("NORMAL", 0, "what does it win (full value)")
    for contract in ("SCHNAPSER", "BETTLER", "GANG"):
        solver(contract, 1, "is it made")


if __name__ == "__main__":
    main()
