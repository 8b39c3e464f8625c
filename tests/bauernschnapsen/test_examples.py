"""The worked examples of the rules (section 12), against the plain functions and the referee."""

import pytest

from bauernschnapsen.table import build, cards, result
from schneider_sim.errors import RequestError
from schneider_sim.games import MatchUp
from schneider_sim.games.bauernschnapsen.game import GAME
from schneider_sim.games.bauernschnapsen.rules.contracts import BY_NAME
from schneider_sim.games.bauernschnapsen.rules.legality import (
    Auction,
    deck_map,
    eligible,
    legal,
    may_bid,
    may_redeal,
    normal_value,
    winning_place,
)
from schneider_sim.games.bauernschnapsen.rules.match import bummerl, next_dealer
from schneider_sim.games.bauernschnapsen.rules.score import Score
from schneider_sim.games.bauernschnapsen.rules.switches import make_rules

DEFAULT = make_rules()
NORMAL, GANG, ACELOW = BY_NAME["NORMAL"], BY_NAME["GANG"], BY_NAME["ZEHNERGANG"]
X = ["KH QH AH AS JD", "TH JS QS TC QD", "TS KS AC KC JC", "JH AD TD KD QC"]
Y = ["AC QH JD AH TC", "JC AD TS QS JH", "QC QD KH JS KD", "TD AS KS KC TH"]
Z = ["TH AC QD AS QC", "QH JS AH TD KC", "TS QS AD JH JC", "KH TC KD KS JD"]
V = ["AH KH QH JS JD", "TH JH QS TC QD", "AS TS AC KC JC", "KS AD TD KD QC"]
G = ["AS TS AD TD KC", "KS QS KD QD JH", "JS AC TC KH QH", "JD QC JC AH TH"]
B = ["JH JS QD JC QC", "KS QS KC TC QH", "TS AC KH TH AH", "AS JD KD TD AD"]
N = ["JH JS JC JD QS", "KS KH KC KD TC", "TS TH AC TD QH", "AS AH QC AD QD"]
K = ["JH QS JC QC KD", "AH TH KH QH AC", "JS KS TC QD JD", "AS TS KC AD TD"]
T = ["TH TS TC TD KD", "AS KS AH KH AC", "QS JS QH JH KC", "AD QD JD QC JC"]
P = ["KS JS QC QD JD", "QS TS KC JC AD", "AH TH KH QH AC", "AS JH TC TD KD"]


@pytest.mark.parametrize(
    "row, hand, trick, expected, switches",
    [
        (NORMAL, "AS KS JH TD QC", "QS", "AS KS", {}),  # 1
        (NORMAL, "QS JS JH TD QC", "KS", "QS JS", {}),  # 2
        (NORMAL, "AS QS TD JC KC", "KS JH", "AS QS", {}),  # 3
        (NORMAL, "AS QS TD JC KC", "KS JH", "AS", {"head_over_ruffed": "on"}),
        (NORMAL, "JH QH TD JC KC", "KS KH", "JH QH", {}),  # 4
        (NORMAL, "JH QH TD JC KC", "KS KH", "JH QH TD JC KC", {"undertrump": "free"}),
        (NORMAL, "JH TH TD JC KC", "KS KH", "TH", {}),  # 5
        (NORMAL, "JH TH TD JC KC", "KS KH", "JH TH", {"overtrump": "free"}),
        (GANG, "JH TH TD JC KC", "KS KH", "JH TH TD JC KC", {}),  # 6
        (ACELOW, "AS TS QD JC KC", "KS", "TS", {}),  # 7
        (ACELOW, "AS JS QD JC KC", "KS", "AS JS", {}),
        (NORMAL, "AS KS JH TD QC", "QS", "AS KS", {"must_head": "all"}),
        (NORMAL, "AS JS JH TD QC", "QS", "AS JS", {"must_head": "trick_contracts_only"}),
        (GANG, "AS JS JH TD QC", "QS", "AS", {"must_head": "trick_contracts_only"}),
    ],
)
def test_legal_moves(row, hand, trick, expected, switches):
    assert legal(make_rules(None, switches), row, "H", cards(hand), cards(trick)) == cards(expected)


def test_after_announcing_a_marriage_its_king_or_queen_is_led():  # 8
    with pytest.raises(RequestError, match="may not play AH, only KH QH"):
        build(X, ["40 AH TH TS JH"])


