"""The table [factorial] of a study file: lead rules and follow rules that meet one opponent in every combination.

    [factorial]
    leads = ["safe honour", "low", "random"]     # a rule's words, or random: any legal card
    follows = ["capture", "capture dead pip"]
    against = "plain"                            # a policy of the study by its name, or a policy's text
    base = "random"                              # where the other sections and options come from
    deals = 100_000                              # of a combination, by default as many as a match-up of the study
"""

from collections.abc import Mapping
from typing import NamedTuple

from ..base.limits import checked_deals
from ..base.text import clean, unknown
from ..errors import RequestError
from ..policy.grammar import Grammar

KEYS = ("leads", "follows", "against", "base", "deals")
MOST = 100  # combinations


class Factors(NamedTuple):
    """A checked factorial table; against, base: texts of policies; opponent: what to call the first of them."""

    leads: tuple[str, ...]
    follows: tuple[str, ...]
    against: str
    opponent: str
    base: str
    deals: int

    @property
    def cells(self) -> int:
        """How many combinations there are."""
        return len(self.leads) * len(self.follows)


def factors_in(given: object, policies: Mapping[str, str], deals: int, first: int) -> Factors | None:
    """What the table asks for; None where there is none. policies: name -> text; deals, first: those of the study."""
    if given is None:
        return None
    if not isinstance(given, dict):
        raise RequestError("factorial must be a table [factorial] with leads, follows and against")
    for key in given:
        if key not in KEYS:
            raise unknown("key in factorial", key, KEYS)
    leads, follows = (_rules(given.get(key), f"factorial {key}") for key in ("leads", "follows"))
    if len(leads) * len(follows) > MOST:
        raise RequestError(f"factorial has {len(leads) * len(follows)} combinations: {MOST} are the most")
    opponent, base = _policy(given.get("against"), "against"), _policy(given.get("base", "random"), "base")
    return Factors(leads, follows, policies.get(opponent, opponent), opponent, policies.get(base, base),
                   checked_deals(given.get("deals", deals), "factorial deals", first))


def check_factors(factors: Factors, grammar: Grammar) -> None:
    """Raises RequestError where a rule or policy is none, two combinations are one policy, or all are the opponent."""
    from ..versus.factorial import combinations

    try:
        policies = combinations(factors.leads, factors.follows, grammar, factors.base)
        opponent = grammar.parse(factors.against)
    except RequestError as error:
        raise RequestError(f"factorial: {error}") from None
    if all(str(policy) == str(opponent) for policy in policies):
        raise RequestError("factorial: every combination is the opponent itself: name other rules, or another policy")


def _rules(given: object, what: str) -> tuple[str, ...]:
    if not isinstance(given, list) or len(given) < 2 or not all(isinstance(rule, str) for rule in given):
        raise RequestError(f'{what} must be a list of two rules or more, such as ["safe honour", "low"]')
    rules = [" ".join(clean(rule).casefold().split()) or "random" for rule in given]
    for place, rule in enumerate(rules):
        if any(mark in rule for mark in ",;:"):
            raise RequestError(f"{what}: '{rule}' must be words with spaces between them")
        if rule in rules[:place]:
            raise RequestError(f"{what} names '{rule}' twice: name each once")
    return tuple(rules)


def _policy(given: object, key: str) -> str:
    if not isinstance(given, str) or not given.strip():
        raise RequestError(f"factorial {key} must be a policy's name or text in quotes, such as \"plain\"")
    return " ".join(clean(given).split())
