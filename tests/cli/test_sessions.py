"""`sessions`: played deal by deal as a plain reading of the rules plays them, and in line with the exact figures."""

import itertools
import json
import shlex
from collections.abc import Iterator

import numpy as np
import pytest

import schneider_sim as ss
from commandline import call
from schneider_sim.base.estimate import Named
from schneider_sim.errors import RunError
from schneider_sim.games.bohemian import sessions as played
from schneider_sim.versus.sessions import Sessions, distance, sessions

SETTINGS = [
    {"session": "deals-6"},
    {"session": "deals-2", "tie_10_10": "redeal"},
    {"session": "deals-6", "tie_10_10": "carry", "first_dealer": "high_card"},
    {"session": "target-7", "first_dealer": "low_card"},
    {"session": "target-3", "tie_10_10": "redeal"},
    {"session": "target-5", "tie_10_10": "carry", "win_points": "2,2,7"},
]
COUNT = 120


def by_hand(rules: dict[str, str], values: Iterator[dict[str, int]]) -> Iterator[tuple[int, int, int]]:
    """(A's points, B's points, deals counted) of sessions: `values` are A's points minus B's by first leader."""
    kind, _, number = rules["session"].partition("-")
    tie, how = rules.get("tie_10_10", "no_score"), played.DEALERS[rules.get("first_dealer", "lot")]
    for session in itertools.count():
        dealer = "AB"[played.first_dealer(session, how, np.uint64(1))]
        points, counted, bonus = {"A": 0, "B": 0}, 0, 0
        while counted < int(number) if kind == "deals" else max(points.values()) < int(number):
            value = next(values)["B" if dealer == "A" else "A"]
            if value == 0 and tie == "redeal":
                continue
            dealer, counted = "B" if dealer == "A" else "A", counted + 1
            if value:
                points["A" if value > 0 else "B"] += abs(value) + bonus
            bonus = 1 if value == 0 and tie == "carry" else 0
        yield points["A"], points["B"], counted


@pytest.mark.parametrize("rules", SETTINGS, ids=lambda rules: " ".join(rules.values()))
def test_sessions_are_those_of_a_plain_reading(rules: dict[str, str]) -> None:
    outcome = sessions("careful", "plain", COUNT, rules=rules)

    def values() -> Iterator[dict[str, int]]:
        both = [ss.replays("careful", "plain", 0, outcome.deals - 1, first_leader=who, rules=rules) for who in "AB"]
        for a_first, b_first in zip(*both, strict=True):
            points = [trace["victory_points"] for trace in (a_first, b_first)]
            yield {"A": points[0]["A"] - points[0]["B"], "B": points[1]["A"] - points[1]["B"]}

    stream = values()
    hand = list(itertools.islice(by_hand(rules, stream), COUNT))
    assert next(stream, None) is None  # as many deals as by hand
    lengths = [length for *_, length in hand]
    assert outcome.lengths[:3] == (sum(lengths), min(lengths), max(lengths))
    assert outcome.lengths.void == outcome.deals - sum(lengths)
    rates = {e.statistic: e.value for e in outcome.played}
    assert rates["session_win_rate"] == sum(a > b for a, b, _ in hand) / COUNT
    assert rates["session_lose_rate"] == sum(a < b for a, b, _ in hand) / COUNT
    assert rates["session_draw_rate"] == pytest.approx(sum(a == b for a, b, _ in hand) / COUNT)


@pytest.mark.parametrize("rules", [*SETTINGS, *({"session": "stakes", "tie_10_10": tie} for tie in played.TIES)],
                         ids=lambda rules: " ".join(rules.values()))
def test_played_and_exact_agree(rules: dict[str, str]) -> None:
    outcome = sessions("greedy", "plain", 5000, rules=rules, seed=5)
    assert all(z is None or abs(z) < 4.5 for z in outcome.agreement().values())
    assert len(outcome.exact) == len(outcome.played)
    if outcome.exact_length:
        assert outcome.lengths.counted / outcome.count == pytest.approx(outcome.exact_length.value, rel=0.02)


