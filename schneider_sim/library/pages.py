"""Deals on a page, from Python: what `replay --html` writes."""

import html
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.files import replacing
from ..runs.experiment import Files
from .arguments import in_arguments

if TYPE_CHECKING:
    from ..analysis.replays import Replays


@dataclass(frozen=True, eq=False)
class ReplayPage:
    """Deals replayed: `html` is the page, `write` puts it into a file, `str` gives the text of the command.

    A notebook shows the page. `traces` are the plays as `replay` gives them, for each deal A's and, beside it, C's.
    """

    value: "Replays"

    @cached_property
    def html(self) -> str:
        """The page, one self-contained HTML file as text."""
        from ..report.replays_page import render

        return render(self.value)

    @cached_property
    def traces(self) -> list[dict[str, Any]]:
        """The plays in order."""
        if self.value.other is None:
            return list(self.value.traces)
        return [trace for one in self.value.pairs for trace in (one.left, one.right)]

    def write(self, path: str | Path) -> Path:
        """Write the page to a file, which appears whole or not at all; its path. Raises RunError, RequestError."""
        place = Path(path)
        with replacing(place) as beside:
            beside.write_bytes(self.html.encode())
        return place

    def __str__(self) -> str:
        from ..base.terminal import Style
        from ..games import load_game
        from ..results.plain_page import plain_page

        if self.value.other is not None:
            return "\n\n".join(self.value.side_by_side(one, Style()) for one in self.value.pairs)
        page = load_game(self.value.experiment.game).replay_page or plain_page
        return "\n\n".join("\n".join(page(trace, Style())) for trace in self.value.traces)

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" title="Deals replayed" '
                'style="width: 100%; height: 40rem; border: 1px solid #8888"></iframe>')


@in_arguments
def replay_page(
    a: str, b: str, deal: int, until: int | None = None, seed: int = 1, *, instead: str | None = None,
    first_leader: str = "A", game: str = "bohemian", variant: str | None = None,
    rules: Mapping[str, Any] | None = None, load: Files = (), score: tuple[int, int] = (0, 0),
) -> ReplayPage:
    """Deals `deal` … `until`, both included, by default one, as a page: what `replay --html` writes.

    Hands, every trick, who takes it and why, and which word of the policy chose each card. instead: a policy C to be
    shown in A's place beside A, the first difference marked. A page holds at most 1,000 deals. Raises RequestError.
    """
    from ..analysis.replays import replays
    from ..report.replays_page import check

    found = replays(a, b, deal, until, seed, instead=instead, first_leader=first_leader, game=game, variant=variant,
                    rules=rules, load=load, score=score)
    check(found)
    return ReplayPage(found)
