"""Small changes of a list of words: what a climb tries from where it stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from ..policy.grammar import NOT, STAGE, Grammar, read_word

LONGEST = 16  # words in a list
_FAR = 2  # tricks by which a stage's ends move at most, both together

Words = tuple[str, ...]
Stage = tuple[int, int]


class Edit(NamedTuple):
    """The words of one section from place `at` on, `cut` of them, replaced by `new`."""

    section: str
    at: int
    cut: int
    new: Words

    def applied(self, words: Words) -> Words:
        return (*words[: self.at], *self.new, *words[self.at + self.cut :])

    @property
    def removes(self) -> bool:
        """Whether the list gets shorter."""
        return len(self.new) < self.cut

    def after(self, earlier: "Edit") -> "Edit | None":
        """This edit for the list that `earlier` left; None where both change the same words."""
        if earlier.section != self.section or self.at + self.cut <= earlier.at:
            return self
        if self.at >= earlier.at + earlier.cut:
            return self._replace(at=self.at + len(earlier.new) - earlier.cut)
        return None


@dataclass(frozen=True)
class Vocabulary:
    """What may stand in a section: its words, with `not-` where that may be, and the stages to try for a new word.

    tricks: those of a deal, 0 in a section without stages; stages: first and last trick.
    """

    section: str
    words: Words
    tricks: int
    stages: tuple[Stage, ...]

    def staged(self) -> Words:
        """Every word in every stage that is tried for a new word."""
        return tuple(with_stage(word, stage, self.tricks) for word, stage in product(self.words, self.stages))

    def allowed(self, words: Words) -> bool:
        """Whether the list is not too long and no word stands in it twice for the same trick."""
        if len(words) > LONGEST:
            return False
        seen: dict[str, int] = {}
        for word in words:
            name, tricks = word.partition(STAGE)[0], read_word(word).tricks
            if seen.get(name, 0) & tricks:
                return False
            seen[name] = seen.get(name, 0) | tricks
        return True


def vocabulary(grammar: Grammar, section_name: str, words: Sequence[str] | None = None) -> Vocabulary:
    """The vocabulary of a section; words: those to try, by default all that play without sampling deals."""
    section = next(section for section in grammar.sections if section.name == section_name)
    known = tuple(word for word in section.words if word != "mc") if words is None else tuple(words)
    if not section.negatable:
        return Vocabulary(section_name, known, 0, ((0, 0),))
    negated = tuple(NOT + word for word in known if not word.startswith(NOT))
    last = grammar.tricks
    begins = {(1, trick) for trick in (1, 2, 3, 5) if trick < last}
    ends = {(trick, last) for trick in (2, 4, 8) if trick < last}
    named = {*grammar.stages.values(), *((4, stop) for start, stop in grammar.stages.values() if start == 1)}
    return Vocabulary(section_name, known + negated, last, ((1, last), *sorted(begins | ends | named)))


def with_stage(word: str, stage: Stage, tricks: int) -> str:
    """A word without a stage in the tricks from the first to the last of `stage`, as a policy's text prints it."""
    first, last = stage
    if stage in ((1, tricks), (0, 0)):
        return word
    return f"{word}{STAGE}{first}" if first == last else f"{word}{STAGE}{first}-{last}"


def nearby(words: Words, known: Vocabulary) -> Iterator[Edit]:
    """Edits of what stands in the list: words removed, moved, negated, and acting a little earlier or later."""
    for at, word in enumerate(words):
        yield Edit(known.section, at, 1, ())
        name = word.partition(STAGE)[0]
        for other in range(at + 1, len(words)):
            span = words[at : other + 1]
            yield Edit(known.section, at, len(span), (*span[1:], word))
            if other > at + 1:
                yield Edit(known.section, at, len(span), (span[-1], *span[:-1]))
        for stage in _near_stages(word, known):
            yield Edit(known.section, at, 1, (with_stage(name, stage, known.tricks),))
        turned = name.removeprefix(NOT) if name.startswith(NOT) else NOT + name
        if turned in known.words:
            yield Edit(known.section, at, 1, (turned + word.removeprefix(name),))


def fresh(words: Words, known: Vocabulary) -> Iterator[Edit]:
    """Edits that bring a word in: inserted at every place, or in another's place."""
    for word in known.staged():
        for at in range(len(words) + 1):
            yield Edit(known.section, at, 0, (word,))
        for at, old in enumerate(words):
            if old.partition(STAGE)[0] != word.partition(STAGE)[0]:
                yield Edit(known.section, at, 1, (word,))


def _near_stages(word: str, known: Vocabulary) -> list[Stage]:
    """Stages that differ a little from the one in which the word acts, and those that are tried for new words."""
    if not known.tricks:
        return []
    tricks = read_word(word).tricks
    stage = (1, known.tricks) if tricks < 0 else ((tricks & -tricks).bit_length(), tricks.bit_length())
    near = [(first, last) for first in range(1, known.tricks + 1) for last in range(first, known.tricks + 1)
            if abs(first - stage[0]) + abs(last - stage[1]) <= _FAR]
    return [other for other in dict.fromkeys((*near, *known.stages)) if other != stage]
