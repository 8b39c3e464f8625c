"""The frames of the detail against a recount from traces, in plain Python."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

import schneider_sim as ss
from schneider_sim.games.bohemian import tables
from schneider_sim.games.bohemian.rules import Rules, captures, is_honour, legal_replies

A, B, DEALS, SEED = "careful; noise: 0.2", "lead: low; follow: capture-honour pip", 60, 3


@pytest.fixture(scope="module")
def played() -> tuple[Any, list[dict[str, Any]]]:
    """A run counted in full, and the traces of all its plays."""
    result = ss.simulate(A, B, deals=DEALS, seed=SEED, detail="all")
    traces = [trace for who in "AB" for trace in ss.replays(A, B, 0, DEALS - 1, SEED, first_leader=who)]
    return result, traces


def other(player: str) -> str:
    return "B" if player == "A" else "A"


def hand_before(trace: dict[str, Any], player: str, trick: int) -> list[str]:
    """The hand of a player before a trick (0 is the first)."""
    hand = list(trace["hands"][player])
    for one in trace["tricks"][:trick]:
        hand.remove(one["led"] if one["leader"] == player else one["reply"])
        if one["drawn"]:
            hand.append(one["drawn"][player])
    return hand


def test_honour_flow(played: Any) -> None:
    result, traces = played
    honours: Counter[tuple[str, str, int]] = Counter()
    for trace in traces:
        for k, one in enumerate(trace["tricks"]):
            honours[trace["first_leader"], one["winner"], k + 1] += is_honour(one["led"]) + is_honour(one["reply"])
    frame = tables.honour_flow(result.tally)
    assert len(frame) == 64 and set(frame["n"]) == {DEALS}
    for row in frame.itertuples():
        assert round(row.honours * row.n) == honours[row.first_leader, row.player, row.trick]
        assert 0 <= row.low <= row.honours <= row.high <= 2 and row.low < row.high


def test_lead_success_and_lead_changes(played: Any) -> None:
    result, traces = played
    leads: Counter[tuple[Any, ...]] = Counter()
    held: Counter[tuple[Any, ...]] = Counter()
    changes: Counter[tuple[str, int]] = Counter()
    for trace in traces:
        for k, one in enumerate(trace["tricks"]):
            key = (one["leader"], k + 1, one["led"][0])
            leads[key] += 1
            held[key] += one["winner"] == one["leader"]
        changes[trace["first_leader"], sum(one["winner"] != one["leader"] for one in trace["tricks"])] += 1
    frame = tables.lead_success(result.tally, "duplicate", by=("player", "trick", "rank"))
    assert {(r.player, r.trick, r.rank): (r.held, r.n) for r in frame.itertuples()} == {
        key: (held[key], n) for key, n in leads.items()}
    safe = tables.lead_success(result.tally, "duplicate")
    assert safe["n"].sum() == 2 * DEALS * 16 and (safe.loc[safe["safe"], "success"] == 1).all()
    found = tables.lead_changes(result.tally)
    seen = found[found["count"] > 0].to_dict("records")
    assert {(r["first_leader"], r["changes"]): r["count"] for r in seen} == dict(changes)


def test_replies(played: Any) -> None:
    result, traces = played
    rules, kinds = Rules(), Counter[tuple[str, str, str]]()
    for trace in traces:
        for k, one in enumerate(trace["tricks"]):
            player = other(one["leader"])
            able = any(captures(rules, one["led"], card) for card in legal_replies(
                rules, hand_before(trace, player, k), one["led"], max(0, 20 - 2 * k)))
            kind = "captured" if one["winner"] == player else "declined" if able else "discarded"
            kinds[player, one["reply"][0], kind] += 1
    frame = tables.replies(result.tally, "duplicate")
    seen = frame[frame["count"] > 0].to_dict("records")
    assert {(r["player"], r["rank"], r["kind"]): r["count"] for r in seen} == dict(kinds)
    assert any(kind == "declined" for _, _, kind in kinds), "the policies were chosen so that this is seen"


def test_stock_end_and_tricks(played: Any) -> None:
    result, traces = played
    ends: Counter[tuple[str, int, int]] = Counter()
    outcomes: Counter[tuple[str, int, int]] = Counter()
    for trace in traces:
        early = sum(is_honour(one["led"]) + is_honour(one["reply"])
                    for one in trace["tricks"][:10] if one["winner"] == "A")
        ends[trace["first_leader"], early, trace["honours"]["A"]] += 1
        outcomes[trace["first_leader"], trace["tricks_won"]["A"], trace["honours"]["A"]] += 1
    for frame, counted in ((tables.stock_end(result.tally), ends), (tables.tricks(result.tally), outcomes)):
        columns = list(frame.columns[:3])
        assert {tuple(row[c] for c in columns): row["count"] for row in frame.to_dict("records")} == dict(counted)
        assert set(frame["n"]) == {DEALS}


def test_self_play_flow_adds_up() -> None:
    result = ss.simulate("plain", "plain", deals=300, seed=2, design="independent", detail="all")
    frame = tables.self_play_flow(result.tally)
    assert len(frame) == 32 and set(frame["n"]) == {300}
    by_side = frame.groupby("side")["honours"].sum()
    assert by_side.sum() == pytest.approx(20)
    first = result.by_first_leader["A"] @ np.arange(21) + result.by_first_leader["B"] @ (20 - np.arange(21))
    assert by_side["first"] == pytest.approx(first / 300)


def test_without_a_sample_there_are_no_rows_and_no_faults() -> None:
    result = ss.simulate("plain", "greedy", deals=5, first=256, seed=2)
    every = tables.tables(result.tally, "duplicate")
    assert all(every[name].empty for name in ("honour_flow", "lead_success", "replies", "stock_end"))
    assert every["tricks"]["count"].sum() == 10
