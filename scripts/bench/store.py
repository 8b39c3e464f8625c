"""What a wholly stored study takes: seconds of processor time, and the size of its store.

    .venv/bin/python scripts/bench/store.py [FOLDER OF ANOTHER VERSION]

Each study is played into a store of its own and then asked for again. With the folder of another version both take
turns, so that a busy machine disturbs both alike.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

DEALS, TURNS = "100k", 2
EIGHT = ["random", "greedy", "thrifty", "plain", "careful", "champion", "lead: safe; follow: capture dead pip",
         "lead: safe honour; follow: capture dead"]
REPORT = """title = "Presets"
deals = 100_000

[policies]
random = "random"
greedy = "greedy"
careful = "careful"
champion = "champion"
"""
STUDIES = {
    "tournament of eight": ["tournament", *EIGHT, "--deals", DEALS],
    "tournament of three, 2,000 deals": ["tournament", *EIGHT[3:6], "--deals", "2000"],
    "factorial": ["factorial", "--leads", "random, safe, safe honour", "--follows",
                  "random, capture, capture dead", "--deals", DEALS],
    "memory curve": ["factorial", "--vary", "memory=none,last-2,last-4,honours,full", "--base", "careful", "--deals",
                     DEALS],
    "report": ["report", "{folder}/study.toml", "--out", "{folder}/report"],
}


def run(version: Path, study: list[str], folder: Path) -> float:
    """Processor seconds of one command of a version."""
    words = [word.format(folder=folder) for word in study] + ["--store", str(folder / "runs.sqlite")]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "schneider_sim", *words], check=True, cwd=folder, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(version.resolve())})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    versions = [Path(each) for each in sys.argv[1:2]] + [Path(__file__).parents[2]]
    for version in versions:  # compiles what is not compiled yet
        with tempfile.TemporaryDirectory() as place:
            run(version, STUDIES["tournament of three, 2,000 deals"], Path(place))
    print(f"{'study':34s}" + "".join(f"{version.name:>12s}: fresh, stored s, KiB" for version in versions))
    for name, study in STUDIES.items():
        line = f"{name:34s}"
        with tempfile.TemporaryDirectory() as place:
            folders = [Path(place, str(number)) for number in range(len(versions))]
            for folder in folders:
                folder.mkdir()
                (folder / "study.toml").write_text(REPORT, encoding="utf-8")
            fresh = [run(version, study, folder) for version, folder in zip(versions, folders, strict=True)]
            turns = [[run(version, study, folder) for version, folder in zip(versions, folders, strict=True)]
                     for _ in range(TURNS)]
            for number, folder in enumerate(folders):
                size = sum(path.stat().st_size for path in folder.glob("runs.sqlite*"))
                line += f"{fresh[number]:19.2f} {min(turn[number] for turn in turns):8.2f} {size / 1024:7,.0f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
