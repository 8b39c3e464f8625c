"""Climb from a policy to a better one, a word at a time: how the preset `champion` was found.

    .venv/bin/python scripts/compose.py "safe honour" "capture dead pip" plain "lead: low; follow: capture dead low"

The first two arguments are the lists to begin with (lead, follow), the rest the panel of opponents. Each round tries
every insertion, removal, exchange of neighbours and replacement of one word on common deals, plays the best again on
fresh deals, and takes the winner if it gains enough; it ends where nothing gains. Rounds use deals of their own.
"""

import sys
from collections.abc import Iterator

import numpy as np

from schneider_sim.games import MatchUp, load_game
from schneider_sim.games.bohemian.rules import value_of_honours

GAME = load_game("bohemian")
RULES = GAME.rules()
VALUES = np.array(value_of_honours(RULES), float)
PAIR_MEAN = (VALUES[:, None] + VALUES[None, :]) / 2
WORDS = {section.name: [*section.words, *(f"not-{word}" for word in section.words)]
         for section in GAME.grammar.sections}
SEED, LONGEST, ENOUGH = 77, 8, 0.0005
TRIAL, FINAL, FINALISTS = 20_000, 400_000, 12

Lists = tuple[tuple[str, ...], tuple[str, ...]]


def text(lists: Lists) -> str:
    return f"lead: {' '.join(lists[0])}; follow: {' '.join(lists[1])}"


def edge(lists: Lists, panel: list[str], deals: int, first: int) -> float:
    """Mean victory points a deal against the panel, on `deals` duplicates from deal `first` on."""
    total = 0.0
    for opponent in panel:
        match_up = MatchUp(RULES, GAME.grammar.parse(text(lists)), GAME.grammar.parse(opponent), seed=SEED)
        joint = GAME.play(match_up, first, first + deals)[: PAIR_MEAN.size].reshape(PAIR_MEAN.shape)
        total += float((joint * PAIR_MEAN).sum()) / deals
    return total / len(panel)


def neighbours(lists: Lists) -> Iterator[Lists]:
    for place, section in enumerate(WORDS):
        words = lists[place]
        changed = [words[:i] + words[i + 1 :] for i in range(len(words))]
        changed += [(*words[:i], words[i + 1], words[i], *words[i + 2 :]) for i in range(len(words) - 1)]
        for word in WORDS[section]:
            if word not in words:
                changed += [(*words[:i], word, *words[i:]) for i in range(len(words) + 1) if len(words) < LONGEST]
                changed += [(*words[:i], word, *words[i + 1 :]) for i in range(len(words))]
        for new in changed:
            yield (new, lists[1]) if place == 0 else (lists[0], new)


def main() -> None:
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    lists: Lists = (tuple(sys.argv[1].split()), tuple(sys.argv[2].split()))
    panel = sys.argv[3:]
    for climb in range(100):
        first = climb * 10_000_000
        tried = sorted(neighbours(lists), key=lambda new: -edge(new, panel, TRIAL, first))[:FINALISTS]
        fresh = first + 5_000_000
        now = edge(lists, panel, FINAL, fresh)
        gain, best = max((edge(new, panel, FINAL, fresh) - now, new) for new in tried)
        print(f"{now:+.4f} {text(lists)}\n   {gain:+.4f} {text(best)}", flush=True)
        if gain < ENOUGH:
            break
        lists = best
    print(f"found: {text(lists)}")


if __name__ == "__main__":
    main()
