"""What the report on Bohemian Schneider has beyond every game's: honours, tricks and leads."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ....base.estimate import Estimate
from ....report.charts import figures
from ....report.charts.names import labels
from ....report.charts.numbers import count
from ....report.charts.style import EIGHT
from ....report.findings import Findings, Played
from ....report.pieces import Counted, Drawing, GameReport, Table
from ....report.reading import leading, setting
from ....report.sections import leading_first
from ....stats.values import two_sided_z
from ....versus.field import Series
from ....versus.payoff import Comparison
from .. import tables as detail
from ..endgame.losses import WHERE
from ..rules import value_of_honours
from . import opening

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class BohemianReport(GameReport):
    """Honours, tricks and leads of Bohemian Schneider."""

    title = "Bohemian Schneider"
    unit = "victory points"
    short = "VP"
    session, sessions = "session", "sessions"
    leading = "Leading to the first trick"
    leading_title, leading_short = "Leading first", "leading first"
    first, advantage = "first leader", "first leader's advantage"
    first_leader = "the non-dealer, who leads to the first trick"
    rates = (("schneider_rate", "Schneider", "plays"), ("schwarz_rate", "Schwarz", "plays"))
    method = ("Tables of tricks, leads and replies rest on a sample of about one deal in sixteen, chosen by deal "
              "number, and say their own n.")

    def game_in_short(self, rules: Any) -> str:
        return opening.rules_in_short(rules)

    def glossary(self, rules: Any) -> Mapping[str, str]:
        return opening.glossary(rules)

    def counted_losses(self, series: Series, side: str) -> Counted | None:
        match_up = series.experiment.match_up
        whole = detail.endgame_points(series.tally, match_up.design)
        if whole.empty:
            return None
        cells = detail.endgame_points_by_trick(series.tally, match_up.design, value_of_honours(match_up.rules))
        every = cells[cells["player"] == side].itertuples()
        return Counted(WHERE, _lost(next(whole[whole["player"] == side].itertuples())),
                       tuple((int(row.trick), str(row.kind), _lost(row)) for row in every))

    def figures(self, findings: Findings) -> Iterator[Drawing]:
        basis = setting(findings)
        best = leading(findings)
        if best:
            yield _honours(findings, *best, basis)
        if findings.self_plays:
            top = _top(findings)
            if not top.result.tally["event"].any():
                return  # so few deals that none was counted in detail
            yield _flow(findings, top, basis)
            yield _leads(findings, top, basis)
            yield _replies(findings, top, basis)

    def tables(self, findings: Findings) -> Iterator[Table]:
        import pandas as pd

        frames: dict[str, list[Any]] = {}
        for one in findings.played:
            design = one.result.experiment.match_up.design
            every = {"honours": one.result.honours, **detail.tables(one.result.tally, design, findings.level)}
            for name, frame in every.items():
                frames.setdefault(name, []).append(frame.assign(a=one.a, b=one.b))
        for name, (title, text) in _TABLES.items():
            frame = pd.concat(frames[name], ignore_index=True)
            ordered = frame[["a", "b", *(c for c in frame.columns if c not in ("a", "b"))]]
            digits = _SAMPLE_DIGITS if "of the sample" in text else 7
            yield Table(name, title, text.replace("LEVEL", findings.sure), ordered, digits)


_SAMPLE_DIGITS = 4  # a sample of a sixteenth knows no more
_COUNTED = ("n counts decisions or deals of the sample; empty where that was not counted: under rules without a table "
            "of endgames, or by an older version")
_TABLES = {
    "honours": ("Honours", "A's honours by first leader; LEVEL band for the 21 shares at once; counts are plays"),
    "honour_flow": ("Honour flow", "mean honours captured by a player in a trick; n counts plays of the sample"),
    "lead_success": ("Lead success", "leads by player, trick, rank and safety; n counts leads of the sample"),
    "replies": ("Replies", "what became of each rank as a reply; n counts replies of the sample with that rank"),
    "lead_changes": ("Lead changes", "captured leads in a play; n counts plays of the sample"),
    "stock_end": ("Stock end", "A's honours when the stock runs out and at the end; n counts plays of the sample"),
    "tricks": ("Tricks", "A's tricks and honours; n counts all plays"),
    "endgame_losses": ("Losses in the last six", f"honours that a card lost against perfect play, exactly; {_COUNTED}"),
    "endgame_points": ("Points lost in the last six", f"victory points that a play lost there; {_COUNTED}"),
}


def _lost(row: Any) -> Estimate:
    """A row of losses as an estimate."""
    return Estimate(float(row.lost), float(row.low), float(row.high), int(row.n), "counted")


def _top(findings: Findings) -> Played:
    """The best policy against itself."""
    best = findings.payoff.order[0]
    return next((one for one in findings.self_plays if one.a == best), findings.self_plays[0])


def _schneider_at(one: Played) -> int:
    return int(one.result.experiment.match_up.rules.schneider_at)


def _honours(findings: Findings, one: Played, comparison: Comparison, basis: str) -> Drawing:
    a, b, short = comparison.a, comparison.b, labels(findings.study.policies)
    frame, who = one.result.honours, {"A": f"{short[a]} leads first", "B": f"{short[b]} leads first"}
    if one.a != a:
        turned = frame["first_leader"].map({"A": "B", "B": "A"})
        frame = frame.assign(honours=20 - frame["honours"], first_leader=turned)
        frame = frame.sort_values(["first_leader", "honours"])

    def draw() -> "Figure":
        figure, ax = figures.new_figure(3.5)
        figures.honour_distribution(ax, frame, who, _schneider_at(one))
        return figure

    return Drawing(
        "honours", f"Honours of {a} against {b}",
        f"How many of the 20 honours {a} takes, by who leads to the first trick. The distance between the two is "
        "what the first lead is worth.",
        f"n = {count(findings.study.deals)} plays a line; bars: simultaneous {findings.sure} band (Goodman); "
        f"{basis}", draw)


def _flow(findings: Findings, top: Played, basis: str) -> Drawing:
    short = labels(findings.study.policies)
    frames = {short[one.a]: detail.self_play_flow(one.result.tally, findings.level)
              for one in leading_first.best_first(findings)}

    def draw() -> "Figure":
        figure, axes = figures.new_figure(5.4, 2)
        figures.honour_flow(axes[0], frames[short[top.a]]).set_title(f"{short[top.a]} against itself")
        figures.lead_gain(axes[1], frames).set_title("each policy against itself")
        return figure

    far = "; an arrow: the line ends far above the axes, at the number said" if figures.leaves_axes(frames) else ""
    if len(frames) > len(EIGHT):
        far += f"; the first {len(EIGHT)} policies have names, the others are pale"
    n = int(frames[short[top.a]]["n"].max())
    return Drawing(
        "honour_flow", "Where the honours go, trick by trick",
        f"Above: honours that each side captures per trick when {top.a} plays itself. Below: how far the first leader "
        f"is ahead after each trick{far}.",
        f"n = {count(n)} plays of the sample a policy; above with {findings.sure} bands; {basis}", draw)


def _leads(findings: Findings, top: Played, basis: str) -> Drawing:
    frame = detail.lead_success(top.result.tally, "independent", by=("trick", "rank", "safe"),
                                level=findings.level)

    def draw() -> "Figure":
        figure, axes = figures.new_figure(5.2, 2)
        figures.lead_success(axes[0], frame, detail.RANKS).set_title("all leads: % that won their trick")
        figures.lead_success(axes[1], frame[~frame["safe"]], detail.RANKS).set_title("leads that were not safe")
        return figure

    return Drawing(
        "lead_success", f"Which leads succeed: {top.a} against itself",
        "Per cent of the led cards that won their trick, by rank and trick. Safe leads cannot fail, so the lower "
        "panel shows the risks that were taken. Hatched: fewer than 30 leads; empty: none.",
        f"n = {count(int(frame['n'].sum()))} leads of the sample; a cell of 100 leads is good to ± "
        f"{_half_of_a_hundred(findings.level)} percentage points ({findings.sure} Wilson intervals in "
        f"tables/lead_success.csv); {basis}", draw)


def _half_of_a_hundred(level: float) -> str:
    """How far a share of one half of a hundred may be off, in percentage points."""
    return f"{50 * two_sided_z(level) / 10:.0f}"


def _replies(findings: Findings, top: Played, basis: str) -> Drawing:
    frame = detail.replies(top.result.tally, "independent", findings.level)

    def draw() -> "Figure":
        figure, ax = figures.new_figure(3.0)
        figures.reply_kinds(ax, frame, detail.RANKS)
        return figure

    n = int(frame.groupby(["player", "rank"])["n"].first().sum())
    return Drawing(
        "replies", f"What replies do: {top.a} against itself",
        "How each rank was used in reply: to capture, thrown although a card in hand could have captured, or thrown "
        "because none could.",
        f"n = {count(n)} replies of the sample; {findings.sure} Wilson intervals in tables/replies.csv; {basis}", draw)


REPORT = BohemianReport()
