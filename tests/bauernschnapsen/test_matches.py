"""Matches: played against the second plain version and the exact figures; scores seen by policies; the document."""

import re
from pathlib import Path

import numpy as np
import pytest

from naive.bauernschnapsen import bummerl
from schneider_sim.base.tally import Tally
from schneider_sim.errors import RequestError
from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen import prepare as run
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.results import sessions
from schneider_sim.games.bauernschnapsen.results.estimates import VALUES, most

ROOT = Path(__file__).parents[2]
parse = GAME.grammar.parse


def match_of(a, b, rules=None, **kwargs):
    return MatchUp(GAME.rules(None, rules or {}), parse(a), parse(b), **kwargs)


RULES = [{}, {"retour": "comeback_from_zero"}, {"next_match_dealer": "rotate_start"}]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_matches_are_those_of_the_plain_version(rules):
    match_up = match_of("bold", "random", rules)
    walk = sessions.Walk(match_up, 40)
    values = sessions.results(match_up, 0, 2000)
    used = walk.take(values)
    assert walk.complete
    state = np.zeros(sessions.COUNTED + 1, np.int64)
    found: dict[tuple[int, int, int], int] = {}
    deal = 0
    for number in range(40):
        while not sessions.begins(state, deal, int("next_match_dealer" in rules), 1):
            deal += 1
        parity, results = int(state[sessions.A_PARITY]), []
        for k in range(deal, 2000):
            v = int(values[k, 0 if (k + 1) % 2 == parity else 1])
            results.append(("A" if v > 0 else "B", abs(v)))
            if max(sum(p for w, p in results if w == who) for who in "AB") >= 24:
                break
        deal += len(results)
        winner, worth = bummerl(results, match_up.rules.retour)
        key = "AB".index(winner), worth, len(results)
        found[key] = found.get(key, 0) + 1
        state[sessions.NUMBER] = number + 1
    assert found == dict(walk.seen)
    assert used == deal


def test_results_are_those_of_the_traces():
    match_up = match_of("expert", "bold")
    for deal, row in enumerate(sessions.results(match_up, 500, 520), 500):
        for first, value in zip("AB", row, strict=True):
            trace = GAME.trace(match_up, deal, first)
            assert value == trace["game_points"] * (1 if trace["scoring_team"] == "A" else -1)


def test_played_matches_agree_with_the_exact_figures():
    match_up, count = match_of("bold", "cautious"), 4000
    walk, start = sessions.Walk(match_up, count), 0
    while not walk.complete:
        start += walk.take(sessions.results(match_up, start, start + 16384))
    tally = Tally(GAME.layout, GAME.play(match_up, 100_000, 160_000))
    exact = {e.statistic: e for e in sessions.exact(tally, match_up)}
    for played in walk.estimates():
        value = exact[played.statistic].value
        error = max((played.high - played.low) / 4, 1 / count)
        assert abs(played.value - value) < 4 * error + (exact[played.statistic].high - value)
        assert exact[played.statistic].low <= value <= exact[played.statistic].high
    named = {e.statistic: e for e in walk.estimates()}
    assert named["session_length"].value == pytest.approx(walk.lengths[0] / count)
    signed = sum((1 - 2 * winner) * worth * n for (winner, worth, _), n in walk.seen.items())
    assert named["bummerl_balance"].value == pytest.approx(signed / count)
    assert sessions.exact_length(tally, match_up) == exact["session_length"][1:]


def test_a_policy_that_looks_at_the_score_plays_by_it():
    text = "expert; bid: bettler-low schnapser sure score-aware"
    far, near = match_of(text, "cautious"), match_of(text, "cautious", score=(23, 0))
    special = [Tally(GAME.layout, GAME.play(m, 0, 3000))["outcome"][0, 1:, (0, 2)].sum() for m in (far, near)]
    assert special[1] < special[0]
    assert sessions.exact(Tally(GAME.layout, GAME.play(near, 0, 300)), near) == []
    assert sessions.exact_length(Tally(GAME.layout, GAME.play(near, 0, 300)), near) is None
    given = {e.statistic: e.given for e in GAME.estimates(Tally(GAME.layout, GAME.play(near, 0, 300)), near)}
    assert given["vp_per_deal"]
    assert not given["session_win_rate"]
    walk = sessions.Walk(far, 20)
    assert walk.take(sessions.results(far, 0, 3000)) < 3000
    assert walk.complete
    with pytest.raises(RequestError, match="score must be A:B"):
        run.count(match_of(text, "cautious", score=(24, 0)), 0, 1)


