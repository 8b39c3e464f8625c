"""Compiled code made once, before parallel tests start: else every process would compile the same kernels."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from commandline import plain_environment

# What most tests play; each is a process of its own, so that the two games are compiled side by side.
PROGRAMS = ["""
import schneider_sim as ss
for design in ("duplicate", "independent"):
    ss.simulate("champion", "greedy; noise: 0.1", deals=2, threads=1, design=design)
ss.replay("champion", "greedy", deal=1)
""", """
import schneider_sim as ss
for policy in ("expert", "searcher"):
    ss.simulate(policy, "bold", deals=2, threads=1, game="bauernschnapsen")
ss.replay("expert", "bold", deal=1, game="bauernschnapsen")
"""]
MARK = "compiled-for-tests"  # a file beside the compiled code


def compile_all() -> None:
    """Fill the cache of compiled code for the sources as they are; nothing to do where that has been done."""
    from schneider_sim.compiled.jit import cache_folder

    folder = cache_folder()
    if folder is None or (folder / MARK).exists():
        return
    with ThreadPoolExecutor() as pool:
        list(pool.map(_run, PROGRAMS))
    (folder / MARK).touch()


def _run(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], env=plain_environment(), check=True)


if __name__ == "__main__":  # as scripts/test does while ruff and mypy look
    compile_all()
