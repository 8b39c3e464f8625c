"""The one decorator for compiled functions: every Numba option and the cache folder are decided here.

Numba's disk cache does not notice changes in imported files, so the cache lives in a folder named by a checksum of
all of the package's sources and tables. `SCHNEIDER_SIM_CACHE` names another place, or `0` for no cache on disk.
"""

import contextlib
import functools
import gc
import hashlib
import logging
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.caching import FunctionCache, NullCache

_OFF = ("0", "off", "no")
_MOMENT = 0.7  # seconds of compiling that are not worth a word
COMPILING = 8  # seconds that a first start takes on a usual machine; 4 to 20 are seen
_KEPT_FOR = 30 * 24 * 3600  # seconds that the code of another version of the sources is kept unused


def source_checksum() -> str:
    """A checksum (16 hexadecimal digits) of every Python source of the package and every table (JSON) that compiled
    code may hold, the same on every machine."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    sources = [path for ending in ("*.py", "*.json") for path in package.rglob(ending)]
    for path in sorted(sources, key=lambda p: p.relative_to(package).as_posix()):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder() -> Path | None:
    """The folder of this version's compiled code, made if need be; None when caching is off or nothing is writable."""
    wanted = os.environ.get("SCHNEIDER_SIM_CACHE", "").strip()
    if wanted.lower() in _OFF:
        return None
    if wanted:
        bases = [Path(wanted)]
    else:
        import platformdirs

        at_home = Path(platformdirs.user_cache_dir("schneider_sim", appauthor=False))
        elsewhere = Path(tempfile.gettempdir()) / f"schneider_sim-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"
        has_home = Path(os.path.expanduser("~")).is_dir()  # one that does not exist is not made
        bases = [at_home, elsewhere] if has_home else [elsewhere]
    for base in bases:
        folder = base / f"numba-{source_checksum()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                os.utime(folder)
        except OSError:
            continue
        _forget_old(base)
        return folder
    _not_kept(str(bases[0]), "it cannot be written")
    return None


def _forget_old(base: Path) -> None:
    """Remove compiled code of sources that nobody has used for a month."""
    for folder in base.glob("numba-*"):
        try:
            if time.time() - folder.stat().st_mtime > _KEPT_FOR:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


@functools.cache
def _not_kept(folder: str, why: str) -> None:
    logging.getLogger(__name__).warning("schneider-sim: compiled code cannot be kept in '%s' (%s), so every start takes"
                                        " some seconds more: SCHNEIDER_SIM_CACHE=FOLDER names another", folder, why)


class _Told:
    """Tells whoever listens, once in a process, of a compilation that takes longer than a moment."""

    def __init__(self) -> None:
        self._waiting: threading.Timer | None = None

    def begins(self, kept: bool) -> None:
        """A function is being compiled."""
        if self._waiting is None:
            how = "once, " if kept else ""
            say = logging.getLogger("schneider_sim.compiling").info
            self._waiting = threading.Timer(_MOMENT, say, (f"compiling, {how}about {COMPILING} s",))
            self._waiting.daemon = True
            self._waiting.start()

    def ends(self) -> None:
        """It is ready; the next one is announced again unless this one was."""
        if self._waiting is not None and self._waiting.is_alive():
            self._waiting.cancel()
            self._waiting = None


_TOLD = _Told()


class _Uncollected(event.Listener):
    """Keeps the garbage collector off while the package's functions are compiled, which takes a sixth less time then.
    """

    def __init__(self) -> None:
        self._depth, self._was_on = 0, False

    def _is_ours(self, happens: event.Event) -> bool:
        return str(happens.data["dispatcher"].py_func.__module__).startswith(__name__.partition(".")[0])

    def on_start(self, happens: event.Event) -> None:
        """A function is being compiled, perhaps within another one; compiling holds a lock."""
        if self._is_ours(happens):
            if self._depth == 0:
                self._was_on = gc.isenabled()
                gc.disable()
            self._depth += 1

    def on_end(self, happens: event.Event) -> None:
        """It is compiled, or failed."""
        if self._is_ours(happens):
            self._depth -= 1
            if self._depth == 0 and self._was_on:
                gc.enable()


event.register("numba:compile", _Uncollected())


class _NoCache(NullCache):
    """No cache on disk: every process compiles."""

    shared = False

    def holds(self, *what: Any) -> bool:
        return False

    def load_overload(self, *what: Any) -> None:
        _TOLD.begins(kept=False)

    def save_overload(self, *what: Any) -> None:
        _TOLD.ends()


class _Cache(FunctionCache):
    """Numba's cache of one function, of which failures cost time and nothing else."""

    shared = True  # with other processes

    class _impl_class(FunctionCache._impl_class):
        _locator_classes = FunctionCache._impl_class._locator_classes[:1]  # the folder that is set, never another

    def load_overload(self, *what: Any) -> Any:
        found = None
        try:
            found = super().load_overload(*what)
        except Exception:  # a file torn by a crash: whatever unpickling makes of it
            with contextlib.suppress(OSError):
                self.flush()
        if found is None:
            _TOLD.begins(kept=True)
        return found

    def holds(self, function: Any, types: tuple[Any, ...]) -> bool:
        """Whether the function is compiled for arguments of some types, here or on disk."""
        if types in function.overloads:
            return True
        try:
            return self._index_key(types, function.targetctx.codegen()) in self._cache_file._load_index()
        except Exception:  # torn by a crash, as in `load_overload`
            return False

    def save_overload(self, *what: Any) -> None:
        _TOLD.ends()
        try:
            super().save_overload(*what)
        except OSError as error:
            _not_kept(str(cache_folder()), error.strerror or str(error))


def compiled(function: Callable[..., Any] | None = None, *, part: str = "") -> Any:
    """Compile `function` in nopython mode without the GIL, cached on disk; `fastmath` stays off.

    Numba optimises a function again inside every function that calls it, so depth costs compile time. Three kinds of
    `part` keep a kernel's compile time at seconds; none has a cache of its own or can be called from Python:
    "expression", a few operations within a loop body; "loop", a loop over lanes, compiled once and called (its first
    line must be `out_of_line()`, see lanes.py, unless it is tiny); "step", put in place of its call before typing.
    """
    if function is None:
        return functools.partial(compiled, part=part)
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    if part:
        options |= {"inline": "always"} if part == "step" else {"forceinline": True} if part == "expression" else {}
        options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return numba.njit(function, **options)
    made, folder = numba.njit(function, **options), cache_folder()
    made._cache = _NoCache()
    if folder is not None:
        before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(folder)
        try:  # the folder is read while the cache is made; other packages keep their own
            made._cache = _Cache(function)
        except RuntimeError:
            _not_kept(str(folder), "it cannot be written")
        finally:
            numba.config.CACHE_DIR = before
    return made
