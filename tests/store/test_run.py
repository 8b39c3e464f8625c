"""What is stored is reused, what is missing is played, and the tally is the same whatever lay in the store."""

import threading
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from schneider_sim.engines.threads import ordered, run, serial, threaded
from schneider_sim.errors import RequestError, RunError
from schneider_sim.runs.experiment import RANGE, Experiment, make_experiment
from schneider_sim.store import Store
from schneider_sim.store.reuse import StoreRunner

CUT = 1 << 12


def experiment(deals: int = 20_000, first: int = 0, seed: int = 1, cut: int = CUT, **more) -> Experiment:
    made = make_experiment("lead: safe honour; follow: capture dead pip", "greedy", deals=deals, first=first, seed=seed,
                           **more)
    return replace(made, cut=cut)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "runs.sqlite") as opened:
        yield opened


def kept(store: Store, wanted: Experiment, fresh: bool = False) -> tuple[str, int, int]:
    """The SHA-256 of the tally, the deals reused, the deals played."""
    player = StoreRunner(serial, store, fresh)
    return run(wanted, play=player).sha256, player.reused, player.played


def test_a_run_is_reused_extended_and_shortened(store):
    plain = {deals: run(experiment(deals)).sha256 for deals in (20_000, 33_333, 10_001)}
    assert kept(store, experiment(20_000)) == (plain[20_000], 0, 20_000)
    assert kept(store, experiment(20_000)) == (plain[20_000], 20_000, 0)
    assert kept(store, experiment(33_333)) == (plain[33_333], 20_000, 13_333)
    tail = 10_001 % CUT
    assert kept(store, experiment(10_001)) == (plain[10_001], 10_001 - tail, tail)
    assert kept(store, experiment(10_001)) == (plain[10_001], 10_001, 0)
    assert kept(store, experiment(33_333)) == (plain[33_333], 33_333, 0)


def test_the_stored_parts_of_a_run_never_overlap_and_leave_no_gap(store):
    for deals, first, cut in ((9_000, 0, CUT), (30_000, 5_000, CUT), (7_000, 0, 1 << 9), (40_000, 0, 1 << 14)):
        wanted = experiment(deals, first, cut=cut)
        assert kept(store, wanted)[0] == run(wanted).sha256
    parts = store.parts(store.runs()[0])
    assert parts[0].start == 0 and parts[-1].stop == 40_000
    assert all(left.stop == right.start for left, right in pairwise(parts))


def test_who_looks_at_ranges_sees_the_same_whether_they_were_stored_or_not(store):
    kept(store, experiment(20_000, cut=1 << 13))
    kept(store, experiment(11_111, 20_000, cut=1 << 10))
    wanted = experiment(32_000, 300)
    player = StoreRunner(threaded(2), store)
    seen = [(start, stop, counts.tolist()) for start, stop, counts in player(wanted)]
    assert seen == [(start, stop, counts.tolist()) for start, stop, counts in ordered(serial)(wanted)]
    assert player.reused > 10_000 and player.reused + player.played == 32_000


@pytest.mark.parametrize("change", [
    {"seed": 2}, {"seed": 2**64 - 1}, {"seed": 1 + 2**32}, {"rules": {"follow": "must_follow"}},
    {"design": "independent"}, {"detail": "all"},
], ids=str)
def test_what_changes_the_counts_is_another_run(store, change):
    kept(store, experiment(5_000))
    other = experiment(5_000, **change)
    assert kept(store, other) == (run(other).sha256, 0, 5_000)
    assert len(store.runs()) == 2
    assert kept(store, other)[1] == 5_000


def test_policies_are_the_same_run_however_they_are_written(store):
    kept(store, experiment(5_000))
    same = make_experiment("follow:  capture dead pip;lead: safe honour ; memory: full", "greedy", deals=5_000)
    assert kept(store, replace(same, cut=CUT))[1:] == (5_000, 0)


def test_deal_numbers_and_seeds_up_to_the_last(store):
    wanted = experiment(3_000, 2**63 - 3_000, seed=2**64 - 1)
    assert kept(store, wanted) == (run(wanted).sha256, 0, 3_000)
    assert kept(store, wanted)[1:] == (3_000, 0)
    [stored] = store.runs()
    assert stored.seed == 2**64 - 1 and store.parts(stored)[-1].stop == 2**63


def test_fresh_plays_again_and_finds_nothing_wrong(store):
    sha, _, _ = kept(store, experiment(20_000))
    assert kept(store, experiment(20_000), fresh=True) == (sha, 0, 20_000)
    assert kept(store, experiment(30_000), fresh=True)[1:] == (0, 30_000)


