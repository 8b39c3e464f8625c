"""Policy text to Policy and back: sections of ordered words, options, presets.

    lead: safe honour high; follow: capture dead pip; memory: full
"""

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..base.text import clean, shown, unknown
from ..errors import RequestError

NOT, STAGE = "not-", "@"
_OWN_WORDS = ("words of your own come from a file: --load FILE.py, in a study load = [\"FILE.py\"], in Python "
              "load=\"FILE.py\"")


@dataclass(frozen=True)
class Section:
    """A kind of decision: its name, its words with their meanings, and whether `not-` may stand before a word.

    Where it may, a stage of the deal may stand behind one, too: these sections are asked in every trick.
    """

    name: str
    words: Mapping[str, str]
    negatable: bool = True


@dataclass(frozen=True)
class Option:
    """A setting of a policy: name, default, the form it takes, and a check that returns the canonical value.

    `check` gets the cleaned text and returns the canonical one, or None when it is not of the form.
    """

    name: str
    default: str
    form: str
    check: Callable[[str], str | None]
    meaning: str = ""


@dataclass(frozen=True)
class Preset:
    """A named policy: its text and, in one line, what it is; best: of those that words alone can say."""

    text: str
    about: str
    best: bool = False


class Word(NamedTuple):
    """A word of a Policy taken apart: its name, whether `not-` stands before it, and the tricks in which it acts.

    tricks: a bit for each trick, the lowest for the first; -1 for all.
    """

    name: str
    negated: bool
    tricks: int


@functools.lru_cache(maxsize=4096)
def read_word(word: str) -> Word:
    """The parts of a word of a Policy, such as `not-safe@3-5`."""
    text, _, stage = word.partition(STAGE)
    first, _, last = stage.partition("-")
    tricks = (1 << int(last or first)) - (1 << int(first) - 1) if stage else -1
    return Word(text.removeprefix(NOT), text.startswith(NOT), tricks)


def choice(name: str, values: tuple[str, ...], meaning: str) -> Option:
    """An option that takes one of `values`, the first being the default."""
    return Option(name, values[0], " | ".join(values), lambda text: text if text in values else None, meaning)


def whole_number(low: int, high: int) -> Callable[[str], str | None]:
    """A check for whole numbers from low to high in plain digits."""
    def check(text: str) -> str | None:
        good = text.isascii() and text.isdigit() and len(text) < 10 and low <= int(text) <= high
        return str(int(text)) if good else None

    return check


def remembered(text: str) -> str | None:
    """The canonical setting of `memory`, or None."""
    if text in ("full", "none", "honours"):
        return text
    head, _, count = text.partition("-")
    known = head == "last" and count.isascii() and count.isdigit() and 1 <= int(count) <= 99
    return f"last-{int(count)}" if known else None


def _noise(text: str) -> str | None:
    try:
        share = float(text) if text.isascii() else math.nan
    except ValueError:
        return None
    if not (math.isfinite(share) and 0 <= share <= 1):
        return None
    return f"{int(share)}" if share in (0, 1) else repr(share)


COMMON_OPTIONS = (
    choice("ties", ("random", "first"), "which remaining card is played: a random one, or the first in pack order"),
    Option("memory", "full", "full | none | honours | last-K", remembered, "which played cards are remembered"),
    Option("noise", "0", "P from 0 to 1", _noise, "the probability that a card decision is uniform among the legal"),
)


@dataclass(frozen=True)
class Policy:
    """Ordered words for each section plus every option's value; `str` gives the canonical text."""

    sections: Mapping[str, tuple[str, ...]]
    options: Mapping[str, str]
    defaults: Mapping[str, str] = field(repr=False)

    def __str__(self) -> str:
        parts = [f"{name}: {' '.join(words)}".rstrip() for name, words in self.sections.items()]
        parts += [f"{name}: {value}" for name, value in self.options.items() if value != self.defaults[name]]
        return "; ".join(parts)

    def __hash__(self) -> int:
        return hash(str(self))

    @property
    def memory(self) -> int:
        """Completed tricks remembered: 0 for none, K for last-K, a number past any deal's end for full and honours."""
        kind = self.options["memory"]
        if kind in ("full", "honours"):
            return 99
        return 0 if kind == "none" else int(kind.removeprefix("last-"))

    @property
    def noise_threshold(self) -> int:
        """noise * 2**32, rounded: a decision is noisy when its 32-bit noise word is below this."""
        return round(float(self.options["noise"]) * 2**32)


