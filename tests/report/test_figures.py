"""Figures: each draws on the axes it is given, and shows what it must."""

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from schneider_sim.base.estimate import percent
from schneider_sim.report.charts import figures
from schneider_sim.report.charts import running as growing
from schneider_sim.report.charts.numbers import count, plain, shown
from schneider_sim.report.charts.style import for_page, readable_on


@pytest.fixture
def ax() -> Any:
    with figures.style():
        figure = Figure(figsize=(7, 4), layout="constrained")
        yield figure.subplots()
        figures.as_svg(figure)


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


def hatched(ax: Any) -> set[tuple[float, float]]:
    """(row, column) of the hatched cells."""
    return {(patch.get_y() + 0.5, patch.get_x() + 0.5) for patch in ax.patches
            if isinstance(patch, Rectangle) and patch.get_hatch() in ("////", "/////")}


def test_payoff_cells_say_value_and_interval_and_are_hatched_when_open(ax: Any) -> None:
    values = np.array([[np.nan, 0.5, 0.001], [-0.5, np.nan, np.nan], [-0.001, np.nan, np.nan]])
    half = np.array([[np.nan, 0.01, 0.002], [0.01, np.nan, np.nan], [0.002, np.nan, np.nan]])
    assert figures.payoff_heat_map(ax, ["a", "b", "c"], values, values - half, values + half, "VP per deal") is ax
    assert hatched(ax) == {(0, 2), (2, 0)}
    assert texts(ax) == ["+0.500", "±0.010", "+0.0010", "±0.0020", "−0.500", "±0.010", "−0.0010", "±0.0020"]


def test_factorial_heat_map_has_a_title_for_each_side(ax: Any) -> None:
    values = np.array([[0.1, -0.2, 0.0], [0.3, 0.0, 0.02]])
    names = ["l1", "l2"], ["f1", "f2", "f3"]
    assert figures.factorial_heat_map(ax, *names, values, values - 0.01, values + 0.01, "VP") is ax
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("lead", "follow")
    assert hatched(ax) == {(0, 2), (1, 1)} and len(texts(ax)) == 12
    values[1, 1] = np.nan
    other = ax.figure.add_subplot()
    figures.factorial_heat_map(other, *names, values, values - 0.01, values + 0.01, "VP")
    assert hatched(other) == {(0, 2)} and len(texts(other)) == 10, "the opponent itself is grey, without numbers"


