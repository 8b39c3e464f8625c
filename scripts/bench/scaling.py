"""Plays per second on threads and Dask workers, what a range costs the scheduler, and what the store costs.

    .venv/bin/python scripts/bench/scaling.py [million deals]

Needs the extra `dask`. Rates are the best of several rounds by the clock, costs are processor time, which other
processes on the machine disturb less.
"""

import subprocess
import sys
import tempfile
import time
import unittest.mock
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil

from schneider_sim.engines import dask_ledger as ledger
from schneider_sim.engines.dask import cluster
from schneider_sim.engines.threads import Engine, ordered, run, threaded
from schneider_sim.runs.experiment import LONGEST, RANGE, Experiment, make_experiment, play_range
from schneider_sim.runs.recipe import recipe_of
from schneider_sim.store import Store

POLICY = "lead: safe honour; follow: capture dead pip"
ROUNDS, TASKS, LONG = 3, 2000, 10**10


def experiment(deals: int) -> Experiment:
    return make_experiment(POLICY, POLICY, deals=deals)



def busy() -> float:
    """Processor seconds of this process and its children so far."""
    own = psutil.Process()
    return sum(sum(process.cpu_times()[:2]) for process in (own, *own.children(recursive=True)))


def rates(engine: Engine, deals: int) -> tuple[float, float]:
    """Plays per second by the clock and per second of processor time, the best of several rounds."""
    wanted, rounds = experiment(deals), []
    run(experiment(2 * RANGE), play=ordered(engine))  # every worker loads its kernel
    for _ in range(ROUNDS):
        begun, worked = time.perf_counter(), busy()
        run(wanted, play=ordered(engine))
        rounds.append((wanted.plays / (time.perf_counter() - begun), wanted.plays / (busy() - worked)))
    return max(by_clock for by_clock, _ in rounds), max(by_work for _, by_work in rounds)


def engines() -> Iterator[tuple[str, Engine]]:
    for threads in (1, 2):
        yield f"{threads} thread{'s' * (threads > 1)}", threaded(threads)
    for workers in (1, 2):
        with cluster(workers=workers) as engine:
            yield f"{workers} Dask worker{'s' * (workers > 1)}", engine


def cost_of_a_range(together: int) -> float:
    """Processor seconds of client and scheduler, which are one process here, for a range, by how many are in a task."""
    short = replace(experiment(TASKS * 256), cut=256)
    with unittest.mock.patch.object(ledger, "MOST", together), cluster(workers=1) as engine:
        run(replace(short, deals=2560), play=ordered(engine))
        begun = time.process_time()
        run(short, play=ordered(engine))
        return (time.process_time() - begun) / TASKS


def seconds_of(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Processor seconds of `work`, the least of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def store_cost(folder: Path, size: int) -> tuple[float, float]:
    """Processor seconds of playing a range of `size` deals, and of keeping it."""
    wanted = experiment(size)
    counts = play_range(wanted, 0, size)
    played = seconds_of(lambda: play_range(wanted, 0, size))
    with Store(folder / f"{size}.sqlite") as store:
        stored = store.add_run(recipe_of(wanted))
        places = iter(range(0, 1000 * size, size))

        def keep() -> None:
            for _ in range(20):
                start = next(places)
                store.put(stored, start, start + size, counts)

        return played, seconds_of(keep) / 20


def size_of_a_long_run(folder: Path) -> tuple[int, int]:
    """Bytes and ranges of a store that holds a run of LONG deals, its tallies drawn around a real one."""
    wanted, path, rng = experiment(LONG), folder / "long.sqlite", np.random.default_rng(1)
    mean = sum(play_range(wanted, k * RANGE, (k + 1) * RANGE) for k in range(16)) / 16
    ranges = list(wanted.ranges())
    with Store(path) as store:
        stored = store.add_run(recipe_of(wanted))
        for start, stop in ranges:
            store.put(stored, start, stop, rng.poisson(mean * ((stop - start) / RANGE)).astype(np.int64))
    return path.stat().st_size, len(ranges)


def time_of_list(folder: Path, runs: int = 10_000) -> float:
    """Seconds, by the clock, of `runs list` on a store of this many runs with four ranges each."""
    path, recipe, counts = folder / "many.sqlite", recipe_of(experiment(1)), np.arange(50)
    with Store(path) as store, store.changing():
        for seed in range(runs):
            stored = store.add_run(recipe | {"seed": seed})
            for start in range(0, 4 * RANGE, RANGE):
                store.put(stored, start, start + RANGE, counts)
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-m", "schneider_sim", "runs", "list", "--store", path], check=True,
                       stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - begun)
    return best


def main() -> None:
    deals = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 8 * 10**6
    print("| engine | M plays/s | M plays per second of processor time |\n|---|---|---|")
    for name, engine in engines():
        by_clock, by_work = rates(engine, deals)
        print(f"| {name} | {by_clock / 1e6:.2f} | {by_work / 1e6:.2f} |", flush=True)
    print("\n| range (deals) | playing (s) | ranges in a task | scheduler and client (ms) | share | workers that one "
          "scheduler feeds |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kept = {size: store_cost(folder, size) for size in (RANGE, 4 * RANGE, LONGEST * RANGE)}
        for size, (played, _) in kept.items():
            together = ledger.in_a_task(1, played)
            cost = cost_of_a_range(together)
            print(f"| {size:,} | {played:.3f} | {together} | {cost * 1e3:.2f} | {cost / played:.2%} | "
                  f"{played / cost:,.0f} |", flush=True)
        print("\n| range (deals) | playing (s) | keeping (ms) | share |\n|---|---|---|---|")
        for size, (played, keeping) in kept.items():
            print(f"| {size:,} | {played:.3f} | {keeping * 1e3:.2f} | {keeping / played:.2%} |")
        size, ranges = size_of_a_long_run(folder)
        print(f"\nA run of {LONG:,} deals: {ranges:,} ranges, {size / 2**20:.1f} MiB in the store")
        print(f"`runs list` on 10,000 runs: {time_of_list(folder):.2f} s")


if __name__ == "__main__":
    main()
