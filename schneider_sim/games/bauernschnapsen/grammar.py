"""The policy text of Bauernschnapsen: sections, words and options, and policies made into vectors."""

from importlib import resources
from itertools import product
from typing import Any

from ...errors import RequestError
from ...policy.grammar import (
    COMMON_OPTIONS,
    Grammar,
    Option,
    Policy,
    Section,
    choice,
    load_presets,
    read_word,
    remembered,
)
from . import call_words
from .call_words import CALL_WORDS
from .kernel import state as v
from .kernel.state import Vector
from .views import ROLES
from .words import BARE, NEGATED, PLUGIN, STAGE, WORDS


def _count(text: str) -> str | None:
    return str(int(text)) if text.isascii() and text.isdigit() and 1 <= int(text) <= 1000 else None


def _memory(text: str) -> str | None:
    """A setting of `memory`; every card of this pack is an honour, so that `honours` is another word for `full`."""
    return "full" if text == "honours" else remembered(text)


TRICKS = 5
OPTIONS = (
    *(Option("memory", "full", "full | none | last-K", _memory, option.meaning) if option.name == "memory" else option
      for option in COMMON_OPTIONS),
    choice("announce", ("always", "when-it-decides", "never"), "which marriages are announced"),
    choice("search", ("none", "pimc"), "pimc: cards by solving sampled deals that fit all that was seen"),
    Option("samples", "20", "N from 1 to 1000", _count, "sampled deals for each decision of mc and pimc"),
)
SECTIONS = (
    *(Section(name, {n: w.meaning for n, w in words.items()}, negatable=False) for name, words in CALL_WORDS.items()),
    Section("lead", {n: w.meaning for n, w in WORDS.items() if "lead" in w.sections}),
    Section("follow", {n: w.meaning for n, w in WORDS.items() if "follow" in w.sections}),
)


def grammar() -> Grammar:
    """The grammar with the presets of presets.toml."""
    text = (resources.files(__package__) / "presets.toml").read_text(encoding="utf-8")
    return Grammar(SECTIONS, load_presets(text), OPTIONS, tricks=TRICKS)


def _code(section: Section, word: str, plugins: tuple[str, ...]) -> int:
    if not section.negatable:
        return PLUGIN + plugins.index(word) if word in plugins else CALL_WORDS[section.name][word].code
    name, negated, tricks = read_word(word)
    code = PLUGIN + plugins.index(name) if name in plugins else WORDS[name].code
    return code + NEGATED * negated + ((tricks & (1 << TRICKS) - 1) << STAGE)


def _write(listed: Any, codes: list[int]) -> None:
    """Write a list of words."""
    listed["n"], listed["words"][: len(codes)] = len(codes), codes


def _list_applying(p: Any) -> None:
    """For lead and follow, by aim and role, list the words that may want cards there."""
    by_code = {word.code: word for word in WORDS.values()}
    for place, section in enumerate(("lead", "follow")):
        for number, (aim, role) in enumerate(product(v.AIMS, ROLES)):
            codes = []
            for code in p[section]["words"][: p[section]["n"]]:
                word = by_code.get(int(code) & BARE)
                if word is None or ((not word.aims or aim in word.aims) and word.role in ("", role)):
                    codes.append(code)
            _write(p["applying"][place * v.LISTS + number], codes)


def policy_vector(policy: Policy, plugins: tuple[str, ...] = ()) -> Vector:
    """int64[POLICY_SIZE]: the policy as the kernel reads it; RequestError for what does not go together.

    plugins: the names of users' preferences in the order of their addresses.
    """
    import numpy as np

    p = np.zeros(1, v.POLICY)[0]
    for section in SECTIONS:
        codes = [_code(section, word, plugins) for word in policy.sections[section.name]]
        if section.name == "bid":
            filters = [word.code for word in CALL_WORDS["bid"].values() if word.is_filter and word.code in codes]
            p["filters"] = sum(1 << code for code in filters)
            codes = [code for code in codes if code not in filters]
        if len(codes) > v.WORDS_OF_LIST:
            raise RequestError(f"section '{section.name}' has more than {v.WORDS_OF_LIST} words")
        _write(p[section.name], codes)
    options = policy.options
    p["ties_first"] = options["ties"] == "first"
    p["memory"], p["noise"] = policy.memory, policy.noise_threshold
    p["announce"] = v.ANNOUNCES.index(options["announce"])
    p["search"] = options["search"] == "pimc"
    p["samples"] = int(options["samples"])
    _list_applying(p)
    thinks = p["noise"] > 0 or p["search"] > 0
    p["thinks"] = [thinks or p[name]["n"] > 0 for name in ("lead", "follow")]
    if p["search"] and policy.memory < 5:
        raise RequestError(f"search: pimc remembers everything: it does not go with memory: {options['memory']}")
    return np.atleast_1d(p).view(np.int64)


def looks_at_score(policy: Policy) -> bool:
    """Whether the policy plays differently at different scores of the match."""
    return any("score-aware" in policy.sections[name] for name in ("bid", "double"))


def uses_search(p: Vector) -> bool:
    """Whether a policy samples deals: `search: pimc`, or `mc` among its words."""
    policy = p.view(v.POLICY)[0]
    bids, trumps = (policy[name]["words"][: policy[name]["n"]] for name in ("bid", "trump"))
    return bool(policy["search"] or call_words.BID_MC in bids or call_words.TRUMP_MC in trumps)


def searches(policy: Policy) -> bool:
    """Whether the policy samples deals when it names trumps or plays cards, which takes some thousand times as long."""
    return policy.options["search"] == "pimc" or "mc" in policy.sections["trump"]


def search_work(policy: Policy) -> int:
    """How long a policy's search takes, as Game.work has it; 1 without one."""
    if policy.options["search"] == "none" and not any("mc" in words for words in policy.sections.values()):
        return 1
    return 1 << min(19, 8 + int(policy.options["samples"]).bit_length())
