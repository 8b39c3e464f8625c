"""The page of deals worth seeing: one self-contained HTML file, to be read on a screen or printed."""

from typing import TYPE_CHECKING

from ..analysis import deals_text
from ..results.text_tables import rules_in_words
from ..versus.names import label
from .cards import sides
from .pairs import pair
from .pieces import game_report
from .templates import fill

if TYPE_CHECKING:
    from ..analysis.deals import Deals


def render(found: "Deals") -> str:
    """The page as HTML."""
    match_up = found.experiment.match_up
    policies = sides(found.typed, [match_up.a, match_up.b, *([] if found.instead is None else [found.instead])])
    return fill(
        "deals.html", f"Deals worth seeing: {' and '.join(label(typed, side) for side, typed, _ in policies)}",
        sentence=deals_text.sentence(found), game=game_report(found.experiment.game).title,
        rules=rules_in_words(found.experiment.game, match_up.rules.as_dict()), seed=match_up.seed, policies=policies,
        blocks=[pair(found, one) for one in found.seen], again=found.again)
