"""Writing a file beside its final place, so that a name is either a complete file or does not exist."""

import contextlib
import os
import platform
import secrets
import shutil
import stat
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from ..errors import RequestError, RunError

_KINDS = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"),
          (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"))


def not_a_file(path: Path) -> str:
    """What `path`, links followed, is in place of a file: "a pipe"; empty for a file and where there is nothing."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return ""
    return next((kind for test, kind in _KINDS if test(mode)), "")


@contextlib.contextmanager
def beside(place: Path) -> Iterator[Path]:
    """A name beside `place` for a file that is being made; a file of that name is gone in the end.

    A process that is killed leaves its file; the next one on the same machine that comes here removes it.
    """
    machine = f".{place.name}.{zlib.crc32(platform.node().encode()):08x}-"  # others may write to a shared folder
    name = place.with_name(f"{machine}{os.getpid()}-{threading.get_ident()}")
    _remove_leftovers(place.parent, machine)
    try:
        yield name
    finally:
        with contextlib.suppress(OSError):
            name.unlink()


@contextlib.contextmanager
def replacing(path: Path, ours: Callable[[Path], bool] = lambda path: True) -> Iterator[Path]:
    """A file to write to, which takes the place of `path` when all went well and is gone otherwise.

    Where `path` is a symbolic link, it stays one, and the file that it leads to is replaced. A file that is replaced
    hands its permissions on. ours: whether a file that is there may be replaced, being of the kind that is written.
    Raises RequestError where there is no file and none can be made, or where it may not be written, RunError when
    writing fails later.
    """
    place = Path(os.path.realpath(path))
    with beside(place) as new:
        try:
            if what := "a link that leads nowhere" if place.is_symlink() else not_a_file(place):
                raise OSError(None, f"it is {what}")
            new.touch(exist_ok=False)
            if place.exists():
                if not os.access(place, os.W_OK):
                    raise OSError(None, "it is protected against writing")
                if not ours(place):
                    raise OSError(None, "a file of another kind is there; choose another name")
                shutil.copymode(place, new)
        except OSError as error:
            raise RequestError(f"cannot write '{path}': {error.strerror or error}") from None
        try:
            yield new
        except OSError as error:
            raise RunError(f"cannot write '{path}': {error.strerror or error}") from None
        try:
            new.replace(place)
        except OSError as error:
            raise RunError(f"cannot write '{path}': {error.strerror or error}{_kept(new, place)}") from None


def _kept(new: Path, place: Path) -> str:
    """Give a complete file that cannot take its place a name of its own; what is to be said of it."""
    name = place.with_name(f"{place.stem}-{secrets.token_hex(4)}{place.suffix}")
    with contextlib.suppress(OSError):
        new.rename(name)
        return f"; the whole file is there as '{name}'"
    return ""


def _remove_leftovers(folder: Path, begin: str) -> None:
    """Delete the files called `begin` and the number of a process that has ended, as far as that is allowed."""
    if os.name != "posix":  # elsewhere asking for a process by signal 0 ends it
        return
    with contextlib.suppress(OSError):
        for file in [file for file in folder.iterdir() if file.name.startswith(begin)]:
            number = file.name.removeprefix(begin).partition("-")[0]
            if number.isdecimal() and not _is_running(int(number)):
                file.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):  # another user's, or no number of a process
        return True
    return True
