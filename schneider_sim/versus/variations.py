"""Policies made of parts: a base with one section or option replaced."""

from collections.abc import Sequence
from dataclasses import replace

from ..base.text import clean
from ..errors import RequestError
from ..policy.grammar import Grammar, Policy

BY_LOT = "random"  # a rule without words: any legal card


def with_part(grammar: Grammar, base: Policy, name: str, value: str) -> Policy:
    """`base` with its section or option `name` replaced; raises RequestError for what does not exist."""
    sections = [section.name for section in grammar.sections]
    if name in sections:
        words = "" if value == BY_LOT else value
        part = grammar.parse(f"{name}: {words}")
        return replace(base, sections={**base.sections, name: part.sections[name]})
    options = [option.name for option in grammar.options]
    if name not in options:
        raise grammar.unknown("section or option", name, [*sections, *options])
    part = grammar.parse(f"{name}: {value}")
    return replace(base, options={**base.options, name: part.options[name]})


def rules_of(text: str, what: str) -> tuple[str, ...]:
    """A list of rules from text: commas between rules, spaces between the words of a rule; none may stand twice.

    A rule without words, or the word `random`, is any legal card. Raises RequestError for fewer than two rules.
    """
    rules = [" ".join(rule.split()) or BY_LOT for rule in clean(text).casefold().split(",")]
    for place, rule in enumerate(rules):
        if rule in rules[:place]:
            raise RequestError(f"{what} names '{rule}' twice: name each once")
    if len(rules) < 2:
        raise RequestError(f"{what} needs two or more, commas between them, such as 'safe honour, low', not '{text}'")
    return tuple(rules)


def strongest(grammar: Grammar) -> str:
    """The game's best preset in words alone: the one that says so, else the last that does not search."""
    quick = [name for name in grammar.presets if not searches(grammar, name)]
    return next((name for name in quick if grammar.presets[name].best), quick[-1])


def searches(grammar: Grammar, text: str) -> bool:
    """Whether a policy searches, so that a deal of it takes some thousand times as long."""
    return grammar.parse(text).options.get("search", "none") != "none"


def check_distinct(labels: Sequence[str], policies: Sequence[Policy]) -> None:
    """Raises RequestError where two of the policies are the same."""
    seen: dict[str, str] = {}
    for label, policy in zip(labels, policies, strict=True):
        if str(policy) in seen:
            raise RequestError(f"'{seen[str(policy)]}' and '{label}' make the same policy: name each once")
        seen[str(policy)] = label
