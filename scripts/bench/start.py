"""How long commands take from a warm and from a cold cache, as whole processes.

    .venv/bin/python scripts/bench/start.py
"""

import os
import subprocess
import sys
import tempfile
import time

COMMANDS = {
    "--help": (["--help"], 0.3),
    "simulate --json, a million deals": (["simulate", "champion", "careful", "--json", "--no-store"], 2.0),
}


def seconds(arguments: list[str], cache: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-m", "schneider_sim", *arguments], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "SCHNEIDER_SIM_CACHE": cache})
    return time.perf_counter() - begun


def main() -> None:
    for name, (arguments, promised) in COMMANDS.items():
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds(arguments, cache)
            warm = min(seconds(arguments, cache) for _ in range(5))
        print(f"{name:34s} cold {cold:5.2f} s   warm {warm:5.2f} s (promised {promised} s)")


if __name__ == "__main__":
    main()
