"""Tournaments: known strengths, common deals, what is established and what is not, and measured errors."""

import itertools
import json
import math
import shlex
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schneider_sim.base.tally import Tally
from schneider_sim.cli.app import app
from schneider_sim.engines.threads import in_order
from schneider_sim.errors import RequestError
from schneider_sim.results.text_tables import table
from schneider_sim.runs.experiment import make_experiment
from schneider_sim.stats.multiple import pairwise_contrasts
from schneider_sim.versus.field import RANGES, Series, combined, play_series, range_size, together
from schneider_sim.versus.race import Settled, nothing_settled, settle
from schneider_sim.versus.ranking import closure, cycles, match_ups, places, rating_weights, ties
from schneider_sim.versus.tournament import Tournament, round_robin, tournament
from schneider_sim.versus.tournament_text import report

LADDER = ["random", "greedy", "thrifty", "plain", "champion"]


def played(names: list[str], deals: int, threads: int = 1, **settings: Any) -> Tournament:
    make = partial(make_experiment, deals=deals)
    return tournament(names, round_robin(names, make), partial(in_order, threads=threads), **settings)


@pytest.fixture(scope="module")
def ladder() -> Tournament:
    return played(LADDER, 8192)


def test_known_strengths_come_out_in_order(ladder: Tournament) -> None:
    assert [LADDER[place.policy] for place in ladder.ranking] == LADDER[::-1]
    assert [(place.best, place.worst) for place in ladder.ranking] == [(k, k) for k in range(1, 6)]
    assert ladder.established
    assert ladder.sentences()[0] == f"Best, by mean edge against all: {LADDER[-1]}."
    assert ladder.sentences()[1].startswith(f"The order is established: {' > '.join(LADDER[::-1])}, at 95 % for all")
    _, weights, support = ladder.payoff.solution
    assert weights.tolist() == pytest.approx([0, 0, 0, 0, 1], abs=1e-9)
    assert support[-1] == 1.0
    assert any("at random" in sentence for sentence in ladder.sentences())


def test_payoffs_are_antisymmetric_and_inside_their_limits(ladder: Tournament) -> None:
    low, high = ladder.limits
    assert np.array_equal(ladder.payoffs, -ladder.payoffs.T)
    assert np.array_equal(low, -high.T)
    off = ~np.eye(5, dtype=bool)
    assert np.all((low < ladder.payoffs)[off] & (ladder.payoffs < high)[off])
    assert f"{len(ladder.series[0].sums)} ranges" in ladder.edges.method
    single = ladder.series[0].estimate()
    assert ladder.edges.high[0] - ladder.edges.low[0] > single.high - single.low


def test_match_ups_share_their_deals(ladder: Tournament) -> None:
    sums = np.stack([one.sums for one in ladder.series], axis=1)
    correlation = np.asarray(np.corrcoef(sums.T))
    both = {names: k for k, names in enumerate(match_ups(5))}
    assert correlation[both[0, 3], both[0, 4]] > 0.3
    assert len({one.sizes.tobytes() for one in ladder.series}) == 1


def test_result_does_not_depend_on_threads_nor_on_the_order_of_names() -> None:
    names = ["plain", "thrifty", "champion"]
    one, two = played(names, 5000), played(names, 5000, threads=2)
    assert one.as_dict() == two.as_dict()
    back = played(names[::-1], 5000)
    assert np.allclose(back.payoffs[::-1, ::-1], one.payoffs, atol=1e-12)
    assert [names[::-1][place.policy] for place in back.ranking] == [names[place.policy] for place in one.ranking]


@pytest.mark.parametrize("deals", [1, 7, 300, 3000])
def test_few_deals_establish_nothing_and_are_numbers(deals: int) -> None:
    result = played(["careful", "careful; ties: first", "careful; memory: last-15"], deals)
    assert not result.established
    assert result.sentences()[0].startswith("Which is the best, by mean edge against all, is not established: ")
    assert "The order is not established" in result.sentences()[1]
    text = json.dumps(result.as_dict(), allow_nan=False) + report(result, table)
    assert "nan" not in text
    assert all(place.worst > place.best for place in result.ranking)


def test_policies_that_play_alike_stay_tied_whatever_the_deals() -> None:
    result = played(["lead: honour", "lead: honour not-pip", "thrifty"], 4096)
    assert [(place.best, place.worst) for place in result.ranking] == [(1, 1), (2, 3), (2, 3)]
    assert result.edges.low[0] < 0 < result.edges.high[0]


