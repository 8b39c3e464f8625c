"""The built-in words of a policy: their codes, the sections they may stand in, and what they want.

Source: docs/policies.md, "Words of Bohemian Schneider". What each word does is in card_words.py.
"""

from typing import NamedTuple

(SAFE, GUARDED, DEAD, BLOCKER, HONOUR, PIP, HIGH, LOW, LONG, SHORT,
 CAPTURE, CAPTURE_HONOUR, CAPTURE_SAFE, EXPOSED, CHEAP) = range(15)
NEGATED, PLUGIN = 1 << 20, 1 << 21  # added to a code; a plug-in's code is PLUGIN + its place in the table of addresses
# what these want depends on nothing but hand and memory, and not on what the words before them left
FIXED = (SAFE, GUARDED, DEAD, BLOCKER, EXPOSED, CHEAP, CAPTURE_SAFE, HONOUR, PIP, CAPTURE, CAPTURE_HONOUR)
STAGE = 32  # from this bit of a code on: a bit for each trick in which the word acts


class Word(NamedTuple):
    """A built-in preference: its code, the sections it may stand in, and the cards it wants."""

    code: int
    sections: tuple[str, ...]
    meaning: str


_BOTH, _FOLLOW = ("lead", "follow"), ("follow",)
WORDS = {
    "safe": Word(SAFE, _BOTH, "cards whose every killer is remembered, in hand or on the table"),
    "guarded": Word(GUARDED, _BOTH, "cards of which a killer is in the own hand"),
    "dead": Word(DEAD, _BOTH, "cards whose every prey is remembered, in hand or on the table"),
    "blocker": Word(BLOCKER, _BOTH, "cards that could still capture an unseen honour"),
    "honour": Word(HONOUR, _BOTH, "T J Q K A"),
    "pip": Word(PIP, _BOTH, "7 8 9"),
    "exposed": Word(EXPOSED, _BOTH, "honours of which some killer is neither remembered, in hand nor on the table"),
    "cheap": Word(CHEAP, _BOTH, "pips that only pips can capture (7 and 8 under the standard rules)"),
    "high": Word(HIGH, _BOTH, "the highest rank among the candidates"),
    "low": Word(LOW, _BOTH, "the lowest rank among the candidates"),
    "long": Word(LONG, _BOTH, "the candidates' suits with the most cards in hand"),
    "short": Word(SHORT, _BOTH, "the candidates' suits with the fewest cards in hand"),
    "capture": Word(CAPTURE, _FOLLOW, "cards that win this trick"),
    "capture-honour": Word(CAPTURE_HONOUR, _FOLLOW, "cards that win this trick when it then holds an honour"),
    "capture-safe": Word(CAPTURE_SAFE, _FOLLOW, "cards that win this trick when another card in hand is safe"),
}
