"""What can be asked for must end: what would take too long or too much memory is refused before anything is played."""

import shlex
import time

import pytest

import schneider_sim as ss
from commandline import refused

MANY = " ".join(f"'careful; noise: {k / 1000}'" for k in range(65))
ENDLESS = {
    f"tournament {MANY} --deals 9e18": "65 policies against each other are too many",
    "factorial --vary noise=" + ",".join(f"{k / 1000}" for k in range(101)): "101 policies against one opponent",
    "factorial --leads 'safe,low,high,long,short,honour,pip,dead,guarded' --follows "
    "'safe,low,high,long,short,honour,pip,capture' --against each-other": "72 policies against each other",
    "plan careful greedy --difference 1e-300": "give 1e-10 or more",
    "plan careful greedy --difference 0.1 --alpha 2": "make no plan",
    "compare careful greedy --sprt 0 1e-300": "give 1e-10 or more",
    "compare careful greedy --precision 1e-300": "give 1e-10 or more",
    "simulate careful greedy --rules session=deals-1000 --rules win_points=1,2,1000 --rules tie_10_10=carry":
        "is too long for exact figures",
    "sessions careful greedy --rules session=target-51": "session must be",
}


@pytest.mark.parametrize("text, said", ENDLESS.items(), ids=[text[:40] for text in ENDLESS])
def test_what_would_not_end_is_refused_at_once(text: str, said: str) -> None:
    begun = time.process_time()
    assert said in refused(*shlex.split(text))
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("rules", [
    {"session": "deals-1000", "win_points": [1, 20, 1000]}, {"session": "deals-1000", "win_points": [0, 0, 1000]},
    {"session": "target-50", "tie_10_10": "carry"}, {"session": "target-50", "win_points": [1, 1, 1000]},
    {"session": "deals-62", "tie_10_10": "carry", "win_points": [1, 2, 1000]},
    pytest.param({"session": "deals-1000", "tie_10_10": "carry"}, marks=pytest.mark.slow)])
def test_exact_sessions_of_the_largest_settings_take_seconds(rules: dict[str, object]) -> None:
    result = ss.simulate("careful", "random", deals=1500, rules=rules, threads=1)
    begun = time.process_time()
    rates = {named.statistic: named for named in result.estimates}
    assert time.process_time() - begun < 30
    assert 0 <= rates["session_win_rate"].low <= rates["session_win_rate"].high <= 1
