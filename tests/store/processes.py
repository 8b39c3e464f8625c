"""Commands for the tests of the store, in this process or in one that can be killed, and what they leave behind."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from commandline import call, import_path

ROOT = Path(__file__).parents[2]
A, B = "lead: safe honour; follow: capture dead pip", "lead: long low; follow: capture; noise: 0.1"


def command(*words: object, **env: str) -> tuple[list[str], dict[str, str]]:
    """The command line `schneider-sim words` and its environment."""
    return [sys.executable, "-m", "schneider_sim", *map(str, words)], os.environ | import_path() | env


def schneider(*words: object, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end in this process, which saves a start."""
    done = call(*map(str, words), **env)
    return subprocess.CompletedProcess(list(map(str, words)), done.exit_code, done.stdout, done.stderr)


def apart(*words: object, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end as a process of its own."""
    line, environment = command(*words, **env)
    return subprocess.run(line, env=environment, capture_output=True, text=True, timeout=600, check=False)


@contextlib.contextmanager
def begun(*words: object) -> Iterator[subprocess.Popen[str]]:
    """A command in a process group of its own, as a terminal starts it; what still runs in the end is killed."""
    line, environment = command(*words)
    with subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          start_new_session=True) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL) if os.name == "posix" else process.kill()


def simulate(store: Path | None, deals: int, *more: object) -> list[object]:
    """The words of a simulation that prints JSON."""
    where = ["--no-store"] if store is None else ["--store", store]
    return ["simulate", A, B, "--deals", deals, "--json", *where, *more]


def tally(done: subprocess.CompletedProcess[str]) -> str:
    """The SHA-256 that a finished simulation printed."""
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return str(found["tally_sha256"])


def deals_in(store: Path) -> int:
    """How many deals a store holds; 0 where there is none yet."""
    from schneider_sim.store import Store

    if not store.exists():
        return 0
    with Store(store) as opened:
        return sum(deals for _, deals, _, _ in opened.extent().values())


def wait_for_deals(store: Path, deals: int, process: subprocess.Popen[str], seconds: float = 120) -> None:
    """Wait until a running process has stored this many deals."""
    limit = time.monotonic() + seconds
    while deals_in(store) < deals:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < limit, "nothing was stored"
        time.sleep(0.02)


def peak_of(*words: object) -> int:
    """The most memory, in KiB, that a command had, which must end well."""
    program = ("import resource, sys\nfrom schneider_sim.cli import main\ntry:\n    main()\nfinally:\n"
               "    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n")
    line, environment = command(*words)
    done = subprocess.run([sys.executable, "-c", program, *line[3:]], env=environment, capture_output=True, text=True,
                          check=True)
    return int(done.stderr.split()[-1])
