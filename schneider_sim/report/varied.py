"""The table [vary] of a study file: parts of a policy, or switches of the rules, varied one at a time on common deals.

    [vary]
    rules.schneider_at = [15, 16, 17, 18]        # a switch: a list of its values
    rules.win_points = [[1, 2, 3], [1, 1, 1]]
    variant = ["standard", "higher"]             # or the named rules
    memory = ["none", "last-3", "full"]          # an option or section of the base
    base = "careful"                             # a policy of the study by its name, or a policy's text
    against = "plain"                            # by default plain or the second preset; for a policy's part the base
    deals = 100_000                              # of a setting, by default as many as a match-up of the study
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..base.limits import DEALS
from ..base.text import clean, parse_int, value_text
from ..errors import RequestError
from ..policy.grammar import Grammar
from ..versus.curve import Curve, curve
from ..versus.settings import RULES, RulesVaried, alike_groups, changed, default_opponent, is_of_rules, vary_rules
from ..versus.variations import strongest, with_part

if TYPE_CHECKING:
    from ..engines.threads import Runner
    from .study import Study

KEYS = ("base", "against", "deals")
MOST = 20  # settings of one thing that is varied


class Varied(NamedTuple):
    """One thing that is varied; base, against: texts of policies."""

    name: str
    settings: tuple[str, ...]
    base: str
    against: str
    deals: int


def varied_in(given: object, policies: Mapping[str, str], grammar: Grammar, deals: int,
              first: int) -> tuple[Varied, ...]:
    """What the table asks for, one entry for each thing; policies: name -> text; deals, first: those of the study."""
    if given is None:
        return ()
    if not isinstance(given, dict):
        raise RequestError("vary must be a table [vary] such as rules.schneider_at = [15, 16, 17]")
    things = {key: value for key, value in given.items() if key not in (*KEYS, "rules")}
    rules = given.get("rules", {})
    if not isinstance(rules, dict):
        raise RequestError("vary rules must name a switch, such as rules.schneider_at = [15, 16, 17]")
    things = {f"{RULES}{key}": value for key, value in rules.items()} | things
    if not things:
        raise RequestError("vary names nothing to vary: give a list, such as rules.schneider_at = [15, 16, 17]")
    base = _policy(given, "base", policies) or strongest(grammar)
    against = _policy(given, "against", policies)
    number = parse_int(given.get("deals", deals), "vary deals", 1, DEALS - first)
    return tuple(Varied(name, _settings(name, value), base, against or (
        default_opponent(grammar, base) if is_of_rules(name) else base), number) for name, value in things.items())


def check_varied(study: "Study") -> None:
    """Raises RequestError where a setting does not exist, or two are the same."""
    for one in study.varied:
        try:
            if is_of_rules(one.name):
                _groups(study, one)
            else:
                base = study.grammar.parse(one.base)
                for setting in one.settings:
                    with_part(study.grammar, base, one.name, setting)
                study.grammar.parse(one.against)
        except RequestError as error:
            raise RequestError(f"vary {one.name}: {error}") from None


def plays_of(study: "Study") -> int:
    """The plays of everything that is varied, for the progress."""
    return sum(2 * one.deals * (len(_groups(study, one)) if is_of_rules(one.name) else 2 * len(one.settings))
               for one in study.varied)


def play_varied(study: "Study", play: "Runner", heard: Callable[[int], None]) -> tuple[Curve | RulesVaried, ...]:
    """Play all that is varied; heard: called with the deals done."""
    found: list[Curve | RulesVaried] = []
    done = 0
    for one in study.varied:
        def make(a: str, b: str, deals: int = one.deals, **other: Any) -> Any:
            return study.of(a, b, deals, **other)

        def hear(deals: int, before: int = done) -> None:
            heard(before + deals)

        if is_of_rules(one.name):
            found.append(vary_rules(one.name, one.settings, make, base=one.base, against=one.against,
                                    rules=dict(study.rules), play=play, hear=hear, level=study.level))
            done += one.deals * len(_groups(study, one))
        else:
            found.append(curve(one.name, one.settings, make, study.grammar, against=one.against, base=one.base,
                               play=play, hear=hear, level=study.level))
            done += one.deals * 2 * len(one.settings)
        heard(done)
    return tuple(found)


def _groups(study: "Study", one: Varied) -> list[list[int]]:
    return alike_groups([study.of(one.base, one.against, one.deals, **changed(one.name, setting, dict(study.rules)))
                         for setting in one.settings])


def _settings(name: str, given: object) -> tuple[str, ...]:
    if not isinstance(given, list) or not 2 <= len(given) <= MOST:
        raise RequestError(f"vary {name} must be a list of 2 to {MOST} settings, such as [15, 16, 17]")
    settings = tuple(f"[{value_text(one)}]" if isinstance(one, list) else " ".join(clean(value_text(one)).split())
                     for one in given)
    for place, one in enumerate(settings):
        if one in settings[:place]:
            raise RequestError(f"vary {name} names '{one}' twice: name each once")
    return settings


def _policy(given: Mapping[str, Any], key: str, policies: Mapping[str, str]) -> str:
    value = given.get(key, "")
    if not isinstance(value, str):
        raise RequestError(f"vary {key} must be a policy's name or text in quotes, such as \"plain\"")
    text = " ".join(clean(value).split())
    return policies.get(text, text)