@pytest.mark.parametrize(
    "row, trick, place",
    [(NORMAL, "KS AS JH TS", 2), (GANG, "JS AD AC AH", 0), (ACELOW, "JS AS QS AD", 2), (NORMAL, "QH KH AS TH", 3)],
)
def test_trick_winners(row, trick, place):  # 9-12
    assert winning_place(row, "H", cards(trick)) == place


def test_13_trick_and_forty():
    assert result(X, ["AH TH TS JH", "40"]) == ("A", 3, "66")


def test_14_pending_forty():
    trace = build(X, ["40 QH TH JC JH", "JS TS QC AS"])
    assert (trace["scoring_team"], trace["game_points"], trace["ended"]) == ("A", 2, "66")
    assert trace["marriage_points"] == [40, 0, 0, 0]
    assert legal(DEFAULT, NORMAL, "H", cards(X[1]), ["QH"]) == ["TH"]
    assert legal(DEFAULT, NORMAL, "H", cards("AH AS JD"), cards("JS TS QC")) == ["AS"]


def test_15_schnapser_with_forty():
    assert result(X, ["AH TH TS JH", "40"], contract="SCHNAPSER") == ("A", 6, "contract_made")
    made = ["AH TH JC JH", "40 QH JS KC QC"]
    assert result(X, made, contract="SCHNAPSER") == ("A", 6, "contract_made")
    with pytest.raises(AssertionError, match="not over"):
        build(X, made, contract="SCHNAPSER", schnapser_test="strict_routes")
    assert result(X, ["AH TH JC JH", "40"], contract="SCHNAPSER", schnapser_test="strict_routes",
                  failed_announce_loses="on") == ("B", 6, "contract_failed")


def test_16_schnapser_lost_at_trick_1():
    assert result(X, ["40 QH TH JC JH"], contract="SCHNAPSER") == ("B", 6, "contract_failed")


def test_17_schnapser_65():
    tricks = ["TC JC QC KC", "AH JH KH TH", "QH QS QD TD"]
    trace = build(Y, tricks, contract="SCHNAPSER")
    assert [trick["points"] for trick in trace["tricks"]] == [19, 27, 19]
    assert (trace["scoring_team"], trace["game_points"]) == ("B", 6)


def test_18_last_trick():
    trace = build(Z, ["TH AH JH KH", "QH QS JD AC", "TD AD KD QD", "TS KS AS JS", "QC KC JC TC"])
    assert (trace["scoring_team"], trace["game_points"], trace["ended"]) == ("B", 1, "last_trick")
    assert trace["card_points"] == [27, 46, 28, 19]
    for hand in ("TS QS AD JC", "TC KD KS JD", "AC QD AS QC"):  # 18a
        assert legal(DEFAULT, NORMAL, "H", cards(hand), ["QH"]) == cards(hand)


def test_19_partner_takes_a_schnapser_trick():
    tricks = ["AH TH TS KS", "JS QS AS AD"]
    with pytest.raises(RequestError, match="over before it"):
        build(V, [*tricks, "AC KS TC TD"], contract="SCHNAPSER")
    trace = build(V, tricks, contract="SCHNAPSER")
    assert (trace["scoring_team"], trace["game_points"]) == ("B", 6)
    with pytest.raises(AssertionError, match="not over"):
        build(V, tricks, contract="SCHNAPSER_MIT_MANN", SCHNAPSER_MIT_MANN="on")
    assert trace["tricks"][0]["points"] + trace["tricks"][1]["points"] == 62


def test_20_and_21_gang():
    tricks = ["AS KS JS AH", "TS QS KH TH", "AD KD QH JD", "TD QD TC JC", "KC JH AC QC"]
    assert result(G, tricks, "S", contract="GANG") == ("B", 9, "contract_failed")
    tricks = ["AS KS JS AH", "TS QS KH TH", "AD KD AC JD", "TD QD TC JC", "KC JH QH QC"]
    assert result(G, tricks, "S", contract="GANG") == ("A", 9, "contract_made")


def test_22_bettler_lost():
    assert legal(DEFAULT, BY_NAME["BETTLER"], "H", cards(B[1]), ["JS"]) == ["KS", "QS"]
    assert result(B, ["JS QS TS AS", "JD QD QH AC"], contract="BETTLER") == ("B", 4, "contract_failed")
    assert result(B, ["JS QS AS", "JD QD QH"], contract="BETTLER", bettler_partner="sits_out") == (
        "B", 4, "contract_failed")