def test_a_forest_prints_the_digits_that_the_interval_allows(ax: Any) -> None:
    lines = [figures.Line("a – b", 0.12345, 0.1184, 0.1285), figures.Line("c $x$", 0.0, -0.2, 0.2, True)]
    assert figures.forest(ax, lines, "VP per deal", zero=0.0) is ax
    assert texts(ax) == ["0.1235  (0.1184 to 0.1285)", "0.00  (−0.20 to 0.20)"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a – b", "c $x$"]
    assert ax.get_ylim()[0] > ax.get_ylim()[1], "the first line is on top"


def test_rare_rates_end_in_an_arrow_where_they_may_be_zero(ax: Any) -> None:
    lines = [figures.Line("often", 0.3, 0.29, 0.31), figures.Line("never seen", 0.0, 0.0, 0.0004),
             figures.Line("once", 0.0001, 0.00001, 0.0006)]
    figures.forest(ax, lines, "share of plays", scale="log", percent=True)
    arrows = [line for line in ax.lines if line.get_marker() == "<"]
    assert [line.get_ydata()[0] for line in arrows] == [1]
    assert ax.get_xlim()[0] > 0 and ax.get_xlim()[1] <= 1 and ax.get_xscale() == "log"
    assert texts(ax)[1] == "0.000 %  (0.000 to 0.040)"


@pytest.mark.parametrize("lines", [
    [figures.Line("a", 0.2, 0.1, 0.3), figures.Line("b", 2.0, 1.9, 2.1), figures.Line("c", -0.01, -0.03, 0.01)],
    [figures.Line("a", 0.0, 0.0, 0.0)],
    [figures.Line("a", 0.0, 0.0, 1.0)],
])
@pytest.mark.parametrize("scale", ["linear", "log", "symlog"])
def test_forests_of_any_numbers_can_be_drawn(ax: Any, lines: list[figures.Line], scale: str) -> None:
    figures.forest(ax, lines, "VP", scale=scale)
    low, high = ax.get_xlim()
    assert low < high and np.isfinite([low, high]).all()


def test_leads_below_thirty_are_hatched(ax: Any) -> None:
    frame = pd.DataFrame({"trick": [1, 1, 2, 2], "rank": list("7AAA"), "held": [20, 29, 15, 15], "n": [40, 29, 15, 15]})
    assert figures.lead_success(ax, frame, "789TJQKA") is ax
    assert hatched(ax) == {(0, 0)}, "the ace in trick 1: 29 leads"
    assert sorted(texts(ax)) == ["100", "50"], "rows of a cell are added"
    assert [label.get_text() for label in ax.get_yticklabels()] == list("AKQJT987")


def test_honours_have_a_band_and_a_label_for_each_first_leader(ax: Any) -> None:
    shares = np.bincount([8, 9, 9, 10, 12], minlength=21) / 5
    frame = pd.concat(pd.DataFrame({"first_leader": who, "honours": range(21), "share": part, "low": part * 0.9,
                                    "high": part * 1.1}) for who, part in (("A", shares), ("B", shares[::-1])))
    assert figures.honour_distribution(ax, frame, {"A": "x leads", "B": "y leads"}, schneider_at=17) is ax
    assert {"x leads", "y leads", "tie", "won"} <= set(texts(ax))
    assert len([patch for patch in ax.patches if isinstance(patch, Rectangle)]) == 42


def test_running_estimate_ends_at_the_whole_and_its_bands_nest() -> None:
    rng = np.random.default_rng(1)
    means = np.array([-1.0, -0.5, 0, 0.5, 1])
    counts = rng.multinomial(500, [0.1, 0.2, 0.3, 0.2, 0.2], size=40)
    frame = growing.running(means, counts, most=12)
    assert len(frame) <= 12 and frame["n"].iloc[-1] == 20000 and (frame["n"].diff().dropna() > 0).all()
    assert frame["value"].iloc[-1] == pytest.approx(counts.sum(axis=0) @ means / 20000)
    assert (frame["any_low"] <= frame["low"]).all() and (frame["high"] <= frame["any_high"]).all()
    with figures.style():
        figure, ax = figures.new_figure(3)
        assert figures.running_estimate(ax, frame, "VP per deal") is ax
        assert any("every look" in text for text in texts(ax))
        figures.as_svg(figure)


def test_sprt_stops_at_its_bound_and_shows_both(ax: Any) -> None:
    counts = np.tile([100, 200, 130], (50, 1))
    steps = growing.sprt_steps(np.array([-1.0, 0.0, 1.0]), counts, 0.0, 0.05)
    assert steps["verdict"].iloc[-1] == "H1" and (steps["verdict"].iloc[:-1] == "undecided").all()
    assert figures.sprt_trace(ax, steps["n"], steps["llr"], -2.94, 2.94, 0.0, 0.05, "VP") is ax
    assert texts(ax) == ["accept H1: 0.05 VP", "accept H0: 0 VP"]
    low, high = ax.get_ylim()
    assert low < -2.94 and high > max(2.94, steps["llr"].max())


def test_session_bars_fill_the_axis(ax: Any) -> None:
    assert figures.session_outcomes(ax, ["a – b", "c – d"], [0.5, 0.97], [0.2, 0.02]) is ax
    widths = np.array([patch.get_width() for patch in ax.patches if isinstance(patch, Rectangle)]).reshape(3, 2)
    assert widths.sum(axis=0) == pytest.approx([1, 1])
    assert sorted(texts(ax)) == ["20 %", "30 %", "50 %", "97 %"]


def test_option_curve_and_replies(ax: Any) -> None:
    assert figures.option_curve(ax, ["none", "last-2", "full"], [0, 0.1, 0.2], [-0.1, 0, 0.1], [0.1, 0.2, 0.3], "VP",
                                "memory") is ax
    assert [label.get_text() for label in ax.get_xticklabels()] == ["none", "last-2", "full"]
    frame = pd.DataFrame({"rank": ["8", "8", "A"], "kind": ["captured", "discarded", "declined"], "count": [1, 3, 2]})
    other = ax.figure.add_subplot()
    assert figures.reply_kinds(other, frame, "789TJQKA") is other
    assert {"25 %", "75 %", "100 %"} == set(texts(other))
    figures.reply_kinds(ax, frame[frame["kind"] != "declined"], "789TJQKA")
    legend = ax.get_legend()
    assert legend and [text.get_text() for text in legend.get_texts()] == ["captured", "declined (never)", "discarded"]


def test_every_policy_has_a_line_and_one_far_above_leaves_the_axes(ax: Any) -> None:
    def flow(first: float) -> pd.DataFrame:
        return pd.concat(pd.DataFrame({"side": side, "trick": range(1, 17), "honours": mean, "low": mean, "high": mean})
                         for side, mean in (("first", first), ("second", 0.4)))

    assert figures.lead_gain(ax, {"x": flow(0.5), "y": flow(0.5), "luck": flow(1.2)}) is ax
    assert not figures.leaves_axes({"x": flow(0.5), "y": flow(0.55)})
    assert {"x", "y", "↑ luck: 12.8"} <= set(texts(ax)) and 1.6 < ax.get_ylim()[1] < 3
    assert len({(line.get_linestyle(), line.get_color()) for line in ax.lines[:3]}) == 3


def test_svg_is_the_same_every_time_and_takes_the_theme() -> None:
    def draw() -> str:
        with figures.style():
            figure, ax = figures.new_figure(2)
            figures.forest(ax, [figures.Line("a & <b>", 1, 0.5, 1.5)], "VP")
            return figures.as_svg(figure)

    alone = draw()
    assert "\n " not in alone and not re.search(r' d="[^"]*\.\d{4}', alone), "no wasted bytes"
    assert alone == draw()
    inside = for_page(alone, "forest", 'a "label" & <b>')
    assert inside.startswith("<svg") and 'aria-label="a &quot;label&quot; &amp; &lt;b&gt;"' in inside
    assert "var(--ink)" in inside and 'id="figure_1"' not in inside and 'id="forest-figure_1"' in inside


def test_settings_of_the_caller_come_back() -> None:
    import matplotlib

    before = matplotlib.rcParams["font.size"], matplotlib.rcParams["text.parse_math"]
    with figures.style():
        assert matplotlib.rcParams["text.parse_math"] is False
    assert (matplotlib.rcParams["font.size"], matplotlib.rcParams["text.parse_math"]) == before


def test_numbers_for_readers() -> None:
    assert plain(-0.0001, 2) == "0.00" and plain(-1.25, 1) == "−1.2" and plain(0.5, 1, sign=True) == "+0.5"
    assert shown(-0.5, -0.52, -0.48) == "−0.500 (−0.520 to −0.480)" and shown(0.5, 0.4, 0.6, True) == "50 % (40 to 60)"
    assert [percent(share) for share in (0, 0.004, 0.25, 0.996, 1)] == ["0", "< 1", "25", "> 99", "100"]
    assert percent(1 - 0.7 - 0.3) == "0" and percent(0.0004, 1) == "< 0.1" and percent(0.0004, 2) == "0.04"
    assert count(1234567) == "1\u202f234\u202f567"
    assert readable_on(1, 1, 1) == "#000000" and readable_on(0, 0, 0.3) == "#ffffff"