def test_requests_that_make_no_tournament_are_refused() -> None:
    make = partial(make_experiment, deals=10)
    for names in ([], ["plain"], ["plain", "greedy", "lead: safe honour; follow: capture dead pip"]):
        with pytest.raises(RequestError):
            round_robin(names, make)
    mixed = [make_experiment("plain", "greedy", deals=10), make_experiment("plain", "thrifty", deals=11)]
    with pytest.raises(RequestError, match="same deals"):
        tournament(["plain", "greedy"], mixed)


@pytest.mark.parametrize("deals", [4500, 10_000, 51_200, 123_456, 10**6, 10**7, 10**9])
def test_there_are_ranges_enough_for_correlations(deals: int) -> None:
    experiment = make_experiment("plain", "greedy", deals=deals)
    ranges = [stop - start for start, stop in replace(experiment, cut=range_size(deals)).ranges()]
    assert sum(ranges) == deals
    assert RANGES <= len(ranges) <= 5 * RANGES


def test_race_plays_on_only_where_it_is_unclear() -> None:
    names = ["random", "greedy", "careful", "careful; ties: first"]
    looks: list[tuple[int, int]] = []
    result = played(names, 1024, until=8192, hear=None, heard=lambda deals, unsettled: looks.append((deals, unsettled)))
    deals = {pair: one.pairs for pair, one in zip(match_ups(4), result.series, strict=True)}
    assert deals[0, 1] == 1024
    assert deals[2, 3] == max(deals.values()) > 1024
    assert [n for n, _ in looks] == [1024 * 2**k for k in range(len(looks))]
    assert result.looks == len(looks)
    assert result.settled is not None
    assert result.better[2, 1] and result.better[1, 0] and result.better[3, 0]
    again = played(names, 1024, threads=2, until=8192)
    assert again.as_dict() == result.as_dict()


def test_race_ends_at_once_where_nothing_varies() -> None:
    result = played(["lead: honour", "lead: honour not-pip"], 1024, until=10**9)
    assert result.looks == 1
    assert not result.established
    assert any("alike" in sentence for sentence in result.sentences())


def test_series_extend_as_if_played_at_once() -> None:
    whole = make_experiment("plain", "thrifty", deals=3000)
    first = play_series(replace(whole, deals=1000))
    both = first + play_series(replace(whole, first=1000, deals=2000))
    assert both.tally.sha256 == play_series(whole).tally.sha256
    assert both.pairs == both.sizes.sum() == 3000
    assert both.sums.sum() == pytest.approx(both.mean * 3000)


def test_nothing_settled_is_taken_back() -> None:
    ratings, tight, loose = np.array([1.0, 0.0, -1.0]), np.eye(3) * 1e-6, np.eye(3)
    sure = settle(nothing_settled(3), ratings, tight, 10_000, 0.95, 10_000, 0.0)
    assert not sure.open.any()
    assert sure.better.sum() == 3
    later = settle(Settled(np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]], bool), np.zeros((3, 3), bool)), -ratings, loose,
                   10_000, 0.95, 10_000, 0.0)
    assert later.better[0, 1]
    assert later.open.tolist() == [True, True, True]


def test_closure_and_places() -> None:
    better = np.zeros((4, 4), bool)
    better[0, 1] = better[1, 2] = True
    reached = closure(better)
    assert reached[0, 2] and not reached[2, 0]
    ranking = places(np.array([3.0, 2.0, 1.0, 0.0]), np.zeros(4), np.zeros(4), reached)
    assert [(place.best, place.worst) for place in ranking] == [(1, 2), (2, 3), (3, 4), (1, 4)]
    assert ties(ranking, reached) == [(2, 3)]


def matrix(edges: np.ndarray, policies: int) -> np.ndarray:
    """Edges as the row's policy sees them."""
    table = np.zeros((policies, policies))
    for edge, (i, j) in zip(edges, match_ups(policies), strict=True):
        table[i, j], table[j, i] = edge, -edge
    return table


def test_circles_are_named() -> None:
    low = matrix(np.array([1.0, -1.0, 1.0]), 3) - 0.5
    assert cycles(low) == [(0, 1, 2)]
    assert cycles(matrix(np.array([1.0, 1.0, 1.0]), 3) - 0.5) == []
    assert cycles(matrix(np.array([-1.0, 1.0, -1.0]), 3) - 0.5) == [(0, 2, 1)]


