"""First starts: every part is compiled once, and what is independent side by side in processes."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from numba import types

import schneider_sim as ss
from commandline import environment
from schneider_sim.compiled import aside
from schneider_sim.games.bauernschnapsen.kernel import loops


@pytest.mark.parametrize("name", ["range", "single", "results"])
def test_loops_are_compiled_beforehand_for_what_they_are_called_with(name: str) -> None:
    """Other types would be compiled a second time."""
    if name == "range":
        ss.simulate("random", "cautious", game="bauernschnapsen", deals=2, threads=1)
    elif name == "single":
        ss.replay("random", "cautious", game="bauernschnapsen", deal=1)
    else:
        from schneider_sim.games.bauernschnapsen import prepare
        from schneider_sim.runs.experiment import make_experiment

        prepare.results(make_experiment("random", "cautious", game_name="bauernschnapsen", deals=2).match_up, 0, 2)
    assert getattr(loops, f"play_{name}").signatures == [getattr(loops, f"{name.upper()}_TYPES")]


PROGRAM = """
import pickle, sys
from schneider_sim.compiled import aside
from schneider_sim.compiled.jit import cache_folder
from numba import types
sys.path.insert(0, {folder!r})
import few
aside._processors = lambda: {processors}
aside.compile_aside([(few.plus, (types.int64,) * 2), (few.minus, (types.int64,) * 2)])
assert few.plus(5, 3) == 8 and few.minus(5, 3) == 2
print(*(sum(each.stats.cache_hits.values()) for each in (few.plus, few.minus)))
"""
FEW = """
from schneider_sim.compiled.jit import compiled
@compiled
def plus(a, b):
    return a + b
@compiled
def minus(a, b):
    return a - b
"""


@pytest.mark.parametrize("processors, helper, hits", [(2, "works", 1), (1, "works", 0), (2, "fails", 0)])
def test_two_functions_are_compiled_by_two_processes(
        tmp_path: Path, processors: int, helper: str, hits: int) -> None:
    """One of them is then read from the cache; where nobody can help, all are compiled here."""
    (tmp_path / "few.py").write_text(FEW)
    program = PROGRAM.format(folder=str(tmp_path), processors=processors)
    if helper == "fails":
        program = program.replace("aside._processors", "sys.executable = '/bin/false'; aside._processors")
    with tempfile.TemporaryDirectory() as cache:
        variables = environment(SCHNEIDER_SIM_CACHE=cache)
        variables["PYTHONPATH"] = os.pathsep.join(filter(None, [variables.get("PYTHONPATH"), str(tmp_path)]))
        done = subprocess.run([sys.executable, "-c", program], env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert sum(map(int, done.stdout.split())) == hits and done.stderr == ""


def test_what_is_compiled_needs_no_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    ss.simulate("random", "cautious", game="bauernschnapsen", deals=2, threads=1)
    aside.compile_aside([(loops.play_range, loops.RANGE_TYPES)] * 2)
    assert not loops.play_range._cache.holds(loops.play_range, (types.int8,))
