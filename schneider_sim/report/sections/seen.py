"""Deals worth seeing, both of their plays side by side: of the two best policies of a study with a table [strength]."""

import re

from ..charts.numbers import count
from ..findings import Findings
from ..pairs import Pair, pair

_WHY = {  # the first deal of its kind, another one
    "swing": ("The largest swing", "Another large swing"),
    "loss": ("The largest loss in the last six tricks", "Another large loss in the last six tricks"),
    "schneider": ("The most honours", "Many honours too"),
    "parting": ("The earliest parting", "Another early parting"),
}


def sentence(findings: Findings) -> str:
    """Whose deals they are, and among how many they were found."""
    found = findings.strength
    if found is None or not found.deals:
        return ""
    a, b = found.pair
    number = found.deals[0].found.experiment.deals
    return (f"A is {a}, B is {b}. Among {count(number)} deals, each played twice with sides changed, these are "
            f"{'the one' if len(found.deals) == 1 else 'those'} most worth seeing.")


def blocks(findings: Findings) -> list[tuple[str, str, Pair]]:
    """The deals in the order of the page: why each is worth seeing, what came of it, and its plays."""
    some = findings.strength.deals if findings.strength else ()
    kinds, found = [one.found.key for one in some], []
    for place, one in enumerate(some):
        deal, why = pair(one.found, one.seen), _WHY[one.found.key][one.found.key in kinds[:place]]
        found.append((f"{why}: deal {one.seen.deal}", re.sub(r"-(?=\d)", "−", deal.title), deal))
    return found
