"""Users' preferences from files: what they may say, how they fail, and that they cost the others nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

import schneider_sim as ss
from schneider_sim.policy.plugins import load

GOOD = '''
from schneider_sim import preference

@preference("my-safe")
def my_safe(view):
    """The word `safe` once more, over masks."""
    return view.candidates & ((view.known >> 1) | 0x80808080)

@preference("my-capture", sections="follow", over="cards")
def my_capture(view):
    return [card for card in view.candidates if view.led and card in view.killers(view.led)]

@preference("my-pip")
def my_pip(view):
    return view.candidates & 0x07070707
'''


def write(folder: Path, text: str, name: str = "mine.py") -> str:
    file = folder / name
    file.write_text("from schneider_sim import preference\n" + text, encoding="utf-8")
    return str(file)


def test_a_word_written_again_plays_the_same(tmp_path):
    mine = "lead: my-safe honour; follow: my-capture dead my-pip"
    built_in = ss.simulate("lead: safe honour; follow: capture dead pip", "greedy", deals=600)
    own = ss.simulate(mine, "greedy", deals=600, load=[write(tmp_path, GOOD)])
    assert own.tally_sha256 == built_in.tally_sha256
    assert str(own.experiment.match_up.a) == mine


def test_not_and_two_policies_with_one_plug_in(tmp_path):
    own = ss.simulate("lead: not-my-pip", "lead: my-pip", deals=3000, load=[write(tmp_path, GOOD)])
    assert own.tally_sha256 == ss.simulate("lead: not-pip", "lead: pip", deals=3000).tally_sha256


def test_plug_ins_take_stages(tmp_path):
    own = ss.simulate("lead: my-pip@2-3", "lead: not-my-pip@endgame my-pip@1-4", deals=3000,
                      load=[write(tmp_path, GOOD)])
    assert own.tally_sha256 == ss.simulate("lead: pip@2-3", "lead: not-pip@endgame pip@1-4", deals=3000).tally_sha256


def test_a_replay_asks_them_too(tmp_path):
    file = write(tmp_path, GOOD)
    own = ss.replay("lead: my-pip", "greedy", deal=7, load=[file])
    assert own["tricks"] == ss.replay("lead: pip", "greedy", deal=7)["tricks"]


@pytest.mark.parametrize("body, says", [
    ('@preference("p")\ndef p(view):\n    return 0xFFFFFFFF', r"wants .* not in the hand"),
    ('@preference("p")\ndef p(view):\n    return -1', "not a set of cards|raised"),
    ('@preference("p")\ndef p(view):\n    return 1 << 40', "not a set of cards"),
    ('@preference("p")\ndef p(view):\n    return view.hand + 0 // (view.trick - 3)', "raised ZeroDivisionError"),
    ('@preference("p", over="cards")\ndef p(view):\n    return ["7S", "8S", "9S", "TS", "JS", "QS", "KS"]',
     r"wants .* not in the hand"),
    ('@preference("p", over="cards")\ndef p(view):\n    raise OSError("no\\nway")', r"raised OSError: no \(deal"),
    ('@preference("p", over="cards")\ndef p(view):\n    return None', "answered None"),
    ('@preference("p", over="cards")\ndef p(view):\n    return ["1X"]', "'1X' is not a card"),
    ('import random\n@preference("p", over="cards")\ndef p(view):\n    return random.sample(view.hand, 1)',
     "differently"),
    ('n = [0]\n@preference("p", over="cards")\ndef p(view):\n    n[0] += view.trick > 9\n    return view.hand[n[0]%2:]',
     "differently"),
])
def test_a_wrong_one_stops_the_run(tmp_path, body, says):
    file = write(tmp_path, body)
    with pytest.raises(ss.RunError, match=says) as caught:
        ss.simulate("lead: p", "random", deals=3000, load=[file])
    message = str(caught.value)
    assert "\n" not in message and "'p'" in message and file in message


def test_the_error_says_where_and_does_not_depend_on_threads(tmp_path):
    file = write(tmp_path, '@preference("p")\ndef p(view):\n    return view.hand if view.trick < 16 else 1 << 31')
    told = set()
    for threads in (1, 3):
        with pytest.raises(ss.RunError) as caught:
            ss.simulate("lead: p", "random", deals=900_000, load=[file], threads=threads)
        told.add(str(caught.value))
    assert len(told) == 1 and "deal " in told.pop()


@pytest.mark.parametrize("body, says", [
    ("import nothing_of_that_name", "ModuleNotFoundError"),
    ("def broken(:", "SyntaxError"),
    ("raise SystemExit(3)", "SystemExit"),
    ("x = 1", "holds no preference"),
    ('@preference("safe")\ndef p(view):\n    return 0', "already exists"),
    ('@preference("p@3")\ndef p(view):\n    return 0', "one word without"),
    ('@preference("two words")\ndef p(view):\n    return 0', "one word"),
    ('@preference("p", sections="bid")\ndef p(view):\n    return 0', "unknown section 'bid'"),
    ('@preference("p", over="bits")\ndef p(view):\n    return 0', "unknown kind of view"),
    ('@preference("p")\ndef p(view):\n    return "TS"', "cannot be compiled"),
    ('@preference("p")\ndef p(view):\n    return view.candidates / 1', "answers float64, not a mask"),
    ('@preference("p")\ndef p(view):\n    return view.candidates > 0', "answers bool, not a mask"),
    ('import numpy as np\n@preference("p")\ndef p(view):\n    return view.hand if np.random.random() < 2 else 0',
     "uses random numbers"),
    ('import random\n@preference("p")\ndef p(view):\n    return view.hand if random.random() < 2 else 0',
     "uses random numbers"),
    ('@preference("p")\ndef p(view):\n    return 0\n@preference("p", sections="follow")\ndef q(view):\n    return 0',
     "stands in .* too"),
    ('@preference("p")\ndef p(view):\n    return view.opponent', "cannot be compiled"),
])
def test_a_file_that_cannot_be_used_is_a_wrong_request(tmp_path, body, says):
    with pytest.raises(ss.RequestError, match=says) as caught:
        ss.simulate("lead: p", "random", deals=10, load=[write(tmp_path, body)])
    assert "\n" not in str(caught.value)


def test_missing_file_and_folder(tmp_path):
    for path in (tmp_path / "absent.py", tmp_path):
        with pytest.raises(ss.RequestError, match="cannot read"):
            load(path)


def test_two_files_of_one_name_are_both_loaded(tmp_path):
    for folder, word in (("one", "first"), ("two", "second")):
        (tmp_path / folder).mkdir()
        body = f'@preference("{word}")\ndef p(view):\n    return view.candidates & 0x07070707'
        write(tmp_path / folder, body, "same.py")
    files = [str(tmp_path / folder / "same.py") for folder in ("one", "two")]
    own = ss.simulate("lead: first", "lead: second", deals=400, load=files)
    assert own.tally_sha256 == ss.simulate("lead: pip", "lead: pip", deals=400).tally_sha256
    assert ss.simulate("lead: first", "random", deals=10, load=[files[0], files[0]]).plays == 20


def test_one_word_of_two_files_is_refused(tmp_path):
    """A word for leads in one file and for replies in another: neither may be taken for the other."""
    for folder, section in (("one", "lead"), ("two", "follow")):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, f'@preference("p", sections="{section}")\ndef p(view):\n    return view.candidates')
    with pytest.raises(ss.RequestError, match=r"stands in .* too: rename one of them"):
        ss.simulate("lead: p", "random", deals=10, load=[tmp_path / "one" / "mine.py", tmp_path / "two" / "mine.py"])


def test_many_of_them_in_one_policy(tmp_path):
    """More than a mask of places could hold: each word still asks its own function."""
    body = "\n".join(f'@preference("p{i}", over="cards")\ndef p{i}(view):\n'
                     f'    return [card for card in view.candidates if card[1] == {suit!r}]'
                     for i, suit in enumerate(("SHDC" * 18)[:70]))
    file = write(tmp_path, body)
    lead = " ".join(f"p{i}" for i in range(69, 3, -1))
    for trace in ss.replays(f"lead: {lead}; follow: p0 p1 p2 p3", "random", 0, 20, load=file):
        hearts = [card for card in trace["hands"]["A"] if card[1] == "H"]
        assert not hearts or trace["tricks"][0]["led"] in hearts


def test_asking_stops_at_the_first_fault(tmp_path):
    file = write(tmp_path, f'@preference("p", over="cards")\ndef p(view):\n'
                           f'    with open({str(tmp_path / "log")!r}, "a") as log:\n        log.write("x")\n'
                           f'    raise ValueError("no")')
    with pytest.raises(ss.RunError, match="raised ValueError: no"):
        ss.simulate("lead: p; follow: p", "random", deals=200, load=file)
    assert (tmp_path / "log").read_text() in ("x", "xx")  # once in the run, once more for the message


def test_a_file_named_like_a_standard_module(tmp_path):
    file = write(tmp_path, '@preference("p")\ndef p(view):\n    return view.candidates', "statistics.py")
    assert ss.simulate("lead: p", "random", deals=10, load=[file]).plays == 20
    import statistics

    assert Path(statistics.__file__) != Path(file)


def test_loading_compiles_the_kernel_no_second_time(tmp_path):
    """In a fresh process the kernel comes from the cache although a plug-in is loaded."""
    code = f"""
import schneider_sim as ss
ss.simulate("lead: my-pip", "greedy", deals=300, load=[{write(tmp_path, GOOD)!r}])
from schneider_sim.games.bohemian.counting import count_range
print(sum(count_range.stats.cache_misses.values()))
"""
    command = [sys.executable, "-c", code]
    misses = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() for _ in range(2)]
    assert misses[1] == "0"