def test_estimates_of_both_designs():
    for design in ("duplicate", "independent"):
        match_up = match_of("expert", "cautious", design=design)
        named = GAME.estimates(Tally(GAME.layout, GAME.play(match_up, 0, 3000)), match_up)
        table = {e.statistic: e for e in named}
        assert {"vp_per_deal", "first_leader_advantage", "win_rate", "tie_rate", "schneider_rate", "retour_rate",
                "session_win_rate", "session_draw_rate", "first_leader_win_rate",
                "first_leader_loss_rate"} <= set(table)
        assert table["tie_rate"].value == 0
        assert table["vp_per_deal"].low > 2
        for e in named:
            assert e.low <= e.value <= e.high


def test_what_the_document_names_exists():
    text = (ROOT / "docs/rules-bauernschnapsen.md").read_text(encoding="utf-8")
    code, tests = ROOT / "schneider_sim/games/bauernschnapsen", ROOT / "tests/bauernschnapsen"
    named = re.findall(r"`([a-z_0-9/]+\.py)::(\w+)`", text)
    assert len(named) > 60
    for file, name in named:
        source = ((tests if file.startswith("test_") else code) / file).read_text(encoding="utf-8")
        assert re.search(rf"^(def|class) {name}\b|^{name}\b.*=", source, re.M), f"{file}::{name}"
    for switch in GAME.switches:
        if not switch.startswith("value_") and switch.islower():
            assert f"`{switch}`" in text or f"`{switch}=" in text, switch
    for name in GAME.switches:
        if name.isupper():
            assert f"`{name}`" in text


@pytest.mark.parametrize("a, b, rules, expected", [
    ("random", "random", {}, 3), ("cautious", "random", {}, 24), ("bold", "random", {}, 48),
    ("bold", "expert", {}, 192),
    ("bold", "expert", {"max_double": "1"}, 48), ("bold", "expert", {"contracts": "no_show"}, 192),
    ("random; double: whim", "random; double: whim", {}, 24), ("random; double: whim", "random", {}, 6),
    ("cautious", "cautious", {"contracts": "common", "KONTRABAUERNSCHNAPSER": "off"}, 12),
])
@pytest.mark.parametrize("design", ["duplicate", "independent"])
def test_no_play_is_worth_more_than_is_possible(a, b, rules, expected, design):
    match_up = match_of(a, b, rules, design=design)
    assert most(match_up) == expected
    tally = Tally(GAME.layout, GAME.play(match_up, 0, 20_000))
    seen = np.abs(VALUES)[tally["by_first_leader"].sum(axis=0) > 0]
    assert seen.max() <= expected
    if design == "duplicate":
        assert GAME.victory_pairs(tally, match_up).counts.sum() == 20_000
    else:
        assert sum(part.sum() for part in GAME.victory_counts(tally, match_up)[1:]) == 20_000


def test_doubling_by_one_policy_alone_stops_at_two():
    match_up = match_of("random; double: whim; bid: whim", "random; bid: whim")
    tally = Tally(GAME.layout, GAME.play(match_up, 0, 20_000))
    assert tally["outcome"][:, :, :, 1].sum() > 100
    assert tally["outcome"][:, :, :, 2:].sum() == 0
    assert most(match_up) == 48


def test_ties_and_draws_cannot_be():
    named = GAME.estimates(Tally(GAME.layout, GAME.play(match_of("random", "bold"), 0, 50)), match_of("random", "bold"))
    found = {e.statistic: e for e in named}
    for name in ("tie_rate", "session_draw_rate"):
        assert found[name][1:4] == (0, 0, 0)
        assert found[name].method == "by the rules"
