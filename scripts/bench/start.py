"""How long commands take from a warm and from a cold cache, as whole processes.

    .venv/bin/python scripts/bench/start.py [FOLDER OF ANOTHER VERSION]

With the folder of another version both take turns. Processor time is printed, which a busy machine disturbs less: of the
first run, which compiles, and the least of the others.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

TURNS = 5
COMMANDS = {
    "--help": ["--help"],
    "simulate, a thousand deals": ["simulate", "champion", "careful", "--deals", "1000", "--no-store"],
    "simulate from the store": ["simulate", "champion", "careful", "--deals", "1000", "--store", "{folder}/runs"],
    "compare --sprt 0 0.05": ["compare", "champion", "careful", "--sprt", "0", "0.05", "--no-store"],
    "compare from the store": ["compare", "champion", "careful", "--sprt", "0", "0.05", "--store", "{folder}/runs"],
    "replay": ["replay", "champion", "careful", "--deal", "7"],
    "simulate --json, a million deals": ["simulate", "champion", "careful", "--json", "--no-store"],
}


def seconds(version: Path, arguments: list[str], folder: str) -> float:
    """Processor seconds of one command of a version, whose compiled code and store lie in the folder."""
    words = [word.format(folder=folder) for word in arguments]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "schneider_sim", *words], check=True, cwd=folder, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env={**os.environ, "SCHNEIDER_SIM_CACHE": folder,
                                                   "PYTHONPATH": str(version.resolve())})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    versions = [Path(each) for each in sys.argv[1:2]] + [Path(__file__).parents[2]]
    with tempfile.TemporaryDirectory() as place:
        folders = [str(Path(place, str(number))) for number in range(len(versions))]
        for folder in folders:
            Path(folder).mkdir()
        for name, arguments in COMMANDS.items():
            pairs = list(zip(versions, folders, strict=True))
            turns = [[seconds(version, arguments, folder) for version, folder in pairs] for _ in range(1 + TURNS)]
            said = [f"{version.name}: first {turns[0][number]:5.2f} s, warm {min(row[number] for row in turns[1:]):5.2f} s"
                    for number, version in enumerate(versions)]
            print(f"{name:34s} {'   '.join(said)}", flush=True)


if __name__ == "__main__":
    main()