def test_23_bettler_made_doubled():
    tricks = ["QS KS TS AS", "QC JC KC AC", "QH AH JH KH", "QD JD KD TD", "TH AD JS TC"]
    assert result(N, tricks, contract="BETTLER", doublings=[1]) == ("A", 8, "contract_made")


def test_24_kontraschnapser():
    tricks = ["JC AC TC KC", "40"]
    assert result(K, tricks, contract="KONTRASCHNAPSER", declarer=1) == ("B", 12, "contract_made")
    assert result(K, tricks[:1], contract="KONTRASCHNAPSER", declarer=3) == ("A", 12, "contract_failed")


def test_25_zehnergang():
    rest = ["TH KH QH AD", "TC AC KC QC", "TD AS JS QD", "KD AH JH JD"]
    assert result(T, ["TS KS QS JC", *rest], contract="ZEHNERGANG") == ("A", 10, "contract_made")
    assert legal(DEFAULT, ACELOW, "H", cards(T[1]), ["TS"]) == ["AS", "KS"]
    assert result(T, ["TS AS QS QC"], contract="GANG") == ("B", 9, "contract_failed")


def test_26_bauernschnapser_by_partner():
    tricks = ["KS TS QH AS", "AH JH JS QS", "KH TD JD JC", "TH KD QD KC", "AC TC QC AD"]
    hands = ["KS JS QC QD JD", *P[1:]]
    switches = {"trump_must_be_held": "off"}
    assert legal(DEFAULT, BY_NAME["BAUERNSCHNAPSER"], "H", cards(P[2]), ["KS", "TS"]) == cards("AH TH KH QH")
    assert result(hands, tricks, contract="BAUERNSCHNAPSER", declarer=2, **switches) == ("A", 12, "contract_made")
    assert result(hands, tricks, contract="BAUERNSCHNAPSER", declarer=2, doublings=[1, 0], **switches)[1] == 48


def test_27_declarations():
    clubs = ["JH QS JS QD KD", "AH TH KH QH AS", "TS KS AD TD JD", "AC TC KC QC JC"]
    assert result(clubs, [], contract="FARBENRINGERL", declarer=3) == ("B", 18, "declared")
    with pytest.raises(RequestError, match="may not be doubled"):
        build(clubs, [], contract="FARBENRINGERL", declarer=3, doublings=[0])
    hearts = ["AH TH KH QH JH", "AC TC KC QC JC", "TS KS AD TD JD", "QS JS QD KD AS"]
    assert result(hearts, [], contract="TRUMPFFARBENRINGERL") == ("A", 24, "declared")
    assert eligible(DEFAULT, 1, "FARBENRINGERL", cards("AS TS KS QS JS"), "H")
    assert not eligible(DEFAULT, 0, "FARBENRINGERL", cards("AS TS KS QS JS"), "S")


def auction(*calls, **switches):
    """The auction after `calls` ('-' for a pass), every bid checked."""
    rules = make_rules(None, switches)
    state = Auction(rules)
    for call in calls:
        assert state.turn is not None
        if call != "-":
            assert may_bid(rules, state.turn, call, cards("JS QH KD AC TC"), "H", state.high)
        state.call(None if call == "-" else call)
    return state


def test_28_to_30_auctions():
    assert auction("-", "-", "-", "-").high == (0, "NORMAL")
    state = auction("-", "BETTLER", "-", "GANG", "-", "-")
    assert (state.turn, state.high) == (None, (3, "GANG"))
    state = auction("-", "BETTLER", "-", "-", "SCHNAPSER", "GANG", "BAUERNSCHNAPSER", "-")
    assert (state.turn, state.high) == (None, (0, "BAUERNSCHNAPSER"))
    state = auction("-", "BETTLER", "-", "-", auction="single")
    assert (state.turn, state.high) == (None, (1, "BETTLER"))


def test_31_equal_values():
    hand = cards("JS QH KD AC TC")
    assert auction("SCHNAPSER", "KONTRASCHNAPSER").turn == 2
    high = (1, "KONTRASCHNAPSER")
    hold = make_rules(None, {"equal_rank": "earlier_seat_may_hold"})
    assert not may_bid(DEFAULT, 2, "BAUERNSCHNAPSER", hand, "H", high)
    assert may_bid(hold, 0, "BAUERNSCHNAPSER", hand, "H", high)
    assert not may_bid(hold, 2, "BAUERNSCHNAPSER", hand, "H", high)


