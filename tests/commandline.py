"""The command line called from tests: within this process, or as a process of its own."""

import functools
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


@functools.cache
def import_path() -> dict[str, str]:
    """The PYTHONPATH that a child needs to find this package: none where this very folder is installed."""
    found = subprocess.run([sys.executable, "-c", "import schneider_sim; print(schneider_sim.__path__[0])"], cwd="/",
                           capture_output=True, text=True, check=False)
    return {} if found.stdout.strip() == str(ROOT / "schneider_sim") else {"PYTHONPATH": str(ROOT)}


def plain_environment() -> dict[str, str]:
    """This process's environment for a child that finds the package and keeps no store."""
    return os.environ | NO_STORE | import_path()


def environment(**env: str) -> dict[str, str]:
    """The same, with all compiled once, so that no test sees the line that says so."""
    from compiling import compile_all

    compile_all()
    return plain_environment() | env


def no_file_beyond(size: int) -> Callable[[], None]:
    """The `preexec_fn` of a child that may write no file of more than `size` bytes; for POSIX systems."""
    import resource

    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def spawn(*words: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run `schneider-sim WORDS` as a process of its own to its end."""
    return subprocess.run([sys.executable, "-m", "schneider_sim", *words], capture_output=True, check=False,
                          env=environment(**env), timeout=300)
