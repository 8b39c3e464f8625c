"""The policy text of Bauernschnapsen: sections, words and options, and policies made into vectors."""

from importlib import resources
from itertools import product

from ...errors import RequestError
from ...policy.grammar import COMMON_OPTIONS, NOT, Grammar, Option, Policy, Section, choice, load_presets, remembered
from .kernel import state as v
from .kernel.state import Vector
from .views import ROLES
from .words import NEGATED, PLUGIN, WORDS

TRUMP = {
    "redeal-unters": "with three Unters first, asks for a new deal where the rules allow it",
    "turn-up-weak": "with three suits, no ace, no ten and no marriage, turns a card up",
    "longest": "the longest suit seen, then the one of most card points, then by lot",
    "marriage": "the suit of a marriage seen",
    "weighted": "the suit of the most card points plus 6 for each card",
    "ace": "the longest suit with its ace",
    "keep-aces": "the longest suit of two or more cards without its ace",
    "mc": "the suit that does best over sampled deals played out with open cards",
    "ten-guarded": "the longest suit with its ten and another card of it",
}
BID = {
    "ringerl": "Farbenringerl and Trumpffarbenringerl when held",
    "sure": "a Gang of top cards or a Bettler of bottom cards that cannot fail",
    "bettler-low": "Bettler or Assenbettler on low cards",
    "ass-bettler": "Ass-Bettler with one ace, well covered or alone, on low cards",
    "schnapser": "Schnapser with three trumps from ace and ten and two aces, or the trump ace and marriage on lead",
    "bauer": "Bauernschnapser or Bauernloch with three trumps and only top cards",
    "kontra": "Kontraschnapser or Kontrabauernschnapser with still more",
    "mc": "the contract that earns most over sampled deals played out with open cards",
    "whim": "a legal contract by lot, one time in three",
    "low-cards": "the no-trick contract of the best expectation, if made more often than not by a fitted table",
    "high-cards": "the Gang contract of the best expectation, likewise",
    "outbid": "the no-trick or Gang contract of the best expectation by those tables, if above the standing contract's",
    "if-better": "filter: only when it is worth more than the standing contract",
    "score-aware": "filter: only when it raises the chance to win the match above that of the standing contract",
}
FIRST_FILTER = list(BID).index("if-better")
DOUBLE = {
    "threshold": "when the own cards make it likelier than not that the own side scores, by fitted tables",
    "aces-trumps": "against a normal game with two aces and three trumps",
    "whim": "one time in four",
    "score-aware": "filter: never when the match is won anyway, always when it is lost anyway",
}


def _count(text: str) -> str | None:
    return str(int(text)) if text.isascii() and text.isdigit() and 1 <= int(text) <= 1000 else None


def _memory(text: str) -> str | None:
    """A setting of `memory`; every card of this pack is an honour, so that `honours` is another word for `full`."""
    return "full" if text == "honours" else remembered(text)


OPTIONS = (
    *(Option("memory", "full", "full | none | last-K", _memory, option.meaning) if option.name == "memory" else option
      for option in COMMON_OPTIONS),
    choice("announce", ("always", "when-it-decides", "never"), "which marriages are announced"),
    choice("search", ("none", "pimc"), "pimc: cards by solving sampled deals that fit all that was seen"),
    Option("samples", "20", "N from 1 to 1000", _count, "sampled deals for each decision of mc and pimc"),
)
SECTIONS = (
    Section("trump", TRUMP, negatable=False),
    Section("bid", BID, negatable=False),
    Section("double", DOUBLE, negatable=False),
    Section("lead", {n: w.meaning for n, w in WORDS.items() if "lead" in w.sections}),
    Section("follow", {n: w.meaning for n, w in WORDS.items() if "follow" in w.sections}),
)


def grammar() -> Grammar:
    """The grammar with the presets of presets.toml."""
    text = (resources.files(__package__) / "presets.toml").read_text(encoding="utf-8")
    return Grammar(SECTIONS, load_presets(text), OPTIONS)


