"""A result as a Python value: it compares, can be looked for and kept in sets, and cannot be changed by accident."""

import numpy as np
import pytest

import schneider_sim as ss
from schneider_sim.engines.threads import ordered, serial
from schneider_sim.games import BUILT_IN
from schneider_sim.report.findings import play_study
from schneider_sim.report.study import parse_study


@pytest.mark.parametrize("game", BUILT_IN)
def test_results_compare_and_hash_by_what_was_played(game):
    one, same, longer = (ss.simulate("random", "random; noise: 1", deals=n, game=game) for n in (40, 40, 41))
    assert one == same and hash(one) == hash(same) and one.tally == same.tally
    assert one != longer and one.tally != longer.tally and one != "one"
    assert one in [longer, same] and one not in [longer] and len({one, same, longer}) == 2


@pytest.mark.parametrize("game", BUILT_IN)
def test_what_a_result_gives_cannot_change_it(game):
    result = ss.simulate("random", "random", deals=40, game=game)
    joint, split, estimates = result.joint, result.by_first_leader, result.estimates
    assert joint is not None and result.joint is not None
    before, sha = joint.copy(), result.tally_sha256
    joint -= joint[::-1].copy()
    split["A"][:] = 0
    estimates.clear()
    assert np.array_equal(result.joint, before) and result.by_first_leader["A"].any() and result.estimates
    with pytest.raises(ValueError, match="read-only"):
        result.tally["joint"][:] = 0
    with pytest.raises(ValueError, match="read-only"):
        result.tally.vector[0] = 1
    assert result.tally_sha256 == sha


def test_finished_studies_compare_without_an_error():
    from schneider_sim.versus.duplicates import duplicates
    from schneider_sim.versus.field import play_series

    experiment = ss.simulate("random", "greedy", deals=40).experiment
    one, other = (play_series(experiment, ordered(serial)) for _ in range(2))
    assert one in [other, one] and one != other and len({one, other}) == 2
    assert duplicates(experiment) != duplicates(ss.simulate("random", "plain", deals=40).experiment)


def test_threads_and_play_exclude_each_other():
    with pytest.raises(ss.RequestError, match="threads and play exclude each other"):
        ss.simulate("random", "greedy", deals=40, threads=2, play=ordered(serial))
    with pytest.raises(ss.RequestError, match="threads and play exclude each other"):
        play_study(parse_study('deals = 40\npolicies = ["random", "greedy"]'), ordered(serial), threads=2)
