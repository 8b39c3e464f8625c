"""What the report on Bauernschnapsen has beyond every game's: the contracts."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..games.bauernschnapsen import tables as detail
from ..stats.intervals import wilson
from . import figures
from .intervals import Line
from .numbers import count
from .playing import Findings, Played
from .reading import setting
from .registry import Drawing, Table

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class BauernschnapsenReport:
    """See registry.GameReport."""

    title = "Bauernschnapsen"
    unit = "game points"
    short = "game points"
    session, sessions = "match", "matches"
    leading = "Being on the caller's side"
    game_in_short = (
        "Two teams of two play with 20 cards, five each: the caller names trumps after three, then the players bid "
        "what they undertake. A deal is worth game points to the team that fulfils its contract or breaks the other's; "
        "the team that first has 24 of them wins the match.")
    first_leader = "the caller's team"
    rates = (("schneider_rate", "Schneider", "matches"), ("retour_rate", "Retourschneider", "matches"))
    method = "Tables of contracts, bids and marriages count every play."
    glossary = MappingProxyType({
        "game points": "what a deal is worth to the team that scores; a match goes to 24 of them",
        "caller": "the player after the dealer, who chooses trumps",
        "contract": "what the declarer undertakes; the normal game where nobody bids",
        "Schneider": "a match that the losers end without a single game point",
        "Retourschneider": "a match won from 0:23",
    })

    def figures(self, findings: Findings) -> Iterator[Drawing]:
        if findings.self_plays:
            best = findings.payoff.order[0]
            yield _contracts(next(one for one in findings.self_plays if one.a == best), setting(findings))

    def tables(self, findings: Findings) -> Iterator[Table]:
        import pandas as pd

        frames: dict[str, list[Any]] = {}
        for one in findings.played:
            match = one.result.experiment.match
            for name, frame in detail.tables(one.result.tally, match.rules, match.design).items():
                frames.setdefault(name, []).append(frame.assign(a=one.a, b=one.b))
        for name, parts in frames.items():
            frame = pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)
            title = name.replace("_", " ").capitalize()
            yield Table(name, title, _ABOUT.get(name, "by side, the policy concerned"),
                        frame[["a", "b", *(c for c in frame.columns if c not in ("a", "b"))]])


_ABOUT = {
    "game_points": "how often each result came out, A's game points minus B's",
    "contracts": "what each contract does for the side that plays it, by seat of the declarer",
    "bids": "calls made, by side and seat",
    "doubling": "what doubling earns the declarer's side",
}


def by_contract(one: Played) -> "pd.DataFrame":
    """Contracts of a policy against itself: contract, played, made (plays), share, both sides together."""
    match = one.result.experiment.match
    frame = detail.contracts(one.result.tally, match.rules, match.design)
    frame = frame[frame["seat"] == "all"]
    frame = frame.assign(made=(frame["made"] * frame["played"]).round().astype(int))
    return frame.groupby("contract", as_index=False)[["played", "made"]].sum().sort_values("played", ascending=False)


def _contracts(one: Played, basis: str) -> Drawing:
    frame, plays = by_contract(one), one.result.plays

    def lines(k: str, n: Any) -> list[Line]:
        return [Line(row["contract"], row[k] / total, *wilson(row[k], total))
                for row, total in ((row, row["played"] if n is None else n) for row in frame.to_dict("records"))]

    def draw() -> "Figure":
        figure, axes = figures.new_figure(max(3.6, 0.47 * len(frame) + 2.2), 2)
        figures.forest(axes[0], lines("played", plays), "share of plays", scale="log", percent=True)
        figures.forest(axes[1], lines("made", None), "made, of those played", percent=True)
        axes[0].set_title("how often it is played")
        axes[1].set_title("how often it is made")
        return figure

    return Drawing(
        "contracts", f"The contracts: {one.a} against itself",
        "Above: how often each contract is played, on a logarithmic axis. Below: how often its declarer makes it; in "
        "the normal game, how often the caller's side scores.",
        f"n = {count(plays)} plays; 95 % Wilson intervals; {basis}", draw)


REPORT = BauernschnapsenReport()
