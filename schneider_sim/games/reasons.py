"""Why a policy laid a card: the word of its list that narrowed the choice last, and what chance had left to do.

What a game offers for this is described in games.protocol.Reasons.
"""

from collections.abc import Sequence
from typing import NamedTuple

ONLY, NOISE, SEARCH, WORDS = "only", "noise", "search", "words"


class Reason(NamedTuple):
    """What chose a card.

    how: "only" (no other card was allowed), "noise" (a noisy decision), "search" (a search gave up the words' card),
    "words" (the rest). word: the word that narrowed the candidates last, as the policy has it, such as `not-safe@3-5`;
    "" where none did. left: the cards among which the tie was drawn, in pack order, one where the word alone decided;
    allowed: from how many legal cards; first: whether the tie was not drawn but went to the first in pack order.
    """

    how: str
    word: str
    left: tuple[str, ...]
    allowed: int
    first: bool = False

    def __str__(self) -> str:
        if self.how == ONLY:
            return "the only card allowed"
        tie = ""
        if (count := len(self.left)) > 1:
            tie = f"the first of {count}" if self.first else f"at random from {count}"
        if self.how in (NOISE, SEARCH):
            return f"{self.how}, {tie}" if tie and self.how == NOISE else self.how
        return f"{self.word}, {tie}" if self.word and tie else self.word or tie


def narrowed_by(words: Sequence[str], left: Sequence[int]) -> str:
    """The last of `words` that narrowed the candidates; left: the mask before the first word, and after each."""
    changed = [word for word, before, after in zip(words, left[:-1], left[1:], strict=True) if before != after]
    return changed[-1] if changed else ""
