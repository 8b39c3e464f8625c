"""Plays per second of the Bohemian kernel: against scalar C in the same run, with and without detail, on two threads.

    .venv/bin/python scripts/bench/kernel.py [CPU]

Needs gcc; with clang the lockstep program is at its best. CPU, such as `haswell` for a processor with AVX2 and without
AVX-512, limits the kernel and the C programs to what that processor knows; the default is all that this one knows.
Every figure is the best of several rounds, the rivals taking turns, in processor seconds but for two threads; trust the
ratios.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

os.environ["SCHNEIDER_SIM_CACHE"] = "0"  # code from the cache cannot be looked into

import schneider_sim as ss
from schneider_sim.compiled.lanes import LANES, make_space
from schneider_sim.games import MatchUp, load_game
from schneider_sim.games.bohemian import state as at
from schneider_sim.games.bohemian.counting import DUPLICATE, count_range
from schneider_sim.games.bohemian.game import seated
from schneider_sim.games.bohemian.layout import LAYOUT, SAMPLE

POLICY = "lead: safe honour; follow: capture dead pip"
DEALS, ROUNDS = 1 << 20, 7
CPU = os.environ.get("NUMBA_CPU_NAME", "native")


def simulate(threads: int = 1, policy: str = POLICY, **more: str) -> ss.Result:
    return ss.simulate(policy, policy, deals=DEALS, seed=1, threads=threads, **more)


def build(folder: str, *flags: str) -> list[str]:
    source, program = Path(__file__).with_name("scalar.c"), str(Path(folder) / f"scalar{''.join(flags)}")
    subprocess.run(["gcc", "-O3", f"-march={CPU}", *flags, str(source), "-o", program], check=True)
    return [program, str(DEALS), "1"]


def lockstep(folder: str) -> list[str]:
    """The C program of the kernel's own design, by clang where there is one: gcc takes its loops lane by lane."""
    source, program = Path(__file__).with_name("lockstep.c"), str(Path(folder) / "lockstep")
    compiler = shutil.which("clang") or "gcc"
    subprocess.run([compiler, "-O3", f"-march={CPU}", str(source), "-o", program], check=True)
    return [program, str(DEALS), "1"]


def scalar(command: list[str]) -> tuple[float, np.ndarray]:
    """Seconds and joint table of the C program."""
    seconds, joint, _ = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return float(seconds), np.array(joint.split(), np.int64).reshape(21, 21)


def timed(run: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    begun = clock()
    run()
    return clock() - begun


def core() -> Callable[[], float]:
    """Seconds of the kernel on as many deals of which none is counted in detail: the work of the lockstep C program.

    The blocks between those that are counted in detail take a call each; what calls cost is taken off.
    """
    policy = load_game("bohemian").grammar.parse(POLICY)
    table, a, b = seated(MatchUp(load_game("bohemian").rules(), policy, policy), [])
    space, counts, seed = make_space(at.SIZE), LAYOUT.zeros(), np.uint64(1)
    between = SAMPLE - 1  # blocks from one that is counted in detail to the next

    def run(deals: int) -> None:
        for sampled in range(DEALS // LANES // between):
            count_range(space, SAMPLE * sampled + 1, 0, deals, seed, DUPLICATE, False, table, a, b, counts)

    return lambda: timed(lambda: run(between * LANES)) - timed(lambda: run(0))


def vectorised() -> str:
    """Which of the kernel's loops over lanes, each a function of its own, work on vector registers."""
    assembly = next(iter(count_range.inspect_asm().values()))
    parts = re.split(r"^_ZN13schneider_sim\w*?\d([a-z_]+)B\d*v\d+\w*:$", assembly, flags=re.MULTILINE)
    found = {name: bool(re.search(r"%[yz]mm|memcpy|memset", body))
             for name, body in zip(parts[3::2], parts[4::2], strict=True)}
    scalar_ones = ", ".join(name for name, vector in found.items() if not vector)
    wide, narrow = assembly.count("%zmm"), assembly.count("%ymm")
    return (f"{sum(found.values())} of {len(found)} loops over lanes are vectorised ({wide} operands of 512 bits, "
            f"{narrow} of 256); scalar: {scalar_ones}")


def main() -> None:
    if sys.argv[1:] and CPU == "native":  # begins again, since Numba asks when it is imported
        os.execve(sys.executable, [sys.executable, *sys.argv],
                  {**os.environ, "NUMBA_CPU_NAME": sys.argv[1], "NUMBA_CPU_FEATURES": ""})
    simulate()
    with tempfile.TemporaryDirectory() as folder:
        rivals = {"scalar C, Philox": build(folder, "-DPHILOX"), "scalar C": build(folder, "-DPLAIN"),
                  "scalar C with pdep": build(folder), "lockstep C, Philox": lockstep(folder)}
        counted = simulate().joint
        if any(not np.array_equal(scalar(rivals[f"{kind} C, Philox"])[1], counted) for kind in ("scalar", "lockstep")):
            sys.exit("the kernel and the C programs count differently")
        print(f"the joint tables of {DEALS:,} deals are equal")
        best: dict[str, float] = {}
        plain = core()

        def note(name: str, seconds: float) -> None:
            best[name] = min(seconds, best.get(name, seconds))

        for _ in range(ROUNDS):
            for name, command in rivals.items():
                note(name, scalar(command)[0])
            note("lanes", timed(simulate))
            note("lanes, no deal in detail", plain())
            note("lanes, every deal in detail", timed(lambda: simulate(detail="all")))
            note("lanes, two policies", timed(lambda: ss.simulate(POLICY, "champion", deals=DEALS, threads=1)))
            for b in ("champion", "careful"):
                note(f"lanes, champion v {b}", timed(lambda b=b: ss.simulate("champion", b, deals=DEALS, threads=1)))
            note("lanes, random", timed(lambda: simulate(policy="random")))
            note("lanes, 2 threads", timed(lambda: simulate(threads=2), time.perf_counter))
    for name, seconds in best.items():
        print(f"{name:28s} {2 * DEALS / seconds / 1e6:6.2f} M plays/s")
    for name in rivals:
        print(f"lanes / {name:20s} {best[name] / best['lanes']:.2f}, "
              f"no deal in detail {best[name] / best['lanes, no deal in detail']:.2f}")
    detail = 1 - best["lanes, no deal in detail"] / best["lanes"]
    print(f"the sampled detail and what is around the kernel take {100 * detail:.0f} % of the time")
    print(f"two threads / one {best['lanes'] / best['lanes, 2 threads']:.2f}")
    print(vectorised())


if __name__ == "__main__":
    main()