@pytest.mark.parametrize("how", played.DEALERS.values())
def test_either_deals_first_as_often(how: int) -> None:
    drawn = sum(played.first_dealer(session, how, np.uint64(7)) for session in range(10_000))
    assert abs(drawn - 5000) < 4 * 50


def test_first_dealer_by_cards_is_the_opposite_of_the_other_rule() -> None:
    low, high = ([played.first_dealer(session, how, np.uint64(3)) for session in range(200)]
                 for how in (played.LOW_CARD, played.HIGH_CARD))
    assert all(a + b == 1 for a, b in zip(low, high, strict=True))


def test_pieces_of_any_size_make_the_same_sessions() -> None:
    match_up = sessions("plain", "random", 1, rules={"session": "target-7", "tie_10_10": "carry"}).experiment.match_up
    values = played.results(match_up, 0, 3000)
    whole, pieces = played.Walk(match_up, 200), played.Walk(match_up, 200)
    used = whole.take(values)
    place = 0
    while not pieces.complete:
        place += pieces.take(values[place : place + 7])
    assert place == used < 3000
    assert pieces.seen == whole.seen


def test_sessions_without_end_are_an_error() -> None:
    match_up = sessions("plain", "random", 1, rules={"session": "target-7"}).experiment.match_up
    with pytest.raises(RunError, match="session 0 has no end"):
        played.Walk(match_up, 1).take(np.zeros((played.LONGEST + 1, 2), np.int64))


def test_json() -> None:
    words = ["sessions", "careful", "plain", "--count", "500", "--rules", "session=target-7", "--json"]
    result = call(*words)
    found = json.loads(result.stdout)
    assert result.exit_code == 0 and result.stderr == ""
    assert found["count"] == 500 and found["unit"] == "session" and found["lengths"]["counted"] == found["deals"]
    rates = ["session_win_rate", "session_draw_rate", "session_lose_rate"]
    assert [e["statistic"] for e in found["estimates"]] == rates
    assert sum(e["value"] for e in found["estimates"]) == pytest.approx(1)
    assert found["z"].keys() == {e["statistic"] for e in found["exact"]}
    assert call(*words, "--threads", "1").stdout == result.stdout


def test_text() -> None:
    text = call("sessions", "careful", "plain", "--count", "300", "--rules", "session=target-7").stdout
    assert "300 sessions on deals 0 to" in text and "session=target-7" in text
    assert "do they agree?" in text and "on average; exact: " in text and "session_lose_rate" in text
    paid = call("sessions", "careful", "plain", "--count", "300", "--rules", "session=stakes").stdout
    assert "payment_per_deal" in paid and "session_win_rate" not in paid


def rate(value: float, n: int, method: str = "Wilson") -> Named:
    return Named("session_win_rate", value, value, value, n, method)


def test_distance() -> None:
    assert distance(rate(0.53, 10_000), rate(0.5, 0)) == pytest.approx(6.0)
    assert distance(rate(1.0, 100), rate(1.0, 0)) == 0.0
    rare = distance(rate(0.05, 100, "Clopper-Pearson"), rate(0.001, 0))
    assert rare is not None and 4 < rare < 7
    assert distance(rate(0.5, 10, "normal"), rate(0.5, 0)) is None
    assert isinstance(sessions("plain", "plain", 1), Sessions)


def test_sessions_take_the_exact_deals_from_the_store_and_play_on_any_engine(tmp_path) -> None:
    """Every command that plays has the options of engine and store, and a line that repeats it."""
    words = ["sessions", "careful", "plain", "--count", "200", "--rules", "session=target-7"]
    store = ["--store", str(tmp_path / "runs.sqlite")]
    first, again = call(*words, *store), call(*words, *store)
    assert first.stdout == again.stdout and "came from the store" in again.stderr and ", 0 were played" in again.stderr
    for engine in ("serial", "dask"):
        assert call(*words, "--no-store", "--engine", engine).stdout == first.stdout
    repeat = next(line for line in first.stdout.splitlines() if line.startswith("Again: "))
    assert call(*shlex.split(repeat)[2:], "--no-store").stdout == first.stdout
