"""Preferences used where they are defined: the key holds what they use, they travel, what cannot be held is said."""

import logging
import pickle

import numpy as np
import pytest
from numba import njit

import schneider_sim as ss
from schneider_sim import preference
from schneider_sim.policy.plugin_functions import Unheld, literal
from schneider_sim.runs.recipe import experiment_of, key_of, recipe_of

LOW = 0xFF
TABLE = np.array([0, 8], dtype=np.int64)


@njit
def helper(mask, shift):
    return mask & (LOW << shift)


def made(shift):
    @preference("mine")
    def mine(view):
        """Cards of one suit."""
        return helper(view.candidates, shift + TABLE[0])

    return mine


def played(load, **more):
    return ss.simulate("lead: mine", "random", deals=200, load=load, **more)


def key(result):
    return key_of(recipe_of(result.experiment))


def test_the_key_holds_source_helpers_globals_and_closures(monkeypatch):
    one, same, listed, other = played(made(0)), played(made(0)), played([made(0)]), played(made(8))
    assert one == same == listed and key(one) == key(same) and key(one) != key(other)
    assert one.tally_sha256 != other.tally_sha256
    monkeypatch.setitem(globals(), "LOW", 0x0F)
    changed = played(made(0))
    assert key(changed) != key(one) and changed.tally_sha256 != one.tally_sha256
    text = recipe_of(one.experiment)["plugins"][0]["source"]
    assert "def helper" in text and "LOW = 255" in text and "shift = 0" in text


def test_a_function_plays_as_its_file_does(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("from schneider_sim import preference\n@preference('mine')\ndef mine(view):\n"
                    "    return view.candidates & 0xFF00\n", encoding="utf-8")
    assert played(made(8)).tally_sha256 == played(file).tally_sha256


def test_it_travels_as_recipe_and_pickle():
    one = played(made(8))
    elsewhere = experiment_of(recipe_of(one.experiment), 0, 200)
    from schneider_sim.engines.threads import ordered, run, serial

    assert run(elsewhere, play=ordered(serial)).sha256 == one.tally_sha256
    assert pickle.loads(pickle.dumps(one)) == one


class Odd:
    mask = 0xFF


ODD = Odd()


def test_what_cannot_be_held_is_played_not_stored_and_said(tmp_path, caplog):
    @preference("mine", over="cards")
    def mine(view):
        return view.candidates if ODD.mask else ()

    file = tmp_path / "runs.sqlite"
    with caplog.at_level(logging.WARNING):
        ss.simulate("lead: mine", "random", deals=20, load=mine, store=file)
    assert "are not kept: the value of ODD (a Odd) cannot be written out" in caplog.text
    assert not file.exists()
    assert ss.simulate("lead: mine", "random", deals=20, load=[made(0)], store=file) and file.exists()


@pytest.mark.parametrize("value", [3, 0.1, float("inf"), "a'b", b"x", None, True, (1,), (), [1, [2]], {"a": (1, 2)},
                                   {3, 1}, frozenset("ab"), np.arange(4.0), np.int8(3), np.eye(2, dtype=bool)])
def test_values_are_written_out_and_read_back(value):
    again = eval(literal(value, "x"))
    assert type(again) is type(value) and np.array_equal(np.asarray(again, object), np.asarray(value, object))


def test_other_values_are_not():
    for value in (object(), [object()], lambda: 3, np.array(["a"])):
        with pytest.raises(Unheld):
            literal(value, "x")