@dataclass(frozen=True)
class Grammar:
    """What a game's policy text may say: sections in the table's order, options, presets.

    tricks: how many a deal has, for the stages of words; stages: those that have a name, as first and last trick;
    conflict: says in a line what options do not go together, nothing where all do.
    """

    sections: tuple[Section, ...]
    presets: Mapping[str, Preset]
    options: tuple[Option, ...] = COMMON_OPTIONS
    elsewhere: Callable[[str], str] = field(default=lambda name: "", compare=False)  # where else a name belongs
    tricks: int = 0
    stages: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    conflict: Callable[[Mapping[str, str]], str] = lambda options: ""

    def parse(self, text: str) -> Policy:
        """The Policy of `text`: a preset's name, sections and options, or a preset followed by sections.

        Raises RequestError for an unknown or repeated section, word, option or value.
        """
        if not isinstance(text, str):
            raise RequestError(f"a policy is text such as 'plain' or 'lead: safe; follow: capture', not {shown(text)}")
        parts = [part.strip() for part in clean(text).casefold().split(";")]
        if not any(parts):
            raise RequestError("a policy's text must not be empty: 'random' plays without any preference")
        defaults = {option.name: option.default for option in self.options}
        policy = Policy({section.name: () for section in self.sections}, defaults, defaults)
        if parts[0] and ":" not in parts[0]:
            policy = self._preset(parts.pop(0))
        seen: set[str] = set()
        for part in filter(None, parts):
            name, colon, words = (piece.strip() for piece in part.partition(":"))
            if not colon:
                raise RequestError(f"'{shown(part)}' should read 'section: words' (a preset's name comes first)")
            if name in seen:
                raise RequestError(f"section '{name}' is named twice in policy '{shown(text)}'")
            seen.add(name)
            policy = self._with(policy, name, words)
        if wrong := self.conflict(policy.options):
            raise RequestError(wrong)
        return policy

    def _preset(self, name: str) -> Policy:
        if name not in self.presets:
            raise self.unknown("policy", name, self.presets)
        return self.parse(self.presets[name].text)

    def _with(self, policy: Policy, name: str, words: str) -> Policy:
        for section in self.sections:
            if section.name == name:
                return replace(policy, sections={**policy.sections, name: self._words(section, words)})
        for option in self.options:
            if option.name == name:
                value = option.check(words)
                if value is None:
                    raise RequestError(f"{name}: '{shown(words)}' is not of the form {option.form}")
                return replace(policy, options={**policy.options, name: value})
        raise self.unknown("section", name, [s.name for s in self.sections] + [o.name for o in self.options])

    def unknown(self, kind: str, name: str, known: Iterable[str], otherwise: str = "") -> RequestError:
        """The error for a name that this grammar does not have: where it belongs, if anywhere, else what exists."""
        belongs = self.elsewhere(name)
        return RequestError(belongs) if belongs else unknown(kind, name, known, otherwise)

    def _words(self, section: Section, text: str) -> tuple[str, ...]:
        words: list[str] = []
        for word in text.split():
            name, at, stage = word.partition(STAGE)
            bare = name.removeprefix(NOT) if section.negatable and name not in section.words else name
            if bare not in section.words:
                here = [other.name for other in self.sections if bare in other.words]
                if here:
                    raise RequestError(f"'{word}' is a word of {' and '.join(here)}, not of {section.name}")
                raise self.unknown(f"word in '{section.name}'", word, section.words, _OWN_WORDS)
            if at and not section.negatable:
                raise RequestError(f"'{shown(word)}': words in '{section.name}' take no stage, leave out '@{stage}'")
            canonical = name + self._stage(word, stage) if at else name
            for other in words:
                if other == canonical:
                    raise RequestError(f"word '{word}' is named twice in '{section.name}: {shown(text)}'")
                if other.partition(STAGE)[0] == name and read_word(other).tricks & read_word(canonical).tricks:
                    raise RequestError(f"'{other}' and '{word}' overlap in '{section.name}: {shown(text)}': in each "
                                       "trick a word may stand once")
            words.append(canonical)
        return tuple(words)

    def _stage(self, word: str, text: str) -> str:
        """The canonical stage behind a word: empty for all tricks, else `@3` or `@3-5`."""
        first, dash, last = text.partition("-")
        if text in self.stages:
            begin, end = self.stages[text]
        elif all(part.isascii() and part.isdigit() and len(part) < 4 for part in (first, last if dash else first)):
            begin, end = int(first), int(last if dash else first)
        else:
            begin, end = 0, 0
        if not 1 <= begin <= self.tricks or not 1 <= end <= self.tricks:
            named = "".join(f", @{name} ({a}-{b})" for name, (a, b) in self.stages.items())
            raise RequestError(f"'{shown(word)}' has an impossible stage: write @3 for one trick, @2-4 for several, of "
                               f"1 to {self.tricks}{named}")
        if begin > end:
            raise RequestError(f"'{shown(word)}' ends before it begins: did you mean @{end}-{begin}?")
        if (begin, end) == (1, self.tricks):
            return ""
        return f"{STAGE}{begin}" if begin == end else f"{STAGE}{begin}-{end}"

    def with_words(self, section_name: str, words: Mapping[str, str]) -> "Grammar":
        """This grammar with a user's own words (name -> meaning) added to a section; a name in use is an error."""
        if section_name not in (names := [section.name for section in self.sections]):
            raise unknown("section", section_name, names)
        sections = []
        for section in self.sections:
            if section.name == section_name:
                for word in words:
                    if word in section.words:
                        raise RequestError(f"preference '{word}' already exists in '{section_name}': choose another")
                section = replace(section, words={**section.words, **words})
            sections.append(section)
        return replace(self, sections=tuple(sections))


def load_presets(toml_text: str) -> dict[str, Preset]:
    """The presets of a game's presets.toml: a table per preset with `text`, `about` and, for one of them, `best`."""
    import tomllib

    tables = tomllib.loads(toml_text)
    return {name: Preset(entry["text"], entry["about"], entry.get("best", False)) for name, entry in tables.items()}
