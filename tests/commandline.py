"""The command line called from tests: within this process, or as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner, Result

from schneider_sim.cli.app import app

ROOT = Path(__file__).resolve().parent.parent
NO_STORE = {"SCHNEIDER_SIM_STORE": "0"}


def call(*words: str, stdin: str | bytes | None = None, **env: str) -> Result:
    """Run `schneider-sim WORDS` in this process; .exit_code, .stdout, .stderr."""
    return CliRunner().invoke(app, list(words), input=stdin, env=NO_STORE | env)


def refused(*words: str, status: int = 2, stdin: str | bytes | None = None) -> str:
    """The one line on standard error of a command that must fail with `status` and print nothing else."""
    result = call(*words, stdin=stdin)
    assert result.exit_code == status, (words, result.output)
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("schneider-sim: "), result.stderr
    return lines[0]


def environment(**env: str) -> dict[str, str]:
    """This process's environment for a child that finds the package and keeps no store."""
    return os.environ | NO_STORE | {"PYTHONPATH": str(ROOT)} | env


def no_file_beyond(size: int) -> Callable[[], None]:
    """The `preexec_fn` of a child that may write no file of more than `size` bytes; for POSIX systems."""
    import resource

    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def spawn(*words: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run `schneider-sim WORDS` as a process of its own to its end."""
    return subprocess.run([sys.executable, "-m", "schneider_sim", *words], capture_output=True, check=False,
                          env=environment(**env), timeout=300)
