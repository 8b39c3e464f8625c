"""Options that several commands share, as decorators."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ..base.limits import DEALS, LAST_DEAL, LAST_SEED, MOST_THREADS
from ..base.text import clean, one_of, parse_int, shown
from ..errors import RequestError

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
_SHORT = re.compile(r"([0-9][0-9_]*(?:\.[0-9]+)?)([kmg]|e[0-9]{1,2})", re.IGNORECASE | re.ASCII)
_ZEROS = {"k": 3, "m": 6, "g": 9}


class Whole(click.ParamType):
    """A whole number from `low` to `high`, also in the forms 1_000_000, 250k, 1M, 1.5M, 1G and 1e6."""

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        what = param.opts[-1] if param else "number"
        if isinstance(value, str):
            value = _in_digits(clean(value).strip())
            if len(value) > 40:
                raise RequestError(f"{what} must be from {self.low} to {self.high}, not {len(value)} characters long")
        return parse_int(value, what, self.low, self.high)


def _in_digits(text: str) -> str:
    """A round number that is written short, such as 250k or 1e6, in digits; any other text as it is."""
    found = _SHORT.fullmatch(text)
    if not found:
        return text
    whole, _, part = found[1].partition(".")
    zeros = (_ZEROS.get(found[2].casefold()) or int(found[2][1:])) - len(part)
    return whole + part + "0" * zeros if zeros >= 0 else text


class Plain(click.ParamType):
    """Text without the characters that a reader cannot see; one of `choices` when there are any."""

    name = "text"

    def __init__(self, *choices: str) -> None:
        self.choices = choices

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        word = clean(value).strip()
        if not self.choices:
            return word
        for choice in self.choices:
            if word.casefold() == choice.casefold():
                return choice
        what = param.opts[-1] if param else "value"
        raise RequestError(f"{what} must be {one_of(self.choices)}, not '{shown(word)}'")

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        return "|".join(self.choices) or None


def _rules(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """KEY=VALUE pairs as a dict; a pair without `=` or a key given twice is an error."""
    rules: dict[str, str] = {}
    for text in values:
        key, equals, value = clean(text).partition("=")
        key = key.strip()
        if not equals or not key:
            raise RequestError(f"--rules must be KEY=VALUE, such as follow=must_follow, not '{text}'")
        if key in rules:
            raise RequestError(f"--rules sets '{key}' twice; once is enough")
        rules[key] = value.strip()
    return rules


def chain(*options: Callable[[Decorated], Decorated]) -> Callable[[Decorated], Decorated]:
    def decorate(function: Decorated) -> Decorated:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


game_option = click.option("--game", default="bohemian", type=Plain(), metavar="NAME", show_default=True,
                           help="bohemian or bauernschnapsen")
rules_options = chain(
    click.option("--variant", type=Plain(), metavar="NAME",
                 help="A named set of rules; `schneider-sim rules` lists them."),
    click.option("--rules", multiple=True, metavar="KEY=VALUE", callback=_rules,
                 help="Set one switch of the rules; `schneider-sim rules` lists them; may be repeated."),
)
load_option = click.option("--load", multiple=True, metavar="FILE.py", type=click.Path(),
                           help="A Python file with preferences of your own; may be repeated.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON only.")

common = chain(game_option, rules_options, load_option, json_option)
"""--game --variant --rules --load --json as game, variant, rules (a dict), load (a tuple), as_json."""

policies = chain(click.argument("a", metavar="A", type=Plain()), click.argument("b", metavar="B", type=Plain()))
"""The two policies as a, b."""



def _score(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, str]:
    """A:B in two parts; which numbers they may be is for the game to say."""
    a, colon, b = clean(value).partition(":")
    if not colon:
        raise RequestError(f"--score must be A:B, such as 12:7, not '{shown(value)}'")
    return a.strip(), b.strip()


score_option = click.option("--score", default="0:0", metavar="A:B", callback=_score, show_default=True,
                            help="Game points in the match before each deal, in games whose policies look at them.")
records_options = chain(
    click.option("--records", type=click.Path(path_type=Path), metavar="FILE.parquet",
                 help="Also write one row for every play; all deals are played, those stored too, and compared."),
    click.option("--cards", is_flag=True, help="With --records: hands, stock and first lead as columns; much slower."),
)
"""--records --cards as records, cards."""
level_option = click.option("--level", default=0.95, type=float, metavar="L", show_default=True,
                            help="Confidence level of the intervals, such as 0.99.")
seed_option = click.option("--seed", default=1, type=Whole(0, LAST_SEED), metavar="S", show_default=True,
                           help="Which shuffles: 0 to 2^64 - 1.")
deals_option = click.option("--deals", default=1_000_000, type=Whole(1, DEALS), metavar="N", show_default=True,
                            help="How many deals: 1000000, 1_000_000, 1M, 1e6 or 250k.")
first_option = click.option("--first", default=0, type=Whole(0, LAST_DEAL), metavar="K", show_default=True,
                            help="The number of the first deal.")
threads_option = click.option("--threads", type=Whole(1, MOST_THREADS), metavar="T",
                              help="Threads; by default as many as there are processors. Results do not depend on it.")