def test_fresh_names_run_and_range_of_counts_that_differ(store):
    kept(store, experiment(20_000))
    [stored] = store.runs()
    part = store.parts(stored)[2]
    counts = store.counts(stored, part)
    store.drop([part])
    counts[5] += 1
    store.put(stored, part.start, part.stop, counts)
    with pytest.raises(RunError, match=f"deals {part.start} to {part.stop - 1} of run {stored.key[:12]}"):
        kept(store, experiment(20_000), fresh=True)
    assert store.parts(stored)[2].start == part.start  # what was there is untouched


def test_fresh_finds_counts_that_differ_where_ranges_are_cut_otherwise(store):
    kept(store, experiment(20_000))
    [stored] = store.runs()
    part = store.parts(stored)[0]
    counts = store.counts(stored, part)
    store.drop([part])
    counts[5] += 1
    store.put(stored, part.start, part.stop, counts)
    with pytest.raises(RunError, match="stored with other counts"):
        kept(store, experiment(20_000, cut=1 << 10), fresh=True)


def test_a_part_changed_behind_our_back_is_found(store):
    kept(store, experiment(5_000))
    store._database.execute("UPDATE part SET sha256 = ? WHERE start = 0", ("0" * 64,))
    with pytest.raises(RunError, match=r"damaged \(its counts have been changed\).*runs verify --drop"):
        kept(store, experiment(5_000))


def test_two_players_of_one_run_keep_it_once(store, tmp_path):
    wanted = experiment(20_000)
    with Store(tmp_path / "runs.sqlite") as second:
        ones, others = StoreRunner(serial, store)(wanted), StoreRunner(serial, second)(wanted)
        for (_, _, left), (_, _, right) in zip(ones, others, strict=True):
            assert (left == right).all()
    assert sum(part.stop - part.start for part in store.parts(store.runs()[0])) == 20_000


def test_a_run_that_fails_leaves_no_trace(store, tmp_path):
    plugin = tmp_path / "broken.py"
    plugin.write_text("from schneider_sim import preference\n\n\n@preference('broken', over='cards')\n"
                      "def broken(view):\n    raise ValueError('no')\n")
    wanted = make_experiment("lead: broken", "greedy", deals=5_000, load=(str(plugin),))
    with pytest.raises(RunError, match="broken"):
        kept(store, wanted)
    assert store.runs() == []


def test_a_plug_in_is_known_by_its_source_not_by_its_file(store, tmp_path):
    text = ("from schneider_sim import preference\n\n\n@preference('spades')\ndef spades(view):\n"
            "    return view.candidates & {}\n")
    played = []
    for name, mask in (("one.py", 255), ("two.py", 255), ("three.py", 510)):
        (tmp_path / name).write_text(text.format(mask))
        wanted = make_experiment("lead: spades", "greedy", deals=3_000, load=(str(tmp_path / name),))
        played.append(kept(store, wanted)[2])
    assert played == [3_000, 0, 3_000]


def test_ranges_grow_so_that_a_long_run_has_few():
    long = experiment(10**10, cut=RANGE)
    sizes = [stop - start for start, stop in long.ranges()]
    assert sum(sizes) == 10**10 and len(sizes) < 2_000
    assert sizes[0] == RANGE and max(sizes) == 16 * RANGE
    assert all(start % (stop - start) == 0 for start, stop in list(long.ranges())[:-1])
    assert {stop - start for start, stop in experiment(4 * RANGE, 2**62, cut=RANGE).ranges()} == {RANGE}


def test_a_wrong_key_is_said(store):
    kept(store, experiment(3_000))
    [stored] = store.runs()
    assert store.find(stored.key[:5]) == stored
    for key in ("", "zz"):
        with pytest.raises(RequestError, match="no run in"):
            store.find(key)


def test_ranges_are_short_where_decisions_take_long(tmp_path):
    (tmp_path / "slow.py").write_text("from schneider_sim import preference\n\n\n@preference('slow', over='cards')\n"
                                      "def slow(view):\n    return view.candidates\n")
    slow = make_experiment("lead: slow", "greedy", deals=10**6, load=(str(tmp_path / "slow.py"),))
    assert slow.cut == 1024 and max(stop - start for start, stop in slow.ranges()) <= 1 << 14
    searching = [make_experiment(f"random; search: pimc; samples: {n}", "random", game_name="bauernschnapsen").cut
                 for n in (20, 1000)]
    assert searching == [128, 4]


def test_a_run_may_be_ended_in_one_of_its_own_threads():
    """The garbage collector may end it there: the thread then must not wait for itself."""
    ended, failed = threading.Event(), list[BaseException]()

    def work(experiment: Experiment, start: int, stop: int) -> None:
        if start and not ended.wait(30):
            return
        if start == 1:
            try:
                playing.close()
            except RuntimeError as error:
                failed.append(error)
            closed.set()

    closed = threading.Event()
    wanted = make_experiment("random", "random", deals=4)
    playing: Any = threaded(2)(work, wanted, iter([(0, 1), (1, 2), (2, 3)]))
    next(playing)
    ended.set()
    assert closed.wait(30) and not failed
