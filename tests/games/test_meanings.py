"""Every published statistic has a meaning in a line, and docs/statistics.md says the same."""

from pathlib import Path
from typing import Any

import pytest

import schneider_sim as ss
from schneider_sim.games import BUILT_IN, load_game

PAGE = Path(__file__).parents[2] / "docs" / "statistics.md"


def result(name: str, **settings: Any) -> ss.Result:
    return ss.simulate("random", "random", deals=40, game=name, **settings)


@pytest.mark.parametrize("design", ["duplicate", "independent"])
@pytest.mark.parametrize("name", BUILT_IN)
def test_every_statistic_has_a_meaning(name, design):
    played = result(name, design=design)
    meanings = load_game(name).meanings(played.experiment.match_up)
    assert [estimate.statistic for estimate in played.estimates] == list(meanings)
    assert all(meaning and len(line) <= 120 for line, meaning in meanings.items())


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_page_says_the_same(name):
    meanings = load_game(name).meanings(result(name).experiment.match_up)
    rows = "\n".join(f"| `{statistic}` | {meaning} |" for statistic, meaning in meanings.items())
    assert f"|---|---|\n{rows}\n\n" in PAGE.read_text(encoding="utf-8")


def test_meanings_follow_the_rules():
    def meanings(**rules: object) -> dict[str, str]:
        return load_game("bohemian").meanings(result("bohemian", rules=rules).experiment.match_up)

    assert "with 17 to 19 honours" in meanings(schneider_at=17)["schneider_rate_a"]
    assert "with 19 honours" in meanings(schneider_at=19)["schneider_rate_b"]
    assert "races to 7 victory points" in meanings(session="target-7")["session_win_rate"]
    stakes = result("bohemian", rules={"session": "stakes"})
    assert list(load_game("bohemian").meanings(stakes.experiment.match_up)) == [e.statistic for e in stakes.estimates]


@pytest.mark.parametrize("design", ["duplicate", "independent"])
def test_who_leads_first_wins_ties_or_loses(design):
    played = ss.simulate("plain", "greedy", deals=3000, design=design)
    first = played.by_first_leader["A"] + played.by_first_leader["B"][::-1]
    found = {e.statistic: e for e in played.estimates}
    won, lost = found["first_leader_win_rate"], found["first_leader_loss_rate"]
    assert won.value == pytest.approx(first[11:].sum() / played.plays)
    assert lost.value == pytest.approx(first[:10].sum() / played.plays)
    assert won.value + lost.value + found["tie_rate"].value == pytest.approx(1)
    assert won.low < won.value < won.high and won.n == lost.n == 3000
