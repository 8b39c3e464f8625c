"""`--score A:B`: the score of the match before each deal, for policies that look at it."""

import json

import pytest

import schneider_sim as ss
from commandline import call, refused
from schneider_sim.errors import RequestError


def test_the_score_changes_play_and_traces_follow_it():
    plain, late = (ss.simulate("tactician", "cautious", deals=400, game="bauernschnapsen", score=score)
                   for score in ((0, 0), (22, 3)))
    assert plain.tally_sha256 != late.tally_sha256
    result = call("replay", "tactician", "cautious", "--deal", "0", "--until", "30", "--score", "22:3", "--json",
                  "--game", "bauernschnapsen")
    traces = [json.loads(line) for line in result.stdout.splitlines()]
    again = [ss.replay("tactician", "cautious", deal, game="bauernschnapsen", score=(22, 3)) for deal in range(31)]
    assert traces == again
    assert traces != [ss.replay("tactician", "cautious", deal, game="bauernschnapsen") for deal in range(31)]


@pytest.mark.parametrize("words, message", [
    (("--score", "24:0", "--game", "bauernschnapsen"), "from 0 to 23"),
    (("--score", "3", "--game", "bauernschnapsen"), "must be A:B"),
    (("--score", "3:1"), "a score belongs to bauernschnapsen: add --game bauernschnapsen"),
])
def test_wrong_scores(words, message):
    assert message in refused("simulate", "random", "random", "--deals", "10", *words)


def test_a_wrong_score_in_python():
    with pytest.raises(RequestError, match="A's score must be from 0 to 23, not 24"):
        ss.simulate("random", "random", deals=1, game="bauernschnapsen", score=(24, 0))