def test_ratings_are_mean_payoffs() -> None:
    edges = np.arange(1.0, 7.0)
    assert np.allclose(rating_weights(4) @ edges, matrix(edges, 4).mean(axis=1))


def test_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def run(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            app.main(["tournament", *words])
        assert isinstance(ended.value.code, int)
        return ended.value.code, capsys.readouterr().out

    status, out = run("plain", "greedy", "thrifty", "--deals", "2000", "--json", "--no-store")
    answer = json.loads(out)
    assert status == 0
    assert list(answer["policies"]) == ["plain", "greedy", "thrifty"]
    assert [one["deals"] for one in answer["match_ups"]] == [2000] * 3
    _, _, *again = shlex.split(answer["command"])
    repeated = json.loads(run(*again, "--json", "--no-store")[1])
    for old, new in zip(answer["match_ups"], repeated["match_ups"], strict=True):
        assert (new["estimate"], new["tally_sha256"]) == (old["estimate"], old["tally_sha256"])
    status, out = run("--all", "--deals", "200", "--no-store")
    assert status == 0 and "place" in out and "again: schneider-sim tournament random greedy " in out
    assert out.startswith("Which is the best, by mean edge against all, is not established: ")
    assert "Nash: " in out and "< 0.00001" in out
    rows = out.partition("ahead ")[2].partition("\n\n")[0].splitlines()[2:]
    far = [row.split() for row in rows if row.split()[1] in ("random", "greedy", "thrifty")]
    assert far and all(float(row[2]) > float(row[4]) for row in far)
    assert run("plain", "--no-store")[0] == 2
    assert run("plain", "greedy", "--deals", "50", "--no-store", "--out", str(tmp_path))[0] == 0
    assert {path.name for path in tmp_path.iterdir()} == {"tournament.json", "ranking.csv", "payoffs.csv",
                                                          "tournament.png", "tournament.svg"}
    assert run("plain", "greedy", "--until-separated", "--max-deals", "5", "--no-store")[0] == 2


def _drawn(edges: list[float], generator: np.random.Generator, template: Series, ranges: int,
           size: int) -> list[Series]:
    """Match-ups whose pair means are 0 and 1 shared by all on half of the deals, so that they are correlated."""
    values = template.reader.values
    cells = [int(np.flatnonzero(template.reader.places == np.searchsorted(values, v))[0]) for v in (-0.5, 0.5)]
    shared = generator.binomial(size // 2, 0.5, ranges)
    result = []
    for edge in edges:
        up = shared + generator.binomial(size - size // 2, 0.5 + edge, ranges)
        vector = template.tally.layout.zeros()
        joint = vector[template.tally.layout.part("joint")]
        joint[cells] = size * ranges - up.sum(), up.sum()
        result.append(Series(template.experiment, template.reader, Tally(template.tally.layout, vector),
                             np.asarray(up - size / 2, float), np.full(ranges, size)))
    return result


@pytest.mark.slow
def test_all_limits_hold_at_once_as_often_as_they_say() -> None:
    template, generator = play_series(make_experiment("plain", "greedy", deals=10)), np.random.default_rng(7)
    runs, wrong, order = 1000, 0, 0
    contrasts = pairwise_contrasts(4) @ rating_weights(4)
    for _ in range(runs):
        joint = together(_drawn([0.0] * 6, generator, template, 250, 40))
        wrong += bool(np.any((joint.low > 0) | (joint.high < 0)))
        differences = combined(joint, contrasts)
        order += bool(np.any((differences.low > 0) | (differences.high < 0)))
    assert abs(wrong / runs - 0.05) <= 0.01 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert abs(order / runs - 0.05) <= 0.01 + 3 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.slow
def test_racing_invents_no_order() -> None:
    generator, runs, wrong = np.random.default_rng(3), 2000, 0
    policies, first = 5, 1000
    for _ in range(runs):
        total, n, settled = np.zeros(policies), 0, nothing_settled(policies)
        for deals in itertools.accumulate([first, *(first * 2**k for k in range(9))]):
            total += generator.standard_normal(policies) * math.sqrt(deals - n)
            n = deals
            settled = settle(settled, total / n, np.eye(policies) / n, n, 0.95, 4 * first, 0.0)
        wrong += bool(settled.better.any())
    assert wrong / runs <= 0.05
