"""Sets up .venv from the lock files, then runs a command of the project in it; needs nothing but Python itself.

    python scripts/bootstrap.py report [STUDY.toml] [--out DIR]   what scripts/report does
    python scripts/bootstrap.py test [--all] [pytest arguments]   what scripts/test does; --all adds the slow tests
    python scripts/bootstrap.py check [NAME...]                   what scripts/check does: ruff, mypy, quick or all
    python scripts/bootstrap.py docs [FOLDER]                     what scripts/docs does: the documentation as a site
    python scripts/bootstrap.py notebooks [NAME...]               what scripts/notebooks does: runs docs/notebooks again
    python scripts/bootstrap.py python ARGUMENTS                  any other use of the Python in .venv

A stamp in .venv says for which folder, Python and lock files it is whole. It is withdrawn while packages are being
installed, so that a set-up cut off half-way is done again, and a whole one is used as it stands, without network.
"""

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

OLDEST, NEWEST = (3, 11), (3, 14)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "schneider-sim.json"
PYTHON = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
# Settings of other work that would lead this Python or its pip astray; index, proxy and certificate settings stay.
MISLEADING = {
    *("PYTHONHOME", "PYTHONPATH", "PYTHONUSERBASE", "PYTHONSTARTUP", "PYTHONOPTIMIZE", "PYTHONWARNINGS"),
    *("PYTHONPLATLIBDIR", "PYTHONSAFEPATH", "__PYVENV_LAUNCHER__", "VIRTUAL_ENV"),
    *("PIP_REQUIRE_VIRTUALENV", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_PYTHON", "PIP_DRY_RUN", "PIP_NO_DEPS"),
    *("PIP_CONSTRAINT", "PIP_REQUIREMENT", "PIP_EDITABLE", "PIP_NO_BINARY", "PIP_ONLY_BINARY", "PIP_QUIET", "PIP_LOG"),
}
CHECKS = {  # what takes seconds; "quick": the tests that read the sources and play next to nothing
    "ruff": ("ruff", "check", "."),
    "mypy": ("mypy",),
    "quick": ("pytest", "-q", "tests/test_layers.py", "tests/project/test_packaging.py",
              "tests/project/test_habits.py"),
}
OFFLINE_SIGNS = (
    "(from versions: none)",
    "Connection",
    "connection",
    "Max retries exceeded",
    "Temporary failure in name resolution",
    "timed out",
    "ProxyError",
)


class SetUpError(Exception):
    """A set-up that cannot go on; `untouched` when the packages in .venv are still as they were."""

    def __init__(self, message: str, untouched: bool = False) -> None:
        super().__init__(message)
        self.untouched = untouched


def say(message: str) -> None:
    print(f"schneider-sim: {message}", file=sys.stderr, flush=True)


def unfit() -> str:
    """Why this Python cannot make .venv, "" when it can."""
    name = "Python " + ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < OLDEST:
        return f"{name} is too old"
    if sys.version_info[:2] > NEWEST:
        return f"{name} is newer than the locked packages"
    if sys.implementation.name != "cpython":
        return f"{sys.implementation.name} is not CPython, which Numba needs"
    try:
        import ensurepip
        import venv
    except ImportError:
        short = ".".join(map(str, sys.version_info[:2]))
        return f"{name} has no venv module, which on Debian and Ubuntu is the package python{short}-venv"
    return "" if ensurepip and venv else name


def environment() -> dict:
    """The caller's environment without what would mislead the Python in .venv."""
    clean = {name: value for name, value in os.environ.items() if name not in MISLEADING}
    clean.setdefault("PIP_RETRIES", "2")
    return {**clean, "PIP_USER": "0", "NO_MKDOCS_2_WARNING": "1"}


def command(*arguments: str) -> list:
    # Never a console script: its first line can break in a folder with a long path or a space in it.
    return [str(PYTHON), *arguments]


def venv_version() -> str:
    """The version of the Python in .venv, "" when it does not run or has no pip."""
    probe = "import sys, importlib.util as u; print(*sys.version_info[:3], sep='.') if u.find_spec('pip') else 0"
    try:
        done = subprocess.run(command("-c", probe), env=environment(), capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def lock_digest(name: str) -> str:
    return digest((ROOT / "requirements" / f"{name}.txt").read_bytes().replace(b"\r\n", b"\n"))


def project_digest() -> str:
    """Of what an installation of the project itself copies from pyproject.toml."""
    import tomllib

    tables = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return digest(json.dumps([tables["project"], tables["build-system"]], sort_keys=True).encode())


def read_stamp() -> dict:
    """What .venv was made for: folder, python, project and locks; empty when it is not whole."""
    try:
        return dict(json.loads(STAMP.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def write_stamp(stamp: dict) -> None:
    beside = STAMP.with_suffix(".new")
    beside.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
    os.replace(beside, STAMP)


def belongs_here(stamp: dict) -> bool:
    """Whether .venv was made whole in this very folder, by the Python it still runs, from these lock files."""
    if stamp.get("folder") != str(ROOT) or stamp.get("python") != venv_version():
        return False
    if os.environ.get("PYTHON") and stamp["python"].split(".")[:2] != [str(n) for n in sys.version_info[:2]]:
        return False
    return all(sha == lock_digest(name) for name, sha in stamp["locks"].items())


def is_ready(stamp: dict, wanted: str) -> bool:
    return belongs_here(stamp) and wanted in stamp["locks"] and stamp["project"] == project_digest()


def pip_install(*arguments: str) -> None:
    """Run pip in .venv; SetUpError with one line about the cause when it fails."""
    quiet = ("--disable-pip-version-check", "--no-input", "--progress-bar=off")
    full = command("-m", "pip", "install", *quiet, *arguments)
    lines = []
    with subprocess.Popen(
        full, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                lines.append(line.strip())
                if sys.stderr.isatty() and line.startswith(("Collecting ", "Installing ")):
                    print(f"\r\033[K  {line.strip():.70}", end="", file=sys.stderr, flush=True)
        except BaseException:
            process.terminate()
            raise
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    if process.returncode:
        raise SetUpError(explain(lines), untouched=not any(line.startswith("Installing collected") for line in lines))


def explain(lines: list) -> str:
    """One line on why pip failed, from what it printed."""
    errors = [line for line in lines if line.startswith("ERROR:")] or lines[-1:] or ["ERROR: pip said nothing"]
    if any(sign in line for line in lines for sign in OFFLINE_SIGNS):
        return (
            "the network is missing: pip cannot reach the package index. Connect (or set PIP_INDEX_URL or "
            f"HTTPS_PROXY) and run this again; later runs need no network. [{errors[0]}]"
        )
    return f"pip cannot install the locked packages: {errors[0]}"


def install_project() -> None:
    """Link the project into .venv, so that a `git pull` is all that an update needs."""
    pip_install("--no-index", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    # Python 3.11 and 3.12 read such links in the encoding of the locale and may not even start after an umlaut.
    places = ("lib/*/site-packages", "Lib/site-packages")
    for link in (found for place in places for found in VENV.glob(f"{place}/schneider_sim.pth")):
        link.write_text(f"import os, sys; sys.path.append(os.fsdecode({os.fsencode(ROOT)!r}))\n", encoding="ascii")


@contextlib.contextmanager
def alone():
    """Hold the set-up of this folder, so that two started together do not mix."""
    with open(ROOT / ".venv.lock", "w") as handle:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("another set-up of this folder is running; waiting for it")
                fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def make_venv() -> None:
    """A new .venv with nothing but pip, in place of the one that is there."""
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    VENV.mkdir()
    write_stamp({})
    # The activated .venv may be what runs this and has just gone, its base has not.
    base = getattr(sys, "_base_executable", None) or sys.executable
    done = subprocess.run([base, "-m", "venv", str(VENV)], env=environment(), capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr + done.stdout).strip().splitlines() or ["no message"]
        raise SetUpError(f"{base} cannot make .venv: {said[0]}")


def set_up(wanted: str) -> None:
    """Make .venv hold the packages of requirements/WANTED.txt and the project; nothing to do when the stamp says so."""
    if is_ready(read_stamp(), wanted):
        return
    with alone():
        before = read_stamp()
        if is_ready(before, wanted):
            return
        if not belongs_here(before):
            before = {"locks": {}}
            version = venv_version()
            # One that somebody made by hand is theirs: added to, not replaced.
            if version and not STAMP.exists():
                if not OLDEST <= tuple(map(int, version.split(".")[:2])) <= NEWEST:
                    raise SetUpError(f"{VENV} was made by hand with Python {version}, not 3.11 to 3.14: move it away")
            else:
                version = sys.version.split()[0]
                say(f"setting up {VENV} with Python {version}, once: about 200 MB to fetch, two to five minutes")
                make_venv()
        write_stamp({})
        try:
            if wanted not in before["locks"]:
                lock = ROOT / "requirements" / f"{wanted}.txt"
                pip_install("--require-hashes", "--only-binary=:all:", "-r", str(lock))
            install_project()
        except SetUpError as error:
            if error.untouched and before["locks"]:
                write_stamp(before)
            raise
        locks = {**before["locks"], wanted: lock_digest(wanted)}
        stamp = {"folder": str(ROOT), "python": venv_version(), "project": project_digest(), "locks": locks}
        write_stamp(stamp)


def become(arguments: list) -> int:
    """Run the Python of .venv in place of this one, so that it gets the signals sent here."""
    sys.stdout.flush()
    if sys.platform == "win32":
        return subprocess.call(command(*arguments), env=environment())
    else:
        os.execve(PYTHON, command(*arguments), environment())


def unhappy_checks(names: list) -> list:
    """Those of the CHECKS that find something."""
    os.chdir(ROOT)
    return [name for name in names if subprocess.call(command("-m", *CHECKS[name]), env=environment())]


@contextlib.contextmanager
def compiling():
    """Compile what the tests run while something else, which leaves a core idle, is done."""
    with subprocess.Popen(command(str(ROOT / "tests" / "compiling.py")), env=environment()) as process:
        try:
            yield
        except BaseException:
            process.terminate()
            raise


def run_tests(arguments: list) -> int:
    """ruff, mypy, then pytest; 0 when all three are content."""
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"):  # tests run as a user's machine is set
        os.environ.pop(name, None)
    with compiling():
        unhappy = unhappy_checks(["ruff", "mypy"])
    chosen = ["-m", "slow or not slow"] if "--all" in arguments else []
    parallel = ["-n", "auto", "--maxprocesses", "8", "--dist", "worksteal"]  # pytest-xdist; -n 0: in one process
    pytest = ["-m", "pytest", *parallel, *chosen, *(word for word in arguments if word != "--all")]
    if not unhappy:
        return become(pytest)
    status = subprocess.call(command(*pytest), env=environment())
    say(f"{' and '.join(unhappy)} found something: see the top of this output")
    return status or 1


def site(folder: str = "site", *more: str) -> list:
    """The arguments that build the documentation into `folder`, from the current one on; no page may have a fault."""
    return ["-m", "mkdocs", "build", "--quiet", "-f", str(ROOT / "mkdocs.yml"), "-d", os.path.abspath(folder), *more]


def main(job: str = "", *arguments: str) -> int:
    if job == "probe":
        print(unfit() or "ok")
        return 0
    asks_help = job in ("test", "check", "docs", "notebooks") and arguments[:1] in (("--help",), ("-h",))
    checks = arguments if job == "check" and not asks_help else ()
    if asks_help or job not in ("report", "test", "check", "docs", "notebooks", "python") or set(checks) - set(CHECKS):
        print(__doc__)
        return 0 if asks_help else 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        if unfit():
            raise SetUpError(f"this needs Python 3.11 to 3.14: {unfit()}")
        set_up("run" if job in ("report", "python") else "test")
        if job == "test":
            return run_tests(list(arguments))
        if job == "check":
            return 1 if unhappy_checks(list(checks or CHECKS)) else 0
        if job == "docs":
            return become(site(*arguments))
        if job == "notebooks":
            return become([str(ROOT / "scripts" / "play_notebooks.py"), *arguments])
        return become([*(["-m", "schneider_sim", "report"] if job == "report" else []), *arguments])
    except SetUpError as error:
        say(str(error))
    except OSError as error:
        say(f"cannot set up {VENV}: {error}; is the folder writable, the disk full?")
    except KeyboardInterrupt:
        say("interrupted; run it again to go on")
        return 130
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
