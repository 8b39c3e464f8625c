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
    whole_number,
)
from . import call_words
from .call_words import CALL_WORDS
from .kernel import state as v
from .kernel.state import Vector
from .views import ROLES
from .words import BARE, LATER, NEGATED, OPEN_HANDS, PLUGIN, STAGE, WORDS, may_wait


def _memory(text: str) -> str | None:
    """A setting of `memory`; every card of this pack is an honour, so that `honours` is another word for `full`."""
    return "full" if text == "honours" else remembered(text)


TRICKS = 5
OPTIONS = (
    *(Option("memory", "full", "full | none | last-K", _memory, option.meaning) if option.name == "memory" else option
      for option in COMMON_OPTIONS),
    choice("announce", ("always", "when-it-decides", "never"), "which marriages are announced"),
    choice("search", v.SEARCHES, "pimc: cards by solving sampled deals that fit all that was seen; rollout: cards and "
                                 "calls by playing such deals on by the policy's own words"),
    Option("samples", "20", "N from 1 to 65536", whole_number(1, 65536), "sampled deals a decision, at most"),
    Option("inference", "0", "K from 0 to 16", whole_number(0, 16),
           "rollout: deals weighted by how likely they make the last K cards of the others, had they the same words"),
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
                    codes.append(int(code))
            for n, code in enumerate(codes):
                if code & (BARE | NEGATED) == OPEN_HANDS and may_wait(codes, n):
                    codes[n] |= LATER
            _write(p["applying"][place * v.LISTS + number], codes)


def policy_vector(policy: Policy, plugins: tuple[str, ...] = ()) -> Vector:
    """int64[POLICY_SIZE]: the policy as the kernel reads it; RequestError for what does not go together.

    plugins: the names of users' preferences in the order of their addresses.
    """
    import numpy as np

    if wrong := conflict(policy):
        raise RequestError(wrong)
    p = np.zeros(1, v.POLICY)[0]
    for section in SECTIONS:
        codes = [_code(section, word, plugins) for word in policy.sections[section.name]]
        filters = [word.code for word in CALL_WORDS.get(section.name, {}).values() if word.is_filter]
        p["filters"] |= sum(1 << code for code in filters if code in codes)
        codes = [code for code in codes if code not in filters]
        if len(codes) > v.WORDS_OF_LIST:
            raise RequestError(f"section '{section.name}' has more than {v.WORDS_OF_LIST} words")
        _write(p[section.name], codes)
    options = policy.options
    p["ties_first"] = options["ties"] == "first"
    p["memory"], p["noise"] = policy.memory, policy.noise_threshold
    p["announce"] = v.ANNOUNCES.index(options["announce"])
    p["search"] = v.SEARCHES.index(options["search"])
    p["samples"], p["inference"] = int(options["samples"]), int(options["inference"])
    _list_applying(p)
    thinks = p["noise"] > 0 or p["search"] > 0
    p["thinks"] = [thinks or p[name]["n"] > 0 for name in ("lead", "follow")]
    return np.atleast_1d(p).view(np.int64)


def word_codes(policy: Policy, section: str, plugins: tuple[str, ...] = ()) -> dict[int, str]:
    """The words of a section by their codes, as the kernel has them."""
    of = next(one for one in SECTIONS if one.name == section)
    return {_code(of, word, plugins): word for word in policy.sections[section]}


def looks_at_score(policy: Policy) -> bool:
    """Whether the policy plays differently at different scores of the match."""
    return any(word in policy.sections[name] for name in ("bid", "double") for word in ("score-aware", "equity-aware"))


def uses_search(p: Vector) -> bool:
    """Whether a policy solves deals: `search: pimc`, or `mc` or `open-hands` among its words."""
    policy = p.view(v.POLICY)[0]
    if any(code & BARE == OPEN_HANDS for name in ("lead", "follow") for code in policy[name]["words"]):
        return True
    bids, trumps = (policy[name]["words"][: policy[name]["n"]] for name in ("bid", "trump"))
    return bool(policy["search"] == v.PIMC or call_words.BID_MC in bids or call_words.TRUMP_MC in trumps)


def rolls_out(p: Vector) -> bool:
    """Whether a policy plays sampled deals on."""
    return bool(p.view(v.POLICY)[0]["search"] == v.ROLLOUT)


def conflict(policy: Policy) -> str:
    """What is wrong with settings that do not go together, in a line; empty where all do."""
    if policy.options["search"] != "rollout":
        return ""
    if policy.memory < TRICKS:
        return ("search: rollout needs to remember every card: it does not go with memory: "
                f"{policy.options['memory']}")
    mc = [name for name, words in policy.sections.items() if name in CALL_WORDS and "mc" in words]
    return f"search: rollout tries every call itself: it does not go with mc in {mc[0]}" if mc else ""


def searches(policy: Policy) -> bool:
    """Whether the policy samples deals when it names trumps or plays cards, which takes some thousand times as long."""
    return policy.options["search"] != "none" or "mc" in policy.sections["trump"]


def search_work(policy: Policy) -> int:
    """How long a policy's search takes, as Game.work has it; 1 without one."""
    if policy.options["search"] == "none" and not any("mc" in words for words in policy.sections.values()):
        solves = any(word.startswith("open-hands") for words in policy.sections.values() for word in words)
        return 1 << 2 if solves else 1
    doublings = 6 if policy.options["search"] == "rollout" else 7
    return 1 << min(19, doublings + int(policy.options["samples"]).bit_length())
