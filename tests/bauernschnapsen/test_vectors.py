"""The numbers of the kernel's vectors have the names that belong to them, all of them."""

import numba
import numpy as np
import pytest

from schneider_sim.games.bauernschnapsen.kernel import state as v
from schneider_sim.games.bauernschnapsen.kernel.fields import FieldsType, fields_of
from schneider_sim.games.bauernschnapsen.rules.contracts import CONTRACTS, NAMES, ORDERS
from schneider_sim.games.bauernschnapsen.rules.switches import CHOICES, make_rules

NAMES_OF = {dtype: dtype.names or () for dtype in (v.RULES, v.STATE, v.POSITION)}


def test_every_contract_is_named_after_its_row():
    for place, name in enumerate(NAMES):
        assert getattr(v, name) == place
    for kind, names in (("AIM", v.AIMS), ("END", ("", "66", "last", "made", "failed", "declared"))):
        for place, name in enumerate(names):
            assert not name or getattr(v, f"{kind}_{name.upper()}") == place
    assert [v.ANNOUNCES[n] for n in (v.ALWAYS, v.WHEN_IT_DECIDES, v.NEVER)] == ["always", "when-it-decides", "never"]


def test_what_is_said_of_each_contract_stands_in_its_field():
    r = v.rules_vector(make_rules()).view(v.RULES)[0]
    for place, row in enumerate(CONTRACTS):
        fields = (r["value"], r["lead_by_d"], r["trumped"], r["order"], r["aim"])
        assert [int(field[place]) for field in fields] == [
            row.value, row.lead == "D", row.trumps, list(ORDERS).index(row.order), v.AIMS.index(row.aim)]


CHANGES = {  # each switch with a value other than the default, the field it changes, and to what
    ("auction", "single"): ("multi", 0), ("equal_rank", "table_order"): ("equal_rank", 2),
    ("equal_rank", "earlier_seat_may_hold"): ("equal_rank", 1),
    ("ringerl_timing", "ends_auction"): ("ringerl_ends", 1),
    ("three_unters", "off"): ("three_unters", 0), ("trump_must_be_held", "off"): ("must_hold", 0),
    ("turnup", "first"): ("turn_up", 1), ("turnup", "off"): ("turn_up", 0),
    ("marriage_unit", "player"): ("by_player", 1),
    ("schnapser_test", "strict_routes"): ("strict", 1), ("max_double", "1"): ("max_double", 1),
    ("double_window", "before_own_first_card"): ("window_open", 1), ("first_trick_open", "off"): ("first_open", 0),
    ("plauderer_view", "after_trick1"): ("open_hands", 1), ("plauderer_view", "defenders_only"): ("open_hands", 2),
}


@pytest.mark.parametrize("switch, field", CHANGES.items(), ids=str)
def test_a_switch_changes_its_field_and_no_other(switch, field):
    usual, changed = (v.rules_vector(make_rules(None, some)).view(v.RULES)[0] for some in ({}, dict([switch])))
    name, value = field
    assert changed[name] == value != usual[name]
    differing = [each for each in NAMES_OF[v.RULES] if not np.array_equal(usual[each], changed[each])]
    assert set(differing) == {name} | ({"bidders"} if switch[0] == "trump_must_be_held" else set())


def test_every_switch_that_the_kernel_reads_is_there():
    single = {name for name in NAMES_OF[v.RULES] if v.RULES[name].shape == ()}
    changed = {field for field, _ in CHANGES.values()}
    strict = make_rules(None, {"schnapser_test": "strict_routes", "failed_announce_loses": "on"})
    late = make_rules(None, {"trump_timing": "auction_winner"})
    assert v.rules_vector(strict).view(v.RULES)[0]["miss_loses"] == 1
    r = v.rules_vector(late).view(v.RULES)[0]
    assert (r["by_auction"], r["seen"], r["turn_up"], r["three_unters"]) == (1, 2, 0, 0)
    assert single == changed | {"miss_loses", "by_auction", "seen"}
    assert {switch for switch, _ in CHANGES} <= set(CHOICES)


def test_places_of_fields():
    """A state begins with a position, state and rules share no name, and names are places outside compiled code."""
    assert all(v.place(v.POSITION, name) == v.place(v.STATE, name) for name in NAMES_OF[v.POSITION])
    assert not set(NAMES_OF[v.STATE]) & set(NAMES_OF[v.RULES])
    assert (v.place(v.STATE, "hand"), v.place(v.POLICY, "bid"), v.place(v.RULES, "value")) == (v.HAND, v.P_BID, v.VALUE)
    with pytest.raises(AttributeError, match="NO_SUCH_FIELD"):
        v.NO_SUCH_FIELD  # noqa: B018


PART = np.dtype([("x", np.int64), ("y", np.int64, (3,))])
WHOLE = np.dtype([("one", np.int64), ("many", np.int64, (2,)), ("part", PART), ("parts", PART, (2,))])
whole_in, _ = fields_of(FieldsType(WHOLE))


@numba.njit
def write(array, i):
    w = whole_in(array, 0)
    w.one, w.many[i] = i + 10, 20
    w.part.x, w.part.y[2] = 30, 40
    w.parts[i].x = w.one + w.many[i]
    w.parts[i].y[i] += 60


def test_fields_are_where_numpy_has_them():
    array = np.zeros(WHOLE.itemsize // 8, np.int64)
    write(array, 1)
    w = array.view(WHOLE)[0]
    assert (w["one"], w["many"].tolist(), w["part"]["x"], w["part"]["y"].tolist()) == (11, [0, 20], 30, [0, 0, 40])
    assert (w["parts"]["x"].tolist(), w["parts"]["y"].tolist()) == ([0, 31], [[0, 0, 0], [0, 60, 0]])


def test_a_name_that_is_none_is_refused():
    @numba.njit
    def wrong(array):
        return whole_in(array, 0).none

    with pytest.raises(numba.TypingError, match="none"):
        wrong(np.zeros(20, np.int64))
