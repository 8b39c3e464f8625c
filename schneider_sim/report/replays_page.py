"""The page of deals replayed: one self-contained HTML file, to be read on a screen or printed, a deal on a sheet."""

from typing import TYPE_CHECKING

from ..errors import RequestError
from ..results.text_tables import rules_in_words
from .cards import sides
from .pieces import game_report
from .replays import deal_html
from .templates import fill

if TYPE_CHECKING:
    from ..analysis.replays import Replays

MOST = 1000
"""Deals on a page."""


def check(found: "Replays") -> None:
    """RequestError for more deals than a page holds."""
    if found.experiment.deals > MOST:
        raise RequestError(f"a page holds at most {MOST:,} deals, not {found.experiment.deals:,}: choose fewer with "
                           "--until")


def render(found: "Replays") -> str:
    """The page as HTML; RequestError for more deals than it holds."""
    check(found)
    match_up, other = found.experiment.match_up, found.other
    policies = sides(found.typed, [match_up.a, match_up.b, *([] if found.instead is None else [found.instead])])
    if other is None:
        deals = [deal_html(trace, match_up=match_up) for trace in found.traces]
    else:
        deals = [deal_html(one.left, one.right, heading=_heading(one.left), match_up=match_up, beside_match_up=other)
                 for one in found.pairs]
    first, last = found.experiment.first, found.experiment.first + found.experiment.deals - 1
    which = f"Deal {first}" if first == last else f"Deals {first} to {last}"
    game = found.experiment.game
    return fill("replay.html", f"{which} of seed {match_up.seed}", game=game_report(game).title,
                rules=rules_in_words(game, match_up.rules.as_dict()), policies=policies, deals=deals,
                beside=other is not None, again=found.again)


def _heading(trace: dict[str, object]) -> str:
    return f"Deal {trace['deal']}, {trace['first_leader']} first"
