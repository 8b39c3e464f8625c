"""The two commands that set the project up: which Python they take, what they say, a real set-up."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ["scripts/report", "scripts/test", "scripts/check", "scripts/docs", "scripts/find-python.sh", "scripts/lock"]
needs_shell = pytest.mark.skipif(os.name == "nt", reason="the shell scripts are for POSIX systems")

OLD = """
import runpy, sys
sys.version_info = (3, 9, 18, "final", 0)
while sys.argv[1].startswith("-") or sys.argv[1] == "utf8":
    del sys.argv[1]
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
BARE = OLD.replace("sys.version_info = ", "sys.modules['ensurepip'] = None; ignored = ")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the set-up reads, in a folder with a space and an umlaut."""
    copy = tmp_path / "Spiel häufig" / "ä b"
    for part in ("scripts", "requirements"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__", "bench*"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def path_with(folder: Path, **pythons: str) -> Path:
    """A folder for PATH that holds the shell's helpers and the given interpreters, each a Python program or a shim."""
    folder.mkdir()
    for tool in ("dirname", "env"):
        (folder / tool).symlink_to(str(shutil.which(tool)))
    for name, program in pythons.items():
        (folder / f"{name}.py").write_text(program)
        body = f'exec "{sys.executable}" "{folder / name}.py" "$@"' if program else "exit 127"
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)
    return folder


def run(checkout: Path, *command: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the checkout from another folder, with pip told of no index but a closed port."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PIP_") and k != "PYTHON"}
    dead = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0"}
    full = ["/bin/sh", str(checkout / command[0]), *command[1:]]
    return subprocess.run(full, env={**kept, **dead, **env}, capture_output=True, text=True, cwd=checkout.parent)


@needs_shell
@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_are_well_formed(script: str) -> None:
    assert subprocess.run(["/bin/sh", "-n", ROOT / script]).returncode == 0
    assert script.endswith(".sh") or os.access(ROOT / script, os.X_OK)


def test_continuous_integration_runs_every_test() -> None:
    assert "exec scripts/test --all\n" in (ROOT / ".ci" / "run").read_text()


@needs_shell
@pytest.mark.parametrize("script", ["scripts/report", "scripts/test"])
def test_python_that_is_too_old(checkout: Path, tmp_path: Path, script: str) -> None:
    done = run(checkout, script, PATH=str(path_with(tmp_path / "bin", python3=OLD)))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "needs Python 3.11 to 3.14 (found python3: Python 3.9.18 is too old)" in done.stderr
    assert not (checkout / ".venv").exists()


@needs_shell
def test_no_python_at_all(checkout: Path, tmp_path: Path) -> None:
    done = run(checkout, "scripts/report", PATH=str(path_with(tmp_path / "bin", python3="")))
    assert done.returncode == 1
    assert done.stderr.startswith("schneider-sim needs Python 3.11 to 3.14 (found no Python that runs")
    assert done.stderr.count("\n") == 1


@needs_shell
def test_python_without_venv_module(checkout: Path, tmp_path: Path) -> None:
    done = run(checkout, "scripts/report", PATH=str(path_with(tmp_path / "bin", python3=BARE)))
    version = "{}.{}".format(*sys.version_info)
    assert done.returncode == 1
    assert f"has no venv module, which on Debian and Ubuntu is the package python{version}-venv" in done.stderr
    assert done.stderr.count("\n") == 1


@needs_shell
@pytest.mark.parametrize(
    ("pythons", "named", "found"),
    [
        ({"python3": "", "python3.12": OLD, "python3.11": "raise SystemExit(3)"}, "", None),
        ({"python3": OLD, "python3.13": OLD.replace("(3, 9, 18", "(3, 13, 1")}, "", "python3.13"),
        ({"python3": "", "python": OLD.replace("(3, 9, 18", "(3, 14, 0")}, "", "python"),
        ({"python3": OLD.replace("(3, 9, 18", "(3, 15, 0")}, "", None),
        ({"python3": OLD.replace("(3, 9, 18", "(3, 12, 0"), "mine": OLD.replace("(3, 9", "(3, 11")}, "mine", "mine"),
        ({"python3": OLD.replace("(3, 9, 18", "(3, 12, 0")}, "mine", None),
    ],
)
def test_first_python_that_runs_and_fits(
    tmp_path: Path, pythons: dict[str, str], named: str, found: str | None
) -> None:
    folder = path_with(tmp_path / "bin", **pythons)
    program = f'here="{ROOT}/scripts"; . "$here/find-python.sh"; find_python; echo "$python"'
    env = {"PATH": str(folder), "PYTHON": named}
    done = subprocess.run(["/bin/sh", "-c", program], env=env, capture_output=True, text=True)
    assert done.stdout.strip() == (found or "")
    assert (done.returncode, done.stderr.count("\n")) == ((0, 0) if found else (1, 1))


@needs_shell
def test_network_that_is_missing(checkout: Path) -> None:
    done = run(checkout, "scripts/report", PYTHON=sys.executable)
    assert done.returncode == 1
    assert done.stdout == ""
    started, failed = done.stderr.splitlines()
    assert "setting up" in started
    assert "the network is missing: pip cannot reach the package index" in failed
    assert (checkout / ".venv" / "schneider-sim.json").read_text() == "{}"


@pytest.fixture
def network(tmp_path: Path) -> Callable[[Path], subprocess.CompletedProcess[str]]:
    """Runs `scripts/report --help` of a checkout with the caller's own index; skips when there is none."""

    def report(checkout: Path) -> subprocess.CompletedProcess[str]:
        home = tmp_path / "home"
        home.mkdir(mode=0o500, exist_ok=True)
        env = {**os.environ, "PYTHON": sys.executable, "HOME": str(home)}
        done = subprocess.run([checkout / "scripts/report", "--help"], env=env, capture_output=True, text=True, cwd="/")
        if "the network is missing" in done.stderr:
            pytest.skip("a first set-up needs the network")
        return done

    return report


@needs_shell
@pytest.mark.slow
def test_set_up_from_nothing_and_again_without_network(
    checkout: Path, network: Callable[[Path], subprocess.CompletedProcess[str]]
) -> None:
    shutil.copytree(ROOT / "schneider_sim", checkout / "schneider_sim", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("LICENSE", "README.md"):
        shutil.copy(ROOT / name, checkout)
    (checkout / ".venv" / "lib").mkdir(parents=True)
    first = network(checkout)
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("Usage: ")
    second = run(checkout, "scripts/report", "--help", LC_ALL="C", PYTHONHOME="/nowhere", PIP_NO_INDEX="1")
    assert (second.returncode, second.stderr) == (0, "")
    assert second.stdout.splitlines()[0] == first.stdout.splitlines()[0]
    missing = run(checkout, "scripts/test")
    assert missing.returncode == 1
    assert "the network is missing" in missing.stderr
    assert run(checkout, "scripts/report", "--help").returncode == 0
