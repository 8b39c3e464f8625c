"""Packs of cards as 32-bit masks, and card names in and out.

A card is a bit: 8 * suit + rank, suits in the order S H D C, ranks ascending. Pack order is bit order.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import RequestError
from .text import clean, shown

SUITS = "SHDC"
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

_SUIT_WORDS = {"laub": "S", "grün": "S", "gruen": "S", "herz": "H", "rot": "H", "schellen": "D", "eichel": "C"}
_SUIT_WORDS |= {s.lower(): s for s in SUITS} | {mark: s for s, mark in SYMBOLS.items()}
_SUIT_WORDS |= {"♤": "S", "♡": "H", "♢": "D", "♧": "C", "❤": "H"}
_RANK_WORDS = {"sieben": "7", "acht": "8", "neun": "9", "zehn": "T", "10": "T", "unter": "J", "ober": "Q",
               "🔟": "T", "könig": "K", "koenig": "K", "daus": "A", "ass": "A", "as": "A"}
_RANK_WORDS |= {r.lower(): r for r in "789TJQKA"}


@dataclass(frozen=True)
class Pack:
    """The cards of a game: four suits of `ranks`, ascending (at most eight)."""

    ranks: str

    @property
    def cards(self) -> tuple[str, ...]:
        """Every card's ASCII name in pack order."""
        return tuple(rank + suit for suit in SUITS for rank in self.ranks)

    @property
    def mask(self) -> int:
        """All cards as one mask."""
        return sum(1 << self.bit(card) for card in self.cards)

    def bit(self, card: str) -> int:
        """The bit number of an ASCII name such as 'TS'."""
        return 8 * SUITS.index(card[1]) + self.ranks.index(card[0])

    def name(self, bit: int) -> str:
        """The ASCII name of a bit number."""
        return self.ranks[bit % 8] + SUITS[bit // 8]

    def names(self, mask: int) -> list[str]:
        """The cards of a mask in pack order."""
        return [self.name(bit) for bit in range(32) if mask >> bit & 1]

    def to_mask(self, cards: Iterable[str]) -> int:
        """The mask of ASCII names."""
        return sum(1 << self.bit(card) for card in cards)

    def parse(self, text: str) -> str:
        """The ASCII name of a card as a person writes it: 'ts', '10S', 'T♠', 'Laub-Zehn'.

        Raises RequestError naming the card when it is not readable or not in this pack.
        """
        word = clean(text[:40]).strip().lower()
        for cut in range(1, len(word)):
            first, second = word[:cut].strip(" -_"), word[cut:].strip(" -_")
            for rank_word, suit_word in ((first, second), (second, first)):
                rank, suit = _RANK_WORDS.get(rank_word), _SUIT_WORDS.get(suit_word)
                if rank and suit:
                    if rank not in self.ranks:
                        raise RequestError(f"card '{shown(text)}' is not in the pack of {' '.join(self.ranks)}")
                    return rank + suit
        raise RequestError(f"'{shown(text)}' is not a card: write rank and suit, such as TS, 10S, T♠ or Laub-Zehn")

    def parse_many(self, texts: Iterable[str], count: int | None = None, what: str = "cards") -> list[str]:
        """`texts` as ASCII names in the given order; a card named twice or a wrong number of cards is an error."""
        cards = [self.parse(text) for text in texts]
        seen: set[str] = set()
        for card in cards:
            if card in seen:
                raise RequestError(f"{what}: card {card} is named twice")
            seen.add(card)
        if count is not None and len(cards) != count:
            raise RequestError(f"{what}: {len(cards)} cards where {count} belong")
        return cards


def parse_suit(text: str) -> str:
    """The letter of a suit as a person writes it: 's', '♠', 'Laub'; RequestError when it is none."""
    suit = _SUIT_WORDS.get(clean(text[:40]).strip().lower())
    if suit is None:
        raise RequestError(f"'{shown(text)}' is not a suit: write one of {' '.join(SUITS)}, ♠ or Laub")
    return suit


def pretty(card: str) -> str:
    """A card for people: rank (10 for T) and suit symbol."""
    return ("10" if card[0] == "T" else card[0]) + SYMBOLS[card[1]]