def test_32_illegal_bids():
    hand, standing = cards("JS QH KD TS TC"), (0, "NORMAL")
    assert not may_bid(DEFAULT, 0, "KONTRASCHNAPSER", hand, "H", standing)
    assert not may_bid(DEFAULT, 1, "SCHNAPSER", hand, "H", standing)
    assert not may_bid(DEFAULT, 1, "BETTLER", hand, "H", (0, "GANG"))
    assert not may_bid(DEFAULT, 1, "ASS_BETTLER", hand, "H", standing)
    assert may_bid(DEFAULT, 1, "ASS_BETTLER", cards("JS QH KD AS TC"), "H", standing)


def test_33_and_34_doubling():
    assert result(X, ["40 QH TH JC JH", "JS TS QC AS"], doublings=[1])[1] == 4
    assert result(X, ["AH TH TS JH", "40"], doublings=[1, 0])[1] == 12
    assert result(Z, ["TH AH JH KH", "QH QS JD AC", "TD AD KD QD", "TS KS AS JS", "QC KC JC TC"],
                  doublings=[1, 2, 3])[1] == 8
    assert result(X, ["40 QH TH JC JH"], contract="SCHNAPSER", doublings=[3]) == ("B", 12, "contract_failed")


@pytest.mark.parametrize(
    "results, winner, worth",
    [
        ([("A", 24)], "A", 2),  # 35
        ([("A", 12), ("A", 9), ("A", 2), ("B", 12), ("B", 12)], "B", 4),  # 36
        ([("A", 12), ("A", 9), ("A", 2), ("B", 24)], "B", 4),
        ([("A", 12), ("B", 1), ("A", 11), ("B", 24)], "B", 1),  # 37
        ([("A", 18), ("A", 4), ("B", 24)], "B", 1),  # 38
        ([("A", 24), ("B", 3)], "A", 2),
    ],
)
def test_bummerl(results, winner, worth):
    assert bummerl(DEFAULT, results) == (winner, worth)


def test_39_and_40_counting_down_and_dealers():
    down = make_rules(None, {"count": "down"})
    assert down.shown(23) == 1
    assert down.shown(5) == 19
    assert down.shown(26) == 0
    assert DEFAULT.shown(5) == 5
    assert next_dealer(3) == 0


def test_41_deck_map():
    assert deck_map(DEFAULT) == [[0, 1, 2, 12, 13], [3, 4, 5, 14, 15], [6, 7, 8, 16, 17], [9, 10, 11, 18, 19]]
    knock = make_rules(None, {"cut_mode": "knock"})
    assert deck_map(knock) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14], [15, 16, 17, 18, 19]]


def test_42_three_unters():
    assert may_redeal(DEFAULT, cards("JS JH JC"))
    assert not may_redeal(DEFAULT, cards("JS JH QC"))


@pytest.mark.parametrize("tricks, total, value", [(0, 0, 3), (1, 8, 2), (1, 32, 2), (1, 33, 1), (2, 65, 1)])
def test_value_of_a_normal_game_at_its_limits(tricks, total, value):
    """Three needs no trick at all, not merely few points; two ends at 33."""
    assert normal_value(tricks, total) == value


def test_king_or_queen_of_a_marriage_may_be_led():
    """One point can decide: the leader chooses which of the two to play."""
    led = set()
    for deal in range(400):
        match_up = MatchUp(DEFAULT, GAME.grammar.parse("random"), GAME.grammar.parse("random"))
        for trick in GAME.trace(match_up, deal, "A")["tricks"]:
            if trick["announced"] and trick["cards"]:
                led.add(trick["cards"][0][0])
    assert led == {"K", "Q"}


def test_66_on_the_last_trick_is_a_66_win_and_65_is_not():
    score = Score(DEFAULT, "NORMAL", 0)
    for winner, points in ((0, 20), (1, 25), (1, 19), (0, 11)):
        score.after_trick(winner, points)
    assert score.end() is None
    score.announce(0, 20)
    assert score.end() is None
    score.after_trick(0, 15)
    assert score.end() == ("66", 0, 1)
    score = Score(DEFAULT, "NORMAL", 0)
    for winner, points in ((0, 20), (1, 25), (1, 30), (0, 20), (0, 25)):
        score.after_trick(winner, points)
    assert score.end() == ("last_trick", 0, 1)