def _code(section: Section, word: str, plugins: tuple[str, ...]) -> int:
    if word in plugins:
        return PLUGIN + plugins.index(word)
    if not section.negatable:
        return list(section.words).index(word)
    if word in WORDS:
        return WORDS[word].code
    bare = word.removeprefix(NOT)
    return (PLUGIN + plugins.index(bare) if bare in plugins else WORDS[bare].code) + NEGATED


def _list_applying(p: Vector) -> None:
    """For lead and follow, by aim and role, list the words that may want cards there."""
    by_code = {word.code: word for word in WORDS.values()}
    for place, section in enumerate((v.P_LEAD, v.P_FOLLOW)):
        for number, (aim, role) in enumerate(product(v.AIMS, ROLES)):
            codes = []
            for code in p[section + 1 : section + 1 + p[section]]:
                word = by_code.get(int(code) & ~NEGATED)
                if word is None or ((not word.aims or aim in word.aims) and word.role in ("", role)):
                    codes.append(code)
            start = v.APPLYING + v.SECTION * (place * v.LISTS + number)
            p[start : start + 1 + len(codes)] = [len(codes), *codes]


def policy_vector(policy: Policy, plugins: tuple[str, ...] = ()) -> Vector:
    """int64[POLICY_SIZE]: the policy as the kernel reads it; RequestError for what does not go together.

    plugins: the names of users' preferences in the order of their addresses.
    """
    import numpy as np

    p = np.zeros(v.POLICY_SIZE, np.int64)
    for place, section in enumerate(SECTIONS):
        codes = [_code(section, word, plugins) for word in policy.sections[section.name]]
        if section.name == "bid":
            filters = [code for code in codes if FIRST_FILTER <= code < PLUGIN]
            p[v.FILTERS] = sum(1 << code for code in filters)
            codes = [code for code in codes if code not in filters]
        if len(codes) >= v.SECTION:
            raise RequestError(f"section '{section.name}' has more than {v.SECTION - 1} words")
        p[place * v.SECTION] = len(codes)
        p[place * v.SECTION + 1 : place * v.SECTION + 1 + len(codes)] = codes
    options = policy.options
    p[v.TIES_FIRST] = options["ties"] == "first"
    p[v.MEMORY], p[v.NOISE] = policy.memory, policy.noise_threshold
    p[v.ANNOUNCE] = ("always", "when-it-decides", "never").index(options["announce"])
    p[v.SEARCH] = options["search"] == "pimc"
    p[v.SAMPLES] = int(options["samples"])
    _list_applying(p)
    thinks = p[v.NOISE] > 0 or p[v.SEARCH] > 0
    p[v.THINKS], p[v.THINKS + 1] = thinks or p[v.P_LEAD] > 0, thinks or p[v.P_FOLLOW] > 0
    if p[v.SEARCH] and policy.memory < 5:
        raise RequestError(f"search: pimc remembers everything: it does not go with memory: {options['memory']}")
    return p


def looks_at_score(policy: Policy) -> bool:
    """Whether the policy plays differently at different scores of the match."""
    return any("score-aware" in policy.sections[name] for name in ("bid", "double"))


def uses_search(p: Vector) -> bool:
    """Whether a policy samples deals: `search: pimc`, or `mc` among its words."""
    bids, trumps = p[v.P_BID + 1 : v.P_BID + 1 + p[v.P_BID]], p[v.P_TRUMP + 1 : v.P_TRUMP + 1 + p[v.P_TRUMP]]
    return bool(p[v.SEARCH] or list(BID).index("mc") in bids or list(TRUMP).index("mc") in trumps)


def searches(policy: Policy) -> bool:
    """Whether the policy samples deals when it names trumps or plays cards, which takes some thousand times as long."""
    return policy.options["search"] == "pimc" or "mc" in policy.sections["trump"]


def search_work(policy: Policy) -> int:
    """How long a policy's search takes, as Game.work has it; 1 without one."""
    if policy.options["search"] == "none" and not any("mc" in words for words in policy.sections.values()):
        return 1
    return 1 << min(19, 8 + int(policy.options["samples"]).bit_length())
