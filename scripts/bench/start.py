"""How long whole commands take: from an empty cache of compiled code, warm, and answered from the store.

    .venv/bin/python scripts/bench/start.py [FOLDER OF ANOTHER VERSION] [--only WORD]

With the folder of another version both take turns, so that a busy machine disturbs both alike. Each line: seconds of
the clock and of processors, of both versions, and the ratio of the latter (the geometric mean of the turns).
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COLD_TURNS, WARM_TURNS = 2, 5
BAUERN = ["--game", "bauernschnapsen"]
PLAYED, STORED = ["--no-store"], ["--store", "{folder}/runs.sqlite"]
COLD = {
    "first start": ["simulate", "champion", "careful", "--deals", "1000", *PLAYED],
    "first start, Bauernschnapsen": ["simulate", "cautious", "bold", "--deals", "1000", *PLAYED, *BAUERN],
}
WARM = {
    "--help": ["--help"],
    "compare --sprt, played": ["compare", "champion", "careful", "--sprt", "0", "0.05", *PLAYED],
    "compare --sprt, stored": ["compare", "champion", "careful", "--sprt", "0", "0.05", *STORED],
    "simulate 1,000 deals, played": ["simulate", "champion", "careful", "--deals", "1000", *PLAYED],
    "simulate 1,000 deals, stored": ["simulate", "champion", "careful", "--deals", "1000", *STORED],
    "replay": ["replay", "champion", "careful", "--deal", "17"],
    "compare, Bauernschnapsen, played": ["compare", "cautious", "bold", "--sprt", "0", "0.05", *PLAYED, *BAUERN],
    "simulate, Bauernschnapsen, played": ["simulate", "cautious", "bold", "--deals", "1000", *PLAYED, *BAUERN],
    "simulate, Bauernschnapsen, stored": ["simulate", "cautious", "bold", "--deals", "1000", *STORED, *BAUERN],
    "replay, Bauernschnapsen": ["replay", "cautious", "bold", "--deal", "17", *BAUERN],
}
VERDICTS = (0, 3, 4)  # exit statuses of a command that did what it was asked


def run(version: Path, words: list[str], folder: Path, cache: str) -> tuple[float, float]:
    """Seconds of the clock and of processors that one command of a version takes."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "schneider_sim", *[word.format(folder=folder) for word in words]], cwd=folder,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(version.resolve()), "SCHNEIDER_SIM_CACHE": cache})
    if done.returncode not in VERDICTS:
        raise SystemExit(f"{' '.join(words)}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - begun, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def show(name: str, turns: list[list[tuple[float, float]]]) -> None:
    line = f"{name:36s}"
    for of_version in zip(*turns, strict=True):
        clock, processor = (statistics.median(column) for column in zip(*of_version, strict=True))
        line += f"{clock:8.2f} s {processor:6.2f} s CPU"
    if len(turns[0]) == 2:
        line += f"   ratio {statistics.geometric_mean(turn[1][1] / turn[0][1] for turn in turns):.2f}"
    print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("other", nargs="*", type=Path)
    parser.add_argument("--only", default="", help="commands whose name has this word")
    arguments = parser.parse_args()
    versions = [*arguments.other[:1], Path(__file__).parents[2]]
    with tempfile.TemporaryDirectory() as place, tempfile.TemporaryDirectory() as kept:
        folders = [Path(place, str(number)) for number in range(len(versions))]
        for folder in folders:
            folder.mkdir()
        for name, words in COLD.items():
            if arguments.only in name:
                show(name, [[_cold(version, words, folder) for version, folder in zip(versions, folders, strict=True)]
                            for _ in range(COLD_TURNS)])
        for name, words in WARM.items():
            if arguments.only in name:
                turns = [[run(version, words, folder, kept) for version, folder in zip(versions, folders, strict=True)]
                         for _ in range(WARM_TURNS + 1)]
                show(name, turns[1:])  # the first compiles and fills the store


def _cold(version: Path, words: list[str], folder: Path) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as cache:
        return run(version, words, folder, cache)


if __name__ == "__main__":
    main()
