"""Filters: what an expression keeps, and that nothing but comparisons of columns gets through."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schneider_sim import RequestError
from schneider_sim.analysis.where import parse_filter

COLUMNS = {"deal": np.dtype(np.int64), "first_leader": ("A", "B"), "tricks_a": np.dtype(np.int8)}
ROWS = {"deal": np.arange(8), "first_leader": np.array([0, 1] * 4), "tricks_a": np.array([0, 3, 5, 5, 8, 9, 16, 2])}


@pytest.mark.parametrize("text, kept", [
    ("tricks_a >= 5", [2, 3, 4, 5, 6]),
    ("5 <= tricks_a", [2, 3, 4, 5, 6]),
    ("3 < tricks_a <= 8", [2, 3, 4]),
    ('first_leader == "A" and tricks_a != 5', [0, 4, 6]),
    ("first_leader == 'B' or deal == 0", [0, 1, 3, 5, 7]),
    ("not (first_leader == 'B' or tricks_a > 5)", [0, 2]),
    ("not first_leader != 'B' and tricks_a > 2.5", [1, 3, 5]),
    ("tricks_a > -1 and deal < 2", [0, 1]),
    ("tricks_a\u00a0== 5", [2, 3]),
])
def test_what_is_kept(text: str, kept: list[int]) -> None:
    assert np.flatnonzero(parse_filter(text, COLUMNS)(ROWS)).tolist() == kept


@given(st.recursive(
    st.tuples(st.sampled_from(["deal", "tricks_a"]), st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
              st.integers(-2, 17)).map(lambda one: f"{one[0]} {one[1]} {one[2]}"),
    lambda inner: st.one_of(st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda x: f"({' '.join(x)})"),
                            inner.map(lambda x: f"not ({x})")), max_leaves=6))
def test_filters_agree_with_python(text: str) -> None:
    plain = [bool(eval(text, {}, {name: int(ROWS[name][k]) for name in ("deal", "tricks_a")})) for k in range(8)]
    assert parse_filter(text, COLUMNS)(ROWS).tolist() == plain


@pytest.mark.parametrize("text, told", [
    ("", "it is empty"),
    ("tricks_a >", "cannot be read"),
    ("tricks_a", "'tricks_a' is no comparison"),
    ("tricks >= 5", "unknown column 'tricks'; did you mean 'tricks_a'?"),
    ("tricks_a >= deal", "not a column and a number or text"),
    ("3 < 5", "not a column and a number or text"),
    ("tricks_a in (3, 4)", "compare with == != < <= > >="),
    ("tricks_a + 1 > 5", "not a column and a number or text"),
    ("tricks_a > 2 ** 9", "neither a number nor text"),
    ("tricks_a == True", "neither a number nor text"),
    ("tricks_a == '5'", "tricks_a holds numbers"),
    ("first_leader == 1", "first_leader holds text"),
    ("first_leader == 'a'", "unknown value of first_leader 'a'"),
    ("first_leader > 'A'", "can only be compared with == or !="),
    ("__import__('os').system('true')", "is no comparison"),
    ("[deal for deal in (1,)]", "is no comparison"),
    ("tricks_a.real > 3", "not a column and a number or text"),
    ("(" * 300 + "deal == 1" + ")" * 300, "--where"),
    ("deal == 1 or " * 300 + "deal == 1", "longer than 2000"),
])
def test_anything_else_is_refused(text: str, told: str) -> None:
    with pytest.raises(RequestError) as error:
        parse_filter(text, COLUMNS)
    assert told in str(error.value) and "\n" not in str(error.value)
    if "unknown" not in told and "holds" not in told and "alone" not in told:
        assert "columns: deal, first_leader, tricks_a" in str(error.value)
